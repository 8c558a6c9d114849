#!/usr/bin/env bats
# tsetdiag: diagonals and bands, -k and --align, inputs and outputs.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# in.npy is two matrices of 3 x 4 sevens, d.npy a diagonal for each; band.npy
# holds the diagonals 2, 1, 0 and -1 of each, right and left aligned.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints in.npy '(2, 3, 4)' 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
	ints d.npy '(2, 3)' 1 2 3 4 5 6
	ints band.npy '(2, 4, 3)' 0 9 1 6 5 8 1 2 3 4 5 0 \
		0 1 2 5 6 4 6 1 2 3 4 0
}

banded='[[[1 6 9 7]
  [4 2 5 1]
  [7 5 3 8]]

 [[6 5 1 7]
  [3 1 6 2]
  [7 4 2 4]]]'

only_inputs() {
	clean in.npy d.npy band.npy "$@"
}

setdiag() {
	tsetdiag --print "$@"
}

@test "the main diagonal" {
	shows '[[[1 7 7 7]
  [7 2 7 7]
  [7 7 3 7]]

 [[4 7 7 7]
  [7 5 7 7]
  [7 7 6 7]]]' setdiag in.npy d.npy
}

@test "a superdiagonal" {
	shows '[[[7 1 7 7]
  [7 7 2 7]
  [7 7 7 3]]

 [[7 4 7 7]
  [7 7 5 7]
  [7 7 7 6]]]' setdiag in.npy d.npy -k 1
}

@test "a subdiagonal" {
	ints s.npy '(2, 2)' 1 2 3 4
	shows '[[[7 7 7 7]
  [1 7 7 7]
  [7 2 7 7]]

 [[7 7 7 7]
  [3 7 7 7]
  [7 4 7 7]]]' setdiag in.npy s.npy -k -1
}

@test "a band, superdiagonals to the right and subdiagonals to the left" {
	shows "$banded" setdiag in.npy band.npy -k -1:2
	shows "$banded" setdiag in.npy band.npy -k -1:2 --align RIGHT_LEFT
}

@test "a band, superdiagonals to the left and subdiagonals to the right" {
	ints lr.npy '(2, 4, 3)' 9 1 0 6 5 8 1 2 3 0 4 5 \
		1 2 0 5 6 4 6 1 2 0 3 4
	shows "$banded" setdiag in.npy lr.npy -k -1:2 --align LEFT_RIGHT
}

@test "a band all to the left, all to the right" {
	ints ll.npy '(2, 4, 3)' 9 1 0 6 5 8 1 2 3 4 5 0 \
		1 2 0 5 6 4 6 1 2 3 4 0
	shows "$banded" setdiag in.npy ll.npy -k -1:2 --align=LEFT_LEFT
	ints rr.npy '(2, 4, 3)' 0 9 1 6 5 8 1 2 3 0 4 5 \
		0 1 2 5 6 4 6 1 2 0 3 4
	shows "$banded" setdiag in.npy rr.npy -k -1:2 --align RIGHT_RIGHT
}

@test "what fills the gaps of a band is not looked at" {
	ints gaps.npy '(2, 4, 3)' 77 9 1 6 5 8 1 2 3 4 5 -77 \
		99 1 2 5 6 4 6 1 2 3 4 -99
	shows "$banded" setdiag in.npy gaps.npy -k -1:2
}

@test "-k is a number, or two with a colon or a comma" {
	tsetdiag in.npy band.npy -k -1:2 -o want.npy
	for form in '-k -1,2' '-k-1:2' '-k-1,2'; do
		# shellcheck disable=SC2086 # an option and its value
		tsetdiag in.npy band.npy $form -o o.npy
		cmp want.npy o.npy
	done
	tsetdiag -k 1 in.npy d.npy -o want.npy
	for form in -k1 '-k 1:1' '-k 1,1'; do
		# shellcheck disable=SC2086 # an option and its value
		tsetdiag $form in.npy d.npy -o o.npy
		cmp want.npy o.npy
	done
	tsetdiag in.npy d.npy -o want.npy
	tsetdiag in.npy d.npy -k 0 -o o.npy
	cmp want.npy o.npy
}

@test "the last -k and --align count" {
	shows "$banded" setdiag in.npy band.npy -k 0 -k -1:2 \
		--align LEFT_LEFT --align RIGHT_LEFT
}

@test "a -k that does not parse, before any file is opened" {
	local bad
	for bad in x '' 1: :1 : ',' '1,' ,1 1:2:3 -1,0,1 1.5 1e0 0x1 -- - \
		1:x 2147483648 -2147483649 99999999999999999999; do
		fails 2 bad_k tsetdiag missing.npy d.npy -k "$bad" -o o.npy
	done
	only_inputs
}

@test "a band upside down, before any file is opened" {
	fails 2 k_order tsetdiag missing.npy d.npy -k 1:0
	fails 2 k_order tsetdiag missing.npy d.npy -k 0,-1
	fails 2 k_order tsetdiag in.npy band.npy -k 2:-1 -o o.npy
	only_inputs
}

@test "an alignment that is none, before any file is opened" {
	local bad
	for bad in '' LEFT right_left RIGHT-LEFT LEFT_LEFT_ UP_DOWN; do
		fails 2 bad_align tsetdiag missing.npy d.npy --align "$bad"
	done
}

@test "diagonals beyond the matrix" {
	local k
	for k in 4 -3 4:5 -3:0 0:4 2147483647 -2147483648 \
		-2147483648:2147483647; do
		fails 3 k_out_of_range tsetdiag in.npy d.npy -k "$k" -o o.npy
	done
	ints one.npy '(2, 1)' 5 6
	tsetdiag in.npy one.npy -k 3 -o o.npy
	same "$(items o.npy)" \
		'7 7 7 5 7 7 7 7 7 7 7 7 7 7 7 6 7 7 7 7 7 7 7 7'
	tsetdiag in.npy one.npy -k -2 -o o.npy
	same "$(items o.npy)" \
		'7 7 7 7 7 7 7 7 5 7 7 7 7 7 7 7 7 7 7 7 6 7 7 7'
}

@test "shapes that do not go together" {
	fails 3 diag_shape_mismatch tsetdiag in.npy band.npy -o o.npy
	fails 3 diag_shape_mismatch tsetdiag in.npy d.npy -k -1
	fails 3 diag_shape_mismatch tsetdiag in.npy band.npy -k 0:1
	fails 3 diag_shape_mismatch tsetdiag in.npy band.npy -k -2:2
	ints all.npy '(1, 3)' 1 2 3
	fails 3 diag_shape_mismatch tsetdiag in.npy all.npy
	ints vector.npy '(3,)' 1 2 3
	fails 3 bad_rank tsetdiag vector.npy vector.npy
	only_inputs all.npy vector.npy
}

@test "the error names the shape that is wanted" {
	run -3 --separate-stderr tsetdiag in.npy band.npy -k -1:1
	matches "$stderr" '.*2, ?3, ?3.*'
}

@test "dtypes must be equal" {
	head -c 48 /dev/zero | npy f.npy '<f8' '(2, 3)'
	fails 3 dtype_mismatch tsetdiag in.npy f.npy -o o.npy
	head -c 24 /dev/zero | npy u.npy '<u4' '(2, 3)'
	fails 3 dtype_mismatch tsetdiag in.npy u.npy -o o.npy
	only_inputs f.npy u.npy
}

@test "byte orders of fields may differ too, each from its own" {
	local some="[('a', '<i2'), ('b', '>i4', (2,)), ('c', [('d', '<u2'), ('e', '|u1')])]"
	local other="[('a', '>i2'), ('b', '>i4', (2,)), ('c', [('d', '>u2'), ('e', '|u1')])]"
	head -c 52 /dev/zero | npy in.npy "$some" '(2, 2)'
	printf aAbbbbBBBBcCxfFggggGGGGhHy | npy d.npy "$other" '(2,)'
	tsetdiag in.npy d.npy -o o.npy
	{ printf AabbbbBBBBCcx; head -c 26 /dev/zero
	printf FfggggGGGGHhy; } | npy want.npy "$some" '(2, 2)'
	cmp want.npy o.npy
}

@test "what looks like a byte order in a name is part of the name" {
	local one="[(('<i4', '<a'), '<i2'), ('>b', '|V2')]"
	local two="[(('<i4', '>a'), '<i2'), ('>b', '|V2')]"
	head -c 16 /dev/zero | npy in.npy "$one" '(2, 2)'
	head -c 8 /dev/zero | npy d.npy "$two" '(2,)'
	fails 3 dtype_mismatch tsetdiag in.npy d.npy
	head -c 8 /dev/zero | npy d.npy "${one/<i2/>i2}" '(2,)'
	tsetdiag in.npy d.npy -o o.npy
	cmp in.npy o.npy
}

@test "byte orders may differ, the input's is kept" {
	printf '\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6' |
		npy big.npy '>i4' '(2, 3)'
	tsetdiag in.npy big.npy -o o.npy
	tsetdiag in.npy d.npy | cmp - o.npy
	printf '\0\0\0\7\0\0\0\7\0\0\0\7\0\0\0\7' | npy b.npy '>i4' '(2, 2)'
	ints v.npy '(2,)' 1 258
	tsetdiag b.npy v.npy -o o.npy
	printf '\0\0\0\1\0\0\0\7\0\0\0\7\0\0\1\2' | npy want.npy '>i4' '(2, 2)'
	cmp want.npy o.npy
}

@test "sizes of zero" {
	npy e.npy '<i4' '(2, 0, 4)' </dev/null
	npy ed.npy '<i4' '(2, 0)' </dev/null
	tsetdiag e.npy ed.npy -o o.npy
	cmp e.npy o.npy
	tsetdiag e.npy ed.npy -k 3 -o o.npy
	cmp e.npy o.npy
	fails 3 k_out_of_range tsetdiag e.npy ed.npy -k -1
	fails 3 diag_shape_mismatch tsetdiag e.npy d.npy
	npy b.npy '<i4' '(0, 3, 3)' </dev/null
	npy bd.npy '<i4' '(0, 3)' </dev/null
	tsetdiag b.npy bd.npy -o o.npy
	cmp b.npy o.npy
}

@test "either input may be standard input, file or pipe" {
	tsetdiag in.npy d.npy -o want.npy
	tsetdiag - d.npy <in.npy | cmp - want.npy
	tsetdiag in.npy - <d.npy | cmp - want.npy
	cat in.npy | tsetdiag - d.npy | cmp - want.npy
	cat d.npy | tsetdiag in.npy - | cmp - want.npy
	has "$(items want.npy)" '1 7 7 7 7 2'
}

@test "- twice is read twice, in order, and nothing beyond" {
	tsetdiag in.npy band.npy -k -1:2 -o want.npy
	{ cat in.npy band.npy; echo the rest; } |
		(tsetdiag - - -k -1:2 -o o.npy; cat >rest)
	cmp want.npy o.npy
	cmp rest <(echo the rest)
}

@test "C order unless told otherwise" {
	le32 7 7 7 7 8 9 | npy f.npy '<i4' '(2, 3)' F
	ints v.npy '(2,)' 1 2
	tsetdiag f.npy v.npy -o o.npy
	is_order o.npy False
	same "$(items o.npy)" '1 7 8 7 2 9'
	tsetdiag --order F f.npy v.npy -o o.npy
	is_order o.npy True
	same "$(items o.npy)" '1 7 7 2 8 9'
}

@test "the result may replace either input" {
	tsetdiag in.npy d.npy -o want.npy
	cp in.npy x.npy
	tsetdiag x.npy d.npy -o x.npy
	cmp want.npy x.npy
	cp d.npy y.npy
	tsetdiag in.npy y.npy -o y.npy
	cmp want.npy y.npy
	only_inputs want.npy x.npy y.npy
}

@test "a failure leaves the old file" {
	cp "$OLD" o.npy
	fails 3 diag_shape_mismatch tsetdiag in.npy band.npy -o o.npy
	cmp "$OLD" o.npy
	only_inputs o.npy
}

@test "without operands there is one usage line" {
	for operands in '' in.npy; do
		# shellcheck disable=SC2086 # none or one
		run -2 --separate-stderr tsetdiag $operands
		same "$output" ''
		same "$(wc -l <<<"$stderr")" 1
		matches "$stderr" '.*[Uu]sage: *tsetdiag .*'
	done
}

@test "a third operand, an unknown option, an option of another command" {
	fails 2 usage tsetdiag in.npy d.npy d.npy
	fails 2 usage tsetdiag in.npy d.npy --frobnicate
	fails 2 usage tsetdiag in.npy d.npy --bad-indices zero
	fails 2 usage tsetdiag in.npy d.npy -k
	fails 2 usage tslice in.npy 0 --align LEFT_LEFT
}

@test "a missing input is named" {
	fails 4 io tsetdiag missing.npy d.npy -o o.npy
	has "$stderr" missing.npy
	fails 4 io tsetdiag in.npy missing.npy -o o.npy
	has "$stderr" missing.npy
	only_inputs
}

@test "help names its own options" {
	run -0 --separate-stderr tsetdiag --help
	same "$stderr" ''
	has "$output" 'tsetdiag '
	has "$output" --align
	has "$output" -k
}

@test "byte orders of arrays within arrays may differ too" {
	local some="[('a', ('<i2', (2,)), (2,)), ('b', (([('c', '>u2')], (1,)), (1,)), (1,))]"
	local other="[('a', ('>i2', (2,)), (2,)), ('b', (([('c', '>u2')], (1,)), (1,)), (1,))]"
	head -c 40 /dev/zero | npy in.npy "$some" '(2, 2)'
	printf aAbBcCdDeEfFgGhHiIjJ | npy d.npy "$other" '(2,)'
	tsetdiag in.npy d.npy -o o.npy
	{ printf AaBbCcDdeE; head -c 20 /dev/zero
	printf FfGgHhIijJ; } | npy want.npy "$some" '(2, 2)'
	cmp want.npy o.npy
	head -c 20 /dev/zero | npy d.npy "${other/(2,)), (2,)/(4,)), (1,)}" '(2,)'
	fails 3 dtype_mismatch tsetdiag in.npy d.npy
}
