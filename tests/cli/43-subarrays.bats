#!/usr/bin/env bats
# Arrays within the elements of an array, to any depth.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# x.npy as numpy.save writes it: fields that are arrays of arrays; part.npy,
# rows 1 and 2 of it.
nested() {
	requires numpy
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	v = np.dtype(("<f4", (3,)))
	w = np.dtype((v, (2,)))
	dtype = np.dtype([("normal", v), ("vertices", v, (3,)),
	                  ("deep", np.dtype([("w", w, (2,))]), (2,)), ("n", "i1")])
	x = np.frombuffer(bytes(range(241)) * (5 * dtype.itemsize),
	                  np.uint8)[:5 * dtype.itemsize].view(dtype)
	np.save("x.npy", x)
	np.save("part.npy", x[1:3])
	END
	has "$(head -c 256 x.npy | tr -d '\0')" "('vertices', ('<f4', (3,)), (3,))"
}

@test "a slice of them is what NumPy saves" {
	nested
	tslice x.npy ... -o o.npy
	cmp x.npy o.npy
	tslice x.npy 1:3 -o o.npy
	cmp part.npy o.npy
}

@test "NumPy loads the slice, with the type it had" {
	nested
	tslice x.npy ::-2 -o o.npy
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	x, o = np.load("x.npy"), np.load("o.npy")
	assert o.dtype == x.dtype
	assert o.tobytes() == x[::-2].tobytes()
	END
}

@test "their type is shown as it is saved" {
	nested
	run -0 tshape -l x.npy
	has "$output" "('vertices', ('<f4', (3,)), (3,))"
	has "$output" "[('w', (('<f4', (3,)), (2,)), (2,))]"
	run -0 tshape --json x.npy
	same "$(jq .nbytes <<<"$output")" 725
}

# pair DESCR SHAPE: an array with that type, in x.npy.
pair() {
	"${PYTHON:-python3}" - "$1" "$BATS_TEST_DIRNAME/../sweep" <<-'END'
	import sys
	sys.path.insert(0, sys.argv[2])
	import npyfile
	text = "{'descr': %s, 'fortran_order': False, 'shape': (0,), }"
	with open("x.npy", "wb") as f:
	    f.write(npyfile.frame((text % sys.argv[1]).encode(), 1))
	END
}

@test "outside of a field a pair is refused" {
	pair "('<f4', (3,))"
	refuses 3 bad_descr x.npy 0
	pair "(('<f4', (3,)), (2,))"
	refuses 3 bad_descr x.npy 0
}

@test "Python objects are found in a pair" {
	pair "[('a', (('|O', (2,)), (2,)), (2,))]"
	refuses 3 object_dtype x.npy 0
}

@test "fields without a name are no padding" {
	printf '\1\2\3\4' | npy r.npy "[('', [('x', '|i1')]), ('b', '|i1')]" '(2,)'
	run -0 tslice --print r.npy ...
	same "$output" '[((1,), 2) ((3,), 4)]'
	printf '\1\2\3\4' | npy r.npy "[('', '|V1'), ('b', '|i1')]" '(2,)'
	run -0 tslice --print r.npy ...
	same "$output" '[(2,) (4,)]'
}
