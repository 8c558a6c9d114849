#!/usr/bin/env bats
# Memory: what a command holds at most does not grow with its arrays.
# Inputs are of 128 MiB, some of more, but nearly all of them holes.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless
# shellcheck disable=SC2317 # in_both calls what seems not to be called

load helpers

# zeros NAME '<f4' SHAPE [F]: a large array that takes no room.
zeros() {
	local count=${3//,)/)}
	npy "$@" </dev/null
	truncate -s $((128 + 4 * ${count//,/ *})) "$1" 2>/dev/null ||
		skip 'the file system cannot hold it'
}

# picks NAME SIZE COUNT: that many positions below SIZE, in no order.
picks() {
	"${PYTHON:-python3}" - "$@" <<-'END'
	import sys
	import numpy as np
	name, size, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
	rng = np.random.default_rng(size)
	np.save(name, rng.integers(0, size, (count, 1), np.int64))
	END
}

# within MIB COMMAND... ['|' COMMAND...]...: none held as much as that.  With
# --max-memory 1M, where MEMORY says so, none may hold 16.  Without, so many MiB
# of MAPPED files may come to it where places are random; they are not ours.
within() {
	local limit=$(($1 + ${MAPPED-0})),$1 word words=()
	shift
	for word; do
		words+=("$word")
		case $word in
		tslice | tgather | tsetdiag)
			# shellcheck disable=SC2206 # none, or two words
			words+=(${MEMORY-}) ;;
		esac
	done
	if [[ ${MEMORY-} == *' 1M' ]]; then limit=16; fi
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/peak.py" \
		"$limit" "${words[@]}"
}

# At the default, and with next to nothing.
in_both() {
	local MEMORY
	for MEMORY in '' '--max-memory 1M'; do
		"$@"
		rm -f o.npy
	done
}

# The same where inputs are mapped as a whole: that counts if --max-memory is
# given; of its own the command has no more in any case.
in_all() {
	local MEMORY=''
	(ulimit -d $((64 * 1024)) && "$@" no_limit)
	for MEMORY in '--max-memory 56M' '--max-memory 1M'; do
		"$@" within
		rm -f o.npy
	done
}

no_limit() {
	shift
	"$@"
}

setup() {
	requires release numpy
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	set -o pipefail
}

teardown() {
	rm -rf "$BATS_TEST_TMPDIR/d"
}

@test "thousands of compressed members, side by side, are inflated one by one" {
	"${PYTHON:-python3}" -c 'import zipfile, numpy as np
np.savez_compressed("m.npz", **{str(i): [[i, -i]] for i in range(2000)})
np.save("0.npy", [[i, -i] for i in range(2000)])
np.save("1.npy", [[f for i in range(2000) for f in (i, -i)]])'
	local axis
	seq -f 'm.npz:%.0f' 0 1999 | tr '\n' '\0' >names
	for axis in 0 1; do
		within 64 tcat --axis $axis --files0-from names -o o.npy
		cmp o.npy $axis.npy
		within 64 tcat --axis $axis --all m.npz -o o.npy
		cmp o.npy $axis.npy
	done
}

@test "flat: slices of a matrix" {
	slices() {
		within 64 tslice m.npy '..., ::-1' -o o.npy
		within 64 tslice m.npy '::-1' -o o.npy
		within 64 tslice m.npy ':, 7' -o o.npy
		within 64 tslice m.npy '::2, ::3' -o o.npy
	}
	zeros m.npy '<f4' '(4096, 8192)'
	in_both slices
}

@test "flat: a slice with gaps on three axes" {
	slices() { within 64 tslice c.npy ':, ::2, 1:' -o o.npy; }
	zeros c.npy '<f4' '(128, 512, 512)'
	in_both slices
}

@test "flat: from one order to the other" {
	reorder() {
		"$1" 64 tslice m.npy ... --order C -o o.npy
		"$1" 64 tslice c.npy ... --order C -o o.npy
	}
	zeros m.npy '<f4' '(4096, 8192)' F
	zeros c.npy '<f4' '(128, 512, 512)' F
	in_all reorder
}

@test "flat: a pipe that is sliced as it comes" {
	forward() {
		cat c.npy | within 64 tslice - ':, ::2, 1:' -o o.npy
		cat c.npy | within 64 tslice - ... | cmp - c.npy
	}
	zeros c.npy '<f4' '(128, 512, 512)'
	in_both forward
}

@test "flat: a pipe that is sliced backwards" {
	backward() { cat c.npy | within 64 tslice - ::-1 -o o.npy; }
	zeros c.npy '<f4' '(128, 512, 512)'
	in_both backward
}

@test "flat: single numbers in any order" {
	local MAPPED=256
	zeros p.npy '<f4' '(67108864,)'
	picks i.npy 67108864 3000000
	within 64 tgather p.npy i.npy -o o.npy
	tslice i.npy :700000 -o few.npy
	MEMORY='--max-memory 1M' within 16 tgather p.npy few.npy -o o.npy
}

# What is in memory already is mapped, unless there is a bound on all of it.
@test "a table is mapped whole where it may be" {
	requires strace
	local nbytes=$((4194304 * 16 * 4))
	maps_whole() { # YES OPTION...
		local whole=0
		strace -f -qq -o log -e trace=mmap tgather "${@:2}" \
			c.npy i.npy -o o.npy
		! grep -q "mmap(NULL, $((nbytes + 128)), PROT_READ," log ||
			whole=1
		same $whole "$1"
	}
	zeros c.npy '<f4' '(4194304, 16)'
	picks i.npy 4194304 1000000
	cat c.npy >/dev/null
	# Where memory is short, it is soon gone from there.
	if command -v fincore >/dev/null &&
		[ "$(fincore -bnro RES c.npy)" -lt "$nbytes" ]; then
		skip 'the file does not stay in memory here'
	fi
	maps_whole 1
	maps_whole 1 --max-memory 1G
	maps_whole 0 --max-memory 256M
	(ulimit -v 900000 && maps_whole 0)
	# So few are put together in the processor's cache.
	picks i.npy 4194304 1000
	maps_whole 0
}

@test "flat: more indices than memory would hold" {
	gather() { within 64 tgather p.npy i.npy -o o.npy; }
	npy p.npy '<u2' '(7,)' </dev/null
	truncate -s 142 p.npy
	npy i.npy '|i1' '(50000000, 1)' </dev/null
	truncate -s $((128 + 50000000)) i.npy
	in_both gather
}

@test "flat: rows of 64 bytes, in any order" {
	local MAPPED=256
	gather() {
		within 64 tgather c.npy i.npy -o o.npy
		within 64 tgather f.npy few.npy -o o.npy
		within 64 tgather c.npy few.npy --order F -o o.npy
	}
	zeros c.npy '<f4' '(2097152, 16)'
	zeros f.npy '<f4' '(2097152, 16)' F
	picks i.npy 2097152 800000
	picks few.npy 2097152 100000
	in_both gather
}

@test "flat: rows of 4 KiB and of a megabyte, in any order" {
	local MAPPED=256
	gather() {
		within 64 tgather c.npy i.npy -o o.npy
		within 64 tgather f.npy few.npy -o o.npy
		within 64 tgather l.npy few.npy -o o.npy
	}
	zeros c.npy '<f4' '(32768, 1024)'
	zeros f.npy '<f4' '(32768, 1024)' F
	zeros l.npy '<f4' '(256, 262144)'
	picks i.npy 32768 20000
	picks few.npy 256 100
	in_both gather
}

@test "flat: rows of what comes from a pipe" {
	gather() { cat c.npy | within 64 tgather - i.npy -o o.npy; }
	zeros c.npy '<f4' '(2097152, 16)'
	picks i.npy 2097152 300000
	in_both gather
}

@test "flat: diagonals of many small matrices" {
	diagonals() {
		within 64 tsetdiag c.npy d.npy -o o.npy
		cat c.npy | within 64 tsetdiag - d.npy -o o.npy
	}
	zeros c.npy '<f4' '(524288, 8, 8)'
	npy d.npy '<f4' '(524288, 8)' </dev/null
	truncate -s $((128 + 524288 * 32)) d.npy
	in_both diagonals
}

@test "flat: the diagonal of one large matrix, and wide bands" {
	diagonals() {
		within 64 tsetdiag m.npy d.npy -o o.npy
		within 64 tsetdiag m.npy w.npy -k -1000:1000 -o o.npy
		cat w.npy | within 64 tsetdiag m.npy - -k -1000:1000 -o o.npy
	}
	zeros m.npy '<f4' '(4096, 8192)'
	npy d.npy '<f4' '(4096,)' </dev/null
	truncate -s $((128 + 4096 * 4)) d.npy
	npy w.npy '<f4' '(2001, 4096)' </dev/null
	truncate -s $((128 + 2001 * 4096 * 4)) w.npy
	in_both diagonals
}

@test "flat: a band that is as wide as rows longer than memory" {
	diagonals() {
		within 64 tsetdiag w.npy d.npy -k 0:8388607 -o o.npy
		within 64 tsetdiag w.npy d.npy -k 0:8388607 --print >text
	}
	npy w.npy '<f4' '(4, 8388608)' </dev/null
	truncate -s $((128 + 4 * 8388608 * 4)) w.npy
	npy d.npy '<f4' '(8388608, 4)' </dev/null
	truncate -s $((128 + 4 * 8388608 * 4)) d.npy
	in_both diagonals
}

@test "flat: diagonals from and to Fortran order" {
	diagonals() {
		"$1" 64 tsetdiag f.npy d.npy -o o.npy
		"$1" 64 tsetdiag c.npy d.npy --order F -o o.npy
	}
	zeros c.npy '<f4' '(4096, 8192)'
	zeros f.npy '<f4' '(4096, 8192)' F
	npy d.npy '<f4' '(4096,)' </dev/null
	truncate -s $((128 + 4096 * 4)) d.npy
	in_all diagonals
}

@test "flat: each command of a pipeline" {
	pipeline() {
		within 64 tslice c.npy '..., ::-1' '|' tgather - i.npy '|' \
			tsetdiag - d.npy '|' tslice - ::2 -o o.npy
	}
	zeros c.npy '<f4' '(512, 256, 256)'
	picks i.npy 512 450
	npy d.npy '<f4' '(450, 256)' </dev/null
	truncate -s $((128 + 450 * 256 * 4)) d.npy
	in_both pipeline
}

@test "flat: what is printed of a large array" {
	print() {
		within 64 tslice c.npy ::-1 --print >text
		cat c.npy | within 64 tslice - ::-1 --print | cmp - text
	}
	zeros c.npy '<f4' '(128, 512, 512)'
	in_both print
}

@test "the result does not depend on the memory" {
	local size
	"${PYTHON:-python3}" -c 'import numpy as np
a = np.arange(12 << 20, dtype="<u4").reshape(64, 384, 512)
np.save("a.npy", np.asfortranarray(a))
np.save("want.npy", np.ascontiguousarray(a[::-1, 1:, ::3]))'
	for size in 1M 3M 17M 1G; do
		tslice --max-memory $size a.npy ::-1,1:,::3 --order C -o o.npy
		cmp o.npy want.npy
		cat a.npy | tslice --max-memory $size - ::-1,1:,::3 \
			--order C | cmp - want.npy
	done
}

@test "no more threads than have memory to map what they pick from" {
	requires strace
	local memory threads
	zeros in.npy '<f4' '(32768, 1024)'
	for memory in 1M 8M 16M 56M 128M; do
		case $memory in 1M | 8M) threads=1 ;; *)
			threads=$((${memory%M} / 8)) ;; esac
		strace -f -qq -o log -e trace=clone,clone3 \
			tslice -j 64 --max-memory $memory in.npy ':, 3' -o o.npy
		same $(($(grep -c CLONE_THREAD log) + 1)) $threads
		rm o.npy
	done
}

@test "few rows of a large table, with little memory: one batch of them" {
	requires strace
	in_one_batch() {
		strace -f -qq -o log -e trace=pread64 -P "$PWD/i.npy" \
			"$@" --max-memory 1M
		[ "$(grep -c pread64 log)" -lt 40 ]
	}
	npy t.npy '<i8' '(536870912,)' </dev/null
	truncate -s $((128 + 4294967296)) t.npy
	head -c 160000 /dev/zero | npy u.npy '<i8' '(20000,)'
	"${PYTHON:-python3}" -c 'import numpy as np
i = np.random.default_rng(1).integers(0, 1 << 29, (20000, 1))
np.save("i.npy", i)'
	in_one_batch tgather t.npy i.npy -o o.npy
	cmp o.npy u.npy
	in_one_batch tscatter t.npy i.npy u.npy --in-place
}
