#!/usr/bin/env bats
# Memory that is refused, limited, or asked for by a hostile header; and calls
# that move fewer bytes than they were asked to.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

eval "$(declare -f setup_file | sed '1s/setup_file/make_fixtures/')"

setup_file() {
	make_fixtures
	export SHIM=$BATS_FILE_TMPDIR/refuse.so
	"${CC:-cc}" -D_FILE_OFFSET_BITS=64 -O1 -shared -fPIC -o "$SHIM" \
		"$BATS_TEST_DIRNAME/refuse.c" -ldl 2>/dev/null || SHIM=
}

# Sanitizers have an allocator of their own, and want to be loaded first.
requires_shim() {
	requires release
	[ -n "$SHIM" ] || skip 'no compiler'
	LD_PRELOAD=$SHIM tslice -V >/dev/null || skip 'nothing can be preloaded'
}

# each_alloc COMMAND...: its n-th allocation fails, for every n until none
# does; then, for every third, all that follow fail too.  It makes o.npy, or prints; with $feed, that
# comes by a pipe.  Sets $hits and $refused.
each_alloc() {
	local n ever
	requires_shim
	rm -f o.npy want.npy
	"$@" < <(cat "${feed:-/dev/null}") >../want
	[ ! -e o.npy ] || mv o.npy want.npy
	before=$(all_names)
	hits=0 refused=0
	for ever in '' 1; do
		for ((n = 1; n < 2000; n += ever ? 3 : 1)); do
			rm -f ../refused
			one_alloc $n "$ever" "$@"
			[ -e ../refused ] || break
			hits=$((hits + 1))
			as_whole
		done
		same "$status" 0
		rm -f o.npy
	done
	printf 'refused %d of %d allocations\n' $refused $hits
}

one_alloc() { # N EVER COMMAND...
	local n=$1 ever=$2
	shift 2
	status=0
	env LD_PRELOAD="$SHIM" REFUSE_ALLOC="$n" REFUSE_EVER="$ever" \
		REFUSE_LOG=../refused "$@" \
		< <(cat "${feed:-/dev/null}") >../out 2>../err || status=$?
	printf 'allocation %s %s: %s %s\n' "$n" "${ever:+and all after it}" \
		"$status" "$(<../err)"
}

as_whole() {
	if [ "$status" = 0 ]; then
		cmp ../want ../out
		[ ! -e want.npy ] || cmp want.npy o.npy
	else
		same "$status" 4
		matches "$(<../err)" '(t[a-z]+: |\{"error":)[^
]*'
		[ ! -e o.npy ]
		refused=$((refused + 1))
	fi
	rm -f o.npy
	same "$(all_names)" "$before"
}

@test "each allocation of a copy" {
	each_alloc tslice "$A" 1: -o o.npy
	[ "$refused" -ge 6 ]
}

@test "each allocation of a reversed slice" {
	each_alloc tslice -j 1 "$A" ::-1 -o o.npy
	[ "$refused" -ge 6 ]
}

@test "each allocation where there are several threads" {
	each_alloc tslice -j 4 "$B" ::-1 -o o.npy
	[ "$refused" -ge 6 ]
}

@test "each allocation of a slice of a stream" {
	feed=$A
	each_alloc tslice - ::-1 -o o.npy
	[ "$refused" -ge 6 ]
}

@test "each allocation of a result on standard output" {
	each_alloc tslice "$A" 1:
	[ "$refused" -ge 4 ]
}

@test "each allocation of a file that is replaced" {
	requires_shim
	local n
	for ((n = 1; n < 200; n++)); do
		cp "$OLD" o.npy
		rm -f ../refused
		one_alloc $n '' tslice --sync "$A" 1: -o o.npy
		[ -e ../refused ] || break
		if [ "$status" = 0 ]; then
			tslice "$A" 1: | cmp - o.npy
		else
			same "$status" 4
			cmp "$OLD" o.npy
		fi
		clean o.npy
	done
	[ "$n" -ge 8 ]
}

@test "each allocation of an explanation" {
	each_alloc tslice --explain 1,...,None
	each_alloc tslice --explain "$A" 1
	[ "$refused" -ge 1 ]
}

@test "each allocation of an explanation in JSON" {
	each_alloc tslice --explain --json "$A" 1,...,None
	[ "$refused" -ge 10 ]
}

@test "each allocation of an encoding that is read" {
	tslice --explain --json 1,...,None >e.json
	each_alloc tslice "$A" --encoding e.json -o o.npy
	[ "$refused" -ge 10 ]
}

@test "each allocation of vectors as options" {
	each_alloc tslice "$A" --begin 1,0 --end 3,4 --strides 1,2 -o o.npy
	[ "$refused" -ge 8 ]
}

@test "each allocation of an array that is printed" {
	each_alloc tslice "$A" --print ...
	[ "$refused" -ge 5 ]
}

@test "each allocation of strings that are printed" {
	printf 'a\0\0\0b\0\0\0c\0\0\0\351\0\0\0' | npy s.npy '<U2' '(2,)'
	each_alloc tslice s.npy --print ...
	each_alloc tslice s.npy --print 1
	[ "$refused" -ge 5 ]
}

@test "each allocation of a structured dtype" {
	head -c 30 /dev/zero | npyfields f.npy
	each_alloc tslice f.npy 1: -o o.npy
	each_alloc tshape -l f.npy
	[ "$refused" -ge 5 ]
}

# npyfields FILE <ITEMS: two elements of a dtype with names, titles and padding.
npyfields() {
	"${PYTHON:-python3}" -c 'import sys
sys.path.insert(0, sys.argv[2])
import npyfile
d = "[(\"a\", \"<i4\"), ((\"t\", \"b\"), \"|V3\", (2,)), (\"\", \"|V1\"), " \
    "(\"c\", [(\"d\", \">i2\"), (\"e\", \"<u2\")])]"
open(sys.argv[1], "wb").write(npyfile.header(d, (2,)) + bytes(30))' \
		"$1" "$BATS_TEST_DIRNAME/../sweep"
}

@test "each allocation of tgather" {
	ints i.npy '(2, 1)' 2 0
	each_alloc tgather "$A" i.npy -o o.npy
	[ "$refused" -ge 10 ]
}

@test "each allocation of tgather with both inputs from one stream" {
	ints i.npy '(2, 1)' 2 0
	cat "$A" i.npy >both
	feed=both
	each_alloc tgather - - -o o.npy
	[ "$refused" -ge 10 ]
}

@test "each allocation of tsetdiag" {
	ints m.npy '(3, 3)' 1 2 3 4 5 6 7 8 9
	ints d.npy '(3,)' 10 20 30
	each_alloc tsetdiag m.npy d.npy -o o.npy
	[ "$refused" -ge 10 ]
}

@test "each allocation of tshape" {
	each_alloc tshape "$A"
	each_alloc tshape -l "$A" '(2, 3)' append 4
	each_alloc tshape --json "$A"
	[ "$refused" -ge 10 ]
	each_alloc tshape --json "$A" size
}

@test "each allocation of a message: the status stays, or it is memory" {
	requires_shim
	local n options
	for options in '' --json; do
		for ((n = 1; n < 200; n++)); do
			rm -f ../refused
			# shellcheck disable=SC2086 # no option, or one
			one_alloc $n 1 tslice $options "$A" 99 -o o.npy
			[ -e ../refused ] || break
			[ "$status" = 3 ] || same "$status" 4
			[ -s ../err ]
			clean
		done
		same "$status" 3
		[ $n -ge 4 ]
	done
}

# ---- limits ------------------------------------------------------------------

@test "a header that claims four gigabytes costs nothing" {
	requires release
	printf '\223NUMPY\2\0\377\377\377\377' >x.npy
	run -3 --separate-stderr timeout 5 bash -c 'ulimit -v 300000
		exec tslice x.npy 0 -o o.npy'
	run -3 --separate-stderr timeout 5 bash -c 'ulimit -v 300000
		cat x.npy | tslice - 0 -o o.npy'
	clean x.npy
}

@test "a stream that claims more than there is memory" {
	requires release
	npy x.npy '<f8' '(1099511627776,)' </dev/null
	# Nothing is reserved for what does not arrive.
	run --separate-stderr timeout 10 bash -c 'ulimit -v 100000
		cat x.npy "$1" | tslice - ::-1 -o o.npy' - "$B"
	[ "$status" = 3 ] || [ "$status" = 4 ]
	same "$(wc -l <<<"$stderr")" 1
	clean x.npy
}

@test "facts about a file of a terabyte need no memory" {
	requires release
	npy x.npy '|u1' '(1099511627776,)' </dev/null
	truncate -s $((128 + 1099511627776)) x.npy 2>/dev/null ||
		skip 'the file system cannot hold it'
	run -0 bash -c 'ulimit -v 50000; timeout 5 tshape x.npy size'
	same "$output" 1099511627776
	run -0 bash -c 'ulimit -v 50000; timeout 5 tslice --explain x.npy ::-1'
}

@test "a terabyte: rows, corners and gathered rows in little memory" {
	requires release
	npy x.npy '|u1' '(1048576, 1048576)' </dev/null
	truncate -s $((128 + 1099511627776)) x.npy 2>/dev/null ||
		skip 'the file system cannot hold it'
	ints i.npy '(2, 1)' 1048575 0
	run -0 bash -c 'ulimit -v 100000; timeout 10 tslice x.npy -1 -o o.npy'
	same "$(stat -c %s o.npy)" $((128 + 1048576))
	run -0 bash -c 'ulimit -v 100000
		timeout 10 tslice x.npy :4096:1024,::-1 -o o.npy'
	same "$(stat -c %s o.npy)" $((128 + 4 * 1048576))
	run -0 bash -c 'ulimit -v 100000; timeout 10 tgather x.npy i.npy -o o.npy'
	same "$(stat -c %s o.npy)" $((128 + 2 * 1048576))
}

@test "a result that no disk could hold is refused without an attempt" {
	requires release
	npy x.npy '|u1' '(4611686018427387904,)' </dev/null
	truncate -s 4611686018427388032 x.npy 2>/dev/null ||
		skip 'the file system cannot hold it'
	run -4 --separate-stderr timeout 10 bash -c \
		'ulimit -v 100000; exec tslice x.npy ::-1 -o o.npy'
	one_line "$stderr"
	clean x.npy
}

@test "a field is as much to read as the records around it" {
	requires release
	head -c 8192000 /dev/zero |
		npy r.npy "[('a', 'u1'), ('b', 'V8191')]" '(1000,)'
	run -0 --separate-stderr bash -c 'ulimit -v 180000
		exec tslice r.npy --field a -v -o o.npy'
	has "$stderr" 'the system allows little'
	same "$(tshape o.npy nbytes)" 1000
}

@test "little memory for tgather and tsetdiag: they work or say so" {
	requires release
	local kib command
	head -c 4194304 /dev/zero | npy m.npy '<i4' '(1024, 1024)'
	head -c 4096 /dev/zero | npy d.npy '<i4' '(1024,)'
	head -c 4096 /dev/zero | npy i.npy '<i4' '(1024, 1)'
	for command in 'tgather m.npy i.npy' 'tsetdiag m.npy d.npy'; do
		for kib in 8000 12000 16000 24000 60000; do
			status=0
			bash -c 'ulimit -v "$1"; exec $2 -o o.npy' - $kib \
				"$command" 2>err || status=$?
			case $status in
			0) same "$(stat -c %s o.npy)" 4194432 ;;
			127) ;;	# the loader itself had too little
			*) same "$status" 4; [ ! -e o.npy ] ;;
			esac
			rm -f o.npy err
			clean m.npy d.npy i.npy
		done
		same "$status" 0
	done
}

@test "tens of thousands of fields, of dimensions, of braces: quickly refused" {
	local what
	for what in fields names dims nested; do
		"${PYTHON:-python3}" - $what >x.npy <<-'END'
		import sys
		def frame(text):
		    text = text.encode()
		    text += b" " * (63 - (12 + len(text)) % 64) + b"\n"
		    sys.stdout.buffer.write(b"\x93NUMPY\2\0"
		                            + len(text).to_bytes(4, "little") + text)
		f = {"fields": "[" + "('a','<i4')," * 80000 + "]",
		     "names": "['" + "n" * 900000 + "']",
		     "dims": "'<i4'", "nested": "[('a'," * 20000}[sys.argv[1]]
		shape = "1," * 400000 if sys.argv[1] == "dims" else "2,"
		frame("{'descr': %s, 'fortran_order': False, 'shape': (%s), }"
		      % (f, shape))
		END
		run -3 --separate-stderr timeout 5 tslice --json x.npy 0 -o o.npy
		same "$(wc -c <<<"$stderr" | sed 's/^[1-9]..\?$/short/')" short
	done
	clean x.npy
}

@test "a header of more than a mebibyte is refused, one of less is read" {
	"${PYTHON:-python3}" - "$A" <<-'END'
	import sys
	data = open(sys.argv[1], "rb").read()
	text, items = data[10:128], data[128:]
	for name, n in (("big", 1 << 21), ("good", 900000)):
	    t = text.rstrip() + b" " * (n - len(text.rstrip()) - 1) + b"\n"
	    open(name + ".npy", "wb").write(
	        b"\x93NUMPY\2\0" + len(t).to_bytes(4, "little") + t + items)
	END
	refuses 3 bad_header big.npy 0
	tslice good.npy 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
	cat good.npy | tslice - 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
}

# ---- short counts ------------------------------------------------------------

# short N COMMAND...
short() {
	local n=$1
	shift
	LD_PRELOAD=$SHIM SHORT=$n "$@"
}

@test "calls that move a few bytes are made until all is done: files" {
	requires_shim
	local n
	tslice "$A" ::-1 -o want.npy
	for n in 1 3 7 64 1000; do
		short $n tslice -j 1 "$A" ::-1 -o o.npy
		cmp want.npy o.npy
		short $n tslice "$A" ... -o o.npy
		cmp "$A" o.npy
	done
}

@test "calls that move a few bytes are made until all is done: copies" {
	requires_shim
	local n
	seq 100000 | head -c 200000 | npy in.npy '|u1' '(200000,)'
	for n in 1000 4096 65521; do
		short $n tslice in.npy ... -o o.npy
		cmp in.npy o.npy
		short $n tcat in.npy in.npy -o o.npy
		tcat in.npy in.npy | cmp - o.npy
	done
}

@test "calls that move a few bytes are made until all is done: streams" {
	requires_shim
	local n
	tslice "$A" ::-1 -o want.npy
	for n in 1 3 7 64 1000; do
		cat "$A" | short $n tslice - ::-1 | cmp - want.npy
		cat "$A" | short $n tslice - ... | cmp - "$A"
	done
	cat "$B" | short 65521 tslice - ::-1 | cmp - <(tslice "$B" ::-1)
}

@test "calls that move a few bytes are made until all is done: all commands" {
	requires_shim
	ints m.npy '(3, 3)' 1 2 3 4 5 6 7 8 9
	ints i.npy '(2, 1)' 2 0
	ints d.npy '(3,)' 10 20 30
	short 5 tgather m.npy i.npy | cmp - <(tgather m.npy i.npy)
	short 5 tsetdiag m.npy d.npy | cmp - <(tsetdiag m.npy d.npy)
	same "$(short 5 tshape m.npy)" '(3, 3)'
	tslice --explain --json 1: >e.json
	short 5 tslice m.npy --encoding e.json | cmp - <(tslice m.npy 1:)
	same "$(short 5 tslice --print m.npy ...)" "$(tslice --print m.npy ...)"
}
