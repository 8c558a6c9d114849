#!/usr/bin/env bats
# Results that are made part by part, where others have been: directories that
# are not of ours, what was planted in them, calls that fail, and processes that
# wake up when all is done.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# Leaks cannot be looked for where calls are traced.
export ASAN_OPTIONS=detect_leaks=0

# part K N ARGUMENT...: makes a part of out.npy from $A.  Nothing is waited for.
part() {
	local k=$1 n=$2
	shift 2
	timeout 20 tslice "$A" ::-1 -o out.npy --part "$k/$n" "$@"
}

# state: what there is under out.npy.parts, to the last detail.
state() {
	find out.npy.parts -printf '%p %y %m %U %s %i %T@ %l\n' | sort
	find -L out.npy.parts -type f -exec cat {} +
}

# left_alone WORDS: parts are refused, and nothing is touched.
left_alone() {
	local before
	before=$(state)
	run -4 --separate-stderr part 1 2
	one_line "$stderr"
	has "$stderr" 'out.npy.parts'
	has "$stderr" "$1"
	same "$(state)" "$before"
	[ ! -e out.npy ]
}

# begun: a directory that the second of two parts is in already.
begun() {
	rm -rf out.npy.parts
	part 2 2
}

# made: with what is there by now the result is made, and all else is gone.
made() {
	[ ! -e out.npy ]
	part 1 2
	[ -e out.npy ] || part 2 2
	tslice "$A" ::-1 | cmp - out.npy
	rm out.npy
}

@test "a directory that holds anything but ours is left alone" {
	local name
	for name in notes.txt .hidden 0 01 1x -1 1.begun.old data.old plan.x \
		plan. 1.txt 99999999999999999999 $'a\nb'; do
		mkdir out.npy.parts
		echo precious >"out.npy.parts/$name"
		left_alone 'which is no file of ours'
		rm -r out.npy.parts
	done
	# Beside what is ours, too.
	begun
	echo precious >out.npy.parts/notes.txt
	left_alone "holds 'notes.txt', which is no file of ours"
	rm out.npy.parts/notes.txt
	made
	# By their names these might be ours, but not by what is in them.
	for name in 1 2 7 1.begun plan.5; do
		mkdir out.npy.parts
		echo precious >"out.npy.parts/$name"
		left_alone "holds '$name', which is no file of ours"
		rm -r out.npy.parts
	done
	mkdir out.npy.parts
	echo precious >out.npy.parts/data
	left_alone "holds 'data' without a plan"
	echo precious >out.npy.parts/plan
	left_alone "is of another command ('tslice' differs)"
}

@test "what is no regular file is neither followed nor waited for" {
	local name
	echo precious >victim
	for name in data plan 1 2 1.begun plan.5; do
		begun
		rm -f "out.npy.parts/$name"
		ln -s ../victim "out.npy.parts/$name"
		left_alone "holds '$name'"
		rm "out.npy.parts/$name"
		mkfifo "out.npy.parts/$name"
		left_alone "holds '$name'"
		rm "out.npy.parts/$name"
		mkdir "out.npy.parts/$name"
		left_alone "holds '$name'"
	done
	same "$(cat victim)" precious
	clean out.npy.parts victim
}

@test "a link or a file in place of the directory is left alone" {
	mkdir mine
	echo precious >mine/notes
	ln -s mine out.npy.parts
	left_alone 'is no directory'
	rm mine/notes
	left_alone 'is no directory'
	rm out.npy.parts
	ln -s missing out.npy.parts
	left_alone 'is no directory'
	rm out.npy.parts
	echo precious >out.npy.parts
	left_alone 'is no directory'
	rm out.npy.parts
	mkfifo out.npy.parts
	run -4 --separate-stderr part 1 2
	has "$stderr" 'is no directory'
}

@test "a directory that others may write to is left alone" {
	local mode
	for mode in 777 1777 757 775; do
		begun
		chmod $mode out.npy.parts
		left_alone 'may be written to by others'
	done
	chmod 755 out.npy.parts
	made
	# Those of the user's own group, if the umask says so.
	begun
	chmod 775 out.npy.parts
	umask 002
	made
	# It is never made so, whatever the umask.
	umask 0
	begun
	same "$(stat -c %a out.npy.parts)" 755
}

@test "what is somebody else's is left alone" {
	requires root setpriv
	local name
	mkdir out.npy.parts
	chown 65534 out.npy.parts
	left_alone "is somebody else's"
	for name in data plan 1 2 1.begun plan.5; do
		begun
		[ -e "out.npy.parts/$name" ] || touch "out.npy.parts/$name"
		chown 65534 "out.npy.parts/$name"
		left_alone "holds '$name'"
	done
	# The directory of root, if it is open to a look, is none of others'.
	open_to_all
	begun
	chmod 644 "$A"
	run -4 --separate-stderr unprivileged timeout 20 tslice "$A" ::-1 \
		-o out.npy --part 1/2
	has "$stderr" "is somebody else's"
}

@test "what somebody puts there meanwhile keeps the result from appearing" {
	begun
	requires strace
	# When the part is written, before it is counted.
	strace -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=STOP:when=1 \
		tslice "$A" ::-1 -o out.npy --part 1/2 2>err &
	local tracer=$! pid
	wait_for test -e out.npy.parts/1.begun
	pid=$(child $tracer)
	wait_for grep -q '^State:.[Tt]' "/proc/$pid/status"
	echo precious >out.npy.parts/notes
	kill -CONT "$pid"
	local got=0
	wait $tracer || got=$?
	same $got 4
	has "$(cat err)" "holds 'notes', which is no file of ours"
	same "$(cat out.npy.parts/notes)" precious
	rm out.npy.parts/notes
	made
	clean err
}

@test "of two processes of one part the second one says so" {
	requires strace
	strace -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=STOP:when=1 \
		tslice "$A" ::-1 -o out.npy --part 1/2 &
	local tracer=$! pid
	wait_for test -e out.npy.parts/1.begun
	pid=$(child $tracer)
	wait_for grep -q '^State:.[Tt]' "/proc/$pid/status"
	run -4 --separate-stderr part 1 2
	same "$stderr" 'tslice: out.npy: part 1 of 2 is being made by another process'
	part 2 2
	kill -CONT "$pid"
	wait $tracer
	tslice "$A" ::-1 | cmp - out.npy
	clean out.npy
	# One that died has no lock any more.
	rm out.npy
	begun
	touch out.npy.parts/1.begun
	made
	clean
}

# wakes_up CALL WANT COMMAND...: a process that stops in CALL, before its first
# byte, wakes up when another one has made its part, all is done, and somebody
# has changed the result: that is as it was, wherever it is killed then.
wakes_up() {
	local call=$1 want=$2 tracer pid n
	shift 2
	for n in 1 2 1000; do
		rm -rf out.npy out.npy.parts
		strace -qq -o /dev/null -e "trace=$call,pwrite64,flock" \
			-e inject=flock:error=ENOLCK \
			-e "inject=$call:signal=STOP:when=1" \
			-e "inject=pwrite64:signal=KILL:when=$n" \
			"$@" -o out.npy --part 1/2 2>/dev/null &
		tracer=$!
		wait_for test -e out.npy.parts/data
		pid=$(child $tracer)
		wait_for grep -q '^State:.[Tt]' "/proc/$pid/status"
		"$@" -o out.npy --part 1/2
		"$@" -o out.npy --part 2/2
		cmp out.npy "$want"
		if [ "$n" -gt 1 ]; then changed out.npy; fi
		cp out.npy now
		kill -CONT "$pid"
		wait $tracer || [ "$n" -lt 1000 ]
		cmp out.npy now
		[ ! -e out.npy.parts ]
	done
}

# changed FILE: it is written over, in place.
changed() {
	tr "\\0" x </dev/zero | dd of="$1" bs=100000 seek=1 count=4 \
		conv=notrunc status=none
}

@test "a process that wakes up when all is done harms nothing" {
	requires strace
	"${PYTHON:-python3}" -c '
import struct, sys
sys.stdout.buffer.write(struct.pack("<100000i", *range(0, 200000, 2)))' |
		npy i.npy '<i4' '(100000, 1)'
	head -c 800000 /dev/zero | npy u.npy '<f8' '(100000,)'
	le32 1 7 7 1 | npy rows.npy '<i4' '(4, 1)'
	head -c 4194304 /dev/zero | npy wide.npy '<f8' '(4, 131072)'
	npy square.npy '<f8' '(8, 131072)' < <(tail -c +129 "$B")
	tscatter "$B" i.npy u.npy -o want1
	tscatter square.npy rows.npy wide.npy -o want2
	wakes_up fallocate want1 tscatter "$B" i.npy u.npy --max-memory 1M
	wakes_up fallocate want2 tscatter square.npy rows.npy wide.npy
}

@test "inputs that are alike in size and time are not taken for one" {
	cp -p "$A" in.npy
	cp -p "$A" same.npy
	tslice in.npy -o out.npy --part 1/2
	cp -p same.npy other.npy
	# A copy, one that was put in its place, and one that was written over.
	run -4 --separate-stderr tslice same.npy -o out.npy --part 2/2
	has "$stderr" "('input 1' differs)"
	mv in.npy was.npy
	cp -p was.npy in.npy
	run -4 --separate-stderr tslice in.npy -o out.npy --part 2/2
	has "$stderr" "('input 1' differs)"
	rm -r out.npy.parts
	tslice in.npy -o out.npy --part 1/2
	le32 9 9 9 9 9 9 9 9 9 9 9 9 | npy in.npy '<i4' '(3, 4)'
	touch -r was.npy in.npy
	run -4 --separate-stderr tslice in.npy -o out.npy --part 2/2
	has "$stderr" "('input 1' differs)"
	# The same file by another name.
	rm -r out.npy.parts
	ln in.npy hard.npy
	tslice in.npy -o out.npy --part 1/2
	run -4 --separate-stderr tslice hard.npy -o out.npy --part 2/2
	has "$stderr" "('input 1' differs)"
	tslice "$PWD/./in.npy" -o out.npy --part 2/2
	[ -e out.npy ]
}

# Each call that the protocol makes fails once, in a part that is the last: then
# either all is done, or it is said, and the same command again does it.
@test "whichever call fails, the status is 4 or the result is there" {
	requires strace
	local call n got calls=0
	tslice "$A" ::-1 -o want
	for call in getdents64 newfstatat mkdirat linkat unlinkat renameat \
		renameat2 fsync; do
		for n in $(seq 60); do
			rm -rf out.npy out.npy.parts .tslice*
			begun
			rm -f trace
			got=0
			timeout 20 strace -qq -o trace -e "trace=$call" \
				-e "inject=$call:error=EIO:when=$n" \
				tslice "$A" ::-1 -o out.npy --part 1/2 2>err ||
				got=$?
			grep -q INJECTED trace || break
			calls=$((calls + 1))
			# The system's own, before we begin.
			case $got in
			0) [ -e out.npy ] && cmp out.npy want ;;
			4) same "$(wc -l <err)" 1 ;;
			127) continue ;;
			*) echo "$call $n: $got" >&2; return 1 ;;
			esac
			[ -e out.npy ] && cmp out.npy want && continue
			made
		done
	done
	[ $calls -ge 20 ]
}

@test "a directory that cannot be looked at is an error" {
	requires strace
	local calls=fstat,newfstatat,getdents64,openat n
	tslice "$A" ::-1 -o want
	for n in $(seq 60); do
		rm -rf out.npy out.npy.parts trace
		run -4 --separate-stderr strace -qq -o trace -e "trace=$calls" \
			-P "$PWD/out.npy.parts" \
			-e "inject=$calls:error=EIO:when=$n" \
			tslice "$A" ::-1 -o out.npy --part 1/1 || {
			[ "$status" = 0 ] && ! grep -q INJECTED trace && break
			return 1
		}
		one_line "$stderr"
		[ "$n" -gt 3 ] || [ ! -e out.npy.parts/data ]
		[ -e out.npy ] || tslice "$A" ::-1 -o out.npy --part 1/1
		cmp out.npy want
	done
	[ "$n" -gt 6 ]
}
