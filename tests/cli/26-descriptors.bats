#!/usr/bin/env bats
# Standard descriptors that are closed, odd, or not for what they are used for;
# limits on descriptors and on sizes.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints m.npy '(2, 2)' 1 2 3 4
	ints i.npy '(1, 1)' 1
	ints d.npy '(2,)' 8 9
}

inputs='m.npy i.npy d.npy'

# shellcheck disable=SC2086 # names with blanks between them
only() {
	clean $inputs "$@"
}

@test "closed descriptors: every command makes its file all the same" {
	local shut
	for shut in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' \
		'<&- >&- 2>&-'; do
		bash -c "tgather m.npy i.npy -o g.npy $shut"
		same "$(items g.npy)" '3 4'
		bash -c "tsetdiag m.npy d.npy -o s.npy $shut"
		same "$(items s.npy)" '8 2 3 9'
		bash -c "tslice --sync m.npy 1 -o t.npy $shut"
		same "$(items t.npy)" '3 4'
		only g.npy s.npy t.npy
		rm g.npy s.npy t.npy
	done
}

@test "closed descriptors: text and JSON say that they are lost" {
	local command
	for command in 'tshape m.npy' 'tshape --json m.npy' 'tshape -h' \
		'tslice --explain 1' 'tgather m.npy i.npy' 'tsetdiag -V' \
		'tsetdiag m.npy d.npy --print'; do
		run -4 --separate-stderr bash -c "$command >&-"
		same "$(wc -l <<<"$stderr")" 1
		has "$stderr" 'Bad file descriptor'
	done
}

@test "closed descriptors: the status is the same without standard error" {
	run -4 bash -c 'tslice missing.npy 0 -o o.npy 2>&-'
	run -3 bash -c 'tslice m.npy 9 -o o.npy 2>&-'
	run -2 bash -c 'tslice 2>&-'
	run -2 bash -c 'tslice m.npy 1,,2 -o o.npy 2>&-'
	run -1 bash -c 'tshape 2,3 is-scalar 2>&-'
	only
}

@test "closed descriptors: notes of -v never land in the data" {
	bash -c 'tslice -v m.npy ... -o o.npy 2>&-'
	cmp m.npy o.npy
	bash -c 'tslice -v m.npy ... 2>&-' >p.npy
	cmp m.npy p.npy
}

@test "closed descriptors: standard input that is needed" {
	run -4 --separate-stderr bash -c 'tgather - i.npy -o o.npy <&-'
	run -4 --separate-stderr bash -c 'tgather m.npy - -o o.npy <&-'
	run -4 --separate-stderr bash -c 'tsetdiag - - -o o.npy <&-'
	run -4 --separate-stderr bash -c 'tshape - <&-'
	run -4 --separate-stderr bash -c 'tslice m.npy --encoding - -o o.npy <&-'
	only
}

@test "standard output that may only be read, standard input only written" {
	run -4 --separate-stderr bash -c 'tslice m.npy 0 1<i.npy'
	one_line "$stderr"
	run -4 --separate-stderr bash -c 'tslice - 0 -o o.npy 0>x'
	one_line "$stderr"
	only x
}

@test "standard input that is a directory" {
	run -4 --separate-stderr bash -c 'tslice - 0 -o o.npy <.'
	one_line "$stderr"
	has "$stderr" 'Is a directory'
	only
}

@test "standard output that is appended to" {
	echo before >got
	tslice m.npy 1 >>got
	tgather m.npy i.npy >>got
	echo before >want
	tslice m.npy 1 >part
	cat part >>want
	tgather m.npy i.npy >part
	cat part >>want
	cmp want got
}

@test "standard output in the midst of a file is written from there on" {
	cp "$B" got
	{ head -c 100 >/dev/null; tslice m.npy 1 1<&0; } 0<>got
	"${PYTHON:-python3}" -c 'import os, subprocess
f = os.open("got", os.O_RDWR)
os.lseek(f, 1000, 0)
subprocess.run(["tslice", "m.npy", "1"], stdout=f, check=True)
assert os.lseek(f, 0, 1) == 1000 + 136'
	tail -c +1001 got | head -c 136 | cmp - <(tslice m.npy 1)
	tail -c +1137 got | cmp - <(tail -c +1137 "$B")
	same "$(stat -c %s got)" 8388736
}

@test "standard output that does not block and is full is waited for" {
	"${PYTHON:-python3}" - "$B" <<-'END'
	import os, subprocess, sys, time
	r, w = os.pipe()
	os.set_blocking(w, False)
	p = subprocess.Popen(["tslice", sys.argv[1], "::-1"], stdout=w)
	os.close(w)
	time.sleep(0.2)
	assert p.poll() is None
	with os.fdopen(r, "rb") as f, open("got", "wb") as g:
	    g.write(f.read())
	assert p.wait(10) == 0
	END
	tslice "$B" ::-1 | cmp - got
}

@test "standard error that does not block and is full does not hang it" {
	"${PYTHON:-python3}" - <<-'END'
	import os, subprocess
	r, w = os.pipe()
	os.set_blocking(w, False)
	try:
	    while True:
	        os.write(w, bytes(4096))
	except BlockingIOError:
	    pass
	p = subprocess.run(["tslice", "m.npy", "99"], stderr=w, timeout=10)
	assert p.returncode == 3, p
	END
}

@test "standard input that stands behind the end of its file" {
	"${PYTHON:-python3}" - <<-'END'
	import os, subprocess
	f = os.open("m.npy", os.O_RDONLY)
	os.lseek(f, 10**12, 0)
	p = subprocess.run(["tslice", "--json", "-", "0"], stdin=f,
	                   capture_output=True)
	assert p.returncode == 3 and b"empty_file" in p.stderr, p
	END
}

@test "standard input is shared with what runs after it" {
	cat m.npy m.npy i.npy >all
	exec 5<all
	tslice - 0 -o 1.npy <&5
	tslice - 1 -o 2.npy <&5
	tshape - <&5 >t
	same "$(items 1.npy) $(items 2.npy) $(cat t)" '1 2 3 4 (1, 1)'
	same "$(cat <&5 | wc -c)" 0
	exec 5<&-
}

@test "an array that is described is taken from a pipe, whole" {
	cat m.npy i.npy | (tshape - >a; tshape - >b; wc -c >c)
	same "$(cat a b c | tr '\n' ' ' | tr -s ' ')" '(2, 2) (1, 1) 0 '
}

@test "few descriptors: every command works or says so" {
	requires prlimit release
	local n command
	for command in 'tgather m.npy i.npy' 'tsetdiag m.npy d.npy'; do
		for n in 3 4 5 6 7; do
			status=0
			bash -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&-
				exec prlimit --nofile="$1:$1" $2 -o o.npy' \
				- $n "$command" 2>err || status=$?
			case $status in
			0) ;;
			127) [ $n = 3 ] ;;	# the loader itself had too few
			*) same "$status" 4; [ ! -e o.npy ] ;;
			esac
			rm -f o.npy err
			only
		done
		same "$status" 0
	done
}

@test "few descriptors are enough for many subjects, one after the other" {
	requires prlimit
	local names
	names=$(printf 'm.npy %.0s' $(seq 300))
	# shellcheck disable=SC2086 # three hundred names
	run -0 prlimit --nofile=40:40 tshape $names
	same "$(wc -l <<<"$output")" 300
}

@test "the file size limit: every command keeps the old file" {
	local command
	head -c 4194304 /dev/zero | npy big.npy '<i4' '(1024, 1024)'
	head -c 4096 /dev/zero | npy diag.npy '<i4' '(1024,)'
	head -c 4096 /dev/zero | npy rows.npy '<i4' '(1024, 1)'
	for command in 'tgather big.npy rows.npy' 'tsetdiag big.npy diag.npy' \
		'tslice big.npy ::-1' 'tslice big.npy ...'; do
		cp "$OLD" o.npy
		run -4 --separate-stderr bash -c 'trap "" XFSZ; ulimit -f 8
			exec $1 -o o.npy' - "$command"
		has "$stderr" 'File too large'
		cmp "$OLD" o.npy
		run --separate-stderr env --default-signal=XFSZ bash -c \
			'ulimit -c 0; ulimit -f 8; exec $1 -o o.npy' - "$command"
		[ "$status" = 153 ] || same "$status" 4
		cmp "$OLD" o.npy
		only big.npy diag.npy rows.npy o.npy
	done
}

@test "the file size limit on standard output" {
	run -4 --separate-stderr bash -c 'trap "" XFSZ; ulimit -f 8
		exec tslice "$1" ... >got' - "$B"
	has "$stderr" 'File too large'
	run --separate-stderr env --default-signal=XFSZ bash -c \
		'ulimit -c 0; ulimit -f 8; exec tslice "$1" ... >got' - "$B"
	[ "$status" = 153 ] || same "$status" 4
}

@test "a result that is just as large as the limit allows" {
	head -c 8064 /dev/zero | npy e.npy '|u1' '(8064,)'
	bash -c 'ulimit -f 8; exec tslice e.npy ::-1 -o o.npy'
	same "$(stat -c %s o.npy)" 8192
}

@test "no process may be started, no core be written: it makes no difference" {
	run -0 bash -c 'ulimit -c 0; ulimit -S -u 1 2>/dev/null
		exec tslice m.npy ::-1 -j 8 -o o.npy'
	same "$(items o.npy)" '3 4 1 2'
}

@test "an empty environment and an empty argument list" {
	env -i "$(command -v tslice)" m.npy 1 -o o.npy
	same "$(items o.npy)" '3 4'
	env -i HOME=/nonexistent TMPDIR=/nonexistent PATH= LC_ALL=xx_YY \
		"$(command -v tslice)" m.npy 0 -o o.npy
	same "$(items o.npy)" '1 2'
	run -2 --separate-stderr "${PYTHON:-python3}" -c \
		'import ctypes, shutil, sys
path = shutil.which("tslice").encode()
libc = ctypes.CDLL(None)
libc.execv(path, (ctypes.c_char_p * 1)(None))'
	same "$output" ''
}
