#!/usr/bin/env bats
# tparse: shapes, types, what is refused and how it is said, streams and files.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless
# shellcheck disable=SC2059 # the formats are texts, with their line ends

load helpers
load ops

# parsed TEXT ARGUMENT...: the JSON of what tparse makes of it.
parsed() {
	printf -- "$1" | tparse "${@:2}" --print=json
}

# shape_of TEXT ARGUMENT...: shape and dtype.
shape_of() {
	printf -- "$1" | tparse "${@:2}" -o shape.npy && tshape -l shape.npy
}

# refused LINE KIND TEXT ARGUMENT...: status 3, the line named, nothing written.
refused() {
	run -3 --separate-stderr tparse --json "${@:4}" -o o.npy < <(printf "$3")
	same "$(jq -r .error.kind <<<"$stderr")" "$2"
	has "$(jq -r .error.message <<<"$stderr")" "line $1: "
	[ ! -e o.npy ]
}

@test "rows and columns, by what divides the first row" {
	same "$(parsed '1 2\n3 4\n')" '[[1,2],[3,4]]'
	same "$(parsed '1,2\n 3 , 4 \n')" '[[1,2],[3,4]]'
	same "$(parsed '1\t2\n3\t4')" '[[1,2],[3,4]]'
	same "$(parsed '1|2\n3|4\n' --delimiter '|')" '[[1,2],[3,4]]'
	same "$(parsed ' 1   2 \n3\t4\n' --delimiter blank)" '[[1,2],[3,4]]'
	same "$(parsed '# x,y\n\n1 2 # one, two\r\n\r\n3 4\r\n')" \
		'[[1,2],[3,4]]'
	same "$(parsed '\357\273\277a,b\n1,2\n' --skip 1)" '[1,2]'
}

@test "one row, one column, one number, none" {
	same "$(parsed '1 2 3\n')" '[1,2,3]'
	same "$(parsed '1\n2\n')" '[1,2]'
	same "$(parsed '1\n2\n' --ndmin 2)" '[[1],[2]]'
	same "$(parsed '1 2\n' --ndmin=2)" '[[1,2]]'
	same "$(parsed '7')" '[7]'
	same "$(parsed '7' --reshape '')" 7
	same "$(shape_of '')" '(0,)  <f8  C  0'
	same "$(shape_of '# 1\n' -d i2)" '(0,)  <i2  C  0'
	same "$(seq 6 | tparse --reshape -1,2 --print=json)" \
		'[[1,2],[3,4],[5,6]]'
	same "$(seq 4 | tparse --reshape 2,2 --order F -o f.npy &&
		tshape -l f.npy)" '(2, 2)  <i8  F  32'
}

@test "numbers end where they end" {
	same "$(parsed '1 -2\t+3  12345678\r\n4 5 6 7#8\n' -d i8 \
		--delimiter blank)" \
		'[[1,-2,3,12345678],[4,5,6,7]]'
	same "$(parsed '1, -2,\t3 ,004\r\n-0,1234567,+1,5 # 2\n' -d i4)" \
		'[[1,-2,3,4],[0,1234567,1,5]]'
	same "$(parsed '1\t2\r\n3\t 4' -d u1 --delimiter "$(printf '\t')")" \
		'[[1,2],[3,4]]'
	same "$(parsed '255;0000000000000000000000000255' -d u1 --delimiter ';')" \
		'[255,255]'
	same "$(parsed '-128 127\n' -d i1)" '[-128,127]'
	same "$(parsed '1.5e3,-.5,2.,"7",inf\n' -d f4)" \
		'[1500.0,-0.5,2.0,7.0,null]'
	for text in 256 -1 300000000 99999999999999999999 - + 1- 1_0 1.; do
		refused 2 bad_value "1 2\n1 $text\n" -d u1
	done
	same "$(printf 'inf -inf nan -0.5\n' | tparse -d f16 --print=plain)" \
		'inf -inf nan -0.5'
	refused 1 bad_value '1,2,\n' -d i4
	refused 1 bad_value '1,,2\n' -d f8
	refused 1 bad_value '1 .\n' -d f8
	refused 1 bad_value '1.2.3 1\n' -d f8
	refused 1 bad_value '1\r2\n' -d i4
}

@test "blanks are part of text where something else divides it" {
	same "$(parsed 'x, ba \n' -d U)" '["x"," ba "]'
	same "$(parsed ' x;  ;\ty\n' -d S4 --delimiter ';')" \
		'[" x","  ","\u0009y"]'
	same "$(parsed ' 1 , a\n2 ,b \n' -d "[('n','i4'),('s','U2')]")" \
		'[{"n":1,"s":" a"},{"n":2,"s":"b "}]'
	same "$(shape_of 'x, ba \n' -d U)" '(2,)  <U4  C  32'
	tparse -d U2 -o a.npy < <(printf ' a\nb \n') --delimiter ,
	tslice a.npy --print=csv | tparse -d U2 --delimiter , | cmp - a.npy
}

@test "a delimiter that numbers may have ends them" {
	same "$(parsed '192.168.0.1\n10.0.0.7\n' -d f4 --delimiter .)" \
		'[[192.0,168.0,0.0,1.0],[10.0,0.0,0.0,7.0]]'
	same "$(parsed '1.2\n3.4e1\n' --delimiter .)" '[[1.0,2.0],[3.0,40.0]]'
	same "$(parsed '1e2\n' --delimiter e)" '[1,2]'
	same "$(parsed '1-2\n' --delimiter - -d i1)" '[1,2]'
	same "$(parsed '102\n' --delimiter 0)" '[1,2]'
	refused 1 bad_value '1--2\n' --delimiter - -d i1
}

@test "a blank is what divides cells, or any number of them is" {
	same "$(parsed 'a  b\n' -d U --delimiter ' ')" '["a","","b"]'
	same "$(parsed 'a  b\n' -d U --delimiter blank)" '["a","b"]'
	same "$(parsed '1 \t2\t\n' --delimiter ' ')" '[1,2]'
	refused 1 bad_value '1  2\n' --delimiter ' '
	refused 2 bad_value '1 2\n3 4 \n' --delimiter ' ' -d f4
	refused 1 bad_value '1\t2\n' --delimiter ' '
	seq 100000 | paste -d ' ' - - - - >in.txt
	for type in i4 u8 f4 f8; do
		tparse in.txt -d $type --delimiter blank --skip 100 -o a.npy
		tparse in.txt -d $type --delimiter ' ' --skip 100 | cmp - a.npy
	done
}

@test "tabs in front of a row divide nothing" {
	same "$(parsed '\t1 2\n')" '[1,2]'
	same "$(parsed '\t1\n\t2\n')" '[1,2]'
	same "$(parsed '  \t1 2\n')" '[1,2]'
	same "$(parsed '\tx\n\ty\n' -d U)" '["x","y"]'
	same "$(parsed '\tx\ty\n' -d U)" '["","x","y"]'
}

@test "integers as long as all are, however late one is none" {
	same "$(shape_of '1\n-2\n+3\n')" '(3,)  <i8  C  24'
	same "$(shape_of '1\n2\n3e0\n')" '(3,)  <f8  C  24'
	same "$(shape_of '9223372036854775808\n')" '(1,)  <f8  C  8'
	same "$(parsed '-0\n0.5\n')" '[-0.0,0.5]'
	(seq 300000 && echo 0.5) >late.txt
	tparse late.txt -o a.npy
	tparse -o b.npy <late.txt
	tparse < <(cat late.txt) | cmp - a.npy
	tparse late.txt -d f8 -o c.npy
	cmp a.npy b.npy
	cmp a.npy c.npy
	same "$(tslice a.npy -2: --print=json)" '[300000.0,0.5]'
}

@test "types" {
	same "$(parsed 'true 0 False 1' -d '?')" '[true,false,false,true]'
	same "$(parsed '18446744073709551615' -d u8)" '[18446744073709551615]'
	same "$(parsed '1+2j 3 -j' -d complex64)" \
		'[[1.0,2.0],[3.0,0.0],[0.0,-1.0]]'
	same "$(parsed '2020-02-29 NaT 2021' -d 'M8[D]')" \
		'["2020-02-29",null,"2021-01-01"]'
	same "$(parsed '5 NaT' -d 'm8[25s]')" '[5,null]'
	same "$(parsed 'a,"b ""c"", d"\n"",e\n' -d U)" \
		'[["a","b \"c\", d"],["","e"]]'
	same "$(shape_of 'a,bcd,é\n' -d U)" '(3,)  <U3  C  36'
	same "$(shape_of 'a,bcd,é\n' -d '>S')" '(3,)  |S3  C  9'
	same "$(parsed '1 x 2 3\n' -d "[('i','u1'),('s','S2'),('v','f4',(2,))]")" \
		'[{"i":1,"s":"x","v":[2.0,3.0]}]'
}

@test "a byte order, and a field" {
	same "$(shape_of '1 2\n' --byte-order big)" '(2,)  >i8  C  16'
	same "$(shape_of '1 2.5\n' --byte-order=big)" '(2,)  >f8  C  16'
	same "$(shape_of '1 2\n' -d '>i2' --byte-order little)" '(2,)  <i2  C  4'
	same "$(shape_of 'ab,c\n' -d U --byte-order big)" '(2,)  >U2  C  16'
	local fields="[('i','<i2'),('s','S2'),('v','f4',(2,))]"
	printf '1 x 2 3\n4 y 5 6\n' >in.txt
	tparse in.txt -d "$fields" --byte-order big -o a.npy
	tparse in.txt -d "$fields" | tslice - --byte-order big | cmp - a.npy
	same "$(tslice a.npy --field v --print=json)" '[[2.0,3.0],[5.0,6.0]]'
	for f in i s v; do
		tparse in.txt -d "$fields" --field $f --byte-order big -o f.npy
		tslice a.npy --field $f | cmp - f.npy
	done
	same "$(parsed '1 x 2 3\n' -d "$fields" --field s)" '["x"]'
	fails 3 no_field tparse missing.txt -d "$fields" --field x
	fails 3 no_field tparse missing.txt --field x
}

@test "what the command line alone has wrong is found before any file" {
	fails 2 syntax tparse missing.txt -d zz
	fails 2 syntax tparse missing.txt -d V4
	fails 2 syntax tparse missing.txt -d O
	fails 2 syntax tparse missing.txt -d 'M8'
	fails 2 syntax tparse missing.txt -d "[('a','<i4'"
	fails 2 syntax tparse missing.txt -d "[('a','<i4')] 1"
	fails 2 syntax tparse missing.txt -d ''
	fails 2 syntax tparse missing.txt --delimiter ''
	fails 2 syntax tparse missing.txt --delimiter ab
	fails 2 syntax tparse missing.txt --delimiter '#'
	fails 2 syntax tparse missing.txt --skip -1
	fails 2 syntax tparse missing.txt --ndmin 3
	fails 2 syntax tparse missing.txt --reshape 1,,2
	fails 2 usage tparse missing.txt other.txt
	fails 4 io tparse missing.txt
	fails 4 io tparse .
}

@test "what is wrong in the text is told with its line" {
	refused 2 bad_value '1 2 3\n1 2 x\n'
	refused 1 bad_value '1,,3\n'
	refused 3 bad_value 'x\n#\n300\n' --skip 1 -d u1
	refused 1 bad_value '1+2j\n'
	refused 1 bad_value '0x10\n' -d f8
	refused 1 bad_value '1 2\0 3\n'
	refused 2 bad_value 'a\nabc\n' -d U2
	refused 1 bad_value '\377\n' -d U2
	refused 2 bad_value 'a,b\n"c,d\n' -d U2
	refused 2 bad_value '2020\n2020-01-02T03\n' -d 'M8[D]'
	refused 2 bad_value '"a"\n"b"c\n' -d U3
	refused 2 shape_mismatch '1 2\n3\n'
	refused 4 shape_mismatch '1 2\n\n# c\n3 4 5\n'
	refused 2 shape_mismatch '1 2\n3 4 5\n' -d "[('a','i4'),('b','f8')]"
	run -3 --separate-stderr tparse --json --reshape 5,-1 < <(seq 24)
	has "$stderr" '"kind":"bad_reshape"'
}

@test "a type in a message is as NumPy writes it, with its unit" {
	local type
	for type in '<M8[D]' '<m8[25s]' '<f4' '|u1' '<U2' '|S1' '>i2'; do
		refused 1 bad_value '2020-13-01\n' -d "$type"
		has "$stderr" "is not a value of type $type\""
	done
}

@test "what is no date, and no type" {
	for text in 2020-13 2020-02-30 2020-1-1 202 2020-01-01T24 \
		2020-01-01T00:60 2020-01-01T00:00:60 2020-01-01T00:00:00. \
		2020-01-01Tx 99999999999999999999 9999999999999 2020-01-01x \
		2020-01-01T00:00:00.0000000000000000001 9223372036854775808; do
		refused 2 bad_value "2020\n$text\n" --delimiter=, -d 'M8[us]'
	done
	same "$(parsed '2020-01\n-0044-03-15 06:07:08.25\n' --delimiter=, \
		-d 'datetime64[ms]')" \
		'["2020-01-01T00:00:00.000","-044-03-15T06:07:08.250"]'
	same "$(shape_of '5\n' -d 'timedelta64[s]')" '(1,)  <m8[s]  C  8'
	same "$(shape_of 'a\n' -d str)" '(1,)  <U1  C  4'
	same "$(shape_of 'a\n' -d bytes)" '(1,)  |S1  C  1'
	same "$(shape_of '""\n' -d U)" '(1,)  <U1  C  4'
	refused 1 bad_value '\377\n' -d U
	refused 1 bad_value '"a"b,c\n' -d U
	fails 2 syntax tparse missing.txt -d "[('a','i4',(100000000,))]"
	has "$stderr" 'too many columns'
	fails 2 syntax tparse missing.txt -d "[('a','i4',(0,))]"
	has "$stderr" 'no bytes'
}

# ragged LINE CELLS ARGUMENT...: a row of standard input has so many cells.
ragged() {
	run -3 --separate-stderr tparse "${@:3}" -o o.npy
	has "$stderr" "line $1: the row has $2 cells, where there should be "
	[ ! -e o.npy ]
}

@test "rows of other lengths, where a chunk begins or a row is in several" {
	local threads
	for threads in 1 3; do
		# A chunk is 512 KiB.
		ragged 131073 3 -d u1 -j$threads < <(yes '1 2' |
			head -n 131072; echo 1 2 3)
		ragged 2 300000 -j$threads --max-memory 1M < <(echo 1 2
			seq 300000 | tr '\n' ' '; echo; echo 1 2)
		ragged 2 2 -j$threads --max-memory 1M < <(seq 300000 |
			tr '\n' ' '; echo; echo 1 2)
		ragged 2 300000 -j$threads --max-memory 1M < <(echo 1 2
			seq 300000 | tr '\n' ' ')
	done
}

# zeros COUNT: that many characters.
zeros() {
	head -c "$1" /dev/zero | tr '\0' 0
}

@test "a delimiter that a text ends in has an empty cell behind it" {
	local size delimiter
	refused 1 bad_value '1,2,'
	for size in 16384 65536 524288 1048576; do
		for delimiter in ',' ' '; do
			yes "1$delimiter" | tr -d '\n' | head -c $size >line.txt
			run -3 --separate-stderr tparse line.txt -o o.npy \
				--delimiter "$delimiter" --max-memory 4M
			has "$stderr" "line 1: '' is not a number"
		done
		tparse line.txt --delimiter blank -o o.npy
		same "$(tshape o.npy)" "($((size / 2)),)"
		rm o.npy
	done
}

@test "comments, lines and what is skipped, longer than a chunk" {
	{ echo "#$(zeros 3000000)"; echo "1, 2 # $(zeros 3000000),3"
	  echo 3,4; } >long.txt
	tparse --delimiter=, --max-memory 1M long.txt -o o.npy
	same "$(tslice o.npy --print=json)" '[[1,2],[3,4]]'
	cat long.txt | tparse --delimiter=, --max-memory 1M | cmp - o.npy
	{ echo "#$(zeros 300000)"; seq 300000; } >long.txt
	tparse --max-memory 1M --skip 200001 long.txt -o o.npy
	seq 200001 300000 | tparse | cmp - o.npy
	tparse --max-memory 1M long.txt --skip 300001 -o o.npy
	same "$(tshape -l o.npy)" '(0,)  <f8  C  0'
	fails 4 memory tparse -d S --max-memory 1M < <(zeros 3000000)
	has "$stderr" 'the line is longer'
}

@test "a stream that is gone through twice, and longer than memory" {
	(seq 300000 && echo 0.5) >late.txt
	tparse late.txt -o a.npy
	cat late.txt | tparse --max-memory 1M | cmp - a.npy
}

@test "a header that comes out longer than it was taken to be" {
	local ones
	ones=$(printf '1,%.0s' {1..20})
	seq 100000 | tparse --reshape "$ones-1" -o o.npy
	same "$(tshape o.npy)" "(${ones//,/, }100000)"
	tslice o.npy --reshape -1 | cmp - <(seq 100000 | tparse)
	seq 100000 | tparse --reshape "$ones-1" | cmp - o.npy
}

@test "a mark stands under the cell" {
	run -3 --separate-stderr tparse -d i4 < <(printf '1 2\n3 four # 4\n')
	same "$output" ''
	same "$stderr" "tparse: standard input: line 2: 'four' is not a value of type <i4
  3 four # 4
    ^^^^"
	run -3 --separate-stderr tparse < <(printf '1 2\r\n3 x\r\n')
	same "$stderr" "tparse: standard input: line 2: 'x' is not a number
  3 x
    ^"
	run -3 --separate-stderr tparse -d i4 \
		< <(printf 1; printf 'é%.0s' {1..60})
	has "$stderr" '\xc3\xa9...'"' is not a value"
	run -3 --separate-stderr tparse --json -d U1 < <(printf 'é,ab\n')
	same "$(jq -c '.error | [.column, .length]' <<<"$stderr")" '[3,2]'
}

@test "a result appears whole or not at all" {
	cp "$OLD" o.npy
	run -3 tparse -o o.npy < <(seq 300000; echo x)
	cmp "$OLD" o.npy
	run -4 tparse --no-clobber -o o.npy < <(seq 3)
	cmp "$OLD" o.npy
	clean o.npy
	seq 3 >in.txt
	tparse in.txt -o in.txt
	same "$(tslice in.txt --print=json)" '[1,2,3]'
	seq 3 >in.txt
	run -4 sh -c 'tparse in.txt >>in.txt'
	same "$(cat in.txt)" "$(seq 3)"
}

@test "-v says what became of the text" {
	run -0 --separate-stderr tparse -v -j 1 -o o.npy < <(printf '1 2\n3 4\n')
	same "$stderr" 'tparse: 2 rows of 2 cells, by 1 thread'
	run -0 --separate-stderr tparse -v -j 1 -o o.npy < <(echo 1.5)
	same "$stderr" 'tparse: 1 row of 1 cell, by 1 thread, gone through twice'
	run -0 --separate-stderr tparse -v -q -o o.npy < <(echo 1)
	same "$stderr" ''
}

@test "standard input is read from where it stands, to its end" {
	(seq 3 && seq 10 12) >in.txt
	(read -r _ && tparse -o o.npy && cat) <in.txt >rest
	same "$(tslice o.npy --print=json)" '[2,3,10,11,12]'
	[ ! -s rest ]
}

@test "several threads, little memory, long lines" {
	seq 400000 | tr '\n' ' ' >row.txt
	tparse -j3 --max-memory 1M row.txt -o a.npy
	tparse -j1 row.txt -o b.npy
	seq 400000 | tparse -o c.npy
	cmp a.npy b.npy
	cmp a.npy c.npy
	seq 400000 | paste -sd '    \n' - | tparse -j4 --max-memory 1M -o d.npy
	same "$(tshape d.npy)" '(80000, 5)'
	tslice d.npy --reshape -1 | cmp - a.npy
}

@test "parts are those of one process" {
	seq 100000 >in.txt
	tparse in.txt -o a.npy
	tparse in.txt --part 2/2 -o b.npy
	tparse in.txt --part 1/2 -o b.npy
	cmp a.npy b.npy
	run -2 --separate-stderr tparse --part 1/2 -o b.npy <in.txt
}

@test "as JSON: null, pairs, text, and nothing but one line" {
	same "$(parsed 'nan -inf 1e400 0.1' -d f8)" '[null,null,null,0.1]'
	same "$(parsed '0.1' -d f4)" '[0.10000000149011612]'
	same "$(parsed '0.125 2' -d f4 --precision 1)" '[0.1,2.0]'
	same "$(printf 'a\\\n"b"\n' | tparse -d S4 --delimiter=, --print=json)" \
		'["a\\","b"]'
	same "$(parsed '\033\360\237\230\200\363\240\200\201\n' -d U4)" \
		'["\u001b😀\udb40\udc01"]'
	seq 300000 | tparse --reshape 3,-1,2 -o a.npy
	tslice a.npy --print=json | jq -c '[length, (.[2] | length), .[1][0]]' >got
	same "$(cat got)" '[3,50000,[100001,100002]]'
	same "$(tslice a.npy ':, :0' --print=json)" '[[],[],[]]'
}

@test "who says --json to a terminal is told of the other" {
	requires pty
	run -0 "${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/onpty.py" \
		tslice "$A" 0 --json
	has "$output" --print=json
}

@test "behind a last line without a newline there are no more rows" {
	local n
	for n in 90001 131072 150000 200000; do
		{
			printf '1.5 2.5 %.0s' $(seq $((n % 7 + 1)))
			echo
			yes "$(printf '1.5 2.5 %.0s' $(seq $((n % 7 + 1))))" |
				head -n "$n"
			printf '1.5 2.5 %.0s' $(seq $((n % 7 + 1)))
		} >t.txt
		cat t.txt | tparse -d f8 -o a.npy
		same "$(tshape a.npy)" "($((n + 2)), $((n % 7 * 2 + 2)))"
		tparse -d f8 t.txt -j 1 -o a.npy
		same "$(tshape a.npy)" "($((n + 2)), $((n % 7 * 2 + 2)))"
	done
}
