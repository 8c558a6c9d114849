#!/usr/bin/env bats
# What goes wrong while an array is written over, in place and beside it.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2030,SC2031 # a function called in a test sees its status
# shellcheck disable=SC2016 # the inner shell expands it

load helpers
load faults

# $F is 400 rows of 40000 bytes: a row is worth a system call, an element of a
# column is not.  $ROW and $COLUMNS go there.
setup_file() {
	export F=$BATS_FILE_TMPDIR/f.npy ROWS=$BATS_FILE_TMPDIR/rows.npy
	export COLUMNS=$BATS_FILE_TMPDIR/columns.npy AT=$BATS_FILE_TMPDIR/at.npy
	export OLD=$BATS_FILE_TMPDIR/old
	export A=$BATS_FILE_TMPDIR/a.npy B=$BATS_FILE_TMPDIR/b.npy
	echo 'what was there before' >"$OLD"
	le32 0 1 2 3 4 5 6 7 8 9 10 11 | npy "$A" '<i4' '(3, 4)'
	cp "$A" "$B"
	seq 3000000 | head -c 16000000 | npy "$F" '|u1' '(400, 40000)'
	yes rows | head -c 8000000 | npy "$ROWS" '|u1' '(200, 40000)'
	yes col | head -c 8000000 | npy "$COLUMNS" '|u1' '(400, 20000)'
	le32 $(seq 1 2 399) | npy "$AT" '<i4' '(200, 1)'
}

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
	cp "$F" f.npy
}

# outside_is_intact REST...: f.npy is as long as it was, and has the header and
# the slices that it had.
outside_is_intact() {
	local rest
	same "$(stat -c %s f.npy)" "$(stat -c %s "$F")"
	cmp -n 128 "$F" f.npy
	for rest; do
		tslice f.npy "$rest" | cmp - <(tslice "$F" "$rest")
	done
}

# failed_in_place REST...: status 4 and a line, which says what may have been
# written if anything was.
failed_in_place() {
	same "$status" 4
	matches "$stderr" 't[a-z]+: [^
]+'
	cmp -s "$F" f.npy || has "$stderr" 'some elements may have been written'
	outside_is_intact "$@"
}

untouched() {
	same "$status" 4
	matches "$stderr" 't[a-z]+: [^
]+'
	[[ $stderr != *'may have been written'* ]]
	cmp "$F" f.npy
}

# each_fault CALLS FAULT REST COMMAND...: in place, for every n of some.
each_fault() {
	local calls=$1 fault=$2 rest=$3 n
	shift 3
	hits=0
	for n in 1 2 3 4 5 8 13 21 34 55 89 144; do
		cp "$F" f.npy
		run --separate-stderr faulty "$calls" "$fault:when=$n" -- "$@"
		injected || break
		hits=$((hits + 1))
		printf '%s %s: status %s %s\n' "$calls" $n "$status" "$stderr"
		failed_in_place "$rest"
	done
}

# meanwhile ACTION COMMAND...: f.npy is mapped, and waited for; the action, a
# function, is given the command's process.
meanwhile() {
	local action=$1 tracer
	shift
	rm -f "$log"
	strace -f -qq -o "$log" -P "$PWD/f.npy" -e trace=mmap \
		-e inject=mmap:delay_exit=1500000:when=1 -- \
		env --default-signal=INT "$@" 2>said 3>&- &
	tracer=$!
	wait_for is_mapped
	"$action" "$(child "$tracer")"
	status=0
	wait "$tracer" || status=$?
	stderr=$(cat said)
}

is_mapped() {
	grep -sl "$PWD/f.npy" /proc/[0-9]*/maps | grep -q .
}

@test "the n-th write fails, in place: rows" {
	requires strace
	each_fault pwrite64 error=ENOSPC ::2 \
		tassign -j 1 f.npy 1::2 "$ROWS" --in-place
	[ "$hits" -ge 8 ]
	each_fault pwrite64 error=EIO ::2 \
		tscatter -j 1 f.npy "$AT" "$ROWS" --in-place
	[ "$hits" -ge 8 ]
}

@test "the n-th write fails, in place, while several threads write" {
	requires strace
	each_fault pwrite64 error=EIO ::2 \
		tassign -j 4 f.npy 1::2 "$ROWS" --in-place
	[ "$hits" -ge 2 ]
}

@test "a write in place that is interrupted, or is short, goes on" {
	requires strace
	tassign "$F" 1::2 "$ROWS" -o want.npy
	run -0 faulty pwrite64 error=EINTR:when=1+2 -- \
		tassign f.npy 1::2 "$ROWS" --in-place
	injected
	cmp want.npy f.npy
}

@test "the n-th read of what is assigned fails" {
	local n hits=0
	requires strace
	for n in 1 2 3 4 5 8; do
		cp "$F" f.npy
		run --separate-stderr faulty "$READS" "error=EIO:when=$n" \
			-P "$ROWS" -- \
			tassign -j 1 --max-memory 1M f.npy 1::2 "$ROWS" \
			--in-place
		injected || break
		hits=$((hits + 1))
		failed_in_place ::2
		[ $n -gt 2 ] || untouched
	done
	[ "$hits" -ge 4 ]
}

@test "indices that cannot be read leave the file as it was" {
	requires strace
	run --separate-stderr faulty "$READS" error=EIO:when=2 -P "$AT" -- \
		tscatter f.npy "$AT" "$ROWS" --in-place
	injected
	untouched
}

@test "where nothing can be mapped elements are written one by one" {
	requires strace
	tassign "$F" ':, ::2' "$COLUMNS" -o want.npy
	tslice want.npy :2 -o want.2.npy
	tslice "$F" :2 -o g.npy
	tslice "$COLUMNS" :2 -o c.npy
	run -0 faulty mmap error=ENODEV -P "$PWD/g.npy" -- \
		tassign g.npy ':, ::2' c.npy --in-place
	injected
	cmp want.2.npy g.npy
}

@test "a file that may not be opened for writing is left as it was" {
	requires strace
	run --separate-stderr faulty openat error=EACCES:when=2 \
		-P "$PWD/f.npy" -- \
		tassign "$PWD/f.npy" 0 --value 1 --in-place
	injected
	untouched
	has "$stderr" 'Permission denied'
}

@test "a read-only file is not written in place" {
	cp "$A" a.npy
	chmod 444 a.npy
	open_to_all
	run -4 --separate-stderr unprivileged \
		tassign a.npy 0 --value 1 --in-place
	one_line "${stderr/tassign:/tslice:}"
	has "$stderr" 'a.npy'
	cmp "$A" a.npy
}

@test "--sync syncs the file, and nothing else does" {
	requires strace
	run -0 strace -f -qq -o "$log" -y -e trace=fsync,fdatasync,msync -- \
		tassign f.npy ':, ::2' "$COLUMNS" --in-place --sync
	grep -q "sync(.*$PWD/f.npy" "$log"
	run -0 strace -f -qq -o "$log" -y -e trace=fsync,fdatasync,msync -- \
		tassign f.npy ':, ::2' "$COLUMNS" --in-place
	[ ! -s "$log" ]
}

@test "a sync that fails is told of" {
	requires strace
	run --separate-stderr faulty fsync error=EIO:when=1 -- \
		tassign f.npy ':, ::2' "$COLUMNS" --in-place --sync
	injected
	failed_in_place ':, 1::2'
	has "$stderr" 'cannot sync'
}

@test "a disk that is full under a hole, in place" {
	requires_small_disk
	run -0 on_small_disk size=1M '
		export ASAN_OPTIONS=detect_leaks=0
		for what in ":, ::2" 1::2; do
			head -c 128 "$1" >f.npy
			truncate -s 16000128 f.npy
			status=0
			tassign -j "$2" f.npy "$what" --value 7 --in-place \
				2>../said || status=$?
			printf "%s %s\n" "$status" "$(cat ../said)"
			[ "$status" = 4 ]
			[ "$(wc -l <../said)" = 1 ]
			grep -q "f.npy: cannot write, but some elements may have been written: No space left" ../said
			[ "$(stat -c %s f.npy)" = 16000128 ]
			cmp -n 128 f.npy "$1"
			rest=${what/::2/1::2}
			[ "$what" != 1::2 ] || rest=::2
			tslice f.npy "$rest" --max-memory 1M |
				tail -c +129 | tr -d "\000" | cmp - /dev/null
			rm f.npy
		done' "$F" 1
}

@test "a disk that is full under a hole, while several threads write" {
	requires_small_disk
	run -0 on_small_disk size=1M '
		export ASAN_OPTIONS=detect_leaks=0
		head -c 128 "$1" >f.npy
		truncate -s 16000128 f.npy
		status=0
		tassign -j 4 f.npy ":, ::2" --value 7 --in-place \
			2>../said || status=$?
		[ "$status" = 4 ]
		[ "$(wc -l <../said)" = 1 ]
		grep -q "No space left" ../said' "$F"
}

cut_file() {
	truncate -s 1000 f.npy
}

@test "a file that is cut short while it is written in place" {
	requires strace
	meanwhile cut_file tassign f.npy ':, ::2' "$COLUMNS" --in-place
	same "$status" 4
	one_line "${stderr/tassign:/tslice:}"
	has "$stderr" 'f.npy: the file became shorter'
	has "$stderr" 'some elements may have been written'
}

cut_value() {
	truncate -s 4000000 value.npy
}

@test "what is assigned is cut short while it is written in place" {
	local memory
	requires strace
	for memory in 1M 1G; do
		cp "$F" f.npy
		cp "$COLUMNS" value.npy
		meanwhile cut_value tassign --max-memory $memory f.npy \
			':, ::2' value.npy --in-place
		failed_in_place ':, 1::2'
		has "$stderr" 'value.npy: the file became shorter'
	done
}

interrupt() {
	kill -INT "$1"
}

terminate() {
	kill -TERM "$1"
}

@test "a signal in the middle of writing in place" {
	requires strace
	meanwhile interrupt tassign f.npy ':, ::2' "$COLUMNS" --in-place
	same "$status" 130
	same "$stderr" ''
	outside_is_intact ':, 1::2'
	meanwhile terminate tassign f.npy ':, ::2' "$COLUMNS" --in-place
	same "$status" 143
	same "$stderr" ''
	outside_is_intact ':, 1::2'
}

@test "what is no regular file is not written in place, nor waited for" {
	mkfifo p
	run -4 --separate-stderr timeout 5 tassign p 0 --value 1 --in-place
	has "$stderr" 'p: only a regular file can be written in place'
	run -4 --separate-stderr tassign . 0 --value 1 --in-place
	has "$stderr" 'Is a directory'
	run -4 --separate-stderr tassign /dev/null 0 --value 1 --in-place
	has "$stderr" 'only a regular file'
	run -4 --separate-stderr tassign none.npy 0 --value 1 --in-place
	has "$stderr" 'No such file'
	clean f.npy p
}

@test "links to a file that is written in place stay" {
	local inode
	cp "$A" a.npy
	ln -s a.npy link.npy
	ln a.npy hard.npy
	inode=$(stat -c %i a.npy)
	tassign link.npy 0 --value 7 --in-place
	[ -L link.npy ]
	tassign hard.npy 1 --value 8 --in-place
	same "$(stat -c %i a.npy hard.npy | uniq)" "$inode"
	same "$(items a.npy)" '7 7 7 7 8 8 8 8 8 9 10 11'
	clean f.npy a.npy link.npy hard.npy
}

@test "the file itself is not what is assigned in place" {
	local value
	cp "$A" a.npy
	ln a.npy hard.npy
	ln -s a.npy link.npy
	for value in a.npy ./a.npy hard.npy link.npy "$PWD/a.npy" -; do
		# shellcheck disable=SC2094 # it is to be refused
		run -4 --separate-stderr \
			tassign a.npy ... "$value" --in-place <a.npy
		has "$stderr" 'it is the file to be written in place'
	done
	tslice "$A" ':, :1' -o at.npy
	run -4 --separate-stderr tscatter a.npy at.npy hard.npy --in-place \
		--bad-indices skip
	cmp "$A" a.npy
}

@test "the n-th write fails, beside the old file" {
	requires strace
	tslice "$F" :8 -o in.npy
	tslice "$ROWS" :4 -o v.npy
	tslice "$AT" :4 -o at.npy
	for call in pwrite64 fallocate fchmod linkat; do
		sweep "$call" error=ENOSPC \
			tassign -j 1 in.npy 1::2 v.npy -o o.npy
		sweep "$call" error=EIO \
			tscatter -j 1 in.npy at.npy v.npy -o o.npy
		[ "$call" != pwrite64 ] || [ "$refused" -ge 2 ]
	done
}

@test "the n-th read fails, beside the old file" {
	requires strace
	tslice "$F" :8 -o in.npy
	tslice "$ROWS" :4 -o v.npy
	tslice "$AT" :4 -o at.npy
	sweep pread64 error=EIO tassign -j 1 in.npy 1::2 v.npy -o o.npy
	[ "$refused" -ge 2 ]
	sweep pread64 error=EIO tscatter -j 1 in.npy at.npy v.npy -o o.npy
	[ "$refused" -ge 2 ]
}

@test "the n-th mapping or allocation fails, beside the old file" {
	requires strace release
	tslice "$F" :8 -o in.npy
	tslice "$ROWS" :4 -o v.npy
	tslice "$AT" :4 -o at.npy
	sweep mmap error=ENOMEM tassign -j 1 in.npy 1::2 v.npy -o o.npy
	sweep mmap error=ENOMEM tscatter -j 1 in.npy at.npy v.npy -o o.npy
	sweep mmap error=ENOMEM tgetdiag -j 1 in.npy -k 0:300 -o o.npy
}

@test "the n-th mapping or allocation fails, in place" {
	local n hits=0
	requires strace release
	# Few: what cannot be mapped takes a system call an element.
	tslice "$COLUMNS" ':, :400' -o columns.npy
	tassign "$F" ':, ::100' columns.npy -o want.npy
	n=$(before_main mmap)
	while
		cp "$F" f.npy
		run --separate-stderr faulty mmap "error=ENOMEM:when=$((n += 1))" \
			-- tassign -j 4 f.npy ':, ::100' columns.npy --in-place
		injected
	do
		hits=$((hits + 1))
		[ "$status" != 0 ] || { cmp want.npy f.npy; continue; }
		failed_in_place ':, 1::100'
	done
	[ "$hits" -ge 3 ]
}

@test "a signal with the n-th write, beside the old file" {
	requires strace
	tslice "$F" :8 -o in.npy
	tslice "$ROWS" :4 -o v.npy
	killed TERM 15 pwrite64 tassign -j 1 in.npy 1::2 v.npy -o o.npy
	[ "$died" -ge 1 ]
	killed INT 2 pwrite64 tassign -j 1 in.npy ':, ::2' --value 7 -o o.npy
	[ "$died" -ge 1 ]
}

@test "a disk that is full, beside the old file" {
	requires_small_disk
	run -0 on_small_disk size=1M '
		export ASAN_OPTIONS=detect_leaks=0
		cp "$2" f.npy
		for command in "tassign $1 ::2 --value 7" \
			"tscatter $1 $3 $4" "tgetdiag $1 -k -300:20000"; do
			status=0
			$command -o f.npy 2>../said || status=$?
			[ "$status" = 4 ]
			[ "$(wc -l <../said)" = 1 ]
			grep -q "No space left" ../said
			cmp "$2" f.npy
			[ "$(ls -A)" = f.npy ]
		done' "$F" "$OLD" "$AT" "$ROWS"
}
