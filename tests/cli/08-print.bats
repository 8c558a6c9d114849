#!/usr/bin/env bats
# --print: arrays as NumPy prints them.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2002 # a pipe is what is tested, cat is not useless

load helpers
load ops

# made EXPRESSION SPEC: NumPy makes an array of it, in.npy, and prints its slice
# into want.  One Python does so for all of a test: its start takes longer than
# all else.
made() {
	local answer
	if [ -z "${NUMPY_PID-}" ]; then
		coproc NUMPY {
			exec "${PYTHON:-python3}" -c '
import sys
import numpy as np
for line in sys.stdin:
    expression, spec = line.rstrip("\n").split("\t")
    a = np.array(eval(expression))
    np.save("in.npy", a)
    index = eval(f"np.s_[{spec},]")
    a = a[index if Ellipsis in index else index + (Ellipsis,)]
    with open("want", "w") as f:
        print(a, file=f)
    print("done", flush=True)' 2>/dev/null 3>&-
		}
	fi
	printf '%s\t%s\n' "${1//$'\n'/ }" "$2" >&"${NUMPY[1]}"
	read -r answer <&"${NUMPY[0]}"
	same "$answer" 'done'
}

# prints EXPRESSION [SPEC]: tslice must print its slice as NumPy does.
prints() {
	requires numpy
	made "$1" "${2:-...}"
	run -0 --separate-stderr tslice --print in.npy "${2:-...}"
	printf '%s\n' "$1"
	same "$output" "$(cat want)"
	same "$stderr" ''
}

# shows EXPRESSION TEXT: what NumPy 2.3 and later print, whichever there is.
shows() {
	made "$1" ...
	run -0 --separate-stderr tslice --print in.npy ...
	same "$output" "$2"
	same "$stderr" ''
}

@test "a small matrix, without NumPy to compare" {
	run -0 --separate-stderr tslice --print "$A" ...
	same "$output" '[[ 0  1  2  3]
 [ 4  5  6  7]
 [ 8  9 10 11]]'
	run -0 tslice --print "$A" 1,::2
	same "$output" '[4 6]'
	run -0 tslice --print "$A" 2,3
	same "$output" 11
	run -0 tslice --print "$A" :0
	same "$output" '[]'
}

@test "elements longer than memory, and bytes of no type" {
	x() {
		head -c 3000000 /dev/zero | tr '\0' x
	}
	{ x; printf 'y%.0s' {1..3000000}; } | npy s.npy '|S3000000' '(2,)'
	{ x; printf ' '; tail -c 3000000 s.npy; echo; } >want
	tslice s.npy --max-memory 1M --print=plain | cmp - want
	cat s.npy | tslice - --max-memory 1M --print=plain | cmp - want
	printf 'abcd\0\1\2\377' | npy v.npy '|V4' '(2,)'
	run -0 tslice v.npy --print=json
	same "$output" '["61626364","000102ff"]'
}

@test "integers" {
	prints 'np.arange(6)' ::-1
	prints 'np.array([[-100, 5], [0, 12345]], ">i4")'
	prints 'np.array([0, 2**64 - 1], "u8")'
	prints 'np.array([-2**63, 2**63 - 1])'
	prints 'np.array([-128, 127], "i1")'
	prints 'np.array(-7, "i2")'
}

@test "three dimensions and more" {
	prints 'np.arange(24).reshape(2, 3, 4)'
	prints 'np.arange(16).reshape(2, 2, 2, 2)' ::-1
	prints 'np.arange(3).reshape(1, 1, 3, 1)'
	prints 'np.arange(24).reshape(2, 3, 4).T.copy(order="F")'
}

@test "empty arrays" {
	prints 'np.zeros((0,))'
	prints 'np.zeros((0, 4))'
	prints 'np.zeros((2, 0))'
	prints 'np.zeros((2, 0, 3), "i4")'
}

@test "booleans" {
	prints 'np.array([True, False])'
	prints 'np.array([[True], [False]])'
	prints 'np.array(True)'
}

@test "floats: whole, short, long" {
	prints 'np.array([1.0, 2.0, -3.0])'
	prints 'np.array([0.5, 0.25, -1.125])'
	prints 'np.array([0.1, 1 / 3, 2 / 3])'
	prints 'np.array([np.pi, 100.5, -0.001])'
	prints 'np.array(0.1)'
	prints 'np.array([0.0, -0.0])'
}

@test "floats: very large, very small" {
	prints 'np.array([1e300, 1.0])'
	prints 'np.array([1e-5, 1.0])'
	prints 'np.array([1e16, 1e15])'
	prints 'np.array([1e8, 1.5])'
	prints 'np.array([123456789.0, 0.001])'
	prints 'np.array([5e-324, 1.7976931348623157e308])'
	prints 'np.array(1e23)'
}

@test "floats: not a number, infinite" {
	prints 'np.array([np.nan, 1.0])'
	prints 'np.array([np.inf, -np.inf, 0.5])'
	prints 'np.array([np.nan, np.nan])'
	prints 'np.array([[np.inf, 1.25], [np.nan, -10.0]])'
	prints 'np.array(np.nan)'
}

@test "single and half precision" {
	prints 'np.array([0.1, 1 / 3, 2.5], "f4")'
	prints 'np.array([0.1, 1 / 3, 2.5], "f2")'
	prints 'np.array([16777216, 1e-8], "f4")'
	prints 'np.array([0.1, 100], ">f4")'
	prints 'np.array(0.1, "f4")'
}

@test "random floats" {
	prints 'np.random.default_rng(1).normal(size=(4, 3))'
	prints 'np.random.default_rng(2).normal(size=7) * 1000'
	prints 'np.random.default_rng(3).normal(size=5).astype("f4")'
	prints '10.0 ** np.random.default_rng(4).integers(-9, 9, 6)'
}

@test "byte strings and text" {
	prints 'np.array([b"abc", b"d"])'
	prints 'np.array(["abc", "d"])'
	prints 'np.array(["it'"'"'s", "\"q\""])'
	prints 'np.array([["x", "yy"], ["zzz", ""]])'
	prints 'np.array([b"\x00\xff", b"\n"])'
	prints 'np.array(["\u00e9\u4e2d", "a\nb"])'
	prints 'np.array("abc")'
}

@test "long rows are folded" {
	prints 'np.arange(100)'
	prints 'np.arange(90).reshape(3, 30)'
	prints 'np.arange(60) / 8'
	prints 'np.array(["word"] * 30)'
}

@test "large arrays are abridged" {
	prints 'np.arange(1000)'
	prints 'np.arange(1001)'
	prints 'np.arange(5000).reshape(50, 100)'
	prints 'np.arange(20000).reshape(2, 100, 100)'
	prints 'np.arange(1500).reshape(3, 500)'
	prints 'np.arange(2000) / 4'
}

@test "with -o the text goes to the file" {
	run -0 --separate-stderr tslice --print "$A" 1 -o text
	same "$output$stderr" ''
	same "$(cat text)" '[4 5 6 7]'
	clean text
}

@test "what older versions of NumPy print otherwise" {
	requires numpy
	shows 'np.array(b"abc")' "np.bytes_(b'abc')"
	shows 'np.array([33554436, 99999992], "f4")' \
		'[3.3554436e+07 9.9999992e+07]'
	shows 'np.array([999999, 0.5], "f4")' '[9.99999e+05 5.00000e-01]'
	shows 'np.array([999999, 5000], "f4")' '[999999.   5000.]'
	shows 'np.array([1e6], "f4")' '[1.e+06]'
	shows 'np.array(1e6, "f4")' '1e+06'
	shows 'np.array([999, 512], "f2")' '[999. 512.]'
	shows 'np.array(65504, "f2")' '6.55e+04'
	shows 'np.array([65504], "f2")' '[6.55e+04]'
	shows 'np.array([0.0001, 0.01], "f4")' '[0.0001 0.01  ]'
	shows 'np.array((1, 2.5), "f8,f4")' '(1.0, 2.5)'
	shows 'np.zeros(1, [("a", "i1", 1001)])' '[([0, 0, 0, ..., 0, 0, 0],)]'
}

@test "dates and times" {
	prints 'np.array(["2026-11-22", "NaT", "0001-01-01"], "M8[D]")'
	prints 'np.array(["1969-12-31T23:59:59.999"], "M8[ms]")'
	prints 'np.array("2026-11-22T05", "M8[h]")'
	prints 'np.array([5, -3], "m8[s]")'
	prints 'np.array(5, "m8[25s]")'
	prints 'np.array(["NaT", 1], "m8[D]")'
	prints 'np.array("NaT", ">M8[D]")'
	# NumPy itself does not show this one.
	printf '\7\0\0\0\0\0\0\0' | npy generic.npy '<M8' '(1,)'
	run -0 tslice generic.npy ... --print
	same "$output" "['7']"
}

@test "structured elements" {
	prints 'np.array([(1, 2.5, "x"), (-10, 0.125, "")], "i4,f8,U2")'
	prints 'np.zeros(2, [("a", "?"), ("b", [("c", "c8"), ("d", "S2", 2)])])'
	prints 'np.zeros((2, 2), [("m", "f4", (2, 3)), ("t", "M8[D]")])'
	prints 'np.zeros(3, "i4,")'
	prints 'np.zeros(2, [])'
	prints 'np.zeros(3, np.dtype("u1,f8,i2", align=True))'
	prints 'np.ones(2000, "u1,i2")'
}

@test "with =full nothing is left out, and --precision is NumPy's" {
	requires numpy
	"${PYTHON:-python3}" - >want <<-'END'
	import sys
	import numpy as np
	a = np.sqrt(np.arange(100000)).reshape(50, 2000)
	np.save("a.npy", a)
	np.save("f.npy", np.asfortranarray(a))
	np.set_printoptions(threshold=sys.maxsize, precision=3)
	print(a)
	END
	tslice a.npy ... --print=full --precision 3 >got
	cmp want got
	tslice f.npy ... --print=full --precision 3 >got
	cmp want got
	tslice - ::-1 <a.npy | tslice - ::-1 --print=full --precision 3 >got
	cmp want got
	tslice --max-memory 1M a.npy --print=full --precision 3 | tail -n +2 >got
	cmp want got
	tslice "$A" --print=numpy ... >got
	tslice "$A" --print ... | cmp - got
}

@test "a form or a precision that there is not is refused" {
	refuses 2 usage "$A" --print=html
	has "$(jq -r .error.message <<<"$stderr")" "not 'html'"
	refuses 2 syntax "$A" --print --precision -1
	refuses 2 syntax "$A" --print --precision 1.5
	refuses 2 syntax "$A" --print --precision ''
}

@test "void is shown byte by byte" {
	printf '\246\271?' | npy v.npy '|V3' '(1,)'
	run -0 tslice v.npy --print ...
	same "$output" "[b'\\xA6\\xB9\\x3F']"
}

@test "control characters of a lone string do not reach a terminal" {
	printf '\033\0\0\0]\0\0\0' | npy esc.npy '<U2' '()'
	run -0 tslice esc.npy ... --print
	same "$output" '\x1b]'
}

@test "more text than anybody reads is refused, and quickly" {
	npy many.npy '|S0' "($(printf '6,%.0s' $(seq 24)))" </dev/null
	run -3 --separate-stderr timeout 5 tslice many.npy ... --print
	has "$stderr" 'more elements than anybody would read'
}

# Runs a command with a terminal, and not a pipe, as standard output.
on_terminal() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/onpty.py" "$@"
}

@test "a terminal is shown text without --print" {
	requires pty
	run -0 on_terminal tslice "$A" 1
	same "$output" '[4 5 6 7]'
}

@test "without a slice, shape and dtype come first" {
	run -0 --separate-stderr tslice --print "$A"
	same "$stderr" ''
	same "$output" '(3, 4)  <i4
[[ 0  1  2  3]
 [ 4  5  6  7]
 [ 8  9 10 11]]'
	tslice "$A" --print -o text
	same "$(cat text)" "$output"
	printf '\1\2' | npy r.npy "[('a', '|i1')]" '(2,)'
	run -0 tslice --print r.npy
	same "${lines[0]}" "(2,)  [('a', '|i1')]"
	run -0 tslice --all --print - < <(cat "$A" r.npy)
	same "$(grep -c '^(' <<<"$output")" 2
	npy e.npy '>f8' '(0, 2)' </dev/null
	run -0 tslice --print e.npy
	same "$output" $'(0, 2)  >f8\n[]'
}

@test "with a slice, or vectors, only the elements are printed" {
	run -0 tslice --print "$A" ...
	same "${lines[0]}" '[[ 0  1  2  3]'
	run -0 tslice --print "$A" --begin 0 --end 1
	same "$output" '[[0 1 2 3]]'
	run -0 tgather --print "$A" - < <(le32 1 | npy /dev/stdout '<i4' '(1,)')
	same "$output" '[4 5 6 7]'
}

@test "a terminal is shown shape, dtype and the array" {
	requires pty
	run -0 on_terminal tslice "$A"
	same "${lines[0]}" '(3, 4)  <i4'
	same "${#lines[@]}" 4
	on_terminal tslice "$A" -o - >got
	cmp got "$A"
}

@test "a terminal is sent bytes with -o -" {
	requires pty
	le32 4 5 6 7 | npy want '<i4' '(4,)'
	on_terminal tslice "$A" 1 -o - >got
	cmp got want
}
