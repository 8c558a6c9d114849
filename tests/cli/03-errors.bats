#!/usr/bin/env bats
# What is said when something is wrong.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# says STATUS WANT ARGUMENT...: the whole of standard error is WANT.
says() {
	local want_status=$1 want=$2
	shift 2
	run --separate-stderr tslice "$@"
	same "$status" "$want_status"
	same "$output" ''
	same "$stderr" "$want"
	clean_but_input
}

clean_but_input() {
	run -0 find . -mindepth 1 ! -name '*in*.npy'
	same "$output" ''
}

# places COLUMN LENGTH SPEC: where the error in SPEC is, against in.npy.
places() {
	cp "$A" in.npy
	run --separate-stderr tslice --json in.npy "$3" -o o.npy
	same "$(jq -c '.error | [.column, .length]' <<<"$stderr")" "[$1,$2]"
	clean in.npy
}

@test "a caret line stands under an index out of range" {
	head -c 65536 "$B" | npy in.npy '<f4' '(64, 16, 16)'
	says 3 'tslice: in.npy: index 99 is out of range for axis 0 of size 64
  [99, ..., ::2]
   ^^' in.npy '[99, ..., ::2]' -o o.npy
}

@test "the same as JSON" {
	head -c 65536 "$B" | npy in.npy '<f4' '(64, 16, 16)'
	run -3 --separate-stderr tslice --json in.npy '[99, ..., ::2]'
	same "$output" ''
	same "$stderr" '{"error":{"status":3,"kind":"index_out_of_range","message":"in.npy: index 99 is out of range for axis 0 of size 64","column":2,"length":2}}'
}

@test "the text is shown as it was given" {
	cp "$A" in.npy
	says 3 'tslice: in.npy: index -5 is out of range for axis 1 of size 4
  0, -5
     ^^' in.npy '0, -5'
}

@test "errors of grammar have their caret too" {
	run -2 --separate-stderr tslice "$A" 1:2:3:4
	same "${#stderr_lines[@]}" 3
	matches "${stderr_lines[0]}" 'tslice: .+'
	same "${stderr_lines[1]}" '  1:2:3:4'
	matches "${stderr_lines[2]}" ' +\^+'
}

@test "an error in the slice does not blame the file" {
	run -2 --separate-stderr tslice missing.npy 1:2:3:4
	run -1 grep missing <<<"${stderr_lines[0]}"
}

@test "places are counted from 1, in characters" {
	places 2 2 '[99]'
	places 1 2 99
	places 4 1 '0, 9'
	places 5 3 '[1, -99,]'
	places 3 1 '1,x'
	places 2 19 '[9223372036854775808]'
}

@test "characters, not bytes" {
	places 1 1 'é'
	places 3 1 '0,é'
	places 3 1 '0,中'
	run -2 --separate-stderr tslice "$A" '0,é'
	same "${stderr_lines[1]}" '  0,é'
	same "${stderr_lines[2]}" '    ^'
}

@test "a second ellipsis is shown where it stands" {
	places 7 3 '...,:,...'
	places 5 3 '...,...'
}

@test "a step of zero is shown where it stands" {
	run --separate-stderr tslice --json "$A" '0,::0'
	local place
	place=$(jq -r '.error | "0,::0"[.column - 1:.column - 1 + .length]' \
		<<<"$stderr")
	has "$place" 0
	run -1 grep , <<<"$place"
}

@test "an item too many is shown" {
	run --separate-stderr tslice --json "$A" '0,1,2'
	same "$(jq -c '.error | [.status, .kind, .column, .length]' <<<"$stderr")" \
		'[3,"too_many_indices",5,1]'
}

@test "an empty slice is an error of grammar" {
	refuses 2 syntax "$A" ''
	refuses 2 syntax "$A" ' '
	refuses 2 syntax "$A" '[]'
	refuses 2 syntax "$A" '[ ]'
}

@test "brackets come in pairs" {
	refuses 2 syntax "$A" '[1'
	refuses 2 syntax "$A" '1]'
	refuses 2 syntax "$A" '[[1]]'
	refuses 2 syntax "$A" '[1][0]'
	refuses 2 syntax "$A" '[1] x'
}

@test "a missing file is named" {
	run -4 --separate-stderr tslice in/nowhere.npy 1 -o o.npy
	matches "$stderr" 'tslice: in/nowhere.npy: .*No such file or directory'
	clean
	refuses 4 io in/nowhere.npy 1
}

@test "a directory is no array" {
	mkdir in
	run -4 --separate-stderr tslice in 1 -o o.npy
	one_line "$stderr"
	has "$stderr" 'in: '
	refuses 4 io in 1
}

@test "a file without permission is an i/o error" {
	cp "$A" in.npy
	open_to_all
	chmod 000 in.npy
	run -4 --separate-stderr unprivileged tslice in.npy 1
	matches "$stderr" 'tslice: in.npy: .*Permission denied'
}

@test "kinds of the reader" {
	: >in0.npy
	refuses 3 empty_file in0.npy 1
	echo '{"this": "is no array"}' >in1.npy
	refuses 3 bad_magic in1.npy 1
	head -c 5 "$A" >in2.npy
	refuses 3 bad_magic in2.npy 1
	head -c 100 "$A" >in3.npy
	refuses 3 truncated_header in3.npy 1
	head -c 150 "$A" >in4.npy
	refuses 3 truncated_data in4.npy 1
	{ cat "$A"; echo more; } >in5.npy
	refuses 3 trailing_data in5.npy 1
	npy in6.npy '|O' '(1,)' </dev/null
	refuses 3 object_dtype in6.npy 1
	npy in7.npy '<q7' '(1,)' </dev/null
	refuses 3 bad_descr in7.npy 1
	npy in8.npy '<f4' '(-1,)' </dev/null
	refuses 3 bad_shape in8.npy 1
	{ printf '\223NUMPY\7\0'; tail -c +9 "$A"; } >in9.npy
	refuses 3 bad_version in9.npy 1
	sed 's/fortran_order/fortran_odrer/' "$A" >in10.npy
	refuses 3 bad_header in10.npy 1
	clean_but_input
}

@test "data cut short is refused even where the slice does not need it" {
	head -c 172 "$A" >in.npy
	refuses 3 truncated_data in.npy 0 -o o.npy
	clean in.npy
}

@test "control characters in a file's name are escaped" {
	local name=$'in\n\t\e[31m\x7f.npy'
	run -4 --separate-stderr tslice "$name" 1
	one_line "$stderr"
	run -1 grep -q $'[\x01-\x1f\x7f]' <<<"$stderr"
	cp "$A" "$name"
	tslice "$name" 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
}

@test "a file's name need not be UTF-8" {
	local name=$'in\xff\xfe.npy'
	run -4 --separate-stderr tslice "$name" 1
	iconv -f utf-8 -t utf-8 <<<"$stderr" >/dev/null
	refuses 4 io "$name" 1
}

@test "control characters in a slice are escaped" {
	run -2 --separate-stderr tslice "$A" $'1,\e[31m\n2\x01'
	same "${#stderr_lines[@]}" 3
	run -1 grep -q $'[\x01-\x1f\x7f]' <<<"${stderr_lines[1]}"
	refuses 2 syntax "$A" $'1,\e[31m\n2\x01'
	refuses 2 syntax "$A" $'\xc3('
	iconv -f utf-8 -t utf-8 <<<"$stderr" >/dev/null
}

@test "control characters in a header are escaped" {
	sed "s/<i4/\x1b[3/" "$A" >in.npy
	run -3 --separate-stderr tslice in.npy 1
	one_line "$stderr"
	run -1 grep -q $'[\x01-\x1f\x7f]' <<<"$stderr"
}

@test "the place in a very long slice" {
	local long
	long=$(printf '1,%.0s' $(seq 20000))x
	run -2 --separate-stderr tslice "$A" "$long"
	refuses 2 syntax "$A" "$long"
	same "$(jq .error.column <<<"$stderr")" 40001
	# One that has room on a line is shown from its beginning.
	long=$(printf '1,%.0s' $(seq 60))x
	run -2 --separate-stderr tslice "$A" "$long"
	same "${stderr_lines[1]}" "  $long"
	same "${stderr_lines[2]}" "$(printf '%123s' '^')"
}

@test "a success says nothing, --json or -q or not" {
	run -0 --separate-stderr tslice --json "$A" 1 -o o.npy
	same "$output$stderr" ''
	same "$(items o.npy)" '4 5 6 7'
	run -0 --separate-stderr tslice -q "$A" 2 -o o.npy
	same "$output$stderr" ''
	same "$(items o.npy)" '8 9 10 11'
}

@test "-q keeps the error" {
	run -3 --separate-stderr tslice -q "$A" 99
	has "$stderr" 'index 99'
}

@test "no colour where there is no terminal" {
	run -3 --separate-stderr tslice "$A" 99
	run -1 grep -q $'\e' <<<"$stderr"
}

# on_terminal COMMAND...: its standard error is one.
on_terminal() {
	# shellcheck disable=SC2016 # the inner shell expands it
	TERM=xterm "${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/onpty.py" \
		sh -c 'exec "$@" 2>&1 >/dev/null' - "$@"
}

@test "on a terminal what is at fault is red, unless nobody wants it" {
	requires pty
	run -2 on_terminal tslice "$A" '1, x'
	same "$output" "$(printf '%b' '\e[1;31mtslice:\e[m \x27x\x27 means' \
		' nothing in a slice\n  1, x\n     \e[1;31m^\e[m')"
	NO_COLOR=1 run -2 on_terminal tslice "$A" '1, x'
	run ! grep -q $'\e' <<<"$output"
	run -2 on_terminal env TERM=dumb tslice "$A" '1, x'
	run ! grep -q $'\e' <<<"$output"
	run -2 on_terminal tslice --json "$A" '1, x'
	run ! grep -q $'\e' <<<"$output"
	NO_COLOR='' run -2 on_terminal tslice "$A" '1, x'
	has "$output" $'\e[1;31m'
}
