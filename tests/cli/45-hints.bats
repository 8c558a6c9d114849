#!/usr/bin/env bats
# Mistakes that are foreseeable are told with what was probably meant.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops

# hints STATUS WORDS ARGUMENT...: tslice fails that way, in one line but for
# the slice and its mark, which says WORDS.
hints() {
	local want_status=$1 words=$2
	shift 2
	run --separate-stderr tslice "$@"
	same "$status" "$want_status"
	same "$output" ''
	has "$stderr" "$words"
	same "$(grep -c '^tslice: ' <<<"$stderr")" 1
	run --separate-stderr tslice --json "$@"
	same "$status" "$want_status"
	has "$(jq -r .error.message <<<"$stderr")" "$words"
}

# silent ARGUMENT...: it fails, and nothing is guessed.
silent() {
	run -2 --separate-stderr tslice "$@"
	run -1 grep -E 'did you mean|needs quotes|the name of a file' \
		<<<"$stderr"
}

# meant COMMAND...: it fails, and says "; " and the line on standard input; as
# JSON, too.
meant() {
	local words command=$1
	words=$(cat)
	shift
	run --separate-stderr "$command" "$@" </dev/null
	echo "$command $*: $stderr"
	[ "$status" -ge 2 ]
	same "$output" ''
	has "$(head -n 1 <<<"$stderr")" "; $words"
	run --separate-stderr "$command" --json "$@" </dev/null
	has "$(jq -r .error.message <<<"$stderr")" "; $words"
}

@test "options with a slip" {
	hints 2 'did you mean --print?' --prnt "$A" 0
	hints 2 'did you mean --explain?' --explian "$A" 0
	hints 2 'did you mean --output?' --ouptut=x "$A" 0
	hints 2 'did you mean --no-clobber?' --noclobber "$A" 0
	hints 2 'did you mean --max-memory?' --max_memory 1M "$A" 0
	hints 2 'did you mean --json?' --JSON "$A" 0
	run -2 --separate-stderr tgather --bad-indexes zero a b
	same "$stderr" "tgather: unknown option '--bad-indexes'; did you mean --bad-indices?"
}

@test "long options with one dash" {
	hints 2 'did you mean --print?' -print "$A" 0
	hints 2 'did you mean --explain?' "$A" 0 -explain
}

@test "options that are like none" {
	silent --frobnicate "$A" 0
	has "$stderr" 'see tslice -h'
	silent -Z "$A" 0
	same "$stderr" "tslice: unknown option '-Z'; see tslice -h"
	silent -qZ "$A" 0
	same "$stderr" "tslice: unknown option '-Z'; see tslice -h"
	silent "--$(printf 'x%.0s' $(seq 500))" "$A" 0
}

@test "what stands for several options says which" {
	hints 2 "'--no' is ambiguous: --no-clobber or --no-drain" --no "$A" 0
	hints 2 "'--e' is ambiguous: --explain, --end, --end-mask, --ellipsis-mask or --encoding" \
		--e "$A" 0
	tslice --no-c -o o.npy "$A" 1
	same "$(items o.npy)" '4 5 6 7'
}

@test "a slice that the shell has cut at its blanks" {
	hints 2 "a slice with blanks needs quotes: ':, ::-1'" "$A" :, ::-1
	hints 2 "needs quotes: '0, :, ...'" "$A" 0, :, ...
	silent "$A" 0 other
	silent "$A" 0 1
}

@test "a slice that the shell has made a file's name of" {
	touch 0 9 :
	# As of [0:9] without quotes.
	hints 3 "a file is called '9'" "$A" 9
	hints 2 "a file is called '9'" "$A" 0 9
	hints 3 "a file is called '0'" 0 1
	run -3 --separate-stderr tslice "$A" 8
	run -1 grep 'file is called' <<<"$stderr"
	run -0 --separate-stderr tslice "$A" : --print
	same "$stderr" ''
}

@test "None in other letters" {
	hints 2 'did you mean None?' "$A" none,0
	hints 2 'did you mean None?' "$A" 0,NONE
	hints 2 'did you mean newaxis?' "$A" newaxes
	hints 2 'did you mean Ellipsis?' "$A" 'ellipsis, 0'
	silent "$A" banana
}

@test "indices that are no slice" {
	hints 2 'see tgather' "$A" ':, [2,0,1]'
	hints 2 'see tgather' "$A" '[[0, 2]]'
	hints 2 'a boolean index is not a slice' "$A" 'True'
	hints 2 'a slice begins with the bracket' "$A" 'a[0]'
	run -2 --separate-stderr tslice "$A" '[1][0]'
	run -1 grep tgather <<<"$stderr"
}

@test "operands in the wrong order" {
	cp "$A" a.npy
	hints 2 'IN comes first, then SPEC' 0 a.npy
	hints 2 'IN comes first, then SPEC' --explain a.npy
}

@test "an input that the shell has emptied for the output" {
	local command
	for command in 'tslice a.npy 0' 'tshape a.npy' 'tgather a.npy a.npy' \
		'tsetdiag a.npy a.npy'; do
		cp "$A" a.npy
		run -3 --separate-stderr bash -c "$command >a.npy"
		has "$stderr" "the input is empty; the shell emptied it for '>'"
		has "$stderr" 'use -o'
	done
	: >a.npy
	run -3 --separate-stderr tslice a.npy 0
	same "$stderr" 'tslice: a.npy: the input is empty'
}

@test "an input that is also the output" {
	cp "$A" a.npy
	run -4 --separate-stderr bash -c 'tslice a.npy 0 >>a.npy'
	same "$stderr" 'tslice: a.npy: the input is also the output: use -o to replace it'
	cmp "$A" a.npy
}

@test "one is one, in words too" {
	{ cat "$A"; printf x; } >a.npy
	run -3 --separate-stderr tslice a.npy 0
	has "$stderr" 'tslice: a.npy: 1 byte follows the array, '
	{ cat "$A"; printf xy; } >a.npy
	run -3 --separate-stderr tslice a.npy 0
	has "$stderr" 'tslice: a.npy: 2 bytes follow the array, '
	npy b.npy '|i1' '(1,)' </dev/null
	run -3 --separate-stderr tslice b.npy 0
	same "$stderr" 'tslice: b.npy: the header promises 1 byte of data, but only 0 follow'
	run -4 --separate-stderr tslice '' 0
	same "$stderr" "tslice: '': cannot open: No such file or directory"
	run -3 --separate-stderr tshape 2,3,4 dim 5
	same "$stderr" 'tshape: 2,3,4: there is no dimension 5: the shape has 3'
}

@test "what is meant for another option or command" {
	cp "$A" x.npy
	echo 1 >rows.txt
	meant tgather x.npy rows.txt <<<'indices are taken from it by --axis 0 --indices @rows.txt'
	meant tgather x.npy --indices 3,1,2 <<<'did you mean --axis 0?'
	meant tgather x.npy --axis 0 --indices -1 <<<'negative numbers do not count from the end here'
	meant tgather x.npy --indices '[[0,0],[2,-1]]' <<<'negative numbers do not count from the end here'
	meant tassign x.npy 0:2 0 <<<'did you mean --value 0?'
	meant tassign x.npy 0:2 nan --in-place <<<'did you mean --value nan?'
	# What is out of range above has not that reason.
	run -3 --separate-stderr tgather x.npy --axis 0 --indices 3
	run -1 grep negative <<<"$stderr"
	run -3 --separate-stderr tgather x.npy --indices '[[0,1,2]]'
	run -1 grep 'did you mean' <<<"$stderr"
}

@test "an output, a value and inputs among the operands" {
	cp "$A" x.npy
	cp "$A" y.npy
	meant tslice x.npy 0:3 out.npy <<<'did you mean -o out.npy?'
	meant tassign x.npy 0 y.npy out.npy <<<'did you mean -o out.npy?'
	meant tgather x.npy y.npy out.npy <<<'did you mean -o out.npy?'
	meant tslice x.npy 0 --print csv <<<'did you mean --print=csv?'
	meant tslice x.npy --print csv <<<'did you mean --print=csv?'
	meant tgetdiag x.npy --progress always <<<'did you mean --progress=always?'
	meant tslice x.npy y.npy 0 <<<'-t DIR takes many inputs'
	meant tslice x.npy y.npy x.npy ::2 <<<'-t DIR takes many inputs'
	meant tassign x.npy y.npy 0 x.npy <<<'-t DIR takes many inputs'
}

@test "a slice in a name, or for one" {
	cp "$A" x.npy
	meant tslice 'x.npy[0]' <<<"the slice is an operand of its own: x.npy '[0]'"
	meant tgather 'x.npy[0, 1]' x.npy <<<"the slice is an operand of its own: x.npy '[0, 1]'"
	meant tslice ':2' <<<"a slice stands behind its input, and '-' is what comes through a pipe: tslice - ':2'"
	run -4 --separate-stderr tslice 'y.npy[0]'
	run -1 grep ';' <<<"$stderr"
	run -4 --separate-stderr tslice missing.npy
	same "$stderr" 'tslice: missing.npy: cannot open: No such file or directory'
}

@test "a field" {
	requires numpy
	"${PYTHON:-python3}" -c 'import numpy
numpy.save("s.npy", numpy.zeros(3, "i4, f8").astype([("name", "i4"), ("b", "f8")]))'
	meant tslice s.npy name <<<'did you mean --field name?'
	meant tslice s.npy b <<<'did you mean --field b?'
	silent s.npy nam
	silent s.npy "'name"
}

@test "what is called like an archive or a picture" {
	cp "$A" a.npy
	hints 2 'name the array in it, as in -o x.npz:NAME' a.npy 0 -o x.npz
	hints 2 '-o ./x.npz:NAME' a.npy --print -o ./x.npz
	# Before a file is opened.
	hints 2 '-o x.npz:NAME' missing.npy 0 -o x.npz
	run -2 --separate-stderr tcat a.npy a.npy -o x.npz
	run -0 --separate-stderr tslice a.npy 0 -o x.png
	same "$output" ''
	same "$stderr" 'tslice: x.png is to be an .npy file; --image makes a picture'
	same "$(items x.png)" '0 1 2 3'
	run -0 --separate-stderr tslice -q a.npy 0 -o x.png
	same "$stderr" ''
	tslice a.npy 0 -o - >x.npz
	same "$(items x.npz)" '0 1 2 3'
}

@test "a pipe that nothing comes through" {
	run -3 --separate-stderr bash -c 'false | tslice - 0'
	same "$stderr" 'tslice: standard input: nothing came through the pipe'
	run -3 --separate-stderr bash -c ': | tshape --json -'
	same "$(jq -r .error.kind <<<"$stderr")" empty_file
	run -3 --separate-stderr tslice - 0 </dev/null
	same "$stderr" 'tslice: standard input: the input is empty'
}
