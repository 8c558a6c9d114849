#!/usr/bin/env bats
# tassign: slices and values, literals, inputs and outputs.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# in.npy is a matrix of 3 x 4, 0 to 11; row.npy has a value for each column,
# one.npy one for all.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints in.npy '(3, 4)' 0 1 2 3 4 5 6 7 8 9 10 11
	ints row.npy '(4,)' -1 -2 -3 -4
	ints one.npy '()' 77
}

only_inputs() {
	clean in.npy row.npy one.npy "$@"
}

assign() {
	tassign --print "$@"
}

# fails_in_slice STATUS KIND COLUMN LENGTH COMMAND...: with that place.
fails_in_slice() {
	local want="$1 $2 $3 $4"
	shift 4
	run --separate-stderr "$@" --json
	same "$output" ''
	same "$(jq -r '.error | "\(.status) \(.kind) \(.column) \(.length)"' \
		<<<"$stderr")" "$want"
	run --separate-stderr "$@"
	same "$status" "${want%% *}"
	# shellcheck disable=SC2154 # bats sets stderr_lines
	same "${#stderr_lines[@]}" 3
	matches "${stderr_lines[2]}" ' +\^+'
}

@test "a row, a column, an element" {
	shows '[[ 0  1  2  3]
 [-1 -2 -3 -4]
 [ 8  9 10 11]]' assign in.npy 1 row.npy
	shows '[[ 0 77  2  3]
 [ 4 77  6  7]
 [ 8 77 10 11]]' assign in.npy '[:, 1]' one.npy
	shows '[[ 0  1  2  3]
 [ 4  5  6  7]
 [ 8  9 10 77]]' assign in.npy -1,-1 one.npy
}

@test "values are repeated, and leading dimensions of 1 dropped" {
	local want='[[-1 -2 -3 -4]
 [ 4  5  6  7]
 [-1 -2 -3 -4]]'
	shows "$want" assign in.npy ::2 row.npy
	ints deep.npy '(1, 1, 1, 4)' -1 -2 -3 -4
	shows "$want" assign in.npy ::2 deep.npy
	ints column.npy '(2, 1)' 5 6
	shows '[[ 5  5  5  5]
 [ 6  6  6  6]
 [ 8  9 10 11]]' assign in.npy :2 column.npy
}

@test "backwards" {
	shows '[[-4 -3 -2 -1]
 [ 4  5  6  7]
 [ 8  9 10 11]]' assign in.npy '0, ::-1' row.npy
}

@test "a literal" {
	shows '[[ 0  1  2  3]
 [ 4 -5 -5  7]
 [ 8  9 10 11]]' assign in.npy '1, 1:3' --value -5
	shows '[[9 9 9 9]
 [9 9 9 9]
 [9 9 9 9]]' assign --value=9 in.npy ...
}

@test "vectors and masks, or a file of them, instead of the slice" {
	tassign in.npy 1 row.npy -o want.npy
	tassign in.npy --begin 1 --end 2 --shrink-axis-mask 1 row.npy -o o.npy
	cmp want.npy o.npy
	tslice --explain --json 1 >e.json
	tassign in.npy row.npy --encoding e.json -o o.npy
	cmp want.npy o.npy
	tassign in.npy row.npy --encoding - -o o.npy <e.json
	cmp want.npy o.npy
	tassign in.npy --encoding e.json --value 0 -o o.npy
	same "$(items o.npy)" '0 1 2 3 0 0 0 0 8 9 10 11'
}

@test "vectors and an encoding that are wrong, before any file is opened" {
	local two='--begin 0 --end 1'
	# shellcheck disable=SC2086 # options
	{
		fails 2 usage tassign missing.npy $two --encoding e.json v.npy
		fails 2 usage tassign missing.npy --begin 0 v.npy
		fails 2 usage tassign missing.npy --begin-mask 0 v.npy
		fails 2 length_mismatch tassign missing.npy $two --strides 1,1 v.npy
		fails 2 zero_stride tassign missing.npy $two --strides 0 v.npy
		fails 2 syntax tassign missing.npy $two --end-mask x v.npy
		fails 2 usage tassign missing.npy $two 0 v.npy
	}
	fails 2 usage tassign - --encoding - v.npy
	fails 2 usage tassign missing.npy --encoding - -
	fails 4 io tassign in.npy --encoding missing.json row.npy
	has "$stderr" missing.json
}

@test "a slice that is none, before any file is opened, marked where" {
	fails_in_slice 2 syntax 3 1 tassign --value 0 missing.npy 0,x
	fails_in_slice 2 zero_stride 3 1 tassign missing.npy ::0 v.npy
	fails_in_slice 2 multiple_ellipsis 5 3 tassign missing.npy ...,... v.npy
	fails_in_slice 2 overflow 1 19 tassign missing.npy \
		9223372036854775808 v.npy
}

@test "a slice that goes beyond the shape names the input" {
	fails_in_slice 3 index_out_of_range 4 2 tassign in.npy '0, -5' one.npy
	has "$stderr" 'tassign: in.npy: '
	fails_in_slice 3 too_many_indices 5 1 tassign in.npy 0,0,0 --value 1
}

@test "a literal that is none" {
	local bad
	for bad in 1.5 1e3 x '' ' 1' 0x10 2147483648 true; do
		fails 3 bad_value tassign in.npy 0 --value "$bad" -o o.npy
		has "$stderr" 'tassign: in.npy: '
	done
	only_inputs
}

@test "a literal is judged where nothing is selected, too" {
	fails 3 bad_value tassign in.npy 0:0 --value x
	tassign in.npy 0:0 --value 1 -o o.npy
	cmp in.npy o.npy
}

@test "there are no literals of structured and void types" {
	head -c 6 /dev/zero | npy v.npy '|V3' '(2,)'
	fails 3 bad_value tassign v.npy 0 --value abc
	fails 3 bad_value tassign v.npy 0 --value 0
}

@test "shapes that do not go together name the value" {
	fails 3 shape_mismatch tassign in.npy '[:, 0]' row.npy -o o.npy
	has "$stderr" 'tassign: row.npy: '
	fails 3 shape_mismatch tassign in.npy 0,0 row.npy
	fails 3 shape_mismatch tassign in.npy '[:, 0:0]' row.npy
	only_inputs
}

@test "dtypes must be equal, byte orders need not be" {
	head -c 16 /dev/zero | npy f.npy '<f4' '(4,)'
	fails 3 dtype_mismatch tassign in.npy 0 f.npy -o o.npy
	has "$stderr" '<f4'
	has "$stderr" '<i4'
	printf '\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4' | npy big.npy '>i4' '(4,)'
	tassign in.npy 0 big.npy -o o.npy
	same "$(items o.npy)" '1 2 3 4 4 5 6 7 8 9 10 11'
	only_inputs f.npy big.npy o.npy
}

@test "the first of several mistakes is the one that is told" {
	head -c 20 /dev/zero | npy f.npy '<f4' '(5,)'
	fails_in_slice 2 zero_stride 3 1 tassign missing.npy ::0 missing.npy
	fails 4 io tassign missing.npy 99 f.npy
	has "$stderr" missing.npy
	fails 4 io tassign in.npy 99 missing.npy
	fails_in_slice 3 index_out_of_range 1 2 tassign in.npy 99 f.npy
	fails_in_slice 3 index_out_of_range 1 2 tassign in.npy 99 --value x
	fails 3 dtype_mismatch tassign in.npy 0 f.npy
}

@test "the order is that of the input, unless told otherwise" {
	le32 0 4 8 1 5 9 2 6 10 3 7 11 | npy f.npy '<i4' '(3, 4)' F
	tassign f.npy 0 row.npy -o o.npy
	is_order o.npy True
	same "$(items o.npy)" '-1 4 8 -2 5 9 -3 6 10 -4 7 11'
	tassign f.npy 0 row.npy --order C -o o.npy
	is_order o.npy False
	tassign in.npy 0 row.npy | cmp - o.npy
	tassign in.npy 0 row.npy --order F | cmp - <(tassign f.npy 0 row.npy)
}

@test "either input may be standard input, file or pipe" {
	tassign in.npy 1 row.npy -o want.npy
	tassign - 1 row.npy <in.npy | cmp - want.npy
	tassign in.npy 1 - <row.npy | cmp - want.npy
	cat in.npy | tassign - 1 row.npy | cmp - want.npy
	cat row.npy | tassign in.npy 1 - | cmp - want.npy
}

@test "- twice is read twice, in order, and nothing beyond" {
	tassign in.npy 1 row.npy -o want.npy
	{ cat in.npy row.npy; echo the rest; } |
		(tassign - 1 - -o o.npy; cat >rest)
	cmp want.npy o.npy
	cmp rest <(echo the rest)
}

@test "the result may replace either input, and both may be one" {
	tassign in.npy ... row.npy -o want.npy
	cp row.npy x.npy
	tassign in.npy ... x.npy -o x.npy
	cmp want.npy x.npy
	cp in.npy x.npy
	tassign x.npy ... row.npy -o x.npy
	cmp want.npy x.npy
	tassign in.npy ::-1 in.npy -o o.npy
	tslice in.npy ::-1 | cmp - o.npy
}

@test "a failure leaves the old file" {
	cp "$OLD" o.npy
	fails 3 shape_mismatch tassign in.npy '[:, 0]' row.npy -o o.npy
	cmp "$OLD" o.npy
	only_inputs o.npy
}

@test "without operands there is one usage line" {
	for operands in '' in.npy 'in.npy 0' '--value 1' '--value 1 in.npy' \
		'in.npy --begin 0 --end 1'; do
		# shellcheck disable=SC2086 # none or some
		run -2 --separate-stderr tassign $operands
		same "$output" ''
		same "$(wc -l <<<"$stderr")" 1
		matches "$stderr" 'tassign: usage: tassign .*'
	done
}

@test "operands and options that are too many" {
	fails 2 usage tassign in.npy 0 row.npy row.npy
	fails 2 usage tassign in.npy 0 row.npy --value 1
	has "$stderr" '--value stands for VALUE'
	fails 2 usage tassign in.npy 0 row.npy --explain
	fails 2 usage tassign in.npy 0 row.npy --all
	fails 2 usage tassign in.npy 0 --value
	fails 2 usage tslice in.npy 0 --value 1
	fails 2 usage tgather in.npy row.npy --in-place
}

@test "a slice that the shell has cut or taken is told so" {
	run -2 --separate-stderr tassign in.npy 1, 2 row.npy
	has "$stderr" "a slice with blanks needs quotes: '1, 2'"
	run -2 --separate-stderr tassign in.npy 1, 2 --value 0
	has "$stderr" "a slice with blanks needs quotes: '1, 2'"
	run -2 --separate-stderr tassign in.npy row.npy 0
	has "$stderr" 'it is the name of a file: IN comes first'
	cp "$OLD" 9
	run -3 --separate-stderr tassign in.npy 9 row.npy
	has "$stderr" "a file is called '9'"
	run -2 --separate-stderr tassign in.npy 0 --valu=1 --inplace
	has "$stderr" 'did you mean --in-place?'
}

@test "a missing input is named" {
	fails 4 io tassign missing.npy 0 row.npy -o o.npy
	has "$stderr" missing.npy
	fails 4 io tassign in.npy 0 missing.npy -o o.npy
	has "$stderr" missing.npy
	only_inputs
}
