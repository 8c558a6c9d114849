#!/usr/bin/env bats
# Results that all processes of a launcher make together, with each MPI that
# there is: that they are one process's, and what failures leave.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# As root, with more processes than processors.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
# MPIs do not give back all that they take.
export ASAN_OPTIONS=detect_leaks=0

# The MPIs whose launcher there is, and a plugin beside the commands.  With
# sanitizers, which take their time, one is enough.
mpis() {
	local mpi bin all='mpich openmpi'
	if [ "${TSLICE_MODE:-release}" = san ]; then all=mpich; fi
	bin=$(dirname "$(type -P tslice)")
	for mpi in $all; do
		if command -v "mpirun.$mpi" >/dev/null &&
			[ -f "$bin/../libexec/tslice/mpi-$mpi.so" ]; then
			echo "$mpi"
		fi
	done
}

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	# Another launcher's directories are removed by it, at any time.
	export OMPI_MCA_orte_tmpdir_base=$BATS_TEST_TMPDIR
	export PRTE_MCA_prte_tmpdir_base=$BATS_TEST_TMPDIR
	[ -n "$(mpis)" ] || skip 'no MPI'
}

# launch ARGUMENT...: with $mpi, for at most a minute.
launch() {
	timeout -k 5 60 "mpirun.$mpi" "$@" </dev/null
}

# said: what we said of $stderr; the rest is the launcher's.
said() {
	grep -E '^(t[a-z]+: |\{)' <<<"$stderr"
}

# fails STATUS WORDS ARGUMENT...: launched like that it fails, with one line.
fails() {
	local want_status=$1 words=$2
	shift 2
	run --separate-stderr launch "$@"
	same "$status" "$want_status"
	same "$(said)" "$words"
}

# spoilt ARGUMENT...: out.npy is as it was, and there are these files besides.
spoilt() {
	cmp out.npy "$OLD"
	wait_for clean out.npy "$@"
}

@test "the file is one process's, and nothing else is left" {
	tslice "$B" ::-1 -o want
	local mpi n
	for mpi in $(mpis); do
		for n in 1 2 4; do
			cp "$OLD" out.npy
			chmod 640 out.npy
			run --separate-stderr launch -n $n tslice "$B" ::-1 \
				-o out.npy
			same "$status $output$(said)" '0 '
			cmp out.npy want
			same "$(stat -c %a out.npy)" 640
			clean out.npy want
		done
	done
}

@test "each writes its share, and no more" {
	requires strace
	local mpi
	for mpi in $(mpis); do
		# shellcheck disable=SC2016 # sh expands it
		launch -n 2 sh -c 'exec strace -f -qq -o trace.$$ \
			-e trace=pwrite64 tslice --mpi=always "$0" ::-1 \
			-o out.npy' "$B"
		for f in trace.*; do
			awk -F' = ' '/pwrite64/ { n += $2 } END { print n }' "$f"
		done >sums
		same "$(awk '$1 > 3500000 && $1 < 5000000' sums | wc -l)" 2
		same "$(awk '{ n += $1 } END { print n }' sums)" 8388736
		rm trace.* sums
	done
}

@test "a message is said once, and all have its status" {
	local mpi
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		fails 3 "tslice: $A: index 9 is out of range for axis 0 of \
size 3" -n 3 tslice "$A" 9 -o out.npy
		has "$stderr" '  ^'
		spoilt
		fails 2 "tslice: unknown option '--what'; see tslice -h" \
			-n 3 tslice "$A" 0 -o out.npy --what
		fails 4 "tslice: none/x: cannot write: No such file or \
directory" -n 3 tslice "$A" 0 -o none/x
		run --separate-stderr launch -n 3 tslice "$A" 9 --json \
			-o out.npy
		same "$(said | jq -r .error.kind)" index_out_of_range
		spoilt
	done
}

@test "an error that only the last one meets names the input" {
	seq 90000 | sed 's/.*/0/; 80000s/0/9/' >list
	local mpi
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		run --separate-stderr launch -n 3 tgather "$A" \
			--indices @list -o out.npy
		same "$status" 3
		matches "$(said)" 'tgather: list: indices\[79999\] = \[9\] '\
'does not index .* \(process 2 of 3, on .*\)'
		spoilt list
	done
}

@test "an input that is missing, or another, on one of them" {
	local mpi host
	host=$(uname -n)
	cp "$B" other.npy
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		fails 4 "tslice: none.npy: cannot open: No such file or \
directory (process 1 of 2, on $host)" \
			-n 1 tslice "$B" ::2 -o out.npy : \
			-n 1 tslice none.npy ::2 -o out.npy
		fails 4 "tslice: other.npy: is not the same file in all \
processes (process 1 of 2, on $host)" \
			-n 1 tslice "$B" ::2 -o out.npy : \
			-n 1 tslice other.npy ::2 -o out.npy
		fails 4 "tslice: what is to be done is not the same: 'result' \
(process 1 of 2, on $host)" \
			-n 1 tslice "$B" ::2 -o out.npy : \
			-n 1 tslice "$B" ::4 -o out.npy
		spoilt other.npy
	done
}

@test "a directory that is not shared" {
	mkdir elsewhere
	local mpi
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		fails 4 "tslice: elsewhere/out.npy: its directory is not \
shared (process 1 of 2, on $(uname -n))" \
			-n 1 tslice "$B" ::2 -o out.npy : \
			-n 1 tslice "$B" ::2 -o elsewhere/out.npy
		spoilt elsewhere
	done
}

@test "what another host has left by the same name is not taken for the file" {
	mkdir elsewhere
	local mpi before
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		# By the number of the process that is to make it, soon.
		(cd elsewhere && seq -f '.tslice.%.0f.0.tmp' "$BASHPID" \
			$((BASHPID + 4000)) | xargs touch)
		before=$(ls -A elsewhere)
		fails 4 "tslice: elsewhere/out.npy: its directory is not \
shared (process 1 of 2, on $(uname -n))" \
			-n 1 tslice "$B" ::2 -o out.npy : \
			-n 1 tslice "$B" ::2 -o elsewhere/out.npy
		same "$(ls -A elsewhere)" "$before"
		spoilt elsewhere
	done
}

@test "a disk that is full, or fails, for one of them" {
	requires strace
	local mpi error
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		for error in EIO:Input/output ENOSPC:No; do
			run --separate-stderr launch \
				-n 2 tslice "$B" ::-1 -o out.npy : \
				-n 1 strace -f -qq -o /dev/null \
				-e trace=pwrite64 \
				-e inject=pwrite64:error=${error%:*} \
				tslice --mpi=always "$B" ::-1 -o out.npy
			same "$status" 4
			matches "$(said)" "tslice: out.npy: cannot write: \
${error#*:} .* \(process 2 of 3, on .*\)"
			spoilt
		done
	done
}

@test "one that is killed leaves the old file, and nothing else" {
	requires strace
	local mpi at
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		for at in pwrite64 fallocate; do
			run --separate-stderr launch \
				-n 1 tslice "$B" ::-1 -o out.npy : \
				-n 1 strace -f -qq -o /dev/null -e trace=$at \
				-e inject=$at:signal=KILL \
				tslice --mpi=always "$B" ::-1 -o out.npy
			[ "$status" != 0 ]
			spoilt
		done
	done
}

# victims: the processes at work here, but not their children, the janitors.
victims() {
	local p parent
	for p in $(pgrep -x tslice); do
		parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$p/status")
		if [ "$(readlink "/proc/$p/cwd")" = "$PWD" ] &&
			[ "$(cat "/proc/$parent/comm")" != tslice ]; then
			echo "$p"
		fi
	done 2>/dev/null
}

@test "killed at any moment, it is the old file or the new one" {
	requires pgrep
	tslice "$B" ::-1 -o want
	local mpi p
	for mpi in $(mpis); do
		for _ in $(seq "${ROUNDS:-2}"); do
			cp "$OLD" out.npy
			launch -n 3 tslice "$B" ::-1 -o out.npy \
				>log 2>&1 3>&- &
			sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
			p=$(victims | shuf -n 1)
			if [ -n "$p" ]; then kill -KILL "$p" || :; fi
			wait $! || :
			rm log
			cmp -s out.npy want || cmp out.npy "$OLD"
			wait_for clean out.npy want
		done
	done
}

@test "a signal to the launcher leaves the old file, and nothing else" {
	requires pgrep strace
	local mpi sig
	for mpi in $(mpis); do
		for sig in INT TERM HUP; do
			cp "$OLD" out.npy
			# One waits, and so all do.
			setsid "mpirun.$mpi" -n 1 tslice "$B" ::-1 -o out.npy : \
				-n 1 strace -f -qq -o /dev/null \
				-e trace=pwrite64 \
				-e inject=pwrite64:delay_enter=20000000 \
				tslice --mpi=always "$B" ::-1 -o out.npy \
				>log 2>&1 </dev/null 3>&- &
			wait_for sh -c 'ls -A | grep -q "^\.tslice"'
			kill -$sig $!
			wait $! || :
			rm log
			spoilt
		done
	done
}

# apart: a process that Open MPI takes for the only one, twice at once, needs a
# directory of its own: it fails where another has just made one.
write_apart() {
	mkdir "$BATS_TEST_TMPDIR/bin"
	cat >"$BATS_TEST_TMPDIR/bin/apart" <<-'END'
		#!/bin/sh
		OMPI_MCA_orte_tmpdir_base=$(mktemp -d -p "$BATS_TEST_TMPDIR")
		export OMPI_MCA_orte_tmpdir_base
		exec "$@"
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/apart"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "the plugin of another MPI, and one that there is not" {
	write_apart
	local mpi other
	for mpi in $(mpis); do
		cp "$OLD" out.npy
		export TSLICE_MPI=none-such
		fails 4 "tslice: there is no plugin for this launcher's MPI \
(mpi-none-such.so); --mpi=never has each process make all of the result" \
			-n 2 tslice "$A" 0 -o out.npy
		export TSLICE_MPI=../x
		run --separate-stderr launch -n 2 tslice "$A" 0 -o out.npy
		same "$status" 2
		for other in $(mpis); do
			[ "$other" != "$mpi" ] || continue
			export TSLICE_MPI=$other
			run --separate-stderr launch -n 2 apart tslice "$A" 0 \
				-o out.npy
			same "$status" 4
			matches "$(said)" 'tslice: the launcher has started 2 '\
'processes \(.*\), but .* sees 1: it is not its launcher'
		done
		unset TSLICE_MPI
		spoilt
	done
}

@test "what several cannot make is refused" {
	mkfifo pipe
	local mpi
	for mpi in $(mpis); do
		fails 2 "tslice: several processes make one file: they need \
-o FILE, or --mpi=never" -n 2 tslice "$A" 0
		fails 2 "tslice: several processes make one file: they need \
-o FILE, or --mpi=never" -n 2 tslice "$A" 0 -o -
		fails 2 "tslice: several processes make one file: that does \
not go with --print; use --mpi=never" -n 2 tslice "$A" 0 --print -o out
		fails 2 "tassign: several processes make one file: that does \
not go with --in-place; use --mpi=never" \
			-n 2 tassign "$A" 0 --value 1 --in-place
		fails 2 "tslice: several processes need files that each can \
read, not standard input" -n 2 tslice - 0 -o out
		fails 2 "tslice: several processes need files that each can \
read: 'pipe' is none" -n 2 tslice pipe 0 -o out
		clean pipe
	done
}

# shellcheck disable=SC2016 # sh expands it
@test "alone: with --mpi=never, in a script, and as --part" {
	local mpi
	tslice "$B" ::-1 -o want
	for mpi in $(mpis); do
		# What ends this soon a launcher need not pass on.
		launch -n 2 sh -c 'tslice --mpi=never "$0" 0,1 --print >>said' \
			"$A"
		TSLICE_MPI=never launch -n 2 \
			sh -c 'tslice "$0" 0,1 --print >>said' "$A"
		same "$(<said)" "$(printf '1\n1\n1\n1')"
		rm said
		# MPI can begin only once in a process of the launcher's.
		launch -n 2 sh -c 'tslice "$0" 0 -o a.npy
			tslice "$0" 1 -o b.npy' "$A"
		same "$(items a.npy) $(items b.npy)" '0 1 2 3 4 5 6 7'
		launch -n 1 tslice "$B" ::-1 -o out.npy --part 2/2 : \
			-n 1 tslice "$B" ::-1 -o out.npy --part 1/2
		cmp out.npy want
		clean a.npy b.npy out.npy want
		rm a.npy b.npy out.npy
	done
	run -4 --separate-stderr tslice --mpi=always "$A" 0 -o out
	has "$stderr" 'no launcher'
	clean want
}

@test "-v tells of processes and hosts, once, and progress is all of it" {
	local mpi
	for mpi in $(mpis); do
		run --separate-stderr launch -n 3 tslice -v "$B" ::2 \
			-o out.npy --progress=always -j 2 --sync
		same "$status" 0
		same "$(grep -cE '3 processes on 1 host, by .*, joined in '\
'[0-9]+ ms$' <<<"$stderr")" 1
		same "$(grep -c 'at most 2 threads' <<<"$stderr")" 1
		same "$(grep -c ' of 4194304 bytes, 100 %' <<<"$stderr")" 1
	done
}

@test "more than 2^31 elements" {
	printf '' | npy huge.npy '|u1' '(2200000000,)'
	truncate -s 2200000128 huge.npy
	printf 'x' | dd of=huge.npy bs=1 seek=2200000000 conv=notrunc 2>log
	local mpi
	tslice huge.npy ::-997 -o want
	for mpi in $(mpis); do
		launch -n 2 tslice huge.npy ::-997 -o out.npy
		cmp out.npy want
	done
	same "$(tslice want 0 --print)" 0
}

@test "results of all commands are those of one process" {
	requires numpy release
	local mpi first=0
	for mpi in $(mpis); do
		"${PYTHON:-python3}" \
			"$BATS_TEST_DIRNAME/../sweep/shares.py" \
			--by "mpirun.$mpi" --some $((first++))/6 >tap || {
			grep -A 9 '^not ok' tap
			return 1
		}
		[ "$(grep -c '^ok' tap)" -gt 10 ]
	done
}

@test "a start without a launcher loads nothing, and asks nobody" {
	requires strace
	strace -f -o trace tslice "$A" 0 -o out.npy
	run ! grep -E 'libexec|mpi-|libmpi|/comm"' trace
	env OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 \
		strace -f -o trace tslice "$A" 0 -o out.npy
	run ! grep -E 'libexec|mpi-|libmpi' trace
	# What is only handed down is no launcher.
	env PMI_SIZE=2 PMI_RANK=1 tslice "$A" 0 -o out.npy
	run --separate-stderr env SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4 \
		SLURM_PROCID=0 tslice "$A" 0 -o out.npy
	same "$status$output$stderr" 0
}

@test "many inputs are dealt out, and the highest status is everybody's" {
	local mpi i
	for i in 1 2 3 4 5 6 7; do cp "$A" "f$i.npy"; done
	for mpi in $(mpis); do
		rm -rf out
		mkdir out
		launch -n 3 tslice f?.npy ::2 -t out
		same "$(find out -type f | wc -l)" 7
		cmp <(tslice "$A" ::2) out/f3.npy
		run --separate-stderr launch -n 2 tslice f1.npy none.npy \
			f2.npy "$OLD" ::2 -t out
		same "$status" 4
		same "$(said | wc -l)" 2
	done
}
