#!/usr/bin/env bats
# tcmp: what is the same, what differs first, and how that is told.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless
# shellcheck disable=SC2030,SC2031 # each test has its own status and output

load helpers
load faults

# says STATUS TEXT ARGUMENT...: what tcmp says, and with -q only by its status.
says() {
	local want_status=$1 want=$2
	shift 2
	run --separate-stderr tcmp "$@"
	same "$stderr" ''
	same "$output" "$want"
	same "$status" "$want_status"
	run --separate-stderr tcmp -q "$@"
	same "$status$output$stderr" "$want_status"
}

# fails STATUS KIND COMMAND...: with one JSON error, and nothing else.
fails() {
	local want_status=$1 want_kind=$2
	shift 2
	run --separate-stderr "$@" --json
	same "$status" "$want_status"
	same "$output" ''
	same "$(jq -r .error.kind <<<"$stderr")" "$want_kind"
}

# arrays: a.npy and b.npy, of which elements 1, 6 and 11 of 12 differ.
arrays() {
	cp "$A" a.npy
	le32 0 7 2 3 4 5 -1 7 8 9 10 12 | npy b.npy '<i4' '(3, 4)'
}

@test "neither header nor the order in memory nor the byte order counts" {
	tslice "$A" --order F -o f.npy
	le32 0 16777216 33554432 50331648 67108864 83886080 100663296 \
		117440512 134217728 150994944 167772160 184549376 |
		npy big.npy '>i4' '(3, 4)'
	tslice big.npy --order F -o bigf.npy
	{
		# shellcheck disable=SC1003 # a backslash, and a digit
		printf '\223NUMPY\1\0\66\0%-53s\n' \
			"{'descr': '<i4','fortran_order':False,'shape':(3,4)}"
		tail -c 48 "$A"
	} >head.npy
	local a b
	for a in "$A" f.npy big.npy bigf.npy head.npy; do
		for b in "$A" f.npy big.npy bigf.npy head.npy; do
			says 0 '' "$a" "$b"
		done
	done
}

@test "shapes differ, else dtypes, and both are told" {
	seq 9 | head -c 12 | npy v3.npy '<i4' '(3,)'
	seq 9 | head -c 12 | npy v31.npy '<i4' '(3, 1)'
	seq 9 | head -c 12 | npy f.npy '<f4' '(3,)'
	seq 9 | head -c 12 | npy u.npy '>u4' '(3,)'
	seq 9 | head -c 4 | npy s.npy '|S4' '()'
	seq 9 | head -c 8 | npy r.npy "[('a', '<i4')]" '(2,)'
	seq 9 | head -c 8 | npy q.npy "[('b', '<i4')]" '(2,)'
	npy e1.npy '<f8' '(2, 0)' </dev/null
	npy e2.npy '<f8' '(0, 2)' </dev/null
	says 1 'v3.npy v31.npy differ: shape (3,) and (3, 1)' v3.npy v31.npy
	says 1 'v3.npy s.npy differ: shape (3,) and ()' v3.npy s.npy
	says 1 'v3.npy f.npy differ: dtype <i4 and <f4' v3.npy f.npy
	says 1 'v3.npy u.npy differ: dtype <i4 and >u4' v3.npy u.npy
	says 1 "r.npy q.npy differ: dtype [('a', '<i4')] and [('b', '<i4')]" \
		r.npy q.npy
	says 1 'e1.npy e2.npy differ: shape (2, 0) and (0, 2)' e1.npy e2.npy
	says 0 '' e1.npy e1.npy
	run -1 tcmp --json v3.npy v31.npy
	same "$output" '{"a":"v3.npy","b":"v31.npy","differ":"shape","shape":[[3],[3,1]]}'
	run -1 tcmp --json r.npy q.npy
	same "$(jq -r '.dtype[1]' <<<"$output")" "[('b', '<i4')]"
}

@test "the first element in C order, and how many more there are" {
	arrays
	says 1 'a.npy b.npy differ: [0, 1] 1 and 7, and 2 more of 12' \
		a.npy b.npy
	tslice a.npy --order F -o f.npy
	tslice b.npy --order F -o g.npy
	says 1 'f.npy g.npy differ: [0, 1] 1 and 7, and 2 more of 12' \
		f.npy g.npy
	says 1 'a.npy g.npy differ: [0, 1] 1 and 7, and 2 more of 12' \
		a.npy g.npy
	says 1 'g.npy a.npy differ: [0, 1] 7 and 1, and 2 more of 12' \
		g.npy a.npy
}

@test "an array without axes, and one that differs in one place only" {
	printf '\0\0\300\77' | npy x.npy '<f4' '()'
	printf '\100\20\0\0' | npy y.npy '>f4' '()'
	says 1 'x.npy y.npy differ: [] 1.5 and 2.25, of 1' x.npy y.npy
	says 0 '' y.npy y.npy
	tassign "$A" -1,-1 --value 0 -o z.npy
	says 1 "$A z.npy differ: [2, 3] 11 and 0, of 12" "$A" z.npy
}

@test "rows of which a box has one element" {
	local n rows
	# Boxes are of 13107 columns here; with others there is no such box.
	for n in 26215 65536; do
		for rows in 2 3; do
			seq $((n * rows)) | tparse -d u8 --reshape $rows,$n \
				-o c.npy
			tslice c.npy --order F -o f.npy
			tcmp --max-memory 1M c.npy f.npy
			tcmp --max-memory 1M f.npy c.npy
		done
	done
}

@test "bit for bit: zeros, nans, and booleans that are true" {
	printf '\0\0\300\177\0\0\0\0\1\0\300\177\0\0\0\200' |
		npy x.npy '<f4' '(4,)'
	printf '\0\0\300\177\0\0\0\200\0\0\300\377\0\0\0\200' |
		npy y.npy '<f4' '(4,)'
	run -1 tcmp --list 9 x.npy y.npy
	same "$output" "x.npy y.npy differ: [1] 0.0 and -0.0
x.npy y.npy differ: [2] nan and nan, of 4"
	run -1 tcmp --json --list 9 x.npy y.npy
	# As it stands: not every jq keeps the point of 0.0.
	has "$(tr -d ' \n\t' <<<"$output")" '"places":[{"index":[1],'\
'"values":[0.0,-0.0]},{"index":[2],"values":["nan","nan"]}]'
	printf '\1\0' | npy p.npy '|b1' '(2,)'
	printf '\2\0' | npy q.npy '|b1' '(2,)'
	says 1 'p.npy q.npy differ: [0] 1 and 1, of 2' p.npy q.npy
	run -1 tcmp --json p.npy q.npy
	same "$(jq -c '.places[0].values' <<<"$output")" '[true,true]'
}

@test "bytes that belong to no element are not looked at" {
	local d="[('a', '|u1'), ('', '|V3'), ('b', '<i4')]"
	local e="[('a', '|u1'), ('', '|V3'), ('b', '>i4')]"
	printf 'aXYZ\1\0\0\0b...\2\0\0\0' | npy x.npy "$d" '(2,)'
	printf 'a123\1\0\0\0b456\2\0\0\0' | npy y.npy "$d" '(2,)'
	printf 'a123\0\0\0\1b456\0\0\0\2' | npy z.npy "$e" '(2,)'
	printf 'a123\0\0\0\1c456\0\0\0\3' | npy w.npy "$e" '(2,)'
	says 0 '' x.npy y.npy
	says 0 '' x.npy z.npy
	says 1 'x.npy w.npy differ: [1] 98 2 and 99 3, of 2' \
		x.npy w.npy
	# An array of them within one, and a field that has a name.
	d="[('s', [('', '|V2'), ('c', '|S2')], (2,)), ('v', '|V2')]"
	printf '..ab..cdvv' | npy x.npy "$d" '()'
	printf 'XXabYYcdvv' | npy y.npy "$d" '()'
	printf '..ab..cdvw' | npy z.npy "$d" '()'
	says 0 '' x.npy y.npy
	run -1 tcmp x.npy z.npy
}

@test "nor are those of a long double that hold no digits" {
	[ "$(uname -m)" = x86_64 ] || skip 'its long doubles have none'
	printf '\0\0\0\0\0\0\0\200\377\77......' | npy x.npy '<f16' '()'
	printf '\0\0\0\0\0\0\0\200\377\77XXXXXX' | npy y.npy '<f16' '()'
	printf 'PADDED\77\377\200\0\0\0\0\0\0\0' | npy z.npy '>f16' '()'
	printf '\0\0\0\0\0\0\0\300\377\77......' | npy w.npy '<f16' '()'
	says 0 '' x.npy y.npy
	says 0 '' x.npy z.npy
	says 0 '' z.npy y.npy
	says 1 'z.npy w.npy differ: [] 1.0 and 1.5, of 1' z.npy w.npy
}

@test "--list: a line each, and the last one says how many more" {
	arrays
	run -1 tcmp a.npy b.npy --list 2
	same "$output" "a.npy b.npy differ: [0, 1] 1 and 7
a.npy b.npy differ: [1, 2] 6 and -1, and 1 more of 12"
	run -1 tcmp a.npy b.npy --list 99
	same "$output" "a.npy b.npy differ: [0, 1] 1 and 7
a.npy b.npy differ: [1, 2] 6 and -1
a.npy b.npy differ: [2, 3] 11 and 12, of 12"
	local want=$output
	# So many are not kept.
	tslice a.npy --order F -o f.npy
	tslice b.npy --order F -o g.npy
	run -1 tcmp a.npy b.npy --list 2000000000
	same "$output" "$want"
	run -1 tcmp f.npy g.npy --list 2000000000
	same "${output//[fg].npy/}" "${want//[ab].npy/}"
	cat f.npy g.npy >s
	run -1 tcmp - - --list 2000000000 <s
	same "${output//- -/}" "${want//a.npy b.npy/}"
	run -1 tcmp a.npy b.npy --list 2 --json
	same "$output" '{"a":"a.npy","b":"b.npy","differ":"elements","places":[{"index":[0,1],"values":[1,7]},{"index":[1,2],"values":[6,-1]}],"count":3,"size":12}'
	fails 2 syntax tcmp a.npy b.npy --list 0
	fails 2 syntax tcmp a.npy b.npy --list -1
}

@test "values of every kind are written as --print=plain does" {
	local descr x y
	while read -r descr x y; do
		# shellcheck disable=SC2059 # these are the bytes
		printf "$x" | npy x.npy "$descr" '(1,)'
		# shellcheck disable=SC2059
		printf "$y" | npy y.npy "$descr" '(1,)'
		says 1 "x.npy y.npy differ: [0] $(
			tslice x.npy --print=plain) and $(
			tslice y.npy --print=plain), of 1" \
			x.npy y.npy
		run -1 tcmp --json x.npy y.npy
		jq -e '.places[0].values | length == 2' <<<"$output"
	done <<'EOF'
|i1 \200 \1
>i2 \1\2 \2\1
<u8 \377\377\377\377\377\377\377\377 \0\0\0\0\0\0\0\0
<f2 \0\174 \0\74
<c8 \0\0\200\77\0\0\300\177 \0\0\200\77\0\0\200\77
|S5 a"\\bc bcd\0\0
<U2 a\0\0\0\351\0\0\0 \0\366\1\0\0\0\0\0
>U2 \0\0\0a\0\0\0b \0\0\0a\0\0\0c
<M8[s] \0\0\0\0\0\0\0\200 \1\0\0\0\0\0\0\0
|V3 abc abd
EOF
}

@test "a difference is one line whatever the strings hold" {
	printf 'a\nb\33[m\r\n\tc\377\0' | npy x.npy '|S6' '(2,)'
	printf 'a\nb\33[mp q\0\0\0' | npy y.npy '|S6' '(2,)'
	says 1 'x.npy y.npy differ: [1] "\x0d\x0a\x09c\xff" and "p q", of 2' \
		x.npy y.npy
	printf '\n\0\0\0.\40\0\0' | npy u.npy '<U2' '()'
	printf '\351\0\0\0\233\0\0\0' | npy w.npy '<U2' '()'
	says 1 'u.npy w.npy differ: [] "\x0a\u202e" and é\x9b, of 1' \
		u.npy w.npy
	# JSON has escapes of its own.
	run -1 tcmp --json u.npy w.npy
	same "$(jq -c '.places[0].values' <<<"$output")" \
		$'["\\"\\n\u202e\\"","é\u009b"]'
	printf 'a\nb\33\1' | npy r.npy "[('s', '|S4'), ('n', '|u1')]" '()'
	printf 'a\nb\33\2' | npy q.npy "[('s', '|S4'), ('n', '|u1')]" '()'
	says 1 'r.npy q.npy differ: [] "a\x0ab\x1b" 1 and "a\x0ab\x1b" 2, of 1' \
		r.npy q.npy
}

@test "-o: a file, which is empty where there is no difference" {
	arrays
	run -1 tcmp a.npy b.npy -o o
	same "$output" ''
	same "$(<o)" 'a.npy b.npy differ: [0, 1] 1 and 7, and 2 more of 12'
	tcmp a.npy a.npy -o o
	[ -f o ]
	[ ! -s o ]
	run -4 tcmp a.npy missing.npy -o p
	clean a.npy b.npy o
	fails 4 io tcmp a.npy b.npy -o o --no-clobber
	fails 2 usage tcmp a.npy b.npy -q -o o
	# An input that is also the output would grow while it is read.
	cp b.npy c.npy
	run -4 --separate-stderr sh -c 'tcmp a.npy c.npy >>c.npy'
	cmp b.npy c.npy
}

@test "standard input, once or twice, and what follows is left" {
	arrays
	cat b.npy a.npy | (
		run -1 tcmp a.npy -
		same "$output" \
			'a.npy - differ: [0, 1] 1 and 7, and 2 more of 12'
		tcmp - a.npy
	)
	cat a.npy b.npy a.npy | (
		run -1 tcmp - -
		same "$output" \
			'- - differ: [0, 1] 1 and 7, and 2 more of 12'
		cmp - a.npy
	)
	# In other orders, too.
	tslice b.npy --order F -o g.npy
	local first second
	for first in a.npy g.npy; do
		for second in g.npy b.npy; do
			cat $first $second a.npy | (
				tcmp -q - - || :
				cmp - a.npy
			)
			run tcmp <(cat $first) <(cat $second)
			same "${output##* differ: }" \
				"$(tcmp $first $second | sed 's/.* differ: //')"
		done
	done
}

@test "-q stops at the first difference, and --no-drain there" {
	tassign "$B" 0 --value 1 -o c.npy
	cat "$B" c.npy | (
		run -1 tcmp -q - c.npy
		cmp - c.npy
	)
	cat "$B" | (
		run -1 tcmp -q --no-drain - c.npy
		[ "$(wc -c)" -gt 8000000 ]
	)
	requires strace
	strace -f -qq -o log -e trace=read,pread64 tcmp -q -j 1 "$B" c.npy || :
	[ "$(grep -c pread64 log)" -lt 8 ]
}

@test "large arrays in any orders, with little memory, from pipes too" {
	tslice "$B" --reshape 512,2048 -o a.npy
	tassign a.npy 300,7 --value nan -o b.npy
	tassign b.npy 511,: --value 0 -o b.npy
	tslice a.npy --order F -o f.npy
	tslice b.npy --order F -o g.npy
	local want value options a b
	value=$(tslice a.npy 300,7 --print=plain)
	want="differ: [300, 7] $value and nan, and 2048 more of 1048576"
	for options in '-j 2' '--max-memory 1M'; do
		for a in a.npy f.npy; do
			# shellcheck disable=SC2086 # words
			tcmp $options $a a.npy
			for b in b.npy g.npy; do
				# shellcheck disable=SC2086
				run tcmp $options $a $b
				same "$output" "$a $b $want"
				# shellcheck disable=SC2086
				run tcmp $options <(cat $a) <(cat $b)
				same "${output#* * }" "$want"
			done
		done
	done
	run -1 --separate-stderr tcmp -v --max-memory 1M \
		<(cat a.npy) <(cat g.npy)
	has "$stderr" 'went through a temporary file'
}

# Of holes: read by pieces, be they pages, that would be thousands of calls.
@test "what stands in another order is mapped once, and large enough" {
	requires strace
	no_leak_check
	local nbytes=$((16 * 1024 * 1024)) options
	npy c.npy '<f4' '(2048, 2048)' </dev/null
	npy f.npy '<f4' '(2048, 2048)' F </dev/null
	truncate -s $((128 + nbytes)) c.npy f.npy
	for options in '' '-j 1' '--list 1000000'; do
		# shellcheck disable=SC2086 # words
		strace -f -qq -o log -e trace=read,pread64 \
			tcmp $options f.npy c.npy
		[ "$(grep -c pread64 log)" -lt 40 ]
	done
}

@test "in different orders, and with little memory, both are read twice at most" {
	requires strace
	no_leak_check
	head -c 8388608 /dev/zero | tslice raw:i4:512,4096:- -o a.npy
	tslice a.npy --order F -o f.npy
	strace -f -qq -o log -e trace=pread64 \
		tcmp -j 1 --max-memory 1M a.npy f.npy
	awk -F ' = ' '{ n += $NF }
		END { print n; exit n < 16777216 || n > 2 * 16777216 }' log
}

@test "members of archives, and one that is damaged" {
	requires numpy
	"$PYTHON" -c '
import numpy, sys
a = numpy.load(sys.argv[1])
numpy.savez("s.npz", a=a, b=a + (a == 5))
numpy.savez_compressed("d.npz", a=a, b=a + (a == 5))' "$A"
	says 0 '' s.npz:a d.npz:a
	says 1 's.npz:a d.npz:b differ: [1, 1] 5 and 6, of 12' \
		s.npz:a d.npz:b
	says 0 '' "$A" d.npz:a
	fails 3 npz_member tcmp s.npz "$A"
	fails 3 npz_member tcmp s.npz:c "$A"
	# One bit of the first member's last element.
	"$PYTHON" -c '
b = bytearray(open("s.npz", "rb").read())
b[b.index(b"\x0b\0\0\0")] ^= 1
open("s.npz", "wb").write(b)'
	fails 3 bad_archive tcmp s.npz:a d.npz:a
	fails 3 bad_archive tcmp d.npz:b s.npz:a
}

@test "what is wrong has a status of its own" {
	arrays
	run -2 --separate-stderr tcmp
	matches "$stderr" 'tcmp: usage: tcmp .*'
	fails 2 usage tcmp a.npy
	fails 2 usage tcmp a.npy b.npy a.npy
	fails 2 usage tcmp missing.npy b.npy --frobnicate
	fails 4 io tcmp missing.npy b.npy
	fails 4 io tcmp a.npy missing.npy -q
	head -c 150 b.npy >cut.npy
	fails 3 truncated_data tcmp a.npy cut.npy
	echo no array >no.npy
	fails 3 bad_magic tcmp no.npy a.npy
	run -4 --separate-stderr sh -c 'tcmp a.npy b.npy >/dev/full'
	has "$stderr" 'standard output'
	head -c 150 b.npy | (
		run -3 tcmp a.npy -
		run -3 tcmp - a.npy
	)
}

# answers CALL FAULT WANT ARGUMENT...: whichever CALL meets the fault, tcmp says
# WANT or fails; with $feed, that file comes by a pipe.
answers() {
	local call=$1 fault=$2 want=$3 n hits=0
	shift 3
	n=$(before_main "$call")
	while run --separate-stderr faulty "$call" "$fault:when=$((n += 1))" \
		-- tcmp -j 1 "$@" < <(cat "${feed:-/dev/null}" 2>/dev/null); injected; do
		hits=$((hits + 1))
		printf '%s %s: %s\n' "$call" "$n" "$status $output $stderr"
		case $status in
		1) same "${output#*: }" "$want" ;;
		4) same "$output" ''; matches "$stderr" 'tcmp: [^
]+' ;;
		*) false ;;
		esac
	done
	same "$status ${output#*: }" "1 $want"
	[ "$hits" -gt 2 ]
}

@test "what the system refuses is no answer" {
	local want other
	requires strace
	no_leak_check
	seq 300000 | head -c 1048576 | npy a.npy '<i4' '(512, 512)'
	tassign a.npy -1,-1 --value 0 -o b.npy
	tslice b.npy --order F -o g.npy
	want=$(tcmp a.npy b.npy || :)
	want=${want#*: }
	has "$want" 'and 0, of 262144'
	for other in b.npy g.npy; do
		answers pread64 error=EIO "$want" a.npy $other
	done
	feed=a.npy
	answers read error=EIO "$want" - b.npy
	# A sanitizer's own memory is what would be refused.
	[ "${TSLICE_MODE:-release}" != san ] || return 0
	answers mmap error=ENOMEM "$want" - b.npy
	feed=
	for other in b.npy g.npy; do
		answers mmap error=ENOMEM "$want" a.npy $other
	done
}

@test "names with control characters are shown with escapes" {
	arrays
	cp b.npy $'b\e[1m\n.npy'
	run -1 tcmp a.npy $'b\e[1m\n.npy'
	same "$output" \
		'a.npy b\x1b[1m\x0a.npy differ: [0, 1] 1 and 7, and 2 more of 12'
	run -1 tcmp --json a.npy $'b\e[1m\n.npy'
	same "$(jq .b <<<"$output")" '"b\u001b[1m\n.npy"'
	cp b.npy $'\377.npy'
	run -1 tcmp --json a.npy $'\377.npy'
	same "$(jq -r .differ <<<"$output")" elements
}
