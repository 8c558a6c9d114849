#!/usr/bin/env bats
# What only a hostile look finds: deep directories, spliced pages, disks that
# fail under a mapping, encodings that are nearly JSON, little memory.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	no_leak_check
}

@test "a file is replaced by a relative name where no absolute one is long enough" {
	"${PYTHON:-python3}" - "$A" <<-'END'
	import os, subprocess, sys
	for i in range(30):
	    os.mkdir("n" * 200)
	    os.chdir("n" * 200)
	for _ in "new", "replaced":
	    subprocess.run(["tslice", sys.argv[1], "1:", "-o", "o.npy"], check=True)
	    assert os.listdir() == ["o.npy"]
	END
	rm -r nnn*
}

@test "a file is replaced by a relative name under what may not be searched" {
	mkdir -p closed/e
	cp "$OLD" closed/e/o.npy
	open_to_all
	chmod 777 closed/e
	chmod 666 closed/e/o.npy
	cp "$A" closed/e/a.npy
	chmod 644 closed/e/a.npy
	# shellcheck disable=SC2164 # the status is looked at
	(cd closed/e; chmod 000 ..; s=0
		unprivileged tslice a.npy ... -o o.npy || s=$?
		chmod 755 ..; exit $s)
	cmp "$A" closed/e/o.npy
}

@test "what is still in a pipe when the command has ended does not change" {
	seq 1000000 | head -c 4194304 >bytes
	npy w.npy '|u1' '(4194304,)' <bytes
	cp w.npy want.npy
	{ tslice w.npy ...; dd if=/dev/zero of=w.npy bs=1M count=4 \
		conv=notrunc status=none; touch ended; } |
		{ head -c 3300000; wait_for test -e ended; cat; } >got
	cmp want.npy got
	[ -e ended ]
}

@test "a mapped input whose disk fails is not told to have become shorter" {
	requires strace release
	head -c 8388608 /dev/zero | npy w.npy '<f8' '(512, 2048)'
	local n
	n=$(($(before_main newfstatat) + 3))
	# The page that is missing is, but the file cannot be asked any more.
	strace -f -qq -o "$log" -e trace=newfstatat,fallocate \
		-e inject=newfstatat:error=EIO:when=$n+ \
		-e inject=fallocate:delay_exit=1000000 -- \
		tslice -j 1 w.npy ':, ::4' -o o.npy 2>err 3>&- &
	local job=$!
	wait_for begun
	truncate -s 1000 w.npy
	status=0
	wait "$job" || status=$?
	same "$status" 4
	grep -q 'newfstatat.*INJECTED' "$log" || skip 'fstat is another call here'
	same "$(cat err)" 'tslice: w.npy: cannot read: Input/output error'
	clean err w.npy
}

@test "a splice that fails is the fault of who was at fault" {
	requires strace
	run -4 --separate-stderr bash -c 'strace -f -qq -o "$1" -P "$2" \
		-e trace=splice,pread64 -e inject=splice:error=EIO \
		-e inject=pread64:error=EIO:when=2+ tslice "$2" ... | cat >got
		exit ${PIPESTATUS[0]}' - "$log" "$B"
	injected
	has "$stderr" "$B: cannot read: Input/output error"
	# What cannot be handed over is read and written.
	strace -f -qq -o "$log" -e trace=splice -e inject=splice:error=EIO \
		tslice "$B" ... | cmp - "$B"
	injected
}

# encoding JSON: is it taken as the value of what is ignored?
encoding() {
	printf '{"begin":[0],"end":[1],"input":%b}' "$1" |
		tslice --explain --encoding - >/dev/null 2>&1
}

@test "an encoding is JSON by the letter of RFC 8259" {
	local text
	for text in 1 -0 0.5 1e9 1E+9 -1.5e-3 '""' '"\\u00e9\\n\\/"' '[]' \
		'{}' '[1,[2,{"a":null}]]' ' true ' '\t[ ]\r\n' '"\303\251"' \
		'{ "a" : 1 , "b":[] }' '"\177"'; do
		encoding "$text" || { echo "refused: $text" >&2; false; }
	done
	for text in 01 +1 .5 1. 1e 1.2.3e 1e5.5 -- - 0x10 1_0 '{1:2}' '[1,]' \
		'{"a":1,}' '{"a"}' '{"a":}' '[1 2]' '[1]]' '[' nul True NaN \
		'"\\x"' '"\\u12"' '"\001"' '"\t"' "'a'" '"a' '"\\"' '"' \
		'"\377"' '"\300\200"' '"\355\240\200"' '"\0"' '1\0' '/**/1' \
		'\v1' '\357\273\2771'; do
		! encoding "$text" || { echo "taken: $text" >&2; false; }
	done
	printf '\357\273\277{"begin":[0],"end":[1]}' >e.json
	refuses 2 syntax --explain --encoding e.json
	printf '{"begin\\uzzzz":[0],"end":[1]}' >e.json
	refuses 2 syntax --explain --encoding e.json
	for text in '\001' '\0' '\0}' '}' '{}' ','; do
		printf '{"begin":[0],"end":[1]}%b' "$text" >e.json
		refuses 2 syntax --explain --encoding e.json
	done
}

# working_memory COMMAND...: what -v says of it, in bytes.
working_memory() {
	"$@" 2>&1 >/dev/null | sed -n 's/.* \([0-9]*\) bytes of working.*/\1/p'
}

@test "the default memory is a part of what the system allows" {
	requires release
	same "$(ulimit -v 80000; working_memory tslice -v "$B" 0,None -o o.npy)" \
		20480000
	# It is the default that gives way, and only for what is large.
	same "$(ulimit -v 80000
		working_memory tslice -v --max-memory 30M "$B" 0,None -o o.npy)" \
		31457280
	same "$(ulimit -v 80000; working_memory tslice -v "$A" 0 -o o.npy)" 58720256
}

# grouped GROUP SCRIPT: as if /proc/self/cgroup said so, with the files of
# control groups that the script makes.
grouped() {
	printf '%s\n' "$1" >group
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -rm bash -euc 'mount -t tmpfs none /sys/fs/cgroup
		(cd /sys/fs/cgroup; eval "$2")
		mount --bind "$1" /proc/$$/cgroup
		exec tslice -v "$3" 0,None -o o.npy' - "$PWD/group" "$2" "$B" 2>&1 |
		sed -n 's/.* \([0-9]*\) bytes of working.*/\1/p'
}

@test "the default memory heeds the control groups that we are in" {
	requires release
	same "$(grouped 0::/ :)" 58720256 2>/dev/null ||
		skip 'no control groups can be made up here'
	same "$(grouped 0::/a/b 'mkdir -p a/b; echo 41943040 >a/b/memory.max
		echo max >a/memory.max')" 10485760
	same "$(grouped 0::/a/b 'mkdir -p a/b; echo max >a/b/memory.max
		echo 20971520 >a/memory.max')" 5242880
	same "$(grouped 0::/ 'echo 20971520 >memory.max')" 5242880
	# The path of the host, in a container that shows only its own.
	same "$(grouped 0::/docker/1 'echo 20971520 >memory.max')" 5242880
	same "$(grouped 4:cpu,memory:/x 'mkdir -p memory/x
		echo 41943040 >memory/x/memory.limit_in_bytes')" 10485760
	same "$(grouped 0::/a 'mkdir a; echo 100 >a/memory.max')" 1048576
	same "$(grouped 0::/a 'mkdir a; echo nonsense >a/memory.max')" 58720256
}

# zeros FILE DESCR SHAPE NBYTES [F]
zeros() {
	head -c "$4" /dev/zero | npy "$1" "$2" "$3" ${5:+"$5"}
}

# bytes_of FILE: what the command in $log has read of it, or mapped.
bytes_of() {
	awk -v file="/$1>" 'index($0, file) && $NF ~ /^[0-9]+$/ { n += $NF }
		END { print n + 0 }' "$log"
}

# reads_little 'FACTOR FILE...' COMMAND...: the command, with much memory and
# with little, reads no more of each file than so many times its size, and a MiB.
reads_little() {
	local -a bounds
	local memory n size i
	read -ra bounds <<<"$1"
	shift
	for memory in 1M 3M 56M; do
		timeout 60 strace -f -y -qq -o "$log" -e trace=pread64,read \
			-- "$@" -j 1 --max-memory $memory -o o.npy
		for ((i = 0; i < ${#bounds[@]}; i += 2)); do
			n=$(bytes_of "${bounds[i + 1]}")
			size=$(stat -c %s "${bounds[i + 1]}")
			echo "$* --max-memory $memory: $n of $size bytes of \
${bounds[i + 1]}"
			[ "$n" -le $((bounds[i] * size + 1048576)) ]
		done
	done
}

@test "how much is read of diagonals depends on no order and no memory" {
	requires strace
	local order
	for order in C F; do
		zeros m.npy '<f4' '(1000, 1000)' 4000000
		zeros d.npy '<f4' '(1999, 1000)' 7996000 ${order#C}
		reads_little '10 d.npy 3 m.npy' tsetdiag m.npy d.npy -k -999:999
		zeros m.npy '|u1' '(4000, 4000)' 16000000
		zeros d.npy '|u1' '(401, 4000)' 1604000 ${order#C}
		reads_little '10 d.npy' tsetdiag m.npy d.npy -k -200:200
	done
}

@test "how much is read of indices depends on no order and no memory" {
	requires strace
	local order
	zeros p.npy '<f4' '(100,)' 400
	for order in C F; do
		zeros i.npy '<i8' '(1000, 1000, 1)' 8000000 ${order#C}
		reads_little '10 i.npy' tgather p.npy i.npy
		zeros i.npy '<i4' '(100, 100, 100, 1)' 4000000 ${order#C}
		reads_little '10 i.npy' tgather p.npy i.npy
	done
}

@test "second operands in Fortran order are what they are in C order" {
	local memory
	seq 2000000 | head -c 2004000 | npy c.npy '<f4' '(501, 1000)'
	tslice c.npy ... --order F -o f.npy
	zeros m.npy '<f4' '(1000, 1000)' 4000000
	tsetdiag m.npy c.npy -k -250:250 -o want.npy
	for memory in 1M 56M; do
		tsetdiag m.npy f.npy -k -250:250 --max-memory $memory |
			cmp - want.npy
		tsetdiag m.npy - -k -250:250 --max-memory $memory <f.npy |
			cmp - want.npy
		cat f.npy | tsetdiag m.npy - -k -250:250 --max-memory $memory |
			cmp - want.npy
	done
	rm -f f.npy
}
