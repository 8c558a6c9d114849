#!/usr/bin/env bats
# Results that are made part by part: what the processes that make them, and
# may die, leave to each other.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# Leaks cannot be looked for where calls are traced.
export ASAN_OPTIONS=detect_leaks=0

# part K N ARGUMENT...: makes a part of out.npy from $B, the elements of which
# stand in reverse in it.
part() {
	local k=$1 n=$2
	shift 2
	tslice "$B" ::-1 -o out.npy --part "$k/$n" "$@"
}

# whole: out.npy is what one process makes, and nothing else is left.
whole() {
	tslice "$B" ::-1 -o want
	cmp out.npy want
	rm want
	clean out.npy "$@"
}

@test "parts may be made in any order, and the last one makes the file appear" {
	local order k
	for order in '1 2 3' '3 2 1' '2 3 1'; do
		for k in $order; do
			[ ! -e out.npy ]
			part "$k" 3
		done
		whole
		rm out.npy
	done
	part 1 1
	whole
}

@test "an old file is as it was until all parts are made, and its mode stays" {
	cp "$OLD" out.npy
	chmod 640 out.npy
	part 2 2
	cmp out.npy "$OLD"
	part 1 2
	whole
	same "$(stat -c %a out.npy)" 640
}

@test "a new file gets the mode that any file gets" {
	(umask 027 && part 1 2 && part 2 2)
	same "$(stat -c %a out.npy)" 640
}

@test "eight parts at once make one file, each time" {
	local k pid pids
	for _ in $(seq "${ROUNDS:-20}"); do
		pids=()
		for k in $(seq 8); do
			part "$k" 8 &
			pids+=($!)
		done
		for pid in "${pids[@]}"; do wait "$pid"; done
		whole
		rm out.npy
	done
}

# made_or_taken ARGUMENT...: a part is made, or another process has it.
made_or_taken() {
	local err
	err=$(part "$@" 2>&1) || {
		same $? 4
		has "$err" 'is being made by another process'
	}
}

@test "parts that are made twice at the same time make the same file" {
	local k pid pids
	for _ in $(seq 5); do
		pids=()
		for k in 1 2 3 1 2 3; do
			made_or_taken "$k" 3 &
			pids+=($!)
		done
		for pid in "${pids[@]}"; do wait "$pid"; done
		# One that came late may have begun anew.
		if [ -e out.npy.parts ]; then
			for k in 1 2 3; do part "$k" 3; done
		fi
		rm -rf out.npy.parts
		whole
		rm out.npy
	done
}

@test "a part that was killed is made when it is started again" {
	requires strace
	local at
	for at in pwrite64 fsync openat linkat; do
		part 2 3
		# By the first such call after the program was loaded.
		strace -qq -o /dev/null -f -e "trace=$at" \
			-e "inject=$at:signal=KILL:when=$(
				[ $at = openat ] && echo 8 || echo 1)" \
			tslice "$B" ::-1 -o out.npy --part 1/3 || :
		[ ! -e out.npy ]
		part 1 3
		part 3 3
		whole
		rm out.npy
	done
}

@test "a part that was made is not made again" {
	part 1 2
	rm -f trace
	run --separate-stderr part 1 2 -v
	has "$stderr" 'part 1 of 2 had been made'
	has "$stderr" '1 of 2 parts are left'
	run --separate-stderr part 2 2 -v
	has "$stderr" 'all 2 parts are made: out.npy is complete'
	whole
}

@test "a part that is run when all was done begins anew" {
	part 1 2
	part 2 2
	whole
	cp out.npy before
	part 2 2
	cmp out.npy before
	clean out.npy before out.npy.parts
	part 1 2
	rm before
	whole
}

@test "what a process that died has left of a whole is no part" {
	mkdir out.npy.parts
	touch out.npy.parts/1 out.npy.parts/2
	part 1 2
	[ ! -e out.npy ]
	part 2 2
	whole
}

# differs WHAT ARGUMENT...: a part of another command is refused.
differs() {
	local what=$1
	shift
	run -4 --separate-stderr "$@"
	same "$stderr" "$(basename "$1"): out.npy: out.npy.parts is of another \
command ('$what' differs); remove it to begin anew"
	clean out.npy.parts in.npy i.npy
	same "$(cd out.npy.parts && echo ./*)" './1 ./data ./plan'
}

@test "a changed input, another number of parts, another command are refused" {
	cp "$B" in.npy
	le32 1 0 | npy i.npy '<i4' '(2, 1)'
	tslice in.npy ::-1 -o out.npy --part 1/2
	differs parts tslice in.npy ::-1 -o out.npy --part 2/3
	differs result tslice in.npy ::-1,None -o out.npy --part 2/2
	differs result tslice in.npy ::-2 -o out.npy --part 2/2
	differs work tslice in.npy -o out.npy --part 2/2
	differs options tgather in.npy i.npy --bad-indices zero -o out.npy \
		--part 2/2
	touch -d '1 second ago' in.npy
	differs 'input 1' tslice in.npy ::-1 -o out.npy --part 2/2
}

@test "options that change only how, and the way to an input, may differ" {
	cp "$B" in.npy
	ln -s . here
	tslice -j 1 in.npy ::-1 -o out.npy --part 1/2
	tslice -j 2 --max-memory 1M --sync --device cpu here/in.npy '::-1' \
		-o "$PWD/out.npy" --part 2/2
	whole in.npy here
}

@test "the text of indices is a part of the plan" {
	tgather "$A" --indices '[[0],[1]]' -o out.npy --part 1/2
	run -4 --separate-stderr tgather "$A" --indices '[[0],[2]]' -o out.npy \
		--part 2/2
	has "$stderr" "'options' differs"
	printf '0\n1\n' >list
	rm -r out.npy.parts
	tgather "$A" --indices @list -o out.npy --part 1/2
	printf '2\n1\n' >list
	run -4 --separate-stderr tgather "$A" --indices @list -o out.npy \
		--part 2/2
	has "$stderr" "'input 2' differs"
}

@test "what is left out by an error is never part of a file" {
	seq 100000 | sed 's/.*/0/; 90000s/0/9/' >list
	tgather "$A" --indices @list -o out.npy --part 1/2
	run -3 --separate-stderr tgather "$A" --indices @list -o out.npy \
		--part 2/2
	one_line "${stderr/tgather:/tslice:}"
	has "$stderr" 'indices[89999] = [9] does not index'
	[ ! -e out.npy ]
	clean list out.npy.parts
}

# misused WORDS ARGUMENT...: it is refused, with status 2.
misused() {
	local words=$1
	shift
	run -2 --separate-stderr "$@"
	has "$stderr" "$words"
	same "$(wc -l <<<"$stderr")" 1
	clean pipe
}

@test "what cannot be made in parts is refused before a file is opened" {
	mkfifo pipe
	local k
	for k in 0/2 3/2 2 /2 1/ 1/0 -1/2 a/b 1/2/3 1/2x; do
		misused "--part is K/N" tslice missing.npy 0 -o out --part="$k"
	done
	misused 'needs -o FILE' tslice missing.npy 0 --part 1/2
	misused 'needs -o FILE' tslice missing.npy 0 --part 1/2 -o -
	misused 'not standard input' tslice - 0 --part 1/2 -o out
	misused 'not standard input' tcat "$A" - --part 1/2 -o out
	misused 'not standard input' tgather "$A" --indices @- --part 1/2 \
		-o out
	misused "'pipe' is none" tslice pipe 0 --part 1/2 -o out
	misused 'does not go with --print' \
		tslice "$A" 0 --part 1/2 -o out --print
	misused 'does not go with --image' \
		tslice "$A" 0 --part 1/2 -o out --image
	misused 'does not go with -' \
		tassign "$A" 0 --value 1 --in-place --part 1/2
	misused 'does not go with --append' tcat --append x "$A" --part 1/2
	misused 'does not go with --all' tslice --all "$A" --part 1/2 -o out
	misused 'does not go with --all' tcat --all "$A" --part 1/2 -o out
	misused 'only a file' tslice "$A" 0 --part 1/2 -o pipe
	refuses 2 syntax missing.npy 0 --part 3/2 -o out
	refuses 2 usage missing.npy 0 --part 1/2
}

@test "--no-clobber refuses what is there at the begin, or at the end" {
	echo old >out.npy
	run -4 --separate-stderr part 1 2 --no-clobber
	has "$stderr" 'not replaced'
	clean out.npy
	rm out.npy
	part 1 2 --no-clobber
	echo new >out.npy
	run -4 --separate-stderr part 2 2 --no-clobber
	same "$(cat out.npy)" new
	rm out.npy
	part 2 2 --no-clobber
	whole
}

@test "through a link the file that it leads to is made, and the link stays" {
	mkdir sub
	echo old >sub/file
	ln -s sub/file out.npy
	part 2 2
	clean out.npy sub
	[ -d sub/file.parts ]
	part 1 2
	[ -L out.npy ]
	tslice "$B" ::-1 | cmp - sub/file
	clean out.npy sub
	[ ! -e sub/file.parts ]
}

@test "a result without data, and one too small to share, are made all the same" {
	local k
	for k in 2 3 1; do tslice "$A" 3: -o none.npy --part "$k/3"; done
	tslice "$A" 3: | cmp - none.npy
	for k in 2 3 1; do tslice "$A" 1,1 -o one.npy --part "$k/3"; done
	tslice "$A" 1,1 | cmp - one.npy
	clean none.npy one.npy
}

@test "a full disk fails a part, which is made when there is room" {
	requires mounts root
	mkdir small
	cp "$B" in.npy
	unshare -m sh -c '
		mount -t tmpfs -o size=6m none small && cd small || exit 1
		tslice ../in.npy ::-1 -o out.npy --part 1/2 || exit 2
		tslice ../in.npy ::-1 -o out.npy --part 2/2 2>../err
		[ $? = 4 ] && [ -d out.npy.parts ] && [ ! -e out.npy ] || exit 3
		mount -o remount,size=20m . &&
		tslice ../in.npy ::-1 -o out.npy --part 2/2 &&
		[ ! -e out.npy.parts ] && mv out.npy ..'
	has "$(cat err)" 'No space left'
	tslice in.npy ::-1 | cmp - out.npy
}

@test "only the first part writes the header, and none reads more than it needs" {
	requires strace
	strace -f -o trace -e trace=pread64,pwrite64 \
		tslice "$B" ... -o out.npy --part 2/2
	same "$(grep -c 'pwrite64(.*, 0)  *=' trace)" 0
	# A block is half of 8 MiB.
	[ "$(awk -F' = ' '/pread64/ { n += $2 } END { print n }' trace)" -lt \
		5000000 ]
}

# display N: the N-th display of the manual page of this.
display() {
	awk -v n="$1" '
	/^\.Bd/ { i++; on = i == n; next }
	/^\.Ed/ { on = 0 }
	on { gsub(/\\e/, "\\"); print }' \
		"$BATS_TEST_DIRNAME/../../man/tslice-mpi.7"
}

@test "the scripts of the manual make the file" {
	ln "$B" in.npy || cp "$B" in.npy
	tslice in.npy ::2 -o want
	display 2 >Makefile
	has "$(cat Makefile)" 'parts = '
	MAKEFLAGS='' make -s -j 4 out.npy
	cmp out.npy want
	# One that has failed, as make knows it, is made again alone.
	mkdir before
	mv out.npy before
	tslice in.npy ::2 -o out.npy --part 2/8
	for k in 1 3 4 5 6 7; do
		tslice in.npy ::2 -o out.npy --part $k/8
	done
	rm out.8-made
	MAKEFLAGS='' make -s -j 4
	cmp out.npy want
	[ ! -e out.npy.parts ]
	rm out.npy
	display 3 >script
	has "$(cat script)" '#SBATCH --array=1-64'
	seq 64 | SLURM_ARRAY_TASK_COUNT=64 xargs -P 4 -I '{}' \
		env SLURM_ARRAY_TASK_ID='{}' sh script
	cmp out.npy want
	rm out.npy
	display 1 >line
	has "$(cat line)" ':::'
	if command -v parallel >/dev/null; then
		sh line
		cmp out.npy want
	fi
}
