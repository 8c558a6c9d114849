#!/usr/bin/env bats
# Names of files, however odd: they work, and no message shows them raw.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops
load faults

# round NAME: written, read, replaced and described under that name.
round() {
	tslice -o "$1" -- "$A" ...
	cmp -- "$A" "$1"
	tslice -o "$1" -- "$1" 1:
	same "$(items "./$1")" '4 5 6 7 8 9 10 11'
	run -0 tshape -- "./$1"
	same "$output" '(2, 4)'
	rm -- "$1"
	clean
}

# shown_as NAME TEXT: how a message about a missing file of that name shows it.
shown_as() {
	run -4 --separate-stderr tslice -- "$1" 0
	same "$stderr" "tslice: $2: cannot open: No such file or directory"
}

@test "names with blanks, newlines, tabs, quotes and signs" {
	round 'a b'
	round $'a\nb.npy'
	round $'\t.npy'
	round "it's \"x\" \`y\` \$z \\ ;*?[]"
	round ' '
	round '%s%n%d'
}

@test "names that are no UTF-8, or beyond ASCII" {
	round $'\xff\xfe.npy'
	round $'\xc3.npy'
	round 'температура.npy'
	round '温度😀.npy'
	round $'\xed\xa0\x80'
}

@test "names that begin with a sign, behind -- or ./" {
	round -x.npy
	round --output
	round -1
	round -o
	tslice "$A" ... -o ./-
	tslice ./- 0 -o -- 2>/dev/null || :
	cmp "$A" ./-
}

@test "an option's argument may begin with a sign" {
	tslice "$A" ... -o -x.npy
	cmp "$A" ./-x.npy
	tslice "$A" ... --output=-y.npy
	cmp "$A" ./-y.npy
	clean -x.npy -y.npy
}

@test "the longest name there can be, of characters of several bytes" {
	local name
	name=$(printf 'é%.0s' $(seq 127))n
	round "$name"
	refuses 4 io "$A" ... -o "${name}o"
	has "$stderr" 'File name too long'
}

@test "the longest name, in a directory and behind a link" {
	local name
	name=$(printf 'n%.0s' $(seq 255))
	mkdir d
	ln -s "d/$name" l
	tslice "$A" ... -o "d/$name"
	tslice "$A" 1: -o l
	same "$(items "d/$name")" '4 5 6 7 8 9 10 11'
	[ -L l ]
	clean d l
}

@test "paths near and beyond the longest" {
	local part path=. _
	part=$(printf 'p%.0s' $(seq 250))
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do path=$path/$part; done
	mkdir -p "$path"
	tslice "$A" ... -o "$path/o.npy"
	tslice "$path/o.npy" 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
	same "$(ls -A "$path")" o.npy
	refuses 4 io "$A" ... -o "$path/$part/$part/$part/o.npy"
	refuses 4 io "$path/$part/$part/$part/o.npy" ...
	clean o.npy "$part"
}

@test "empty names" {
	refuses 4 io '' 0
	refuses 4 io "$A" 0 -o ''
	fails 4 io tshape ''
	fails 4 io tgather "$A" ''
	clean
}

@test "names with a slash at the end are directories, in or out" {
	cp "$A" a.npy
	cp "$OLD" o.npy
	refuses 4 io a.npy/ 0
	refuses 4 io "$A" 0 -o o.npy/
	refuses 4 io "$A" 0 -o o.npy/.
	refuses 4 io "$A" 0 -o .
	refuses 4 io "$A" 0 -o ..
	refuses 4 io "$A" 0 -o /
	cmp "$OLD" o.npy
	clean a.npy o.npy
}

@test "names with dots and slashes within" {
	mkdir -p d/e
	tslice "$A" ... -o .//d/../d/./e//o.npy
	cmp "$A" d/e/o.npy
	tslice d/e/../../d/e/o.npy 1 -o ./d//o.npy
	same "$(items d/o.npy)" '4 5 6 7'
	same "$(ls -A d)" $'e\no.npy'
}

@test "a name that looks like a shape is a file behind ./" {
	cp "$A" 2,3
	cp "$A" unknown
	cp "$A" size
	run -0 tshape 2,3
	same "$output" '(2, 3)'
	run -0 tshape ./2,3
	same "$output" '(3, 4)'
	run -0 tshape ./unknown size
	same "$output" 12
	run -0 tshape ./size
	same "$output" '(3, 4)'
}

@test "control characters in a name do not reach the terminal" {
	shown_as $'a\e[31m.npy' 'a\x1b[31m.npy'
	shown_as $'a\nb' 'a\x0ab'
	shown_as $'a\rb\tc\x7f' 'a\x0db\x09c\x7f'
	shown_as $'\x01\x02' '\x01\x02'
	shown_as $'c1\xc2\x9b31m' 'c1\xc2\x9b31m'
}

@test "bytes of a name that are no UTF-8 do not either" {
	shown_as $'\xff.npy' '\xff.npy'
	shown_as $'\xc0\xaf' '\xc0\xaf'
	shown_as $'\xed\xa0\x80' '\xed\xa0\x80'
	shown_as $'\x9b31m' '\x9b31m'
	shown_as $'\xf4\x90\x80\x80' '\xf4\x90\x80\x80'
}

@test "what turns the direction of text is shown by its bytes" {
	shown_as $'a\u202Eypn.b' 'a\xe2\x80\xaeypn.b'
	shown_as $'\u2066x\u2069' '\xe2\x81\xa6x\xe2\x81\xa9'
	shown_as $'\u061c' '\xd8\x9c'
	shown_as $'z\u200Bw' 'z\xe2\x80\x8bw'
	shown_as $'l\u2028p\u2029' 'l\xe2\x80\xa8p\xe2\x80\xa9'
	shown_as $'\uFEFFbom' '\xef\xbb\xbfbom'
	shown_as $'t\U000E0041' 't\xf3\xa0\x81\x81'
}

@test "other characters are shown as they are" {
	shown_as 'für Größe.npy' 'für Größe.npy'
	shown_as '温度😀' '温度😀'
}

@test "messages in JSON are JSON, whatever the name" {
	local name
	for name in $'\xff\xfe' $'a"b\\c' $'\e[0m' $'\xed\xa0\x80' $'\u202E'; do
		run -4 --separate-stderr tslice --json -- "$name" 0
		same "$(jq -r .error.kind <<<"$stderr")" io
	done
}

@test "tshape's names in JSON are JSON, whatever they are" {
	cp "$A" $'\xff.npy'
	cp "$A" $'a\nb"\\.npy'
	run -0 --separate-stderr tshape --json ./*
	same "$(jq -r .size <<<"$output" | tr '\n' ' ')" '12 12 '
	same "$(wc -l <<<"$output")" 2
}

@test "tshape's names as text keep to their lines" {
	cp "$A" $'a\nb.npy'
	cp "$A" $'c\e[31m.npy'
	run -0 --separate-stderr tshape ./*
	same "$output" './a\x0ab.npy: (3, 4)
./c\x1b[31m.npy: (3, 4)'
}

@test "arguments that are quoted in a message are escaped" {
	run -2 --separate-stderr tsetdiag a b -k $'\e[31m'
	run -1 grep -q $'\e' <<<"$stderr"
	run -2 --separate-stderr tslice "$A" $'\u202E'
	run -1 grep -q $'\u202E' <<<"$stderr"
	run -2 --separate-stderr tslice $'--\e[31m'
	run -1 grep -q $'\e' <<<"$stderr"
	run -2 --separate-stderr tslice --device $'\e[31m' "$A" 0
	run -1 grep -q $'\e' <<<"$stderr"
	run -2 --separate-stderr tslice --begin $'1,\e[31m' --end 2 "$A"
	run -1 grep -q $'\e' <<<"$stderr"
}

@test "the mark under a slice counts what is escaped" {
	run -2 --separate-stderr tslice "$A" $'0,\u202E'
	same "$(sed -n 2,3p <<<"$stderr")" '  0,\xe2\x80\xae
    ^^^^^^^^^^^^'
}
