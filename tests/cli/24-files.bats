#!/usr/bin/env bats
# Permissions, modes, links, devices and other things that a name may stand for.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

# ---- permissions and modes ---------------------------------------------------

@test "an input that may not be read" {
	cp "$A" a.npy
	open_to_all
	chmod 000 a.npy
	run -4 --separate-stderr unprivileged tslice a.npy 0
	same "$stderr" 'tslice: a.npy: cannot open: Permission denied'
	run -4 --separate-stderr unprivileged tshape a.npy
	same "$stderr" 'tshape: a.npy: cannot open: Permission denied'
}

@test "a directory that may not be searched" {
	mkdir d
	cp "$A" d/a.npy
	open_to_all
	chmod 600 d
	run -4 --separate-stderr unprivileged tslice d/a.npy 0
	has "$stderr" 'Permission denied'
	run -4 --separate-stderr unprivileged tslice "$A" 0 -o d/o.npy
	has "$stderr" 'Permission denied'
	chmod 700 d
	same "$(ls -A d)" a.npy
}

@test "a file that may be written in a directory that may not" {
	mkdir d
	cp "$OLD" d/o.npy
	open_to_all
	chmod 666 d/o.npy
	chmod 555 d
	run -4 --separate-stderr unprivileged tslice "$A" 0 -o d/o.npy
	one_line "$stderr"
	cmp "$OLD" d/o.npy
	same "$(ls -A d)" o.npy
}

@test "a read-only file is not replaced by way of a link either" {
	cp "$OLD" r.npy
	ln -s r.npy l.npy
	open_to_all
	chmod 444 r.npy
	run -4 --separate-stderr unprivileged tslice "$A" 0 -o l.npy
	has "$stderr" 'Permission denied'
	cmp "$OLD" r.npy
	clean l.npy r.npy
}

@test "in a sticky directory somebody else's file is not replaced" {
	requires root
	mkdir d
	cp "$OLD" d/o.npy
	open_to_all
	chmod 1777 d
	chmod 666 d/o.npy
	run -4 --separate-stderr unprivileged tslice "$A" 0 -o d/o.npy
	cmp "$OLD" d/o.npy
	same "$(ls -A d)" o.npy
}

@test "a file that is replaced gives nothing to a group that had nothing" {
	requires root
	cp "$OLD" o.npy
	open_to_all
	# Another's group, which the writer cannot give.
	chown 65534:65533 o.npy
	chmod 660 o.npy
	unprivileged tslice "$A" ... -o o.npy
	cmp "$A" o.npy
	same "$(stat -c '%u %a' o.npy)" '65534 600'
}

@test "odd umasks: all, nothing, and write only" {
	local mask
	for mask in 777:0 000:666 555:222 070:606; do
		(umask "${mask%:*}"; tslice "$A" ... -o o.npy)
		same "$(stat -c %a o.npy)" "${mask#*:}"
		rm -f o.npy
	done
}

@test "a file of mode 0 keeps it" {
	requires root
	cp "$OLD" o.npy
	chmod 0 o.npy
	tslice "$A" ... -o o.npy
	cmp "$A" o.npy
	same "$(stat -c %a o.npy)" 0
}

@test "all three set-id and sticky bits go" {
	local mode
	for mode in 4755 2755 1755 7777; do
		cp "$OLD" o.npy
		chmod $mode o.npy
		tslice "$A" ... -o o.npy
		same "$(stat -c %a o.npy)" ${mode#?}
		rm o.npy
	done
}

@test "in a set-group-id directory a new file is of its group" {
	requires root
	mkdir d
	chgrp 65533 d
	chmod 2775 d
	tslice "$A" ... -o d/o.npy
	same "$(stat -c %g d/o.npy)" 65533
	same "$(stat -c %a d/o.npy)" "$(printf %o $((0666 & ~$(umask))))"
}

@test "in a set-group-id directory a file that is replaced keeps its group" {
	requires root
	mkdir d
	cp "$OLD" d/o.npy
	chgrp 65534 d/o.npy
	chgrp 65533 d
	chmod 2775 d
	tslice "$A" ... -o d/o.npy
	same "$(stat -c %g d/o.npy)" 65534
	cmp "$A" d/o.npy
}

@test "the mode is never wider on the way than in the end" {
	requires strace
	no_leak_check
	cp "$OLD" o.npy
	chmod 640 o.npy
	(umask 0; strace -f -qq -o "$log" -e trace=openat,open,fchmod,chmod \
		tslice "$A" ... -o o.npy)
	run -0 grep -oE '(O_CREAT|O_TMPFILE)[^)]*' "$log"
	matches "$output" '.*, 0600'
	same "$(grep -c chmod "$log")" 1
	same "$(stat -c %a o.npy)" 640
}

# ---- links -------------------------------------------------------------------

@test "links to links, and through directories that are links" {
	mkdir -p real/deep
	ln -s real/deep short
	cp "$OLD" real/deep/r.npy
	ln -s short/r.npy one
	ln -s one two
	tslice "$A" ... -o two
	cmp "$A" real/deep/r.npy
	[ -L one ]
	[ -L two ]
	same "$(ls -A real/deep)" r.npy
	tslice two 1 | cmp - <(tslice "$A" 1)
	clean one real short two
}

@test "a link in a loop, and to a directory" {
	ln -s b a
	ln -s a b
	mkdir d
	ln -s d e
	refuses 4 io a 0
	refuses 4 io "$A" 0 -o a
	has "$stderr" 'symbolic links'
	refuses 4 io e 0
	refuses 4 io "$A" 0 -o e
	clean a b d e
	same "$(ls -A d)" ''
}

@test "a dangling link, in or out, and into a directory that is missing" {
	ln -s nowhere l
	ln -s no/such/file m
	refuses 4 io l 0
	refuses 4 io "$A" 0 -o l
	refuses 4 io "$A" 0 -o m
	refuses 4 io --no-clobber "$A" 0 -o l
	clean l m
}

@test "a link with a slash behind it" {
	cp "$OLD" r.npy
	ln -s r.npy l
	refuses 4 io "$A" 0 -o l/
	cmp "$OLD" r.npy
	clean l r.npy
}

@test "a link to a device or a FIFO is written through, and stays" {
	ln -s /dev/null n
	tslice "$A" ... -o n
	[ -L n ]
	mkfifo p
	ln -s p q
	timeout 10 cat p >got 3>&- &
	timeout 10 tslice "$A" ... -o q
	wait $!
	cmp "$A" got
	[ -L q ]
	[ -p p ]
}

@test "hard links: input and output may be two names of one file" {
	cp "$A" a.npy
	ln a.npy h.npy
	tslice a.npy ::-1 -o h.npy
	cmp "$A" a.npy
	same "$(items h.npy)" '8 9 10 11 4 5 6 7 0 1 2 3'
	same "$(stat -c %h a.npy)$(stat -c %h h.npy)" 11
}

@test "hard links: standard output may not be another name of the input" {
	cp "$A" a.npy
	ln a.npy h.npy
	run -4 --separate-stderr bash -c 'tslice a.npy ::-1 >>h.npy'
	cmp "$A" a.npy
	ints i.npy '(1, 1)' 0
	run -4 --separate-stderr bash -c 'tgather a.npy i.npy >>h.npy'
	cp i.npy keep.npy
	run -4 --separate-stderr bash -c 'tgather a.npy i.npy >>i.npy'
	cmp "$A" a.npy
	cmp i.npy keep.npy
}

@test "tgather and tsetdiag: the output may be either input" {
	ints m.npy '(2, 2)' 1 2 3 4
	ints i.npy '(1, 1)' 1
	ints d.npy '(2,)' 8 9
	cp i.npy keep.npy
	tgather m.npy i.npy -o i.npy
	same "$(items i.npy)" '3 4'
	tgather m.npy keep.npy -o keep.npy
	same "$(items keep.npy)" '3 4'
	tsetdiag m.npy d.npy -o d.npy
	same "$(items d.npy)" '8 2 3 9'
	ints d.npy '(2,)' 8 9
	tsetdiag m.npy d.npy -o m.npy
	same "$(items m.npy)" '8 2 3 9'
	tgather m.npy m.npy --bad-indices zero --print
}

# ---- devices, FIFOs, /proc, /dev/fd ------------------------------------------

@test "a socket is no output" {
	"${PYTHON:-python3}" -c 'import socket
socket.socket(socket.AF_UNIX).bind("s")'
	refuses 4 io "$A" 0 -o s
	refuses 4 io s 0
	[ -S s ]
	clean s
}

@test "a socket is an output where it is standard output" {
	"${PYTHON:-python3}" - "$A" <<-'END'
	import socket, subprocess, sys
	a, b = socket.socketpair()
	with open("got", "wb") as f:
	    p = subprocess.Popen(["tslice", sys.argv[1], "..."], stdout=a)
	    a.close()
	    while True:
	        block = b.recv(100)
	        if not block:
	            break
	        f.write(block)
	    assert p.wait() == 0
	END
	cmp "$A" got
}

@test "a socket is an input where it is standard input" {
	"${PYTHON:-python3}" - "$A" <<-'END'
	import socket, subprocess, sys
	a, b = socket.socketpair()
	p = subprocess.Popen(["tslice", "-", "::-1", "-o", "o.npy"], stdin=a)
	a.close()
	for byte in open(sys.argv[1], "rb").read():
	    b.send(bytes([byte]))
	assert p.wait() == 0
	END
	same "$(items o.npy)" '8 9 10 11 4 5 6 7 0 1 2 3'
}

@test "/proc: a file that says it is empty is read all the same" {
	refuses 3 bad_magic /proc/self/status 0
	refuses 3 bad_magic /proc/self/cmdline 0
	run -0 tslice /proc/self/fd/0 1 --print <"$A"
	same "$output" '[4 5 6 7]'
}

@test "/proc: nothing can be written there" {
	refuses 4 io "$A" 0 -o /proc/self/no.npy
	refuses 4 io "$A" 0 -o /proc/self/status
	refuses 4 io "$A" 0 -o /proc/version
}

@test "/proc: memory that cannot be read" {
	refuses 4 io /proc/self/mem 0
	has "$stderr" 'Input/output'
}

@test "/dev/fd: inputs and outputs that are open already" {
	exec 8<"$A" 9>got
	tslice /dev/fd/8 1: -o /dev/fd/9
	exec 8<&- 9>&-
	tslice "$A" 1: | cmp - got
	exec 9<>got
	tslice "$A" 0 -o /proc/self/fd/9
	exec 9>&-
	same "$(head -c 144 got | tail -c 16 | od -An -td4 | tr -s ' ')" ' 0 1 2 3'
}

@test "/dev/fd: descriptors that are not open, or not for that" {
	exec 9>&-
	refuses 4 io "$A" 0 -o /dev/fd/9
	refuses 4 io /dev/fd/9 0
	refuses 4 io "$A" 0 -o /dev/fd/99999999999999999999
	exec 9<"$A"
	refuses 4 io "$A" 0 -o /dev/fd/9
	exec 9<&-
}

@test "/dev/stderr is an output, and what is said stays out of it" {
	tslice "$A" 1: -o /dev/stderr 2>got
	tslice "$A" 1: | cmp - got
	run -3 bash -c 'tslice "$1" 99 -o /dev/stderr 2>err' - "$A"
	matches "$(head -1 err)" 'tslice: .* index 99 .*'
}

@test "/dev/null is an output, whole or not" {
	tslice "$B" ::-1 -o /dev/null
	tslice "$A" 1 --print -o /dev/null
	tslice --sync "$A" 1 -o /dev/null
	[ -c /dev/null ]
}

@test "/dev/zero and random devices are no arrays, and are not drained" {
	refuses 3 bad_magic /dev/zero 0
	refuses 3 bad_magic /dev/urandom 0
	refuses 3 empty_file /dev/null 0
}

@test "--no-clobber and what is no regular file" {
	mkfifo p
	mkdir d
	refuses 4 io --no-clobber "$A" 0 -o d
	tslice --no-clobber "$A" 0 -o /dev/null
	timeout 10 cat p >got 3>&- &
	timeout 10 tslice --no-clobber "$A" ... -o p
	wait $!
	cmp "$A" got
}

@test "--sync of a pipe, a FIFO and standard output in a file" {
	tslice --sync "$A" ... | cmp - "$A"
	tslice --sync "$A" ... >got
	cmp "$A" got
	mkfifo p
	timeout 10 cat p >got 3>&- &
	timeout 10 tslice --sync "$A" ... -o p
	wait $!
	cmp "$A" got
}

@test "--sync: the file before its name, the directory after it" {
	requires strace
	no_leak_check
	cp "$OLD" o.npy
	strace -f -qq -y -o "$log" -e trace=fsync,fdatasync,renameat \
		tslice --sync "$A" ... -o o.npy
	same "$(sed -E 's/^[0-9]+ +//; s/\(.*//' "$log" | tr '\n' ' ')" \
		'fsync renameat fsync '
	matches "$(sed -n 1p "$log")" '.*(\.tslice\.|#).*'
	has "$(sed -n 3p "$log")" "<$PWD>"
}

@test "--sync beneath the root directory and behind a link" {
	mkdir d
	cp "$OLD" d/r.npy
	ln -s d/r.npy l.npy
	tslice --sync "$A" ... -o l.npy
	cmp "$A" d/r.npy
	same "$(ls -A d)" r.npy
}

@test "--sync in the root directory" {
	requires root
	[ ! -e /.tslice-test.npy ] || skip 'the name is taken'
	tslice --sync "$A" ... -o /.tslice-test.npy || {
		rm -f /.tslice-test.npy
		skip 'nothing may be written there'
	}
	cmp "$A" /.tslice-test.npy
	rm /.tslice-test.npy
}

@test "picks far apart are asked for together if a disk has them, else not" {
	requires strace
	no_leak_check
	seq 3000000 | head -c 16777216 | npy in.npy '<f4' '(64, 65536)'
	tslice - ':, 3' <in.npy >want.npy
	asked() {
		strace -f -qq -o log -e trace=fadvise64 tslice in.npy "$@" -o o.npy
		grep -c WILLNEED log || :
	}
	# On a busy machine some pages may stay.
	for _ in 1 2 3; do
		sync in.npy
		dd if=in.npy iflag=nocache count=0 status=none
		n=$(asked ':, 3')
		[ "$n" = 0 ] || break
	done
	[ "$n" != 0 ] || skip 'files cannot be put out of memory here'
	same "$n" 63
	cmp want.npy o.npy
	same "$(asked ':, 3')" 0
	cmp want.npy o.npy
}

# rows_are_asked_for TABLE INDICES [COUNT]: so often, or at all
rows_are_asked_for() {
	local n
	asked() {
		strace -f -qq -o log -e trace=fadvise64 \
			tgather -j 1 "$1" "$2" -o o.npy
		grep WILLNEED log >>asked.log || :
		grep -c WILLNEED log || :
	}
	tgather - "$2" <"$1" >want.npy
	for _ in 1 2 3; do
		sync "$1"
		dd if="$1" iflag=nocache count=0 status=none
		n=$(asked "$1" "$2")
		[ "$n" = 0 ] || break
	done
	[ "$n" != 0 ] || skip 'files cannot be put out of memory here'
	same "$n" "${3:-$n}"
	cmp want.npy o.npy
	same "$(asked "$1" "$2")" 0
	cmp want.npy o.npy
}

@test "so are rows of a gather, few short ones and long ones" {
	requires strace
	no_leak_check
	seq 3000000 | head -c 16777216 >data
	npy short.npy '<f4' '(262144, 16)' <data
	le32 {250000..1000..4300} | npy few.npy '<i4' '(58, 1)'
	rows_are_asked_for short.npy few.npy 58
	npy long.npy '<f4' '(1024, 4096)' <data
	le32 {1000..3..17} | npy some.npy '<i4' '(59, 1)'
	rows_are_asked_for long.npy some.npy 58
	# Blocks of the output begin within rows; few are there by chance.
	npy odd.npy '<f4' '(838, 5000)' < <(head -c 16760000 data)
	le32 {800..2..2} | npy some.npy '<i4' '(400, 1)'
	rows_are_asked_for odd.npy some.npy
	[ "$(grep -c 20000 asked.log)" -gt 300 ]
}

@test "of a gather of many rows the next part of the table is asked for" {
	requires strace
	no_leak_check
	seq 3000000 | head -c 16777216 | npy in.npy '<f4' '(262144, 16)'
	le32 {260000..100..37} | npy i.npy '<i4' '(7025, 1)'
	rows_are_asked_for in.npy i.npy
	grep -q ', 2097152, POSIX_FADV_WILLNEED' asked.log
}
