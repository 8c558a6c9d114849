#!/usr/bin/env bats
# Many inputs at once: results that are those of one run for each, in a
# directory or in place, and what is said of those that fail.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2012 # no name here is odd where names are listed

load helpers
load ops
load faults

# $IN: matrices f0.npy to f5.npy of 3 x 3, of either byte order and either order
# of axes, in/f0.npy, which is another, and operands for them.
setup_file() {
	export IN=$BATS_FILE_TMPDIR/in A=$BATS_FILE_TMPDIR/in/f0.npy
	mkdir -p "$IN/in" "$IN/many"
	"${PYTHON:-python3}" - "$IN" "$BATS_TEST_DIRNAME/../sweep" <<-'EOF'
		import struct, sys
		folder, sweep = sys.argv[1:]
		sys.path.insert(0, sweep)
		import npyfile

		def save(name, numbers, shape, order="<", fortran=False, kind="i4"):
		    code = str(len(numbers)) + {"i4": "i", "i8": "q"}[kind]
		    with open(f"{folder}/{name}.npy", "wb") as f:
		        f.write(npyfile.header(repr(order + kind), shape, fortran))
		        f.write(struct.pack(order + code, *numbers))

		for i in range(6):
		    save(f"f{i}", range(10 * i, 10 * i + 9), (3, 3), "<>"[i % 2],
		         i // 2 == 1)
		save("in/f0", range(100, 109), (3, 3))
		save("value", [7, 8, 9], (3,))
		save("places", [2, 0], (2, 1), kind="i8")
		save("updates", range(6), (2, 3))
		save("large", range(2500000), (2500, 1000))
		for i in range(120):
		    save(f"many/m{i:03}", range(i, i + 1024), (32, 32))
	EOF
	printf %s 'no array' >"$IN/bad.npy"
}

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
	mkdir out
}

# as_one COMMAND OPERAND...: what it makes of each matrix by itself is in out.
as_one() {
	local command=$1 i
	shift
	for i in 0 1 2 3 4 5; do
		"$command" "$IN/f$i.npy" "$@" -o want.npy
		cmp want.npy "out/f$i.npy"
	done
	same "$(ls out | wc -l)" 6
	rm want.npy out/*
}

@test "the result of each, by every command, is what one run makes of it" {
	local -a line
	while read -r -a line; do
		"${line[0]}" "$IN"/f?.npy "${line[@]:1}" -t out -j 3
		as_one "${line[@]}"
	done <<-EOF
		tslice ::-1
		tslice -T --order C
		tslice 1
		tgather $IN/places.npy
		tgather --axis 1 --indices 2,2 --order F
		tgetdiag -k 0:1 --padding 5
		tsetdiag $IN/value.npy -k 0
		tassign 1 $IN/value.npy
		tassign 0:2,1 --value -3
		tscatter $IN/places.npy $IN/updates.npy
		tslice 1: --byte-order big
		tscatter $IN/places.npy $IN/updates.npy --byte-order little
	EOF
}

# The others, which say what goes where, have no fields.
@test "a field of each, of files and members, and in place" {
	local dtype="[('a', '<i4'), ('b', '>i4', (2,))]" i
	le32 1 2 3 4 5 6 | npy r.npy "$dtype" '(2,)'
	le32 6 5 4 3 2 1 | npy s.npy "$dtype" '(2,)'
	le32 7 8 | npy v.npy '<i4' '(2,)'
	tslice r.npy s.npy ... -t a.npz
	tslice r.npy s.npy ::-1 --field a -t out
	for i in r s; do
		cmp <(tslice "$i.npy" ::-1 --field a) "out/$i.npy"
	done
	rm out/*
	tslice a.npz ... --field b --byte-order little -t out
	for i in r s; do
		cmp <(tslice "$i.npy" --field b --byte-order little) \
			"out/$i.npy"
	done
	tassign r.npy s.npy ... v.npy --field a -t out
	for i in r s; do
		cmp <(tassign "$i.npy" ... v.npy --field a) "out/$i.npy"
	done
	tassign r.npy s.npy ... v.npy --field a --in-place
	for i in r s; do cmp "$i.npy" "out/$i.npy"; done
	run -3 --separate-stderr tslice r.npy a.npz v.npy ... \
		--field x --json -t out
	same "$(jq -r .error.kind <<<"$stderr" | uniq -c | xargs)" '4 no_field'
}

@test "inputs without a header, and results without one" {
	le32 1 2 3 4 5 6 >r.bin
	npy f.npy '<i4' '(2, 3)' <r.bin
	tslice raw:i4:2,3:r.bin f.npy ::-1 -t out
	same "$(cd out && echo *)" 'f.npy r.bin.npy'
	cmp out/f.npy out/r.bin.npy
	rm out/*
	tslice raw:i4:2,3:r.bin f.npy ::-1 -t out --raw --byte-order big
	same "$(cd out && echo *)" 'f.npy r.bin'
	cmp out/r.bin <(tslice f.npy ::-1 --raw --byte-order big)
	cmp out/f.npy out/r.bin
	# A file of that name is not what such a name is of.
	cp f.npy raw:i4:1,6:r.bin
	tslice raw:i4:1,6:r.bin ... -t out
	cmp out/r.bin.npy <(tslice f.npy --reshape 1,6)
	run -2 tslice raw:no:2:r.bin f.npy ... -t out
	run -2 tslice raw:i4:2:- f.npy ... -t out
	run -2 tslice f.npy ... -t o.npz --raw
	tassign raw:i4:2,3:r.bin f.npy 0 --value 9 --in-place
	cmp r.bin <(tslice f.npy --raw)
	run -3 --separate-stderr tassign f.npy ./raw:i4:1,6:r.bin \
		raw:i4:2,3:r.bin raw:i4:6:r.bin 0 --value 9 --in-place --json
	has "$stderr" duplicate_output
}

@test "in place, each is what one run makes of it" {
	local -a line
	local i
	while read -r -a line; do
		for i in 0 1 2 3 4 5; do
			cp "$IN/f$i.npy" "one$i.npy"
			cp "$IN/f$i.npy" "f$i.npy"
			"${line[0]}" "one$i.npy" "${line[@]:1}" --in-place
		done
		"${line[0]}" f?.npy "${line[@]:1}" --in-place -j 3
		for i in 0 1 2 3 4 5; do cmp "one$i.npy" "f$i.npy"; done
	done <<-EOF
		tsetdiag $IN/value.npy
		tassign 1:,::2 --value 9
		tassign 1 $IN/value.npy
		tscatter $IN/places.npy $IN/updates.npy
	EOF
	run -3 --separate-stderr tassign f0.npy ./f0.npy 0 --value 1 --in-place \
		--json
	same "$(jq -r .error.kind <<<"$stderr")" duplicate_output
	same "$(items f0.npy)" "1 1 1 $(items one0.npy | cut -d ' ' -f 4-)"
}

# They are put in the order of the target for that, of a single one.
@test "updates that a large target is gone through by are not another's" {
	head -c 2250000 /dev/urandom | npy a.npy '|u1' '(1500, 1500)'
	head -c 2250000 /dev/urandom | npy u.npy '|u1' '(1500, 1500)'
	seq 1499 -1 0 | tparse -d i4 --ndmin 2 -o i.npy
	cp a.npy b.npy
	tscatter a.npy i.npy u.npy --order F -o want
	mkdir r
	tscatter a.npy b.npy i.npy u.npy --order F --max-memory 1M -j 1 -t r
	cmp r/a.npy want
	cmp r/b.npy want
	for name in a b c; do tslice u.npy --order F -o $name.npy; done
	tscatter a.npy b.npy c.npy i.npy u.npy --max-memory 1M -j 2 --in-place
	tslice u.npy ::-1 --order F -o want
	for name in a b c; do cmp $name.npy want; done
}

@test "an input that fails stops no other; messages are in the inputs' order" {
	local j
	for j in 1 4; do
		run -4 --separate-stderr tslice none.npy "$IN/f0.npy" \
			"$IN/bad.npy" "$IN/f1.npy" "$IN/large.npy" \
			none2.npy ::2 -j "$j" --json -t out
		same "$(jq -r .error.kind <<<"$stderr" | tr '\n' ' ')" \
			'io bad_magic io '
		same "$(ls out | tr '\n' ' ')" 'f0.npy f1.npy large.npy '
		cmp <(tslice "$IN/large.npy" ::2) out/large.npy
		rm out/*
	done
	# The place of an error is the slice's.
	run -3 --separate-stderr tslice "$IN/f0.npy" "$IN/f1.npy" '0, 5' -t out
	same "$(grep -c '^     ^$' <<<"$stderr")" 2
	same "$(grep -c "^tslice: $IN/f[01].npy: " <<<"$stderr")" 2
	# What is read once is told of once.
	run -3 --separate-stderr tgather "$IN/f0.npy" "$IN/f1.npy" \
		"$IN/bad.npy" -t out
	same "$(wc -l <<<"$stderr")" 1
	same "$(ls -A out)" ''
}

@test "what is wrong with the command line is found before a file is opened" {
	local -a line
	while read -r -a line; do
		run --separate-stderr "${line[@]}" --json
		same "${line[*]}: $status $(jq -r .error.kind <<<"$stderr")" \
			"${line[*]}: 2 usage"
	done <<-'EOF'
		tslice a.npy 0 -t out -o b.npy
		tslice a.npy 0 -t out --print
		tslice a.npy 0 -t out --image
		tslice a.npy 0 -t out --all
		tslice a.npy 0 -t out --explain
		tslice a.npy 0 --parents
		tslice --files0-from list 0
		tslice --files0-from list a.npy 0 -t out
		tslice - 0 -t out
		tslice a.npy ../b.npy 0 -t out --parents
		tslice a/../b.npy 0 -t out --parents
		tslice 0 -t out
		tgetdiag -t out
		tassign a.npy b.npy 0 --value 1 -t out --in-place
		tassign a.npy - 0 --value 1 --in-place
		tassign a.npy 0 b.npy --value 1 --in-place
		tassign a.npy 0 b.npy --value 1 -t out
		tscatter --shape 3 a.npy i.npy u.npy -t out
		tgather a.npy b.npy --indices 1 -t out -o c.npy
	EOF
	refuses 4 io none.npy 0 -t nowhere
	refuses 4 io none.npy 0 -t "$IN/f0.npy"
	clean out
}

@test "what is read once comes from standard input, and the indices behind it" {
	tscatter "$IN/f0.npy" --indices '[[1],[2]]' \
		"$IN/updates.npy" -o want.npy
	(cat "$IN/updates.npy"; printf '%s\n' 1 2) |
		tscatter "$IN/f0.npy" "$IN/f1.npy" - --indices @- -t out
	cmp want.npy out/f0.npy
}

@test "names: the last component, or with --parents all that they go through" {
	cp -r "$IN/in" "$IN/f0.npy" "$IN/f1.npy" .
	run -3 --separate-stderr tslice f0.npy in/f0.npy f1.npy 1 -t out --json
	same "$(jq -r .error.kind <<<"$stderr")" duplicate_output
	# However many slashes and dots it is written with.
	run -3 --separate-stderr tslice in//f0.npy ./in/./f0.npy 1 -t out \
		--parents --json
	same "$(jq -r .error.kind <<<"$stderr")" duplicate_output
	rm -r out/in
	same "$(items out/f0.npy)" '3 4 5'
	rm out/*
	tslice f0.npy ./in//f0.npy "$PWD/f1.npy" 1 -t out --parents
	same "$(find out -type f | wc -l)" 3
	[ -f out/f0.npy ]
	[ -f "out$PWD/f1.npy" ]
	same "$(items out/in/f0.npy)" '103 104 105'
	rm -r out/*
	# The first that succeeds has the name.
	run -4 --separate-stderr tslice none/f0.npy in/f0.npy 1 -t out
	same "$(items out/f0.npy)" '103 104 105'
}

@test "names from a list, and odd ones" {
	cp "$IN/f0.npy" $'odd\nname'
	cp "$IN/f0.npy" ::2
	printf '%s\0' $'odd\nname' ::2 "$IN/f1.npy" >list
	tslice --files0-from list 1 -t out
	same "$(find out -type f -print0 | tr -cd '\0' | wc -c)" 3
	same "$(items out/::2)" '3 4 5'
	rm -r out/*
	printf '%s\0-\0%s' "$IN/f0.npy" "$IN/f1.npy" >list
	run -2 --separate-stderr tslice --files0-from - 1 -t out <list
	same "$(ls out | wc -l)" 2
	: >list
	tslice --files0-from list 1 -t out
	run -4 --separate-stderr tslice --files0-from none 1 -t out
	one_line "$stderr"
}

@test "without a slice, and with what looks like one" {
	cp "$IN/f0.npy" 5
	tslice "$IN/f0.npy" "$IN/f1.npy" -T -t out
	same "$(ls out | wc -l)" 2
	rm out/*
	tslice "$IN/f0.npy" 5 2 -T -t out
	same "$(ls out)" $'5\nf0.npy'
	tslice "$IN/f0.npy" ./5 --begin 1 --end 2 -t out
}

@test "a result replaces what is there, as -o does, and not with --no-clobber" {
	echo x >out/f0.npy
	chmod 640 out/f0.npy
	ln -s ../linked out/f1.npy
	echo x >linked
	tslice "$IN/f0.npy" "$IN/f1.npy" "$IN/f2.npy" 1 -t out
	same "$(stat -c %a out/f0.npy)" 640
	same "$(items out/f0.npy)" '3 4 5'
	[ -L out/f1.npy ]
	cmp <(tslice "$IN/f1.npy" 1) linked
	rm out/f2.npy
	run -4 --separate-stderr tslice "$IN/f0.npy" "$IN/f2.npy" 2 -t out \
		--no-clobber
	one_line "$stderr"
	same "$(items out/f0.npy)" '3 4 5'
	same "$(ls -A out | wc -l)" 3
	cp "$IN/f0.npy" out/f0.npy
	tslice out/f0.npy ::-1 -t out
	cmp <(tslice "$IN/f0.npy" ::-1) out/f0.npy
}

@test "no two results go to one file that links lead to" {
	printf x >out/f0.npy
	printf x >other.npy
	ln -s f0.npy out/f1.npy
	ln -s f0.npy out/large.npy
	ln -s ../other.npy out/f2.npy
	ln -s "$PWD/other.npy" out/f3.npy
	run -3 --separate-stderr tslice "$IN"/f?.npy "$IN/large.npy" ... \
		-t out -j 1
	same "$stderr" "tslice: $IN/f1.npy: another input's result is the file \
that 'f1.npy' leads to
tslice: $IN/f3.npy: another input's result is the file that 'f3.npy' leads to
tslice: $IN/large.npy: another input's result is the file that 'large.npy' \
leads to"
	cmp out/f0.npy "$IN/f0.npy"
	cmp other.npy "$IN/f2.npy"
	[ -L out/f2.npy ]
	# Whoever is first.
	run -3 --separate-stderr tslice "$IN/f1.npy" "$IN/f0.npy" ... -t out \
		-j 1 --json
	same "$(jq -r .error.kind <<<"$stderr")" duplicate_output
	cmp out/f0.npy "$IN/f1.npy"
	run -3 --separate-stderr tslice "$IN"/f?.npy ... -t out -j 4
	same "$(wc -l <<<"$stderr")" 2
}

@test "in place, files of two file systems are two, whatever their numbers" {
	requires root mounts
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -m bash -euc 'mkdir a b
		mount -t tmpfs tmpfs a
		mount -t tmpfs tmpfs b
		cp "$IN/f0.npy" a
		cp "$IN/f0.npy" b
		[ "$(stat -c %i a/f0.npy)" = "$(stat -c %i b/f0.npy)" ] || exit 77
		tassign a/f0.npy b/f0.npy 0 --value 7 --in-place
		cmp a/f0.npy b/f0.npy
		! cmp -s a/f0.npy "$IN/f0.npy"'
	[ "$status" != 77 ] || skip 'their numbers differ'
	same "$status $output" '0 '
}

@test "new files, small and large, have the rights and names of new files" {
	umask 027
	tslice "$IN/f0.npy" "$IN/large.npy" 1 -t out
	tassign "$IN/large.npy" 0 --value 1 -t out
	same "$(stat -c %a out/f0.npy out/large.npy)" $'640\n640'
	local target
	for target in out out/; do
		run -4 --separate-stderr tslice "$IN/f0.npy" "$IN/large.npy" 1 \
			-t $target --no-clobber
		same "$stderr" "tslice: out/f0.npy: not replaced: File exists
tslice: out/large.npy: not replaced: File exists"
	done
}

@test "archives stand for their members" {
	requires numpy
	"${PYTHON:-python3}" -c 'import numpy as np
a = np.arange(6, dtype="<i4")
np.savez("z.npz", **{"p": a, "q/r": a + 1})
np.savez_compressed("y.npz", s=a + 2, bad=np.array([{}]))'
	run -3 --separate-stderr tslice z.npz y.npz 1: -t out --json
	same "$(jq -r .error.kind <<<"$stderr")" object_dtype
	same "$(cd out && find . -type f | sort | tr '\n' ' ')" \
		'./p.npy ./r.npy ./s.npy '
	same "$(items out/r.npy)" '2 3 4 5 6'
	rm -r out/*
	run -3 --separate-stderr tslice z.npz z.npz:p 1: -t out --parents --json
	same "$(jq -r .error.kind <<<"$stderr")" duplicate_output
	tslice y.npz:s 1: -t out --parents
	same "$(cd out && find . -type f | sort | tr '\n' ' ')" \
		'./y.npz/s.npy ./z.npz/p.npy ./z.npz/q/r.npy '
	rm -r out/*
	# What has no header is not called as if it had one.
	tslice z.npz y.npz:s z.npz:p.npy 1: -t out --raw
	same "$(cd out && echo *)" 'p p.npy r s'
	cmp out/p <(tslice z.npz:p 1: --raw)
	tslice z.npz:q/r 1: -t out --raw --parents
	cmp out/z.npz/q/r out/r
}

@test "an archive of the results, in the order of the inputs" {
	local name
	requires numpy
	cp "$IN"/f?.npy .
	run -3 --separate-stderr tslice f3.npy "$IN/bad.npy" f0.npy \
		"$IN/in/f0.npy" "$IN/large.npy" f1.npy ::2 -t o.npz -j 3 --json
	same "$(jq -r .error.kind <<<"$stderr" | tr '\n' ' ')" \
		'bad_magic duplicate_output '
	same "$("${PYTHON:-python3}" -c 'import numpy as np
print(*np.load("o.npz").files)')" 'f3 f0 large f1'
	for name in f3 f0 large f1; do
		tcmp "o.npz:$name" <(tslice "$IN/$name.npy" ::2)
	done
	tslice o.npz 0 -t out
	same "$(ls out | wc -l)" 4
	cp o.npz before.npz
	# Where none works, what was there stays.
	run -3 --separate-stderr tslice "$IN/bad.npy" 0 -t o.npz
	cmp before.npz o.npz
	run -4 --separate-stderr tslice f0.npy 0 -t o.npz --no-clobber
	run -2 --separate-stderr tslice f0.npy 0 -t o.npz --part 1/2
	cmp before.npz o.npz
	tslice f0.npy f1.npy ::2 -t p.npz --deflate=9
	same "$(tshape p.npz | wc -l)" 2
	clean out o.npz before.npz p.npz f{0,1,2,3,4,5}.npy
}

@test "tcat takes a list of inputs, too" {
	printf '%s\0' "$IN/f0.npy" "$IN/f1.npy" >list
	tcat --files0-from list -o whole.npy
	cmp <(tcat "$IN/f0.npy" "$IN/f1.npy") whole.npy
	tcat --files0-from - <list | cmp - whole.npy
	run -2 --separate-stderr tcat --files0-from list "$IN/f2.npy"
	run -2 --separate-stderr tcat --files0-from /dev/null
	run -4 --separate-stderr tcat --files0-from none
	one_line "${stderr/tcat/tslice}"
}

@test "parts: each result is made by one process" {
	local k failed=0
	cp "$IN"/f?.npy .
	for k in 2 3 1; do
		tslice f?.npy none.npy 1 -t out --part "$k/3" || failed=$((failed + 1))
		ls out >>seen
	done
	same "$failed $(ls out | wc -l)" '1 6'
	[ "$(wc -l <seen)" -lt 18 ]
}

@test "pipes are inputs, too" {
	mkfifo one.npy
	cat "$IN/f0.npy" >one.npy &
	tslice one.npy "$IN/f1.npy" <(cat "$IN/f2.npy") 1 -t out
	wait "$!"
	same "$(items out/one.npy)" '3 4 5'
	same "$(ls out | wc -l)" 3
	# One that is not small, and what no array comes through.
	cat "$IN/large.npy" >one.npy &
	run -3 --separate-stderr tslice one.npy <(:) <(cat "$IN/f2.npy") ... \
		-t out -j 1
	wait "$!"
	cmp out/one.npy "$IN/large.npy"
	# A side is read once, from wherever it comes.
	rm out/*
	tassign "$IN/f0.npy" "$IN/f2.npy" 1 - -t out <"$IN/value.npy"
	cmp <(tassign "$IN/f2.npy" 1 "$IN/value.npy") out/f2.npy
}

@test "few descriptors are open, however many inputs there are" {
	requires prlimit
	prlimit --nofile=64 tslice "$IN"/many/*.npy ::-1 -t out -j 64
	same "$(ls out | wc -l)" 120
	prlimit --nofile=64 tassign "$IN"/many/*.npy 0 --value 1 -t out -j 64
}

# spent COUNT: the system calls that so many inputs take.
spent() {
	local -a in=("$IN"/many/*.npy)
	strace -f -qq -o "$log" -e trace='!brk,mmap,munmap' -- \
		tslice "${in[@]:0:$1}" ::-1 -t out -j 1
	rm out/*
	grep -cE '^[0-9]+ +[a-z0-9_]+\(' "$log"
}

@test "a small input and its result take seven system calls" {
	requires strace release
	same "$(($(spent 110) - $(spent 10)))" 700
}

@test "progress counts inputs" {
	run -0 --separate-stderr tslice "$IN"/f?.npy 1 -t out --progress=always
	has "$stderr" 'tslice: 6 of 6 inputs, 100 %'
}

@test "sync: a few by themselves, more by one flush" {
	requires strace release
	tslice "$IN/f0.npy" "$IN/f1.npy" 1 -t out --sync
	strace -f -qq -o "$log" -e trace=fsync,syncfs -- \
		tslice "$IN"/many/*.npy 1 -t out --sync
	same "$(grep -c ' syncfs(' "$log")" 1
	same "$(grep -c ' fsync(' "$log")" 64
}

# make_want: what all of $IN/many makes, in want.
make_want() {
	tslice "$IN"/many/*.npy ::-1 -t out
	mv out want
	mkdir out
}

# whole_so_far: all that is in out is a whole result.
whole_so_far() {
	local name
	while read -r name; do cmp "want/$name" "out/$name"; done < <(ls -A out)
}

@test "a signal ends it, with whole results and nothing else" {
	requires strace
	local when call
	make_want
	for call in write linkat renameat; do
		for when in 1 7; do
			rm out/* || :
			# What is replaced takes a name of ours for a moment.
			[ "$call" != renameat ] || cp want/* out
			run strace -f -qq -o "$log" -e trace="$call" \
				-e inject="$call:signal=INT:when=$when" -- \
				tslice "$IN"/many/*.npy ::-1 -t out -j 2
			same "$call $when: $status" "$call $when: 130"
			whole_so_far
		done
	done
}

@test "where files begin with a name, they do so here, and a signal ends it" {
	requires strace release
	make_want
	without_tmpfile
	tslice "$IN"/many/*.npy ::-1 -t out -j 3
	diff -r want out
	rm out/*
	run strace -f -qq -o "$log" -e trace=pwrite64 \
		-e inject=pwrite64:signal=TERM:when=5 -- \
		tslice "$IN"/many/*.npy ::-1 -t out -j 3
	same "$status" 143
	whole_so_far
}
