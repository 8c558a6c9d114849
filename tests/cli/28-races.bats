#!/usr/bin/env bats
# Files that others write, replace, cut or remove meanwhile; commands that race.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
}

# held COMMAND...: starts a command that reads the FIFO p, and returns when its
# output is begun; 'released' lets it end, and leaves its status in $status.
held() {
	mkfifo p
	"$@" 2>../err 3>&- &
	job=$!
	exec 7<>p
	timeout 10 head -c 4000000 "$B" >&7
	wait_for begun
}

released() {
	timeout 10 tail -c +4000001 "$B" >&7
	status=0
	wait "$job" || status=$?
	exec 7>&-
	rm p
}

# ---- outputs -----------------------------------------------------------------

@test "a name that is taken meanwhile is not replaced with --no-clobber" {
	held tslice --no-clobber p ... -o o.npy
	cp "$OLD" o.npy
	released
	same "$status" 4
	one_line "$(cat ../err)"
	cmp "$OLD" o.npy
	clean o.npy
}

@test "a name that a link takes meanwhile is not followed with --no-clobber" {
	held tslice --no-clobber p ... -o o.npy
	ln -s nowhere o.npy
	released
	same "$status" 4
	[ -L o.npy ]
	clean o.npy
}

@test "a name that is taken meanwhile is replaced without it" {
	held tslice p ... -o o.npy
	cp "$OLD" o.npy
	released
	same "$status" 0
	cmp "$B" o.npy
	clean o.npy
}

@test "a name that becomes a directory meanwhile: an error, and no litter" {
	held tslice p ... -o o.npy
	mkdir o.npy
	released
	same "$status" 4
	one_line "$(cat ../err)"
	[ -d o.npy ]
	clean o.npy
	same "$(ls -A o.npy)" ''
}

@test "a directory that goes away meanwhile: an error" {
	mkdir e
	mkfifo p
	tslice p ... -o e/o.npy 2>../err 3>&- &
	job=$!
	exec 7<>p
	timeout 10 head -c 4000000 "$B" >&7
	wait_for begun e
	rm -r e
	released
	same "$status" 4
	one_line "$(cat ../err)"
	clean
}

@test "a directory that is renamed meanwhile has the result" {
	mkdir e
	mkfifo p
	tslice p ... -o e/o.npy 2>../err 3>&- &
	job=$!
	exec 7<>p
	timeout 10 head -c 4000000 "$B" >&7
	wait_for begun e
	mv e f
	released
	same "$status" 0
	cmp "$B" f/o.npy
	clean f
	same "$(ls -A f)" o.npy
}

# Somebody exchanges the output's name for a link, between the look at what is
# there and what is done with it.
exchanged() { # NAME
	[ "${TSLICE_MODE:-release}" != san ] ||
		skip 'sanitizers make the calls that are waited for at the start'
	requires strace
	echo secret >secret
	chmod 600 secret
	cp "$OLD" "$1"
	chmod 666 "$1"
	strace -f -qq -o "$log" -e trace=readlink,readlinkat,faccessat,faccessat2 \
		-e inject=readlink,readlinkat,faccessat,faccessat2:delay_enter=1000000 \
		-- tslice "$A" ... -o "$1" 3>&- &
	job=$!
	wait_for calls_are '' 1
	ln -s "$PWD/secret" l
	mv -T l "$1"
	wait "$job"
	grep -q DELAYED "$log"
	same "$(cat secret)" secret
	same "$(stat -c %a secret)" 600
	cmp "$A" "$1"
	[ ! -L "$1" ]
}

@test "a name that is exchanged for a link: what it leads to is let alone" {
	exchanged o.npy
}

@test "a name in another directory that is exchanged for a link" {
	mkdir e
	exchanged e/o.npy
}

@test "a link that leads elsewhere by the time it is followed" {
	requires strace
	echo secret >secret
	chmod 600 secret
	cp "$OLD" r.npy
	ln -s r.npy l.npy
	strace -f -qq -o "$log" -e trace=readlink,readlinkat \
		-e inject=readlink,readlinkat:delay_enter=1000000 \
		-- tslice "$A" ... -o l.npy 2>../err 3>&- &
	job=$!
	wait_for calls_are readlinkat 1
	ln -s secret l
	mv -T l l.npy
	status=0
	wait "$job" || status=$?
	same "$status" 4
	one_line "$(cat ../err)"
	same "$(cat secret)" secret
	same "$(stat -c %a secret)" 600
	cmp "$OLD" r.npy
	clean l.npy r.npy secret
}

@test "a device that is exchanged for a file is not written over" {
	requires strace
	mkfifo o.npy
	cp "$OLD" r.npy
	local n
	n=$(($(before_main openat) + 2))
	strace -f -qq -o "$log" -e trace=openat \
		-e inject=openat:delay_enter=1000000:when=$n \
		-- tslice "$A" ... -o o.npy 2>../err 3>&- &
	job=$!
	wait_for calls_are openat $n
	ln r.npy l
	mv -T l o.npy
	status=0
	wait "$job" || status=$?
	same "$status" 4
	one_line "$(cat ../err)"
	cmp "$OLD" r.npy
}

@test "a target that goes away meanwhile is made anew" {
	cp "$OLD" o.npy
	held tslice p ... -o o.npy
	rm o.npy
	released
	same "$status" 0
	cmp "$B" o.npy
	clean o.npy
}

@test "the old file stays readable for who has it open" {
	cp "$OLD" o.npy
	exec 8<o.npy
	tslice "$A" ... -o o.npy
	cmp "$OLD" - <&8
	exec 8<&-
	cmp "$A" o.npy
}

@test "a dozen writers that must not replace: one of them wins" {
	local i won=0
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		{ tslice --no-clobber "$A" $((i % 3)) -o o.npy 2>err.$i ||
			echo $? >lost.$i; } 3>&- &
	done
	wait
	won=$((12 - $(cat lost.* | grep -c 4)))
	same "$won" 1
	same "$(stat -c %s o.npy)" 144
	same "$(find . -name '.tslice*' | wc -l)" 0
}

@test "writers by different names of one file: whole, and no litter" {
	mkdir d
	cp "$OLD" d/o.npy
	ln -s d/o.npy l.npy
	local i
	for i in 1 2 3 4 5 6; do
		tslice "$A" ... -o l.npy 3>&- &
		tslice "$B" ... -o d/o.npy 3>&- &
		tslice "$B" ::-1 -o "$PWD/d/../d/o.npy" 3>&- &
	done
	wait
	[ -L l.npy ]
	same "$(ls -A d)" o.npy
	cmp -s "$A" d/o.npy || cmp -s "$B" d/o.npy ||
		tslice "$B" ::-1 | cmp - d/o.npy
}

@test "a chain of commands in place, each on what the last one made" {
	local i
	cp "$A" a.npy
	for i in $(seq 20); do
		tslice a.npy ::-1 -o a.npy
	done
	cmp "$A" a.npy
	clean a.npy
}

# ---- inputs ------------------------------------------------------------------

# delayed CALL N COMMAND...: starts a command whose N-th such call on w.npy comes
# late, waits until it is being made; 'done_by' waits for the end.
delayed() {
	local call=$1 n=$2
	shift 2
	requires strace
	rm -f "$log"
	strace -f -qq -y -o "$log" -P "$PWD/w.npy" -e trace="$call" \
		-e inject="$call:delay_enter=400000:when=$n" -- "$@" \
		2>../err 3>&- &
	job=$!
	wait_for calls_are "$call" "$n"
}

calls_are() {
	[ "$(grep -c "$1(" "$log")" -ge "$2" ] # no name: any call
}

done_by() {
	status=0
	wait "$job" || status=$?
	injected
}

@test "an input that is removed while it is read is read to its end" {
	cp "$B" w.npy
	delayed pread64 2 tslice -j 1 w.npy 1: -o o.npy
	rm w.npy
	done_by
	same "$status" 0
	cmp <(tslice "$B" 1:) o.npy
	clean o.npy
}

@test "an input that is overwritten by what it makes" {
	cp "$B" w.npy
	tslice "$B" ::-1 -o want.npy
	tslice -j 4 w.npy ::-1 -o w.npy
	cmp want.npy w.npy
	clean want.npy w.npy
}

@test "an input cut short before its data is an error" {
	cp "$B" w.npy
	cp "$OLD" o.npy
	delayed pread64 2 tslice -j 1 w.npy 1: -o o.npy
	truncate -s 128 w.npy
	done_by
	same "$status" 4
	has "$(cat ../err)" 'w.npy: the file became shorter'
	cmp "$OLD" o.npy
	clean o.npy w.npy
}

@test "an input cut short while the kernel copies it is an error" {
	seq 100000 | head -c 200000 | npy w.npy '|u1' '(200000,)'
	cp "$OLD" o.npy
	delayed copy_file_range 1 tslice -j 1 w.npy ... -o o.npy
	truncate -s 100000 w.npy
	done_by
	same "$status" 4
	has "$(cat ../err)" 'w.npy: the file became shorter'
	cmp "$OLD" o.npy
	clean o.npy w.npy
}

@test "an input emptied within its header is an error" {
	cp "$B" w.npy
	delayed pread64 1 tslice -j 1 w.npy ... -o o.npy
	truncate -s 0 w.npy
	done_by
	[ "$status" = 3 ] || same "$status" 4
	one_line "$(cat ../err)"
	clean w.npy
}

# A first input of 8 MiB, w.npy, cut short when the output is reserved.
cut_short_under() { # COMMAND SECOND
	head -c 8388608 /dev/zero |
		npy w.npy '<f8' "${shape-"(1024, 1024)"}"
	requires strace
	strace -f -qq -o "$log" -e trace=fallocate \
		-e inject=fallocate:delay_exit=400000 -- \
		"$1" w.npy "$2" -o o.npy 2>../err 3>&- &
	job=$!
	wait_for begun
	truncate -s 1000 w.npy
	done_by
	same "$status" 4
	has "$(cat ../err)" 'w.npy: the file became shorter'
	clean "$2" w.npy
}

@test "params cut short under tgather: an error" {
	head -c 8192 /dev/zero | npy i.npy '<i8' '(1024, 1)'
	cut_short_under tgather i.npy
}

@test "params cut short that would be mapped whole: an error" {
	local shape='(131072, 8)'
	head -c 8388608 /dev/zero | npy i.npy '<i8' '(1048576, 1)'
	cut_short_under tgather i.npy
}

@test "a matrix cut short under tsetdiag: an error" {
	head -c 8192 /dev/zero | npy d.npy '<f8' '(1024,)'
	cut_short_under tsetdiag d.npy
}

@test "indices cut short while they are read: an error, and no gathering" {
	head -c 8388608 /dev/zero | npy w.npy '<i8' '(1048576, 1)'
	head -c 80 /dev/zero | npy m.npy '<f8' '(10,)'
	delayed pread64 2 tgather m.npy w.npy -o o.npy
	truncate -s 100000 w.npy
	done_by
	same "$status" 4
	has "$(cat ../err)" 'w.npy: the file became shorter'
	clean m.npy w.npy
}

# They are proved, and again where they are used.
@test "indices that become bad ones while they are read: an error" {
	head -c 8388608 /dev/zero | npy m.npy '<f8' '(8192, 128)'
	head -c 327680 /dev/zero | npy w.npy '<i8' '(40960, 1)'
	printf '%.0s\377\377\377\377\377\0\0\0' {1..40960} |
		npy other.npy '<i8' '(40960, 1)'
	delayed pread64 7 tgather -j 1 m.npy w.npy -o o.npy
	dd if=other.npy of=w.npy conv=notrunc status=none
	done_by
	same "$status" 3
	has "$(cat ../err)" 'w.npy: indices[0] = [1099511627775]'
	clean m.npy w.npy other.npy
}

# They are read to be counted, and again to be sorted.
@test "indices that become others while they are read: an error" {
	head -c 8388608 /dev/zero | npy m.npy '<f8' '(1048576,)'
	head -c 8192 /dev/zero | npy w.npy '<i8' '(1024, 1)'
	printf '%.0s\377\377\017\0\0\0\0\0' {1..1024} |
		npy other.npy '<i8' '(1024, 1)'
	tgather m.npy other.npy -o o.npy
	rm o.npy
	delayed pread64 3 tgather --max-memory 1M m.npy w.npy -o o.npy
	dd if=other.npy of=w.npy conv=notrunc status=none
	done_by
	same "$status" 4
	has "$(cat ../err)" 'w.npy: the indices changed while being read'
	clean m.npy w.npy other.npy
}

@test "standard input that is cut short while it is read: an error" {
	cp "$B" w.npy
	requires strace
	strace -f -qq -y -o "$log" -P "$PWD/w.npy" -e trace=pread64,read \
		-e inject=pread64,read:delay_enter=400000:when=2 -- \
		tslice -j 1 - 1: -o o.npy <w.npy 2>../err 3>&- &
	job=$!
	wait_for calls_are '' 2
	truncate -s 100000 w.npy
	done_by
	[ "$status" = 3 ] || same "$status" 4
	one_line "$(cat ../err)"
	clean w.npy
}

@test "an input that grows into another array meanwhile" {
	cp "$B" w.npy
	delayed pread64 2 tslice -j 1 w.npy 1: -o o.npy
	cat "$A" >>w.npy
	done_by
	same "$status" 0
	cmp <(tslice "$B" 1:) o.npy
}

@test "an input on which somebody writes: the size is what was promised" {
	cp "$B" w.npy
	delayed pread64 2 tslice -j 1 w.npy 1: -o o.npy
	dd if=/dev/zero of=w.npy bs=1M seek=4 count=2 conv=notrunc status=none
	done_by
	same "$status" 0
	same "$(stat -c %s o.npy)" 8388728
	head -c 128 o.npy | cmp - <(tslice "$B" 1: | head -c 128)
}

@test "a FIFO whose writer dies in the header, or in the data" {
	local n
	cp "$OLD" o.npy
	mkfifo p
	for n in 0 1 9 100 128 150; do
		timeout 10 head -c $n "$A" >p 3>&- &
		run -3 --separate-stderr timeout 10 tslice p ... -o o.npy
		wait $! || :
		one_line "$stderr"
		cmp "$OLD" o.npy
		clean o.npy p
	done
}

@test "a FIFO that comes a byte at a time" {
	"${PYTHON:-python3}" - "$A" <<-'END'
	import os, subprocess, sys
	os.mkfifo("p")
	job = subprocess.Popen(["tslice", "p", "::-1", "-o", "o.npy"])
	with open("p", "wb", 0) as f:
	    for byte in open(sys.argv[1], "rb").read():
	        f.write(bytes([byte]))
	assert job.wait(10) == 0
	END
	tslice "$A" ::-1 | cmp - o.npy
}

@test "two inputs that are one FIFO, one file, one descriptor" {
	ints m.npy '(2, 1)' 0 1
	tgather m.npy m.npy --print
	cat m.npy m.npy | tgather - - -o o.npy
	tgather m.npy m.npy | cmp - o.npy
	tgather /dev/fd/8 /dev/fd/9 8<m.npy 9<m.npy | cmp - o.npy
}

@test "many commands read one file at once" {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		tslice "$B" ::-1 -o $i.npy 3>&- &
	done
	wait
	for i in 2 3 4 5 6 7 8; do cmp 1.npy $i.npy; done
	tslice 1.npy ::-1 | cmp - "$B"
}
