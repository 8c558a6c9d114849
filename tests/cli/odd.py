"""Makes .npy files of odd texts and looks at what commands say of them.

usage: odd.py file NAME HEADER [ITEMS]
       odd.py harmless HEADER ITEMS COMMAND...

HEADER is the text of a header of version 3, ITEMS the bytes behind it; \\xHH
and the like stand for characters as in Python.  With 'harmless' every ODD in
HEADER stands for a series of odd texts in turn: what the commands, in one word
each, print of x.npy, as text and as JSON, must hold no control but the newline
and nothing that turns or hides text.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "sweep"))
import npyfile  # noqa: E402

ODD = r"""\x1b[31m \x07 \x7f \x9b31m \u202eevil \u2066x\u2069 \u200b \u2028
    \ufeff \u061c \U000e0041 a\x0db a\x08\x08""".split()
UNSAFE = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f"
                    "\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
                    "\U000e0000-\U000e00ff]")


def plain(text):
    return text.encode().decode("unicode_escape")


def write(name, header, items):
    with open(name, "wb") as f:
        f.write(npyfile.frame(plain(header).encode("utf-8"), 3))
        f.write(plain(items).encode("latin-1"))


def harmless(header, items, commands):
    for odd in ODD:
        write("x.npy", header.replace("ODD", odd), items)
        for command in commands:
            for options in ([], ["--json"]):
                p = subprocess.run(command.split() + options,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
                text = p.stdout.decode()
                bad = UNSAFE.search(text)
                if not text or bad or not 0 <= p.returncode < 126:
                    sys.exit(f"{odd} {command}: {p.returncode} {text!a}")


if __name__ == "__main__":
    if sys.argv[1] == "file":
        write(*sys.argv[2:4], *sys.argv[4:5] or [""])
    else:
        harmless(sys.argv[2], sys.argv[3], sys.argv[4:])
