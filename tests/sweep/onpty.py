"""Runs a command with a terminal as its standard output.

usage: onpty.py COMMAND [ARG]...   copies what it prints, ends with its status
       onpty.py                    only tells whether there can be a terminal

The terminal is raw: bytes come out as they went in.  WINDOW in the
environment, such as 24x80, is how many lines and columns it has.
"""
import fcntl
import os
import pty
import struct
import sys
import termios
import tty


def run(command):
    master, slave = pty.openpty()
    tty.setraw(slave)
    if "WINDOW" in os.environ:
        lines, columns = map(int, os.environ["WINDOW"].split("x"))
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack("4H", lines, columns, 0, 0))
    child = os.fork()
    if child == 0:
        os.dup2(slave, 1)
        os.close(slave)
        os.close(master)
        os.execvp(command[0], command)
    os.close(slave)
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the terminal is gone with the command
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    try:
        os.close(pty.openpty()[1])
    except OSError as error:
        sys.exit(f"no terminal can be had: {error}")
    sys.exit(run(sys.argv[1:]) if sys.argv[1:] else 0)
