#!/usr/bin/env bats
# The bar on a terminal, and the signal that asks how far things have come.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers

# asked PROGRESS: what a terminal as standard error gets from a copy of a pipe
# that stands still when it is sent SIGUSR1, and then ends.
asked() {
	"${PYTHON:-python3}" - "$1" "$B" <<-'END'
	import os, pty, signal, subprocess, sys, time, tty
	master, slave = pty.openpty()
	tty.setraw(slave)
	p = subprocess.Popen(["tslice", "--progress=" + sys.argv[1], "-", ":",
	                      "-o", "o.npy"], stdin=subprocess.PIPE, stderr=slave)
	os.close(slave)
	data = open(sys.argv[2], "rb").read()
	seen = b""
	def until(part):
	    global seen
	    end = time.monotonic() + 20
	    while part not in seen:
	        assert time.monotonic() < end, seen
	        seen += os.read(master, 65536)
	half = len(data) // 2
	p.stdin.write(data[:half])
	p.stdin.flush()
	if sys.argv[1] == "always":
	    until(b"[===")
	time.sleep(0.3)
	p.send_signal(signal.SIGUSR1)
	until(b"bytes,")
	while sys.argv[1] == "always" and b"[==" not in seen.rpartition(b"bytes,")[2]:
	    seen += os.read(master, 65536)
	p.stdin.write(data[half:])
	p.stdin.close()
	status = p.wait()
	try:
	    while more := os.read(master, 65536):
	        seen += more
	except OSError:
	    pass
	sys.stdout.buffer.write(seen)
	sys.exit(status)
	END
	cmp o.npy "$B"
}

@test "the signal's line takes the place of the bar, which comes back" {
	requires pty
	asked always >seen
	tr '\033\r' 'E\n' <seen >lines
	grep -qE '^E\[Ktslice: [0-9]+ of [0-9]+ bytes, +[0-9]+ %' lines
	run -1 grep -E ' left(E\[K)?tslice:' lines
	# The bar is there again after it, and is taken away at the end.
	[ "$(sed -n '/tslice:/,$p' lines | grep -c '^\[==')" -ge 1 ]
	same "$(tail -n 1 lines)" 'E[K'
}

@test "without a bar the signal's line is only that" {
	requires pty
	asked never >seen
	run -1 grep -q $'\033' seen
	matches "$(cat seen)" 'tslice: [0-9]+ of 8388608 bytes, .*'
}

# stalled FD PROGRESS: what standard error gets, on a terminal if FD is pty,
# from a copy of a pipe that goes on only when a second line, or a second state
# of the bar, was seen.
stalled() {
	"${PYTHON:-python3}" - "$1" "$2" "$A" "${3-0}" <<-'END'
	import os, pty, re, subprocess, sys, time, tty
	kind, progress, path, first = sys.argv[1:]
	if kind == "pty":
	    master, slave = pty.openpty()
	    tty.setraw(slave)
	else:
	    master, slave = os.pipe()
	p = subprocess.Popen(["tslice", "--progress=" + progress, "-", ":",
	                      "-o", "o.npy"], stdin=subprocess.PIPE, stderr=slave)
	os.close(slave)
	data = open(path, "rb").read()
	half = int(first) or len(data) - 4
	p.stdin.write(data[:half])
	p.stdin.flush()
	seen = b""
	end = time.monotonic() + 20
	mark = b"\r[" if kind == "pty" else b"\n"
	while seen.count(mark) < 2:
	    assert time.monotonic() < end, seen
	    seen += os.read(master, 65536)
	p.stdin.write(data[half:])
	p.stdin.close()
	status = p.wait()
	try:
	    while more := os.read(master, 65536):
	        seen += more
	except OSError:
	    pass
	sys.stdout.buffer.write(seen)
	sys.exit(status)
	END
	cmp o.npy "$A"
}

@test "what stands still is shown, as lines" {
	stalled pipe always >seen
	same "$(sort seen | uniq -d)" ''
	[ "$(grep -cE '^tslice: [0-9]+ of 48 bytes, [0-9]+ %' seen)" -ge 3 ]
	matches "$(tail -n 1 seen)" 'tslice: 48 of 48 bytes, 100 %.*'
	same "$(grep -c '100 %' seen)" 1
}

@test "what has not begun is shown, if that is asked for" {
	stalled pipe always 20 >seen
	same "$(head -n 1 seen)" 'tslice: waiting for input'
	matches "$(tail -n 1 seen)" 'tslice: 48 of 48 bytes, 100 %.*'
}

@test "what stands still is shown, as a bar" {
	requires pty
	stalled pty auto >seen
	[ "$(tr '\r' '\n' <seen | grep -c '^\[')" -ge 2 ]
	same "$(tail -c 4 seen)" $'\r\e[K'
}
