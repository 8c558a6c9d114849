#!/usr/bin/env bats
# What a file holds never reaches a terminal as anything but text: controls,
# and what turns or hides text, are shown by their numbers.
# shellcheck disable=SC2030,SC2031 # a function called in a test sees its output
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops

odd() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/odd.py" "$@"
}

# framed HEADER [ITEMS]: x.npy has that header text, as odd.py reads it.
framed() {
	odd file x.npy "$@"
}

@test "names of fields in facts" {
	odd harmless "{'descr': [('ODD', '<i2')], 'fortran_order': False, 'shape': (2,), }" \
		'\x01\x00\x02\x00' \
		'tshape -l x.npy' 'tslice --explain x.npy 0'
}

@test "names of fields in what is refused" {
	odd harmless "{'descr': [('ODD', '<i2'), ('ODD', '<i2')], 'fortran_order': False, 'shape': (2,), }" \
		'' 'tslice x.npy 0' 'tshape x.npy'
}

@test "keys, types and values in what is refused" {
	odd harmless "{'ODD': 1}" '' 'tslice x.npy 0'
	odd harmless "{'descr': 'ODD', 'fortran_order': False, 'shape': (2,), }" \
		'' 'tslice x.npy 0'
	odd harmless "{'descr': '<i4', 'fortran_order': ODD, 'shape': (2,), }" \
		'' 'tslice x.npy 0'
	odd harmless 'ODD' '' 'tshape x.npy'
}

@test "headers of version 1 with bytes of every value" {
	"${PYTHON:-python3}" - <<-'END'
	import re, subprocess
	for byte in [*range(32), *range(127, 161), 173, 255]:
	    text = b"{'descr': '<i4%c', 'fortran_order': 0}" % byte
	    p = subprocess.run(["tslice", "-", "0"], capture_output=True,
	                       input=b"\x93NUMPY\1\0"
	                       + len(text).to_bytes(2, "little") + text)
	    said = p.stderr.decode()
	    assert p.returncode == 3 and said, (byte, p)
	    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f]", said), (byte, p)
	END
}

@test "dtypes that do not go together" {
	ints d.npy '(2,)' 1 2
	odd harmless "{'descr': [('ODD', '<i2')], 'fortran_order': False, 'shape': (2, 2), }" \
		'\x01\x00\x02\x00\x01\x00\x02\x00' 'tsetdiag x.npy d.npy'
}

# says_nothing_odd COMMAND...: it speaks, and its words are text.
says_nothing_odd() {
	"$@" >../out 2>&1 || :
	[ -s ../out ]
	run -1 grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' \
		../out
}

@test "magic bytes and data that are text" {
	printf '\e[31mred\e[0m' >x.npy
	says_nothing_odd tslice x.npy 0
	printf '\223NUMPY\2\0\12\0\0\0\e]0;title\a\n' >x.npy
	says_nothing_odd tslice x.npy 0
}

# printed ITEMS BOTH FIRST: two '<U4' elements, together and the first alone.
printed() {
	framed "{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }" \
		"$1"
	run -0 tslice --print x.npy ...
	same "$output" "$2"
	run -0 tslice --print x.npy 0
	same "$output" "$3"
}

@test "strings in an array: controls by their numbers" {
	printed 'a\0\0\0\x1b\0\0\0b\0\0\0\0\0\0\0\x7f\0\0\0\x9b\0\0\0\n\0\0\0\0\0\0\0' \
		"['a\\x1bb' '\\x7f\\x9b\\n']" 'a\x1bb'
}

@test "strings in an array: what turns text by its numbers" {
	printed '\x2e\x20\0\0a\0\0\0\x66\x20\0\0\0\0\0\0\x0f\x20\0\0\xff\xfe\0\0\x41\0\x0e\0\0\0\0\0' \
		"['\\u202ea\\u2066' '\\u200f\\ufeff\\U000e0041']" '\u202ea\u2066'
}

@test "strings in an array: code points that are none" {
	printed '\0\xd8\0\0\xff\xff\x10\0\0\0\x11\0\0\0\0\0\xff\xff\xff\xff\xfe\xff\0\0\0\0\0\0\0\0\0\0' \
		"['\\ud800\\U0010ffff\\U00110000' '\\Uffffffff\\ufffe']" \
		'\ud800\U0010ffff\U00110000'
}

@test "strings in an array: letters of other scripts stay as they are" {
	printed '\xe9\0\0\0\x29\x6e\0\0\x00\xf6\x01\0\0\0\0\0\x41\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0' \
		"['é温😀' 'с']" 'é温😀'
}

@test "strings of bytes: everything but ASCII by its number" {
	framed "{'descr': '|S6', 'fortran_order': False, 'shape': (2,), }" \
		'\x1b[1m\x7f\x80a\xc2\x9b\xe2\x80\xae'
	run -0 tslice --print x.npy ...
	same "$output" "[b'\\x1b[1m\\x7f\\x80' b'a\\xc2\\x9b\\xe2\\x80\\xae']"
	run -0 tslice --print x.npy 1
	same "$output" "np.bytes_(b'a\\xc2\\x9b\\xe2\\x80\\xae')"
}

@test "every code point is shown as Python shows it, or not assigned" {
	requires numpy
	"${PYTHON:-python3}" - <<-'END'
	import numpy as np, subprocess, unicodedata
	points = [c for c in range(1, 0x110000) if not 0xd800 <= c < 0xe000]
	wide = 2048
	rows = [points[i:i + wide] for i in range(0, len(points), wide)]
	a = np.array(["".join(map(chr, r)) for r in rows], f"<U{wide}")
	np.save("x.npy", a)
	got = subprocess.run(["tslice", "--print", "x.npy", "..."], check=True,
	                     capture_output=True).stdout.decode()[1:-2]
	assert "\x1b" not in got
	# Both texts are walked side by side; only what is not assigned may differ.
	at, escaped = 0, 0
	for row in rows:
	    at += got[at] in " \n"
	    at += got[at] in " \n"
	    quote = got[at]
	    at += 1
	    for c in row:
	        want = repr("'\"" + chr(c))[4:-1]
	        raw = chr(c)
	        if c in (34, 39):
	            want = raw if raw != quote else "\\" + raw
	        if got.startswith(want, at):
	            at += len(want)
	            continue
	        assert unicodedata.category(raw) == "Cn", hex(c)
	        assert got.startswith(raw, at) or got.startswith("\\", at), hex(c)
	        at += 1 if got.startswith(raw, at) else 10 if c > 0xffff else 6
	        escaped += 1
	    assert got[at] == quote, got[at - 9:at + 9]
	    at += 1
	END
}

@test "headers that are copied keep names as NumPy writes them" {
	requires numpy
	"${PYTHON:-python3}" - <<-'END'
	import io, random, subprocess, unicodedata, warnings
	import numpy as np
	warnings.simplefilter("ignore")
	rng = random.Random(5)
	points = [c for c in range(1, 0x20000) if unicodedata.category(chr(c))
	          not in ("Cn", "Cs")]
	for n in range(60):
	    name = "".join(chr(rng.choice(points)) for _ in range(300))
	    f = io.BytesIO()
	    np.save(f, np.zeros(2, [(name, "<i2"), ("b", ">f4")]))
	    got = subprocess.run(["tslice", "-", "..."], input=f.getvalue(),
	                         check=True, capture_output=True).stdout
	    assert got == f.getvalue(), ascii(name)
	END
}

@test "escapes in a header's strings are Python's, or refused" {
	local bad
	framed "{'descr': [('a\\\\t\\\\r\\\\n\\\\\"\\\\'\\\\\\\\\\\\x41\\\\u00e9\\\\U0001F600', '<i2')], 'fortran_order': False, 'shape': (0,), }"
	run -0 tshape -l x.npy
	has "$output" "[('a\\t\\r\\n\"\\'\\\\Aé😀', '<i2')]"
	for bad in 'a\\q' '\\x4' '\\xg1' '\\x' '\\ud800' '\\U00110000' \
		'\\u12' '\\x1P' '\\x00' '\\0'; do
		framed "{'descr': [('$bad', '<i2')], 'fortran_order': False, 'shape': (0,), }"
		refuses 3 bad_header x.npy 0
	done
	framed "{'descr': [('\\\\x"
	refuses 3 bad_header x.npy 0
}

@test "a terminal is shown no controls of a file" {
	requires pty
	framed "{'descr': '<U2', 'fortran_order': False, 'shape': (), }" \
		'\x1b\0\0\0\x9b\0\0\0'
	mv x.npy y.npy
	framed "{'descr': [('\x1b[31m', '<i2')], 'fortran_order': False, 'shape': (0,), }"
	run -0 "${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/onpty.py" \
		tslice y.npy ...
	run -1 grep -qP '\x1b|\xc2\x9b' <<<"$output"
	run -0 "${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/onpty.py" \
		tshape -l x.npy
	has "$output" '\x1b[31m'
}

@test "keys of an encoding are quoted without their controls" {
	printf '{"begin":[0],"end":[1],"\\u001b[31m":1}' >e.json
	says_nothing_odd tslice "$A" --encoding e.json
	printf '{"begin":[0],"end":[1],"\302\233\342\200\256":1}' >e.json
	says_nothing_odd tslice "$A" --encoding e.json
	printf '{"begin":[0],"end":[1],"strides":["\\u0007"]}' >e.json
	says_nothing_odd tslice "$A" --encoding e.json
}

@test "names in JSON: what no terminal should see is given by its number" {
	cp "$A" $'a\u202Eb\x7f\xc2\x9b\U000E0041.npy'
	run -0 tshape --json ./a* ./a*
	output=${lines[0]}
	has "$output" '\u202eb\u007f\u009b\udb40\udc41'
	same "$(jq -r .name <<<"$output")" \
		$'./a\u202Eb\x7f\xc2\x9b\U000E0041.npy'
}
