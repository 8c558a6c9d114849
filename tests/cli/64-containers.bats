#!/usr/bin/env bats
# Arrays without a header, and tensors of .safetensors files: as inputs of every
# command, in place, and raw results.  sweep/conformance_lines.py has more.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops
load faults

# x.bin: 5 bytes, 12 int32, 3 bytes; m.safetensors: a and b, int32 (2, 3).
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	{ printf 12345; le32 0 1 2 3 4 5 6 7 8 9 10 11; printf 678; } >x.bin
	tensors m.safetensors '{"a":{"dtype":"I32","shape":[2,3],"data_offsets":[24,48]},"b":{"dtype":"I32","shape":[2,3],"data_offsets":[0,24]}}'
}

# tensors FILE HEADER: with 12 int32
tensors() {
	local n=${#2}
	{ printf '%b' "$(printf '\\x%02x\\x%02x' $((n % 256)) $((n / 256)))"
	  printf '\0\0\0\0\0\0%s' "$2"
	  le32 0 1 2 3 4 5 6 7 8 9 10 11; } >"$1"
}

@test "raw elements are cut out of a file, in every command that reads" {
	local x=raw:i4:3,4@5:x.bin
	tslice $x 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
	tslice "raw:<i4:(3, 4)@0x5:$PWD/x.bin" '::-1, 0' -o o.npy
	same "$(items o.npy)" '8 4 0'
	tgather $x --axis 0 --indices 2 -o o.npy
	same "$(items o.npy)" '8 9 10 11'
	tgetdiag $x -o o.npy
	same "$(items o.npy)" '0 5 10'
	tcat $x raw:i4:1,4@5:x.bin -o o.npy
	shows '(4, 4)' tshape o.npy
	tcat --all $x -o o.npy
	cmp o.npy "$A"
	shows '' tcmp $x "$A"
	run -0 tshape -l $x
	matches "$output" '\(3, 4\) +<i4 +C +48'
	run -0 tshape --json $x
	has "$output" '"data_offset":5'
}

@test "as many rows as there are" {
	head -c 53 x.bin >whole.bin
	shows '(3, 4)' tshape raw:i4:-1,4@5:whole.bin
	shows '(12,)' tshape raw:i4:-1@5:- <whole.bin
	shows '(0, 4)' tshape raw:i4:-1,4@53:whole.bin
	fails 3 truncated tslice raw:i4:-1,4@5:x.bin 0
	fails 3 truncated tslice raw:i4:-1,4@54:whole.bin 0
	fails 3 bad_reshape tslice raw:i4:-1,0:whole.bin 0
	: >empty
	shows '(0,)' tshape raw:i4:-1:empty
	fails 3 truncated tslice raw:i4:1:empty 0
}

@test "of standard input exactly the array is taken" {
	{ tslice raw:i4:2@5:- ... -o a.npy; tslice raw:i4:3:- ... -o b.npy
	  cat >rest; } <x.bin
	same "$(items a.npy) $(items b.npy)" '0 1 2 3 4'
	same "$(stat -c %s rest)" 31
	{ tslice raw:i4:2@5:- 0 -o a.npy
	  tslice raw:i4:3:- ... -o b.npy; cat >rest; } < <(cat x.bin)
	same "$(items b.npy) $(stat -c %s rest)" '2 3 4 31'
	tassign raw:i4:2@5:- ... raw:i4:2:- -o a.npy < <(cat x.bin)
	same "$(items a.npy)" '2 3'
	fails 3 truncated tslice raw:i4:20:- 0 -o o.npy < <(cat x.bin)
	fails 3 truncated tslice raw:i4:1@99:- 0 -o o.npy < <(cat x.bin)
}

@test "types have NumPy's long names, too" {
	local want name
	while IFS=$'\t' read -r want name; do
		same "$(tshape -l "raw:$name:1:x.bin")" "(1,)  $want"
	done <<-'END'
		<f4  C  4	float32
		<f8  C  8	float
		|u1  C  1	uint8
		|b1  C  1	?
		|b1  C  1	bool
		<c8  C  8	complex64
		<M8[25s]  C  8	datetime64[25s]
	END
	fails 2 syntax tslice raw:float33:1:x.bin
	fails 2 syntax tslice raw:datetime64:1:x.bin
	fails 2 syntax tslice raw:str:1:x.bin
}

@test "a long stream is kept on disk, whatever the memory" {
	local shape
	head -c 3000000 /dev/zero | tslice raw:u1:-1,1000:- '::1000, 0' \
		--max-memory 1M -o o.npy
	shape=$(tshape o.npy)
	same "$shape" '(3,)'
}

@test "what is wrong with a name is found before a file is opened" {
	fails 2 usage tslice none.npy 0 -o raw:
	fails 2 syntax tcat none.npy raw:i4:x.bin -o o.npy
	fails 2 syntax tgather none.npy 'raw:[("a","i4")]:1:x.bin'
	fails 2 syntax tslice raw:O:1:x.bin 0
	fails 2 syntax tslice raw:i4:1,-1:x.bin 0
	fails 2 syntax tshape raw:i4:1@-1:x.bin
	fails 2 syntax tslice 'raw:i4:?:x.bin' 0
	clean m.safetensors x.bin
}

@test "the elements alone are written, in C order unless told otherwise" {
	tslice "$A" ... --raw -o o.bin
	cmp o.bin <(tail -c +129 "$A")
	tslice "$A" -T --raw | cmp - <(le32 0 4 8 1 5 9 2 6 10 3 7 11)
	tslice "$A" ... --raw --order F | cmp - <(le32 0 4 8 1 5 9 2 6 10 3 7 11)
	tcat "$A" "$A" --raw -o o.bin
	cmp o.bin <(tail -c +129 "$A" "$A" -q)
	cat "$A" "$A" | tcat --all - --raw -o o.bin
	cmp o.bin <(tail -c +129 "$A" "$A" -q)
	cat "$A" "$A" | tcat --all - --raw --order F | head -c 16 |
		cmp - <(le32 0 4 8 0)
	tgather "$A" --axis 1 --indices 0 --raw --order F -o o.bin
	cmp o.bin <(le32 0 4 8)
	tslice "$A" 0:0 --raw -o o.bin
	cmp o.bin /dev/null
	tslice "$A" ... --raw | tslice raw:i4:-1,4:- ... | cmp - "$A"
	fails 2 usage tassign "$A" 0 --value 1 --raw --in-place
	fails 2 usage tslice "$A" 0 --raw --print
	fails 2 usage tcat "$A" --append o.npy --raw
}

@test "raw results of several processes" {
	local k
	tslice "$A" ::-1 --raw -o want
	for k in 1 2 3; do
		tslice "$A" ::-1 --raw --part $k/3 -o o.bin
	done
	cmp o.bin want
}

@test "tensors are called by their names" {
	tslice m.safetensors:a 1 -o o.npy
	same "$(items o.npy)" '9 10 11'
	run -0 tshape m.safetensors
	same "$output" $'m.safetensors:a: (2, 3)\nm.safetensors:b: (2, 3)'
	run -0 tshape --json m.safetensors:b
	has "$output" '"fortran_order":false,"nbytes":24,"data_offset":122'
	fails 3 npz_member tslice m.safetensors 0
	has "$stderr" 'a, b'
	fails 3 npz_member tslice m.safetensors:a.npy 0
	cp m.safetensors plain
	fails 3 bad_magic tslice plain 0
	tcat m.safetensors:a m.safetensors:b -o o.npy
	same "$(items o.npy)" '6 7 8 9 10 11 0 1 2 3 4 5'
}

@test "what a file says of its tensors is read once for all of them" {
	requires strace
	no_leak_check
	strace -f -qq -o log -e trace=pread64 tshape m.safetensors
	same "$(grep -c ', 8) = ' log)" 1
}

@test "among many inputs a file of tensors stands for all of them" {
	mkdir out
	cp "$A" c.npy
	tslice m.safetensors c.npy 0 -t out
	same "$(cd out && echo *)" 'a.npy b.npy c.npy'
	rm out/*
	tslice m.safetensors 0 -t out --parents
	same "$(items out/m.safetensors/a.npy)" '6 7 8'
	same "$(items out/m.safetensors/b.npy)" '0 1 2'
	rm -r out/*
	tslice m.safetensors 0 -t out --raw
	same "$(cd out && cat a b | od -An -td4 | xargs)" '6 7 8 0 1 2'
	tslice m.safetensors ... -t m.npz
	same "$(tshape m.npz)" $'m.npz:a: (2, 3)\nm.npz:b: (2, 3)'
	# In place it is one file, whose one tensor is to be named.
	run -3 --separate-stderr tassign m.safetensors c.npy 0 --value 1 \
		--in-place
	same "$(items c.npy)" '1 1 1 1 4 5 6 7 8 9 10 11'
}

@test "in place nothing but the elements is written" {
	cp x.bin want
	le32 99 | dd of=want bs=1 seek=21 conv=notrunc status=none
	tassign raw:i4:3,4@5:x.bin 1,0 --value 99 --in-place
	cmp x.bin want
	cp m.safetensors want
	le32 99 | dd of=want bs=1 seek=146 conv=notrunc status=none
	tassign m.safetensors:a 0,0 --value 99 --in-place
	cmp m.safetensors want
	ints d.npy '(2,)' 5 5
	tsetdiag m.safetensors:b d.npy --in-place
	tslice m.safetensors:b ... -o o.npy
	same "$(items o.npy)" '5 1 2 3 5 5'
	tslice m.safetensors:a ... -o o.npy
	same "$(items o.npy)" '99 7 8 9 10 11'
	: >none.bin
	tassign raw:i4:-1,3:none.bin ... --value 1 --in-place
	tsetdiag raw:i4:0,3:none.bin --value 1 --in-place
	[ -f none.bin ]
	[ ! -s none.bin ]
	fails 4 io tassign m.safetensors:a ... m.safetensors:b --in-place
	fails 4 io tassign raw:i4:1:none 0 --value 1 --in-place
	fails 2 usage tassign raw:i4:1:- 0 --value 1 --in-place
}

@test "all tensors of a file are put together" {
	tcat --all m.safetensors raw:i4:1,3@5:x.bin -o o.npy
	tcat m.safetensors:a m.safetensors:b raw:i4:1,3@5:x.bin | cmp - o.npy
	fails 3 npz_member tcat m.safetensors
}

@test "nothing is written as raw: or into a safetensors file" {
	fails 2 usage tslice "$A" 0 -o raw:i4:4:o.bin
	tslice "$A" 0 -o ./raw:i4:4:o.bin
	cp m.safetensors before
	fails 2 usage tslice "$A" 0 -o m.safetensors:c
	cmp m.safetensors before
	tslice "$A" 0 -o n.safetensors:c
	clean before m.safetensors n.safetensors:c raw:i4:4:o.bin x.bin
}

@test "small floats are numbers, in every form and by way of a file" {
	printf '\200\077\0\300\315\075\177\177' >b.bin
	shows '1.0 -2.0 0.1 3.39e+38' tslice raw:bfloat16:-1:b.bin --print=plain
	shows '1.0,-2.0' tslice raw:bfloat16:1,2:b.bin --print=csv
	shows '[ 1.00e+00 -2.00e+00  1.00e-01  3.39e+38]' \
		tslice raw:bfloat16:-1:b.bin ... --print
	shows '0.1' tslice raw:bfloat16:-1:b.bin 2 --print=plain
	le32 1 | npy i.npy '<i4' '(1, 1)'
	printf '\200\077' | npy v.npy '|V2' '(1,)'
	# What is scattered, or put in the other order, is made in a file first.
	shows '1.0 1.0 0.1 3.39e+38' \
		tscatter raw:bfloat16:-1:b.bin i.npy v.npy --print=plain
	shows $'1.0 -2.0\n0.1 3.39e+38' tgather raw:bfloat16:2,2:b.bin \
		--axis 0 --indices 0,1 --order F --print=plain
	tslice raw:bfloat16:-1:b.bin ... -o o.npy
	has "$(head -c 80 o.npy | tr -d '\0')" "'descr': '|V2'"
	printf '\170\370\177\001' >e.bin
	shows '260.0 -260.0 nan 0.002' \
		tslice raw:float8_e4m3fn:-1:e.bin --print=plain
	run -0 tshape -l raw:float8_e5m2:-1:e.bin
	matches "$output" '\(4,\) +float8_e5m2 +C +4'
	run -0 tshape raw:bfloat16:1:b.bin dtype
	same "$output" bfloat16
}

@test "numbers of two types are not of one, though their bytes are" {
	local four=raw:float8_e4m3fn:4:e.bin five=raw:float8_e5m2:4:e.bin
	printf '\170\370\177\001' >e.bin
	run -1 tcmp $four $five
	has "$output" 'dtype float8_e4m3fn and float8_e5m2'
	fails 3 dtype_mismatch tcat $four $five -o o.npy
	has "$stderr" 'its dtype is float8_e5m2, that of'
	fails 3 dtype_mismatch tassign $four ... $five --in-place
	has "$stderr" 'float8_e4m3fn and float8_e5m2'
	# Bytes without a name are either.
	tslice $four ... -o o.npy
	tcmp $four o.npy
	tcmp o.npy $five
}

@test "what the format's own library wrote" {
	local n names='f64 f32 f16 i64 i32 i16 i8 u64 u32 u16 u8 e4m3 e5m2'
	cp "$BATS_TEST_DIRNAME/../cases/safetensors/library.safetensors" l.safetensors
	for n in $names; do
		run -0 tslice l.safetensors:"$n" --print=csv
		same "${output//.0/}" $'0,1,2\n3,4,5'
	done
	shows $'0.0,0.25,0.5\n0.75,1.0,1.25' tslice l.safetensors:bf16 --print=csv
	shows 7 tslice l.safetensors:'größe "'\\ --print=plain
	shows '(0, 3)' tshape l.safetensors:leer
	run -0 tshape l.safetensors
	same "${#lines[@]}" 17
}

@test "a header of 100000 tensors, and one of no use" {
	"${PYTHON:-python3}" - <<-'END'
	import json, struct
	def write(name, tensors, data):
	    text = json.dumps(tensors).encode()
	    with open(name, "wb") as f:
	        f.write(struct.pack("<Q", len(text)) + text + data)
	write("many.safetensors", {f"layer.{i}": {
	    "dtype": "U8", "shape": [1], "data_offsets": [i, i + 1]}
	    for i in range(100000)}, bytes(range(250)) * 400)
	END
	shows 247 tslice many.safetensors:layer.99997 0 --print=plain
	fails 3 npz_member tslice many.safetensors:layer 0
	has "$stderr" 'more'
	truncate -s 1T hole.safetensors
	fails 3 bad_archive tslice hole.safetensors:a 0
}

@test "headers of tensors that are broken, and names that are escaped" {
	local x='"dtype":"I32","shape":[12]' o='"data_offsets":[0,48]' bad
	tensors e.safetensors '{"\ud83d\ude00":{'"$x,$o"',"later":[{"a":null}]}}'
	run -0 tslice e.safetensors:😀 0 --print=plain
	same "$output" 0
	for bad in 1 '[]' '{"a":1}' '{"a":{}}' '{"a":{'"$x"'}}' "{\"a\" {$x,$o}}" \
		"{\"a\":{$x,$o}" "{\"a\":{$x,$o}]" "{\"a\":{$x,$o}}}" \
		"{\"a\":{$x,$x,$o}}" '{"a":{"dtype":1}}' "{\"a\":{1:2}}" \
		"{\"a\":{$x,$o;}}" "{\"a\":{$x,$o,\"b\":}}" \
		'{"a":{"dtype":"I33"}}' '{"a":{"shape":[1,}}' \
		'{"a":{"shape":-1}}' '{"a":{"data_offsets":[1]}}' \
		"{\"a\":{$x,$o},\"a\":{$x,$o}}" "{\"\\ud83d\":{$x,$o}}" \
		"{\"\\ud83d\\u0041\":{$x,$o}}" '{"__metadata__":{"a":1}}' \
		"{\"a\":{$x,\"data_offsets\":[4,0]}}"; do
		tensors e.safetensors "$bad"
		fails 3 bad_archive tslice e.safetensors:a 0
	done
	head -c 100 m.safetensors >e.safetensors
	fails 3 bad_archive tslice e.safetensors:a 0
	has "$stderr" 'ends within its header'
}
