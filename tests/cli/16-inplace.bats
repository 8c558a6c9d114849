#!/usr/bin/env bats
# --in-place: what is written, what is not, and what may be asked for.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops
load faults

# x.npy is a matrix of 3 x 4, 0 to 11, all the rest goes into it.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	ints x.npy '(3, 4)' 0 1 2 3 4 5 6 7 8 9 10 11
	ints row.npy '(4,)' -1 -2 -3 -4
	ints i.npy '(2, 1)' 2 0
	ints u.npy '(2, 4)' 20 21 22 23 24 25 26 27
	ints d.npy '(3,)' 7 8 9
	cp x.npy before.npy
}

unchanged() {
	cmp x.npy before.npy
	clean x.npy row.npy i.npy u.npy d.npy before.npy "$@"
}

# The three commands, each with a change that can be made.
each() {
	"$@" tassign x.npy 1 row.npy
	"$@" tscatter x.npy i.npy u.npy
	"$@" tsetdiag x.npy d.npy
}

@test "a slice, rows, a diagonal" {
	answers 0 '' tassign x.npy 1 row.npy --in-place
	same "$(items x.npy)" '0 1 2 3 -1 -2 -3 -4 8 9 10 11'
	answers 0 '' tscatter x.npy i.npy u.npy --in-place
	same "$(items x.npy)" '24 25 26 27 -1 -2 -3 -4 20 21 22 23'
	answers 0 '' tsetdiag x.npy d.npy --in-place
	same "$(items x.npy)" '7 25 26 27 -1 8 -3 -4 20 21 9 23'
	answers 0 '' tassign x.npy :,::2 --value 0 --in-place
	same "$(items x.npy)" '0 25 0 27 0 8 0 -4 0 21 0 23'
}

@test "the file stays the same file: its number, mode, links, header" {
	local was
	chmod 640 x.npy
	ln x.npy link.npy
	was=$(stat -c '%d %i %a %h %s' x.npy)
	each in_place
	same "$(stat -c '%d %i %a %h %s' x.npy)" "$was"
	cmp x.npy link.npy
	run -1 cmp -s x.npy before.npy
	head -c 128 x.npy | cmp - <(head -c 128 before.npy)
}

in_place() {
	answers 0 '' "$@" --in-place
}

@test "through a symbolic link" {
	ln -s x.npy l.npy
	tassign l.npy 0 --value 5 --in-place
	[ -L l.npy ]
	same "$(items x.npy)" '5 5 5 5 4 5 6 7 8 9 10 11'
}

@test "a file in Fortran order keeps it" {
	tslice x.npy --order F -o f.npy
	tassign f.npy 0 row.npy --in-place
	is_order f.npy True
	same "$(items f.npy)" '-1 4 8 -2 5 9 -3 6 10 -4 7 11'
	tslice x.npy --order F -o f.npy
	tsetdiag f.npy d.npy --in-place
	is_order f.npy True
	same "$(items f.npy)" '7 4 8 1 8 9 2 6 9 3 7 11'
	tslice x.npy --order F -o f.npy
	tscatter f.npy i.npy u.npy --in-place
	is_order f.npy True
	same "$(items f.npy)" '24 4 20 25 5 21 26 6 22 27 7 23'
}

@test "arrays that follow in the file stay" {
	cat x.npy row.npy >two.npy
	tassign two.npy -1 row.npy --in-place
	shows '[-1 -2 -3 -4]' tslice --print two.npy 2
	cmp <(tail -c +177 two.npy) row.npy
}

@test "other inputs may come from standard input" {
	tassign x.npy 1 - --in-place <row.npy
	same "$(items x.npy)" '0 1 2 3 -1 -2 -3 -4 8 9 10 11'
	{ cat i.npy u.npy; echo the rest; } |
		(tscatter x.npy - - --in-place; cat >rest)
	same "$(items x.npy)" '24 25 26 27 -1 -2 -3 -4 20 21 22 23'
	cmp rest <(echo the rest)
}

@test "there is no other output, and no order to choose" {
	each no_option -o o.npy
	each no_option --output=x.npy
	each no_option --order C
	each no_option --order F
	each no_option --no-clobber
	each no_option --print
	fails 2 usage tscatter --shape 3,4 i.npy u.npy --in-place
	unchanged
}

# no_option OPTION... COMMAND...: with a file that is not there, so that it is
# known to be found before that.
no_option() {
	local -a option=()
	while [[ $1 != t* ]]; do option+=("$1"); shift; done
	local command=$1
	shift 2
	fails 2 usage "$command" missing.npy "$@" --in-place "${option[@]}"
	has "$stderr" --in-place
}

@test "standard input is no file to be written" {
	fails 2 usage tassign - 1 row.npy --in-place
	fails 2 usage tscatter - i.npy u.npy --in-place
	fails 2 usage tsetdiag - d.npy --in-place
}

@test "what is wrong with the data is found before anything is written" {
	ints bad.npy '(2, 1)' 0 9
	ints twice.npy '(2, 1)' 1 1
	fails 3 shape_mismatch tassign x.npy '[:, 0]' row.npy --in-place
	fails 3 bad_value tassign x.npy 0 --value x --in-place
	run -3 --separate-stderr tassign x.npy 3 row.npy --in-place
	has "$stderr" 'out of range'
	fails 3 shape_mismatch tscatter x.npy i.npy row.npy --in-place
	fails 3 index_out_of_range tscatter x.npy bad.npy u.npy --in-place
	fails 3 duplicate_index tscatter x.npy twice.npy u.npy \
		--duplicates error --in-place
	fails 3 diag_shape_mismatch tsetdiag x.npy row.npy --in-place
	unchanged bad.npy twice.npy
}

@test "another input that ends too early is found before anything is written" {
	run -3 --separate-stderr tassign x.npy 1 - --in-place \
		< <(head -c 140 row.npy)
	unchanged
}

@test "no other input may be the file, by whatever name" {
	ln x.npy hard.npy
	ln -s x.npy soft.npy
	local name
	for name in x.npy ./x.npy hard.npy soft.npy; do
		fails 4 io tassign x.npy ... "$name" --in-place
		has "$stderr" "tassign: $name: "
	done
	# shellcheck disable=SC2094 # that is what is tested
	run -4 --separate-stderr tassign x.npy ... - --in-place <x.npy
	npy none.npy '<i4' '(0,)' </dev/null
	fails 4 io tscatter x.npy none.npy x.npy --in-place
	ints m.npy '(3, 2)' 1 2 3 4 5 6
	fails 4 io tsetdiag m.npy m.npy -k -1:1 --in-place
	unchanged hard.npy soft.npy none.npy m.npy
}

@test "a pipe cannot be written in place" {
	# Nobody writes to it: it is not even opened.
	mkfifo p
	run -4 --separate-stderr timeout 20 tassign p 1 row.npy --in-place
	has "$stderr" 'only a regular file'
	unchanged p
}

@test "a file that may not be written" {
	requires setpriv
	open_to_all
	chmod 444 x.npy
	run -4 --separate-stderr unprivileged \
		tassign "$PWD/x.npy" 1 --value 0 --in-place
	has "$stderr" 'Permission denied'
	unchanged
}

@test "an empty selection writes nothing, and checks all the same" {
	tassign x.npy 0:0 row.npy --in-place
	fails 3 shape_mismatch tassign x.npy 0:0 d.npy --in-place
	npy none.npy '<i4' '(0, 1)' </dev/null
	npy nothing.npy '<i4' '(0, 4)' </dev/null
	tscatter x.npy none.npy nothing.npy --in-place
	unchanged none.npy nothing.npy
}

@test "elements without bytes are written as any other" {
	head -c 0 </dev/null | npy v.npy '|V0' '(2, 3)'
	head -c 12 </dev/zero | npy r.npy \
		"[('v', '|V0'), ('s', '<i2', (0,)), ('b', '<i2')]" '(2, 3)'
	cp r.npy was.npy
	tslice v.npy 0 -o row.npy
	answers 0 '' tassign v.npy 0 row.npy --in-place
	answers 0 '' tassign r.npy 0 row.npy --field v --in-place
	answers 0 '' tsetdiag r.npy --value 1 --field s --in-place
	cmp r.npy was.npy
}

@test "a device is not used, nor missed" {
	tassign x.npy 1 row.npy --in-place --device cpu
	run -0 --separate-stderr tassign x.npy 1 row.npy --in-place -v
	has "$stderr" 'writes 16 of 48 bytes in place'
	same "$output" ''
}

@test "with --sync the data is synced" {
	requires strace
	no_leak_check
	strace -f -qq -e trace=fsync,fdatasync,msync -o "$log" \
		tassign x.npy 1 row.npy --in-place --sync
	has "$(cat "$log")" sync
	strace -f -qq -e trace=fsync,fdatasync,msync -o "$log" \
		tassign x.npy 1 row.npy --in-place
	same "$(cat "$log")" ''
}

@test "a write that fails says that some may have been written" {
	requires strace
	no_leak_check
	run -4 --separate-stderr strace -f -qq -o /dev/null \
		-e inject=fsync:error=EIO \
		tassign x.npy 1 row.npy --in-place --sync
	matches "$stderr" 'tassign: x.npy: cannot sync, but some elements may have been written: .*'
}
