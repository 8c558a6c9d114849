#!/usr/bin/env bats
# --image: results as pictures, in PNG and on terminals.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops

# The tests of PNG need the library, as the option does.
requires_libpng() {
	"${PYTHON:-python3}" -c 'import ctypes
ctypes.CDLL("libpng16.so.16")' 2>/dev/null || skip 'no libpng'
}

# decoded FILE: "MODE WIDTH HEIGHT SAMPLE..." of a PNG file.
decoded() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/../sweep/pngfile.py" "$1"
}

# bytes DESCR SHAPE N...: an array of these bytes, x.npy
bytes() {
	local descr=$1 shape=$2 n
	shift 2
	for n; do
		# shellcheck disable=SC2059 # the format is the byte
		printf "\\$(printf %03o "$n")"
	done | npy x.npy "$descr" "$shape"
}

on_terminal() {
	TERM=xterm "${PYTHON:-python3}" \
		"$BATS_TEST_DIRNAME/../sweep/onpty.py" "$@"
}

@test "bytes are pixels: gray, in colours, with transparency" {
	requires_libpng
	bytes '|u1' '(2, 3)' 0 1 2 3 254 255
	run -0 --separate-stderr tslice x.npy --image -o x.png
	same "$output$stderr" ''
	same "$(decoded x.png)" 'L 3 2 0 1 2 3 254 255'
	tslice x.npy ::-1,::-1 --image >y.png
	same "$(decoded y.png)" 'L 3 2 255 254 3 2 1 0'
	bytes '|u1' '(1, 2, 3)' 1 2 3 4 5 6
	tslice x.npy --image -o x.png
	same "$(decoded x.png)" 'RGB 2 1 1 2 3 4 5 6'
	bytes '|u1' '(2, 1, 4)' 1 2 3 4 5 6 7 8
	tslice x.npy --image | cat >x.png
	same "$(decoded x.png)" 'RGBA 1 2 1 2 3 4 5 6 7 8'
	bytes '|b1' '(1, 2)' 1 0
	tslice x.npy --image --colormap gray >x.png
	same "$(decoded x.png)" 'L 2 1 255 0'
}

@test "other values are scaled, or by a range" {
	requires_libpng
	le32 -10 0 10 30 | npy x.npy '<i4' '(2, 2)'
	tslice x.npy --image --colormap gray >x.png
	same "$(decoded x.png)" 'L 2 2 0 64 128 255'
	tslice x.npy --image --colormap gray --range 0:20 >x.png
	same "$(decoded x.png)" 'L 2 2 0 0 128 255'
	bytes '|u1' '(1, 3)' 10 15 20
	tslice x.npy --image --range 10:20 >x.png
	same "$(decoded x.png)" 'L 3 1 0 128 255'
	le32 5 5 | npy x.npy '<i4' '(1, 2)'
	tslice x.npy --image --colormap gray >x.png
	same "$(decoded x.png)" 'L 2 1 0 0'
}

@test "viridis goes from purple to yellow, and is what floats have" {
	requires_libpng
	requires numpy
	"${PYTHON:-python3}" -c 'import numpy as np
np.save("x.npy", np.array([[0, 0.5, 1]]))
np.save("n.npy", np.array([[0, np.nan, 1, np.inf, -np.inf]], ">f4"))'
	tslice x.npy --image >x.png
	same "$(decoded x.png)" 'RGB 3 1 68 1 84 33 145 140 253 231 37'
	tslice n.npy --image --colormap gray >n.png
	same "$(decoded n.png)" \
		'RGB 5 1 0 0 0 255 0 255 255 255 255 255 255 255 0 0 0'
	bytes '|u1' '(1, 1)' 255
	tslice x.npy ... --image --colormap viridis >x.png
	has "$(decoded x.png)" '253 231 37'
	bytes '|u1' '(1, 4)' 51 102 153 204
	tslice x.npy ... --image --colormap viridis >x.png
	same "$(decoded x.png)" \
		'RGB 4 1 65 68 135 42 120 142 34 168 132 122 209 81'
}

@test "any order, a pipe and every command give the same picture" {
	requires_libpng
	requires numpy
	"${PYTHON:-python3}" -c 'import numpy as np
a = np.random.default_rng(1).integers(0, 255, (300, 200), "u1")
np.save("c.npy", a); np.save("f.npy", np.asfortranarray(a))
np.save("i.npy", np.arange(300)[:, None])
np.save("d.npy", np.diagonal(a))'
	tslice c.npy --image -o want.png
	tslice f.npy --image --max-memory 1M | cmp - want.png
	tslice - --image <f.npy | cmp - want.png
	tslice c.npy | tslice - --image --order F | cmp - want.png
	tgather c.npy i.npy --image | cmp - want.png
	tsetdiag c.npy d.npy --image | cmp - want.png
	tassign c.npy 0 <(tslice c.npy 0) --image | cmp - want.png
	tscatter c.npy i.npy c.npy --image | cmp - want.png
}

@test "what makes no picture is refused" {
	refuses 3 bad_rank "$A" 1 --image
	refuses 3 bad_rank "$A" :,:2,None --image
	le32 1 2 3 | npy c.npy '<i4' '(1, 1, 3)'
	refuses 3 dtype_mismatch c.npy --image
	printf abc | npy s.npy '|S3' '(1, 1)'
	refuses 3 dtype_mismatch s.npy --image
	refuses 3 bad_shape "$A" :0 --image
	refuses 2 syntax "$A" --image --range 1
	refuses 2 syntax "$A" --image --range 2:1
	refuses 2 syntax "$A" --image --range nan:1
	refuses 2 usage "$A" --image --print
	refuses 2 usage "$A" --colormap gray
	refuses 2 usage "$A" --image --colormap jet
	[ ! -e out.png ]
}

@test "a full disk leaves no picture, and is told of" {
	requires_libpng
	run -4 --separate-stderr tslice "$A" --image -o /dev/full
	has "$stderr" '/dev/full: cannot write'
}

@test "without libpng the message says so, and no file appears" {
	mkdir lib && echo 'not a library' >lib/libpng16.so.16
	LD_LIBRARY_PATH=$PWD/lib run -4 --separate-stderr \
		tslice "$A" --image -o x.png
	has "$stderr" 'there is no libpng16.so.16 here'
	clean lib
}

@test "only a picture loads libpng" {
	requires strace release
	strace -f -qq -e trace=openat -o calls tslice "$A" --print
	run -1 grep libpng calls
}

@test "a terminal is drawn on with half blocks" {
	requires pty
	bytes '|u1' '(2, 1, 3)' 255 0 0 0 0 255
	COLORTERM=truecolor on_terminal tslice x.npy --image >got
	same "$(head -n 1 got | head -c 36)" \
		$'\e[38;2;255;0;0m\e[48;2;255;0;0m\u2580\u2580'
	same "$(tail -n 1 got | head -c 36)" \
		$'\e[38;2;0;0;255m\e[48;2;0;0;255m\u2580\u2580'
	# In the midst both are in one line.
	same "$(sed -n 12p got | head -c 36)" \
		$'\e[38;2;255;0;0m\e[48;2;0;0;255m\u2580\u2580'
	# As high as 24 lines allow, but for the one of the prompt.
	same "$(sed 's/\x1b[^m]*m//g' got | head -n 1 | wc -m)" 24
	same "$(wc -l <got)" 23
	COLORTERM='' on_terminal tslice x.npy --image >got
	same "$(head -n 1 got | head -c 25)" $'\e[38;5;196m\e[48;5;196m'$'\u2580'
	bytes '|u1' '(1, 6)' 0 8 128 135 238 255
	WINDOW=4x6 COLORTERM='' on_terminal tslice x.npy --image >got
	same "$(grep -o '38;5;[0-9]*' got | cut -d ';' -f 3 | xargs)" \
		'16 232 244 102 255 231'
	# An odd number of rows: nothing is below the last.
	# shellcheck disable=SC2046 # numbers
	bytes '|u1' '(1, 80)' $(seq 80)
	COLORTERM=truecolor on_terminal tslice x.npy --image >got
	same "$(wc -l <got)" 1
	has "$(cat got)" $'\e[38;2;1;1;1m\u2580'
	same "$(grep -c '48;2' got)" 0
}

# size FILE: "LINES COLUMNS" of what was drawn.
size() {
	sed 's/\x1b[^m]*m//g' "$1" >plain
	echo "$(wc -l <plain) $(($(head -n 1 plain | wc -m) - 1))"
}

@test "a picture fits the terminal both ways" {
	requires pty
	le32 $(seq 1000) | npy x.npy '<i4' '(250, 4)'
	WINDOW=50x100 on_terminal tslice x.npy --image >got
	same "$(size got)" '49 1'
	le32 $(seq 1000) | npy x.npy '<i4' '(4, 250)'
	WINDOW=50x100 on_terminal tslice x.npy --image >got
	same "$(size got)" '1 100'
	le32 $(seq 1000) | npy x.npy '<i4' '(20, 50)'
	WINDOW=50x100 on_terminal tslice x.npy --image >got
	same "$(size got)" '20 100'
	WINDOW=11x100 on_terminal tslice x.npy --image >got
	same "$(size got)" '10 50'
	WINDOW=1x7 on_terminal tslice x.npy --image >got
	same "$(size got)" '1 7'
}

@test "what is no picture is named, and how a plane of it is chosen" {
	le32 $(seq 120) | npy x.npy '<i4' '(2, 3, 4, 5)'
	run -3 --separate-stderr tslice x.npy --image
	same "$stderr" 'tslice: x.npy: a picture has shape (h, w), (h, w, 3) or (h, w, 4), not (2, 3, 4, 5); a slice chooses a plane, such as 0,0'
	tslice x.npy 0,0 --image >/dev/null
	run -3 --separate-stderr tslice x.npy 0 --image
	has "$stderr" 'not (3, 4, 5); a slice chooses a plane, such as 0'
	run -3 --separate-stderr tslice x.npy 0,0,0 --image
	has "$stderr" 'x.npy: a picture has shape'
	has "$stderr" 'not (5,); a slice makes two axes of it, such as None'
	run -3 --separate-stderr tslice x.npy :0,0,0 --image
	has "$stderr" 'x.npy: '
	run -3 --separate-stderr tgather x.npy --axis 0 --indices 0 --image --order F
	has "$stderr" 'x.npy: a picture has shape'
}

@test "where colours are not wanted a picture is refused" {
	requires pty
	NO_COLOR=1 run --separate-stderr on_terminal tslice "$A" --image
	same "$status" 2
	has "$stderr" NO_COLOR
	run --separate-stderr "${PYTHON:-python3}" - <<-END
	import os, sys
	os.environ["TERM"] = "dumb"
	os.execvp(sys.executable, [sys.executable,
	    "$BATS_TEST_DIRNAME/../sweep/onpty.py", "tslice", "$A", "--image"])
	END
	same "$status" 2
	has "$stderr" 'TERM=dumb'
}
