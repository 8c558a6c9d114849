#!/usr/bin/env bats
# Archives that are written: -o FILE.npz:NAME and --deflate.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2030,SC2031 # a function called in a test sees its status

load helpers
load ops
load faults

# members list|check|bytes|large FILE...: sweep/members.py
members() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/members.py" "$@"
}

# holds FILE NAME ARRAY: the archive is whole, and has that array.
holds() {
	members check "$1"
	members bytes "$1" "$2" | cmp - "$3"
}

# one_changed NAME ARRAY: o.npz is old.npz with that member at its end.
one_changed() {
	members replaced old.npz o.npz "$@"
}

# in.npy is int32, 2 x 3.  old.npz, and o.npz, have a, b, of another date, a
# folder, a text, sub/c and, inflated, z; and a comment.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	"${PYTHON:-python3}" - "$BATS_TEST_DIRNAME/../sweep" <<-'END'
	import sys, zipfile
	sys.path.insert(0, sys.argv[1])
	from zips import ARRAY
	open("in.npy", "wb").write(ARRAY)
	with zipfile.ZipFile("old.npz", "w") as z:
	    z.comment = b"of the archive"
	    z.writestr("a.npy", ARRAY)
	    z.writestr(zipfile.ZipInfo("b.npy", (1999, 12, 31, 0, 0, 0)), ARRAY)
	    z.writestr("folder/", b"")
	    z.writestr("readme.txt", "a text", zipfile.ZIP_LZMA)
	    z.writestr("sub/c.npy", ARRAY)
	    z.writestr("z.npy", ARRAY, zipfile.ZIP_DEFLATED)
	END
	cp old.npz o.npz
}

@test "a member is added, or takes another's place, and all else stays" {
	local name level
	tslice in.npy ::-1 -o want.npy
	for name in new a b sub/c z 'with blank' größe x:y c.npy; do
		for level in '' --deflate=1; do
			cp old.npz o.npz
			tslice in.npy ::-1 $level -o "o.npz:$name"
			one_changed "${name%.npy}.npy" want.npy
			tcmp "o.npz:$name" want.npy
			cp o.npz once.npz
			tslice in.npy ::-1 $level -o "o.npz:$name"
			cmp once.npz o.npz
		done
	done
	for level in --deflate --deflate=6 --deflate=9; do
		tslice in.npy ::-1 $level -o o.npz:c
		members list o.npz | grep '^c.npy 8 1980-01-01'
		one_changed c.npy want.npy
	done
	rm once.npz
	clean in.npy o.npz old.npz want.npy
}

@test "an archive that is not there is made, and np.load is not alone with it" {
	tslice in.npy -o new.npz:a
	tslice in.npy ::-1 --deflate -o ./new.npz:b/c
	same "$(members list new.npz | cut -d ' ' -f 1-3)" \
		'a.npy 0 1980-01-01
b/c.npy 8 1980-01-01'
	holds new.npz a.npy in.npy
	if command -v unzip >/dev/null; then
		unzip -tq new.npz
	fi
	shows 'new.npz:a: (2, 3)
new.npz:b/c: (2, 3)' tshape new.npz
	rm new.npz
	clean in.npy o.npz old.npz
}

@test "every command that makes data writes members, deflated ones, too" {
	local command level
	printf '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' | npy i.npy '<i8' '(2, 1)'
	tslice in.npy :,0 -o d.npy
	printf '1 2\n3 4.5\n' >text
	while read -r command; do
		for level in '' --deflate; do
			# shellcheck disable=SC2086 # of several words
			$command -o want.npy
			# shellcheck disable=SC2086
			$command $level -o o.npz:r
			one_changed r.npy want.npy
		done
	done <<-'END'
	tslice in.npy :,::-1
	tslice --order F in.npy
	tgather in.npy i.npy
	tgather in.npy i.npy --order F
	tgather in.npy i.npy --axis 0
	tsetdiag in.npy d.npy
	tassign in.npy 0 --value 5
	tscatter in.npy i.npy in.npy
	tscatter --shape 3,3 i.npy in.npy
	tgetdiag in.npy
	tcat in.npy in.npy o.npz:b
	tcat --new-axis 1 in.npy in.npy
	tparse text
	tparse --order F text
	END
}

@test "archives lead to themselves" {
	tslice o.npz:a ::-1 -o o.npz:a
	tslice in.npy ::-1 -o want.npy
	one_changed a.npy want.npy
	tslice o.npz:z -o o.npz:y
	holds o.npz y.npy in.npy
	tslice in.npy | tslice - -o o.npz:z
	holds o.npz z.npy in.npy
	mv o.npz data
	tslice in.npy 1 -o data:only
	shows '(3,)' tshape data:only
	ln -s data link.npz
	tslice in.npy 0 -o link.npz:only
	shows '0 1 2' bash -c 'tslice data:only --print=plain | xargs'
	[ -L link.npz ]
}

@test "the same input is the same bytes, whatever the threads and the way" {
	local j
	head -c 3000000 /dev/urandom | tr '\000-\277' '\000' |
		npy r.npy '|u1' '(3000, 1000)'
	for j in 1 2 3 7; do
		tslice -j $j r.npy ::-1 --deflate -o $j.npz:r
		cmp 1.npz $j.npz
		tslice -j $j r.npy ::-1 -o s$j.npz:r
		cmp s1.npz s$j.npz
	done
	tslice r.npy ::-1 | cat | tslice - --deflate -o p.npz:r
	cmp 1.npz p.npz
	tslice r.npy ::-1 -o want.npy
	holds 1.npz r.npy want.npy
	holds s1.npz r.npy want.npy
	# Whole blocks, one byte less, one more.
	for j in 130943 130944 130945; do
		head -c $j r.npy | npy n.npy '|u1' "($j,)"
		tslice n.npy --deflate -o n.npz:n
		holds n.npz n.npy n.npy
	done
}

@test "what is no name, or no array, is refused, and nothing is there" {
	local name
	for name in '' .. . ../a a/../b a/. ./a /a a/ a//b 'a\b' '..\a'; do
		fails 2 usage tslice in.npy -o "n.npz:$name"
	done
	fails 2 usage tslice in.npy --print -o n.npz:a
	fails 2 usage tslice in.npy --image -o n.npz:a
	fails 2 usage tslice in.npy --part 1/2 -o n.npz:a
	fails 2 usage tshape in.npy -o n.npz:a
	fails 2 usage tcmp in.npy in.npy -o n.npz:a
	fails 2 usage tcat --append n.npz:a in.npy
	run -2 --separate-stderr bash -c \
		'cat in.npy in.npy | tslice --all - -o n.npz:a'
	fails 2 usage tslice in.npy -o n.npz
	has "$stderr" 'name the array in it, as in -o n.npz:NAME'
	fails 2 usage tslice in.npy -o ./old.npz
	fails 2 usage tslice in.npy --deflate -o n.npy
	fails 2 usage tslice in.npy --deflate
	fails 2 syntax tslice in.npy --deflate=0 -o n.npz:a
	fails 2 syntax tslice in.npy --deflate=10 -o n.npz:a
	fails 4 io tslice in.npy -o none/n.npz:a
	mkdir n.npz
	fails 4 io tslice in.npy -o n.npz:a
	rmdir n.npz
	cmp old.npz o.npz
	clean in.npy o.npz old.npz
}

@test "a file of the whole name is a file" {
	cp in.npy o.npz:a
	tslice in.npy 0 -o o.npz:a
	same "$(items o.npz:a)" '0 1 2'
	cmp old.npz o.npz
}

@test "no-clobber keeps a member, and adds others" {
	fails 4 io tslice in.npy --no-clobber -o o.npz:a
	has "$stderr" 'not replaced'
	cmp old.npz o.npz
	tslice in.npy --no-clobber -o o.npz:new
	one_changed new.npy in.npy
	tslice in.npy --no-clobber -o n.npz:new
	holds n.npz new.npy in.npy
}

@test "what is no archive, or a broken one, stays" {
	local bad
	: >empty.npz
	cp in.npy array.npz
	head -c 300 old.npz >cut.npz
	sed 's/PK\x01\x02/PK\x01\x03/' old.npz >directory.npz
	sed 's/PK\x03\x04/PK\x03\x05/2; s/b\.npy/q.npy/' old.npz >header.npz
	for bad in empty array cut directory header; do
		cp $bad.npz was
		fails 3 bad_archive tslice in.npy -o $bad.npz:a
		cmp was $bad.npz
	done
	rm was
	clean array.npz cut.npz directory.npz empty.npz header.npz in.npy \
		o.npz old.npz
}

@test "an archive of 5 GiB takes a member, holes and all, and gives one up" {
	members large l.npz
	[ "$(stat -c %b l.npz)" -lt 1000 ] || skip 'no holes in files here'
	tslice in.npy -o l.npz:x
	[ "$(stat -c %b l.npz)" -lt 1000 ]
	members bytes l.npz x.npy | cmp - in.npy
	shows '(2, 3)' tshape l.npz:x
	tslice in.npy ::-1 --deflate -o l.npz:y
	tslice in.npy ::-1 -o want.npy
	members bytes l.npz x.npy | cmp - in.npy
	members bytes l.npz y.npy | cmp - want.npy
	tslice in.npy -o l.npz:big
	[ "$(stat -c %s l.npz)" -lt 2000 ]
	holds l.npz big.npy in.npy
	holds l.npz x.npy in.npy
	holds l.npz y.npy want.npy
}

@test "a disk that fills, or a signal, leaves the old archive" {
	requires strace
	no_leak_check
	local n fault level hits
	for fault in error=ENOSPC error=EIO signal=TERM signal=KILL; do
		for level in '' --deflate; do
			hits=0
			for n in 1 2 3 4 5 6 7 8 9; do
				cp old.npz o.npz
				run --separate-stderr faulty pwrite64,ftruncate \
					"$fault:when=$n" -- tslice -j 1 \
					in.npy $level -o o.npz:b
				[ "$status" != 0 ] || break
				hits=$((hits + 1))
				case $fault in
				error=*) same "$status" 4 ;;
				esac
				cmp old.npz o.npz
				clean in.npy o.npz old.npz
			done
			[ "$hits" -ge 5 ]
			one_changed b.npy in.npy
		done
	done
}

@test "an archive that somebody changes meanwhile stays as it is then" {
	mkfifo pipe
	tslice - -o o.npz:slow <pipe 2>err &
	child $!
	exec 9>pipe
	head -c 100 in.npy >&9
	wait_for [ -e "/proc/$!" ]
	tslice in.npy -o o.npz:quick
	cp o.npz quick.npz
	tail -c +101 in.npy >&9
	exec 9>&-
	wait "$!" || status=$?
	if [ -s err ]; then
		grep 'changed by somebody else' err
		cmp quick.npz o.npz
	else
		# It was not opened before.
		holds o.npz quick.npy in.npy
		holds o.npz slow.npy in.npy
	fi
}

# second_fails MICROSECONDS MESSAGE: the first has seen that nobody changed the
# archive, and sleeps so long before its own has the name; the second comes.
second_fails() {
	requires strace
	no_leak_check
	local slow
	strace -qq -o log -e trace=flock,renameat \
		-e "inject=renameat:delay_enter=$1" \
		tslice in.npy -o o.npz:slow &
	slow=$!
	wait_for grep flock log
	run -4 --separate-stderr tslice in.npy -o o.npz:quick
	has "$stderr" "$2"
	wait "$slow"
	grep 'renameat.*DELAYED' log
	holds o.npz slow.npy in.npy
	clean in.npy o.npz old.npz log
}

@test "of two at once none loses what the other has put in" {
	second_fails 300000 'changed by somebody else'
	tslice in.npy -o o.npz:quick
	holds o.npz slow.npy in.npy
	holds o.npz quick.npy in.npy
}

@test "nor does it if the first sleeps longer than anybody waits" {
	second_fails 2500000 'locked by somebody else'
}

@test "a lock is ours if who runs us has it" {
	requires flock
	exec 9<o.npz
	flock 9
	tslice in.npy -o o.npz:new
	exec 9<&-
	holds o.npz new.npy in.npy
	flock o.npz tslice in.npy -o o.npz:newer
	holds o.npz newer.npy in.npy
	run -4 --separate-stderr flock -o o.npz tslice in.npy -o o.npz:last
	has "$stderr" 'locked by somebody else'
	holds o.npz newer.npy in.npy
}

@test "locks that are for writers only, or not at all" {
	requires strace
	no_leak_check
	strace -qq -o log -e trace=flock -e inject=flock:error=EBADF:when=1 \
		tslice in.npy -o o.npz:a
	holds o.npz a.npy in.npy
	same "$(grep -c flock log)" 2
	strace -qq -o log -e trace=flock -e inject=flock:error=ENOLCK \
		tslice in.npy -o o.npz:b
	holds o.npz a.npy in.npy
	holds o.npz b.npy in.npy
	exec 9<o.npz
	flock 9
	run -4 --separate-stderr strace -qq -o log -e trace=flock,openat \
		-e inject=flock:error=EBADF:when=1 \
		sh -c 'exec 9<&-; exec tslice in.npy -o o.npz:c'
	exec 9<&-
	has "$stderr" 'locked by somebody else'
	grep 'INJECTED' log
	grep 'o.npz", O_RDWR' log
}

# Whoever deflates: what comes out is whole, and no larger than zlib's by more
# than a tenth.  Blocks are of 128 KiB, the header with them.
@test "deflated members are as small with ISA-L as without it" {
	mkdir broken
	echo >broken/libisal.so.2
	"${PYTHON:-python3}" - <<-'END'
	import os, subprocess, zlib
	import numpy as np
	rng = np.random.default_rng(1)
	n = 40000
	arrays = {
	    "noise": rng.standard_normal(n).astype("f4"),
	    "integers": rng.integers(0, 251, n).astype("f4"),
	    "ramp": np.arange(n),
	    "walk": rng.standard_normal(n).cumsum(),
	    "zeros": np.zeros(n),
	    "mask": rng.random(8 * n) < .1,
	    "sparse": np.where(rng.random(n) < .05, rng.random(n), 0),
	    "period": np.tile(rng.integers(0, 256, 20000).astype("u1"), 20),
	}
	edges = [0, 1, 31, (32 << 10) - 128, (128 << 10) - 128,
	         (128 << 10) - 127, (256 << 10) - 128]
	arrays |= {f"bytes {m}": rng.integers(0, 4, m).astype("u1")
	           for m in edges}
	for name, a in arrays.items():
	    np.save("a.npy", a)
	    data = open("a.npy", "rb").read()
	    z = zlib.compressobj(6, zlib.DEFLATED, -15)
	    most = 1.1 * (len(z.compress(data)) + len(z.flush())) + 400
	    for level in "1", "6", "9":
	        for path in "", "broken":
	            env = os.environ | {"LD_LIBRARY_PATH": path}
	            subprocess.run(["tslice", "a.npy", f"--deflate={level}",
	                            "-o", "d.npz:a"], env=env, check=True)
	            z = np.load("d.npz")
	            assert z["a"].tobytes() == a.tobytes(), (name, level, path)
	            size = os.path.getsize("d.npz")
	            assert level == "1" or size <= most, (name, path, size, most)
	            os.unlink("d.npz")
	END
	rm -r a.npy broken
	clean in.npy o.npz old.npz
}
