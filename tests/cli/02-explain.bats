#!/usr/bin/env bats
# --explain: what a slice compiles to, and what it will read and write.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

TEXT='begin            = [1, 2, x, x, x, x]
end              = [2, 4, x, x, -3, x]
strides          = [1, 1, x, x, -1, 1]
begin_mask       = 1<<4 | 1<<5 = 48
end_mask         = 1<<5 = 32
ellipsis_mask    = 1<<3 = 8
new_axis_mask    = 1<<2 = 4
shrink_axis_mask = 1<<0 = 1'
SPEC='1,2:4,None,...,:-3:-1,:'
JSON='{"begin":[1,2,0,0,0,0],"end":[2,4,0,0,-3,0],"strides":[1,1,1,1,-1,1],'
JSON+='"begin_mask":48,"end_mask":32,"ellipsis_mask":8,"new_axis_mask":4,'
JSON+='"shrink_axis_mask":1}'

@test "the vectors and masks as text" {
	run -0 --separate-stderr tslice --explain "$SPEC"
	same "$output" "$TEXT"
	same "$stderr" ''
}

@test "the vectors and masks as JSON" {
	run -0 --separate-stderr tslice --explain --json "$SPEC"
	same "$output" "$JSON"
	same "$stderr" ''
}

@test "brackets and blanks make no difference" {
	run -0 tslice --explain "[ 1, 2:4, newaxis, Ellipsis, : -3 : -1, : ]"
	same "$output" "$TEXT"
	run -0 tslice --explain --json '[1,2:4,tf.newaxis,...,None:-3:-1,:,]'
	same "$output" "$JSON"
}

@test "empty masks print as 0" {
	run -0 tslice --explain 3:5
	same "$output" 'begin            = [3]
end              = [5]
strides          = [1]
begin_mask       = 0
end_mask         = 0
ellipsis_mask    = 0
new_axis_mask    = 0
shrink_axis_mask = 0'
}

@test "what is not looked at shows as x, also beside an ellipsis alone" {
	run -0 tslice --explain ...
	same "$(head -n 3 <<<"$output")" 'begin            = [x]
end              = [x]
strides          = [x]'
	run -0 tslice --explain '::2'
	same "$(head -n 3 <<<"$output")" 'begin            = [x]
end              = [x]
strides          = [2]'
}

@test "an index has its value and the next" {
	run -0 tslice --explain --json -1
	same "$(jq -c '[.begin, .end, .strides, .shrink_axis_mask]' \
		<<<"$output")" '[[-1],[0],[1],1]'
	run -0 tslice --explain --json 9223372036854775807
	has "$output" '"begin":[9223372036854775807],"end":[9223372036854775807]'
}

@test "31 items are taken, 32 are not" {
	local items
	items=$(printf ':,%.0s' $(seq 31))
	run -0 tslice --explain --json "$items"
	has "$output" '"begin_mask":2147483647'
	refuses 2 too_many_specs --explain "$items:"
}

@test "no file is opened without one" {
	run -0 tslice --explain 5
	refuses 4 io --explain missing.npy 5
}

@test "with an array the text goes on after the vectors" {
	run -0 --separate-stderr tslice --explain "$A" '1:,::2'
	same "$stderr" ''
	[ "${#lines[@]}" -gt 8 ]
	same "$(head -n 1 <<<"$output")" 'begin            = [1, x]'
	has "$(tail -n +9 <<<"$output")" '(2, 2)'
}

@test "with an array JSON tells of the input and the output" {
	run -0 --separate-stderr tslice --explain --json "$A" '1:,::2'
	same "$stderr" ''
	same "$(jq -c .input <<<"$output")" \
		'{"shape":[3,4],"dtype":"<i4","fortran_order":false,"nbytes":48}'
	same "$(jq -c .output <<<"$output")" \
		'{"shape":[2,2],"dtype":"<i4","fortran_order":false,"nbytes":16}'
	same "$(jq -c 'del(.input, .output)' <<<"$output")" \
		"$(tslice --explain --json '1:,::2')"
}

@test "a view in Fortran order is announced as one, --order overrides" {
	npy f.npy '<i4' '(3, 4)' F < <(tail -c +129 "$A")
	run -0 tslice --explain --json f.npy ':,1:'
	same "$(jq -c '[.input.fortran_order, .output.fortran_order]' \
		<<<"$output")" '[true,true]'
	run -0 tslice --explain --json --order C f.npy ':,1:'
	same "$(jq -c '.output.fortran_order' <<<"$output")" false
}

@test "standard input may be the array" {
	run -0 tslice --explain --json - 1 <"$A"
	same "$(jq -c .output.shape <<<"$output")" '[4]'
}

@test "with a shape alone dtype and bytes are null" {
	run -0 --separate-stderr tslice --explain --json --shape '(8, 6, 4)' \
		'0,2:4,None,...,::-1'
	same "$stderr" ''
	same "$(jq -c '.input.shape, .output.shape' <<<"$output")" '[8,6,4]
[2,1,4]'
	same "$(jq -c '[.input.dtype, .input.nbytes, .output.dtype,
		.output.nbytes]' <<<"$output")" '[null,null,null,null]'
}

@test "a shape may be written in several ways" {
	local shape
	for shape in '(8, 6)' '[8,6]' 8,6 '[ 8, 6 ]'; do
		run -0 tslice --explain --json --shape "$shape" 1:
		same "$(jq -c .output.shape <<<"$output")" '[7,6]'
	done
	run -0 tslice --explain --json --shape '()' ...
	same "$(jq -c .output.shape <<<"$output")" '[]'
	run -0 tslice --explain --json --shape '(5,)' 1:
	same "$(jq -c .output.shape <<<"$output")" '[4]'
}

@test "unknown sizes stay unknown, an index takes its axis away" {
	run -0 tslice --explain --json --shape '(?, 3, -1)' '0,1:,:'
	same "$(jq -c .input.shape <<<"$output")" '[-1,3,-1]'
	same "$(jq -c .output.shape <<<"$output")" '[2,-1]'
	run -0 tslice --explain --json --shape '(?, 3)' '1:,None,...'
	same "$(jq -c .output.shape <<<"$output")" '[-1,1,3]'
}

@test "a shape that is none is refused" {
	local shape
	for shape in x '(2' '2)' '(2,,3)' '(2, -2)' '(1.5,)' '' '(2 3)'; do
		refuses 2 syntax --explain --shape "$shape" :
	done
}

@test "a shape of enormous sizes does no harm" {
	run -0 tslice --explain --json --shape '(9223372036854775807, 4)' '-1,::2'
	same "$(jq -c .output.shape <<<"$output")" '[2]'
	run --separate-stderr tslice --explain --shape \
		'(9223372036854775807, 9223372036854775807)' :
	[ "$status" = 0 ] || [ "$status" = 3 ]
}

@test "what does not fit the shape is refused as it would be in earnest" {
	refuses 3 too_many_indices --explain --shape '(2, 3)' 0,0,0
	refuses 3 index_out_of_range --explain --shape '(2, 3)' 0,3
	refuses 3 index_out_of_range --explain "$A" 3
}

@test "what never fits is refused without a shape" {
	refuses 2 zero_stride --explain ::0
	refuses 2 multiple_ellipsis --explain ...,...
	refuses 2 syntax --explain '1:2:3:4'
	refuses 2 overflow --explain 99999999999999999999
}

@test "a NUL is in no string of an encoding" {
	local text
	for text in '{"begin\u0000z":[0],"end":[1]}' \
		'{"begin":[0],"end":[1],"input":"\u0000"}' \
		'{"begin":[0],"end":[1],"input":{"a":["\\\\\u0000"]}}'; do
		echo "$text" >enc
		refuses 2 syntax "$A" --encoding enc
		has "$stderr" 'a string of the encoding has a NUL'
	done
	# A backslash, and no NUL.
	printf '%s\n' '{"begin":[0],"end":[1],"input":"\\u0000"}' >enc
	tslice "$A" --encoding enc | cmp - <(tslice "$A" :1)
}

@test "an encoding with a key twice, and one that is too large" {
	echo '{"begin":[0],"begin":[1],"end":[1],"strides":[1]}' >enc
	refuses 2 syntax "$A" --encoding enc
	has "$stderr" "key 'begin' is one too many"
	head -c 20000000 /dev/zero | tr '\0' ' ' >enc
	refuses 2 syntax "$A" --encoding enc
	has "$stderr" 'too large for an encoding'
}

@test "what --explain --json prints, --encoding takes" {
	run -0 tslice --explain --json "$A" '1:,None,::-2'
	printf '%s\n' "$output" >enc
	tslice "$A" --encoding enc -o p1
	tslice "$A" '1:,None,::-2' -o p2
	cmp p1 p2
}

@test "reads no data: a terabyte is explained at once" {
	npy x.npy '|u1' '(1099511627776,)' </dev/null
	truncate -s 1099511627904 x.npy || skip 'the file system cannot hold it'
	run -0 timeout 5 tslice --explain --json x.npy '::2'
	same "$(jq -c .output.nbytes <<<"$output")" 549755813888
	clean x.npy
}

@test "without cJSON there is no JSON, and all else is as ever" {
	export LD_LIBRARY_PATH=$PWD/broken
	mkdir broken
	echo >broken/libcjson.so.1
	run -0 tslice --explain '::2'
	run -4 --separate-stderr tslice --explain --json '::2'
	same "$output" ''
	has "$stderr" 'tslice: JSON needs a library: '
	has "$stderr" libcjson.so.1
	# What is wrong is said in the other form.
	run -2 --separate-stderr tslice --explain --json '::0'
	has "$stderr" 'tslice: '
	run -4 --separate-stderr tshape --json "$A"
	same "$output" ''
}
