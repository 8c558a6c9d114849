#!/usr/bin/env bats
# --field and --byte-order: what a sweep does not see.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers

# r.npy: two records of a (1, 4), b.c (2, 5) and b.d, two numbers each.
setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	le32 1 2 3 3 4 5 6 6 | npy r.npy \
		"[('a', '<i4'), ('b', [('c', '<i4'), (('title', 'd'), '<i4', (2,))])]" \
		'(2,)'
}

refused() {
	run -3 --separate-stderr "$@" --json
	has "$stderr" '"kind":"no_field"'
}

@test "a field, one of a field, by its title, and from a pipe" {
	run -0 tslice r.npy --field a --print=plain
	same "$output" "1 4"
	run -0 tslice r.npy --field b.c --print=plain
	same "$output" "2 5"
	run -0 tslice r.npy ... --field b.d --print
	same "$output" "[[3 3]
 [6 6]]"
	tslice r.npy '1, 0' --field b.title -o o.npy
	run -0 tshape -l o.npy
	same "$output" '()  <i4  C  4'
	cat r.npy | tslice - --field b.c | cmp - <(tslice r.npy --field b.c)
	cat r.npy r.npy | {
		tslice - --field a -o one.npy
		tslice - --field b.c -o two.npy
	}
	cmp one.npy <(tslice r.npy --field a)
	cmp two.npy <(tslice r.npy --field b.c)
}

@test "a field that is not there is named, with those that are" {
	run -3 tslice r.npy --field b.x
	same "$output" "tslice: r.npy: there is no field 'x': there are 'c', 'd'"
	run -3 tslice r.npy --field c
	same "$output" "tslice: r.npy: there is no field 'c': there are 'a', 'b'"
	run -3 tslice "$A" --field a
	same "$output" "tslice: $A: there is no field 'a': the elements, '<i4', have no fields"
	for name in '' . a. .a b..c b.c.x 0 title; do
		refused tslice r.npy --field "$name"
		refused tassign r.npy 0 --value 1 --in-place --field "$name"
	done
	clean r.npy
}

@test "what a name with dots may mean: the longest first" {
	le32 1 2 3 | npy n.npy \
		"[('a.b', '<i4'), ('a', [('b', '<i4'), ('c', '<i4')])]" '(1,)'
	run -0 tslice n.npy --field a.b --print=plain
	same "$output" 1
	run -0 tslice n.npy --field a.c --print=plain
	same "$output" 3
}

@test "every array of a stream, and every input of tcat" {
	cat r.npy r.npy | tslice - 1 --all --field a >o.npy
	cmp o.npy <(tslice r.npy 1 --field a; tslice r.npy 1 --field a)
	run -0 tcat r.npy r.npy --field a --print=plain
	same "$output" "1 4 1 4"
	cat r.npy r.npy | tcat - - --field b.c --print=plain >got
	same "$(cat got)" '2 5 2 5'
	tslice r.npy --field a -o log.npy
	tcat --append log.npy r.npy --field b.c
	run -0 tslice log.npy --print=plain
	same "$output" "1 4 2 5"
	le32 7 | npy other.npy "[('x', '<i4')]" '(1,)'
	run -3 --separate-stderr tcat r.npy other.npy --field a
	has "$stderr" 'other.npy: there is no field'
}

@test "fields are compared as arrays are" {
	tassign r.npy 1 --value 9 --field b.c -o o.npy
	tcmp r.npy o.npy --field a
	tcmp r.npy - --field b.d <o.npy
	run -1 tcmp r.npy o.npy --field b.c
	same "$output" 'r.npy o.npy differ: [1] 5 and 9, of 2'
	run -1 tcmp - o.npy --field b.c <r.npy
	has "$output" 'differ: [1] 5 and 9, of 2'
	run -3 --separate-stderr tcmp r.npy "$A" --field a
	has "$stderr" "$A: there is no field"
}

@test "writing into a field leaves the others" {
	tassign r.npy 1 --value 9 --field b.c -o o.npy
	run -0 tslice o.npy --print=plain
	same "$output" "1 2 3 3
4 9 6 6"
	cp r.npy here.npy
	tassign here.npy 1 --value 9 --field b.c --in-place
	cmp here.npy o.npy
	le32 8 | npy v.npy '>i4' '(1,)'
	tslice v.npy --byte-order little -o u.npy
	le32 1 | npy i.npy '<i4' '(1, 1)'
	tscatter r.npy i.npy u.npy --field a -o s.npy
	run -0 tslice s.npy --field a --print=plain
	same "$output" "1 134217728"
	run -3 --separate-stderr tassign r.npy 0 r.npy --field a -o no.npy
	has "$stderr" 'different dtypes'
}

@test "a place in a field that is named twice is refused by its index" {
	le32 1 0 1 | npy i.npy '<i4' '(3, 1)'
	le32 7 8 9 | npy u.npy '<i4' '(3,)'
	run -3 tscatter r.npy i.npy u.npy --field a --duplicates error
	same "$output" \
		'tscatter: i.npy: indices[0] and indices[2] both name [1]'
	le32 1 1 0 1 1 1 | npy j.npy '<i4' '(3, 2)'
	run -3 tscatter r.npy j.npy u.npy --field b.d --duplicates error
	same "$output" \
		'tscatter: j.npy: indices[0] and indices[2] both name [1, 1]'
}

@test "only the bytes of a field are looked at, where they lie far apart" {
	npy far.npy "[('a', '<i4'), ('p', '|V999996')]" '(4000,)' </dev/null
	truncate -s +4000000000 far.npy
	tslice far.npy --field a -o o.npy
	run -0 tshape -l o.npy
	same "$output" '(4000,)  <i4  C  16000'
	tassign far.npy 5 --value 3 --field a --in-place
	run -0 tslice far.npy '4:6' --field a --print
	same "$output" '[0 3]'
}

@test "a result in another byte order" {
	tslice "$A" --byte-order big -o big.npy
	run -0 tshape -l big.npy
	same "$output" '(3, 4)  >i4  C  48'
	tslice big.npy --byte-order little | cmp - "$A"
	tslice "$A" --byte-order little | cmp - "$A"
	cat big.npy | tslice - --byte-order little | cmp - "$A"
	tslice r.npy --byte-order big -o rb.npy
	run -0 tslice rb.npy --print=plain
	same "$output" "$(tslice r.npy --print=plain)"
	tslice rb.npy --byte-order little | cmp - r.npy
	tcat big.npy "$A" --byte-order little | cmp - <(tcat "$A" "$A")
	cat big.npy "$A" | tcat - - --byte-order little |
		cmp - <(tcat "$A" "$A")
	tgather "$A" --axis 0 --indices 2,0 --byte-order big |
		tslice - --byte-order little |
		cmp - <(tgather "$A" --axis 0 --indices 2,0)
	run -0 tslice --explain --json "$A" 0 --byte-order big
	has "$output" '"output":{"shape":[4],"dtype":">i4"'
}

@test "text says the same in any byte order" {
	local form dtype
	printf '2001,2002,2003,x\n2004,2005,2006,y\n' >t.txt
	for dtype in '<i2' '<f8' '<c8' '<M8[s]' '<U4' \
		"[('a', '<i2'), ('b', '>f4', (2,)), ('c', 'S2')]"; do
		if [[ $dtype == \[* ]]; then cat t.txt
		else cut -d, -f1-3 t.txt; fi |
			tparse --delimiter , -d "$dtype" -o t.npy
		for form in numpy full plain csv tsv json; do
			tslice t.npy : --print=$form >want.txt
			tslice t.npy : --byte-order big --print=$form |
				cmp - want.txt
			tslice - : --print=$form --byte-order=little \
				-o o.txt <t.npy
			cmp o.txt want.txt
		done
	done
	# The line above the array says what the result is.
	same "$(tslice t.npy --byte-order big --print | head -n 1)" \
		"(2,)  [('a', '>i2'), ('b', '>f4', (2,)), ('c', '|S2')]"
	same "$(tslice t.npy --byte-order little --field b --print |
		head -n 1)" '(2, 2)  <f4'
	same "$(tslice t.npy --field b --byte-order big --print=json)" \
		"$(tslice t.npy --field b --print=json)"
	tcat t.npy t.npy --byte-order big --print=csv >a.txt
	tcat t.npy t.npy --print=csv | cmp - a.txt
	tgather t.npy --indices '[[1]]' --byte-order big --print=csv >a.txt
	tgather t.npy --indices '[[1]]' --print=csv | cmp - a.txt
}

@test "an empty tuple is all of a field, and of no other" {
	tslice r.npy '[None]' --field b.c | cmp - \
		<(tgather r.npy --field b.c --indices '[[]]')
	le32 70 80 | npy u.npy '<i4' '(2,)'
	tscatter r.npy --field b.c --indices '' u.npy -o o.npy
	same "$(tslice o.npy --field b.c --print=plain)" '70 80'
	same "$(tslice o.npy --field a --print=plain)" '1 4'
	cp r.npy p.npy
	tscatter p.npy --field b.c --indices '' u.npy --in-place
	cmp o.npy p.npy
}

@test "what cannot be in another byte order is refused" {
	cp "$A" a.npy
	for word in '' le '<' Big; do
		run -2 --separate-stderr tslice a.npy --byte-order "$word"
	done
	run -2 tassign a.npy 0 --value 1 --in-place --byte-order big
	has "$output" 'does not go with --byte-order'
	run -2 tcat --append a.npy "$A" --byte-order big
	has "$output" 'does not go with --byte-order'
	cmp a.npy "$A"
}

@test "parts that several make are of fields, and turned" {
	tail -c +129 "$B" | head -c 8000000 | npy big.npy \
		"[('a', '<f8'), ('b', '<i2'), ('c', '|V6')]" '(500000,)'
	for how in '--field b ::-1' '--byte-order big 1:'; do
		# shellcheck disable=SC2086 # words are wanted
		tslice big.npy $how -o want.npy
		rm -f o.npy
		for k in 3 1 2; do
			# shellcheck disable=SC2086 # words are wanted
			tslice big.npy $how -o o.npy --part $k/3
		done
		cmp o.npy want.npy
	done
}
