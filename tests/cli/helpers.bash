# Loaded by every file here: an empty directory per test, fixtures, and checks.
# shellcheck shell=bash disable=SC2154 # bats sets status, output, stderr

bats_require_minimum_version 1.5.0
export LC_ALL=C.UTF-8
unset TSLICE_DEVICE TSLICE_THREADS TSLICE_MPI CDPATH

# Fixtures, made once a file: $A a matrix of 3 x 4 int32 that holds 0..11,
# $B a vector of 2^20 float64 (8 MiB and a header), $OLD some text.
setup_file() {
	export A=$BATS_FILE_TMPDIR/a.npy B=$BATS_FILE_TMPDIR/b.npy
	export OLD=$BATS_FILE_TMPDIR/old
	le32 0 1 2 3 4 5 6 7 8 9 10 11 | npy "$A" '<i4' '(3, 4)'
	seq 2000000 | head -c 8388608 | npy "$B" '<f8' '(1048576,)'
	echo 'what was there before' >"$OLD"
}

# bats keeps files of its own in $BATS_TEST_TMPDIR itself.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
}

# What was taken for JSON has to be some.  What a test has left without
# permissions could not be removed.
teardown() {
	if [ -e "$BATS_TEST_TMPDIR/json" ]; then
		jq empty "$BATS_TEST_TMPDIR/json" || return
	fi
	chmod -R u+rwX "$BATS_TEST_TMPDIR" 2>/dev/null || :
}

# The names of all commands, from where their list is.
commands() {
	sed -n 's/^\tX(\(t[a-z]*\)).*/\1/p' \
		"$BATS_TEST_DIRNAME/../../cli/applet.h"
}

# npy OUT DESCR SHAPE [F] <ITEMS: an .npy file as numpy.save writes it.  DESCR
# is a type string, or Python's text of a list of fields.  Without a start of
# Python: there are hundreds of these.
npy() {
	local descr="'$2'" shape=${3//[( )]/} order=False grows=0 text n
	local -a dim
	IFS=, read -ra dim <<<"$shape"
	shape=${shape%,}
	shape=${shape//,/, }
	if [[ $2 = '['* ]]; then descr=$2; fi
	if [ "${4-}" = F ]; then order=True grows=-1; fi
	if [ ${#dim[@]} = 1 ]; then shape+=,; fi
	text="{'descr': $descr, 'fortran_order': $order, \
'shape': ($shape), }"
	if [ ${#dim[@]} != 0 ]; then	# blanks for the dimension that may grow
		printf -v text "%s%$((21 - ${#dim[grows]}))s" "$text" ''
	fi
	n=$(((75 + ${#text}) / 64 * 64 - 10))
	printf -v descr '\\x93NUMPY\\1\\0\\x%02x\\x%02x' $((n % 256)) $((n / 256))
	{
		# shellcheck disable=SC2059 # the format has the bytes
		printf "$descr%-$((n - 1))s\n" "$text"
		cat
	} >"$1"
}

# le32 N...: the numbers as little-endian int32.
le32() {
	local n bytes
	for n; do
		printf -v bytes '\\x%02x\\x%02x\\x%02x\\x%02x' $((n & 255)) \
			$((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255))
		# shellcheck disable=SC2059 # the format is the bytes
		printf "$bytes"
	done
}

# items FILE: the items of an int32 array, on one line.
items() {
	# shellcheck disable=SC2005,SC2046 # with a blank between any two
	echo $(tail -c +129 "$1" | od -An -v -td4)
}

# same GOT WANT: equal texts, or both are shown.
same() {
	[ "$1" = "$2" ] || {
		printf 'got:  %s\nwant: %s\n' "$1" "$2" >&2
		return 1
	}
}

# has TEXT PART: PART is in TEXT.
has() {
	case $1 in
	*"$2"*) ;;
	*) printf 'text: %s\nhas no: %s\n' "$1" "$2" >&2; return 1 ;;
	esac
}

# matches TEXT REGEX: all of TEXT is the extended regular expression.
matches() {
	[[ $1 =~ ^($2)$ ]] || {
		printf 'text:  %s\nregex: %s\n' "$1" "$2" >&2
		return 1
	}
}

# clean NAME...: the directory holds these names and nothing else.
clean() {
	local got want
	got=$(find . -mindepth 1 -maxdepth 1 -printf '%f\n' | sort)
	want=$(printf '%s\n' "$@" | sed '/^$/d' | sort)
	same "$got" "$want"
}

# one_line TEXT: a single line, and it is our own.
one_line() {
	matches "$1" 'tslice: [^
]+'
}

# is_error STATUS KIND TEXT: a line of JSON that tells of this error; teardown()
# sees whether it is JSON.
is_error() {
	matches "$3" "[{]\"error\":[{]\"status\":$1,\"kind\":\"$2\",\"message\":\
\"[^
]+[}][}]"
	printf '%s\n' "$3" >>"$BATS_TEST_TMPDIR/json"
}

# refuses STATUS KIND ARGUMENT...: tslice --json ARGUMENT... fails that way,
# with one line on standard error and nothing on standard output.
refuses() {
	local want_status=$1 want_kind=$2
	shift 2
	run --separate-stderr tslice --json "$@"
	same "$status" "$want_status"
	same "$output" ''
	is_error "$want_status" "$want_kind" "$stderr"
}

# succeeds WHAT COMMAND...: whether it does, asked once for all tests of a file.
succeeds() {
	local answer=$BATS_RUN_TMPDIR/succeeds.$1
	if [ ! -e "$answer" ]; then
		"${@:2}" >/dev/null 2>&1
		echo $? >"$answer"
	fi
	return "$(<"$answer")"
}

# requires WHAT...: skips the test where something is not there.
requires() {
	local what
	for what; do
		case $what in
		root) [ "$(id -u)" = 0 ] || skip 'not root' ;;
		mounts) succeeds mounts unshare -m true ||
			skip 'nothing may be mounted' ;;
		notroot) [ "$(id -u)" != 0 ] || skip 'root may do anything' ;;
		release) [ "${TSLICE_MODE:-release}" != san ] ||
			skip 'sanitizers need far more memory' ;;
		pty) succeeds pty "${PYTHON:-python3}" \
			"$BATS_TEST_DIRNAME/../sweep/onpty.py" ||
			skip 'no terminal can be had' ;;
		numpy) succeeds numpy "${PYTHON:-python3}" -c 'import numpy' ||
			skip 'no NumPy' ;;
		strace) succeeds strace strace -qq -o /dev/null true ||
			skip 'no strace, or it may not trace' ;;
		*) command -v "$what" >/dev/null || skip "no $what" ;;
		esac
	done
}

# unprivileged COMMAND...: runs it as somebody whom file modes bind.
unprivileged() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# Lets 'unprivileged' into the test's directory, and to the commands; to a copy,
# if they lie where only root can reach them.  Or skips the test.  What setpriv
# itself can run says nothing of that: it has root's rights until it runs it.
open_to_all() {
	if [ "$(id -u)" = 0 ]; then
		requires setpriv
		chmod 711 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" ..
		chmod 777 .
		chmod 644 "$A" "$B" "$OLD"
		may_run_tslice || copy_commands
		may_run_tslice ||
			skip 'the tests lie where only root can reach them'
	fi
}

may_run_tslice() {
	unprivileged sh -c 'tslice -V' >/dev/null 2>&1
}

copy_commands() {
	local from copy=$BATS_FILE_TMPDIR/bin
	from=$(command -v tslice)
	mkdir -p "$copy"
	cp "$from" "$copy"
	find "${from%/*}" -maxdepth 1 -lname tslice -exec cp -P -t "$copy" {} +
	PATH=$copy:$PATH
}

# child PID: the process that it has started.
child() {
	grep -lx "PPid:[[:space:]]*$1" /proc/[0-9]*/status 2>/dev/null |
		cut -d / -f 3
}

# wait_for COMMAND...: polls for up to five seconds until it succeeds.
wait_for() {
	local i
	for i in $(seq 250); do
		if "$@" 2>/dev/null; then return 0; fi
		sleep 0.02
	done
	echo "in vain after $i tries: $*" >&2
	return 1
}
