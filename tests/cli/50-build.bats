#!/usr/bin/env bats
# The Makefile, and what it says where something is missing.  Compilers and
# packages are stand-ins, so that nothing is compiled and nothing installed.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers

# bin holds the commands that a build may use, and no others; copy the sources,
# of each directory's one and few more, which are as good as all.
setup() {
	local -a names
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	mkdir bin copy
	names=(awk basename cat cksum cmp cut dirname echo env find grep \
		head install ln ls make mkdir mktemp mv printenv printf rm sed \
		sh tail tee touch tr uname)
	mapfile -t names < <(type -P "${names[@]}")
	ln -s "${names[@]}" bin/
	(cd "$top" && cp -R Makefile .ci lib npyio cli cuda man \
		"$OLDPWD/copy")
	find copy/lib copy/npyio copy/cli -name '*.c' | awk '
		{ d = $0; sub("/[^/]*$", "", d) }
		seen[d]++ && !/(main|view|json)\.c$/' | xargs rm
	stand_ins
}

stand_in() {	# NAME <SCRIPT
	rm -f "bin/$1" # a link, perhaps, to the real one
	{ echo '#!/bin/sh'; cat; } >"bin/$1"
	chmod +x "bin/$1"
}

# What is compiled holds the command that did it; id is any user.
stand_ins() {
	stand_in cc <<-'END'
	all=$* out=
	while [ $# -gt 0 ]; do
		if [ "$1" = -o ]; then out=$2; fi
		shift
	done
	if [ "$out" ]; then echo "$all" >"$out"; fi
	END
	stand_in pkg-config <<<'exit 0'
	stand_in nvcc <<-'END'
	if [ "$1" = --list-gpu-code ]; then echo sm_80; exit; fi
	while [ "$1" != -o ]; do shift; done
	echo code >"$2"
	END
	stand_in id <<<'echo 1000'
	for name in python3 bats jq strace mandoc g++; do
		stand_in "$name" <<<'exit 0'
	done
}

# As on somebody's machine: what these tests were called with is not there.
fresh() {
	run --separate-stderr env -i PATH="$PWD/bin" HOME="$HOME" "$@"
	printf '%s\n' "$output" "$stderr" | tail -n 20
}

makes() {	# ARGUMENT...: make, which succeeds
	fresh make -C copy "$@"
	same "$status" 0
}

compiled() { find copy/build -name '*.o' 2>/dev/null; }

@test "make links all commands, and has nothing to do after that" {
	local command
	makes CUDA=0
	for command in $(commands); do
		cmp copy/build/release/tslice "copy/build/release/$command"
	done
	makes CUDA=0 -q
	makes CUDA=0 -n
	has "$output" 'Nothing to be done'
}

@test "what has changed is made again: a source, flags, libraries" {
	local change
	makes CUDA=0
	for change in CFLAGS=-DONE LDLIBS=-lother LDFLAGS=-s; do
		fresh make -C copy CUDA=0 -q "$change"
		same "$status" 1
		makes CUDA=0 "$change"
		has "$(cat copy/build/release/tslice)" "${change#*=}"
		makes CUDA=0 "$change" -q
	done
	touch -d '1 hour' copy/lib/view/view.c
	fresh make -C copy CUDA=0 -q LDFLAGS=-s
	same "$status" 1
}

@test "flags with quotes of both kinds are no reason to build again" {
	makes CUDA=0 CFLAGS="-DTEXT='\"a b\"'"
	makes CUDA=0 CFLAGS="-DTEXT='\"a b\"'" -q
}

@test "make install installs what was built, with whatever flags" {
	makes CUDA=0 CFLAGS=-DMINE
	makes install DESTDIR="$PWD/to"
	has "$(cat to/usr/local/bin/tslice)" -DMINE
	rm -r to
	mv bin/cc bin/no-cc
	makes install DESTDIR="$PWD/to" CFLAGS=-DOTHER
	has "$(cat to/usr/local/bin/tslice)" -DMINE
}

@test "make install where nothing has been built builds" {
	makes install CUDA=0 DESTDIR="$PWD/to"
	cmp copy/build/release/tslice to/usr/local/bin/tslice
}

@test "directories with blanks in their names" {
	makes CUDA=0 O="$PWD/here and there"
	[ -e 'here and there/tshape' ]
	makes CUDA=0 O="$PWD/here and there" -q
	makes CUDA=0 O='in the copy'
	[ -e 'copy/in the copy/tgather' ]
	makes install O='in the copy' DESTDIR="$PWD/to  pack" prefix='/my own'
	[ -x 'to  pack/my own/bin/tsetdiag' ]
	[ -s 'to  pack/my own/share/man/man1/tslice.1' ]
	makes uninstall DESTDIR="$PWD/to  pack" prefix='/my own'
	same "$(find 'to  pack' ! -type d)" ''
}

@test "sources in a directory with blanks in its name" {
	mv copy 'a copy'
	fresh make -C 'a copy' CUDA=0
	same "$status" 0
	[ -e 'a copy/build/release/tshape' ]
}

@test "nvcc on PATH is enough, without CUDA_HOME" {
	makes -n clean
	makes
	has "$(cat copy/build/release/tslice)" -DTSL_HAVE_CUDA=1
	same "$(cat copy/build/release/cuda/slice.fatbin)" code
	makes -q
}

@test "nvcc in CUDA_HOME is enough, without PATH" {
	mkdir -p cuda/bin
	mv bin/nvcc cuda/bin
	makes CUDA_HOME="$PWD/cuda"
	has "$(cat copy/build/release/tslice)" -DTSL_HAVE_CUDA=1
}

@test "without nvcc: no CUDA, and CUDA=1 is refused before it compiles" {
	rm bin/nvcc
	fresh make -C copy CUDA=1
	same "$status" 2
	has "$stderr" 'CUDA=1, but there is no nvcc'
	same "$(compiled)" ''
	makes CUDA=1 clean
	makes
	[[ $(cat copy/build/release/tslice) != *TSL_HAVE_CUDA* ]]
}

# lacks PACKAGE: make names it, and has not begun to compile.
lacks() {
	fresh make -C copy CUDA=0
	same "$status" 2
	matches "$stderr" "Missing:( .*)? $1( .*)?
.*"
	same "$(compiled)" ''
}

@test "what is missing is named before anything is compiled: a library" {
	stand_in pkg-config <<<'exit 1'
	lacks 'libcjson-dev zlib1g-dev'
	stand_in pkg-config <<<'[ "$2" != zlib ]'
	lacks zlib1g-dev
	[[ $stderr != *libcjson* ]]
}

@test "what is missing is named before anything is compiled: pkg-config" {
	rm bin/pkg-config
	lacks pkg-config
	[[ $stderr != *libcjson* ]]
}

@test "what is missing is named before anything is compiled: a compiler" {
	rm bin/cc
	lacks gcc
}

@test "a library that is gone after a build is missed" {
	makes CUDA=0
	stand_in pkg-config <<<'exit 1'
	fresh make -C copy CUDA=0 LDLIBS=-lother
	same "$status" 2
	has "$stderr" 'Missing: libcjson-dev'
}

@test "neither root nor sudo: root's command is shown, nothing is installed" {
	local target
	rm bin/jq
	stand_in pkg-config <<<'exit 1'
	stand_in apt-get <<<'echo "$@" >>"$HOME/asked"'
	for target in demo test; do
		HOME=$PWD fresh make -C copy CUDA=0 $target
		same "$status" 2
		has "$stderr" 'As root:  apt-get update && apt-get install -y'
		has "$stderr" ' libcjson-dev'
		[ ! -e asked ]
		same "$(compiled)" ''
	done
	has "$stderr" 'libcjson-dev zlib1g-dev jq'
}

@test "sudo is used where it is, and if it refuses root's command is shown" {
	rm bin/jq
	stand_in apt-get <<<'echo "$@" >>"$HOME/asked"'
	stand_in sudo <<<'[ ! -e "$HOME/no" ] && "$@"'
	HOME=$PWD fresh copy/.ci/need build test
	same "$status" 0
	has "$output" 'Missing, will be installed: jq'
	has "$(tail -n 1 asked)" 'install -y --no-install-recommends jq'
	touch no
	HOME=$PWD fresh copy/.ci/need build test
	same "$status" 1
	has "$stderr" 'As root:  apt-get update'
}

@test "an index that cannot be refreshed is no matter if packages are there" {
	rm bin/jq
	stand_in id <<<'echo 0'
	stand_in apt-get <<<'if [ "$1" = update ]; then exit 100; fi'
	fresh copy/.ci/need build test
	same "$status" 0
	stand_in apt-get <<<'exit 100'
	fresh copy/.ci/need build test
	same "$status" 1
	has "$stderr" 'As root:  apt-get update'
}

@test "where there is no apt-get the packages are named" {
	rm bin/jq
	stand_in id <<<'echo 0'
	fresh copy/.ci/need build test
	same "$status" 1
	has "$stderr" 'Missing: jq'
}

# halves RELEASE SANITIZED: both, of which each ends as told, ok or a status.
halves() {
	printf '%s\n' "$@" >ends
	stand_in maker <<-'END'
	end=$(head -n 1 ends)
	sed -i 1d ends
	echo "$@" >>called
	case $end in
	ok) echo '7 passed, 0 failed' >"$TEST_SUM" ;;
	1) echo '6 passed, 1 failed' >"$TEST_SUM"; exit 1 ;;
	*) exit "$end" ;;
	esac
	END
	rm -f called
	fresh copy/.ci/test maker -j2
	same "$(sed 's/^\(-[^ ]* \)*//' called)" 'test
test-san'
}

@test "both halves of the tests run, and the end says what became of each" {
	halves ok ok
	same "$status" 0
	same "$(tail -n 2 <<<"$output")" 'release build:    7 passed, 0 failed
sanitized build:  7 passed, 0 failed'
	halves 1 ok
	same "$status" 1
	has "$output" 'release build:    6 passed, 1 failed'
	has "$output" 'sanitized build:  7 passed, 0 failed'
	halves 2 1
	same "$status" 1
	has "$output" 'release build:    was not built, or not run'
	has "$output" 'sanitized build:  6 passed, 1 failed'
	halves ok 2
	same "$status" 1
	has "$output" 'sanitized build:  was not built, or not run'
}

@test "the tests of a change begin with an environment of what all have" {
	stand_in make <<<'printenv; echo "$1 is called"
		echo "3 passed, 0 failed, 1 skipped"'
	fresh CUDA_HOME=/x CFLAGS=-x MAKEFLAGS=-n CI=yes https_proxy=p:1 \
		copy/.ci/run
	same "$status" 0
	has "$output" CI=yes
	has "$output" https_proxy=p:1
	[[ $output != *CUDA_HOME* && $output != *CFLAGS* ]]
	[[ $output != *MAKEFLAGS* ]]
	has "$output" 'test is called'
	has "$output" 'test-san is called'
	same "$(tail -n 1 <<<"$output")" '6 passed, 0 failed, 2 skipped'
}

@test "the demo shows the earth, and how to go on" {
	local from
	from=$(dirname "$(command -v tslice)")
	run -0 --separate-stderr "$top/.ci/demo" "$from"
	same "$stderr" ''
	has "$output" '(90, 180)  <i2  C  32400'
	has "$output" ' 5380 '
	has "$output" "PATH=\"$from:"
	same "$(git -C "$top" status --porcelain india.npy 2>/dev/null)" ''
}
