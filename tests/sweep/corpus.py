"""The .npy files of tests/cases/npy: good ones are copied byte for byte as
numpy.save would write them, bad ones are refused cleanly, and a header with
any one bit flipped is one or the other.

usage: corpus.py [--only REGEX]
"""
import argparse
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import time

from npyfile import header
from tap import (CASES, SAN, Tap, Workshop, in_parallel, read_bytes, run,
                 status_of)

GOOD = os.path.join(CASES, "npy", "good")
BAD = os.path.join(CASES, "npy", "bad")
READER_KINDS = set("""empty_file bad_magic bad_version truncated_header
    bad_header bad_shape bad_descr object_dtype truncated_data
    trailing_data""".split())
# What a group of broken files may be called, where that is beyond doubt.
KIND_OF = {
    "empty-file": {"empty_file"},
    "bad-magic": {"bad_magic"},
    "one-byte-file": {"bad_magic"},
    "truncated-magic": {"bad_magic", "truncated_header", "bad_version"},
    "bad-version": {"bad_version"},
    "truncated-header": {"truncated_header"},
    "truncated-length": {"truncated_header"},
    "header-length-beyond-file": {"truncated_header", "bad_header"},
    "missing-key": {"bad_header"},
    "extra-key": {"bad_header"},
    "duplicate-key": {"bad_header"},
    "bad-fortran-order": {"bad_header"},
    "bad-shape-negative": {"bad_shape"},
    "bad-shape-overflow": {"bad_shape", "truncated_data"},
    "object-dtype": {"object_dtype"},
    "truncated-data": {"truncated_data"},
    "trailing-garbage": {"trailing_data", "truncated_data"},
}
# Address space for refusing a bad file; the program and its libraries count.
LIMIT_KIB = 300000
SECONDS = 5
WORK = Workshop()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def data_of(npy):
    """The items of an .npy file's bytes."""
    if npy[6:7] == b"\1":
        return npy[10 + int.from_bytes(npy[8:10], "little"):]
    return npy[12 + int.from_bytes(npy[8:12], "little"):]


# Good files.

def taken(source, want, name, stdin=None, feed=None):
    """Copies an array with tslice; wants the bytes of numpy.save."""
    args = ["tslice", source, "[...]", "-o", WORK.path("out.npy")]
    extra = {"stdin": stdin} if stdin else {"feed": feed}
    ran = run(args, WORK.here(), **extra)
    made = os.path.exists(WORK.path("out.npy"))
    got = read_bytes(WORK.path("out.npy")) if made else b""
    left = WORK.leftovers("out.npy")
    if want["need"] == "may" and ran.status == 3 and not made:
        return refused(ran, name, left)
    if ran.status != 0 or ran.out or ran.err or left:
        return [f"{ran}, left behind {left}"]
    if sha256(got) != want["resave_sha256"]:
        return [f"{name}: not the bytes of numpy.save: {got[:200]!r}"]
    return []


def c_order(source, want):
    """The items in C order, as --order C writes them to standard output."""
    ran = run(["tslice", "--order", "C", source, "..."], WORK.here())
    if want["need"] == "may" and ran.status == 3:
        return []
    if ran.status != 0 or ran.err:
        return [str(ran)]
    if sha256(data_of(ran.out)) != want["sha256_c"]:
        return [f"--order C gives other items: {ran.out[:200]!r}"]
    return []


def check_good(item):
    name, want = item
    path = os.path.join(GOOD, name)
    problems = taken(path, want, name)
    with open(path, "rb") as f:
        problems += taken("-", want, "-", stdin=f)
    problems += taken("-", want, "-", feed=read_bytes(path))
    problems += c_order(path, want)
    return f"good {name}", problems


# Bad files.

def refused(ran, name, left, statuses=(3, 4)):
    """What is not clean about the refusal of a file."""
    found = []
    if ran.status not in statuses:
        found.append(f"status {ran.status}, not one of {statuses}")
    if ran.out:
        found.append(f"{len(ran.out)} bytes on standard output")
    if left:
        found.append(f"left behind: {left}")
    if ran.err.count(b"\n") != 1 or not ran.err.endswith(b"\n"):
        found.append("not exactly one line on standard error")
    names = [name, "standard input", "stdin"] if name == "-" else [name]
    if not ran.err.startswith(b"tslice: ") or \
            not any(n.encode() in ran.err for n in names):
        found.append(f"the line does not name {name}")
    if re.search(rb"[\0-\x08\x0b-\x1f\x7f]", ran.err) or not is_text(ran.err):
        found.append("raw control or stray bytes on standard error")
    return [f"{problem}: {ran}" for problem in found]


def is_text(data):
    """Valid UTF-8 without C1 controls?"""
    try:
        return not re.search("[\x80-\x9f]", data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def kind_problems(path, allowed):
    ran = run(["tslice", "--json", path, "..."], WORK.here(), timeout=SECONDS)
    error = ran.error()
    if error is None or ran.err.count(b"\n") != 1 or ran.out:
        return [f"not one JSON error alone: {ran}"]
    kind, status = error.get("kind"), error.get("status")
    if status != ran.status or status_of(kind) != status:
        return [f"status {ran.status} and {status} for {kind}"]
    if kind not in allowed:
        return [f"kind {kind}, not one of {sorted(allowed)}: {ran}"]
    return []


def attempt(path, name, either_way, **how):
    """A bad file: refused cleanly or, where a policy allows, copied."""
    before = time.monotonic()
    args = ["tslice", path, "...", "-o", WORK.path("out.npy")]
    ran = run(args, WORK.here(), limit_kib=LIMIT_KIB, timeout=SECONDS, **how)
    spent = time.monotonic() - before
    late = [f"took {spent:.1f} s: {ran}"] if spent > SECONDS else []
    made = os.path.exists(WORK.path("out.npy"))
    if either_way and ran.status == 0 and made:
        left = WORK.leftovers("out.npy")
        return late + ([f"not clean: {ran}, {left}"] if ran.err or ran.out
                       or left else [])
    return late + refused(ran, name, WORK.leftovers())


def check_bad(item):
    name, entry = item
    path = os.path.join(BAD, name)
    group, policy = entry["category"], entry["action"] == "policy"
    problems = attempt(path, name, policy)
    # On standard input what follows the array is the next reader's affair.
    followed = group == "trailing-garbage"
    with open(path, "rb") as f:
        problems += attempt("-", "-", policy or followed, stdin=f)
    problems += attempt("-", "-", policy or followed, feed=read_bytes(path))
    allowed = READER_KINDS & KIND_OF.get(group, READER_KINDS)
    if not policy:
        problems += kind_problems(path, allowed)
    return f"bad {name}", problems


# Flipped bits.

def flips():
    sample = header("'<f4'", (2, 3)) + bytes(range(24))
    for at in range(128):
        yield at, sample


def check_flip(item):
    at, sample = item
    problems = []
    for bit in range(8):
        flipped = bytearray(sample)
        flipped[at] ^= 1 << bit
        with open(WORK.path("f.npy"), "wb") as f:
            f.write(flipped)
        ran = run(["tslice", "f.npy", "...", "-o", "out.npy"], WORK.here(),
                  limit_kib=LIMIT_KIB, timeout=SECONDS)
        made = os.path.exists(WORK.path("out.npy"))
        left = WORK.leftovers("f.npy", "out.npy")
        if ran.status == 0 and made and not ran.err and not left:
            continue
        problems += [f"bit {bit}: {p}" for p in
                     refused(ran, "f.npy", left, (3,))]
        if made:
            problems.append(f"bit {bit}: an output in spite of {ran}")
    return f"header with a bit of byte {at} flipped", problems


# Inputs that are no regular files.

def special_refused(path, statuses, kinds=None, **how):
    args = ["tslice", path, "...", "-o", "out.npy"]
    ran = run(args, WORK.here(), timeout=SECONDS, **how)
    left = ["out.npy"] if os.path.exists(WORK.path("out.npy")) else []
    problems = refused(ran, os.path.basename(path), left, statuses)
    return problems + (kind_problems(path, kinds) if kinds else [])


def special_cases():
    """(name, function giving problems); each function cleans up itself."""
    here, path = WORK.here(), WORK.path

    def directory():
        os.mkdir(path("X.npy"))
        found = special_refused("X.npy", (4,), {"io"})
        os.rmdir(path("X.npy"))
        return found

    def link_to(target):
        os.symlink(target, path("X.npy"))
        found = special_refused("X.npy", (4,), {"io"})
        os.unlink(path("X.npy"))
        return found

    def unix_socket():
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(path("X.npy"))
            found = special_refused("X.npy", (4,), {"io"})
        os.unlink(path("X.npy"))
        return found

    def closed_stdin():
        ran = run(["sh", "-c", "tslice - ... -o out.npy <&-"], here)
        return refused(ran, "-", WORK.leftovers(), (4,))

    def sparse():
        with open(path("X.npy"), "wb") as f:
            f.write(header("'|u1'", (1 << 40,)))
            try:
                f.truncate(128 + (1 << 40))
            except OSError:
                return None
        ran = run(["tslice", "X.npy", "-2:"], here, timeout=SECONDS,
                  limit_kib=LIMIT_KIB)
        os.unlink(path("X.npy"))
        good = ran.out == header("'|u1'", (2,)) + b"\0\0"
        return [] if good and not ran.err else [str(ran)]

    def fifo_without_writer():
        os.mkfifo(path("X.npy"))
        with subprocess.Popen(["tslice", "X.npy", "...", "-o", "out.npy"],
                              cwd=here, stderr=subprocess.PIPE) as p:
            time.sleep(0.2)
            p.send_signal(signal.SIGTERM)
            status = p.wait(SECONDS)
        os.unlink(path("X.npy"))
        left = WORK.leftovers()
        return [] if status == -signal.SIGTERM and not left else [
            f"status {status} after SIGTERM, left {left}"]

    return [
        ("a directory", directory),
        ("a dangling symlink", lambda: link_to("nowhere")),
        ("a symlink to itself", lambda: link_to("X.npy")),
        ("a socket", unix_socket),
        ("/dev/null", lambda: special_refused("/dev/null", (3,),
                                              {"empty_file"})),
        ("/dev/zero", lambda: special_refused("/dev/zero", (3,),
                                              {"bad_magic"},
                                              limit_kib=LIMIT_KIB)),
        ("a file of /proc", lambda: special_refused("/proc/self/status", (3,),
                                                    {"bad_magic"})),
        ("closed standard input", closed_stdin),
        ("a sparse file of 1 TiB", sparse),
        ("a FIFO that nobody writes", fifo_without_writer),
    ]


def fifo_cases(tap):
    """FIFOs: the shell writes them, in one go, slowly, or not at all."""
    sample = header("'<f4'", (2, 3)) + bytes(range(24))
    with open(os.path.join(WORK.top, "good.npy"), "wb") as f:
        f.write(sample)
    for name, writer, good in [
            ("written in one go", "cat ../good.npy", True),
            ("written slowly", "head -c 5 ../good.npy; sleep 0.1; "
             "tail -c +6 ../good.npy | head -c 60; sleep 0.1; "
             "tail -c +66 ../good.npy", True),
            ("closed at once", ":", False),
            ("cut short", "head -c 140 ../good.npy", False)]:
        # If nobody opens the FIFO for reading, the writer must not stay.
        ran = run(["sh", "-c", 'mkfifo X.npy; timeout 5 sh -c "$1" & '
                   "tslice X.npy ... -o out.npy", "-",
                   f"({writer}) >X.npy"], WORK.here(), timeout=2 * SECONDS)
        if good:
            made = os.path.exists(WORK.path("out.npy"))
            same = made and read_bytes(WORK.path("out.npy")) == sample
            left = WORK.leftovers("X.npy", "out.npy")
            problems = [] if same and ran.status == 0 and not left else [
                f"{ran}, output the same: {same}, left behind {left}"]
        else:
            problems = refused(ran, "X.npy", WORK.leftovers("X.npy"), (3, 4))
        tap.result(f"a FIFO {name}", problems)


def other_inputs(tap):
    for name, function in special_cases():
        problems = function()
        if problems is None:
            tap.skip(name, "the file system cannot hold it")
        else:
            tap.result(name, problems)
    fifo_cases(tap)


def load(folder, index, only):
    with open(os.path.join(folder, index), encoding="utf-8") as f:
        files = json.load(f)["files"]
    return [(n, e) for n, e in sorted(files.items()) if re.search(only, n)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="regex on the file's name")
    only = parser.parse_args().only
    tap = Tap()
    if SAN:
        tap.note("no limits on memory: the sanitizers reserve too much")
    with WORK:
        in_parallel(tap, check_good, load(GOOD, "expect.json", only))
        in_parallel(tap, check_bad, load(BAD, "bad.json", only))
        if not only:
            in_parallel(tap, check_flip, flips())
            other_inputs(tap)
    tap.done()


if __name__ == "__main__":
    main()
