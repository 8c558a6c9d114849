# Loaded beside helpers by the files that make system calls fail.
# shellcheck shell=bash disable=SC2154,SC2034 # bats sets some, tests use some

WRITES=write,pwrite64,writev,fallocate
READS=read,pread64,preadv

# The leak checker cannot work under a tracer.
no_leak_check() {
	export ASAN_OPTIONS=detect_leaks=0
	log=$BATS_TEST_TMPDIR/log
}

# faulty CALLS FAULT [STRACE_OPTION...] -- COMMAND...: runs it with a fault
# injected; the log is in $log.  Other calls are not stopped at; but signals
# come too late that way.
faulty() {
	local calls=$1 fault=$2
	local -a options=()
	shift 2
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	rm -f "$log"
	case $fault in signal*) ;; *) options+=(--seccomp-bpf) ;; esac
	strace -f -qq -o "$log" -e trace="$calls" -e inject="$calls:$fault" \
		${options[@]+"${options[@]}"} -- "$@"
}

injected() {
	grep -E 'INJECTED|DELAYED|--- SIG' "$log" | grep -qv SIGCHLD
}

# calls_of CALL COMMAND...: how many such calls it makes.
calls_of() {
	local call=$1
	shift
	strace -f --seccomp-bpf -qq -o "$log" -e trace="$call" -- "$@" \
		>/dev/null 2>&1 || : # what it says of it is no matter
	grep -c "$call(" "$log" || :
}

# before_main CALL: how many such calls a program makes before its own first,
# for its loader and libraries.
before_main() {
	calls_of "$1" tslice --no-such-option
}

# A result is made of o.npy, which holds $OLD before: these are the ways it may
# end.  'whole_or_refused' wants status 0 and want.npy, or status 4, a line
# that says so and the old file; nothing else may lie there, ever.
whole_or_refused() {
	if [ "$status" = 0 ]; then
		cmp want.npy o.npy
	else
		same "$status" 4
		matches "$stderr" 't[a-z]+: [^
]+'
		cmp "$OLD" o.npy
	fi
	clean_but_inputs
}

# all_names: everything that lies here, hidden or not.
all_names() {
	(shopt -s nullglob dotglob; printf '%s\n' *)
}

# clean_but_inputs: nothing lies there but o.npy and what was there before.
clean_but_inputs() {
	same "$(all_names)" "$before"
}

# begin_sweep COMMAND...: makes want.npy, and counts from zero.
begin_sweep() {
	hits=0 refused=0 died=0
	"$@" <"${feed:-/dev/null}"
	mv o.npy want.npy
}

# end_sweep: the last run met no fault any more.
end_sweep() {
	same "$status" 0
	cmp want.npy o.npy
	rm -f o.npy
}

# one_fault CALL FAULT N COMMAND...: the old file lies there, and the N-th CALL
# meets the fault; fails if there are fewer.  With $feed, that file comes to
# its standard input by a pipe.
one_fault() {
	local call=$1 fault=$2 n=$3
	shift 3
	cp "$OLD" o.npy
	before=$(all_names)
	run --separate-stderr faulty "$call" "$fault:when=$n" -- "$@" \
		< <(cat "${feed:-/dev/null}" 2>/dev/null)
	printf '%s %s, %s: status %s %s\n' "$call" "$n" "$fault" "$status" \
		"$stderr"
	injected
}

# sweep CALL FAULT COMMAND...: the n-th CALL of the command meets the fault, for
# every n until there is none; the command makes o.npy, which is to become
# want.npy.  Sets $hits, how many n there were, and $refused, how many of them
# ended with status 4.
sweep() {
	local call=$1 fault=$2 n
	shift 2
	begin_sweep "$@"
	n=$(before_main "$call")
	case $call in write) n=0 ;; esac
	while one_fault "$call" "$fault" $((n += 1)) "$@"; do
		hits=$((hits + 1))
		whole_or_refused
		[ "$status" = 0 ] || refused=$((refused + 1))
	done
	end_sweep
}

# killed SIGNAL NUMBER CALL COMMAND...: the signal comes with the n-th CALL,
# for every n: the command dies of it and leaves the old file, or is done.
# Sets $hits, and how many times it $died.
killed() {
	local signal=$1 number=$2 call=$3 n
	shift 3
	begin_sweep "$@"
	n=$(before_main "$call")
	while one_fault "$call" "signal=SIG$signal" $((n += 1)) "$@"; do
		hits=$((hits + 1))
		same "$stderr" ''
		if [ "$status" = 0 ]; then
			cmp want.npy o.npy
		else
			same "$status" $((128 + number))
			# A signal that comes with the rename is too late.
			cmp -s "$OLD" o.npy || cmp want.npy o.npy
			died=$((died + 1))
		fi
		clean_but_inputs
	done
	end_sweep
}

# begun [DIRECTORY]: a result that is not yet whole is there: a file that has a
# name of ours, or that has none and is open.
begun() {
	local dir
	dir=$(cd "${1:-.}" && pwd -P) || return
	compgen -G "$dir/.tslice.*.tmp" >/dev/null ||
		find /proc/[0-9]*/fd -lname "$dir/#* (deleted)" 2>/dev/null |
			grep -q .
}

# without_tmpfile: from here on a file has a name before it is whole, as on file
# systems that know no others.  Sanitizers want to be loaded first.
without_tmpfile() {
	local shim=$BATS_FILE_TMPDIR/tmpfile.so
	requires release
	[ -e "$shim" ] || "${CC:-cc}" -shared -fPIC -o "$shim" \
		"$BATS_TEST_DIRNAME/tmpfile.c" -ldl 2>/dev/null ||
		skip 'no compiler'
	LD_PRELOAD=$shim tslice "$A" 0 -o ../named.npy ||
		skip 'nothing can be preloaded'
	export LD_PRELOAD=$shim
}

# on_small_disk OPTIONS SCRIPT [ARGUMENT]...: runs the script in bash, in a
# directory that is a file system of its own, made with these options.
on_small_disk() {
	local how=$1 script=$2
	shift 2
	mkdir -p disk
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -rm bash -euc 'mount -t tmpfs -o "$1" none disk; cd disk
		script=$2; shift 2
		eval "$script"' - "$how" "$script" "$@"
}

requires_small_disk() {
	on_small_disk size=64k : 2>/dev/null ||
		skip 'no file system may be mounted'
}
