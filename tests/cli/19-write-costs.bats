#!/usr/bin/env bats
# What writing over an array costs: memory that does not grow with it, and time
# that goes with the bytes and not with the number of diagonals or tuples.
# Arrays are of 64 MiB, and some of them nearly all holes.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load faults

setup() {
	requires numpy
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	set -o pipefail
}

# holes NAME DESCR SHAPE BYTES [F]: an array that takes no room.
holes() {
	local name=$1 bytes=$4
	npy "$1" "$2" "$3" ${5+"$5"} </dev/null
	truncate -s $((128 + bytes)) "$name" 2>/dev/null ||
		skip 'the file system cannot hold it'
}

# within MIB[,OWN] COMMAND... ['|' COMMAND...]...: none held as much as that, nor
# so much of its own.
within() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/peak.py" "$@"
}

MIB64=$((64 * 1024 * 1024))

@test "memory: tassign, in place, beside and by pipes" {
	requires release
	holes in.npy '<f4' '(4096, 4096)' $MIB64
	holes half.npy '>f4' '(4096, 2048)' $((MIB64 / 2))
	holes f.npy '<f4' '(4096, 4096)' $MIB64 F
	for memory in 1M 16M; do
		limit=$((${memory%M} + 14))
		within $limit tassign --max-memory $memory in.npy ':, ::2' \
			half.npy --in-place
		within $limit tassign --max-memory $memory f.npy ':, ::2' \
			half.npy --in-place
		within $limit tassign --max-memory $memory in.npy '::-1, ::2' \
			half.npy -o o.npy
		within $limit cat in.npy '|' tassign --max-memory $memory - \
			':, 1::2' half.npy '|' tslice - 0 >/dev/null
		within $limit cat half.npy '|' tassign --max-memory $memory \
			in.npy '..., ::2' - --in-place
	done
}

@test "memory: small and odd elements" {
	requires release
	holes bytes.npy '|u1' '(8192, 8192)' $MIB64
	holes odd.npy '|V100' '(671088,)' 67108800
	within 15 tassign --max-memory 1M bytes.npy ':, 1::3' --value 7 \
		--in-place
	within 15 tassign --max-memory 1M bytes.npy '::3, :' --value 7 -o o.npy
	holes v.npy '|V100' '(335544,)' 33554400
	within 15 tassign --max-memory 1M odd.npy '::2' v.npy --in-place
	within 15 tassign --max-memory 1M odd.npy '::-2' v.npy -o o.npy
}

@test "memory: tscatter, in place, beside and by pipes" {
	requires release
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	rng = np.random.default_rng(1)
	np.save("at.npy", rng.permutation(1 << 18)[:, None])
	END
	holes in.npy '<f4' '(262144, 64)' $MIB64
	holes v.npy '>f4' '(262144, 64)' $MIB64
	within 15 tscatter --max-memory 1M in.npy at.npy v.npy --in-place
	within 192,64 tscatter in.npy at.npy v.npy --in-place
	within 15 tscatter --max-memory 1M in.npy at.npy v.npy -o o.npy
	within 15 cat v.npy '|' tscatter --max-memory 1M in.npy at.npy - \
		--in-place --duplicates error
	within 15 cat in.npy '|' tscatter --max-memory 1M - at.npy v.npy '|' \
		tslice - 0 >/dev/null
}

@test "memory: bands of many diagonals" {
	requires release
	holes in.npy '<f8' '(2000, 2000)' 32000000
	within 15 tgetdiag --max-memory 1M in.npy -k -1999:1999 -o d.npy
	within 15 tsetdiag --max-memory 1M in.npy d.npy -k -1999:1999 --in-place
	within 15 tsetdiag --max-memory 1M in.npy d.npy -k -1999:1999 -o o.npy
	cat in.npy | within 15 tgetdiag --max-memory 1M - -k -1999:1999 -o p.npy
	cmp d.npy p.npy
}

# In a second or two, not in a minute for each time that all is gone through.
@test "time: thousands of diagonals in place" {
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	a = np.random.default_rng(1).integers(0, 256, (3000, 3000), np.uint8)
	np.save("c.npy", a)
	np.save("f.npy", np.asfortranarray(a))
	END
	for m in c f; do
		cp $m.npy in.npy
		tgetdiag in.npy -k -2999:2999 -o d.npy
		tassign in.npy ... --value 0 --in-place
		(ulimit -t 10 && tsetdiag in.npy d.npy -k -2999:2999 --in-place)
		cmp $m.npy in.npy
	done
}

@test "time: many tuples with little memory" {
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	rng = np.random.default_rng(1)
	np.save("at.npy", rng.permutation(1 << 20)[:, None])
	np.save("v.npy", np.arange(1 << 20))
	END
	holes in.npy '<i8' '(1048576,)' $((1024 * 1024 * 8))
	(ulimit -t 20 && tscatter --max-memory 1M in.npy at.npy v.npy \
		--in-place --duplicates error)
	tgather in.npy at.npy | cmp - v.npy
}

# Rows of a file in Fortran order are all over it.  For each batch of runs that
# memory holds it was gone through from end to end.
@test "calls: rows all over a file in Fortran order are written in one pass" {
	requires strace
	no_leak_check
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	rng = np.random.default_rng(1)
	f = np.asfortranarray(rng.integers(0, 99, (600, 40, 70), "i2"))
	mask = rng.random((600, 40)) < .6
	np.save("f.npy", f)
	np.save("c.npy", np.ascontiguousarray(f))
	for name, at, updates in (
	    ("rows", rng.integers(0, 600, (2, 150, 1)),
	     rng.integers(0, 99, (2, 150, 40, 70)).astype(">i2")),
	    ("pairs", rng.integers(0, 40, (9000, 2), "u1"),
	     np.asfortranarray(rng.integers(0, 99, (9000, 70), "i2"))),
	    ("mask", mask, rng.integers(0, 99, (mask.sum(), 70), "i2"))):
	    np.save(f"{name}.npy", at)
	    np.save(f"{name}.updates.npy", updates)
	END
	for at in rows pairs mask; do
		for updates in $at.updates.npy '--value 7'; do
			# shellcheck disable=SC2086 # two words
			set -- $at.npy $updates
			tscatter c.npy "$@" -o want.npy
			cp f.npy in.npy
			strace -f -qq -o "$log" -P "$PWD/in.npy" -e trace=mmap \
				tscatter in.npy "$@" --in-place --max-memory 1M
			same "$at: $(tcmp in.npy want.npy)" "$at: "
			[ "$(grep -c mmap "$log")" -lt 100 ]
			for k in 2 1 3; do
				tscatter f.npy "$@" -o o.npy --part $k/3 \
					--max-memory 1M
			done
			same "$(tcmp o.npy want.npy)" ''
		done
	done
}

# Each row of each matrix was looked at by itself.
@test "calls: of a wide band of many matrices each is read once" {
	requires strace
	no_leak_check
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np
	rng = np.random.default_rng(1)
	np.save("in.npy", rng.integers(0, 99, (20, 200, 200), "u1"))
	np.save("large.npy", rng.integers(0, 99, (3, 700, 700)))
	END
	for memory in 1M 56M; do
		strace -f -qq -o "$log" -e trace=pread64,mmap -P "$PWD/in.npy" \
			tgetdiag in.npy -k -199:199 --max-memory $memory \
			-o d.npy
		[ "$(grep -c 'pread64\|mmap' "$log")" -lt 30 ]
		tslice in.npy ... -o set.npy
		tassign set.npy ... --value 0 --in-place
		tsetdiag set.npy d.npy -k -199:199 -o set.npy
		cmp set.npy in.npy
	done
	strace -f -qq -o "$log" -e trace=pread64,mmap -P "$PWD/large.npy" \
		tgetdiag large.npy -k -699:699 -o d.npy
	[ "$(grep -c 'pread64\|mmap' "$log")" -lt 60 ]
}

# Each matrix spans all of the file.
@test "a band of many small matrices in Fortran's order is taken diagonal by diagonal" {
	local log="$BATS_TEST_TMPDIR/log" memory
	requires strace
	no_leak_check
	"${PYTHON:-python3}" -c "import numpy as np
a = np.arange(20000 * 63 * 3, dtype='<u4').astype('u1').reshape(20000, 63, 3)
np.save('C.npy', a)
np.save('in.npy', np.asfortranarray(a))"
	tgetdiag C.npy -k -62,2 -o want.npy
	for memory in 1M 2M; do
		timeout 60 strace -f -qq -o "$log" -e trace=pread64,mmap \
			-P "$PWD/in.npy" tgetdiag -j 2 --max-memory $memory \
			in.npy -k -62,2 -o o.npy
		cmp want.npy o.npy
		[ "$(wc -l <"$log")" -lt 10000 ]
	done
}
