#!/usr/bin/env bats
# Streams: when a result is there, what is kept and where, and how far it is.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # bash -c expands what stands in single quotes
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers

# A FIFO p that is held open at descriptor 7, with the given bytes of b.npy in
# it; the command is started first, in the background.
begin() {	# BYTES COMMAND...
	local bytes=$1
	shift
	mkfifo p
	timeout 20 "$@" <p 3>&- 7>&- &
	job=$!
	exec 7>p
	head -c "$bytes" "$B" >&7
}

# The rest of b.npy comes, or nothing more; the status of the command.
go_on() { tail -c +$(($1 + 1)) "$B" >&7; }
ends() {
	exec 7>&-
	status=0
	wait "$job" || status=$?
}

# whole FILE WANT: it has appeared, and is that.
whole() { [ -e "$1" ] && cmp -s "$1" "$2"; }

@test "a result is there once the last byte that it needs has come" {
	tslice "$B" :9 -o want.npy
	begin 300 tslice - :9 -o o.npy
	wait_for whole o.npy want.npy
	kill -0 "$job"
	go_on 300
	ends
	same "$status" 0
}

@test "a result that has to wait for later bytes is not there before" {
	tslice "$B" 999,None -o want.npy
	begin 8000 tslice - 999,None -o o.npy
	sleep 0.2
	[ ! -e o.npy ]
	tail -c +8001 "$B" | head -c 128 >&7
	wait_for whole o.npy want.npy
	go_on 8128
	ends
	same "$status" 0
}

@test "of what has to be kept nothing is waited for that is not needed" {
	local m
	tslice "$B" 99999::-1 -o want.npy
	for m in 1M 56M; do
		begin 800128 tslice --max-memory $m - 99999::-1 -o o.npy
		wait_for whole o.npy want.npy
		go_on 800128
		ends
		same "$status" 0
		rm p o.npy
	done
	begin 800128 tslice - 99999::-1 --print -o text
	wait_for [ -s text ]
	go_on 800128
	ends
	same "$status" 0
}

@test "what goes forward comes out before the rest has come in" {
	begin 5000000 tslice - 1::2 >got.npy
	wait_for [ "$(stat -Lc %s got.npy)" -ge 0 ]
	wait_for eval '[ "$(stat -c %s got.npy)" -gt 1000000 ]'
	go_on 5000000
	ends
	same "$status" 0
	tslice "$B" 1::2 | cmp - got.npy
}

@test "--no-drain ends at once, however slow the producer" {
	tslice "$B" :9 -o want.npy
	begin 200 tslice --no-drain - :9 -o o.npy
	wait "$job"
	cmp o.npy want.npy
	ends
}

@test "--no-drain leaves the stream right behind the last byte it needs" {
	{ cat "$A"; echo rest; } |
		(tslice --no-drain - 1 -o o.npy; cat >rest)
	same "$(items o.npy)" '4 5 6 7'
	{ tail -c 16 "$A"; echo rest; } | cmp - rest
	{ cat "$A"; echo rest; } |
		(tslice --no-drain - 1::-1 -o o.npy; cat >rest)
	same "$(items o.npy)" '4 5 6 7 0 1 2 3'
	{ tail -c 16 "$A"; echo rest; } | cmp - rest
	{ cat "$A"; echo rest; } | (tslice --no-drain - :0 -o o.npy; cat >rest)
	{ tail -c 48 "$A"; echo rest; } | cmp - rest
}

@test "--no-drain of an array that is refused leaves its data" {
	{ cat "$A"; echo rest; } |
		(tslice --no-drain - 9 -o o.npy 2>e || echo "$?" >rc; cat >rest)
	same "$(cat rc)" 3
	{ tail -c 48 "$A"; echo rest; } | cmp - rest
}

@test "--no-drain of an explanation, and of a shape, takes the header" {
	{ cat "$A"; echo rest; } |
		(tslice --no-drain --explain - 1 >e; cat >rest)
	{ tail -c 48 "$A"; echo rest; } | cmp - rest
	{ cat "$A"; echo rest; } | (tshape --no-drain - >e; cat >rest)
	same "$(cat e)" '(3, 4)'
	{ tail -c 48 "$A"; echo rest; } | cmp - rest
}

@test "--no-drain: the producer may see a closed pipe, and the result is right" {
	(trap '' PIPE; cat "$B" 2>/dev/null || echo $? >rc) |
		tslice --no-drain - :9 -o o.npy
	same "$(cat rc)" 1
	tslice "$B" :9 | cmp - o.npy
}

@test "--no-drain with both inputs in one stream still finds the second" {
	le32 1 0 | npy i.npy '<i4' '(2, 1)'
	{ cat "$A" i.npy; echo rest; } |
		(tgather --no-drain - - -o o.npy; cat >rest)
	same "$(items o.npy)" '4 5 6 7 0 1 2 3'
	same "$(cat rest)" rest
}

@test "arrays are taken one by one, by commands of every kind" {
	le32 1 0 | npy i.npy '<i4' '(2, 1)'
	le32 -1 -2 -3 | npy d.npy '<i4' '(3,)'
	cat "$A" "$A" "$A" "$A" "$A" | {
		tslice - ::-1 -o 0.npy
		tgather - i.npy -o 1.npy
		tsetdiag - d.npy -o 2.npy
		tshape - >shape
		tslice - 2 -o 4.npy
	}
	same "$(items 0.npy)" '8 9 10 11 4 5 6 7 0 1 2 3'
	same "$(items 1.npy)" '4 5 6 7 0 1 2 3'
	same "$(items 2.npy)" '-1 1 2 3 4 -2 6 7 8 9 -3 11'
	same "$(cat shape)" '(3, 4)'
	same "$(items 4.npy)" '8 9 10 11'
}

@test "cut short within what is needed: nothing appears" {
	local spec
	for spec in ... ::-1 -1 ::7 '5:1000000:3'; do
		run -3 --separate-stderr bash -c \
			'head -c 8000000 "$1" | tslice - "$2" -o o.npy' - \
			"$B" "$spec"
		one_line "$stderr"
		has "$stderr" 'promises'
		clean
	done
	for spec in '--max-memory 1M' ''; do
		# shellcheck disable=SC2086 # none, or two words
		run -3 bash -c 'f=$1; shift; head -c 8000000 "$f" |
			tslice "$@" - ::-1 -o o.npy' - "$B" $spec
		clean
	done
}

@test "cut short behind what is needed: the result is there, status 3" {
	local spec
	for spec in :9 99999::-1 100 ':9999:9,None'; do
		tslice "$B" "$spec" -o want.npy
		run -3 --separate-stderr bash -c \
			'head -c 8388700 "$1" | tslice - "$2" -o o.npy' - \
			"$B" "$spec"
		one_line "$stderr"
		cmp o.npy want.npy
		rm o.npy
		run -0 bash -c 'head -c 8388700 "$1" |
			tslice --no-drain - "$2" -o o.npy' - "$B" "$spec"
		cmp o.npy want.npy
		rm o.npy
	done
	clean want.npy
}

@test "USR1 before the input begins, and amidst it, is answered and no end" {
	begin 0 tslice - ::-1 -o o.npy 2>said
	wait_for [ -n "$(jobs -r)" ]
	sleep 0.2
	kill -USR1 "$(child "$job")"
	wait_for [ -s said ]
	head -c 5000000 "$B" >&7
	sleep 0.1
	kill -USR1 "$(child "$job")"
	go_on 5000000
	ends
	same "$status" 0
	tslice "$B" ::-1 | cmp - o.npy
	[ "$(grep -c '^tslice: ' said)" -ge 2 ]
	same "$(grep -vc '^tslice: ' said)" 0
}

@test "USR1 that was ignored stays so" {
	(trap '' USR1; begin 5000 tslice - ... -o o.npy 2>said
	sleep 0.2
	kill -USR1 "$(child "$job")"
	go_on 5000
	ends
	same "$status" 0)
	same "$(cat said)" ''
	cmp o.npy "$B"
}

@test "--progress=always without a terminal: plain lines, the last one whole" {
	run -0 --separate-stderr tslice --progress=always "$B" ::-1 -o o.npy
	matches "$stderr" 'tslice: 8388608 of 8388608 bytes, 100 %,.*'
	same "$(tr -d '\40-\176\n' <<<"$stderr")" ''
	run -0 --separate-stderr tslice --progress "$B" ::-1 -o p.npy
	matches "$stderr" 'tslice: 8388608 of 8388608 bytes, 100 %,.*'
	cmp o.npy p.npy
}

@test "--progress=never, and auto without a terminal, print nothing" {
	local when
	for when in --progress=never --progress=auto -v; do
		[ "$when" = -v ] || {
			run -0 --separate-stderr tslice $when "$B" ::-1 -o o
			same "$stderr" ''
		}
	done
	for when in sometimes '' ALWAYS; do
		run -2 --separate-stderr tslice --progress="$when" "$B" 0
		one_line "$stderr"
	done
	same "$output" ''
}

@test "--progress does not take the next word for its value" {
	run -0 --separate-stderr tslice --progress "$A" 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
	run -0 --separate-stderr tslice --progress -q "$A" 1 -o o.npy
	has "$stderr" '100 %'
}

@test "sizes of memory that are none, or too small" {
	local bad
	for bad in 0 1K 5X -1 '' 1023K 1048575 M 1.5M 1MB 1m ' 1M' 0x100000 \
		99999999999999999999 9999999999T; do
		run -2 --separate-stderr tslice --max-memory="$bad" "$A" 1
		one_line "$stderr"
		same "$output" ''
		run -2 --separate-stderr tshape --max-memory="$bad" "$A"
		same "$output" ''
	done
	refuses 2 syntax --max-memory=1K "$A" 1
	refuses 2 usage "$A" 1 --max-memory
}

@test "sizes of memory in every unit" {
	local good
	for good in 1M 1048576 1024K 2G 1T; do
		tslice --max-memory "$good" "$B" ::-1 -o "$good"
	done
	for good in 1048576 1024K 2G 1T; do cmp 1M "$good"; done
}

@test "a stream is kept in TMPDIR, and said so, if it has to be and is long" {
	mkdir tmp
	export TMPDIR=$PWD/tmp
	run -0 --separate-stderr bash -c \
		'cat "$1" | tslice -v --max-memory 1M - ::-1 -o o.npy' - "$B"
	has "$stderr" 'temporary file'
	tslice "$B" ::-1 | cmp - o.npy
	run -0 --separate-stderr bash -c \
		'cat "$1" | tslice -v --max-memory 1M - ::2 -o o.npy' - "$B"
	[[ $stderr != *temporary* ]]
	run -0 --separate-stderr bash -c \
		'cat "$1" | tslice -v --max-memory 1M - 99::-1 -o o.npy' - "$B"
	[[ $stderr != *temporary* ]]
	run -0 --separate-stderr bash -c \
		'cat "$1" | tslice -v --max-memory 1G - ::-1 -o o.npy' - "$B"
	[[ $stderr != *temporary* ]]
	same "$(ls -A tmp)" ''
}

@test "a TMPDIR where nothing can be made is named, if it is needed" {
	local dir
	for dir in nowhere "$A"; do
		run -4 --separate-stderr env TMPDIR="$dir" bash -c \
			'cat "$1" | tslice --max-memory 1M - ::-1 -o o.npy' - "$B"
		one_line "$stderr"
		has "$stderr" "$dir"
		clean
	done
	cat "$B" | TMPDIR=nowhere tslice --max-memory 1M - ::2 -o o.npy
	rm o.npy
	cat "$A" | TMPDIR=nowhere tslice - ::-1 -o o.npy
}

@test "a TMPDIR that may not be written in" {
	open_to_all
	mkdir -m 555 tmp
	run -4 --separate-stderr unprivileged env TMPDIR=tmp bash -c \
		'cat "$1" | tslice --max-memory 1M - ::-1 -o o.npy' - "$B"
	one_line "$stderr"
	has "$stderr" tmp
	clean tmp
}

@test "a TMPDIR that is full is named" {
	requires root mounts
	run -4 --separate-stderr unshare -m bash -c 'mkdir tmp &&
		mount -t tmpfs -o size=2m tmpfs tmp || exit 77
		cat "$1" | TMPDIR=$PWD/tmp tslice --max-memory 1M - ::-1 -o o.npy
		s=$?; ls -A tmp >left; exit $s' - "$B"
	one_line "$stderr"
	has "$stderr" "$PWD/tmp"
	same "$(cat left)" ''
	clean left tmp
}

@test "what is kept is gone after a signal too" {
	local signal
	mkdir tmp
	for signal in INT KILL; do
		TMPDIR=$PWD/tmp begin 5000000 env --default-signal=INT \
			tslice --max-memory 1M - ::-1 >o.npy
		sleep 0.2
		kill -$signal "$(child "$job")"
		ends
		[ "$status" -gt 128 ]
		same "$(ls -A tmp)" ''
		rm p
	done
}

@test "a reader that goes away ends it quietly, or is an error" {
	local spec
	for spec in ... ::-1 1::2; do
		run --separate-stderr bash -c \
			'cat "$1" | env --default-signal=PIPE tslice - "$2" |
			head -c 1 >/dev/null; echo "${PIPESTATUS[1]}"' - "$B" "$spec"
		same "$output" 141
		same "$stderr" ''
		run --separate-stderr bash -c 'trap "" PIPE
			cat "$1" | tslice - "$2" | head -c 1 >/dev/null
			echo "${PIPESTATUS[1]}"' - "$B" "$spec"
		same "$output" 4
		matches "$stderr" '(.*
)?tslice: standard output: .*Broken pipe(
.*)?'
	done
}

@test "into a pipe in order: transposed, gathered and patched" {
	requires numpy
	"${PYTHON:-python3}" -c 'import numpy as np
rng = np.random.default_rng(5)
a = rng.integers(0, 2**31, (700, 900, 3), np.int32)
i = rng.integers(0, 700, (1000, 1))
d = np.zeros((700, 3), np.int32)
np.save("a.npy", np.asfortranarray(a)); np.save("i.npy", i)
np.save("d.npy", d)
np.save("t.npy", np.ascontiguousarray(a)); np.save("g.npy", a[i[:, 0]])
b = a.copy(); b[:, range(3), range(3)] = 0
np.save("s.npy", b)'
	local m
	for m in 1M 56M; do
		tslice --max-memory $m -j 4 a.npy ... --order C | cmp - t.npy
		cat a.npy | tslice --max-memory $m - ... --order C | cmp - t.npy
		tgather --max-memory $m -j 4 a.npy i.npy | cmp - g.npy
		cat a.npy i.npy | tgather --max-memory $m - - | cmp - g.npy
		tsetdiag --max-memory $m -j 4 a.npy d.npy | cmp - s.npy
		cat a.npy d.npy | tsetdiag --max-memory $m - - | cmp - s.npy
	done
}
