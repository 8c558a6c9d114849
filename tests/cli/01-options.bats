#!/usr/bin/env bats
# Options, operands, help.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# usage_error ARGUMENT...: one line on standard error, status 2, no more.
usage_error() {
	run -2 --separate-stderr tslice "$@"
	same "$output" ''
	one_line "$stderr"
	refuses 2 usage "$@"
	clean
}

@test "without operands there is one usage line" {
	run -2 --separate-stderr tslice
	same "$output" ''
	same "$(wc -l <<<"$stderr")" 1
	matches "$stderr" '.*[Uu]sage: *tslice .*'
}

@test "one operand is an input, all of which is copied" {
	tslice "$A" >o1.npy
	cmp "$A" o1.npy
	tslice "$A" -o o2.npy
	cmp "$A" o2.npy
	tslice - <"$A" >o3.npy
	cmp "$A" o3.npy
	cat "$A" "$B" | tslice --all - | cmp - <(cat "$A" "$B")
}

@test "one operand of --explain is the slice" {
	run -0 tslice --explain 0
	same "${lines[0]}" 'begin            = [0]'
	run -2 --separate-stderr tslice --explain "$A"
	has "$stderr" 'IN comes first, then SPEC'
	run -2 tslice --explain
}

@test "unknown options are named" {
	usage_error --frobnicate "$A" 1
	run -2 --separate-stderr tslice --frobnicate "$A" 1
	has "$stderr" frobnicate
	usage_error -Z "$A" 1
	run -2 --separate-stderr tslice -Z "$A" 1
	has "$stderr" Z
}

@test "an option without its value is an error" {
	usage_error "$A" 1 -o
	usage_error "$A" 1 --output
	usage_error "$A" 1 --order
}

@test "a value for an option that takes none is an error" {
	usage_error "$A" 1 --print=yes
	usage_error "$A" 1 --no-clobber=1
}

@test "a third operand is an error" {
	usage_error "$A" 1 2 -o o.npy
}

@test "a slice beside raw vectors or an encoding is an error" {
	echo '{"begin":[0],"end":[1]}' >enc
	run -2 --separate-stderr tslice "$A" 1 --encoding enc -o o.npy
	one_line "$stderr"
	run -2 --separate-stderr tslice "$A" 1 --begin 0 --end 1 -o o.npy
	one_line "$stderr"
	clean enc
}

@test "an order is C or F" {
	usage_error "$A" 1 --order X
	usage_error "$A" 1 --order ''
}

@test "a number of threads is a positive number" {
	local bad
	for bad in x '' 1.5 2x 99999999999999999999; do
		refuses 2 syntax "$A" 1 -j "$bad" -o o.npy
	done
	run -2 --separate-stderr tslice "$A" 1 -j -3 -o o.npy
	one_line "$stderr"
	clean
}

@test "a device has one of the known names" {
	usage_error "$A" 1 --device abacus
	tslice "$A" 1 --device cpu -o o.npy
	same "$(items o.npy)" '4 5 6 7'
	tslice "$A" 1 --device auto -o o.npy
	same "$(items o.npy)" '4 5 6 7'
}

@test "a device that is not there is status 5" {
	if compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
		skip 'this machine may have one'
	fi
	refuses 5 device --device cuda "$A" 1 -o o.npy
	clean
}

@test "-o takes its file in four ways" {
	tslice "$A" 1 -o p1
	tslice "$A" 1 -op2
	tslice "$A" 1 --output p3
	tslice "$A" 1 --output=p4
	for i in 2 3 4; do cmp p1 "p$i"; done
	same "$(items p1)" '4 5 6 7'
	clean p1 p2 p3 p4
}

@test ".npy is not appended to a name" {
	tslice "$A" 1 -o name
	clean name
}

@test "options may stand before, between and after the operands" {
	tslice -o p1 "$A" 1
	tslice "$A" -o p2 1
	tslice "$A" 1 -o p3
	cmp p1 p2
	cmp p1 p3
}

@test "short options may be joined" {
	tslice -qvo p1 "$A" 1
	same "$(items p1)" '4 5 6 7'
	tslice -qj1 -op2 "$A" 1
	cmp p1 p2
}

@test "a long option may be cut short or must be whole, but is never another" {
	run --separate-stderr tslice --outp=p1 "$A" 1
	if [ "$status" = 0 ]; then
		same "$(items p1)" '4 5 6 7'
	else
		same "$status" 2
		clean
	fi
}

@test "a slice that begins with a minus is an operand" {
	tslice "$A" -1 -o p1
	same "$(items p1)" '8 9 10 11'
	tslice "$A" -2: -o p1
	same "$(items p1)" '4 5 6 7 8 9 10 11'
	tslice "$A" -1,-1 -o p1
	same "$(items p1)" 11
	tslice "$A" '-1 , ::2' -o p1
	same "$(items p1)" '8 10'
}

@test "-: is an operand too, if no good slice" {
	refuses 2 syntax "$A" -:
	refuses 2 syntax "$A" -:2 -o o.npy
	clean
}

@test "the input may be called -1" {
	cp "$A" ./-1
	tslice -1 0 -o p1
	same "$(items p1)" '0 1 2 3'
}

@test "-- ends the options" {
	cp "$A" ./--json
	tslice -o p1 -- --json -1
	same "$(items p1)" '8 9 10 11'
	rm ./--json p1
	run -2 --separate-stderr tslice -- "$A" 1 -o p1
	clean
}

@test "./- is a file and - is standard input" {
	cp "$A" ./-
	tslice ./- 0 -o p1 </dev/null
	same "$(items p1)" '0 1 2 3'
	tslice - 0 -o p2 <"$B"
	tslice "$B" 0 -o p3
	cmp p2 p3
}

@test "-o - is standard output" {
	tslice "$A" 1 -o - >p1
	same "$(items p1)" '4 5 6 7'
	clean p1
}

@test "the last of two equal options counts" {
	tslice "$A" 1 --order F --order C -o p1 -o p2
	same "$(items p2)" '4 5 6 7'
	clean p2
}

@test "flags beat the environment" {
	TSLICE_DEVICE=cuda tslice "$A" 1 --device cpu -o p1
	same "$(items p1)" '4 5 6 7'
	TSLICE_THREADS=1 tslice "$A" 1 -j 2 -o p1
	same "$(items p1)" '4 5 6 7'
}

@test "raw vectors do what the slice does" {
	tslice "$A" --begin 2,0 --end 0,4 --strides -1,2 -o p1
	tslice "$A" 2:0:-1,0:4:2 -o p2
	cmp p1 p2
	tslice "$A" --begin=1 --end=0 --shrink-axis-mask=1 -o p1
	same "$(items p1)" '4 5 6 7'
	tslice "$A" --begin '' --end '' -o p1
	cmp "$A" p1
}

@test "masks are decimal or hexadecimal, negative ones are int32" {
	tslice "$A" --begin 9,9 --end 9,9 --begin-mask 3 --end-mask 0x3 -o p1
	cmp "$A" p1
	tslice "$A" --begin 9,9 --end 9,9 --begin-mask -1 --end-mask -1 -o p1
	cmp "$A" p1
}

@test "vectors and masks that do not parse are refused" {
	local bad
	for bad in x '1,' ',1' 1,,2 '1 2' 1.5 0x 1e3 --1 9x; do
		refuses 2 syntax "$A" --begin="$bad" --end=1
		refuses 2 syntax "$A" --begin=0 --end="$bad"
		refuses 2 syntax "$A" --begin=0 --end=1 --strides="$bad"
	done
	for bad in x '' 1,2 1.5 0x 0xg 99999999999; do
		refuses 2 syntax "$A" --begin=0 --end=1 --begin-mask="$bad"
	done
}

@test "vectors keep all 64 bits" {
	tslice "$A" --begin -9223372036854775808 --end 9223372036854775807 \
		--strides 9223372036854775807 -o p1
	same "$(items p1)" '0 1 2 3'
	run -2 --separate-stderr tslice "$A" --begin 9223372036854775808 --end 1
	one_line "$stderr"
}

@test "--begin needs --end" {
	run -2 --separate-stderr tslice "$A" --begin 0
	one_line "$stderr"
	run -2 --separate-stderr tslice "$A" --end 1
	one_line "$stderr"
}

@test "an encoding file that is none is refused" {
	local bad
	for bad in '' '{' '[]' 'null' '3' '{"begin":[0],"end":[1]} x' \
		'{"begin":[0],"end":[1],"colour":3}' '{"begin":[0]}' '{}' \
		'{"begin":[0.5],"end":[1]}' '{"begin":["0"],"end":[1]}' \
		'{"begin":0,"end":[1]}' \
		'{"begin":[0],"end":[1],"begin_mask":[1]}' \
		'{"begin":[0],"end":[1],"begin_mask":4294967296}' \
		'{"begin":[9223372036854775808],"end":[1]}' \
		'{"begin":[01],"end":[1]}' '{"begin":[0],"end":[null]}'; do
		printf '%s' "$bad" >enc
		run --separate-stderr tslice "$A" --encoding enc -o o.npy
		printf 'encoding: %s: %s\n' "$bad" "$stderr"
		same "$status" 2
		same "$output" ''
		one_line "$stderr"
		clean enc
	done
}

@test "an encoding may carry input and output, and every digit of an int64" {
	cat >enc <<-'END'
	{ "begin": [-9223372036854775807, 0], "end": [9223372036854775807, 4],
	  "strides": [1, 9223372036854775806], "input": {"x": [1.5]},
	  "output": null }
	END
	tslice "$A" --encoding enc -o o.npy
	same "$(items o.npy)" '0 4 8'
}

@test "a missing encoding file is an i/o error" {
	refuses 4 io "$A" --encoding nowhere -o o.npy
	clean
}

@test "a command line that cannot work is found before any file is opened" {
	refuses 2 syntax missing.npy 1,,2
	refuses 2 zero_stride missing.npy ::0
	refuses 2 multiple_ellipsis missing.npy ...,...
	refuses 2 overflow missing.npy 9223372036854775808
	refuses 2 length_mismatch missing.npy --begin 0 --end 1,2
	refuses 2 multiple_ellipsis missing.npy --begin 0 --end 1 --ellipsis-mask 3
	refuses 2 usage missing.npy 1 --order X
}

@test "help keeps within 80 columns" {
	local command
	for command in $(commands); do
		run -0 "$command" --help-all
		[ "${#lines[@]}" -gt 15 ]
		run -1 grep -E '.{81}' <<<"$output"
	done
}

@test "help is a screen of what is needed every day, and all of it is asked for" {
	local command
	for command in $(commands); do
		"$command" -h >short
		"$command" --help-all >long
		echo "$command: $(wc -l <short) lines"
		[ "$(wc -l <short)" -le 40 ]
		[ "$command" = tparse ] || has "$(cat short)" .npz
		has "$(cat short)" --help-all
		same "$(head -n 1 short)" Examples:
		# Nothing is only in the short one.
		grep -oE -- '--[a-z-]+' short | sort -u >named
		same "$(grep -oE -- '--[a-z-]+' long | sort -u |
			comm -23 named -)" ''
	done
	run -1 grep -E -- '--(begin|mpi|part|device|max-memory|no-drain)' \
		<(tslice -h)
	tslice --help-all | grep -q -- --shrink-axis-mask
}

@test "help goes to standard output, examples first" {
	run -0 --separate-stderr tslice --help
	same "$stderr" ''
	local help=$output
	# shellcheck disable=SC2154 # bats sets lines
	has "$(printf '%s\n' "${lines[@]}" | sed -n '1,/-o, --output/p')" \
		'tslice '
	has "$(printf '%s\n' "${lines[@]}" | sed '/--output/,$d')" '.npy'
	run -0 tslice -h
	same "$output" "$help"
}

@test "help needs no operands and opens nothing" {
	run -0 --separate-stderr tslice --help missing.npy 1,,2
	same "$stderr" ''
	has "$output" --output
}

@test "the version is two lines" {
	run -0 --separate-stderr tslice --version
	same "$stderr" ''
	same "${#lines[@]}" 2
	matches "${lines[0]}" 'tslice [0-9]+\.[0-9]+\.[0-9]+'
	has "${lines[1]}" CUDA
	local version=$output
	run -0 tslice -V
	same "$output" "$version"
}

# options_part: the lines from that on.
options_part() {
	sed '1,/^Options:/d'
}

# long_options: those in the text on standard input, one a line.
long_options() {
	grep -oE -- '(^|[^-[:alnum:]])--[a-z][a-z-]*' | sed 's/^[^-]//' | sort -u
}

# manual_options: the options of the .It lines of a page in mdoc.
# An option that is there of those that all commands have counts as its own.
manual_options() {
	local common=${1%/*}/tslice-options.7
	sed -n 's/\\-/-/g; s/Fl Fl /Fl -/g; /^\.It .*Fl/p' "$1" "$common" |
		grep -oE 'Fl -?[A-Za-z][A-Za-z-]*' | sed 's/^Fl /-/' | sort -u
}

# What writes no array has only some of those that all others have.
@test "help and the manual name the same options and letters" {
	local command page
	for command in $(commands); do
		page=$BATS_TEST_DIRNAME/../../man/$command.1
		[ -f "$page" ] || skip 'no manual here'
		$command --help-all >help
		{
			options_part <help | long_options
			grep -oE '^ +-[A-Za-z],? ' help | tr -d ' ,'
		} | sort -u >in-help
		[ "$(wc -l <in-help)" -gt 12 ]
		manual_options "$page" >in-manual
		if ! grep -q -x -e --raw in-help; then
			comm -12 in-help in-manual >both
			mv both in-manual
		fi
		run -0 diff in-help in-manual
	done
}
