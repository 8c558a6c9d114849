#!/usr/bin/env bats
# tgather --axis, and indices that are given as text.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# m.npy holds 0 to 11 as 3 x 4, c.npy 0 to 23 as 2 x 3 x 4; i.npy is 2 0.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	cp "$A" m.npy
	# shellcheck disable=SC2046 # words are wanted
	ints c.npy '(2, 3, 4)' $(seq 0 23)
	ints i.npy '(2,)' 2 0
}

only_inputs() {
	clean m.npy c.npy i.npy "$@"
}

take() {
	tgather --print --axis "$@"
}

@test "along each axis, counted from either end" {
	shows "[[ 8  9 10 11]
 [ 0  1  2  3]]" take 0 m.npy i.npy
	shows "[[ 2  0]
 [ 6  4]
 [10  8]]" take 1 m.npy i.npy
	tgather --axis 1 c.npy i.npy -o o.npy
	same "$(items o.npy)" '8 9 10 11 0 1 2 3 20 21 22 23 12 13 14 15'
	tgather --axis=-2 c.npy i.npy | cmp - o.npy
	tgather --axis -1 m.npy i.npy | cmp - <(tgather m.npy i.npy --axis 1)
}

@test "the shape of the indices stands in the place of the axis" {
	ints s.npy '()' 1
	shows '[1 5 9]' take 1 m.npy s.npy
	ints q.npy '(2, 2)' 0 1 1 0
	tgather --axis 1 c.npy q.npy -o o.npy
	run -0 tshape o.npy
	same "$output" '(2, 2, 2, 4)'
	tgather --axis 1 c.npy q.npy --order F -o o.npy
	is_order o.npy True
	ints e.npy '(0, 5)'
	tgather --axis 1 m.npy e.npy -o o.npy
	run -0 tshape -l o.npy
	same "$output" '(3, 0, 5)  <i4  C  0'
}

@test "an array in Fortran order gives C order, or its own" {
	tslice --order F c.npy -o f.npy
	for order in C F; do
		tgather --axis 1 c.npy i.npy --order $order -o want.npy
		tgather --axis 1 f.npy i.npy --order $order | cmp - want.npy
		cat f.npy | tgather --axis 1 - i.npy --order $order |
			cmp - want.npy
	done
	ints q.npy '(2, 3)' 0 1 1 2 9 8
	fails 3 index_out_of_range tgather --axis 1 f.npy q.npy
	has "$stderr" 'indices[1, '
	shows "$(take 1 c.npy i.npy)" take 1 f.npy i.npy
	for form in full plain csv tsv json; do
		shows "$(tgather --axis 1 c.npy i.npy --print=$form)" \
			tgather --axis 1 f.npy i.npy --print=$form
	done
	tslice --order F m.npy -o f.npy
	shows '[[8,9,10,11],[0,1,2,3]]' tgather --axis 0 f.npy i.npy --print=json
}

@test "an axis that there is not" {
	for axis in 2 -3 100 2147483648 -9223372036854775808; do
		fails 3 bad_axis tgather --axis $axis m.npy i.npy -o o.npy
	done
	ints s.npy '()' 1
	fails 3 bad_axis tgather --axis 0 s.npy i.npy
	has "$stderr" 's.npy: '
	for axis in '' x 1.5 0,1 0x1 +1; do
		fails 2 syntax tgather --axis "$axis" missing.npy i.npy
	done
	fails 2 overflow tgather --axis 9223372036854775808 missing.npy i.npy
	only_inputs s.npy
}

@test "integers come before the axis, and the axis before what it names" {
	head -c 16 /dev/zero | npy f.npy '<f8' '(2,)'
	fails 3 bad_index_dtype tgather --axis 9 m.npy f.npy
	ints bad.npy '(1,)' 9
	fails 3 bad_axis tgather --axis 9 m.npy bad.npy
}

@test "bad indices: the first is named with its place, or zeros" {
	ints bad.npy '(2, 2)' 0 2 -1 4
	fails 3 index_out_of_range tgather --axis 0 m.npy bad.npy -o o.npy
	has "$stderr" 'bad.npy: indices[1, 0] = -1 is out of range for axis 0'
	has "$stderr" 'of size 3'
	only_inputs bad.npy
	tgather --axis 1 m.npy bad.npy --bad-indices zero -o o.npy
	same "$(items o.npy)" '0 2 0 0 4 6 0 0 8 10 0 0'
	ints s.npy '()' 3
	fails 3 index_out_of_range tgather --axis 0 m.npy s.npy
	has "$stderr" 's.npy: index 3 is out of range for axis 0 of size 3'
	printf '\377\377\377\377\377\377\377\377' | npy u.npy '<u8' '(1,)'
	fails 3 index_out_of_range tgather --axis 0 m.npy u.npy
	has "$stderr" 18446744073709551615
}

@test "indices are looked at even where there is nothing to take" {
	npy empty.npy '<f4' '(3, 0)' </dev/null
	tgather --axis 0 empty.npy i.npy -o o.npy
	run -0 tshape o.npy
	same "$output" '(2, 0)'
	ints bad.npy '(2,)' 0 3
	rm o.npy
	fails 3 index_out_of_range tgather --axis 0 empty.npy bad.npy -o o.npy
	fails 3 index_out_of_range tgather --axis 0 empty.npy bad.npy --print
	fails 3 index_out_of_range tgather --axis 1 empty.npy i.npy
	run -3 --separate-stderr tgather --axis 0 empty.npy - < <(cat bad.npy)
	has "$stderr" 'standard input: indices[1] = 3'
	only_inputs empty.npy bad.npy
	tgather --axis 1 empty.npy i.npy --bad-indices zero -o o.npy
	head -c 24 /dev/zero | npy want.npy '<f4' '(3, 2)'
	cmp o.npy want.npy
}

@test "too many dimensions, or bytes" {
	printf x | npy deep.npy '|u1' "($(printf '1,%.0s' {1..64}))"
	ints q.npy '(1, 1)' 0
	fails 3 rank_limit tgather --axis 0 deep.npy q.npy
	tgather --axis 0 deep.npy --indices 0 | cmp - deep.npy
	npy big.npy '|u1' '(2305843009213693952, 2, 0)' </dev/null
	fails 3 too_large tgather --axis 1 big.npy --indices 0,0,0,0,0,0,0
}

@test "options that exclude each other, operands that are too many" {
	fails 2 usage tgather --axis 1 --batch-dims 1 missing.npy i.npy
	fails 2 usage tgather --axis 1 --batch-dims 0 missing.npy i.npy
	fails 2 usage tgather --axis 1 missing.npy i.npy --indices 1
	fails 2 usage tgather missing.npy i.npy --indices 1,2
	run -2 --separate-stderr tgather --axis 1 m.npy
	matches "$stderr" '.*[Uu]sage: *tgather .*'
}

@test "indices on the command line" {
	same "$(take 1 m.npy --indices 3,1,1)" "$(take 1 m.npy --indices \
		' [3 , 1,1] ')"
	shows '[[1 3]]' take 1 --indices=' 1,	3 ' <(tslice m.npy :1)
	shows '6' tgather --print m.npy --indices 1,2
	shows '[0 1 2 3]' tgather --print m.npy --indices 0
	tgather m.npy --indices '' | cmp - m.npy
	tgather m.npy --axis 0 --indices '' -o o.npy
	run -0 tshape o.npy
	same "$output" '(0, 4)'
	tgather m.npy --axis 0 --indices '[]' | cmp - o.npy
	tgather m.npy --axis 0 --indices '[[],[]]' -o o.npy
	run -0 tshape o.npy
	same "$output" '(2, 0, 4)'
}

@test "nested lists are tuples, or any shape with --axis" {
	tgather m.npy --indices '[[2],[0]]' | cmp - <(tgather m.npy --axis 0 i.npy)
	shows '[ 6 11]' tgather --print m.npy --indices '[[1,2],[2,3]]'
	shows "[[[2]
  [0]]]" take 1 --indices '[[2],[0]]' <(tslice m.npy :1)
	shows '[[[[1]]]]' take 0 --indices '[[[[1]]]]' <(tslice m.npy 0)
}

@test "lists that do not parse are refused before anything is opened" {
	local list
	for list in 1,,2 ',' '1,' ',1' a '1 2' 1.0 1e3 0x1 '[1' '1]' '[1]]' '[1],2' \
		'[1,]' '[,1]' '[]x' '[' ']' '[1 2]' '[1][2]' '(1,2]' '01' '+1' \
		'[1,[2]]' '[[1],2]' '[[1],[2,3]]' '[[1],[]]' '[[],[[]]]' \
		'[[1],[[2]]]' '1,[2]'; do
		fails 2 syntax tgather --axis 0 missing.npy --indices "$list"
	done
	fails 2 overflow tgather missing.npy --indices 9223372036854775808
	fails 2 overflow tgather missing.npy --indices '[[-9223372036854775809]]'
	fails 3 rank_limit tgather missing.npy --indices \
		"$(printf '[%.0s' {1..65})1$(printf ']%.0s' {1..65})"
	fails 3 rank_limit tgather missing.npy --indices \
		"$(printf '[%.0s' {1..100000})"
}

@test "a list's bad index is named with the option" {
	fails 3 index_out_of_range tgather m.npy --axis 0 --indices '[[0],[3]]'
	has "$stderr" '--indices: indices[1, 0] = 3'
	fails 3 index_out_of_range tgather m.npy --indices 1,4
	fails 3 index_out_of_range tgather m.npy --indices -1
	fails 3 index_out_of_range tgather m.npy --axis 0 \
		--indices 9223372036854775807
	fails 3 index_depth tgather m.npy --indices 1,2,3
	tgather m.npy --axis 1 --indices 0,-1 --bad-indices zero -o o.npy
	same "$(items o.npy)" '0 0 4 0 8 0'
}

@test "a file of tuples, one a line" {
	printf '1 2\n2,3\n\n \t0 , 0\r\n1\t1' >t
	shows '[ 6 11  0  5]' tgather --print m.npy --indices @t
	shows '[ 6 11  0  5]' tgather --print m.npy --indices @- <t
	cat t | shows '[ 6 11  0  5]' tgather --print m.npy --indices @-
	seq 2 -1 0 >t
	tgather m.npy --indices @t | cmp - <(tslice --order C m.npy ::-1)
}

@test "integers of a file may be filled with zeros, or have a sign" {
	printf '01 +2\n002,0003\n-0 00\n+1 1\n' >t
	shows '[ 6 11  0  5]' tgather --print m.npy --indices @t
	{ printf '+%0200d' 2; printf ',%0200d -%0300d' 1 0; } >t
	tgather m.npy --axis 0 --indices @t |
		cmp - <(tgather m.npy --axis 0 --indices 2,1,0)
	printf -- '-%0100d' 1 >t
	fails 3 index_out_of_range tgather m.npy --axis 0 --indices @t
	local word
	for word in + - +-3 -+3 ++3 0x3 3+ + 00x +x 00-3; do
		echo "$word" >t
		fails 2 syntax tgather m.npy --axis 0 --indices @t
	done
	# Without a file it is a list as any other.
	fails 2 syntax tgather m.npy --axis 0 --indices 01
	fails 2 syntax tgather m.npy --axis 0 --indices +1
}

@test "with --axis the lines of a file mean nothing" {
	printf '0 1,\n\n2,3\n' >t
	tgather m.npy --axis 1 --indices @t | cmp - m.npy
	: >t
	tgather m.npy --axis 1 --indices @t -o o.npy
	run -0 tshape o.npy
	same "$output" '(3, 0)'
	# shellcheck disable=SC2046 # words are wanted
	ints n.npy '(1000,)' $(seq 0 999)
	shuf -i 0-999 >t
	tgather n.npy --axis 0 --indices @- <t -o o.npy
	tgather n.npy --indices @t | cmp - o.npy
}

@test "an array and then text on standard input" {
	{ cat m.npy; echo 2 0; } | tgather - --axis 0 --indices @- |
		cmp - <(tgather m.npy --axis 0 i.npy)
	{ cat m.npy; echo 2 0; } >both
	tgather - --axis 0 --indices @- <both |
		cmp - <(tgather m.npy --axis 0 i.npy)
	# Without text behind it, it is as ever.
	fails 3 trailing_data tgather - --axis 0 --indices 2,0 <both
	fails 3 trailing_data tgather - i.npy --axis 0 <both
	# What is no number there is found as from a pipe.
	{ cat m.npy m.npy; } >both
	run -2 --separate-stderr tgather - --axis 0 --indices @- <both
	has "$stderr" 'standard input: line 1: expected a decimal integer'
}

@test "text that is no tuples is refused, and its line named" {
	bad() { # LINE TEXT OPTION...
		printf '%b' "$2" >t
		fails 2 syntax tgather m.npy --indices @t "${@:3}"
		has "$stderr" "t: line $1: "
	}
	bad 1 '1,,2'
	bad 1 ',1' --axis 0
	bad 1 '1,\n2\n'
	bad 2 '1\n2,' --axis 0
	bad 3 '1 1\n\n1 2 3\n'
	bad 2 '1\n2x\n3'
	bad 1 '[[1]]'
	bad 1 '1.0' --axis 0
	bad 1 '1\0002'
	bad 1 '\0303\0251'
	bad 1 "$(printf '1%.0s' {1..70})x"
	printf '1\n99999999999999999999' >t
	fails 2 overflow tgather m.npy --axis 0 --indices @t
	has "$stderr" 't: line 2: '
	head -c 1000000 /dev/zero | tr '\0' 7 >t
	fails 2 overflow tgather m.npy --axis 0 --indices @t
	printf '\n \n' >t
	fails 3 index_depth tgather m.npy --indices @t
	printf '1 9' >t
	fails 3 index_out_of_range tgather m.npy --indices @t
	has "$stderr" 't: indices[0] = [1, 9]'
	run -3 --separate-stderr tgather m.npy --indices @- <t
	has "$stderr" 'standard input: indices[0] = [1, 9]'
}

@test "a file of indices that cannot be read is named" {
	fails 4 io tgather m.npy --indices @missing -o o.npy
	has "$stderr" 'missing: '
	fails 4 io tgather m.npy --indices @. -o o.npy
	fails 4 io tgather m.npy --indices @ -o o.npy
	fails 4 io tgather missing.npy --indices @t -o o.npy
	has "$stderr" 'missing.npy: '
	run -4 --separate-stderr bash -c 'tgather m.npy --indices @- <&-'
	only_inputs
}

# The numbers go to a file that has no name.
@test "more text than memory would hold" {
	requires numpy
	yes 0 2 1 | head -n 400000 >t
	npy one.npy '|u1' '(3,)' < <(printf abc)
	mkdir tmp
	TMPDIR=$PWD/tmp tgather one.npy --axis 0 --indices @t \
		--max-memory 1M -o o.npy
	same "$(find tmp -type f)" ''
	same "$(tail -c +129 o.npy | md5sum)" \
		"$(yes acb | head -n 400000 | tr -d '\n' | md5sum)"
	TMPDIR=$PWD/missing run -4 --separate-stderr tgather one.npy --axis 0 \
		--indices @t --max-memory 1M -o no.npy
	has "$stderr" "$PWD/missing"
}

# Were it kept, there would have to be a file for it.
@test "a pipe is used as it comes" {
	zeros_then_last wide.npy '(40, 300000)' 300000
	tgather wide.npy --axis 1 --indices 299999,0,299999 -o want.npy
	same "$(items want.npy | tr ' ' '\n' | sort -u | tr '\n' ' ')" '0 7 '
	cat wide.npy | TMPDIR=$PWD/missing tgather - --axis 1 \
		--indices 299999,0,299999 --max-memory 8M | cmp - want.npy
	zeros_then_last tall.npy '(1000000, 12)' 12
	tgather tall.npy --axis 1 --indices 11,3 -o want.npy
	cat tall.npy | TMPDIR=$PWD/missing tgather - --axis 1 --indices 11,3 \
		--max-memory 1M | cmp - want.npy
}

# zeros_then_last NAME SHAPE N: every N-th of 12,000,000 int32 is 7.
zeros_then_last() {
	"${PYTHON:-python3}" -c 'import sys
row = bytes(4 * int(sys.argv[1]) - 4) + b"\x07\0\0\0"
for i in range(12000000 // int(sys.argv[1])):
    sys.stdout.buffer.write(row)' "$3" | npy "$1" '<i4' "$2"
}

@test "with --no-drain nothing is read behind the last place that is named" {
	{ cat c.npy; echo the rest; } |
		(tgather - --axis 1 --indices 1,0 --no-drain -o o.npy; cat >rest)
	tgather c.npy --axis 1 --indices 1,0 | cmp - o.npy
	cmp rest <(tail -c 16 c.npy; echo the rest)
	{ cat c.npy; echo the rest; } | (tgather - --axis 1 --indices 1,0; cat) |
		cmp - <(cat o.npy; echo the rest)
}

@test "a place is taken as often as it is named, more than there is memory for" {
	printf abc | npy p.npy '|S1' '(3,)'
	tslice p.npy 'None, None' | tgather - --axis 1 \
		--indices "$(yes 0 | head -n 20000 | paste -sd,)" |
		tgather - --axis 2 --indices \
			"$(yes 0,1,2 | head -n 1000 | paste -sd,)" -o o.npy
	run -0 tshape o.npy
	same "$output" '(1, 20000, 3000)'
	cmp <(tail -c +129 o.npy) <(yes abc | head -n 20000000 | tr -d '\n')
}

@test "what is done is told by -v" {
	run -0 --separate-stderr tgather -v m.npy --axis 1 --indices 1 -o o.npy
	has "$stderr" 'take: picks, as the input comes'
	has "$stderr" 'writes 12'
}

@test "rows of 16 KiB and more are read to their places, each by itself" {
	requires numpy
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	rng = np.random.default_rng(1)
	x = rng.integers(0, 256, (20, 40, 30000), np.uint8)
	want = x[:, [39, 0, 3, 3, 0]]
	want[:, 1] = want[:, 4] = 0
	np.save("x", x)
	np.save("i", np.array([39, -1, 3, 3, 99]))
	np.save("want", want)
	a, b = x[0], x[1, :, 9999:].copy()
	np.save("a", a)
	np.save("b", b)
	np.save("cat", np.hstack([a, b, a]))
	END
	tgather x.npy i.npy --axis 1 --bad-indices zero | cmp - want.npy
	tgather x.npy i.npy --axis 1 --bad-indices zero -j3 -o o.npy
	cmp o.npy want.npy
	tcat --axis 1 a.npy b.npy a.npy | cmp - cat.npy
	tcat --axis 1 a.npy - a.npy <b.npy | cmp - cat.npy
}
