#!/usr/bin/env bats
# Output files: whole or not at all, and whatever a name may stand for.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # bash -c expands what stands in single quotes

load helpers

@test "an existing file is replaced" {
	cp "$OLD" o.npy
	tslice "$A" ... -o o.npy
	cmp "$A" o.npy
	clean o.npy
}

@test "a failure leaves the old file and no litter" {
	cp "$OLD" o.npy
	head -c 8000000 "$B" >in.npy
	run -3 --separate-stderr tslice in.npy ... -o o.npy
	cmp "$OLD" o.npy
	clean in.npy o.npy
}

@test "a failure in the midst of a pipe leaves the old file and no litter" {
	cp "$OLD" o.npy
	head -c 5000000 "$B" >in.npy
	run -3 --separate-stderr bash -c 'cat in.npy | tslice - ... -o o.npy'
	cmp "$OLD" o.npy
	clean in.npy o.npy
}

@test "input and output may be the same file" {
	cp "$A" a.npy
	tslice a.npy ::-1 -o a.npy
	same "$(items a.npy)" '8 9 10 11 4 5 6 7 0 1 2 3'
	clean a.npy
}

@test "input and output may be the same file by way of a symlink" {
	cp "$A" a.npy
	ln -s a.npy l.npy
	tslice a.npy 1 -o l.npy
	same "$(items a.npy)" '4 5 6 7'
	[ -L l.npy ]
	clean a.npy l.npy
}

@test "the other names of a hard-linked file keep the old content" {
	cp "$A" a.npy
	ln a.npy h.npy
	tslice a.npy 1 -o h.npy
	cmp "$A" a.npy
	same "$(items h.npy)" '4 5 6 7'
}

@test "a symlink stays, its target is replaced where it lies" {
	mkdir far
	cp "$OLD" far/r.npy
	ln -s far/r.npy l.npy
	tslice "$A" ... -o l.npy
	[ -L l.npy ]
	cmp "$A" far/r.npy
	same "$(ls -A far)" r.npy
	clean far l.npy
}

@test "a dangling symlink is refused" {
	ln -s nowhere l.npy
	refuses 4 io "$A" ... -o l.npy
	[ -L l.npy ]
	clean l.npy
}

@test "a directory, a name with a slash at its end, a missing directory" {
	mkdir d
	refuses 4 io "$A" ... -o d
	refuses 4 io "$A" ... -o d/
	refuses 4 io "$A" ... -o new/
	refuses 4 io "$A" ... -o no/such/o.npy
	refuses 4 io "$A" ... -o ''
	same "$(ls -A d)" ''
	clean d
}

@test "names of 255 bytes, and of one more" {
	local name
	name=$(printf 'n%.0s' $(seq 251)).npy
	tslice "$A" ... -o "$name"
	cmp "$A" "$name"
	clean "$name"
	refuses 4 io "$A" ... -o "n$name"
	clean "$name"
}

@test "--no-clobber keeps what is there" {
	cp "$OLD" o.npy
	refuses 4 io --no-clobber "$A" ... -o o.npy
	cmp "$OLD" o.npy
	tslice --no-clobber "$A" ... -o p.npy
	cmp "$A" p.npy
	clean o.npy p.npy
}

@test "--no-clobber keeps what a symlink names" {
	cp "$OLD" r.npy
	ln -s r.npy l.npy
	refuses 4 io --no-clobber "$A" ... -o l.npy
	cmp "$OLD" r.npy
	clean r.npy l.npy
}

@test "--sync makes the same file" {
	tslice --sync "$B" ... -o o.npy
	cmp "$B" o.npy
	clean o.npy
}

@test "a new file's mode follows the umask" {
	local mask
	for mask in 022:644 027:640 077:600 000:666; do
		(umask "${mask%:*}"; tslice "$A" ... -o "o${mask#*:}")
		same "$(stat -c %a "o${mask#*:}")" "${mask#*:}"
	done
}

@test "a replaced file keeps its mode, less the set-id bits" {
	local mode
	cp "$OLD" o.npy
	for mode in 600 640 664 755; do
		chmod "$mode" o.npy
		tslice "$A" ... -o o.npy
		same "$(stat -c %a o.npy)" "$mode"
	done
	chmod 4755 o.npy
	tslice "$A" ... -o o.npy
	same "$(stat -c %a o.npy)" 755
}

@test "a file that is being written is readable by nobody else" {
	umask 022
	mkfifo p
	tslice p ... -o o.npy 3>&- &
	exec 7<>p
	timeout 10 head -c 4000000 "$B" >&7
	sleep 0.2
	find . -type f ! -name o.npy -perm /077 >../open-files
	timeout 10 tail -c +4000001 "$B" >&7
	exec 7>&-
	wait $!
	same "$(cat ../open-files)" ''
	cmp "$B" o.npy
}

@test "a read-only file is not replaced" {
	cp "$OLD" o.npy
	open_to_all
	chmod 444 o.npy
	run -4 --separate-stderr unprivileged tslice "$A" ... -o o.npy
	matches "$stderr" 'tslice: o.npy: .*Permission denied'
	cmp "$OLD" o.npy
	clean o.npy
}

@test "a directory without permission is refused" {
	open_to_all
	mkdir d
	chmod 555 d
	run -4 --separate-stderr unprivileged tslice "$A" ... -o d/o.npy
	one_line "$stderr"
	same "$(ls -A d)" ''
}

@test "two dozen writers of one file: the last wins whole" {
	for _ in $(seq 12); do
		tslice "$A" ... -o o.npy 3>&- &
		tslice "$B" ... -o o.npy 3>&- &
	done
	wait
	cmp -s "$A" o.npy || cmp "$B" o.npy
	clean o.npy
}

@test "a reader sees the old file or the new one at every instant" {
	local size
	cp "$A" o.npy
	(for _ in $(seq 25); do
		tslice "$B" ... -o o.npy && cmp "$B" o.npy || exit
		tslice "$A" ... -o o.npy && cmp "$A" o.npy || exit
	done) 3>&- &
	while kill -0 $! 2>/dev/null; do
		size=$(stat -c %s o.npy)
		[ "$size" = 176 ] || [ "$size" = 8388736 ]
	done
	wait $!
}

@test "a device is written in place and stays one" {
	tslice "$A" ... -o /dev/null
	[ -c /dev/null ]
	refuses 4 io "$A" ... -o /dev/full
	has "$stderr" 'No space left'
	[ -c /dev/full ]
}

@test "a FIFO is written in place" {
	mkfifo p
	timeout 10 cat p >got 3>&- &
	timeout 10 tslice "$A" ... -o p
	wait $!
	[ -p p ]
	cmp "$A" got
}

@test "-o /dev/stdout is standard output, in place and in order" {
	{ echo before; tslice "$A" 1 -o /dev/stdout; echo after; } >got
	{ echo before; tslice "$A" 1; echo after; } >want
	cmp got want
	tslice "$B" ... -o /dev/stdout | cmp - "$B"
}

@test "/dev/fd/N is written in place too" {
	tslice "$A" 1 -o /dev/fd/5 5>got
	same "$(items got)" '4 5 6 7'
}

@test "a full disk is an error, even at the last byte" {
	run -4 --separate-stderr bash -c 'tslice "$1" ... >/dev/full' - "$A"
	one_line "$stderr"
	has "$stderr" 'No space left'
	run -4 --separate-stderr bash -c 'tslice "$1" ... >/dev/full' - "$B"
	one_line "$stderr"
}

@test "help, version and explanations cannot be lost silently" {
	run -4 --separate-stderr bash -c 'tslice --help >/dev/full'
	run -4 --separate-stderr bash -c 'tslice --version >/dev/full'
	run -4 --separate-stderr bash -c 'tslice --explain 1 >/dev/full'
	run -4 --separate-stderr bash -c 'tslice --print "$1" 1 >/dev/full' - "$A"
}

@test "a closed standard output is an error where it is needed" {
	run -4 --separate-stderr bash -c 'tslice "$1" ... >&-' - "$A"
	one_line "$stderr"
	run -4 --separate-stderr bash -c 'tslice --help >&-'
}

@test "closed descriptors never end up inside of the output" {
	local shut
	for shut in '<&-' '>&-' '2>&-' '<&- >&-' '>&- 2>&-' '<&- >&- 2>&-'; do
		bash -c "tslice \"\$1\" ... -o o.npy $shut" - "$A"
		cmp "$A" o.npy
		clean o.npy
		rm o.npy
	done
}

@test "a message never lands in the output when standard error is closed" {
	run -4 bash -c 'tslice missing.npy ... -o o.npy 2>&-'
	clean
	run -3 bash -c 'tslice "$1" 99 -o o.npy 2>&-' - "$A"
	clean
}

@test "a closed standard input is an error where it is needed" {
	run -4 --separate-stderr bash -c 'tslice - ... -o o.npy <&-'
	one_line "$stderr"
	clean
}

@test "standard output may not be the input itself" {
	cp "$A" a.npy
	run -4 --separate-stderr bash -c 'tslice a.npy ... >>a.npy'
	one_line "$stderr"
	cmp "$A" a.npy
	run -4 --separate-stderr bash -c 'tslice - ... <a.npy >>a.npy'
	cmp "$A" a.npy
	run -4 --separate-stderr bash -c 'tslice a.npy ... 1<>a.npy'
	cmp "$A" a.npy
}

@test "what is only printed does not go over its input either" {
	cp "$A" a.npy
	run -4 bash -c 'tshape a.npy 2>err >>a.npy'
	run -4 bash -c 'tslice --explain a.npy 0 2>err >>a.npy'
	cmp "$A" a.npy
	same "$(cat err)" 'tslice: a.npy: the input is also the output: use -o to replace it'
}

@test "a file that is replaced keeps its owner and group" {
	requires root
	cp "$OLD" o.npy
	chown 65534:65533 o.npy
	chmod 660 o.npy
	tslice "$A" ... -o o.npy
	cmp "$A" o.npy
	same "$(stat -c '%u:%g %a' o.npy)" '65534:65533 660'
}

@test "appending to another file is fine" {
	cp "$A" p.npy
	tslice "$A" 1 >>p.npy
	head -c 176 p.npy | cmp - "$A"
	same "$(tail -c +177 p.npy >q.npy; items q.npy)" '4 5 6 7'
}

@test "the file size limit leaves the old file" {
	cp "$OLD" o.npy
	run --separate-stderr env --default-signal=XFSZ bash -c \
		'ulimit -c 0; ulimit -f 8; exec tslice "$1" ... -o o.npy' - "$B"
	[ "$status" = 153 ] || [ "$status" = 4 ]
	cmp "$OLD" o.npy
	clean o.npy
}

@test "the file size limit is an error where its signal is ignored" {
	cp "$OLD" o.npy
	run -4 --separate-stderr bash -c \
		'trap "" XFSZ; ulimit -f 8; exec tslice "$1" ... -o o.npy' - "$B"
	has "$stderr" 'File too large'
	cmp "$OLD" o.npy
	clean o.npy
}

# interrupted SIGNAL [caught]: sends it to a tslice that waits for more input,
# leaves its status in $status.
interrupted() {
	cp "$OLD" o.npy
	mkfifo p
	env ${2:+--default-signal="$1"} bash -c \
		'ulimit -c 0; exec tslice p ... -o o.npy' 2>err 3>&- &
	local job=$!
	exec 7<>p
	timeout 10 head -c 4000000 "$B" >&7
	sleep 0.2
	kill -"$1" "$job"
	status=0
	wait "$job" || status=$?
	exec 7>&-
}

@test "signals that can be caught end it as they do, and leave the old file" {
	local signal number
	for signal in INT:130 TERM:143 HUP:129 QUIT:131 USR2:140 ALRM:142; do
		number=${signal#*:} signal=${signal%:*}
		interrupted "$signal" caught
		same "$signal $status" "$signal $number"
		cmp "$OLD" o.npy
		clean err o.npy p
		rm err o.npy p
	done
}

@test "KILL leaves the old file, and the next run works" {
	interrupted KILL
	same "$status" 137
	cmp "$OLD" o.npy
	rm p
	tslice "$A" ... -o o.npy
	cmp "$A" o.npy
}

@test "a signal that was ignored at the start stays ignored" {
	mkfifo p
	(trap '' HUP; exec tslice p ... -o o.npy 3>&-) &
	local job=$!
	exec 7<>p
	timeout 10 head -c 70000 "$B" >&7
	sleep 0.1
	kill -HUP "$job"
	timeout 10 tail -c +70001 "$B" >&7
	exec 7>&-
	wait "$job"
	cmp "$B" o.npy
}

@test "a reader that goes away ends it quietly" {
	run --separate-stderr env --default-signal=PIPE bash -c \
		'tslice "$1" ... | head -c 1 >one; exit "${PIPESTATUS[0]}"' - "$B"
	same "$status" 141
	same "$stderr" ''
}

@test "a reader that goes away is an error where SIGPIPE is ignored" {
	run --separate-stderr bash -c 'trap "" PIPE
		tslice "$1" ... | head -c 1 >one; exit "${PIPESTATUS[0]}"' - "$B"
	same "$status" 4
	one_line "$stderr"
	has "$stderr" 'Broken pipe'
}

@test "a directory that is gone does not matter to full names" {
	mkdir gone
	(cd gone && rmdir ../gone && tslice "$A" ... -o "$BATS_TEST_TMPDIR/d/o.npy")
	cmp "$A" o.npy
	clean o.npy
}

@test "/dev/stdin and process substitution are inputs" {
	tslice /dev/stdin 1 -o p1 < <(cat "$A")
	tslice <(cat "$A") 1 -o p2
	cmp p1 p2
	same "$(items p1)" '4 5 6 7'
}

@test "few free descriptors: it works or says so" {
	requires prlimit release
	local n
	for n in 4 5 6; do
		# None but the first three are open in the beginning.
		run --separate-stderr bash -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&-
			exec prlimit --nofile="$1:$1" tslice "$2" ... -o o.npy' \
			- "$n" "$A"
		if [ "$status" = 0 ]; then
			cmp "$A" o.npy
			rm o.npy
		else
			same "$status" 4
			one_line "$stderr"
		fi
		clean
	done
}

@test "little memory: it works or says so" {
	requires release
	local kib
	for kib in 6000 8000 12000 20000 40000; do
		run --separate-stderr bash -c \
			'ulimit -v "$1"; exec tslice "$2" ... -o o.npy' - $kib "$B"
		printf '%s KiB: %s %s\n' "$kib" "$status" "$stderr"
		case $status in
		0) cmp "$B" o.npy; rm o.npy ;;
		127) ;;	# the loader itself had too little
		*) same "$status" 4; one_line "$stderr" ;;
		esac
		clean
	done
	[ "$status" = 0 ]
}
