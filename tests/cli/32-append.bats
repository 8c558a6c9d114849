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

@test "a Fortran-ordered file grows along its last axis, if that is said" {
	tslice --order F a.npy ... -o f.npy
	cp f.npy was.npy
	ints c.npy '(2, 1)' 8 9
	tcat --append f.npy --axis -1 c.npy
	tcat --append f.npy --axis 1 c.npy
	tcat --order F --axis 1 a.npy c.npy c.npy | cmp - f.npy
	cp was.npy f.npy
	fails 3 shape_mismatch tcat --append f.npy --axis -1 b.npy
	fails 3 bad_axis tcat --append f.npy c.npy
	has "$stderr" 'Fortran order'
	has "$stderr" '--axis -1'
	fails 3 bad_axis tcat --append f.npy --axis 0 b.npy
	fails 3 bad_axis tcat --append f.npy --axis 2 b.npy
	cmp was.npy f.npy
	# What it says to do.
	tslice --order C f.npy -o f.npy
	tcat --append f.npy b.npy
	tcat a.npy b.npy | cmp - f.npy
}

@test "a C-ordered file grows along its first axis, whatever is asked for" {
	ints c.npy '(2, 1)' 8 9
	cp a.npy f.npy
	fails 3 bad_axis tcat --append f.npy --axis 1 c.npy
	has "$stderr" 'C order'
	fails 3 bad_axis tcat --append f.npy --axis -1 c.npy
	fails 3 bad_axis tcat --append f.npy --axis -3 c.npy
	cmp a.npy f.npy
	tcat --append f.npy --axis 0 b.npy
	tcat --append f.npy --axis -2 b.npy
	tcat a.npy b.npy b.npy | cmp - f.npy
	ints v.npy '(3,)' 1 2 3
	cp v.npy f.npy
	tcat --append f.npy --axis -1 v.npy
	tcat v.npy v.npy | cmp - f.npy
}

@test "an input of one axis less is one more row" {
	ints v.npy '(3,)' 7 8 9
	ints w.npy '(2,)' 8 9
	ints s.npy '()' 4
	cp a.npy f.npy
	cp v.npy w3.npy
	tcat --append f.npy v.npy b.npy - <w3.npy
	tcat a.npy b.npy b.npy b.npy | cmp - f.npy
	fails 3 shape_mismatch tcat --append f.npy w.npy
	has "$stderr" '(2,)'
	fails 3 shape_mismatch tcat --append f.npy s.npy
	tslice --order F a.npy ... -o f.npy
	tcat --append f.npy --axis -1 w.npy
	ints c.npy '(2, 1)' 8 9
	tcat --order F --axis 1 a.npy c.npy | cmp - f.npy
	ints f.npy '(1,)' 3
	tcat --append f.npy s.npy s.npy
	same "$(items f.npy)" '3 4 4'
	# Planes of either order.
	seq 24 | head -c 24 | npy p.npy '|u1' '(4, 6)'
	tslice --order F p.npy ... -o pf.npy
	tslice p.npy newaxis -o f.npy
	tcat --append f.npy pf.npy p.npy
	tcat --new-axis 0 p.npy p.npy p.npy | cmp - f.npy
}

@test "a file that is not there is made, whole or not at all" {
	local i
	tcat --append f.npy a.npy - <b.npy
	tcat a.npy b.npy | cmp - f.npy
	rm f.npy
	(cat a.npy b.npy) | tcat --sync --append f.npy --all -
	tcat a.npy b.npy | cmp - f.npy
	rm f.npy
	ints c.npy '(2, 1)' 8 9
	ints w.npy '(2,)' 8 9
	tcat --append f.npy --axis -1 a.npy c.npy w.npy
	tcat --axis -1 a.npy c.npy c.npy | cmp - f.npy
	rm f.npy
	fails 4 io tcat --append f.npy b.npy missing.npy
	fails 3 truncated_data tcat --append f.npy - < <(head -c 133 b.npy)
	fails 3 shape_mismatch tcat --append f.npy a.npy c.npy
	fails 4 io tcat --append no/f.npy a.npy
	fails 4 io tcat --append f.npy
	ln -s nowhere.npy dangling
	fails 4 io tcat --append dangling a.npy
	rm dangling
	[ ! -e f.npy ]
	same "$(compgen -G '.tslice*' || :)" ''
	for i in $(seq 8); do
		ints "$i.npy" '(1, 3)' "$i" "$i" "$i"
		tcat --append f.npy "$i.npy" &
	done
	wait
	same "$(tshape f.npy)" '(8, 3)'
	same "$(tslice f.npy ':, 0' | items /dev/stdin | tr ' ' '\n' | sort |
		tr '\n' ' ')" '1 2 3 4 5 6 7 8 '
}

@test "what does not fit leaves the file as it was" {
	ints wide.npy '(1, 4)' 1 2 3 4
	ints s.npy '()' 1
	le32 1 2 3 | npy f4.npy '<f4' '(1, 3)'
	fails 2 usage tcat --append raw:i4:2,3:f.bin a.npy
	[ ! -e raw:i4:2,3:f.bin ]
	fails 2 usage tcat --append f.npz a.npy
	[ ! -e f.npz ]
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

# foreign MAJOR ROOM TEXT: a header of another writer's, with so many blanks,
# and three items.
foreign() {
	local n=$((${#3} + $2 + 1)) length
	length=$(printf '\\%03o\\%03o' $((n & 255)) $((n >> 8)))
	[ "$1" = 1 ] || length="$length\\0\\0"
	printf '\223NUMPY%b\0%b%s%*s\n' "\\00$1" "${length//\\/\\0}" "$3" \
		"$2" ''
	le32 7 8 9
}

@test "another writer's header stays, but for the shape" {
	local dict major
	local -a tens
	ints ten.npy '(10, 3)' $(seq 30)
	tens=(ten.npy{,,,,,,,,})
	for dict in "{'descr':'<i4','fortran_order':False,'shape':(%s,3)}" \
		'{"shape": (%s ,3), "descr": "<i4", "fortran_order": False}' \
		"{'shape':( %s,3,), 'fortran_order' :False,'descr':'=i4' }"; do
		for major in 1 2 3; do
			foreign $major 1 "${dict/\%s/1}" >f.npy
			foreign $major 0 "${dict/\%s/11}" >want.npy
			tail -c 120 ten.npy >>want.npy
			tcat --append f.npy ten.npy
			cmp f.npy want.npy
			cp f.npy was.npy
			fails 3 bad_header tcat --append f.npy "${tens[@]}"
			has "$stderr" "'tcat FILE -o FILE'"
			cmp f.npy was.npy
		done
	done
	foreign 1 1 "{'descr':'<i4','fortran_order':False,'shape':(1L,3L)}" \
		>f.npy
	foreign 1 0 "{'descr':'<i4','fortran_order':False,'shape':(11L,3L)}" \
		>want.npy
	tail -c 120 ten.npy >>want.npy
	tcat --append f.npy ten.npy
	cmp f.npy want.npy
}

@test "a header without room is refused, with what to do" {
	foreign 1 0 "{'descr':'<i4','fortran_order':False,'shape':(1,3)}" \
		>tight.npy
	ints ten.npy '(10, 3)' $(seq 30)
	cp tight.npy f.npy
	fails 3 bad_header tcat --append f.npy ten.npy
	has "$stderr" 'no room'
	cmp tight.npy f.npy
	tcat f.npy -o f.npy
	tcat --append f.npy ten.npy
	tcat tight.npy ten.npy | cmp - f.npy
	foreign 1 0 "{'descr':'<i4','fortran_order':True,'shape':(3,1)}" >f.npy
	ints v.npy '(10, 3)' $(seq 30)
	tslice -T v.npy -o v.npy
	fails 3 bad_header tcat --append f.npy --axis -1 v.npy
	has "$stderr" 'tcat --order F FILE -o FILE'
	tcat --order F f.npy -o f.npy
	# An array of both orders is in C order then.
	fails 3 bad_axis tcat --append f.npy --axis -1 v.npy
}

# every COMMAND in $1 says of f.npy that an append was cut short.
says_cut_short() {
	local command
	for command in 'tslice f.npy 0' 'tshape f.npy' 'tgather f.npy i.npy' \
		'tcat f.npy a.npy' 'tassign f.npy 0 --value 1 -o o.npy' \
		'tassign f.npy 0 --value 1 --in-place' 'tslice - 0'; do
		# shellcheck disable=SC2086 # a command line
		fails 3 trailing_data $command <f.npy
		has "$stderr" 'cut short'
		has "$stderr" "'tcat --append FILE'"
	done
}

@test "an interrupted one is told from another array, and cut or written over" {
	ints i.npy '(1,)' 0
	cp a.npy f.npy
	printf 'half of what was to be added, and much more than that' >>f.npy
	says_cut_short
	cp f.npy rest.npy
	tcat --append f.npy b.npy
	tcat a.npy b.npy | cmp - f.npy
	cp rest.npy f.npy
	tcat --append f.npy
	cmp a.npy f.npy
	tcat --sync --append f.npy
	cmp a.npy f.npy
}

@test "so is one whose first bytes are a header" {
	ints i.npy '(1,)' 0
	(cat a.npy; head -c 139 b.npy) >f.npy
	says_cut_short
	tcat --append f.npy
	cmp a.npy f.npy
	(cat a.npy; head -c 50 b.npy) >f.npy
	tcat --append f.npy b.npy
	tcat a.npy b.npy | cmp - f.npy
	# What is there whole is nobody's to cut off.
	cat a.npy b.npy >two.npy
	cp two.npy f.npy
	fails 3 trailing_data tcat --append f.npy
	has "$stderr" 'another array'
	cmp two.npy f.npy
}

@test "who reads meanwhile has the old array, or the new one" {
	local pid
	cp long.npy f.npy
	mkfifo gate
	tcat --append f.npy more.npy gate &
	pid=$!
	exec 9>gate
	head -c 1000 more.npy >&9
	wait_for has_grown
	tslice f.npy ... | cmp - long.npy
	tslice - ... <f.npy | cmp - long.npy
	tcat --all f.npy f.npy >got.npy
	tcat long.npy long.npy | cmp - got.npy
	same "$(tshape f.npy)" '(100, 3000)'
	tassign f.npy '0, 0' --value 7 --in-place
	# More inputs than stay open.
	yes f.npy | head -n 20 | xargs tcat -o got.npy
	same "$(tshape got.npy)" '(2000, 3000)'
	tail -c +1001 more.npy >&9
	exec 9>&-
	wait $pid
	same "$(tshape f.npy)" '(1100, 3000)'
}

@test "killed meanwhile: nobody holds a lock, and it can be cut off" {
	local pid
	cp long.npy f.npy
	mkfifo gate
	tcat --append f.npy more.npy gate &
	pid=$!
	exec 9>gate
	head -c 1000 more.npy >&9
	wait_for has_grown
	kill -KILL $pid
	wait $pid || :
	exec 9>&-
	fails 3 trailing_data tslice f.npy 0
	has "$stderr" 'cut short'
	tcat --append f.npy
	cmp long.npy f.npy
}

@test "a lock that we were given with a file stays what it was" {
	requires flock
	(cat a.npy; echo rest) >f.npy
	exec 9<f.npy
	flock 9
	run -0 tslice - 0 <&9
	run -1 flock -n f.npy true
	exec 9<&-
	fails 3 trailing_data tslice f.npy 0
}

@test "read again and again while it grows, it is never refused" {
	local i pid sizes
	ints f.npy '(0, 3)'
	for i in $(seq 60); do
		tcat -q --append f.npy a.npy b.npy || break
	done &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		tslice f.npy ... -o got.npy
		sizes=$(tshape got.npy dim 0)
		[ $((sizes % 3)) = 0 ]
	done
	wait $pid
	same "$(tshape f.npy)" '(180, 3)'
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
