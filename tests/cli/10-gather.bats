#!/usr/bin/env bats
# tgather: index tuples, what is out of range, inputs and outputs.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# p.npy holds the letters a to d, q.npy a0 b0 c0 d0 a1 b1 c1 d1, m.npy 0 to 11
# as 3 x 4; i.npy picks two items of a matrix, rows.npy its rows 1 and 0.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	printf abcd | npy p.npy '|S1' '(2, 2)'
	le32 97 48 98 48 99 48 100 48 97 49 98 49 99 49 100 49 |
		npy q.npy '<U2' '(2, 2, 2)'
	cp "$A" m.npy
	ints i.npy '(2, 2)' 0 0 1 1
	ints rows.npy '(2, 1)' 1 0
}

only_inputs() {
	clean p.npy q.npy m.npy i.npy rows.npy "$@"
}

gather() {
	tgather --print "$@"
}

@test "elements of a matrix" {
	shows "[b'a' b'd']" gather p.npy i.npy
}

@test "rows of a matrix" {
	shows "[[b'c' b'd']
 [b'a' b'b']]" gather p.npy rows.npy
}

@test "a matrix of a rank-3 array" {
	ints one.npy '(1, 1)' 1
	shows "[[['a1' 'b1']
  ['c1' 'd1']]]" gather q.npy one.npy
}

@test "rows of a rank-3 array" {
	ints two.npy '(2, 2)' 0 1 1 0
	shows "[['c0' 'd0']
 ['a1' 'b1']]" gather q.npy two.npy
}

@test "elements of a rank-3 array" {
	ints three.npy '(2, 3)' 0 0 1 1 0 1
	shows "['b0' 'b1']" gather q.npy three.npy
}

@test "batched indices: elements, rows, matrices" {
	ints e.npy '(2, 1, 2)' 0 0 0 1
	shows "[[b'a']
 [b'b']]" gather p.npy e.npy
	ints r.npy '(2, 1, 1)' 1 0
	shows "[[[b'c' b'd']]

 [[b'a' b'b']]]" gather p.npy r.npy
	ints m3.npy '(2, 2, 2)' 0 1 1 0 0 0 1 1
	shows "[[['c0' 'd0']
  ['a1' 'b1']]

 [['a0' 'b0']
  ['c1' 'd1']]]" gather q.npy m3.npy
	ints m4.npy '(2, 2, 3)' 0 0 1 1 0 1 0 1 1 1 1 0
	shows "[['b0' 'b1']
 ['d0' 'c1']]" gather q.npy m4.npy
}

@test "an empty tuple stands for a whole batch" {
	ints p.npy '(2, 3)' 0 1 2 3 4 5
	ints none.npy '(2, 0)'
	tgather --batch-dims 1 p.npy none.npy -o o.npy
	cmp o.npy p.npy
	ints none.npy '(2, 2, 0)'
	tgather --batch-dims 1 p.npy none.npy -o o.npy
	same "$(items o.npy)" '0 1 2 0 1 2 3 4 5 3 4 5'
}

@test "batch dimensions: each matrix has its own indices" {
	ints b.npy '(2, 1)' 1 0
	shows "[['c0' 'd0']
 ['a1' 'b1']]" gather --batch-dims 1 q.npy b.npy
	ints b.npy '(2, 1, 1)' 1 0
	shows "[[['c0' 'd0']]

 [['a1' 'b1']]]" gather --batch-dims=1 q.npy b.npy
	ints b.npy '(2, 1, 2)' 1 0 0 1
	shows "[['c0']
 ['b1']]" gather q.npy b.npy --batch-dims 1
}

@test "an index tuple of no indices is the whole array" {
	npy none.npy '<i4' '(0,)' </dev/null
	tgather m.npy none.npy -o o.npy
	cmp m.npy o.npy
	npy none.npy '<i4' '(2, 0)' </dev/null
	tgather m.npy none.npy -o o.npy
	same "$(items o.npy)" "$(items m.npy) $(items m.npy)"
}

@test "the whole of an array in Fortran order" {
	le32 0 4 8 1 5 9 2 6 10 3 7 11 | npy f.npy '<i4' '(3, 4)' F
	npy none.npy '<i4' '(0,)' </dev/null
	tgather f.npy none.npy -o o.npy
	cmp m.npy o.npy
	le32 0 3 1 4 2 5 | npy f.npy '<i4' '(1, 2, 3)' F
	ints zero.npy '(1,)' 0
	tgather f.npy zero.npy -o o.npy
	same "$(items o.npy)" '0 1 2 3 4 5'
}

@test "a single tuple of all indices is a 0-d array" {
	ints t.npy '(2,)' 2 3
	tgather m.npy t.npy -o o.npy
	le32 11 | npy want.npy '<i4' '()'
	cmp want.npy o.npy
}

@test "the byte order of the first input is kept" {
	printf '\0\0\0\1\0\0\0\2\0\0\0\3' | npy big.npy '>i4' '(3,)'
	printf '\0\2\0\0' | npy at.npy '>i2' '(2, 1)'
	tgather big.npy at.npy -o o.npy
	printf '\0\0\0\3\0\0\0\1' | npy want.npy '>i4' '(2,)'
	cmp want.npy o.npy
}

@test "a negative index is out of range" {
	ints n.npy '(2, 1)' 0 -1
	fails 3 index_out_of_range tgather m.npy n.npy -o o.npy
	only_inputs n.npy
}

@test "the error names the first bad tuple and its place" {
	ints bad.npy '(2, 2, 2)' 0 0 2 3 7 8 55 56
	fails 3 index_out_of_range tgather m.npy bad.npy
	matches "$stderr" '.*1, ?0.*'
	matches "$stderr" '.*7, ?8.*'
	matches "$stderr" '.*3, ?4.*'
	case $stderr in *55*) false ;; esac
}

@test "an index out of range writes nothing, and leaves what was there" {
	ints bad.npy '(2, 1)' 0 3
	run -3 --separate-stderr tgather m.npy bad.npy
	same "$output" ''
	cp "$OLD" o.npy
	fails 3 index_out_of_range tgather m.npy bad.npy -o o.npy
	cmp "$OLD" o.npy
	only_inputs bad.npy o.npy
}

@test "bad indices are an error or zero rows" {
	ints bad.npy '(3, 1)' 2 -1 0
	tgather m.npy bad.npy --bad-indices zero -o o.npy
	same "$(items o.npy)" '8 9 10 11 0 0 0 0 0 1 2 3'
	tgather --bad-indices=zero m.npy rows.npy -o o.npy
	same "$(items o.npy)" '4 5 6 7 0 1 2 3'
	fails 3 index_out_of_range tgather --bad-indices error m.npy bad.npy
	ints bad.npy '(2, 2)' 0 4 1 1
	tgather m.npy bad.npy --bad-indices zero -o o.npy
	same "$(items o.npy)" '0 5'
}

@test "the last --bad-indices counts" {
	ints bad.npy '(2, 1)' 0 9
	fails 3 index_out_of_range tgather --bad-indices zero \
		--bad-indices error m.npy bad.npy
}

@test "auto and cpu have the rule of the CPU" {
	ints bad.npy '(1, 1)' 3
	fails 3 index_out_of_range tgather --device auto m.npy bad.npy
	fails 3 index_out_of_range tgather --device cpu m.npy bad.npy
	TSLICE_DEVICE=auto fails 3 index_out_of_range tgather m.npy bad.npy
}

has_gpu() {
	compgen -G '/dev/nvidia[0-9]*' >/dev/null
}

@test "cuda that is not there is status 5, by option and by environment" {
	if has_gpu; then skip 'this machine may have one'; fi
	fails 5 device tgather --device cuda m.npy rows.npy -o o.npy
	fails 5 device tgather --device cuda --bad-indices zero m.npy rows.npy
	TSLICE_DEVICE=cuda fails 5 device tgather m.npy rows.npy -o o.npy
	TSLICE_DEVICE=cuda tgather --device cpu m.npy rows.npy -o o.npy
	same "$(items o.npy)" '4 5 6 7 0 1 2 3'
}

@test "cuda by option zeroes bad rows, by environment it does not" {
	has_gpu || skip 'no GPU here'
	tslice --device cuda m.npy 0 -o o.npy || skip 'no CUDA here'
	ints bad.npy '(2, 1)' 3 1
	tgather --device cuda m.npy bad.npy -o o.npy
	same "$(items o.npy)" '0 0 0 0 4 5 6 7'
	fails 3 index_out_of_range tgather --device cuda --bad-indices error \
		m.npy bad.npy
	TSLICE_DEVICE=cuda fails 3 index_out_of_range tgather m.npy bad.npy
}

@test "uint64 indices above int64 are out of range" {
	printf '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200' |
		npy u.npy '<u8' '(2, 1)'
	fails 3 index_out_of_range tgather m.npy u.npy
	has "$stderr" 9223372036854775808
	tgather m.npy u.npy --bad-indices zero -o o.npy
	same "$(items o.npy)" '4 5 6 7 0 0 0 0'
	printf '\377\377\377\377\377\377\377\377' | npy u.npy '<u8' '(1, 1)'
	fails 3 index_out_of_range tgather m.npy u.npy
	has "$stderr" 18446744073709551615
}

@test "the lowest and highest int64 are out of range" {
	printf '\0\0\0\0\0\0\0\200\377\377\377\377\377\377\377\177' |
		npy x.npy '<i8' '(2, 1)'
	fails 3 index_out_of_range tgather m.npy x.npy
	has "$stderr" -9223372036854775808
	tgather m.npy x.npy --bad-indices zero -o o.npy
	same "$(items o.npy)" '0 0 0 0 0 0 0 0'
}

@test "2^32 is not index 0" {
	printf '\0\0\0\0\1\0\0\0' | npy x.npy '<i8' '(1, 1)'
	fails 3 index_out_of_range tgather m.npy x.npy
}

@test "indices have an integer dtype" {
	head -c 16 /dev/zero | npy f.npy '<f8' '(2, 1)'
	fails 3 bad_index_dtype tgather m.npy f.npy -o o.npy
	printf '\0\1' | npy b.npy '|b1' '(2, 1)'
	fails 3 bad_index_dtype tgather m.npy b.npy -o o.npy
	printf '01' | npy s.npy '|S1' '(2, 1)'
	fails 3 bad_index_dtype tgather m.npy s.npy -o o.npy
	only_inputs f.npy b.npy s.npy
}

@test "ranks that do not go together" {
	ints s.npy '()' 1
	fails 3 bad_rank tgather m.npy s.npy
	fails 3 bad_rank tgather s.npy rows.npy
	ints deep.npy '(1, 3)' 0 0 0
	fails 3 index_depth tgather m.npy deep.npy
	fails 3 index_depth tgather --batch-dims 1 p.npy i.npy
	ints v.npy '(3, 1)' 0 0 0
	fails 3 batch_mismatch tgather --batch-dims 1 p.npy v.npy
	fails 3 bad_batch_dims tgather --batch-dims 2 p.npy i.npy
}

@test "no index tuples give an empty result" {
	npy none.npy '<i4' '(0, 1)' </dev/null
	tgather m.npy none.npy -o o.npy
	npy want.npy '<i4' '(0, 4)' </dev/null
	cmp want.npy o.npy
	npy empty.npy '|V3' '(0, 5)' </dev/null
	tgather empty.npy none.npy -o o.npy
	npy want.npy '|V3' '(0, 5)' </dev/null
	cmp want.npy o.npy
}

@test "nothing can be taken from an empty array" {
	npy empty.npy '<f4' '(3, 0)' </dev/null
	fails 3 empty_params tgather empty.npy rows.npy -o o.npy
	fails 3 empty_params tgather empty.npy rows.npy --bad-indices zero
	only_inputs empty.npy
}

@test "either input may be standard input, file or pipe" {
	tgather m.npy rows.npy -o want.npy
	tgather - rows.npy <m.npy | cmp - want.npy
	tgather m.npy - <rows.npy | cmp - want.npy
	cat m.npy | tgather - rows.npy | cmp - want.npy
	cat rows.npy | tgather m.npy - | cmp - want.npy
	same "$(items want.npy)" '4 5 6 7 0 1 2 3'
}

@test "- twice is read twice, in order, and nothing beyond" {
	tgather m.npy rows.npy -o want.npy
	{ cat m.npy rows.npy; echo the rest; } |
		(tgather - - -o o.npy; cat >rest)
	cmp want.npy o.npy
	cmp rest <(echo the rest)
	cat m.npy rows.npy p.npy >all
	(tgather - - -o o.npy; cat >rest) <all
	cmp want.npy o.npy
	cmp p.npy rest
}

@test "C order unless told otherwise" {
	le32 0 4 8 1 5 9 2 6 10 3 7 11 | npy f.npy '<i4' '(3, 4)' F
	tgather f.npy rows.npy -o o.npy
	is_order o.npy False
	same "$(items o.npy)" '4 5 6 7 0 1 2 3'
	for from in f.npy m.npy; do
		tgather --order F "$from" rows.npy -o o.npy
		is_order o.npy True
		same "$(items o.npy)" '4 0 5 1 6 2 7 3'
	done
	tgather --order C f.npy rows.npy | items /dev/stdin >got
	same "$(cat got)" '4 5 6 7 0 1 2 3'
}

@test "the result may replace either input" {
	cp m.npy x.npy
	tgather x.npy rows.npy -o x.npy
	same "$(items x.npy)" '4 5 6 7 0 1 2 3'
	cp rows.npy y.npy
	tgather m.npy y.npy -o y.npy
	cmp x.npy y.npy
	tgather rows.npy rows.npy -o z.npy
	same "$(items z.npy)" '0 1'
	only_inputs x.npy y.npy z.npy
}

@test "--no-clobber refuses to replace" {
	cp "$OLD" o.npy
	run --separate-stderr tgather --no-clobber m.npy rows.npy -o o.npy
	same "$status" 4
	cmp "$OLD" o.npy
}

@test "without operands there is one usage line" {
	for operands in '' m.npy; do
		# shellcheck disable=SC2086 # none or one
		run -2 --separate-stderr tgather $operands
		same "$output" ''
		same "$(wc -l <<<"$stderr")" 1
		matches "$stderr" '.*[Uu]sage: *tgather .*'
	done
}

@test "a third operand, an unknown option, an option of another command" {
	fails 2 usage tgather m.npy rows.npy i.npy
	fails 2 usage tgather m.npy rows.npy --frobnicate
	fails 2 usage tgather m.npy rows.npy --align LEFT_LEFT
	fails 2 usage tgather m.npy rows.npy -k 1
	fails 2 usage tslice m.npy 0 --bad-indices zero
}

@test "values that the options do not know" {
	local bad
	for bad in '' maybe Zero zero,error; do
		fails 2 usage tgather missing.npy i.npy --bad-indices "$bad"
	done
	for bad in '' x 1.5 1,2 99999999999999999999; do
		run -2 --separate-stderr tgather missing.npy i.npy \
			--batch-dims="$bad"
		same "$output" ''
		same "$(wc -l <<<"$stderr")" 1
		matches "$stderr" 'tgather: .+'
	done
	run --separate-stderr tgather m.npy rows.npy --batch-dims -1
	matches "$status" '2|3'
	same "$output" ''
	matches "$stderr" 'tgather: .+'
}

@test "a missing input is named" {
	fails 4 io tgather missing.npy rows.npy -o o.npy
	has "$stderr" missing.npy
	fails 4 io tgather m.npy missing.npy -o o.npy
	has "$stderr" missing.npy
	only_inputs
}

@test "an input that is no array is named" {
	cp "$OLD" no.npy
	run -3 --separate-stderr tgather m.npy no.npy -o o.npy
	matches "$stderr" 'tgather: no\.npy: .+'
	run -3 --separate-stderr tgather no.npy rows.npy -o o.npy
	matches "$stderr" 'tgather: no\.npy: .+'
	only_inputs no.npy
}

@test "help names its own options, the version is the family's" {
	run -0 --separate-stderr tgather --help-all
	same "$stderr" ''
	has "$output" 'tgather '
	has "$output" --bad-indices
	has "$output" --batch-dims
	run -0 tgather -V
	same "$output" "$(tslice -V)"
}
