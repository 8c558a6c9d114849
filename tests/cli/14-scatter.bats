#!/usr/bin/env bats
# tscatter: tuples and updates, bad indices, duplicates, --shape.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops

# in.npy is a matrix of 3 x 4, 0 to 11; rows.npy names two rows of it, new.npy
# has both; at.npy names three elements, vals.npy has these.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints in.npy '(3, 4)' 0 1 2 3 4 5 6 7 8 9 10 11
	ints rows.npy '(2, 1)' 2 0
	ints new.npy '(2, 4)' 20 21 22 23 24 25 26 27
	ints at.npy '(3, 2)' 0 0 1 2 2 3
	ints vals.npy '(3,)' -1 -2 -3
}

only_inputs() {
	clean in.npy rows.npy new.npy at.npy vals.npy "$@"
}

scatter() {
	tscatter --print "$@"
}

@test "rows, elements, the whole" {
	shows '[[24 25 26 27]
 [ 4  5  6  7]
 [20 21 22 23]]' scatter in.npy rows.npy new.npy
	shows '[[-1  1  2  3]
 [ 4  5 -2  7]
 [ 8  9 10 -3]]' scatter in.npy at.npy vals.npy
	npy none.npy '<i4' '(0,)' </dev/null
	tscatter in.npy none.npy in.npy -o o.npy
	cmp in.npy o.npy
}

@test "one tuple may stand alone" {
	ints i.npy '(2,)' 1 1
	ints v.npy '()' 99
	shows '[[ 0  1  2  3]
 [ 4 99  6  7]
 [ 8  9 10 11]]' scatter in.npy i.npy v.npy
}

@test "to a pipe and to a file the same, in either order" {
	tscatter in.npy rows.npy new.npy -o want.npy
	is_order want.npy False
	tscatter in.npy rows.npy new.npy | cmp - want.npy
	tslice in.npy --order F -o f.npy
	tscatter f.npy rows.npy new.npy -o o.npy
	is_order o.npy True
	tscatter in.npy rows.npy new.npy --order F | cmp - o.npy
	tscatter f.npy rows.npy new.npy --order C | cmp - want.npy
}

@test "the last of several for one place stays" {
	ints same.npy '(3, 1)' 1 1 1
	ints three.npy '(3, 4)' 1 1 1 1 2 2 2 2 3 3 3 3
	tscatter in.npy same.npy three.npy -o o.npy
	same "$(items o.npy)" '0 1 2 3 3 3 3 3 8 9 10 11'
	tscatter in.npy same.npy three.npy --duplicates last | cmp - o.npy
}

@test "duplicates are refused where that is asked for, both named" {
	ints same.npy '(3, 1)' 2 1 2
	ints three.npy '(3, 4)' 1 1 1 1 2 2 2 2 3 3 3 3
	fails 3 duplicate_index tscatter in.npy same.npy three.npy \
		--duplicates error -o o.npy
	has "$stderr" 'tscatter: same.npy: '
	tscatter in.npy rows.npy new.npy --duplicates error -o o.npy
	only_inputs same.npy three.npy o.npy
}

@test "an index out of range is an error, or left out" {
	local bad
	for bad in 3 -1; do
		ints bad.npy '(2, 1)' 1 "$bad"
		fails 3 index_out_of_range tscatter in.npy bad.npy new.npy \
			-o o.npy
		has "$stderr" 'tscatter: bad.npy: '
		fails 3 index_out_of_range tscatter in.npy bad.npy new.npy \
			--bad-indices error -o o.npy
		tscatter in.npy bad.npy new.npy --bad-indices skip -o o.npy
		same "$(items o.npy)" '0 1 2 3 20 21 22 23 8 9 10 11'
		rm o.npy
		fails 3 index_out_of_range tscatter --shape 3,4 bad.npy new.npy
		has "$stderr" 'tscatter: bad.npy: '
	done
	only_inputs bad.npy
}

@test "indices are looked at though elements have no bytes" {
	npy none.npy '|S0' '(3, 4)' </dev/null
	npy new.npy '|S0' '(2,)' </dev/null
	head -c 24 </dev/zero | npy record.npy \
		"[('n', '|V0'), ('i', '<i2')]" '(3, 4)'
	npy nothing.npy '|V0' '(2,)' </dev/null
	ints good.npy '(2, 2)' 0 1 2 3
	ints far.npy '(2, 2)' 0 1 2 4
	ints twice.npy '(2, 2)' 2 3 2 3
	local to operands
	for to in '-o o.npy' --in-place '-o o.npy --part 1/1'; do
		for operands in "none.npy %s new.npy" \
			"record.npy %s nothing.npy --field n"; do
			without_bytes "$to" "$operands"
		done
	done
}

# without_bytes OUTPUT OPERANDS: of which %s stands for the indices
without_bytes() {
	local good far twice
	read -ra good <<<"${2/\%s/good.npy} $1"
	read -ra far <<<"${2/\%s/far.npy} $1"
	read -ra twice <<<"${2/\%s/twice.npy} $1"
	fails 3 index_out_of_range tscatter "${far[@]}"
	has "$stderr" 'tscatter: far.npy: indices[1] = [2, 4] does not index'
	rm -rf o.npy.parts
	answers 0 '' tscatter "${far[@]}" --bad-indices skip
	answers 0 '' tscatter "${twice[@]}"
	fails 3 duplicate_index tscatter "${twice[@]}" --duplicates error
	has "$stderr" 'tscatter: twice.npy: '
	rm -rf o.npy.parts
	answers 0 '' tscatter "${good[@]}" --duplicates error
}

@test "tuples that are left out are nobody's duplicates" {
	ints bad.npy '(2, 1)' 9 9
	tscatter in.npy bad.npy new.npy --bad-indices skip \
		--duplicates error -o o.npy
	cmp in.npy o.npy
}

@test "an option that has no such choice" {
	fails 2 usage tscatter missing.npy i u --bad-indices zero
	fails 2 usage tscatter missing.npy i u --duplicates first
	fails 2 usage tscatter missing.npy i u --order X
}

@test "into zeros of a shape" {
	shows '[[24 25 26 27]
 [ 0  0  0  0]
 [20 21 22 23]]' scatter --shape '(3, 4)' rows.npy new.npy
	local shape
	for shape in '[3,4]' 3,4 '( 3,4 )'; do
		tscatter --shape "$shape" rows.npy new.npy -o o.npy
		is_order o.npy False
		same "$(items o.npy)" '24 25 26 27 0 0 0 0 20 21 22 23'
		tscatter --shape "$shape" rows.npy new.npy | cmp - o.npy
	done
	tscatter --shape 3,4 rows.npy new.npy --order F -o o.npy
	is_order o.npy True
	same "$(items o.npy)" '24 0 20 25 0 21 26 0 22 27 0 23'
}

@test "a shape that is none or not known, before any file is opened" {
	local bad
	for bad in x '' '(3' '3,?' '(?, 4)' '3,-1' unknown 1.5; do
		fails 2 syntax tscatter missing.npy new.npy --shape "$bad"
	done
	fails 2 overflow tscatter missing.npy new.npy \
		--shape 9223372036854775808
	only_inputs
}

@test "a shape that is too large" {
	fails 3 too_large tscatter rows.npy new.npy -o o.npy \
		--shape 9223372036854775807,4
	only_inputs
}

@test "with a shape there is no input, without one there is" {
	fails 2 usage tscatter --shape 3,4 in.npy rows.npy new.npy
	has "$stderr" "'in.npy' is one too many"
	for operands in '' in.npy 'in.npy rows.npy' '--shape 3,4 rows.npy'; do
		# shellcheck disable=SC2086 # none or some
		run -2 --separate-stderr tscatter $operands
		same "$output" ''
		matches "$stderr" 'tscatter: usage: tscatter .*'
	done
	fails 2 usage tscatter in.npy rows.npy new.npy new.npy
}

@test "shapes that do not go together name what is wrong" {
	fails 3 shape_mismatch tscatter in.npy rows.npy vals.npy -o o.npy
	has "$stderr" 'tscatter: vals.npy: '
	has "$stderr" '(2, 4)'
	fails 3 shape_mismatch tscatter --shape 3,5 rows.npy new.npy
	has "$stderr" 'tscatter: new.npy: '
	only_inputs
}

@test "index_depth, bad_rank, bad_index_dtype, dtype_mismatch" {
	fails 3 index_depth tscatter vals.npy at.npy vals.npy
	ints scalar.npy '()' 0
	fails 3 bad_rank tscatter scalar.npy rows.npy new.npy
	has "$stderr" 'tscatter: scalar.npy: '
	fails 3 bad_rank tscatter in.npy scalar.npy new.npy
	has "$stderr" 'tscatter: scalar.npy: '
	head -c 8 /dev/zero | npy fi.npy '<f4' '(2, 1)'
	fails 3 bad_index_dtype tscatter in.npy fi.npy new.npy
	has "$stderr" 'tscatter: fi.npy: '
	fails 3 bad_index_dtype tscatter --shape 3,4 fi.npy new.npy
	has "$stderr" 'tscatter: fi.npy: '
	head -c 32 /dev/zero | npy f.npy '<f4' '(2, 4)'
	fails 3 dtype_mismatch tscatter in.npy rows.npy f.npy
}

@test "the first of several mistakes is the one that is told" {
	ints bad.npy '(2, 1)' 1 9
	head -c 32 /dev/zero | npy f.npy '<f4' '(2, 4)'
	fails 4 io tscatter in.npy missing.npy f.npy
	has "$stderr" missing.npy
	fails 3 dtype_mismatch tscatter in.npy bad.npy f.npy
	fails 3 shape_mismatch tscatter in.npy bad.npy vals.npy
	fails 3 index_out_of_range tscatter in.npy bad.npy new.npy
	# That there is nothing to index comes after what the inputs are.
	ints none.npy '(0, 4)'
	fails 3 dtype_mismatch tscatter none.npy bad.npy f.npy
	fails 3 shape_mismatch tscatter none.npy bad.npy vals.npy
	fails 3 empty_params tscatter none.npy bad.npy new.npy
	has "$stderr" 'tscatter: none.npy: '
	fails 3 empty_params tscatter --shape 0,4 bad.npy new.npy
}

@test "each input may be standard input, and all three" {
	tscatter in.npy rows.npy new.npy -o want.npy
	tscatter - rows.npy new.npy <in.npy | cmp - want.npy
	tscatter in.npy - new.npy <rows.npy | cmp - want.npy
	tscatter in.npy rows.npy - <new.npy | cmp - want.npy
	cat in.npy new.npy | tscatter - rows.npy - | cmp - want.npy
	{ cat in.npy rows.npy new.npy; echo the rest; } |
		(tscatter - - - -o o.npy; cat >rest)
	cmp want.npy o.npy
	cmp rest <(echo the rest)
	tscatter --shape 3,4 rows.npy new.npy -o want.npy
	cat rows.npy new.npy | tscatter --shape 3,4 - - | cmp - want.npy
}

@test "the result may replace any input" {
	local name
	tscatter in.npy rows.npy new.npy -o want.npy
	for name in in rows new; do
		cp "$name.npy" "saved.npy"
		tscatter in.npy rows.npy new.npy -o "$name.npy"
		cmp want.npy "$name.npy"
		mv saved.npy "$name.npy"
	done
	only_inputs want.npy
}

@test "byte orders may differ, the input's is kept" {
	printf '\0\0\0\1\0\0\0\2\0\0\0\3' | npy big.npy '>i4' '(3,)'
	ints one.npy '(1, 1)' 1
	ints v.npy '(1,)' 258
	tscatter big.npy one.npy v.npy -o o.npy
	printf '\0\0\0\1\0\0\1\2\0\0\0\3' | npy want.npy '>i4' '(3,)'
	cmp want.npy o.npy
}

@test "zeros where nothing is written take no disk" {
	local blocks
	"${PYTHON:-python3}" -c 'import numpy as np
np.save("far.npy", [[3], [30000]]); np.save("ones.npy", np.ones((2, 100)))'
	tscatter --shape 30001,100 far.npy ones.npy -o o.npy
	same "$(stat -c %s o.npy)" 24000928
	blocks=$(du -k o.npy | cut -f 1)
	echo "$blocks KiB"
	[ "$blocks" -lt 2048 ] || ! holes_here
	tscatter --shape 30001,100 far.npy ones.npy | cmp - o.npy
	tscatter --shape 30001,100 far.npy ones.npy --max-memory 1M -o p.npy
	cmp p.npy o.npy
	# A share of it is as it was.
	tscatter --shape 30001,100 far.npy ones.npy -o q.npy --part 1/2
	tscatter --shape 30001,100 far.npy ones.npy -o q.npy --part 2/2
	cmp q.npy o.npy
}

holes_here() {
	truncate -s 64M hole
	[ "$(du -k hole | cut -f 1)" -lt 1024 ]
}
