#!/usr/bin/env bats
# tcat: what is refused and how it is said, thousands of files, streams.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints a.npy '(2, 3)' 1 2 3 4 5 6
	ints b.npy '(1, 3)' 7 8 9
	ints wide.npy '(2, 4)' 1 2 3 4 5 6 7 8
	ints v.npy '(3,)' 1 2 3
	ints s.npy '()' 5
	le32 7 8 9 | npy f.npy '<f4' '(1, 3)'
}

# says PART...: all of it is in the message.
says() {
	local part
	for part; do has "$stderr" "$part"; done
}

@test "one behind the other, and along a new axis" {
	tcat a.npy b.npy -o o.npy
	same "$(items o.npy)" '1 2 3 4 5 6 7 8 9'
	tcat --axis -1 a.npy wide.npy -o o.npy
	same "$(items o.npy)" '1 2 3 1 2 3 4 4 5 6 5 6 7 8'
	tcat --new-axis -1 v.npy v.npy -o o.npy
	same "$(items o.npy)" '1 1 2 2 3 3'
	tcat --new-axis 0 s.npy s.npy -o o.npy
	same "$(tshape o.npy)" '(2,)'
}

@test "what the command line alone has wrong is found before any file" {
	fails 2 syntax tcat missing.npy --axis x
	fails 2 syntax tcat missing.npy --new-axis 0,1
	fails 2 overflow tcat missing.npy --axis 99999999999999999999
	fails 2 usage tcat missing.npy --axis 0 --new-axis 0
	fails 2 usage tcat missing.npy --all --no-drain
	fails 2 usage tcat missing.npy --append f.npy --new-axis 0
	fails 2 usage tcat missing.npy --append f.npy --order C
	fails 2 usage tcat missing.npy --append f.npy -o o.npy
	fails 2 usage tcat missing.npy --append f.npy --print
	fails 2 usage tcat missing.npy --append f.npy --no-clobber
	fails 2 usage tcat missing.npy --append f.npy --image
	fails 2 usage tcat missing.npy --append -
	fails 2 usage tcat missing.npy --append raw:i4:3:f.bin
	fails 2 usage tcat missing.npy --append f.npz
	fails 2 usage tcat missing.npy --append f.npz:a
	run -2 --separate-stderr tcat -o o.npy
	same "$(wc -l <<<"$stderr")" 1
}

@test "what does not go together is named, with the other and the axis" {
	fails 3 shape_mismatch tcat a.npy b.npy wide.npy
	says wide.npy a.npy 'axis 1' 4 3
	fails 3 shape_mismatch tcat a.npy v.npy
	says v.npy a.npy '(3,)' '(2, 3)'
	fails 3 shape_mismatch tcat --new-axis 0 a.npy b.npy
	says b.npy a.npy 'axis 0'
	fails 3 dtype_mismatch tcat a.npy b.npy f.npy
	says f.npy a.npy f4 i4
	fails 3 dtype_mismatch tcat - - < <(cat a.npy f.npy)
	fails 3 bad_axis tcat a.npy b.npy --axis 2
	says a.npy 'rank 2'
	fails 3 bad_axis tcat a.npy a.npy --new-axis -4
	fails 3 bad_rank tcat s.npy s.npy
	says s.npy 'only a new one'
	fails 4 io tcat a.npy missing.npy
	says missing.npy
	clean a.npy b.npy wide.npy v.npy s.npy f.npy
}

@test "too many axes, and too many bytes" {
	local ones huge='(4611686018427387904, 0)'
	ones="($(yes 1, | head -64 | tr -d '\n'))"
	ints deep.npy "$ones" 1
	fails 3 rank_limit tcat --new-axis 0 deep.npy deep.npy
	tcat deep.npy deep.npy -o o.npy
	npy huge.npy '|u1' "$huge" </dev/null
	fails 3 too_large tcat huge.npy huge.npy
	fails 3 too_large tcat --new-axis 0 huge.npy huge.npy huge.npy
}

@test "2,000 files, of which no more than 64 may be open" {
	local i way
	local -a twenties
	mapfile -t twenties < <(yes twenty.npy | head -100)
	for i in $(seq 20); do ints "x$i.npy" '(2, 3)' "$i" 2 3 4 5 "-$i"; done
	"${PYTHON:-python3}" -c 'import os
for i in range(2000): os.symlink(f"x{i % 20 + 1}.npy", str(i))'
	for way in --axis=0 --axis=1 --new-axis=-1; do
		bash -c 'ulimit -n 64; exec tcat "$@"' - $way \
			$(seq 0 1999) -o o.npy
		tcat $way $(seq 0 19) -o twenty.npy
		case $way in
		--axis=0) tcat "${twenties[@]}" -o want.npy ;;
		*) tcat --axis -1 "${twenties[@]}" -o want.npy ;;
		esac
		cmp want.npy o.npy
	done
}

@test "headers of all files are looked at before data of any" {
	local i
	for i in $(seq 40); do cp a.npy "$i.npy"; done
	cp f.npy 40.npy
	run -3 --separate-stderr tcat $(seq -f %g.npy 40) -o o.npy
	says 40.npy 1.npy
	[ ! -e o.npy ]
}

@test "a file that another has taken the place of, or that grew, is noticed" {
	requires strace
	no_leak_check
	local i new status=0
	for i in $(seq 30); do cp a.npy "$i.npy"; done
	for new in a.npy wide.npy; do
		cp a.npy 30.npy
		rm -f "$log"
		# Of three that are opened of these two, the last is for data:
		# before that there is time to put another one there.
		strace -f -qq -o "$log" -P "$PWD/20.npy" \
			-P "$PWD/30.npy" -e trace=openat \
			-e inject=openat:delay_enter=700000:when=3 \
			tcat $(seq -f "$PWD/%g.npy" 30) -o o.npy 2>said &
		wait_for grep -q 30.npy "$log"
		cp "$new" new.npy
		mv new.npy 30.npy
		status=0
		wait $! || status=$?
		same "$status" 4
		has "$(cat said)" '30.npy: the file was replaced'
		[ ! -e o.npy ]
	done
}

@test "'-' is as many arrays as it is said, and what follows is left" {
	cat a.npy b.npy a.npy v.npy |
		(tcat - - - -o o.npy; tslice - ... -o rest.npy)
	tcat a.npy b.npy a.npy -o want.npy
	cmp want.npy o.npy
	cmp v.npy rest.npy
	cat a.npy b.npy v.npy >all
	(tcat - - -o o.npy; tslice - ... -o rest.npy) <all
	cmp v.npy rest.npy
	cat a.npy a.npy | tcat --axis 1 - b2.npy - 2>/dev/null || :
	cat a.npy wide.npy | tcat --axis 1 - a.npy - |
		cmp - <(tcat --axis 1 a.npy a.npy wide.npy)
	cat a.npy b.npy | tcat - v2.npy - -o - 2>err || same $? 4
	has "$(cat err)" v2.npy
}

@test "--all takes every array of files, pipes and standard input" {
	cat a.npy b.npy >two
	tcat a.npy b.npy a.npy b.npy a.npy -o want.npy
	tcat --all two two a.npy | cmp - want.npy
	cat two two a.npy | tcat --all - | cmp - want.npy
	tcat --all <(cat two two a.npy) -o o.npy
	cmp want.npy o.npy
	tcat --all two <(cat two) - <a.npy | cmp - want.npy
	tcat --all --new-axis 1 <(cat a.npy a.npy a.npy) |
		cmp - <(tcat --new-axis 1 a.npy a.npy a.npy)
	fails 3 empty_file tcat --all - </dev/null
	fails 3 empty_file tcat --all a.npy - </dev/null
	run -3 --separate-stderr tcat --all <(cat a.npy; echo no array) -o o.npy
	fails 3 shape_mismatch tcat --all <(cat a.npy wide.npy)
}

@test "streams one behind the other need no spool; side by side they do" {
	local i
	for i in 1 2 3; do
		seq $i 2000000 | head -c 8000000 | npy $i.npy '|u1' '(80, 100000)'
	done
	export TMPDIR=/nonexistent
	cat 1.npy 2.npy 3.npy | tcat --max-memory 1M - - - -o o.npy
	cat 1.npy 2.npy 3.npy | tcat --max-memory 1M --all - -o all.npy
	tcat --max-memory 1M <(cat 1.npy) <(cat 2.npy) 3.npy | cmp - o.npy
	tcat 1.npy 2.npy 3.npy | cmp - o.npy
	cmp o.npy all.npy
	run -4 --separate-stderr tcat --max-memory 1M --axis 1 - 2.npy -o o.npy \
		< <(cat 1.npy)
	has "$stderr" /nonexistent
	TMPDIR=. tcat --max-memory 1M --axis 1 - - 3.npy -o o.npy \
		< <(cat 1.npy 2.npy)
	tcat --axis 1 1.npy 2.npy 3.npy | cmp - o.npy
}

@test "hundreds of arrays in one stream, side by side" {
	local i
	for i in $(seq 200); do cat a.npy; done >many
	bash -c 'ulimit -n 40; cat many |
		tcat --all --new-axis -1 - -o o.npy'
	same "$(tshape o.npy)" '(2, 3, 200)'
	cat "$B" "$B" "$B" "$B" >long
	bash -c 'ulimit -n 16
		cat long | tcat --max-memory 1M --all --new-axis -1 - -o o.npy'
	tcat --new-axis -1 "$B" "$B" "$B" "$B" | cmp - o.npy
	# They share a file, where memory is short.
	seq 100000 | head -c 400000 | npy some.npy '|u1' '(400000,)'
	for i in $(seq 40); do cat some.npy; done >many
	bash -c 'ulimit -n 20; cat many |
		tcat --max-memory 1M --all --new-axis -1 - -o o.npy'
	tslice o.npy :,39 | cmp - some.npy
	same "$(tshape o.npy)" '(400000, 40)'
}

@test "a stream that is refused has been taken all the same" {
	cat a.npy wide.npy b.npy | (
		tcat - - -o o.npy 2>/dev/null || :
		tslice - ... -o rest.npy)
	cmp b.npy rest.npy
}

@test "standard output must not be an input" {
	cp a.npy o.npy
	run -4 --separate-stderr bash -c 'tcat a.npy o.npy >>o.npy'
	has "$stderr" o.npy
	tcat a.npy o.npy -o o.npy
	same "$(tshape o.npy)" '(4, 3)'
}

@test "a device is not used: nothing needs reordering" {
	[ "$TSLICE_CUDA" != 'this build has no CUDA' ] || skip "$TSLICE_CUDA"
	[ -d "$TSLICE_CUDA" ] || skip "$TSLICE_CUDA"
	LD_LIBRARY_PATH=$TSLICE_CUDA run -0 --separate-stderr \
		tcat -v --device cuda --new-axis -1 a.npy a.npy -o o.npy
	has "$stderr" 'the device is not used'
	tcat --new-axis -1 a.npy a.npy | cmp - o.npy
}

@test "results are shown as any other" {
	shows '[[1 2 3]
 [4 5 6]
 [7 8 9]]' tcat a.npy b.npy --print
	shows '[[1 2 3]
 [4 5 6]
 [7 8 9]]' bash -c 'cat a.npy b.npy | tcat --all - --print'
	shows '[[1 1]
 [2 2]
 [3 3]]' tcat --new-axis 1 v.npy v.npy --print
}

@test "what stands in another order is read once, not once for every row" {
	requires strace
	no_leak_check
	"${PYTHON:-python3}" -c "import numpy as np
a = np.arange(1000 * 1000, dtype='<f4').reshape(1000, 1000)
np.save('C.npy', a)
np.save('F.npy', np.asfortranarray(a))"
	local -a words
	local line
	while read -ra words; do
		strace -f -y -qq -o "$log" -e trace=pread64,mmap \
			tcat --max-memory 1M "${words[@]}" -o o.npy
		# Bytes that were read, or mapped, of 8 million.
		line=$(grep '[CF]\.npy>' "$log" |
			sed -n -e 's/.*pread64(.*= \([0-9]*\)$/\1/p' \
				-e 's/.*mmap([^,]*, \([0-9]*\),.*/\1/p' |
			awk '{ sum += $1 } END { printf "%d", sum }')
		echo "${words[*]}: $line"
		[ "$line" -lt 50000000 ]
	done <<-'END'
	--axis 1 F.npy F.npy
	--axis 1 C.npy F.npy
	--axis 0 F.npy C.npy
	--new-axis 2 F.npy F.npy
	--axis 1 --order F C.npy C.npy
	--axis 0 --order F C.npy F.npy
	END
	rm F.npy C.npy
}

@test "with room for it, what stands in another order is mapped once" {
	requires strace
	no_leak_check
	"${PYTHON:-python3}" -c "import numpy as np
a = np.arange(2000 * 2000, dtype='<f4').reshape(2000, 2000)
np.save('C.npy', a)
np.save('F.npy', np.asfortranarray(a))"
	local words
	while read -r words; do
		# shellcheck disable=SC2086
		strace -f -y -qq -o "$log" -e trace=mmap \
			tcat $words -o o.npy
		[ "$(grep -c 'F\.npy>' "$log")" = 2 ]
	done <<-'END'
	--axis 1 F.npy F.npy
	--axis 0 F.npy F.npy
	--axis 1 F.npy C.npy F.npy
	END
	rm F.npy C.npy
}
