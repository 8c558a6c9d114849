#!/usr/bin/env bats
# tslice --all: every array of a stream, to a stream.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # bash -c expands what stands in single quotes
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers

# One after the other, by a command for each.
one_by_one() {	# SPEC FILE...
	local spec=$1 file
	shift
	for file; do tslice "$file" "$spec"; done
}

@test "every array of a pipe, and of a file, to a pipe, and to a file" {
	local spec
	for spec in 0 ::-1 1: ... 'None,:2'; do
		one_by_one "$spec" "$A" "$B" "$A" >want
		cat "$A" "$B" "$A" >in
		cat in | tslice --all - "$spec" | cmp - want
		cat in | tslice --all - "$spec" -o o.npy
		cmp o.npy want
		tslice --all in "$spec" | cmp - want
		tslice --all in "$spec" -o o.npy
		cmp o.npy want
		tslice --all - "$spec" <in | cmp - want
	done
}

@test "arrays of other shapes, dtypes and orders" {
	seq 100 | head -c 48 | npy f.npy '<f4' '(4, 3)' F
	seq 100 | head -c 30 | npy v.npy '|V5' '(3, 2)'
	npy e.npy '<f8' '(2, 0, 3)' </dev/null
	one_by_one ::-1 "$A" f.npy v.npy e.npy "$A" >want
	cat "$A" f.npy v.npy e.npy "$A" | tslice --all - ::-1 | cmp - want
	cat "$A" f.npy v.npy e.npy "$A" | tslice --all --max-memory 1M - ::-1 |
		cmp - want
}

@test "a single array is a stream of one" {
	tslice "$A" 1 | cmp - <(tslice --all "$A" 1)
}

@test "a thousand arrays" {
	local i
	for i in $(seq 1000); do cat "$A"; done >in
	tslice --all in 2 >o.npy
	same "$(stat -c %s o.npy)" 144000
	cat in | tslice --all - 2 | cmp - o.npy
}

@test "the file may be replaced by its own slices" {
	cat "$A" "$B" >in.npy
	one_by_one 1 "$A" "$B" >want
	tslice --all in.npy 1 -o in.npy
	cmp in.npy want
	clean in.npy want
}

@test "what comes out can be taken in again" {
	cat "$A" "$A" "$A" | tslice --all - ::-1 | tslice --all - 0 |
		(for i in 0 1 2; do tslice - ... -o $i.npy; done)
	for i in 0 1 2; do same "$(items $i.npy)" '8 9 10 11'; done
}

@test "each array comes out before the next has come in" {
	mkfifo p
	timeout 20 tslice --all - 1 <p >o.npy 3>&- 7>&- &
	exec 7>p
	cat "$A" >&7
	wait_for eval '[ "$(stat -c %s o.npy)" = 144 ]'
	cat "$A" >&7
	wait_for eval '[ "$(stat -c %s o.npy)" = 288 ]'
	exec 7>&-
	wait $!
}

@test "no array at all is an error" {
	run -3 --separate-stderr bash -c ': | tslice --all - 0 -o o.npy'
	one_line "$stderr"
	run -3 --separate-stderr tslice --all /dev/null 0 -o o.npy
	one_line "$stderr"
	: >empty
	run -3 --separate-stderr tslice --all empty 0 -o o.npy
	one_line "$stderr"
	clean empty
}

@test "a bad array ends it, and no file appears" {
	local bad
	cp "$OLD" o.npy
	printf 'no array' >bad1
	head -c 100 "$A" >bad2
	head -c 170 "$A" >bad3
	tslice "$A" 0 -o bad4
	for bad in bad1 bad2 bad3; do
		cat "$A" "$bad" >in
		run -3 --separate-stderr tslice --all in 1 -o o.npy
		one_line "$stderr"
		run -3 --separate-stderr bash -c \
			'cat in | tslice --all - 1 -o o.npy'
		one_line "$stderr"
		cmp o.npy "$OLD"
	done
	# One that is too small for the slice.
	cat "$A" bad4 "$A" >in
	run -3 --separate-stderr tslice --all in 1,2 -o o.npy
	same "$(grep -c . <<<"$stderr")" 3
	run -3 bash -c 'cat in | tslice --all --json - 1,2 -o o.npy'
	cmp o.npy "$OLD"
	clean bad1 bad2 bad3 bad4 in o.npy
}

@test "what came before a bad array stays written to a pipe" {
	tslice "$A" 1 >want
	run -3 bash -c '{ cat "$1"; echo bad; } | tslice --all - 1 >o.npy' - "$A"
	cmp o.npy want
}

@test "a slice that does not parse opens nothing" {
	refuses 2 syntax --all missing.npy 1,,2
}

@test "vectors and encodings apply to each" {
	cat "$A" "$A" | tslice --all - --begin 1 --end 0 --shrink-axis-mask 1 \
		>o.npy
	one_by_one 1 "$A" "$A" | cmp - o.npy
	tslice --explain --json 1 >enc
	cat "$A" "$A" | tslice --all - --encoding enc | cmp - o.npy
}

@test "all are printed, one after the other" {
	run -0 bash -c 'cat "$1" "$1" | tslice --all --print - 1' - "$A"
	same "$output" "[4 5 6 7]
[4 5 6 7]"
}

@test "an explanation, or leaving a rest unread, does not go with it" {
	run -2 --separate-stderr tslice --all --explain "$A" 0
	one_line "$stderr"
	run -2 --separate-stderr tslice --all --no-drain "$A" 0
	one_line "$stderr"
}
