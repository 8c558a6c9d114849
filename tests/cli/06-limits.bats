#!/usr/bin/env bats
# The ends of int64, many dimensions, enormous and empty arrays.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

MAX=9223372036854775807
MIN=-9223372036854775808

# gives SPEC WANT: the items of that slice of the vector 0..9.
gives() {
	[ -e v.npy ] || le32 0 1 2 3 4 5 6 7 8 9 | npy v.npy '<i4' '(10,)'
	tslice v.npy "$1" -o o.npy
	printf 'slice: %s\n' "$1"
	same "$(items o.npy)" "$2"
}

# ones N: the text of a shape of N ones.
ones() {
	printf '(%s)' "$(printf '1,%.0s' $(seq "$1"))"
}

# sparse NAME DESCR SHAPE BYTES: an array of zeros that takes no room.
sparse() {
	npy "$1" "$2" "$3" </dev/null
	truncate -s $((128 + $4)) "$1" 2>/dev/null ||
		skip 'the file system cannot hold it'
}

# poke FILE ITEM BYTE: changes an item of one byte.
poke() {
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\$3" | dd of="$1" bs=1 seek=$((128 + $2)) conv=notrunc status=none
}

@test "begins and ends at the limits of int64" {
	gives "$MIN:$MAX" '0 1 2 3 4 5 6 7 8 9'
	gives "$MAX:$MIN" ''
	gives "$MAX:$MIN:-1" '9 8 7 6 5 4 3 2 1 0'
	gives "$MIN:$MAX:-1" ''
	gives ":$MIN:-4" '9 5 1'
	gives "$MIN::4" '0 4 8'
	gives "$MAX:" ''
	gives ":$MIN" ''
	gives "$MAX::-9" '9 0'
}

@test "steps at the limits of int64" {
	gives "::$MAX" 0
	gives "::$MIN" 9
	gives "::-$MAX" 9
	gives "3::$MAX" 3
	gives "3::$MIN" 3
	gives "$MAX:$MIN:$MIN" 9
	gives "$MIN:$MAX:$MAX" 0
	gives ":3:$MIN" 9
	gives "3:3:$MIN" ''
	gives "::9223372036854775806" 0
	gives "::4294967296" 0
	gives "::-4294967297" 9
}

@test "the same as raw vectors" {
	gives 0 0
	tslice v.npy --begin "$MAX" --end "$MIN" --strides "$MIN" -o o.npy
	same "$(items o.npy)" 9
	tslice v.npy --begin "$MIN" --end "$MAX" --strides "$MAX" -o o.npy
	same "$(items o.npy)" 0
	tslice v.npy --begin 0 --end 0 --strides "$MIN" --begin-mask 1 \
		--end-mask 1 -o o.npy
	same "$(items o.npy)" 9
}

@test "an index at the limits of int64 is out of range" {
	gives 0 0
	refuses 3 index_out_of_range v.npy "$MAX"
	refuses 3 index_out_of_range v.npy "$MIN"
	refuses 3 index_out_of_range v.npy 4294967296
	refuses 3 index_out_of_range v.npy 10
	refuses 3 index_out_of_range v.npy -11
}

@test "one beyond the limits is an overflow" {
	refuses 2 overflow "$A" 9223372036854775808
	refuses 2 overflow "$A" -9223372036854775809
	refuses 2 overflow "$A" ::18446744073709551616
	refuses 2 overflow "$A" "$(printf '9%.0s' $(seq 5000)):"
	# What has wrapped round may look small again: 10 * 2^64 and the like.
	refuses 2 overflow "$A" 184467440737095516160
	refuses 2 overflow "$A" 184467440737095516161:
	refuses 2 overflow "$A" -18446744073709551616000
}

@test "64 dimensions go in and out" {
	le32 7 | npy r.npy '<i4' "$(ones 64)"
	tslice r.npy ... -o o.npy
	cmp r.npy o.npy
	tslice r.npy 0,...,0 -o o.npy
	le32 7 | npy want.npy '<i4' "$(ones 62)"
	cmp want.npy o.npy
	tslice r.npy '...,::-1' -o o.npy
	cmp r.npy o.npy
}

@test "new axes up to 64 dimensions, not to 65" {
	local axes
	axes=$(printf 'None,%.0s' $(seq 30))
	le32 7 | npy r.npy '<i4' "$(ones 34)"
	tslice r.npy "$axes" -o o.npy
	le32 7 | npy want.npy '<i4' "$(ones 64)"
	cmp want.npy o.npy
	refuses 3 rank_limit r.npy "None,$axes" -o p.npy
	refuses 3 rank_limit o.npy None,... -o p.npy
	tslice o.npy None,...,0 -o p.npy
	cmp want.npy p.npy
	clean r.npy o.npy want.npy p.npy
}

@test "65 dimensions are refused" {
	le32 7 | npy r.npy '<i4' "$(ones 65)"
	refuses 3 bad_shape r.npy ...
}

@test "64 dimensions, most of them of 1, sliced" {
	local shape
	shape="($(printf '1,%.0s' $(seq 61))2,1,3)"
	le32 0 1 2 3 4 5 | npy r.npy '<i4' "$shape"
	tslice r.npy '...,::-1,:,::2' -o o.npy
	same "$(tail -c 16 o.npy | od -An -td4 -w16 | tr -s ' ')" ' 3 5 0 2'
}

@test "31 items apply to an array of 64 dimensions" {
	le32 7 | npy r.npy '<i4' "$(ones 64)"
	tslice r.npy "$(printf '0,%.0s' $(seq 31))" -o o.npy
	le32 7 | npy want.npy '<i4' "$(ones 33)"
	cmp want.npy o.npy
	refuses 2 too_many_specs r.npy "$(printf '0,%.0s' $(seq 32))"
}

@test "a hundred thousand items are refused as quickly" {
	refuses 2 too_many_specs "$A" "$(printf '0,%.0s' $(seq 60000))"
}

@test "an empty array beside an enormous dimension" {
	npy e.npy '|u1' "(0, $MAX)" </dev/null
	tslice e.npy ... -o o.npy
	cmp e.npy o.npy
	tslice e.npy ':,::-3' -o o.npy
	npy want.npy '|u1' '(0, 3074457345618258603)' </dev/null
	cmp want.npy o.npy
	tslice e.npy :,-1 -o o.npy
	npy want.npy '|u1' '(0,)' </dev/null
	cmp want.npy o.npy
	tslice e.npy ":,::$MIN" -o o.npy
	npy want.npy '|u1' '(0, 1)' </dev/null
	cmp want.npy o.npy
	refuses 3 index_out_of_range e.npy 0
	refuses 3 index_out_of_range e.npy ":,$MAX"
}

@test "sizes that do not fit are refused, empty or not" {
	local shape
	for shape in "($MAX, 2)" '(4294967296, 4294967296)' "(0, $MAX, 2)" \
		'(4294967296, 0, 4294967296)' '(9223372036854775808,)' \
		'(18446744073709551616, 1)'; do
		npy x.npy '|u1' "$shape" </dev/null
		refuses 3 bad_shape x.npy :0 -o o.npy
	done
	npy x.npy '<f8' '(0, 2305843009213693952)' </dev/null
	refuses 3 bad_shape x.npy :0 -o o.npy
	clean x.npy
}

@test "a claim of much data in a small file" {
	npy x.npy '<f8' '(1152921504606846975,)' </dev/null
	refuses 3 truncated_data x.npy 0 -o o.npy
	run -3 bash -c 'timeout 10 tslice - 0 -o o.npy <x.npy'
	run -3 bash -c 'cat x.npy | timeout 10 tslice - 0 -o o.npy'
	clean x.npy
}

@test "five gigabytes: the last items, and steps past four" {
	sparse big.npy '|u1' '(5368709120,)' 5368709120
	poke big.npy 0 101
	poke big.npy 4294967296 102
	poke big.npy 4294967297 103
	poke big.npy 5368709119 104
	tslice big.npy -3: -o o.npy
	same "$(tail -c 3 o.npy | od -An -to1)" ' 000 000 104'
	tslice big.npy 4294967296:4294967298 -o o.npy
	same "$(tail -c 2 o.npy | od -An -to1)" ' 102 103'
	tslice big.npy 4294967297 -o o.npy
	same "$(tail -c 1 o.npy | od -An -to1)" ' 103'
	tslice big.npy ::4294967296 -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 101 102'
	tslice big.npy ::-1073741823 -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 104 102 000 000 000 000'
	tslice big.npy ::-5368709119 -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 104 101'
}

@test "five gigabytes as a matrix: columns, corners, a new order" {
	sparse big.npy '|u1' '(2, 2684354560)' 5368709120
	poke big.npy 1 101
	poke big.npy 2684354561 102
	poke big.npy 5368709119 103
	tslice big.npy :,1 -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 101 102'
	tslice big.npy '::-1,-1:' -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 103 000'
	tslice --order F big.npy '1:,::2684354559' -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 000 103'
	tslice big.npy -1,1:2 -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 102'
}

@test "five gigabytes in Fortran order" {
	npy big.npy '|u1' '(2, 2684354560)' F </dev/null
	truncate -s $((128 + 5368709120)) big.npy 2>/dev/null ||
		skip 'the file system cannot hold it'
	poke big.npy 2 101
	poke big.npy 5368709119 103
	tslice big.npy :,1 -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 101 000'
	tslice big.npy '1,::2684354559' -o o.npy
	same "$(tail -c +129 o.npy | od -An -to1)" ' 000 103'
}

@test "little memory is enough for a few items of a large file" {
	requires release
	sparse big.npy '|u1' '(5368709120,)' 5368709120
	poke big.npy 5368709119 104
	(ulimit -v 100000; tslice big.npy ::-1073741823 -o o.npy)
	same "$(tail -c +129 o.npy | od -An -to1)" ' 104 000 000 000 000 000'
}

@test "a thousand million items of no size" {
	npy x.npy '|V0' '(1000000000,)' </dev/null
	run --separate-stderr timeout 10 tslice x.npy ::2 -o o.npy
	if [ "$status" = 0 ]; then
		npy want.npy '|V0' '(500000000,)' </dev/null
		cmp want.npy o.npy
	else
		same "$status" 3
	fi
}

@test "threads that find no memory do not help, and do no harm" {
	requires release
	run -0 bash -c "ulimit -v 100000; tslice '$B' '::-1' -j 64 -o o.npy"
	tslice "$B" '::-1' -j 1 -o want.npy
	cmp o.npy want.npy
}

@test "a file larger than there can be is refused before it is begun" {
	npy huge.npy '|u1' '(9223372036854775679,)' </dev/null
	truncate -s 9223372036854775807 huge.npy 2>/dev/null ||
		skip 'the file system has a limit of its own'
	run -3 --separate-stderr tslice huge.npy ... --order C -o o.npy
	[ ! -e o.npy ]
}
