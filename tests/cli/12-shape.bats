#!/usr/bin/env bats
# tshape: subjects, methods, answers, facts.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# x.npy is 2 x 3 x 4 float32, m.npy 3 x 4 int32, s.npy of rank 0.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	head -c 96 /dev/zero | npy x.npy '<f4' '(2, 3, 4)'
	cp "$A" m.npy
	head -c 8 /dev/zero | npy s.npy '>f8' '()'
}

X_FACTS='{"shape":[2,3,4],"ndim":3,"size":24,"dtype":"<f4","fortran_order":false,"nbytes":96,"data_offset":128}'

@test "the shape of a file, as Python prints it" {
	shows '(2, 3, 4)' tshape x.npy
	shows '()' tshape s.npy
	head -c 5 /dev/zero | npy v.npy '|u1' '(5,)'
	shows '(5,)' tshape v.npy
}

@test "literals" {
	shows '(2, 3, ?)' tshape '(2, 3, ?)'
	shows '(2, 3, ?)' tshape '[2,3,-1]'
	shows '(2, 3, ?)' tshape '2,3,?'
	shows '(2, 3, ?)' tshape ' ( 2 ,3, -1 )'
	shows '(2, 3)' tshape '(2, 3,)'
	shows '(7,)' tshape 7
	shows '(7,)' tshape '(7,)'
	shows '(?,)' tshape '?'
	shows '(?,)' tshape -1
	shows '(?, 2)' tshape -1,2
	shows '()' tshape '()'
	shows '()' tshape '[]'
	shows '(0, 9223372036854775807)' tshape 0,9223372036854775807
	shows 'unknown' tshape unknown
}

@test "what is no literal is a file that is not there" {
	local bad
	for bad in 2,,3 '(2, 3' '2, 3]' 2x3 '(2, 3]' -2,3 1.5 '(,)' UNKNOWN; do
		fails 4 io tshape "$bad"
	done
}

@test "what parses as a literal is one, ./ names a file" {
	cp x.npy 2,3
	cp m.npy unknown
	cp m.npy head
	shows '(2, 3)' tshape 2,3
	shows '(2, 3, 4)' tshape ./2,3
	shows 'unknown' tshape unknown
	shows '(3, 4)' tshape ./unknown
	shows '(3, 4)' tshape ./head
}

@test "standard input, file and pipe" {
	shows '(2, 3, 4)' tshape - <x.npy
	same "$(cat x.npy | tshape -)" '(2, 3, 4)'
	same "$(cat x.npy | tshape - tail size)" 12
}

@test "one array is taken from a pipe, whole, and no more" {
	{ cat x.npy m.npy; echo the rest; } |
		(tshape - >one; tshape - ndim >two; cat >rest)
	same "$(cat one two rest)" '(2, 3, 4)
2
the rest'
	(cat "$B"; echo "$?" >rc) | env --default-signal=PIPE tshape - >one
	same "$(cat one rc)" '(1048576,)
0'
}

@test "- twice is read twice" {
	same "$(cat x.npy m.npy | tshape - -)" '-: (2, 3, 4)
-: (3, 4)'
}

@test "a file as standard input is left behind its array" {
	cat x.npy m.npy s.npy >all
	(tshape - >one; tshape - >two; cat >rest) <all
	same "$(cat one two)" '(2, 3, 4)
(3, 4)'
	cmp s.npy rest
}

@test "methods that give a shape" {
	shows '(2,)' tshape x.npy head
	shows '(3, 4)' tshape x.npy tail
	shows '(2, 3)' tshape x.npy take 2
	shows '()' tshape x.npy take 0
	shows '(3, 4)' tshape x.npy take-last 2
	shows '(3,)' tshape x.npy sub 1 2
	shows '()' tshape x.npy sub 3 3
	shows '(2, 3, 4, 7)' tshape x.npy append 7
	shows '(2, 3, 4, 7, ?)' tshape x.npy append 7,?
	shows '(2, 3, 4)' tshape x.npy append '()'
	shows '(?, 2, 3, 4)' tshape x.npy prepend -1
	shows '(5, 6, 2, 3, 4)' tshape x.npy prepend '[5, 6]'
	shows '()' tshape '()' tail
}

@test "methods that give a number" {
	shows 3 tshape x.npy ndim
	shows 24 tshape x.npy size
	shows 1 tshape '()' size
	shows 0 tshape 3,0,2 size
	shows 2 tshape x.npy dim 0
	shows 4 tshape x.npy dim -1
	shows 9223372036854775807 tshape 9223372036854775807 size
}

@test "a number that is not known is a question mark" {
	shows '?' tshape unknown ndim
	shows '?' tshape unknown size
	shows '?' tshape unknown dim 5
	shows '?' tshape 2,? size
	shows '?' tshape '?,0' size
	shows '?' tshape '2,?' dim 1
	shows -1 tshape --json unknown ndim
	shows -1 tshape --json 2,? size
	shows -1 tshape --json unknown dim -1
}

@test "questions" {
	answers 0 true tshape '()' is-scalar
	answers 1 false tshape 1 is-scalar
	answers 0 true tshape '?' is-vector
	answers 1 false tshape '()' is-vector
	answers 0 true tshape m.npy is-matrix
	answers 1 false tshape x.npy is-matrix
	answers 0 true tshape unknown is-unknown
	answers 1 false tshape '?,?' is-unknown
	answers 0 true tshape '2,?' has-unknown
	answers 0 true tshape unknown has-unknown
	answers 1 false tshape x.npy has-unknown
	answers 1 false tshape unknown is-scalar
}

@test "equal and compatible shapes" {
	answers 0 true tshape m.npy equals '(3, 4)'
	answers 1 false tshape m.npy equals 4,3
	answers 1 false tshape '?,4' equals '?,4'
	answers 1 false tshape unknown equals unknown
	answers 0 true tshape m.npy compatible '?,4'
	answers 0 true tshape m.npy compatible unknown
	answers 0 true tshape unknown compatible '()'
	answers 1 false tshape m.npy compatible '3,4,?'
	answers 1 false tshape 1,2 compatible 2,2
}

@test "questions work in a condition" {
	if tshape m.npy is-matrix >answer; then echo yes >>answer; fi
	if tshape m.npy is-vector >>answer; then echo yes >>answer; fi
	same "$(cat answer)" 'true
yes
false'
}

@test "a chain of methods" {
	shows 84 tshape x.npy tail append 7 size
	shows '(9, 3)' tshape x.npy tail head prepend 9
	answers 0 true tshape x.npy take-last 1 is-vector
	shows 4 tshape x.npy sub 1 3 dim -1
}

@test "chains that fail" {
	fails 3 index_out_of_bounds tshape x.npy take 4
	fails 3 index_out_of_bounds tshape x.npy take-last 4
	fails 3 index_out_of_bounds tshape x.npy sub 0 4
	fails 3 index_out_of_bounds tshape x.npy sub -1 2
	fails 3 index_out_of_bounds tshape x.npy dim 3
	fails 3 index_out_of_bounds tshape x.npy dim -4
	fails 3 index_out_of_bounds tshape s.npy head
	fails 3 negative_size tshape x.npy take -1
	fails 3 negative_size tshape x.npy take-last -1
	fails 3 negative_size tshape x.npy sub 2 1
	fails 3 unknown_rank tshape unknown take 0
	fails 3 unknown_rank tshape unknown tail
	fails 3 unknown_rank tshape x.npy append unknown
	fails 3 unknown_rank tshape unknown prepend 3
	fails 2 overflow tshape 4294967296,4294967296 size
	fails 3 index_out_of_bounds tshape x.npy tail tail tail head size
}

@test "of a mistyped method among subjects only itself is spoken of" {
	run -4 --separate-stderr tshape x.npy m.npy tial append 7 size
	same "$output" ''
	same "$stderr" 'tshape: tial: no such file, and neither a shape nor a method; did you mean tail?'
	fails 4 io tshape x.npy takelast 2
	has "$stderr" 'did you mean take-last?'
	run -2 --separate-stderr tshape x.npy tail siez
	same "$stderr" "tshape: no method 'siez'; did you mean size?"
	cp x.npy siez
	shows 'x.npy: (2, 3, 4)
siez: (2, 3, 4)' tshape x.npy siez
}

@test "what is wrong with the command line is found before any file" {
	fails 2 usage tshape missing.npy take
	fails 2 usage tshape missing.npy sub 1
	fails 2 usage tshape missing.npy head frobnicate
	fails 2 usage tshape missing.npy size head
	fails 2 usage tshape missing.npy is-scalar ndim
	fails 2 syntax tshape missing.npy take x
	fails 2 syntax tshape missing.npy take 1.5
	fails 2 syntax tshape missing.npy append 1,,2
	fails 2 syntax tshape missing.npy equals 2x3
	fails 2 overflow tshape missing.npy append 9223372036854775808
}

@test "without a subject there is one usage line" {
	run -2 --separate-stderr tshape
	same "$output" ''
	same "$(wc -l <<<"$stderr")" 1
	matches "$stderr" '.*[Uu]sage: *tshape .*'
	run -2 --separate-stderr tshape head
	same "$output" ''
	same "$(wc -l <<<"$stderr")" 1
	fails 2 usage tshape x.npy --frobnicate
}

@test "several subjects, a line each with its name" {
	shows 'x.npy: (2, 3, 4)
5,?: (5, ?)
m.npy: (3, 4)' tshape x.npy 5,? m.npy
	shows 'x.npy: 12
m.npy: 4' tshape x.npy m.npy tail size
}

@test "one subject that fails does not stop the others" {
	echo none >none.npy
	run --separate-stderr tshape x.npy none.npy m.npy
	same "$status: $output" '3: x.npy: (2, 3, 4)
m.npy: (3, 4)'
	matches "$stderr" 'tshape: none\.npy: [^
]+'
	run --separate-stderr tshape none.npy missing.npy m.npy
	same "$status: $output" '4: m.npy: (3, 4)'
	same "$(wc -l <<<"$stderr")" 2
	run --separate-stderr tshape missing.npy none.npy
	same "$status: $output" '4: '
	run --separate-stderr tshape x.npy 5 m.npy dim 1
	same "$status: $output" '3: x.npy: 3
m.npy: 4'
}

@test "a question about several is yes only if it is yes for each" {
	answers 0 '2,3: true
m.npy: true' tshape 2,3 m.npy is-matrix
	answers 1 '2,3: true
x.npy: false
4,5: true' tshape 2,3 x.npy 4,5 is-matrix
	run --separate-stderr tshape x.npy missing.npy m.npy is-matrix
	same "$status: $output" '4: x.npy: false
m.npy: true'
}

@test "-l adds dtype, order and bytes" {
	shows '(2, 3, 4)  <f4  C  96' tshape -l x.npy
	shows '()  >f8  C  8' tshape -l s.npy
	head -c 48 /dev/zero | npy f.npy '<i8' '(2, 3)' F
	shows '(2, 3)  <i8  F  48' tshape f.npy -l
	shows 'x.npy: (2, 3, 4)  <f4  C  96
f.npy: (2, 3)     <i8  F  48' tshape -l x.npy f.npy
	run -0 tshape -l 2,3
	matches "$output" '\(2, 3\).*'
}

@test "-l sets the facts of several in columns" {
	ints a-longer-name.npy '(12,)' {1..12}
	head -c 18 /dev/zero | npy é.npy "[('a', '<f4'), ('b', '<f4'), ('c', '|i1')]" '(2,)'
	shows 'x.npy:             (2, 3, 4)  <f4  C  96
a-longer-name.npy: (12,)      <i4  C  48
5:                 (5,)       ?    ?   ?' tshape -l x.npy a-longer-name.npy 5
	shows "é.npy: (2,)       [('a', '<f4'), ('b', '<f4'), ('c', '|i1')]  C  18
x.npy: (2, 3, 4)  <f4  C  96" tshape -l é.npy x.npy
	shows 'x.npy: 3
m.npy: 2' tshape -l x.npy m.npy ndim
}

@test "-H names a subject that is alone" {
	shows 'x.npy: (2, 3, 4)' tshape -H x.npy
	shows 'x.npy: 24' tshape -H x.npy size
	shows 'x.npy: (2, 3, 4)  <f4  C  96' tshape -lH x.npy
	run -0 tshape --json -H x.npy
	same "$(jq -r .name <<<"$output")" x.npy
}

@test "-q prints nothing, and the status is the answer" {
	answers 0 '' tshape -q m.npy is-matrix
	answers 1 '' tshape -q x.npy is-matrix
	answers 0 '' tshape -q x.npy
	answers 1 '' tshape -q --json x.npy m.npy is-matrix
	fails 3 index_out_of_bounds tshape -q x.npy dim 3
	fails 4 io tshape -q none.npy
	fails 2 usage tshape -q x.npy -o o.txt
}

@test "the dtype and the bytes of a file" {
	shows '<f4' tshape x.npy dtype
	shows '>f8' tshape s.npy dtype
	shows 96 tshape x.npy nbytes
	shows 'x.npy: <f4
m.npy: <i4' tshape x.npy m.npy dtype
	shows '"<f4"' tshape --json x.npy dtype
	shows 96 tshape --json x.npy nbytes
	shows '{"name":"x.npy","value":"<f4"}
{"name":"2,3","value":null}' tshape --json x.npy 2,3 dtype
	head -c 3 /dev/zero | npy q.npy "[('it\\'s \"', '|i1')]" '(3,)'
	run -0 tshape --json q.npy dtype
	same "$(jq -r . <<<"$output")" "$(tshape q.npy dtype)"
	cat x.npy | tshape - dtype
}

@test "a shape alone has neither" {
	shows '?' tshape 2,3 dtype
	shows '?' tshape 2,3 nbytes
	shows '?' tshape x.npy tail dtype
	shows '?' tshape x.npy tail nbytes
	shows null tshape --json x.npy tail dtype
	shows -1 tshape --json 2,3 nbytes
	fails 2 usage tshape x.npy dtype size
	fails 2 usage tshape x.npy nbytes head
}

@test "options that mean nothing to it are taken, and not in its help" {
	shows '(2, 3, 4)' tshape --print --order F -j 2 --max-memory 1M \
		--progress --device cpu -v x.npy
	run -0 tshape -h
	run -1 grep -E -- '--(print|order|threads|max-memory|progress|device)' \
		<<<"$output"
}

@test "facts as JSON" {
	shows "$X_FACTS" tshape --json x.npy
	same "$(cat x.npy | tshape --json -)" "$X_FACTS"
	head -c 48 /dev/zero | npy f.npy '<i8' '(2, 3)' F
	shows '{"shape":[2,3],"ndim":2,"size":6,"dtype":"<i8","fortran_order":true,"nbytes":48,"data_offset":128}' \
		tshape --json f.npy
	shows '{"shape":[],"ndim":0,"size":1,"dtype":">f8","fortran_order":false,"nbytes":8,"data_offset":128}' \
		tshape --json s.npy
}

@test "literals as JSON" {
	local none='"dtype":null,"fortran_order":null,"nbytes":null,"data_offset":null'
	shows '{"shape":[2,3],"ndim":2,"size":6,'"$none}" tshape --json 2,3
	shows '{"shape":[2,-1],"ndim":2,"size":-1,'"$none}" tshape --json '2,?'
	shows '{"shape":null,"ndim":-1,"size":-1,'"$none}" tshape --json unknown
	shows '{"shape":[],"ndim":0,"size":1,'"$none}" tshape --json '()'
}

@test "results of methods as JSON" {
	shows 24 tshape --json x.npy size
	shows 9223372036854775807 tshape --json 9223372036854775807 size
	answers 0 true tshape --json m.npy is-matrix
	answers 1 false tshape --json x.npy is-matrix
	run -0 --separate-stderr tshape --json x.npy tail
	same "$(jq -c '[.shape, .ndim, .size]' <<<"$output")" '[[3,4],2,12]'
}

@test "several subjects as JSON, a line each" {
	run -0 --separate-stderr tshape --json x.npy 2,?
	same "${#lines[@]}" 2
	same "$(jq -c '[.name, .shape, .size, .dtype]' <<<"$output")" \
		'["x.npy",[2,3,4],24,"<f4"]
["2,?",[2,-1],-1,null]'
	run -0 --separate-stderr tshape --json x.npy m.npy size
	same "${#lines[@]}" 2
	same "$(jq -r .name <<<"$output")" 'x.npy
m.npy'
	has "${lines[0]}" 24
	has "${lines[1]}" 12
}

@test "names on the lines are shown, not obeyed" {
	local odd=$'a\nb\033c.npy'
	cp x.npy "$odd"
	run -0 tshape "$odd" m.npy
	same "${#lines[@]}" 2
	case $output in *$'\033'*) false ;; esac
	run -0 tshape --json "$odd" m.npy
	same "$(jq -r .name <<<"${lines[0]}")" "$odd"
}

@test "a file of a tebibyte answers at once" {
	npy big.npy '<f8' '(137438953472,)' </dev/null
	local header
	header=$(stat -c %s big.npy)
	truncate -s "$((header + (1 << 40)))" big.npy 2>/dev/null ||
		skip 'no files of this size here'
	run -0 timeout 5 tshape -l big.npy
	same "$output" '(137438953472,)  <f8  C  1099511627776'
	run -0 timeout 5 tshape big.npy size
	same "$output" 137438953472
	run -0 timeout 5 bash -c 'tshape - <big.npy'
	same "$output" '(137438953472,)'
}

@test "the family in a pipeline" {
	ints x.npy '(2, 3, 4)' {0..23}
	ints idx.npy '(2, 1)' 1 0
	ints d.npy '(2, 4, 3)' 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 0 \
		0 -11 -12 -13 -14 -15 -16 -17 -18 -19 -20 0
	tslice x.npy '[..., ::-1]' | tgather - idx.npy |
		tsetdiag - d.npy -k -1:2 >y.npy
	same "$(items y.npy)" \
		'-6 -3 -1 12 -9 -7 -4 -2 23 -10 -8 -5 -16 -13 -11 0 -19 -17 -14 -12 11 -20 -18 -15'
	same "$(tslice x.npy '[..., ::-1]' | tgather - idx.npy |
		tsetdiag - d.npy -k -1:2 | tshape -l -)" \
		'(2, 3, 4)  <i4  C  96'
}

@test "help names the methods" {
	run -0 --separate-stderr tshape --help
	same "$stderr" ''
	has "$output" 'tshape '
	local method
	for method in head tail take take-last sub append prepend ndim size \
		dim is-scalar is-vector is-matrix is-unknown has-unknown \
		equals compatible; do
		has "$output" "$method"
	done
}

@test "-o writes the text to a file, and none where a subject fails" {
	run -0 --separate-stderr tshape -o out.txt x.npy m.npy
	same "$output$stderr" ''
	same "$(cat out.txt)" $'x.npy: (2, 3, 4)\nm.npy: (3, 4)'
	run -4 --separate-stderr tshape -o never.txt x.npy none.npy
	[ ! -e never.txt ]
	run -1 --separate-stderr tshape -o no.txt x.npy is-scalar
	same "$(cat no.txt)" false
	run -4 --separate-stderr tshape --no-clobber -o out.txt x.npy
	same "$(cat out.txt)" $'x.npy: (2, 3, 4)\nm.npy: (3, 4)'
}

@test "what is neither a shape nor a file is said to be neither" {
	run -4 --separate-stderr tshape x.npy none.npy
	same "$output" 'x.npy: (2, 3, 4)'
	same "$stderr" 'tshape: none.npy: no such file, and neither a shape nor a method'
	run -4 --separate-stderr tshape hed
	same "$stderr" 'tshape: hed: no such file, and neither a shape nor a method; did you mean head?'
}

@test "the environment's device does not matter to a shape" {
	TSLICE_DEVICE=cuda shows '(2, 3, 4)' tshape x.npy
	run -2 --separate-stderr tshape --device abacus x.npy
}

@test "more dimensions, or methods, than there may be" {
	local ones tails
	ones=$(printf '1,%.0s' {1..64})
	run -0 tshape "($ones)" ndim
	same "$output" 64
	run -3 --separate-stderr tshape --json 1 append "($ones 1)"
	has "$stderr" '"kind":"rank_limit"'
	run -3 --separate-stderr tshape --json "($ones)" append 1
	has "$stderr" '"kind":"rank_limit"'
	mapfile -t tails < <(yes tail | head -n 64)
	run -0 tshape "($ones)" "${tails[@]}"
	same "$output" '()'
	run -2 --separate-stderr tshape --json "($ones)" "${tails[@]}" ndim
	has "$stderr" 'more than 64 methods'
}
