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
