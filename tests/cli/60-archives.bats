#!/usr/bin/env bats
# Members of zip archives, as .npz files are, as inputs; and archives that are
# made to do harm.  Of broken ones sweep/npz.py has more.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops
load faults

# zips ARGUMENT...: sweep/zips.py
zips() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/zips.py" "$@"
}

# s.npz and c.npz have images (int32, 2 x 3), labels and größe; one.npz has a.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	"${PYTHON:-python3}" - "$BATS_TEST_DIRNAME/../sweep" <<-'END'
	import sys
	sys.path.insert(0, sys.argv[1])
	from zips import ARRAY, DEFLATED, STORED, UTF8, Entry, archive
	for name, method in ("s.npz", STORED), ("c.npz", DEFLATED):
	    open(name, "wb").write(archive(*(
	        Entry(n + ".npy", method=method, both={"flags": UTF8})
	        for n in ("images", "labels", "größe"))))
	open("one.npz", "wb").write(archive(Entry("a.npy", method=DEFLATED)))
	open("a.npy", "wb").write(ARRAY)
	END
}

@test "a member is called by its name, with or without .npy" {
	local a
	for a in s.npz c.npz; do
		tslice $a:images -o o.npy
		cmp o.npy a.npy
		tslice $a:labels.npy 1 -o o.npy
		same "$(items o.npy)" '3 4 5'
		tslice "$PWD/$a:größe" ':, ::-1' | cat >o.npy
		same "$(items o.npy)" '2 1 0 5 4 3'
	done
	clean a.npy c.npz o.npy one.npz s.npz
}

@test "an archive of one member stands for it" {
	tslice one.npz 1 -o o.npy
	same "$(items o.npy)" '3 4 5'
	shows '(2, 3)' tshape one.npz
	shows 'one.npz: (2, 3)' tshape -H one.npz
	# It may be replaced, as any other input.
	cp one.npz one
	tslice one -o one
	cmp one a.npy
}

@test "what an archive is tells its content, not its name" {
	cp a.npy plain.npz
	shows '(2, 3)' tshape plain.npz
	mv one.npz data
	shows '(2, 3)' tshape data
	shows '(2, 3)' tshape data:a
	fails 3 bad_archive tslice plain.npz:a
	has "$stderr" 'plain.npz:a: no such file, and the one before the colon'
	fails 4 io tslice missing.npz:a
}

@test "a file of the whole name comes first, and then the longest name" {
	cp one.npz s.npz:größe
	tslice s.npz:größe 1 -o o.npy
	same "$(items o.npy)" '3 4 5'
	fails 3 npz_member tslice s.npz:größe:images
	tslice s.npz:größe:a 0 -o o.npy
	same "$(items o.npy)" '0 1 2'
	mkfifo s.npz:x
	fails 3 npz_member tslice s.npz:x:images
	ln -s nowhere s.npz:images
	fails 4 io tslice s.npz:images
}

@test "tshape shows each member, and a question is about each" {
	shows 's.npz:images: (2, 3)  <i4  C  24
s.npz:labels: (2, 3)  <i4  C  24
s.npz:größe:  (2, 3)  <i4  C  24' tshape -l s.npz
	shows 's.npz:labels: 6' bash -c 'tshape s.npz size | sed -n 2p'
	answers 1 'c.npz:images: false
c.npz:labels: false
c.npz:größe: false' tshape c.npz is-vector
	answers 0 'a.npy: true
s.npz:images: true
s.npz:labels: true
s.npz:größe: true' tshape a.npy s.npz is-matrix
	shows '{"name":"c.npz:images","value":2}' \
		bash -c 'tshape --json c.npz ndim | head -n 1'
}

@test "a member that is no array does not stop the others" {
	zips x.npz several-kinds
	run -3 --separate-stderr tshape x.npz
	same "$output" 'x.npz:a: (2, 3)'
	has "$stderr" 'x.npz:readme: not an .npy file but text'
}

@test "of two members of one name none is shown, and all others are" {
	"${PYTHON:-python3}" - "$BATS_TEST_DIRNAME/../sweep" <<-'END'
	import sys
	sys.path.insert(0, sys.argv[1])
	from zips import A, UTF8, Entry, archive
	open("x.npz", "wb").write(archive(
	    Entry("b.npy"), A, Entry("c.npy"), A, Entry("z.npy"), A,
	    Entry(b"\xff.npy", both={"flags": UTF8}),
	    Entry("v.npy", both={"version": 90}), Entry("d")))
	END
	run -3 --separate-stderr tshape x.npz
	same "$output" 'x.npz:b: (2, 3)
x.npz:c: (2, 3)
x.npz:z: (2, 3)
x.npz:d: (2, 3)'
	same "$(grep -c 'x.npz:a: the archive has 3 members of that name' \
		<<<"$stderr")" 1
	has "$stderr" "the member's name is not UTF-8"
	has "$stderr" 'x.npz:v: the member needs version 9.0 of the zip format'
	same "$(wc -l <<<"$stderr")" 3
	fails 3 bad_archive tslice x.npz:a
	has "$stderr" 'the archive has 3 members of that name'
	fails 3 bad_archive tcat x.npz:b x.npz:c x.npz:a
	has "$stderr" 'x.npz:a: the archive has 3 members of that name'
	tcat x.npz:z x.npz:d -o o.npy
	shows '(4, 3)' tshape o.npy
}

@test "an array without elements is checked as all others are" {
	zips x.npz empty-wrong-crc
	ints i.npy '(2, 1)' 0 1
	ints none.npy '(0, 1)'
	ints diag.npy '(0,)'
	refuses() { fails 3 bad_archive "$@" -o o.npy; [ ! -e o.npy ]; }
	refuses tslice x.npz
	refuses tslice x.npz 0:0
	refuses tgather x.npz none.npy
	refuses tgetdiag x.npz
	refuses tsetdiag x.npz diag.npy
	refuses tassign x.npz ... --value 1
	refuses tassign a.npy 0:0 x.npz
	refuses tscatter x.npz none.npy x.npz
	refuses tcat x.npz x.npz
	refuses tcat a.npy x.npz
	refuses tcat --all x.npz a.npy
	fails 3 bad_archive tslice --print x.npz
	cp a.npy own.npy
	fails 3 bad_archive tassign own.npy 0:0 x.npz --in-place
	cmp own.npy a.npy
}

@test "an archive that cannot be read is not told to be none" {
	requires strace
	local path before n
	no_leak_check
	before=$(before_main pread64)
	for path in one.npz one.npz:a; do
		for n in 1 2 3 4 5 6; do
			run --separate-stderr faulty pread64 \
				error=EIO:when=$((before + n)) -- \
				tshape --json $path
			injected || break
			same "$status" 4
			has "$stderr" '"kind":"io"'
		done
		[ "$n" -gt 3 ]
	done
}

@test "a wrong name is answered with those that there are, and the nearest" {
	fails 3 npz_member tslice s.npz
	has "$stderr" 's.npz: an archive of several members; name one as'
	has "$stderr" 'images, labels, größe'
	fails 3 npz_member tslice s.npz:lables 0
	has "$stderr" 'the archive has: images, labels, größe'
	has "$stderr" 'did you mean labels?'
	fails 3 npz_member tgather a.npy c.npz:label
	has "$stderr" 'did you mean labels?'
	fails 3 npz_member tshape s.npz:lables
	has "$stderr" 'did you mean labels?'
	zips x.npz no-members
	fails 3 npz_member tslice x.npz
	fails 3 npz_member tshape x.npz
	fails 3 npz_member tslice x.npz:a
}

@test "of many names some are listed, and what they hide is shown" {
	"${PYTHON:-python3}" -c 'import zipfile
z = zipfile.ZipFile("x.npz", "w")
for i in range(5000): z.writestr(f"name{i}.npy", b"")
z.close()
z = zipfile.ZipFile("y.npz", "w")
z.writestr("\033[31m\u202ered.npy", b"")
z.writestr("n" * 3000, b"")
z.close()'
	fails 3 npz_member tslice x.npz:name
	matches "$stderr" '.*: name0, name1, .* and 49[0-9][0-9] more.*'
	fails 3 npz_member tslice x.npz:nmae4999
	has "$stderr" 'did you mean name'
	fails 3 npz_member tslice y.npz:q
	has "$stderr" '\x1b[31m\xe2\x80\xaered and 1 more'
	[[ $stderr != *$'\033'* ]]
}

@test "every command takes members, mixed with files, as all its inputs" {
	ints idx.npy '(2, 1)' 1 0
	ints diag.npy '(2,)' 8 9
	ints rows.npy '(2, 3)' 6 5 4 3 2 1
	"${PYTHON:-python3}" -c 'import zipfile
for name, method in ("p.npz", 8), ("q.npz", 0):
    z = zipfile.ZipFile(name, "w", method)
    for n in "a", "idx", "diag", "rows": z.write(n + ".npy")
    z.close()'
	local both
	for both in p.npz:%s q.npz:%s; do
		# shellcheck disable=SC2059 # the format is what varies
		p() { printf "$both" "$1"; }
		tgather "$(p a)" "$(p idx)" | cmp - <(tgather a.npy idx.npy)
		tgather a.npy "$(p idx)" | cmp - <(tgather a.npy idx.npy)
		tsetdiag "$(p a)" "$(p diag)" | cmp - <(tsetdiag a.npy diag.npy)
		tgetdiag "$(p a)" | cmp - <(tgetdiag a.npy)
		tassign "$(p a)" ... "$(p rows)" | cmp - rows.npy
		tscatter "$(p a)" "$(p idx)" "$(p rows)" |
			cmp - <(tscatter a.npy idx.npy rows.npy)
		tscatter --shape 2,3 "$(p idx)" "$(p rows)" |
			cmp - <(tscatter --shape 2,3 idx.npy rows.npy)
		cp a.npy own.npy
		tassign own.npy ... "$(p rows)" --in-place
		cmp own.npy rows.npy
		tslice --all "$(p a)" 0 | cmp - <(tslice a.npy 0)
	done
}

@test "all members of an archive are put together, in order" {
	ints b.npy '(1, 3)' 7 8 9
	ints bad.npy '(1, 4)' 7 8 9 0
	"${PYTHON:-python3}" -c 'import zipfile
for name, method in ("p.npz", 8), ("q.npz", 0):
    z = zipfile.ZipFile(name, "w", method)
    for n in "1b", "0a", "2b": z.write(n[1:] + ".npy", n + ".npy")
    z.close()
    z = zipfile.ZipFile("bad" + name, "w", method)
    for n in "b", "bad": z.write(n + ".npy")
    z.close()
zipfile.ZipFile("none.npz", "w").close()'
	tcat b.npy a.npy b.npy -o want.npy
	tcat want.npy b.npy want.npy -o longer.npy
	local x
	for x in p.npz q.npz; do
		tcat --all "$x" | cmp - want.npy
		tcat --all "$x" - "$x" -o o.npy <b.npy
		cmp o.npy longer.npy
		fails 3 shape_mismatch tcat --all --axis 1 "$x"
		rm -f o.npy
		tcat --append o.npy --all "$x"
		tcat --append o.npy --all b.npy "$x"
		cmp o.npy longer.npy
		fails 3 npz_member tcat "$x"
		fails 3 npz_member tcat --all "$x:none"
		fails 3 shape_mismatch tcat --all "bad$x"
		has "$stderr" "bad$x:bad"
	done
	cp p.npz archive
	tcat --all archive | cmp - want.npy
	tcat --all one.npz b.npy | cmp - <(tcat a.npy b.npy)
	fails 3 npz_member tcat --all none.npz
}

@test "nothing is written into an archive in place, and no text" {
	local before
	before=$(cksum s.npz one.npz)
	fails 4 io tassign s.npz:images 0 --value 1 --in-place
	has "$stderr" 'a member of an archive cannot be written in place'
	fails 4 io tassign one.npz 0 --value 1 --in-place
	fails 2 usage tshape a.npy -o s.npz:new
	run -4 --separate-stderr bash -c 'tslice s.npz:images >>s.npz'
	has "$stderr" 'the input is also the output'
	same "$(cksum s.npz one.npz)" "$before"
	clean a.npy c.npz one.npz s.npz
	# A file of that name is a file.
	cp "$OLD" s.npz:images
	tslice a.npy 0 -o s.npz:images
	same "$(items s.npz:images)" '0 1 2'
}

@test "an archive as standard input is told how it can be read" {
	fails 3 bad_magic tslice - 0 <s.npz
	has "$stderr" 'a zip archive, as .npz files are, which cannot be read as'
	has "$stderr" 'FILE.npz:NAME'
	run -3 --separate-stderr tslice <(cat s.npz) 0
	has "$stderr" 'FILE.npz:NAME'
	fails 4 io tslice -:images 0 <s.npz
}

@test "a wrong CRC-32 leaves no result, in place neither" {
	zips x.npz damaged
	zips y.npz deflated-wrong-crc
	local x
	for x in x.npz y.npz; do
		refuses 3 bad_archive $x -o o.npy
		refuses 3 bad_archive $x ::-1 -o o.npy
		refuses 3 bad_archive $x --order F -o o.npy
		[ ! -e o.npy ]
		cp a.npy own.npy
		fails 3 bad_archive tassign own.npy ... $x:a --in-place
		cmp own.npy a.npy
		fails 3 bad_archive tassign $x:a 0 --value 1 -o o.npy
		[ ! -e o.npy ]
	done
	# Of a stored member nothing is out before it is known.
	run -3 --separate-stderr bash -o pipefail -c 'tslice x.npz | cat'
	same "$output" ''
	refuses 3 bad_archive x.npz --print
}

# Archives of 12 MiB, so that threads share it: whole.npz, and some of which one
# bit is another, or the places of two blocks; w.npy is the member.
large() {
	"${PYTHON:-python3}" - "$BATS_TEST_DIRNAME/../sweep" <<-'END'
	import random, sys
	sys.path.insert(0, sys.argv[1])
	import npyfile
	from zips import Entry, archive, flipped
	N, M = 12 << 20, 1 << 20
	data = npyfile.header("'|u1'", (N,)) + random.Random(1).randbytes(N)
	end = len(data)
	def write(name, packed):
	    open(name, "wb").write(archive(Entry("a.npy", data, packed=packed)))
	open("w.npy", "wb").write(data)
	write("whole.npz", data)
	blank = data.index(b" \n") - 1
	for i, at in enumerate((blank, end - N, end - N // 2, end - 1)):
	    b = bytearray(data)
	    b[at] ^= 1 if at != blank else ord(" ") ^ ord("\t")
	    write(f"damaged{i}.npz", bytes(b))
	write("damaged4.npz", data[:end - 8 * M] + data[end - 4 * M:] +
	      data[end - 8 * M:end - 4 * M])
	END
}

@test "what is copied whole is checked on its way, by however many threads" {
	local j x
	large
	ints old.npy '(2,)' 1 2
	cp old.npy o.npy
	tslice old.npy -o keep.npz:old
	cp keep.npz keep0.npz
	for j in 1 4; do
		tslice -j $j whole.npz -o new.npy
		cmp new.npy w.npy
		tslice -j $j whole.npz -o new.npz:b
		tslice -j $j new.npz:b -o new.npy
		cmp new.npy w.npy
		rm new.npy new.npz
		for x in damaged?.npz; do
			fails 3 bad_archive tslice -j $j "$x" -o o.npy
			has "$stderr" "$x"
			has "$stderr" 'the member is damaged: its CRC-32 is'
			cmp o.npy old.npy
			fails 3 bad_archive tslice -j $j "$x" -o new.npy
			fails 3 bad_archive tslice -j $j "$x" -o keep.npz:old
			cmp keep.npz keep0.npz
			run -3 --separate-stderr \
				bash -o pipefail -c "tslice -j $j $x | cat"
			same "$output" ''
		done
	done
	rm keep0.npz
	clean a.npy c.npz damaged?.npz keep.npz o.npy old.npy one.npz s.npz \
		w.npy whole.npz
}

@test "what is read in part is checked if it is compressed, and all is taken" {
	zips x.npz damaged
	zips y.npz deflated-wrong-crc
	tslice x.npz 0 -o o.npy
	same "$(items o.npy)" '0 1 2'
	rm o.npy
	refuses 3 bad_archive y.npz 0 -o o.npy
	[ ! -e o.npy ]
	tslice --no-drain y.npz 0 -o o.npy
	same "$(items o.npy)" '0 1 2'
	shows '(2, 3)' tshape y.npz
}

# The header of an array of so many GiB, and a GiB of zeros for each, packed.
bomb() {
	"${PYTHON:-python3}" - "$BATS_TEST_DIRNAME/../sweep" "$1" <<-'END'
	import sys, zlib
	sys.path.insert(0, sys.argv[1])
	import npyfile, zips
	count = int(sys.argv[2]) << 20
	head = npyfile.header("'|u1'", (count,))
	z = zlib.compressobj(9, zlib.DEFLATED, -15)
	packed, crc = z.compress(head), zlib.crc32(head)
	piece = bytes(1 << 20)
	for _ in range(count >> 20):
	    packed += z.compress(piece)
	    crc = zlib.crc32(piece, crc)
	packed += z.flush()
	open("bomb.npz", "wb").write(zips.archive(zips.Entry(
	    "a.npy", both={"method": 8, "crc": crc, "size": len(head) + count},
	    packed=packed)))
	END
}

@test "a bomb takes neither memory nor disk" {
	requires release strace
	bomb 512
	[ "$(stat -c %s bomb.npz)" -lt 1000000 ]
	# Some of it, from both ends, forward.
	run -0 --separate-stderr bash -c 'ulimit -v 100000
		tslice bomb.npz 4:536870912:300000000 -o o.npy'
	same "$(stat -c %s o.npy)" 130
	# What the archive says before the first byte: a TiB in a KiB.
	zips x.npz impossible-inflation
	strace -f -qq -o log -e trace=fallocate,ftruncate,pwrite64 \
		tslice x.npz -o o.npy 2>err || same "$?" 3
	same "$(cat log)" ''
	# Not in order: as much as is wanted goes to a file, and no more.
	run -4 --separate-stderr bash -c 'ulimit -f 1000
		trap "" XFSZ; tslice bomb.npz 536870900::-536870900 -o o.npy'
	has "$stderr" 'File too large'
}

@test "a compressed member is spooled only where it is not read in order" {
	bomb 80
	run -0 --separate-stderr tslice -v bomb.npz ::2 -o o.npy
	[[ $stderr != *temporary* ]]
	run -0 --separate-stderr tslice -v bomb.npz ::-2 -o o.npy
	has "$stderr" 'bomb.npz went through a temporary file'
}

@test "another thread inflates ahead, and what it finds is heard of" {
	bomb 8
	"${PYTHON:-python3}" -c 'import zipfile, sys
z = zipfile.ZipFile("b.npz", "w", 8, compresslevel=1)
z.write(sys.argv[1], "b.npy")
z.close()' "$B"
	local j
	for j in 1 2 4; do
		tslice -j $j b.npz -o o.npy
		cmp o.npy "$B"
		tslice -j $j b.npz ::-3 | cmp - <(tslice "$B" ::-3)
		tslice -j $j --no-drain b.npz 5 | cmp - <(tslice "$B" 5)
		tslice -j $j b.npz :9 >/dev/full 2>err && false
		has "$(cat err)" 'No space left on device'
	done
	rm o.npy
	# The last byte's, before which all has been handed over.
	printf '\377\377\377\377' | dd of=bomb.npz bs=1 seek=14 conv=notrunc \
		status=none
	"${PYTHON:-python3}" -c 'data = bytearray(open("bomb.npz", "rb").read())
at = data.rindex(b"PK\1\2") + 16
data[at:at + 4] = b"\377" * 4
open("bomb.npz", "wb").write(data)'
	for j in 1 2; do
		refuses 3 bad_archive -j $j bomb.npz -o o.npy
		refuses 3 bad_archive -j $j bomb.npz 1 -o o.npy
		refuses 3 bad_archive -j $j bomb.npz ::-1 -o o.npy
		[ ! -e o.npy ]
	done
}

@test "names are never paths" {
	mkdir e
	zips e/x.npz climbs
	(cd e && tslice '../e/x.npz:../../a' -o o.npy && clean o.npy x.npz)
	clean a.npy c.npz e one.npz s.npz
}

@test "an archive that becomes shorter while it is read" {
	requires strace
	strace -f -qq -o log -e trace=pread64 -e inject=pread64:retval=0:when=7+ \
		tslice s.npz:images -o o.npy 2>err && false
	has "$(cat err)" 'became shorter while being read'
	clean a.npy c.npz err log one.npz s.npz
}

@test "an archive that may not be read is not told to be missing" {
	chmod 000 s.npz
	open_to_all
	run --separate-stderr unprivileged tslice s.npz:images
	same "$status" 4
	has "$stderr" 'Permission denied'
}

# What is damaged is told the same way, whoever inflates.
@test "with ISA-L or without it" {
	mkdir broken
	echo >broken/libisal.so.2
	"${PYTHON:-python3}" - <<-'END'
	import io, random
	import numpy as np
	rng = random.Random(1)
	a = np.random.default_rng(1).integers(0, 9, 400000).astype("<u2")
	file = io.BytesIO()
	np.savez_compressed(file, a=a, b=a[:5])
	whole = file.getvalue()
	np.save("want.npy", a)
	for i in range(40):
	    data = bytearray(whole)
	    at = 60 + rng.randrange(rng.choice([20, 500, len(whole) - 400]))
	    data[at] ^= 1 << rng.randrange(8) if i else 0
	    open(f"{i}.npz", "wb").write(data)
	END
	for ((i = 0; i < 40; i++)); do
		for path in '' broken; do
			status=0
			LD_LIBRARY_PATH=$path tslice $i.npz:a -o o$path.npy \
				2>err || status=$?
			echo $status >is$path
		done
		cmp is isbroken
		if [ "$(<is)" = 0 ]; then
			cmp o.npy want.npy
			cmp obroken.npy want.npy
		else
			same "$(<is)" 3
		fi
		rm -f o.npy obroken.npy
		[ $i != 0 ] || same "$(<is)" 0
	done
}

@test "without zlib what cannot be checked is an error, and nothing else is" {
	local m
	export LD_LIBRARY_PATH=$PWD/broken
	mkdir broken
	echo >broken/libz.so.1
	tslice a.npy -o o.npy
	cmp o.npy a.npy
	shows '(2, 3)' tshape s.npz:images
	for m in s.npz:images c.npz:images; do
		fails 4 io tslice $m
		has "$stderr" 'an archive needs a library: '
		has "$stderr" libz.so.1
	done
	clean a.npy broken c.npz o.npy one.npz s.npz
}

@test "of many members the directory is read once, and one file is open" {
	requires strace
	local z
	"${PYTHON:-python3}" -c "import numpy as np
a = {f'a{i}': np.arange(i % 7, dtype='<i4') for i in range(150)}
np.savez('m.npz', **a)
np.savez_compressed('z.npz', **a)
np.save('want.npy', np.concatenate(list(a.values())))"
	no_leak_check
	for z in m z; do
		# shellcheck disable=SC2046 # words are wanted
		(ulimit -n 40; tcat $(seq -f "$z.npz:a%g" 0 149) -o o.npy)
		cmp o.npy want.npy
		# shellcheck disable=SC2046 # words are wanted
		strace -f -qq -o "$log" -e trace=openat \
			tshape $(seq -f "$z.npz:a%g" 0 149) >list
		same "$(wc -l <list)" 150
		same "$(grep -c "\"$z.npz\"" "$log")" 1
	done
	# Of two archives each is what it is.
	tcat m.npz:a3 z.npz:a3 m.npz:a3 -o o.npy
	same "$(items o.npy)" '0 1 2 0 1 2 0 1 2'
}
