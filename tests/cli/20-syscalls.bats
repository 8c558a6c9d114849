#!/usr/bin/env bats
# The n-th call of each kind fails, for every n until none does: the result is
# whole, or it is refused and the old file stays.
# shellcheck disable=SC2154,SC2034 # bats and faults.bash set and use variables
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

# Small inputs, so that there are few calls and every one of them is met.
setup() {
	requires strace
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
	feed=
}

# two_inputs: what tgather and tsetdiag are given here.
two_inputs() {
	ints m.npy '(3, 3)' 1 2 3 4 5 6 7 8 9
	ints i.npy '(2, 1)' 2 0
	ints d.npy '(3,)' 10 20 30
}

copies() { # CALL FAULT: of a slice that is a copy
	sweep "$1" "$2" tslice -j 1 "$A" 1: -o o.npy
}

turns() { # CALL FAULT: of a slice that is mapped
	sweep "$1" "$2" tslice -j 1 "$A" ::-1 -o o.npy
}

@test "opening: descriptors run out" {
	copies openat error=EMFILE
	[ "$refused" -ge 2 ]
}

@test "opening: the system's files run out" {
	turns openat error=ENFILE
	[ "$refused" -ge 2 ]
}

@test "opening: memory runs out" {
	copies openat error=ENOMEM
	[ "$refused" -ge 2 ]
}

@test "opening: a disk error" {
	turns openat error=EIO
	[ "$refused" -ge 2 ]
}

@test "opening: names that are taken are passed over" {
	copies openat error=EEXIST
	[ "$hits" -ge 2 ]
}

@test "reading the header by position: a disk error" {
	copies pread64 error=EIO
	[ "$refused" -ge 1 ]
	same "$hits" "$refused"
}

@test "reading by position: interrupted, and taken up again" {
	copies pread64 error=EINTR
	[ "$hits" -ge 1 ]
	same "$refused" 0
}

@test "reading a pipe: a disk error" {
	feed=$A
	sweep read error=EIO tslice - ::-1 -o o.npy
	[ "$refused" -ge 2 ]
	same "$hits" "$refused"
}

@test "reading a pipe: interrupted, and taken up again" {
	feed=$A
	sweep read error=EINTR tslice - ::-1 -o o.npy
	[ "$hits" -ge 2 ]
	same "$refused" 0
}

@test "writing by position: the disk is full" {
	copies pwrite64 error=ENOSPC
	[ "$refused" -ge 1 ]
	same "$hits" "$refused"
}

@test "writing by position: the quota is used up" {
	turns pwrite64 error=EDQUOT
	[ "$refused" -ge 1 ]
	same "$hits" "$refused"
}

@test "writing by position: a disk error" {
	turns pwrite64 error=EIO
	same "$hits" "$refused"
}

@test "writing by position: the file would be too large" {
	copies pwrite64 error=EFBIG
	same "$hits" "$refused"
	has "$(cat "$log")" pwrite64
}

@test "writing by position: interrupted, and taken up again" {
	copies pwrite64 error=EINTR
	[ "$hits" -ge 1 ]
	same "$refused" 0
}

@test "writing by position: nothing at all is written" {
	# A file system that takes no byte and says no error must not hang it.
	cp "$OLD" o.npy
	run --separate-stderr timeout 10 strace -f -qq -o "$log" \
		-e trace=pwrite64 -e inject=pwrite64:retval=0 -- \
		tslice -j 1 "$A" 1: -o o.npy
	injected
	same "$status" 4
	one_line "$stderr"
	cmp "$OLD" o.npy
	clean o.npy
}

@test "writing in order: nothing at all is written" {
	run --separate-stderr timeout 10 strace -f -qq -o "$log" \
		-e trace=write -e inject=write:retval=0:when=1+ -P "$PWD/got" -- \
		sh -c 'exec tslice "$1" 1: >got' - "$A"
	injected
	same "$status" 4
	one_line "$stderr"
}

# What is large enough for the kernel to copy it, and too small to be shared.
copied_by_kernel() { # FAULT
	seq 100000 | head -c 200000 | npy in.npy '|u1' '(200000,)'
	sweep copy_file_range "$1" tslice -j 1 in.npy ... -o o.npy
	[ "$hits" -ge 1 ]
	same "$refused" 0
}

@test "copying by the kernel: what it cannot do is read and written" {
	local error
	for error in EXDEV EINVAL ENOSYS EOPNOTSUPP ETXTBSY EPERM EBADF; do
		copied_by_kernel error=$error
	done
}

@test "copying by the kernel: a disk error, or no room, that does not last" {
	copied_by_kernel error=EIO
	copied_by_kernel error=ENOSPC
}

@test "copying by the kernel: nothing at all is copied, or interrupted" {
	copied_by_kernel retval=0
	copied_by_kernel error=EINTR
}

@test "reserving room: the disk is full" {
	copies fallocate error=ENOSPC
	same "$hits" "$refused"
}

@test "reserving room: what the file system cannot do is not needed" {
	copies fallocate error=EOPNOTSUPP
	turns fallocate error=ENOSYS
	same "$refused" 0
}

@test "reserving room: interrupted, and taken up again" {
	copies fallocate error=EINTR
	same "$refused" 0
}

@test "mapping: no memory for it, or no mapping of such a file" {
	requires release
	local error
	for error in ENOMEM ENODEV; do
		sweep mmap error=$error tslice -j 1 "$B" ::4096 -o o.npy
		[ "$hits" -ge 1 ]
	done
}

@test "the mode cannot be set" {
	copies fchmod error=EPERM
	same "$hits $refused" '1 1'
}

@test "renaming: every way it may fail" {
	local error
	for error in EACCES EBUSY EIO ENOENT ENOSPC EROFS EXDEV; do
		copies renameat error=$error
		same "$error $hits $refused" "$error 1 1"
	done
}

@test "naming a file that has no name: every way it may fail" {
	local error
	for error in EACCES EIO ENOENT ENOSPC EROFS EXDEV; do
		copies linkat error=$error
		same "$error $hits $refused" "$error 1 1"
		run -4 --separate-stderr faulty linkat error=$error -- \
			tslice --no-clobber "$A" 1: -o o.npy
		injected
		one_line "$stderr"
		clean want.npy
		rm want.npy
	done
}

@test "renaming without replacing: every way it may fail" {
	local error
	without_tmpfile
	npy want.npy '<i4' '(2, 4)' < <(le32 4 5 6 7 8 9 10 11)
	for error in EACCES EEXIST EIO ENOENT EROFS; do
		run -4 --separate-stderr faulty renameat2 error=$error -- \
			tslice --no-clobber "$A" 1: -o o.npy
		injected
		one_line "$stderr"
		clean want.npy
	done
}

@test "renaming without replacing: where the system cannot, a link does" {
	local error
	without_tmpfile
	for error in EINVAL ENOSYS; do
		run -0 --separate-stderr faulty renameat2 error=$error -- \
			tslice --no-clobber "$A" 1: -o o.npy
		injected
		same "$(items o.npy)" '4 5 6 7 8 9 10 11'
		same "$(stat -c %h o.npy)" 1
		clean o.npy
		rm o.npy
	done
}

@test "renaming without replacing: a link does not replace either" {
	without_tmpfile
	# Something comes in between while the rename is being refused.
	strace -f -qq -o "$log" -e trace=renameat2 \
		-e inject=renameat2:error=ENOSYS:delay_enter=400000 -- \
		tslice --no-clobber "$A" 1: -o o.npy 2>err 3>&- &
	local job=$!
	wait_for begun
	cp "$OLD" o.npy
	status=0
	wait $job || status=$?
	injected
	same "$status" 4
	one_line "$(cat err)"
	cmp "$OLD" o.npy
	clean err o.npy
}

@test "closing standard output: an error of the disk comes to light" {
	local status=0
	strace -f -qq -o "$log" -e trace=close -e inject=close:error=EIO \
		-P "$PWD/o.out" tslice "$A" 1 >o.out 2>said || status=$?
	same "$status $(cat said)" \
		'4 tslice: standard output: cannot write: Input/output error'
}

@test "closing: an error of the disk comes to light" {
	copies close error=EIO
	[ "$refused" -ge 1 ]
}

@test "closing: the disk turns out to be full" {
	copies close error=ENOSPC
	[ "$refused" -ge 1 ]
	turns close error=EDQUOT
	[ "$refused" -ge 1 ]
}

@test "closing: interrupted is closed" {
	turns close error=EINTR
	same "$refused" 0
}

@test "asking for a file's facts fails" {
	turns newfstatat error=EIO
	[ "$hits" -ge 1 ]
	copies fstat error=EIO
	copies statx error=EIO
}

@test "resolving the name of what is replaced fails" {
	mkdir real
	ln -s real via
	cp "$OLD" real/o.npy
	ln -s via/o.npy l.npy
	run -4 --separate-stderr faulty readlinkat \
		error=EIO:when=1 -- \
		tslice "$A" 1: -o l.npy
	injected
	one_line "$stderr"
	cmp "$OLD" real/o.npy
	clean real via l.npy
}

@test "asking for permission fails" {
	copies faccessat2 error=EACCES
	copies faccessat error=EACCES
	[ "$hits" -ge 0 ]
}

@test "asking where standard input stands fails: it is read as a stream" {
	printf x >before_it
	run -0 --separate-stderr faulty lseek error=ESPIPE -- \
		tslice - ::-1 -o o.npy <"$A"
	injected
	same "$(items o.npy)" '8 9 10 11 4 5 6 7 0 1 2 3'
	clean before_it o.npy
}

@test "leaving standard input where it belongs fails" {
	local n
	for n in 1 2 3; do
		run --separate-stderr faulty lseek "error=EIO:when=$n" -- \
			tslice - ::-1 -o o.npy <"$A"
		injected || break
		if [ "$status" = 0 ]; then
			same "$(items o.npy)" '8 9 10 11 4 5 6 7 0 1 2 3'
			rm o.npy
		else
			same "$status" 4
			one_line "$stderr"
		fi
		clean
	done
	[ "$n" -ge 2 ]
}

@test "duplicating standard output's descriptor fails" {
	run -4 --separate-stderr faulty fcntl error=EMFILE:when=4 -- \
		tslice "$A" 1:
	injected
	one_line "$stderr"
	same "$output" ''
}

@test "syncing: the file's failure keeps the old one" {
	local error
	for error in EIO ENOSPC EDQUOT; do
		one_fault fsync error=$error 1 tslice --sync "$A" 1: -o o.npy
		same "$status" 4
		whole_or_refused
	done
}

@test "syncing: the directory's failure says what has happened" {
	one_fault fsync error=EIO 2 tslice --sync "$A" 1: -o o.npy
	same "$status" 4
	one_line "$stderr"
	has "$stderr" 'may not outlast'
	same "$(items o.npy)" '4 5 6 7 8 9 10 11'
	clean o.npy
}

@test "syncing: a file system without it will do" {
	one_fault fsync error=EINVAL 1+1 tslice --sync "$A" 1: -o o.npy
	same "$status" 0
	same "$(items o.npy)" '4 5 6 7 8 9 10 11'
}

@test "syncing: a directory that cannot be opened is found in time" {
	local n
	for n in 1 2 3 4 5 6 7 8; do
		one_fault openat error=EMFILE \
			$(($(before_main openat) + n)) \
			tslice --sync "$A" 1: -o o.npy || break
		same "$status" 4
		cmp "$OLD" o.npy
		clean o.npy
	done
	[ "$n" -ge 4 ]
	same "$status" 0
}

@test "a temporary file that cannot be removed is all that stays" {
	without_tmpfile
	cp "$OLD" o.npy
	run -4 --separate-stderr strace -f -qq -o "$log" \
		-e trace=pwrite64,unlinkat -e inject=pwrite64:error=EIO \
		-e inject=unlinkat:error=EPERM -- tslice "$A" 1: -o o.npy
	injected
	one_line "$stderr"
	cmp "$OLD" o.npy
	same "$(find . -type f -name '.tslice.*.tmp' | wc -l)" 1
	same "$(find . -type f | wc -l)" 2
	tslice "$A" 1: -o o.npy
	same "$(items o.npy)" '4 5 6 7 8 9 10 11'
}

# Every call that a command of the inputs m.npy and $2 makes, failing.
every_call_of() { # COMMAND SECOND
	local call
	two_inputs
	for call in openat pread64 pwrite64 close renameat linkat; do
		sweep "$call" error=EIO "$1" m.npy "$2" -o o.npy
		[ "$refused" -ge 1 ]
	done
	"$1" m.npy "$2" | cmp - want.npy
}

every_read_from_a_pipe() { # COMMAND SECOND
	two_inputs
	cat m.npy "$2" >both
	feed=both
	sweep read error=EIO "$1" - - -o o.npy
	[ "$refused" -ge 4 ]
}

@test "tgather: every open, read, write, close and rename" {
	every_call_of tgather i.npy
}

@test "tgather: both inputs from a pipe whose n-th read fails" {
	every_read_from_a_pipe tgather i.npy
}

@test "tsetdiag: every open, read, write, close and rename" {
	every_call_of tsetdiag d.npy
}

@test "tsetdiag: both inputs from a pipe whose n-th read fails" {
	every_read_from_a_pipe tsetdiag d.npy
}

@test "tshape: every open and read of its subjects" {
	local call n
	for call in openat pread64; do
		n=$(before_main $call)
		while :; do
			run --separate-stderr faulty $call \
				"error=EIO:when=$((n += 1))" -- tshape "$A" "$B"
			injected || break
			same "$status" 4
			same "$(wc -l <<<"$stderr")" 1
			# The other subject is answered all the same.
			same "$(wc -l <<<"$output")" 1
		done
		same "$status" 0
	done
}

@test "an encoding whose every read fails" {
	tslice --explain --json 1: >e.json
	sweep read error=EIO tslice "$A" --encoding e.json -o o.npy
	[ "$refused" -ge 1 ]
}

@test "text in a file: every write of it" {
	tslice --print "$A" 1: >want.npy
	sweep pwrite64 error=ENOSPC tslice --print "$A" 1: -o o.npy
	[ "$refused" -ge 1 ]
}

@test "a message is one write, however many lines it has" {
	run -2 --separate-stderr strace -f -qq -o "$log" -e trace=write -- \
		tslice "$A" '1:2, x y'
	same "${#stderr_lines[@]}" 3
	same "$(grep -c 'write(2, ' "$log")" 1
}
