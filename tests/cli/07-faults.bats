#!/usr/bin/env bats
# System calls that fail, are interrupted, or meet a file that changes.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2030,SC2031 # a function called in a test sees its status
# shellcheck disable=SC2016 # bash -c expands what stands in single quotes

load helpers
load faults

setup() {
	requires strace
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
}

# after_loading: was the fault met by the program and not by its loader, whose
# last act is to unmap its cache?
after_loading() {
	awk '/munmap/ { ready = 1 } /INJECTED/ { met = ready }
	     END { exit !met }' "$log"
}

@test "a disk that fills at the n-th write, for every n" {
	local n hits=0
	for n in 1 2 3 4 5 6 8 12 20; do
		cp "$OLD" o.npy
		run --separate-stderr faulty "$WRITES" "error=ENOSPC:when=$n" -- \
			tslice -j 1 "$B" ::-1 -o o.npy
		injected || break
		hits=$((hits + 1))
		printf 'write %d: status %s\n' "$n" "$status"
		same "$status" 4
		cmp "$OLD" o.npy
		clean o.npy
	done
	[ "$hits" -ge 2 ]
	same "$status" 0
	tslice "$B" ::-1 | cmp - o.npy
}

@test "a disk that fills while several threads write" {
	local n hits=0
	head -c 12582912 /dev/zero | npy c.npy '<f8' '(1572864,)'
	for n in 1 2 3; do
		cp "$OLD" o.npy
		run --separate-stderr faulty pwrite64,write "error=ENOSPC:when=$n" \
			-- tslice -j 4 c.npy ::-1 -o o.npy
		injected || break
		hits=$((hits + 1))
		same "$status" 4
		cmp "$OLD" o.npy
		clean c.npy o.npy
	done
	[ "$hits" -ge 1 ]
}

@test "the message tells what the system said" {
	run -4 --separate-stderr faulty pwrite64 error=ENOSPC:when=1 -- \
		tslice "$B" ... -o o.npy
	injected
	one_line "$stderr"
	has "$stderr" 'No space left on device'
	clean
}

@test "standard output that fails at the n-th write" {
	local n hits=0
	for n in 1 2 3 4 5 6 8 12 20 40; do
		run --separate-stderr faulty write,writev "error=EIO:when=$n" -- \
			bash -c 'exec tslice "$1" ::-1 >got' - "$B"
		injected || break
		hits=$((hits + 1))
		printf 'write %d: status %s\n' "$n" "$status"
		same "$status" 4
	done
	[ "$hits" -ge 2 ]
	same "$status" 0
	tslice "$B" ::-1 | cmp - got
}

@test "interrupted writes are taken up again" {
	run -0 --separate-stderr faulty "$WRITES" error=EINTR:when=1+2 -- \
		tslice "$B" ::-1 -o o.npy
	injected
	tslice "$B" ::-1 | cmp - o.npy
	faulty write,writev error=EINTR:when=1+2 -- tslice "$B" ::-1 | cat >o.npy
	injected
	tslice "$B" ::-1 | cmp - o.npy
}

@test "interrupted reads are taken up again" {
	run -0 --separate-stderr faulty "$READS" error=EINTR:when=1+2 -P "$B" -- \
		tslice "$B" ::-1 -o o.npy
	injected
	tslice "$B" ::-1 | cmp - o.npy
}

@test "interrupted reads of a pipe are taken up again" {
	tslice "$B" ::2 -o want.npy
	mkfifo p
	timeout 20 bash -c 'cat "$1" >p' - "$B" 3>&- &
	run -0 --separate-stderr faulty read error=EINTR:when=1+2 -P "$PWD/p" -- \
		timeout 20 tslice p ::2 -o o.npy
	injected
	cmp want.npy o.npy
}

@test "a read error is an error and no end of file" {
	local n hits=0
	tslice "$B" 1: -o ../want.npy
	for n in 1 2 3 4 5 6 8 12; do
		cp "$OLD" o.npy
		run --separate-stderr faulty "$READS" "error=EIO:when=$n" -P "$B" -- \
			tslice -j 1 "$B" 1: -o o.npy
		injected || break
		hits=$((hits + 1))
		printf 'read %d: status %s\n' "$n" "$status"
		same "$status" 4
		has "$stderr" 'Input/output error'
		one_line "$stderr"
		cmp "$OLD" o.npy
		clean o.npy
	done
	[ "$hits" -ge 2 ]
	same "$status" 0
	cmp ../want.npy o.npy
}

@test "a rename that fails leaves the old file" {
	local error
	for error in EACCES EXDEV EIO; do
		cp "$OLD" o.npy
		run -4 --separate-stderr faulty rename,renameat,renameat2 \
			error=$error -- tslice "$B" ... -o o.npy
		injected
		one_line "$stderr"
		cmp "$OLD" o.npy
		clean o.npy
	done
}

@test "fsync that fails is fatal with --sync" {
	cp "$OLD" o.npy
	run -4 --separate-stderr faulty fsync,fdatasync error=EIO:when=1 -- \
		tslice --sync "$B" ... -o o.npy
	injected
	one_line "$stderr"
	cmp "$OLD" o.npy
	clean o.npy
}

@test "--sync syncs the file and its directory" {
	strace -f -qq -y -o "$log" -e trace=fsync,fdatasync \
		tslice --sync "$A" ... -o o.npy
	[ "$(grep -c 'sync(.* = 0' "$log")" -ge 2 ]
	has "$(cat "$log")" "<$PWD>"
	strace -f -qq -o "$log" -e trace=fsync,fdatasync tslice "$A" ... -o o.npy
	run -1 grep -q sync "$log"
}

@test "a file system without fallocate will do" {
	run -0 --separate-stderr faulty fallocate error=EOPNOTSUPP -- \
		tslice "$B" ... -o o.npy
	injected
	same "$stderr" ''
	cmp "$B" o.npy
	clean o.npy
}

@test "a system that grants no threads will do" {
	head -c 12582912 "$B" /dev/zero | head -c 12582912 |
		npy c.npy '<f8' '(1572864,)'
	run -0 --separate-stderr faulty clone,clone3 error=EAGAIN -- \
		tslice -j 4 c.npy ::-1 -o o.npy
	injected
	tslice -j 1 c.npy ::-1 | cmp - o.npy
	clean c.npy o.npy
}

@test "memory that is refused is status 4, not a crash" {
	local n hits=0
	requires release
	for n in $(seq 1 60); do
		run --separate-stderr faulty mmap,brk,mremap \
			"error=ENOMEM:when=$n" -e trace=mmap,brk,mremap,munmap \
			-- tslice "$B" ::-1 -o o.npy
		injected || break
		after_loading || { rm -f o.npy; continue; }
		hits=$((hits + 1))
		printf 'call %d: status %s %s\n' "$n" "$status" "$stderr"
		if [ "$status" = 0 ]; then
			tslice "$B" ::-1 | cmp - o.npy
			rm o.npy
		else
			same "$status" 4
			has "$stderr" 'tslice: '
		fi
		clean
	done
	[ "$hits" -ge 2 ]
}

@test "TERM at the n-th write leaves the old file or the new one" {
	local n hits=0
	tslice "$B" ::-1 -o want.npy
	for n in 1 2 3 4 6 10; do
		cp "$OLD" o.npy
		run --separate-stderr faulty "$WRITES" "signal=SIGTERM:when=$n" -- \
			tslice "$B" ::-1 -o o.npy
		injected || break
		hits=$((hits + 1))
		printf 'write %d: status %s\n' "$n" "$status"
		case $status in
		143) cmp "$OLD" o.npy ;;
		*) same "$status" 0; cmp want.npy o.npy ;;
		esac
		clean o.npy want.npy
	done
	[ "$hits" -ge 1 ]
}

# terminated CALLS N: TERM comes with the N-th of these calls; false if there
# are fewer.  No file may be left half-way.
terminated() {
	cp "$OLD" o.npy
	run --separate-stderr faulty "$1" "signal=SIGTERM:when=$2" -- \
		tslice "$A" ... -o o.npy
	printf '%s %d: status %s\n' "$1" "$2" "$status"
	[ "$status" = 143 ] || [ "$status" = 0 ] || return 2
	cmp -s "$OLD" o.npy || cmp "$A" o.npy || return 2
	clean o.npy || return 2
	injected
}

@test "TERM with the rename leaves the old file or the new one" {
	terminated rename,renameat,renameat2 1
}

@test "TERM with any other call on files leaves the old file or no litter" {
	local calls n rc
	for calls in openat close fstat,newfstatat,statx fchmod,fallocate; do
		for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
			rc=0
			terminated $calls $n || rc=$?
			[ $rc != 2 ]
			[ $rc = 0 ] || break
		done
		[ "$n" -gt 1 ]
	done
	same "$status" 0
	cmp "$A" o.npy
}

@test "files are created exclusively" {
	strace -f -qq -o "$log" -e trace=openat,open,creat \
		tslice "$A" ... -o o.npy
	grep -qE 'O_CREAT|O_TMPFILE' "$log"
	run -1 grep -E 'O_CREAT[^)]*' <(grep -v O_EXCL "$log")
	run -1 grep creat\( "$log"
}

second_call() {
	[ "$(grep -c w.npy "$log")" -ge 2 ]
}

# changed SPEC CALLS FAULT COMMAND...: starts a slice of w.npy in the
# background, some of whose calls are delayed, and runs the command during the
# second of them; what tslice returned is in $ended.
changed() {
	local spec=$1 calls=$2 fault=$3
	shift 3
	faulty "$calls" "$fault" -y -P "$PWD/w.npy" -- \
		tslice -j 1 w.npy "$spec" -o o.npy 2>err 3>&- &
	wait_for second_call
	"$@"
	ended=0
	wait $! || ended=$?
	injected
}

@test "an input that is replaced meanwhile is read as it was" {
	cp "$B" w.npy
	cp "$A" n.npy
	changed 1: "$READS" delay_enter=500000:when=2 mv n.npy w.npy
	same "$ended" 0
	cmp <(tslice "$B" 1:) o.npy
}

@test "an input that grows meanwhile gives what was promised" {
	cp "$B" w.npy
	changed 1: "$READS" delay_enter=500000:when=2 \
		dd if="$A" of=w.npy oflag=append conv=notrunc status=none
	[ "$ended" = 0 ] || [ "$ended" = 3 ]
	if [ "$ended" = 0 ]; then cmp <(tslice "$B" 1:) o.npy; else clean err w.npy; fi
}

@test "an input that shrinks meanwhile is an i/o error" {
	cp "$B" w.npy
	cp "$OLD" o.npy
	changed 1: "$READS" delay_enter=500000:when=2 truncate -s 1000 w.npy
	same "$ended" 4
	one_line "$(cat err)"
	cmp "$OLD" o.npy
	clean err o.npy w.npy
}

@test "an input that shrinks under a mapping is an i/o error" {
	cp "$B" w.npy
	cp "$OLD" o.npy
	changed ::4096 "mmap,$READS" delay_enter=500000:when=1+1 \
		truncate -s 1000 w.npy
	same "$ended" 4
	one_line "$(cat err)"
	cmp "$OLD" o.npy
	clean err o.npy w.npy
}

@test "what stands in a good file is only read" {
	strace -f -qq -y -o "$log" -e trace=openat,open \
		tslice "$A" ... -o o.npy
	run -0 grep -F "$A" "$log"
	run -1 grep -E 'O_RDWR|O_WRONLY' <<<"$output"
}

@test "a mapping cut short within its last page is not taken for zeros" {
	requires strace
	# 200 rows of 1000 float64: the last pick is in the last page.
	seq 400000 | head -c 1600000 | npy w.npy '<f8' '(200, 1000)'
	faulty mmap delay_exit=1000000 -P "$PWD/w.npy" -- \
		tslice w.npy ':, 499::500' -o o.npy 2>err &
	local job=$!
	wait_for begun
	truncate -s -2000 w.npy
	status=0
	wait "$job" || status=$?
	same "$status" 4
	injected
	same "$(cat err)" 'tslice: w.npy: the file became shorter while being read'
	[ ! -e o.npy ]
}

@test "an input cut short under many threads: status 4, and no signal" {
	requires strace
	head -c 67108864 /dev/zero | npy w.npy '<f8' '(512, 16384)'
	faulty fallocate delay_exit=1000000 -- \
		tslice w.npy ':, ::4' -j 8 -o o.npy 2>err &
	local job=$!
	wait_for begun
	truncate -s 1000 w.npy
	status=0
	wait "$job" || status=$?
	same "$status" 4
	injected
	same "$(cat err)" 'tslice: w.npy: the file became shorter while being read'
	[ ! -e o.npy ]
}

@test "a second signal while the first is being answered leaves no litter" {
	requires strace
	without_tmpfile
	head -c 67108864 /dev/zero | npy w.npy '<f8' '(512, 16384)'
	# Each block is slow, so that the signals find several threads at work.
	strace -f -qq -o "$log" -e trace=pwrite64,unlinkat \
		-e inject=pwrite64:delay_enter=300000 \
		-e inject=unlinkat:delay_enter=300000 -- env --default-signal=TERM \
		tslice w.npy '::-1' -j 4 -o o.npy 2>err &
	local job=$!
	wait_for begun
	local pid
	pid=$(compgen -G '.tslice.*.tmp')
	pid=${pid#.tslice.} pid=${pid%%.*}
	for _ in 1 2 3 4; do
		kill -TERM "$pid" 2>/dev/null || break
		sleep .06
	done
	status=0
	wait "$job" || status=$?
	same "$status" 143
	clean err w.npy
}
