#!/usr/bin/env bats
# tcat --append: rows added to a file in place, whatever happens meanwhile.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
	ints a.npy '(2, 3)' 1 2 3 4 5 6
	ints b.npy '(1, 3)' 7 8 9
	seq 200000 | head -c 300000 | npy long.npy '|u1' '(100, 3000)'
	seq 900000 | head -c 1500000 | npy more.npy '|u1' '(500, 3000)'
	tcat long.npy more.npy -o longer.npy
}

# loads FILE OLD NEW: its first array is one or the other, for NumPy too, and
# another one can be added.
loads() {
	local size
	size=$(stat -c %s "$2")
	if cmp -s -n "$size" "$1" "$2"; then
		was=old
	else
		was=new
		cmp "$1" "$3"
	fi
	if [ -n "$numpy" ]; then
		"${PYTHON:-python3}" -c 'import sys, numpy as np
a = np.load(sys.argv[1])
assert any((a.shape == b.shape) and (a == b).all() for b in
           map(np.load, sys.argv[2:])), a.shape' "$1" "$2" "$3"
	fi
}

find_numpy() {
	numpy=$("${PYTHON:-python3}" -c 'import numpy; print(1)' 2>/dev/null) ||
		numpy=
}

@test "rows are added to the file, which stays the same file" {
	local inode
	cp a.npy f.npy
	ln f.npy hard
	ln -s f.npy soft
	inode=$(stat -c %i f.npy)
	tcat --append f.npy b.npy
	same "$(items f.npy)" '1 2 3 4 5 6 7 8 9'
	tcat --append soft b.npy - <a.npy
	tcat --append hard --all --sync <(cat b.npy b.npy)
	same "$(stat -c %i f.npy)" "$inode"
	tcat a.npy b.npy b.npy a.npy b.npy b.npy | cmp - f.npy
	[ -L soft ]
}

@test "a Fortran-ordered file grows along its last axis" {
	tslice --order F a.npy ... -o f.npy
	ints c.npy '(2, 1)' 8 9
	tcat --append f.npy c.npy c.npy
	tcat --order F --axis 1 a.npy c.npy c.npy | cmp - f.npy
	fails 3 shape_mismatch tcat --append f.npy b.npy
}

@test "what does not fit leaves the file as it was" {
	ints wide.npy '(1, 4)' 1 2 3 4
	ints s.npy '()' 1
	le32 1 2 3 | npy f4.npy '<f4' '(1, 3)'
	cp a.npy f.npy
	fails 3 shape_mismatch tcat --append f.npy b.npy wide.npy
	has "$stderr" wide.npy
	has "$stderr" f.npy
	fails 3 dtype_mismatch tcat --append f.npy f4.npy
	fails 3 shape_mismatch tcat --append f.npy - - < <(cat b.npy wide.npy)
	fails 3 truncated_data tcat --append f.npy - < <(head -c 133 b.npy)
	fails 4 io tcat --append f.npy missing.npy
	fails 4 io tcat --append f.npy b.npy f.npy
	ln f.npy again.npy
	fails 4 io tcat --append f.npy again.npy
	ln -s f.npy other.npy
	fails 4 io tcat --append f.npy - <other.npy
	fails 4 io tcat --append missing.npy b.npy
	fails 4 io tcat --append . b.npy
	fails 4 io tcat --append /dev/null b.npy
	cmp a.npy f.npy
	cp s.npy t.npy
	fails 3 bad_rank tcat --append t.npy s.npy
	has "$stderr" t.npy
	cat a.npy a.npy >two.npy
	fails 3 trailing_data tcat --append two.npy b.npy
	head -c 140 a.npy >cut.npy
	fails 3 truncated_data tcat --append cut.npy b.npy
	fails 3 bad_magic tcat --append "$OLD" b.npy
}

@test "a FIFO is refused before it is waited for" {
	mkfifo fifo
	run -4 --separate-stderr timeout 5 tcat --append fifo b.npy
	has "$stderr" 'only a regular file'
}

@test "a header without room is refused, with what to do" {
	{
		printf '\223NUMPY\1\0\66\0%-53s\n' \
			"{'descr':'<i4','fortran_order':False,'shape':(1,3)}"
		le32 1 2 3
	} >tight.npy
	cp tight.npy f.npy
	fails 3 bad_header tcat --append f.npy b.npy
	has "$stderr" 'no room'
	cmp tight.npy f.npy
	tslice f.npy -o f.npy
	tcat --append f.npy b.npy
	same "$(items f.npy)" '1 2 3 7 8 9'
}

@test "an interrupted one is told from another array, and written over" {
	cp a.npy f.npy
	printf 'half of what was to be added, and much more than that' >>f.npy
	refuses 3 trailing_data f.npy 0
	tcat --append f.npy b.npy
	tcat a.npy b.npy | cmp - f.npy
}

@test "killed at every system call it leaves the old array, or the new one" {
	local call n from was numpy olds=0 news=0
	requires strace release
	find_numpy
	for call in openat flock read pread64 pwrite64 ftruncate fallocate \
		fdatasync close mmap rt_sigprocmask exit_group; do
		from=$(before_main "$call")
		for n in $(seq $((from + 1)) $((from + 40))); do
			cp long.npy f.npy
			run faulty "$call" "signal=SIGKILL:when=$n" -- \
				tcat -j 1 --sync --append f.npy more.npy
			grep -q 'killed by SIGKILL' "$log" || break
			loads f.npy long.npy longer.npy
			if [ "$was" = old ]; then
				olds=$((olds + 1))
				numpy='' # the same for all that are old
				tcat --append f.npy more.npy
				cmp longer.npy f.npy
			else
				news=$((news + 1))
			fi
		done
		find_numpy
	done
	echo "old $olds, new $news"
	[ "$olds" -ge 12 ]
	[ "$news" -ge 2 ]
}

@test "failing at every system call it leaves the file as it was" {
	local call n from hits=0
	requires strace
	for call in flock pwrite64 ftruncate fallocate fdatasync; do
		from=$(before_main "$call")
		for n in $(seq $((from + 1)) $((from + 20))); do
			cp long.npy f.npy
			run --separate-stderr faulty "$call" \
				"error=ENOSPC:when=$n" -- \
				tcat -j 1 --sync --append f.npy more.npy
			injected || break
			hits=$((hits + 1))
			printf '%s %s: %s %s\n' "$call" "$n" "$status" "$stderr"
			# The second sync is after the header.
			if [ "$status" = 4 ] && [ "$call$n" != fdatasync2 ]; then
				cmp -n "$(stat -c %s long.npy)" long.npy f.npy
			else
				cmp longer.npy f.npy
			fi
			[ "$call" = ftruncate ] || cmp -s longer.npy f.npy ||
				cmp long.npy f.npy
		done
	done
	[ "$hits" -ge 5 ]
}

@test "a signal leaves the file as it was" {
	local signal pid
	for signal in INT TERM HUP; do
		cp long.npy f.npy
		mkfifo "$signal"
		env --default-signal="$signal" \
			tcat --append f.npy more.npy "$signal" &
		pid=$!
		exec 9>"$signal"
		head -c 100000 more.npy >&9
		wait_for has_grown
		kill -s "$signal" "$pid"
		wait "$pid" || :
		exec 9>&-
		cmp long.npy f.npy
	done
}

has_grown() {
	[ "$(stat -c %s f.npy)" -gt "$(stat -c %s long.npy)" ]
}

@test "data first, then the header by one write of what has changed" {
	requires strace
	cp a.npy f.npy
	run -0 strace -f -qq -o "$log" -P "$PWD/f.npy" \
		-e trace=pwrite64,fdatasync,fsync -- \
		tcat --sync --append "$PWD/f.npy" b.npy
	same "$(sed -E 's/^ *[0-9]+ *//
		s/\(.*, ([0-9]+)\).*/ \1/; s/\([0-9]+\).*//' "$log")" \
		'pwrite64 152
fdatasync
pwrite64 61
fdatasync'
	grep -q 'pwrite64([0-9]*, "3", 1, 61)' "$log"
}

@test "two at once: the second waits, and nothing is lost" {
	local i
	cp a.npy f.npy
	for i in $(seq 12); do
		ints "$i.npy" '(1, 3)' "$i" "$i" "$i"
		tcat --append f.npy "$i.npy" &
	done
	wait
	same "$(tshape f.npy)" '(14, 3)'
	same "$(tslice f.npy '2:, 0' | items /dev/stdin | tr ' ' '\n' | sort -n |
		tr '\n' ' ')" '1 2 3 4 5 6 7 8 9 10 11 12 '
}

@test "who waits adds to the file that is there then" {
	cp a.npy f.npy
	mkfifo gate
	tcat --append f.npy gate &
	exec 9>gate
	cp b.npy new.npy
	tcat --append f.npy b.npy &
	sleep 0.3
	mv new.npy f.npy
	cat a.npy >&9
	exec 9>&-
	wait
	tcat b.npy b.npy | cmp - f.npy
}

@test "a full disk leaves the file as it was" {
	requires_small_disk
	on_small_disk size=1m 'cp "$1" f.npy
		s=0; tcat --append f.npy "$2" 2>../err || s=$?
		[ $s = 4 ]; cmp "$1" f.npy' "$PWD/long.npy" "$PWD/more.npy"
	has "$(cat err)" 'No space left'
}
