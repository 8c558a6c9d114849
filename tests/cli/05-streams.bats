#!/usr/bin/env bats
# Standard input and pipes: one array, all of it, and nothing beyond.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # bash -c expands what stands in single quotes
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers

@test "two commands take one array each from a pipe" {
	cat "$A" "$B" | (tslice - 0 -o a0.npy; tslice - 0 -o b0.npy)
	tslice "$A" 0 | cmp - a0.npy
	tslice "$B" 0 | cmp - b0.npy
}

@test "two commands take one array each from a file" {
	cat "$A" "$B" >ab.npy
	(tslice - 0 -o a0.npy; tslice - -1 -o b0.npy) <ab.npy
	tslice "$A" 0 | cmp - a0.npy
	tslice "$B" -1 | cmp - b0.npy
}

@test "a file of several arrays gives its first" {
	cat "$A" "$B" >ab.npy
	tslice ab.npy 1 -o o.npy
	tslice "$A" 1 | cmp - o.npy
}

@test "a file on standard input is left right behind the array" {
	{ cat "$B" "$A"; echo the rest; } >in
	exec 5<in
	tslice - 1:3 -o o.npy <&5
	tail -c +177 <&5 | cmp - <(echo the rest)
	exec 5<&-
}

@test "a pipe is left right behind the array" {
	{ cat "$B"; echo the rest; } | (tslice - 1:3 -o o.npy; cat >rest)
	cmp rest <(echo the rest)
}

@test "the whole array is taken, however little is needed" {
	(cat "$B"; echo "$?" >rc) | env --default-signal=PIPE tslice - 0 -o o.npy
	same "$(cat rc)" 0
	{ cat "$B"; echo the rest; } | (tslice - :0 -o o.npy; cat >rest)
	cmp rest <(echo the rest)
}

@test "nothing is waited for beyond the last byte" {
	mkfifo p
	timeout 10 tslice - 1 <p >o.npy 3>&- &
	exec 7<>p
	timeout 10 cat "$A" >&7
	wait $!
	exec 7>&-
	same "$(items o.npy)" '4 5 6 7'
}

@test "an array without elements is over with its header" {
	mkfifo p
	npy e.npy '<f8' '(0, 5)' </dev/null
	timeout 10 tslice - ... <p >o.npy 3>&- &
	exec 7<>p
	timeout 10 cat e.npy >&7
	wait $!
	exec 7>&-
	cmp e.npy o.npy
}

@test "an endless producer does not matter" {
	(cat "$A"; cat /dev/zero) 2>/dev/null | timeout 10 tslice - 2 -o o.npy
	same "$(items o.npy)" '8 9 10 11'
}

@test "standard input is read from where it stands" {
	{ head -c 100 "$B"; cat "$A"; } >in
	(head -c 100 >/dev/null; "${PYTHON:-python3}" -c \
		'import os; os.lseek(0, 100, 0)'; tslice - 1 -o o.npy) <in
	same "$(items o.npy)" '4 5 6 7'
}

@test "short reads are no end" {
	(head -c 3 "$A"; sleep 0.05; head -c 60 "$A" | tail -c +4; sleep 0.05
	tail -c +61 "$A" | head -c 70; sleep 0.05; tail -c +131 "$A") |
		tslice - ::-1 -o o.npy
	tslice "$A" ::-1 | cmp - o.npy
}

@test "slices of a pipe: forwards, backwards, picked, reordered" {
	local spec
	for spec in ... ::-1 1::7 -1 100:5:-3 '::1000,None' :0; do
		tslice - "$spec" <"$B" >want.npy
		[ -s want.npy ]
		cat "$B" | tslice - "$spec" >got.npy
		cmp want.npy got.npy
	done
	for order in C F; do
		tslice --order $order "$A" '::-1,1:' >want.npy
		cat "$A" | tslice --order $order - '::-1,1:' >got.npy
		cmp want.npy got.npy
	done
}

@test "long rows of a pipe: their order turned round within larger ones" {
	local spec
	seq 2000000 | head -c 360000 | npy r.npy '<f4' '(3, 6, 5000)'
	for spec in ':,::-1' ':,4::-2' '::2,::-1' '1:,3:0:-1,9:'; do
		tslice r.npy "$spec" -o want.npy
		cat r.npy | tslice - "$spec" | cmp - want.npy
	done
}

@test "long elements of a pipe, in the other order" {
	local m
	head -c 400000 "$B" | npy f.npy '|V20000' '(2, 10)' F
	tslice --order C f.npy ... -o want.npy
	for m in 1M 2M 56M; do
		cat f.npy | tslice --max-memory $m --order C - ... |
			cmp - want.npy
	done
}

@test "what a pipe has to be kept for leaves no litter" {
	mkdir tmp
	tslice "$B" ::-1 -o want.npy
	cat "$B" | TMPDIR=$PWD/tmp tslice - ::-1 -o o.npy
	cmp want.npy o.npy
	cat "$B" | TMPDIR=$PWD/tmp tslice --order F - ::-1 | cmp - want.npy
	same "$(ls -A tmp)" ''
	clean o.npy tmp want.npy
}

@test "a pipeline of slices" {
	cat "$A" | tslice - ::-1 | tslice - :,1: | tslice - 0 | cat >o.npy
	same "$(items o.npy)" '9 10 11'
}

@test "several arrays pass through a loop" {
	cat "$A" "$A" "$A" | for i in 0 1 2; do tslice - "$i" -o "$i.npy"; done
	same "$(items 0.npy)" '0 1 2 3'
	same "$(items 1.npy)" '4 5 6 7'
	same "$(items 2.npy)" '8 9 10 11'
}

@test "an input that ends before what is needed is refused" {
	run -3 --separate-stderr bash -c 'head -c 170 "$1" | tslice - -1 -o o' - "$A"
	one_line "$stderr"
	clean
	run -3 bash -c 'head -c 50 "$1" | tslice - 0 -o o.npy' - "$A"
	run -3 bash -c 'tslice - 0 -o o.npy </dev/null'
	clean
}

@test "an empty pipe is called empty" {
	run -3 --separate-stderr bash -c ': | tslice --json - 0'
	same "$(jq -r .error.kind <<<"$stderr")" empty_file
}

@test "a bad slice does not touch standard input" {
	cat "$A" | (tslice - 1,,2 -o o.npy 2>/dev/null || tslice - 1 -o p.npy)
	same "$(items p.npy)" '4 5 6 7'
}

@test "what follows in a file must be an array" {
	{ cat "$A"; printf x; } >in.npy
	refuses 3 trailing_data in.npy 0
	{ cat "$A"; head -c 40 "$A"; } >in.npy
	run -3 --separate-stderr tslice in.npy 0
	{ cat "$A"; head -c 170 "$A"; } >in.npy
	run -3 --separate-stderr tslice in.npy 0
	{ cat "$A"; head -c 4096 /dev/zero; } >in.npy
	refuses 3 trailing_data in.npy 0
}

@test "only the next array is looked at" {
	{ cat "$A" "$A"; echo garbage; } >in.npy
	tslice in.npy 0 -o o.npy
	same "$(items o.npy)" '0 1 2 3'
}

@test "constant memory from pipe to pipe" {
	requires release
	cat "$B" | (ulimit -v 60000; tslice - ...) | cmp - "$B"
}

@test "a descriptor that does not block is waited for" {
	mkfifo p
	(sleep 0.2; cat "$A") >p 3>&- &
	"${PYTHON:-python3}" - <<-'END'
	import os, subprocess
	fd = os.open("p", os.O_RDONLY | os.O_NONBLOCK)
	# Wait for the writer, else the FIFO looks ended.
	import time
	time.sleep(0.1)
	subprocess.run(["tslice", "-", "1", "-o", "o.npy"], stdin=fd, check=True,
	               timeout=10)
	END
	same "$(items o.npy)" '4 5 6 7'
}

@test "an array that is refused is taken from the stream all the same" {
	tslice "$A" 0 -o row.npy
	cat "$A" row.npy >both
	run -3 bash -c '(tslice - 99 2>/dev/null; tslice - 0 --print;
		tslice - 9 2>/dev/null) <both'
	same "$output" 0
	run -0 bash -c 'cat both | (tslice - 99 2>/dev/null; tslice - 1 --print)'
	same "$output" 1
}
