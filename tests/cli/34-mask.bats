#!/usr/bin/env bats
# Masks: tgather and tscatter with indices of dtype bool; one element for many.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# m.npy holds 0 to 11 as 3 x 4; k.npy is a mask of its elements, r.npy one of
# its rows, c.npy one of its columns.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	cp "$A" m.npy
	printf '\0\1\0\1\0\0\0\0\377\1\2\0' | npy k.npy '|b1' '(3, 4)'
	printf '\1\0\1' | npy r.npy '|b1' '(3,)'
	printf '\0\1\1\0' | npy c.npy '|b1' '(4,)'
}

only_inputs() {
	clean m.npy k.npy r.npy c.npy "$@"
}

@test "elements, rows and places along an axis" {
	shows '[ 1  3  8  9 10]' tgather --print m.npy k.npy
	shows '[[ 0  1  2  3]
 [ 8  9 10 11]]' tgather --print m.npy r.npy
	tgather m.npy r.npy | cmp - <(tgather m.npy r.npy --axis 0)
	shows '[[ 1  2]
 [ 5  6]
 [ 9 10]]' tgather --print --axis -1 m.npy c.npy
}

@test "a mask without dimensions, and one that names nothing" {
	printf '\1' | npy t.npy '|b1' '()'
	printf '\0' | npy f.npy '|b1' '()'
	tgather m.npy t.npy -o o.npy
	tslice m.npy None | cmp - o.npy
	shows '(0, 3, 4)  <i4  C  0' tshape -l <(tgather m.npy f.npy)
	head -c 12 /dev/zero | npy z.npy '|b1' '(3, 4)'
	shows '(0,)  <i4  C  0' tshape -l <(tgather m.npy z.npy)
	tscatter m.npy z.npy --value 7 | cmp - m.npy
}

@test "from pipes, both of them, in either order of memory" {
	tgather m.npy k.npy -o want.npy
	cat m.npy | tgather - k.npy | cmp - want.npy
	cat k.npy | tgather m.npy - | cmp - want.npy
	cat m.npy k.npy | tgather - - | cmp - want.npy
	tslice m.npy --order F -o mf.npy
	tslice k.npy --order F -o kf.npy
	tgather mf.npy kf.npy | cmp - want.npy
	cat mf.npy kf.npy | tgather - - | cmp - want.npy
	tgather mf.npy r.npy | cmp - <(tgather m.npy r.npy)
	tgather m.npy r.npy --order F -o o.npy
	is_order o.npy True
}

@test "tscatter puts updates, or one element, where a mask is true" {
	tgather m.npy k.npy | tslice - ::-1 -o u.npy
	shows '[[ 0 10  2  9]
 [ 4  5  6  7]
 [ 8  3  1 11]]' tscatter --print m.npy k.npy u.npy
	shows '[[-1 -1 -1 -1]
 [ 4  5  6  7]
 [-1 -1 -1 -1]]' tscatter --print m.npy r.npy --value -1
	tscatter m.npy k.npy u.npy -o o.npy
	tslice m.npy --order F -o f.npy
	tscatter f.npy k.npy u.npy --order C | cmp - o.npy
	tscatter f.npy k.npy u.npy --in-place
	tcmp f.npy o.npy
	tscatter m.npy k.npy u.npy --in-place
	cmp m.npy o.npy
	tscatter --shape 3,4 k.npy u.npy | tgather - k.npy | cmp - u.npy
}

@test "one element for tuples, and indices as text" {
	shows '[[ 0  9  2  3]
 [ 4  5  6  7]
 [ 8  9  9 11]]' tscatter --print m.npy --indices '((0, 1), (2, 2))' --value 9
	ints i.npy '(2, 1)' 2 0
	tgather m.npy i.npy | tslice - ::-1 -o u.npy
	tscatter m.npy i.npy u.npy -o want.npy
	tscatter m.npy --indices '[[2],[0]]' u.npy | cmp - want.npy
	printf '2\n0\n' | tscatter m.npy --indices @- u.npy | cmp - want.npy
	{ cat m.npy u.npy && printf '2\n0\n'; } |
		tscatter - --indices @- - | cmp - want.npy
	tscatter --shape 3,4 --indices '[[2],[0]]' u.npy |
		cmp - <(tscatter --shape 3,4 i.npy u.npy)
	shows '[0 0 2 3]' tslice --print <(tscatter m.npy --indices 0,1 \
		--value 0) 0
}

@test "tsetdiag --value: the band becomes one element" {
	tslice m.npy :,:3 -o s.npy
	shows '[[0 1 2]
 [4 0 6]
 [8 9 0]]' tsetdiag --print s.npy --value 0
	tsetdiag s.npy --value 0 -k -1:1 -o want.npy
	cat s.npy | tsetdiag - --value 0 -k -1:1 | cmp - want.npy
	tsetdiag s.npy --value 0 -k -1:1 --in-place
	cmp s.npy want.npy
}

@test "masks that do not fit" {
	printf '\1\0' | npy b.npy '|b1' '(2,)'
	fails 3 shape_mismatch tgather m.npy b.npy -o o.npy
	fails 3 shape_mismatch tgather m.npy r.npy --axis 1 -o o.npy
	fails 3 shape_mismatch tgather m.npy k.npy --axis 0 -o o.npy
	fails 3 bad_axis tgather m.npy r.npy --axis 2 -o o.npy
	fails 3 bad_index_dtype tgather m.npy r.npy --batch-dims 0 -o o.npy
	fails 3 shape_mismatch tscatter m.npy b.npy --value 0 -o o.npy
	has "$stderr" b.npy
	ints u.npy '(2,)' 1 2
	fails 3 shape_mismatch tscatter m.npy k.npy u.npy -o o.npy
	fails 3 shape_mismatch tscatter --shape 4 r.npy u.npy -o o.npy
	has "$stderr" r.npy
	fails 3 bad_value tscatter m.npy k.npy --value x -o o.npy
	fails 3 bad_value tsetdiag m.npy --value 1.5 -o o.npy
	only_inputs b.npy u.npy
}

@test "a result of more dimensions than there are" {
	local ones
	ones=$(printf '1,%.0s' {1..64})
	printf '\1' | npy t.npy '|b1' '()'
	printf 1234 | npy o.npy '<i4' "($ones)"
	fails 3 rank_limit tgather o.npy t.npy
	printf 12345678 | npy v.npy "[('a', '<i4', (2,))]" "($ones)"
	fails 3 rank_limit tslice v.npy --field a
	has "$stderr" 'would have 65 dimensions'
}

@test "operands that options stand for" {
	fails 2 usage tscatter m.npy k.npy m.npy --value 1
	fails 2 usage tscatter --shape 3,4 k.npy --value 1
	fails 2 usage tscatter m.npy --value 1
	fails 2 usage tscatter m.npy k.npy m.npy --indices 0
	fails 2 usage tsetdiag m.npy m.npy --value 1
	fails 2 usage tsetdiag m.npy
	fails 2 syntax tscatter missing.npy --indices x --value 1
}

@test "what was counted is what is used, if the mask is held or not" {
	head -c 3000000 /dev/zero | tr '\0' '\1' | npy big.npy '|b1' \
		'(3000000,)'
	yes | head -c 3000000 | npy x.npy '|u1' '(3000000,)'
	tgather x.npy big.npy | cmp - x.npy
	tgather x.npy big.npy --max-memory 1M | cmp - x.npy
	cat x.npy big.npy | tgather - - --max-memory 1M -o o.npy
	cmp o.npy x.npy
	for k in 1 2 3; do
		tgather x.npy big.npy --part $k/3 -o p.npy
		tscatter x.npy big.npy --value 7 --part $k/3 -o q.npy
	done
	cmp p.npy x.npy
	tscatter x.npy big.npy --value 7 | cmp - q.npy
}

@test "a member in Fortran order is a mask, if it is not damaged" {
	tslice k.npy --order F -o s.npz:k
	tslice k.npy --order F -o z.npz:k --deflate
	for npz in s z; do
		tgather m.npy $npz.npz:k | cmp - <(tgather m.npy k.npy)
		tscatter m.npy $npz.npz:k --value 7 | cmp - \
			<(tscatter m.npy k.npy --value 7)
	done
	# Its last byte: false becomes true.
	at=$(grep -abo PK s.npz | sed -n '2s/:.*//p')
	printf '\1' | dd of=s.npz bs=1 seek=$((at - 1)) conv=notrunc status=none
	fails 3 bad_archive tgather m.npy s.npz:k
	fails 3 bad_archive tscatter m.npy s.npz:k --value 7
	only_inputs s.npz z.npz
}

@test "lists and shapes in brackets and parentheses" {
	for list in 1,0 '[1,0]' '(1, 0)' ' ( 1 ,0, ) ' '[ 1, 0 ]'; do
		tslice m.npy --axes "$list" | cmp - <(tslice m.npy -T)
	done
	for list in 12 '(12,)' '[12]' '( -1 )'; do
		shows '(12,)' tshape <(tslice m.npy --reshape "$list")
	done
	for list in '(0, 1)' '[0,1]' '(0,1,)'; do
		shows 1 tgather --print m.npy --indices "$list"
	done
	shows '[0 3]' tgather --print m.npy --indices '((0, 0), [0, 3])'
	tslice m.npy --begin '[1, 0]' --end '(2, 2)' |
		cmp - <(tslice m.npy 1:2,:2)
	tslice m.npy --begin '[]' --end '()' | cmp - m.npy
	for bad in '(1,0' '1,0)' '[1,0)' '(1,0]' '(1,,0)' '(,)' '[1,]' \
		'(1,0) 2' '((1,0))' ']'; do
		fails 2 syntax tslice missing.npy --axes "$bad"
		fails 2 syntax tslice missing.npy --begin "$bad" --end 1
	done
	for bad in '(0, 1' '0, 1)' '(0, 1]' '((0,1)' '(0,,1)' '(,)'; do
		fails 2 syntax tgather missing.npy --indices "$bad"
	done
}

@test "rows that are longer than memory: masks, places, one element for many" {
	requires numpy
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	rng = np.random.default_rng(1)
	x = rng.integers(0, 256, (6, 1500001), np.uint8)
	m = np.array([0, 1, 1, 0, 0, 1], bool)
	places = [4, 1, 4]
	def scattered(at, updates):
	    y = x.copy()
	    y[at] = updates
	    return y
	for name, a in {
	        "x": x, "m": m, "u": x[[5, 0, 2]], "i": np.array([places]).T,
	        "gm": x[m], "gi": x[places], "sm": scattered(m, x[[5, 0, 2]]),
	        "vm": scattered(m, 7), "vi": scattered(places, 7),
	        "cat": np.hstack([x, x[:, :9]]), "y": x[:, :9].copy()}.items():
	    np.save(name, a)
	END
	in_place() {
		cp x.npy o.npy
		tscatter o.npy "$@" --in-place --max-memory 1M
	}
	tgather x.npy m.npy --max-memory 1M | cmp - gm.npy
	cat x.npy | tgather - m.npy --max-memory 1M | cmp - gm.npy
	tgather x.npy i.npy --max-memory 1M | cmp - gi.npy
	tscatter x.npy m.npy u.npy --max-memory 1M | cmp - sm.npy
	in_place m.npy u.npy
	cmp o.npy sm.npy
	in_place m.npy --value 7
	cmp o.npy vm.npy
	in_place i.npy --value 7
	cmp o.npy vi.npy
	tcat --axis 1 x.npy y.npy --max-memory 1M | cmp - cat.npy
}
