#!/usr/bin/env bats
# Signals: what can be caught ends the command as it does by default, with the
# old file in place and nothing beside it; what was ignored stays ignored.
# shellcheck disable=SC2154,SC2034 # bats and faults.bash set and use variables
# shellcheck disable=SC2030,SC2031 # a function called in a test sees its status
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
	ulimit -c 0
	feed=
}

# at_each_write SIGNAL NUMBER
at_each_write() {
	requires strace
	killed "$1" "$2" pwrite64 tslice -j 1 "$B" ::-1 -o o.npy
	[ "$died" -ge 1 ]
	[ "${TSLICE_MODE:-release}" != san ] || return 0
	without_tmpfile
	killed "$1" "$2" pwrite64 tslice -j 1 "$B" ::-1 -o o.npy
	[ "$died" -ge 1 ]
}

@test "HUP at each write" { at_each_write HUP 1; }

@test "INT at each write" { at_each_write INT 2; }

@test "QUIT at each write" { at_each_write QUIT 3; }

@test "TERM at each write" { at_each_write TERM 15; }

@test "XCPU at each write" { at_each_write XCPU 24; }

@test "XFSZ at each write" { at_each_write XFSZ 25; }

@test "USR2, ALRM, VTALRM, PROF and IO at each write" {
	at_each_write USR2 12
	at_each_write ALRM 14
	at_each_write VTALRM 26
	at_each_write PROF 27
	at_each_write IO 29
}

@test "PIPE while a file is written leaves no litter either" {
	at_each_write PIPE 13
}

# at_each CALL SIGNAL NUMBER [OPTION]...: small files, every such call.
at_each() {
	local call=$1 signal=$2 number=$3
	shift 3
	requires strace
	killed "$signal" "$number" "$call" tslice -j 1 "$@" "$A" 1: -o o.npy
	[ "$hits" -ge 1 ]
}

@test "INT with each call that opens, reserves, renames or sets the mode" {
	at_each openat INT 2
	at_each fchmod INT 2
	at_each renameat INT 2
	at_each linkat INT 2
	at_each close INT 2
}

@test "the same where a file has a name before it is whole" {
	without_tmpfile
	at_each openat INT 2
	at_each fchmod INT 2
	at_each renameat INT 2
	at_each close INT 2
}

@test "TERM with each sync" {
	requires strace
	local n
	for n in 1 2; do
		one_fault fsync signal=SIGTERM $n tslice --sync "$A" 1: -o o.npy
		# With the second, the directory's, all is already in its place.
		if [ $n = 1 ]; then
			same "$status" 143
			cmp "$OLD" o.npy
		else
			[ "$status" = 143 ] || [ "$status" = 0 ]
			tslice "$A" 1: | cmp - o.npy
		fi
		clean o.npy
	done
}

@test "TERM with the rename that must not replace" {
	requires strace
	without_tmpfile
	run --separate-stderr faulty renameat2 signal=SIGTERM:when=1 -- \
		tslice --no-clobber "$A" 1: -o o.npy
	[ "$status" = 143 ] || same "$status" 0
	if [ -e o.npy ]; then tslice "$A" 1: | cmp - o.npy; fi
	same "$(compgen -G '.tslice*' || :)" ''
}

@test "TERM with each write of text to a file" {
	requires strace
	tslice --print "$A" 1: >want.npy
	killed TERM 15 pwrite64 tslice --print "$A" 1: -o o.npy
	[ "$died" -ge 1 ]
}

@test "TERM with each write of tgather and tsetdiag" {
	requires strace
	ints m.npy '(3, 3)' 1 2 3 4 5 6 7 8 9
	ints i.npy '(2, 1)' 2 0
	ints d.npy '(3,)' 10 20 30
	killed TERM 15 pwrite64 tgather m.npy i.npy -o o.npy
	[ "$died" -ge 1 ]
	killed TERM 15 pwrite64 tsetdiag m.npy d.npy -o o.npy
	[ "$died" -ge 1 ]
}

@test "TERM with each read of a pipe" {
	requires strace
	feed=$A
	killed TERM 15 read tslice - ::-1 -o o.npy
	[ "$died" -ge 2 ]
}

@test "signals that were ignored stay ignored, at each write" {
	requires strace
	local signal
	tslice "$A" 1: -o want.npy
	for signal in HUP INT QUIT TERM XCPU XFSZ USR1 PIPE; do
		cp "$OLD" o.npy
		run -0 --separate-stderr bash -c 'trap "" "$1"; log=$2; shift 2
			exec strace -f -qq -o "$log" "$@"' - $signal "$log" \
			-e trace=pwrite64 -e inject=pwrite64:signal=SIG$signal \
			-- tslice "$A" 1: -o o.npy
		# The log does not show signals that are ignored.
		grep -q pwrite64 "$log"
		cmp want.npy o.npy
		clean o.npy want.npy
	done
}

@test "a signal that is blocked is left to be dealt with by whoever blocks" {
	requires strace
	env --block-signal=TERM true 2>/dev/null || skip 'env cannot block'
	tslice "$A" 1: -o want.npy
	cp "$OLD" o.npy
	run -0 --separate-stderr strace -f -qq -o "$log" -e trace=pwrite64 \
		-e inject=pwrite64:signal=SIGTERM -- \
		env --block-signal=TERM tslice "$A" 1: -o o.npy
	cmp want.npy o.npy
	clean o.npy want.npy
}

# waiting [COMMAND]...: starts a command that waits for the rest of a FIFO, once
# it has begun its output.  Leaves its process id in $job.
waiting() {
	mkfifo p
	cp "$OLD" o.npy
	"$@" tslice p ::-1 -o o.npy 2>err 3>&- &
	job=$!
	exec 7<>p
	timeout 10 head -c 4000000 "$B" >&7
	wait_for begun
}

# ended: the rest arrives, or it is dead; leaves its status in $status.
ended() {
	status=0
	wait $job || status=$?
	exec 7>&-
}

@test "a command that waits for its input dies of each of these" {
	local signal number
	for signal in XCPU:152 XFSZ:153 USR2:140 VTALRM:154 PROF:155 IO:157; do
		number=${signal#*:} signal=${signal%:*}
		waiting env --default-signal="$signal"
		kill -"$signal" $job
		ended
		same "$signal $status" "$signal $number"
		cmp "$OLD" o.npy
		clean err o.npy p
		rm err o.npy p
	done
}

@test "stopped and continued, it does what it did" {
	waiting env
	kill -STOP $job
	sleep 0.05
	kill -CONT $job
	timeout 10 tail -c +4000001 "$B" >&7
	ended
	same "$status" 0
	tslice "$B" ::-1 | cmp - o.npy
	clean err o.npy p
}

@test "window changes and children are nothing to it" {
	waiting env
	kill -WINCH $job
	kill -CHLD $job
	kill -URG $job
	kill -CONT $job
	timeout 10 tail -c +4000001 "$B" >&7
	ended
	same "$status" 0
	tslice "$B" ::-1 | cmp - o.npy
}

# dies_of SIGNAL...: it does, of each, and leaves nothing but the old file.
dies_of() {
	local signal number
	for signal; do
		number=$(kill -l "$signal")
		waiting env --default-signal="$signal"
		kill -"$signal" $job
		ended
		same "$signal $status" "$signal $((128 + number))"
		cmp "$OLD" o.npy
		clean err o.npy p
		rm err o.npy p
	done
}

every_signal='HUP INT QUIT ILL TRAP ABRT BUS FPE SEGV USR2 PIPE ALRM TERM STKFLT
	XCPU XFSZ VTALRM PROF IO PWR SYS RTMIN RTMIN+1 RTMAX-1 RTMAX'

@test "every signal that can be caught, sent by somebody: no litter" {
	requires release
	# shellcheck disable=SC2086 # a list
	dies_of $every_signal
}

@test "every such signal, where a file has a name before it is whole" {
	without_tmpfile
	# shellcheck disable=SC2086 # a list
	dies_of $every_signal
}

# grown: f.npy is longer than it was.
grown() {
	[ "$(stat -c %s f.npy)" -gt "$(stat -c %s "$A")" ] ||
		! kill -0 $job 2>/dev/null
}

# cut_short SIGNAL THREADS: it comes while the threads add to a file.
cut_short() {
	local number
	number=$(kill -l "$1")
	cp "$A" f.npy
	env --default-signal="$1" tcat -j "$2" --append f.npy long.npy 3>&- &
	job=$!
	wait_for grown
	kill -"$1" $job 2>/dev/null || : # it may be done
	status=0
	wait $job || status=$?
	if [ "$status" = 0 ]; then
		same "$(stat -c %s f.npy)" $((128 + 48 + 1048576 * 64))
		return
	fi
	same "$1 $2 $status" "$1 $2 $((128 + number))"
	# It may come when all is added, and only the end is still to come.
	if ! cmp -s "$A" f.npy; then
		same "$(tshape f.npy)" '(4194307, 4)'
		return
	fi
	died=$((died + 1))
}

@test "every such signal while several threads add to a file: it is as it was" {
	local signal died=0
	requires release
	# All of it but the header is a hole.
	ints long.npy '(4194304, 4)'
	truncate -s $((128 + 1048576 * 64)) long.npy
	# On a busy machine most signals come when all is added.
	for _ in 1 2 3 4; do
		for signal in $every_signal; do
			cut_short "$signal" 2
			cut_short "$signal" 4
		done
		[ "$died" -lt 20 ] || break
	done
	[ "$died" -ge 20 ]
}

@test "KILL leaves no litter either, where a file needs no name" {
	waiting env
	if compgen -G '.tslice.*.tmp' >/dev/null; then
		kill -KILL $job
		ended
		skip 'this file system has no files without a name'
	fi
	kill -KILL $job
	ended
	same "$status" 137
	cmp "$OLD" o.npy
	clean err o.npy p
}

@test "KILL between the temporary name and the rename is all that leaves one" {
	requires strace
	local call
	for call in pwrite64 fchmod linkat; do
		cp "$OLD" o.npy
		run faulty $call signal=SIGKILL:when=1 -- \
			tslice -j 1 "$A" 1: -o o.npy
		same "$status" 137
		[ $call = linkat ] || clean o.npy
		cmp "$OLD" o.npy
	done
}

@test "nothing is removed that it did not make" {
	# The temporary name is taken: by a file, and by a link to one.
	cp "$OLD" theirs
	cp "$OLD" o.npy
	run -0 bash -c 'cp "$1" .tslice.$$.0.tmp; ln -s theirs .tslice.$$.1.tmp
		exec tslice "$2" 1: -o o.npy' - "$OLD" "$A"
	tslice "$A" 1: | cmp - o.npy
	cmp "$OLD" theirs
	same "$(find . -name '.tslice.*.0.tmp' -type f | wc -l)" 1
	same "$(find . -name '.tslice.*.1.tmp' -type l | wc -l)" 1
	cmp "$OLD" .tslice.*.0.tmp
}

@test "a temporary file that somebody else removes is missed, not made up" {
	without_tmpfile
	waiting env
	rm .tslice.*.tmp
	timeout 10 tail -c +4000001 "$B" >&7
	ended
	same "$status" 4
	one_line "$(cat err)"
	cmp "$OLD" o.npy
	clean err o.npy p
}

@test "two signals at once: it dies of one of them and leaves no litter" {
	waiting env --default-signal=TERM --default-signal=HUP
	kill -TERM $job
	kill -HUP $job 2>/dev/null || :
	ended
	[ "$status" = 143 ] || [ "$status" = 129 ]
	cmp "$OLD" o.npy
	clean err o.npy p
}

@test "a signal while standard output is written ends it the same way" {
	requires strace
	run --separate-stderr faulty write signal=SIGTERM:when=1 -- \
		bash -c 'exec tslice "$1" ::-1 >got' - "$B"
	same "$status" 143
	same "$stderr" ''
	clean got
}

@test "SIGPIPE is quiet for text, help and shapes too" {
	local command
	for command in 'tslice --help' 'tshape 2,3' 'tslice --explain 1' \
		'tslice --print "$A" ...'; do
		run --separate-stderr env --default-signal=PIPE bash -c \
			"(sleep 0.1; $command) | :; exit \${PIPESTATUS[0]}"
		same "$command: $status" "$command: 141"
		same "$stderr" ''
	done
}
