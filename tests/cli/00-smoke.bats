#!/usr/bin/env bats
# The first things a user does.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

@test "a row of a matrix goes to a file" {
	run -0 --separate-stderr tslice "$A" 1 -o row.npy
	same "$output$stderr" ''
	same "$(items row.npy)" '4 5 6 7'
	clean row.npy
}

@test "without -o the array goes to standard output" {
	tslice "$A" 1 >row.npy
	le32 4 5 6 7 | npy want.npy '<i4' '(4,)'
	cmp row.npy want.npy
}

@test "a column" {
	tslice "$A" ':,-1' -o o.npy
	same "$(items o.npy)" '3 7 11'
}

@test "rows backwards, every other column" {
	tslice "$A" '::-1, ::2' -o o.npy
	same "$(items o.npy)" '8 10 4 6 0 2'
}

@test "a new axis and an ellipsis change the shape alone" {
	tslice "$A" 'None,...' -o o.npy
	npy want.npy '<i4' '(1, 3, 4)' < <(tail -c +129 "$A")
	cmp o.npy want.npy
}

@test "one element is a rank-0 array" {
	tslice "$A" '2,3' -o o.npy
	le32 11 | npy want.npy '<i4' '()'
	cmp o.npy want.npy
}

@test "an empty slice is an array without elements" {
	tslice "$A" '3:' -o o.npy
	npy want.npy '<i4' '(0, 4)' </dev/null
	cmp o.npy want.npy
}

@test "brackets are optional" {
	tslice "$A" '[0, 1:3]' -o p.npy
	tslice "$A" '0,1:3' -o q.npy
	cmp p.npy q.npy
	same "$(items p.npy)" '1 2'
}

@test "the whole array comes out as it went in" {
	tslice "$A" ... -o o.npy
	cmp "$A" o.npy
	tslice "$B" ... -o o.npy
	cmp "$B" o.npy
}

@test "NumPy reads what tslice writes" {
	requires numpy
	tslice "$A" '1:,::-2' -o o.npy
	run -0 "${PYTHON:-python3}" -c \
		'import numpy; print(numpy.load("o.npy").tolist())'
	same "$output" '[[7, 5], [11, 9]]'
}

@test "what lies past the end of an axis is clamped, an index is not" {
	tslice "$A" '1:99' -o o.npy
	same "$(items o.npy)" '4 5 6 7 8 9 10 11'
	run -3 --separate-stderr tslice "$A" 3 -o p.npy
	same "$output" ''
	clean o.npy
}
