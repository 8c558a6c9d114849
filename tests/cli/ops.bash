# Loaded beside helpers by the files of tgather, tsetdiag and tshape.
# shellcheck shell=bash disable=SC2154 # bats sets status, output, stderr

# ints FILE SHAPE N...: an array of little-endian int32.
ints() {
	local file=$1 shape=$2
	shift 2
	le32 "$@" | npy "$file" '<i4' "$shape"
}

# shows TEXT COMMAND...: it succeeds and prints exactly that.
shows() {
	local want=$1
	shift
	run -0 --separate-stderr "$@"
	same "$output" "$want"
	same "$stderr" ''
}

# answers STATUS TEXT COMMAND...: it ends so, prints that and complains not.
answers() {
	local want_status=$1 want=$2
	shift 2
	run --separate-stderr "$@"
	same "$status: $output" "$want_status: $want"
	same "$stderr" ''
}

# fails STATUS KIND COMMAND ARGUMENT...: as 'refuses', for any command; then
# once more without --json, for one line that begins with its name.
fails() {
	local want_status=$1 want_kind=$2 command=$3
	shift 3
	run --separate-stderr "$command" --json "$@"
	printf '%s %s: %s\n' "$command" "$*" "$stderr"
	same "$status" "$want_status"
	same "$output" ''
	is_error "$want_status" "$want_kind" "$stderr"
	run --separate-stderr "$command" "$@"
	same "$status" "$want_status"
	same "$output" ''
	same "$(wc -l <<<"$stderr")" 1
	matches "$stderr" "$command: .+"
}

# is_order FILE True|False: what the header of an array says of Fortran order.
is_order() {
	has "$(head -c 128 "$1")" "'fortran_order': $2"
}
