#!/usr/bin/env bats
# tslice --axes, -T and --reshape: what they do, say and refuse.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops
load faults

# in.npy is 2 x 3 x 2, 0 to 11.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints in.npy '(2, 3, 2)' 0 1 2 3 4 5 6 7 8 9 10 11
}

# shape_of ARGUMENT...: the shape that --explain promises.
shape_of() {
	tslice --explain --json "$@" | jq -c .output.shape
}

@test "axes in another order, counted from either end" {
	tslice in.npy --axes 2,0,1 --order C -o o.npy
	same "$(items o.npy)" '0 2 4 6 8 10 1 3 5 7 9 11'
	same "$(tshape o.npy)" '(2, 2, 3)'
	tslice in.npy --axes=-1,0,-2 --order C | cmp - o.npy
	tslice in.npy --axes -1,0,-2 --order C | cmp - o.npy
	tslice --axes ' 2 , 0,1' in.npy ... --order C | cmp - o.npy
}

# Large boxes are not put together as small ones are.
@test "large transposes, of whole cache lines and not" {
	local rows columns type
	head -c 12000000 /dev/urandom >bytes
	for rows in 1024 1031; do
		for type in '|u1' '<f2' '<f4' '<f8' '<c16'; do
			columns=$((12000000 / rows / ${type:2}))
			head -c $((rows * columns * ${type:2})) bytes |
				npy x.npy $type "($rows, $columns)"
			tslice x.npy -T --order C -j 1 -o y.npy
			tslice x.npy -T --order C --max-memory 1M |
				cmp - y.npy
			tslice y.npy -T --order C -j 1 | cmp - x.npy
			tslice y.npy ::-1,::-1 -o z.npy
			tslice x.npy -T ::-1,::-1 --order C -j 1 | cmp - z.npy
		done
	done
}

# What is written at once begins with an element, whatever a page begins with.
@test "large transposes into another byte order" {
	local type size
	head -c 12000000 /dev/urandom >bytes
	while read -r size type; do
		head -c $((12000000 / size / 7 * 7 * size)) bytes |
			npy x.npy "$type" "($((12000000 / size / 7)), 7)"
		tslice x.npy --order F --byte-order big -o y.npy
		tslice x.npy --byte-order big | tslice - --order F | cmp - y.npy
		tcmp x.npy y.npy
		tslice x.npy 0 -o row.npy
		tassign x.npy 1 row.npy --order F --byte-order big -o z.npy
		tassign x.npy 1 row.npy --order F |
			tslice - --byte-order big | cmp - z.npy
	done <<-'END'
		12 <U3
		20 <U5
		8 <f8
		6 [('a','<i4'),('b','<i2')]
		24 [('a','<f8'),('b','<f8'),('c','<f8')]
	END
}

@test "a transpose looks at a mapping, and reads where there is none" {
	requires strace
	no_leak_check
	head -c 16777216 /dev/urandom | npy x.npy '<f4' '(2048, 2048)'
	[ "$(calls_of pread64 tslice x.npy -T --order C -j 1 -o y.npy)" -lt 99 ]
	[ "$(calls_of pread64 tslice x.npy -T --order C -j 1 --max-memory 8M \
		-o z.npy)" -gt 99 ]
	cmp y.npy z.npy
	faulty mmap error=ENODEV -P "$PWD/x.npy" -- \
		tslice x.npy -T --order C -o z.npy
	injected
	cmp y.npy z.npy
	tslice y.npy -T | tcmp - x.npy
}

@test "all axes reversed are the same bytes, in Fortran order" {
	tslice in.npy -T -o o.npy
	is_order o.npy True
	same "$(items o.npy)" "$(items in.npy)"
	tslice o.npy -T | cmp - in.npy
	tslice in.npy -T --order C -o o.npy
	is_order o.npy False
	same "$(items o.npy)" '0 6 2 8 4 10 1 7 3 9 5 11'
}

@test "another shape is the same bytes, of a stream too" {
	tslice in.npy --reshape 3,-1 -o o.npy
	same "$(tshape o.npy)" '(3, 4)'
	same "$(items o.npy)" "$(items in.npy)"
	cat in.npy | tslice - --reshape 3,4 | cmp - o.npy
	tslice in.npy '0, 0, 0' --reshape '' -o o.npy
	same "$(tshape o.npy)" '()'
}

@test "first the slice, then the axes, then the shape" {
	tslice in.npy '[:, ::-1]' --reshape -1 --axes 1,0,2 -o o.npy
	same "$(items o.npy)" '4 5 10 11 2 3 8 9 0 1 6 7'
	same "$(tshape o.npy)" '(12,)'
}

@test "Fortran order, of a view, of cut axes, and where the axes overlap" {
	requires numpy
	cat >check.py <<-'END'
		import io, sys, numpy as np
		a = np.load("in.npy").transpose(1, 0, 2)
		a = a.reshape([int(n) for n in sys.argv[1].split(",")])
		f = io.BytesIO()
		np.save(f, np.asfortranarray(a))
		sys.exit(f.getvalue() != sys.stdin.buffer.read())
	END
	for shape in 3,2,2 3,4 6,2 3,2,1,2 4,3 2,6; do
		tslice in.npy --axes 1,0,2 --reshape "$shape" --order F |
			"${PYTHON:-python3}" check.py "$shape"
		cat in.npy | tslice - --axes 1,0,2 --reshape "$shape" \
			--order F -o o.npy
		"${PYTHON:-python3}" check.py "$shape" <o.npy
	done
}

@test "each array of a stream, and one that does not fit ends it" {
	cat in.npy in.npy | tslice - --all 0 -T >two.npy
	tslice in.npy 0 -T >one.npy
	cat one.npy one.npy | cmp - two.npy
	run -3 --separate-stderr bash -c \
		"cat in.npy '$A' | tslice - --all --axes 0,2,1 -o o.npy"
	has "$stderr" '3 axes are named, and there are 2'
	run -3 --separate-stderr tslice in.npy --axes 0
	has "$stderr" '1 axis is named, and there are'
	clean in.npy one.npy two.npy
}

@test "it is printed as it is in the end" {
	shows '(2, 6)  <i4
[[ 0  1  2  3  4  5]
 [ 6  7  8  9 10 11]]' tslice in.npy --reshape 2,6 --print
	shows '[[ 0  6]
 [ 2  8]
 [ 4 10]]' tslice in.npy '..., 0' -T --print
}

@test "an explanation shows the shape in the end" {
	same "$(shape_of in.npy ... --axes 1,0,2)" '[3,2,2]'
	same "$(shape_of in.npy 1 -T --reshape 1,-1)" '[1,6]'
	same "$(shape_of --shape 2,3,4 ... -T)" '[4,3,2]'
	same "$(shape_of --shape 2,3,4 -T)" '[4,3,2]'
	same "$(shape_of --shape '2,?' -T --reshape 4,-1)" '[4,-1]'
	same "$(shape_of --shape unknown -T)" null
	tslice --explain in.npy 0 -T >text
	has "$(<text)" 'output           = (2, 3)  <i4  F  24 bytes'
	tslice --explain in.npy --axes 1,0,2 --reshape 4,3 --order F >text
	has "$(<text)" 'output           = (4, 3)  <i4  F  48 bytes'
}

@test "what is explained may be the input alone, if it is no slice" {
	same "$(shape_of in.npy -T)" '[2,3,2]'
	same "$(cat in.npy | shape_of --reshape 12 - 2>&1)" '[12]'
	same "$(tslice --explain --json -T ::2)" \
		"$(tslice --explain --json ::2)"
	refuses 2 syntax --explain in.npy
	refuses 2 syntax --explain --shape 2,3 in.npy -T
}

@test "lists that are none, before any file is opened" {
	local bad
	for bad in x '1,' ',1' '1,,0' 1.0 '(1,0]' '1 0' +1 0x1; do
		fails 2 syntax tslice missing.npy --axes "$bad"
		fails 2 syntax tslice missing.npy --reshape "$bad"
	done
	has "$stderr" 'reshape: expected decimal integers with commas'
	fails 2 overflow tslice missing.npy --axes 9223372036854775808
	fails 2 syntax tslice missing.npy --axes "$(seq -s, 100),x"
	fails 2 usage tslice missing.npy --axes 1,0 -T
	fails 2 usage tslice missing.npy --axes
	fails 2 usage tassign in.npy 0 in.npy -T
}

@test "axes that are not each named once" {
	local bad
	for bad in '' 0 0,1 0,1,2,3 0,0,1 0,1,-2 3,0,1 -4,0,1 \
		4294967296,1,2 "$(seq -s, 0 99)"; do
		fails 3 bad_axes tslice in.npy --axes "$bad" -o o.npy
		has "$stderr" 'tslice: in.npy: '
	done
	fails 3 bad_axes tslice in.npy 0 --axes 0,1,2
	fails 3 bad_axes tslice --explain --shape 2,3 0 --axes 1,0
	clean in.npy
}

@test "shapes of another size" {
	local bad
	for bad in '' 13 3,5 5,-1 -1,-1,3 -2,-6 0,-1 4294967296,4294967296 \
		0 1,1,-9223372036854775808; do
		fails 3 bad_reshape tslice in.npy --reshape "$bad" -o o.npy
	done
	fails 3 bad_reshape tslice in.npy --reshape 3,5
	has "$stderr" 'in.npy: 12 elements cannot have the shape (3, 5)'
	fails 3 rank_limit tslice in.npy --reshape "12$(printf ',1%.0s' $(seq 64))"
	fails 3 bad_reshape tslice --explain --shape 2,3 0 --reshape 4
	clean in.npy
}

@test "shapes without elements" {
	tslice in.npy 2: --reshape 7,0,3 -o o.npy
	same "$(tshape o.npy)" '(7, 0, 3)'
	tslice in.npy 2: --reshape 5,-1 -o o.npy
	same "$(tshape o.npy)" '(5, 0)'
	fails 3 too_large tslice in.npy 2: --reshape 0,4611686018427387904,4
}

@test "who writes T for a slice is told of -T" {
	refuses 2 syntax in.npy T
	has "$stderr" 'axes are put in another order by --axes, or all reversed by -T'
	refuses 2 syntax in.npy transpose
	has "$stderr" ', or all reversed by -T'
	run -2 --separate-stderr tslice in.npy --axis 1,0
	has "$stderr" 'did you mean --axes?'
}

@test "a header that claims the largest array is explained" {
	printf '' | npy huge.npy '|u1' '(3, 2305843009213693952)'
	head -c 128 huge.npy >head.npy
	run --separate-stderr bash -c \
		'{ cat head.npy; } | tslice --explain - ::2 -T --no-drain'
	same "$status" 0
	has "$output" 'output           = (2305843009213693952, 2)'
}
