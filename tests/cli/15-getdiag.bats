#!/usr/bin/env bats
# tgetdiag: diagonals and bands, -k and --align, padding.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# in.npy is two matrices of 2 x 3, 1 to 12.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints in.npy '(2, 2, 3)' 1 2 3 4 5 6 7 8 9 10 11 12
}

getdiag() {
	tgetdiag --print "$@"
}

@test "the main diagonal, one above and one below" {
	shows '[[ 1  5]
 [ 7 11]]' getdiag in.npy
	shows '[[ 2  6]
 [ 8 12]]' getdiag in.npy -k 1
	shows '[[ 4]
 [10]]' getdiag in.npy -k -1
}

band='[[[ 0  3]
  [ 2  6]
  [ 1  5]
  [ 4  0]]

 [[ 0  9]
  [ 8 12]
  [ 7 11]
  [10  0]]]'

@test "a band, superdiagonals to the right and subdiagonals to the left" {
	shows "$band" getdiag in.npy -k -1:2
	shows "$band" getdiag in.npy -k -1,2 --align RIGHT_LEFT
}

@test "the other alignments" {
	tgetdiag in.npy -k -1:2 --align LEFT_RIGHT -o o.npy
	same "$(items o.npy)" '3 0 2 6 1 5 0 4 9 0 8 12 7 11 0 10'
	tgetdiag in.npy -k -1:2 --align LEFT_LEFT -o o.npy
	same "$(items o.npy)" '3 0 2 6 1 5 4 0 9 0 8 12 7 11 10 0'
	tgetdiag in.npy -k -1:2 --align RIGHT_RIGHT -o o.npy
	same "$(items o.npy)" '0 3 2 6 1 5 0 4 0 9 8 12 7 11 0 10'
}

@test "padding is zero, or what it is said to be" {
	shows "${band// 0/-1}" getdiag in.npy -k -1:2 --padding -1
	shows "$band" getdiag in.npy -k -1:2 --padding 0
	tgetdiag in.npy -k 0:1 -o want.npy
	tgetdiag in.npy -k 0:1 --padding 7 | cmp - want.npy
}

@test "the band and the rank come before the padding" {
	ints one.npy '(3,)' 1 2 3
	fails 3 bad_rank tgetdiag one.npy --padding x
	fails 3 k_out_of_range tgetdiag in.npy -k 9 --padding x
	fails 2 k_order tgetdiag in.npy -k 1:0 --padding x
	fails 3 bad_value tgetdiag in.npy -k 0 --padding x
}

@test "padding that is no element, also where there is none to do" {
	fails 3 bad_value tgetdiag in.npy -k -1:2 --padding 1.5 -o o.npy
	has "$stderr" 'tgetdiag: in.npy: '
	fails 3 bad_value tgetdiag in.npy --padding x
	head -c 12 /dev/zero | npy v.npy '|V3' '(2, 2)'
	fails 3 bad_value tgetdiag v.npy --padding 0
	tgetdiag v.npy -k -1:1 -o o.npy
	clean in.npy v.npy o.npy
}

@test "it is the inverse of tsetdiag" {
	npy z.npy '<i4' '(2, 2, 3)' < <(head -c 48 /dev/zero)
	local align
	for align in RIGHT_LEFT LEFT_RIGHT LEFT_LEFT RIGHT_RIGHT; do
		tgetdiag in.npy -k -1:2 --align $align -o b.npy
		tsetdiag z.npy b.npy -k -1:2 --align $align | cmp - in.npy
	done
}

@test "what is wrong with -k and --align, before any file is opened" {
	local bad
	for bad in x '' 1: ,1 1:2:3 0x1 2147483648; do
		fails 2 bad_k tgetdiag missing.npy -k "$bad" -o o.npy
	done
	fails 2 k_order tgetdiag missing.npy -k 1:0
	fails 2 bad_align tgetdiag missing.npy --align LEFT
	fails 2 bad_align tgetdiag missing.npy --align LEFT -k x
	clean in.npy
}

@test "diagonals beyond the matrix, and too few dimensions" {
	local k
	for k in 3 -2 -3:0 0:3; do
		fails 3 k_out_of_range tgetdiag in.npy -k "$k" -o o.npy
		has "$stderr" 'tgetdiag: in.npy: '
	done
	ints v.npy '(3,)' 1 2 3
	fails 3 bad_rank tgetdiag v.npy
	has "$stderr" 'tgetdiag: v.npy: '
	clean in.npy v.npy
}

@test "C order unless told otherwise" {
	tslice in.npy --order F -o f.npy
	tgetdiag in.npy -k 0:1 -o want.npy
	is_order want.npy False
	tgetdiag f.npy -k 0:1 | cmp - want.npy
	tgetdiag in.npy -k 0:1 --order F -o o.npy
	is_order o.npy True
	tslice want.npy --order F | cmp - o.npy
	tgetdiag f.npy -k 0:1 --order F | cmp - o.npy
}

@test "from a file, a pipe, and a pipe in Fortran order" {
	tgetdiag in.npy -k -1:2 -o want.npy
	tgetdiag - -k -1:2 <in.npy | cmp - want.npy
	{ cat in.npy; echo the rest; } |
		(tgetdiag - -k -1:2 -o o.npy; cat >rest)
	cmp want.npy o.npy
	cmp rest <(echo the rest)
	tslice in.npy --order F | tgetdiag - -k -1:2 | cmp - want.npy
}

@test "sizes of zero" {
	npy e.npy '<i4' '(2, 0, 4)' </dev/null
	tgetdiag e.npy -o o.npy
	same "$(tshape o.npy)" '(2, 0)'
	fails 3 k_out_of_range tgetdiag e.npy -k -1
}

@test "the result may replace the input" {
	tgetdiag in.npy -o want.npy
	tgetdiag in.npy -o in.npy
	cmp want.npy in.npy
}

@test "no operand, one too many, options of other commands" {
	run -2 --separate-stderr tgetdiag
	same "$output" ''
	matches "$stderr" 'tgetdiag: usage: tgetdiag .*'
	fails 2 usage tgetdiag in.npy in.npy
	fails 2 usage tgetdiag in.npy --in-place
	fails 2 usage tgetdiag in.npy --value 1
	fails 2 usage tgetdiag in.npy --padding
	fails 2 usage tsetdiag in.npy in.npy --padding 1
	fails 4 io tgetdiag missing.npy
	has "$stderr" missing.npy
}
