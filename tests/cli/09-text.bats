#!/usr/bin/env bats
# --print=plain, csv and tsv: numbers and words for other programs.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops

# A structured array of two elements.
people() {
	printf '\1\0\0\0a,b\0\0\0\300?\376\377\2\0\0\0x"y\0\0\0\0\0\7\10' |
		npy p.npy "[('n', '<i4'), ('s', '|S4'), ('v', '<f4'),
			('w', '|u1', (2,))]" '(2,)'
}

@test "plain: a line a row, an empty line between planes" {
	run -0 --separate-stderr tslice --print=plain "$A" ...
	same "$output" $'0 1 2 3\n4 5 6 7\n8 9 10 11'
	same "$stderr" ''
	run -0 tslice --print=plain "$A" 1
	same "$output" '4 5 6 7'
	run -0 tslice --print=plain "$A" 1,2
	same "$output" 6
	tslice "$A" :2,None,:2 --print=plain >got
	printf '0 1\n\n4 5\n' | cmp - got
	tslice "$A" None,:2,:2 --print=plain >got
	printf '0 1\n4 5\n' | cmp - got
	tslice "$A" :0 --print=plain >got
	clean got
	[ ! -s got ]
}

@test "rows and planes of whatever length, many of them at once" {
	local d shape sep form n=$((2 * 3 * 5 * 7 * 11))
	seq -f %g.5 0 $((n - 1)) >values
	for d in f4 f8 S8; do
		tparse -d $d --reshape "$n" values -o v.npy
		for shape in 1155,1,2 385,3,2 33,70 2,5,231 3,2,385 2310,1,1 \
			1,2310 7,5,2,33; do
			tslice v.npy --reshape $shape -o x.npy
			for form in 'csv ,' 'plain  '; do
				sep=${form#* }
				awk -v shape=$shape -v sep="$sep" '
				BEGIN { k = split(shape, dim, ",") }
				NR > 1 {
					at = NR - 1
					row = dim[k]
					plane = k > 2 ? row * dim[k - 1] : 0
					printf "%s", at % row ? sep : "\n"
					if (sep == " " && plane && !(at % plane))
						print ""
				}
				{ printf "%s", $0 }
				END { print "" }' values >want
				tslice x.npy --print="${form%% *}" | cmp - want
				tslice x.npy --print="${form%% *}" -j 1 \
					--max-memory 1M | cmp - want
			done
		done
	done
}

@test "csv and tsv: a row of elements, or one of them, a line" {
	run -0 tslice --print=csv "$A" :2
	same "$output" $'0,1,2,3\n4,5,6,7'
	run -0 tslice --print=tsv "$A" :2,:2
	same "$output" $'0\t1\n4\t5'
	run -0 tslice --print=csv "$A" 1
	same "$output" $'4\n5\n6\n7'
	run -0 tslice --print=csv "$A" None,:2,:2
	same "$output" $'0,1\n4,5'
	run -0 tslice --print=csv "$A" 2,3
	same "$output" 11
	tslice --print=csv "$A" 0 -o text
	printf '0\n1\n2\n3\n' | cmp - text
}

@test "structured: a column a field, and a line of names" {
	people
	tslice p.npy --print=csv >got
	printf 'n,s,v,w[0],w[1]\n1,"a,b",1.5,254,255\n2,"x""y",0.0,7,8\n' |
		cmp - got
	tslice p.npy --print=csv 0 >got
	same "$(cat got)" $'n,s,v,w[0],w[1]\n1,"a,b",1.5,254,255'
	printf '\1\2\3\4' | npy r.npy \
		"[('a', [('b', '|u1'), ('c', '|u1')], (2,))]" '(1,)'
	tslice r.npy --print=tsv >got
	printf 'a[0].b\ta[0].c\ta[1].b\ta[1].c\n1\t2\t3\t4\n' | cmp - got
	tslice r.npy --print=plain >got
	echo 1 2 3 4 | cmp - got
	npy e.npy "[('a,b', '|u1'), ('c', '<f8')]" '(0,)' </dev/null
	tslice e.npy --print=csv >got
	echo '"a,b",c' | cmp - got
}

@test "numbers are the shortest that read back the same" {
	requires numpy
	"${PYTHON:-python3}" - >want <<-'END'
	import numpy as np
	a = np.array([0.1, 1 / 3, -0.0, 1e16, 1e-5, 123456789.0, 5e-324,
	              np.nan, np.inf, -np.inf, 2.5, 9007199254740993.0])
	np.save("a.npy", a)
	np.save("s.npy", a.astype(">f8"))
	np.save("f4.npy", np.array([0.1, 1 / 3, 16777216], "f4"))
	np.save("c.npy", np.array([1.5 - 2j, complex(np.nan, np.inf)]))
	np.save("l.npy", np.array([0.1, 3], "f16"))
	print("\n".join(map(repr, a.tolist())))
	END
	tslice a.npy ... --print=csv | cmp - want
	tslice s.npy ... --print=csv | cmp - want
	run -0 tslice f4.npy ... --print=plain
	same "$output" '0.1 0.33333334 16777216.0'
	run -0 tslice c.npy ... --print=plain
	same "$output" '1.5-2.0j nan+infj'
	run -0 tslice a.npy :6 --print=plain --precision 3
	same "$output" '0.1 0.333 -0.0 1e+16 1e-05 123456789.0'
	run -0 tslice a.npy 1,None --print=csv --precision 0
	same "$output" 0.0
}

@test "truth, dates, void and empty words" {
	printf '\1\0' | npy b.npy '|b1' '(2,)'
	run -0 tslice b.npy ... --print=csv
	same "$output" $'True\nFalse'
	run -0 tslice b.npy ... --print=plain
	same "$output" '1 0'
	printf '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200' >two
	npy d.npy '<M8[D]' '(2,)' <two
	run -0 tslice d.npy ... --print=csv
	same "$output" $'1970-01-02\nNaT'
	npy t.npy '<m8[s]' '(2,)' <two
	run -0 tslice t.npy ... --print=plain
	same "$output" '1 NaT'
	printf '\246\271?' | npy v.npy '|V3' '(1,)'
	run -0 tslice v.npy ... --print=csv
	same "$output" a6b93f
	npy s.npy '|S0' '(2,)' </dev/null
	run -0 tslice s.npy ... --print=csv
	same "$output" $'""\n""'
}

@test "words are quoted where they would not be one" {
	printf 'a b\0c"d\0e\nf\0g,h\0' | npy s.npy '|S4' '(4,)'
	tslice s.npy ... --print=csv >got
	printf 'a b\n"c""d"\n"e\nf"\n"g,h"\n' | cmp - got
	tslice s.npy ... --print=plain >got
	printf '"a b" "c""d" "e\nf" g,h\n' | cmp - got
}

@test "a terminal is sent no control characters" {
	requires pty
	printf '\33]\377' | npy s.npy '|S3' '(1,)'
	tslice s.npy ... --print=csv >got
	printf '\33]\377\n' | cmp - got
	run -0 "${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/onpty.py" \
		tslice s.npy ... --print=csv
	same "$output" '\x1b]\xff'
}

@test "every command prints tables" {
	le32 2 0 | npy i.npy '<i4' '(2, 1)'
	run -0 tgather "$A" i.npy --print=csv
	same "$output" $'8,9,10,11\n0,1,2,3'
	run -0 tgetdiag "$A" --print=csv
	same "$output" $'0\n5\n10'
	le32 9 9 9 | npy d.npy '<i4' '(3,)'
	run -0 tsetdiag "$A" d.npy --print=csv
	same "$output" $'9,1,2,3\n4,9,6,7\n8,9,9,11'
	run -0 tassign "$A" 1 --value 7 --print=csv
	same "$output" $'0,1,2,3\n7,7,7,7\n8,9,10,11'
	le32 1 1 1 1 2 2 2 2 | npy u.npy '<i4' '(2, 4)'
	run -0 tscatter "$A" i.npy u.npy --print=csv
	same "$output" $'2,2,2,2\n4,5,6,7\n1,1,1,1'
}

@test "any order, any memory and a pipe give the same text" {
	requires numpy
	"${PYTHON:-python3}" - >want <<-'END'
	import numpy as np
	a = np.arange(600000).reshape(300, 2000)
	np.save("c.npy", a)
	np.save("f.npy", np.asfortranarray(a))
	np.savetxt("/dev/stdout", a[::-1, ::3], fmt="%d", delimiter=",")
	END
	for f in c f; do
		tslice $f.npy ::-1,::3 --print=csv | cmp - want
		tslice $f.npy ::-1,::3 --print=csv --max-memory 1M | cmp - want
		tslice - ::-1,::3 --print=csv --order F <$f.npy | cmp - want
		tslice $f.npy | tslice - ::-1,::3 --print=csv | cmp - want
	done
}

@test "several threads write what one writes" {
	local item
	for item in "[('a', '<u2'), ('b', '|S3', (2,))] 8" "<f4 4" "|V5 5" \
		"<U3 12" "<i2 2"; do
		head -c $((16 * 7 * 33 * 61)) "$B" |
			head -c $((${item##* } * 7 * 33 * 61)) >bytes
		if [[ $item == \[* ]]; then
			npy x.npy "${item% *}" '(7, 33, 61)' <bytes
		else
			npy x.npy "${item% *}" '(7, 33, 61)' <bytes
		fi
		for form in plain csv tsv; do
			tslice x.npy --print="$form" -j 1 >want
			[ "$(wc -l <want)" -gt 200 ]
			tslice x.npy --print="$form" -j 3 | cmp - want
			tslice x.npy --print="$form" -j 7 --max-memory 9M |
				cmp - want
		done
	done
}

@test "elements that are larger than a thread's share" {
	head -c 6000000 "$B" | npy v.npy '|V500000' '(4, 3)'
	tslice v.npy --print=plain -j 1 >want
	tslice v.npy --print=plain -j 4 | cmp - want
	same "$(wc -lwc <want | xargs)" '4 12 12000012'
}

@test "a structured element that is larger than a piece is one line" {
	head -c 6000000 /dev/zero | npy r.npy \
		"[('v', '<i4', (750000,))]" '(2,)'
	tslice r.npy --print=plain >got
	same "$(awk '{ print NF }' got)" $'750000\n750000'
}

@test "text is written while the input arrives" {
	: >got
	# shellcheck disable=SC2094 # that is what is tested
	{ head -c 6000000 "$B"
	wait_for test -s got && : >early
	tail -c +6000001 "$B"; } | tslice - ... --print=plain >got
	[ -e early ]
	same "$(wc -w <got)" 1048576
}

@test "a full disk is told of, and a reader that has gone is not" {
	run -4 --separate-stderr tslice "$B" --print=csv -o /dev/full
	has "$stderr" '/dev/full: cannot write'
	# shellcheck disable=SC2016 # the inner shell's
	run -0 --separate-stderr bash -c 'tslice "$B" --print=csv | head -n 1'
	same "$stderr" ''
	run -4 tslice "$B" --print=csv -o no/such/file
}

@test "elements without bytes do not go on for ever" {
	npy many.npy '|S0' '(9999999999,)' </dev/null
	refuses 3 too_large many.npy --print=csv
	refuses 3 too_large many.npy --print=full
	printf '\1' | npy r.npy \
		"[('a', '|S0', (999999999,)), ('b', '|u1')]" '(1,)'
	refuses 3 too_large r.npy --print=csv
}
