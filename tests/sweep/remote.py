"""Arrays behind URLs, against the same arrays in files: what is asked for, and
what comes of all that can go wrong with a server.  Nothing leaves 127.0.0.1.

usage: remote.py
"""
import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import time

import numpy as np

import fileserver
from tap import SAN, Tap, Workshop, in_parallel, read_bytes

WORK = Workshop()
TOP = WORK.top
FILES = os.path.join(TOP, "files")
ENVIRONMENT = {k: v for k, v in os.environ.items()
               if not k.startswith("AWS_") and not k.endswith("_proxy")}
ENVIRONMENT.update(HOME=TOP, TSLICE_TIMEOUT="20", TMPDIR=TOP)

ARRAY = np.arange(1500 * 500, dtype="<i4").reshape(1500, 500)
FIRST = 65536  # bytes asked for at first
RECORDS = np.zeros(20000, dtype="u1,<f8,(3)<i2")
RECORDS.dtype.names = ("x", "y", "z")
RECORDS["y"] = np.arange(20000) / 7
MASK = np.zeros(1500, bool)
MASK[[3, 4, 700, 1499]] = True


class Ran:
    def __init__(self, server, *args, **environment):
        self.out_path = WORK.path("out.npy")
        before = {**ENVIRONMENT, **environment}
        server.ranges()
        p = subprocess.run(args, cwd=WORK.here(), env=before, check=False,
                           capture_output=True, timeout=120)
        self.status, self.out = p.returncode, p.stdout
        self.err = p.stderr.decode("utf-8", "backslashreplace")
        self.asked = server.ranges()

    def result(self):
        return np.load(self.out_path) if os.path.exists(self.out_path) else None


def server_of_own(latency=0):
    return fileserver.Server(FILES, latency)


def write_safetensors(path, **arrays):
    head, at = {}, 0
    for name, a in arrays.items():
        head[name] = {"dtype": "I32", "shape": list(a.shape),
                      "data_offsets": [at, at + a.nbytes]}
        at += a.nbytes
    text = json.dumps(head).encode()
    with open(path, "wb") as f:
        f.write(len(text).to_bytes(8, "little") + text)
        for a in arrays.values():
            f.write(a.tobytes())


def write_files():
    os.mkdir(FILES)
    np.save(FILES + "/a.npy", ARRAY)
    np.save(FILES + "/f.npy", np.asfortranarray(ARRAY))
    np.savez(FILES + "/z.npz", a=ARRAY, b=ARRAY[:5])
    np.save(FILES + "/rec.npy", RECORDS)
    np.save(FILES + "/mask.npy", MASK)
    np.save(FILES + "/fmask.npy", np.asfortranarray(ARRAY % 3 == 0))
    np.save(FILES + "/tuples.npy", np.array([[5], [1400], [7], [0], [9]]))
    np.save(FILES + "/square.npy", np.zeros((1501, 1501), "i8"))
    write_safetensors(FILES + "/t.safetensors", a=ARRAY, b=ARRAY[:5])
    np.savez_compressed(FILES + "/c.npz", a=ARRAY, b=ARRAY[:5])
    np.save(FILES + "/one.npy", np.arange(3))
    patched = ARRAY.copy()
    patched[1400, 3] = 0
    np.save(FILES + "/patched.npy", patched)
    ARRAY.tofile(FILES + "/raw.bin")
    with open(FILES + "/many.npy", "wb") as f:
        for i in range(3):
            np.save(f, ARRAY[i])
    with open(FILES + "/empty.npy", "wb"):
        pass
    big = np.arange(10 * 1024 * 1024, dtype="<i8").reshape(-1, 1024)
    np.save(FILES + "/big.npy", big)


def expected(name, spec):
    if name == "big.npy":
        a = np.load(FILES + "/big.npy", mmap_mode="r")
    else:
        a = ARRAY[:5] if name.endswith(":b") else ARRAY
    return eval(f"a[{spec}]", {"a": a})  # pylint: disable=eval-used


# ---- what is right ---------------------------------------------------------

# A file, a slice, and how many requests it takes, or None where that depends.
RIGHT = [
    ("a.npy", "3:5", 1), ("a.npy", "1400", 2), ("a.npy", ":, 5", None),
    ("a.npy", "::700", 3), ("a.npy", "::-700", 4), ("a.npy", "...", None),
    ("a.npy", "5:5", 1), ("f.npy", ":, 7", 1), ("f.npy", "::-1", None),
    ("z.npz:a", "1000", None), ("z.npz:b", "1", None), ("z.npz:a", ":", None),
    ("c.npz:a", "1000", None), ("c.npz:b", "1", 2), ("c.npz:a", ":", None),
    ("big.npy", ":", None), ("big.npy", "700:9000", None),
    ("big.npy", "::-1", None), ("big.npy", "::5000", 3),
]


def check_right(item):
    fault, (name, spec, requests) = item
    server = server_of_own()
    ran = Ran(server, "tslice", server.url(fault, name), spec, "-o", "out.npy")
    problems = []
    if ran.status or ran.err:
        problems.append(f"status {ran.status}, {ran.err!r}")
    elif not np.array_equal(ran.result(), expected(name, spec)):
        problems.append("wrong elements")
    if requests and fault == "ok" and len(ran.asked) != requests:
        problems.append(f"asked for {ran.asked}")
    problems += [f"left behind: {n}" for n in WORK.leftovers("out.npy")]
    return f"{fault}: {name} {spec}", problems


def check_explained(item):
    """What is asked for is what --explain=ranges says, and its gaps."""
    spec = item
    server = server_of_own()
    url = server.url("ok", "a.npy")
    told = Ran(server, "tslice", "--json", "--explain=ranges", url, spec)
    lines = Ran(server, "tslice", "--explain=ranges", url, spec)
    ran = Ran(server, "tslice", url, spec, "-o", "out.npy")
    ranges = json.loads(told.out)["ranges"]
    problems = []
    if lines.out.decode() != "".join(f"{a}-{b}\n" for a, b in ranges):
        problems.append(f"lines: {lines.out!r}, JSON: {told.out!r}")
    if len(told.asked) != 1 or len(lines.asked) != 1:
        problems.append("more than the header was asked for")
    here = np.zeros(os.path.getsize(FILES + "/a.npy"), bool)
    want = here.copy()
    for text in ran.asked:
        first, last = text[len("bytes="):].split("-")
        here[int(first):int(last) + 1] = True
    for first, last in ranges:
        want[first:last + 1] = True
    here[:FIRST] = want[:FIRST] = True
    if not np.array_equal(here, want):
        problems.append(f"asked for {ran.asked}, explained {ranges}")
    WORK.leftovers()
    return f"--explain=ranges {spec}", problems


def other_commands():
    a, n = "{a}", "a.npy"
    index = "5,1400,7,1000"
    rows = [5, 1400, 7, 1000]
    patched = ARRAY.copy()
    patched[0] = 7
    put = ARRAY.copy()
    put[2:7] = ARRAY[:5]
    return [
        (["tgather", a, "--axis", "0", "--indices", index], n, ARRAY[rows]),
        (["tgather", a, "--axis", "1", "--indices", "7,3"], n,
         ARRAY[:, [7, 3]]),
        (["tgather", a, "--axis", "0", "--indices", index], "f.npy",
         ARRAY[rows]),
        (["tcat", a, FILES + "/a.npy", a], n,
         np.concatenate([ARRAY, ARRAY, ARRAY])),
        (["tcat", "--axis", "1", a, FILES + "/a.npy"], n,
         np.concatenate([ARRAY, ARRAY], 1)),
        (["tcat", a, a], "big.npy", None),
        (["tassign", a, "0", "--value", "7"], n, patched),
        (["tassign", FILES + "/a.npy", "2:7", a], "z.npz:b", put),
        (["tassign", FILES + "/a.npy", "2:7", a], "c.npz:b", put),
        (["tgetdiag", a], n, ARRAY.diagonal()),
        (["tgetdiag", a, "-k", "-300:2"], n, None),
        (["tslice", "--field", "y", a, "5::300"], "rec.npy",
         RECORDS["y"][5::300]),
        (["tgather", "--field", "y", a, "--axis", "0", "--indices", index],
         "rec.npy", RECORDS["y"][rows]),
        (["tgather", a, FILES + "/mask.npy"], n, ARRAY[MASK]),
        (["tgather", FILES + "/a.npy", a], "mask.npy", ARRAY[MASK]),
        (["tgather", FILES + "/f.npy", a], "fmask.npy", ARRAY[ARRAY % 3 == 0]),
        (["tscatter", a, FILES + "/tuples.npy", "--value", "7"], n, None),
        (["tscatter", FILES + "/a.npy", a, "--value", "7"], "tuples.npy", None),
        (["tscatter", FILES + "/a.npy", FILES + "/tuples.npy", a], "z.npz:b",
         None),
        (["tsetdiag", a, FILES + "/one.npy", "-k", "1498"], "square.npy", None),
        (["tslice", a, "5::300", "--order", "F"], n, ARRAY[5::300]),
        (["tslice", a, "5::300", "--byte-order", "big"], n, ARRAY[5::300]),
        (["tslice", a, "5::300", "--raw"], n, None),
        (["tslice", a, "1499"], "t.safetensors:a", ARRAY[1499]),
        (["tslice", a, "1"], "t.safetensors:b", ARRAY[1]),
        (["tslice", "raw:<i4:-1,500:" + a, "1499"], "raw.bin", ARRAY[1499]),
        (["tslice", "raw:<i4:1500,500:" + a, "1499"], "raw.bin", ARRAY[1499]),
        (["tslice", a, "...", "-T", "--order", "C"], n, None),
        (["tslice", "--all", a, "1:3"], "many.npy", None),
    ]


def check_command(item):
    fault, (args, name, want) = item
    server = server_of_own()
    url = server.url(fault, name)
    local = [a.replace("{a}", os.path.join(FILES, name)) for a in args]
    remote = [a.replace("{a}", url) for a in args]
    theirs = Ran(server, *local, "-o", "out.npy")
    data = read_bytes(theirs.out_path)
    os.unlink(theirs.out_path)
    ran = Ran(server, *remote, "-o", "out.npy")
    problems = []
    if ran.status or ran.err:
        problems.append(f"status {ran.status}, {ran.err!r}")
    elif read_bytes(ran.out_path) != data:
        problems.append("not what is made of the file")
    elif want is not None and not np.array_equal(ran.result(), want):
        problems.append("wrong elements")
    problems += [f"left behind: {n}" for n in WORK.leftovers("out.npy")]
    return f"{fault}: {' '.join(args)} of {name}".replace(TOP, ""), problems


def check_many(item):
    """Many inputs, some of them here: the same as if all were."""
    fault, names, more = item
    server = server_of_own()
    urls = [name if name.startswith("raw:") else server.url(
        fault, name, "ada:secret@") for name in names]
    urls = [u.replace("{a}", server.url(fault, "raw.bin")) for u in urls]
    paths = [name.replace("{a}", FILES + "/raw.bin")
             if name.startswith("raw:") else os.path.join(FILES, name)
             for name in names]
    ran, theirs = [], []
    for inputs, into in ((paths, theirs), (urls, ran)):
        target = WORK.path("made")
        os.mkdir(target)
        r = Ran(server, *more[:1], *inputs, *more[1:], "-t", target)
        into.append((r.status, r.err.count("\n")))
        into.append({n: read_bytes(os.path.join(target, n))
                     for n in sorted(os.listdir(target))})
        into.append(r.err)
        shutil.rmtree(target)
    problems = []
    if ran[0] != theirs[0] or "secret" in ran[2]:
        problems.append(f"{ran[0]}, {ran[2]!r}, not {theirs[0]}, "
                        f"{theirs[2]!r}")
    if ran[1] != theirs[1]:
        problems.append(f"makes {list(ran[1])}, not {list(theirs[1])}")
    if not ran[1]:
        problems.append("makes nothing")
    return f"{fault}: {' '.join(names)}: {' '.join(more)}".replace(
        TOP, ""), problems


MANY = [
    (["a.npy", "f.npy", "z.npz:b", "c.npz:a"], ["tslice", "3"]),
    (["a.npy", "none.npy", "f.npy", "empty.npy"], ["tslice", "3"]),
    (["z.npz", "c.npz"], ["tslice", "3"]),
    (["c.npz", "one.npy"], ["tslice", ":2", "--raw"]),
    (["raw:<i4:1500,500:{a}", "t.safetensors:b"], ["tslice", "3"]),
    (["rec.npy", "a.npy"], ["tslice", "--field", "y", ":3"]),
    (["a.npy", "f.npy"], ["tgather", "--axis", "0", "--indices", "5,1400"]),
    (["a.npy"] * 2 + ["f.npy"], ["tassign", "3", "--value", "7"]),
]


def check_sides(item):
    """A side that is far away is read once, for many inputs."""
    fault, args = item
    server = server_of_own()
    made = []
    for name in (FILES + "/", server.url(fault, "")):
        target = WORK.path("made")
        os.mkdir(target)
        r = Ran(server, *[a.replace("{a}", name) for a in args], "-t", target)
        made.append({n: read_bytes(os.path.join(target, n))
                     for n in sorted(os.listdir(target))})
        shutil.rmtree(target)
        if r.status or r.err:
            return f"{fault}: sides", [f"status {r.status}, {r.err!r}"]
    return f"{fault}: {' '.join(args)}".replace(TOP, ""), (
        [] if made[0] == made[1] and made[0] else ["other results"])


SIDES = [
    ["tassign", FILES + "/a.npy", FILES + "/f.npy", ":", "{a}a.npy"],
    ["tassign", "--max-memory", "8M", FILES + "/a.npy", FILES + "/f.npy", ":",
     "{a}f.npy"],
    ["tgather", FILES + "/a.npy", FILES + "/f.npy", "{a}fmask.npy"],
    ["tgather", "{a}a.npy", "{a}f.npy", "{a}mask.npy"],
]


def check_compared(item):
    name, other, status = item
    server = server_of_own()
    ran = Ran(server, "tcmp", server.url("ok", name), FILES + "/" + other)
    problems = []
    if ran.status != status or bool(ran.out) != (status == 1):
        problems.append(f"status {ran.status}, {ran.out!r}, {ran.err!r}")
    return f"tcmp of {name} and {other}", problems


COMPARED = [("a.npy", "a.npy", 0), ("f.npy", "a.npy", 0), ("a.npy", "f.npy", 0),
            ("z.npz:a", "f.npy", 0), ("big.npy", "big.npy", 0),
            ("square.npy", "a.npy", 1), ("patched.npy", "a.npy", 1),
            ("f.npy", "patched.npy", 1)]


def check_parts(options):
    """A part of tcat brings what it needs, and some more, not all."""
    server = server_of_own()
    inputs = [server.url("ok", "big.npy"), FILES + "/big.npy"]
    Ran(server, "tcat", *options, FILES + "/big.npy", FILES + "/big.npy", "-o",
        "want.npy")
    size = os.path.getsize(FILES + "/big.npy")
    problems = []
    for k in range(1, 9):
        ran = Ran(server, "tcat", *options, "-v", "--part", f"{k}/8", *inputs,
                  "-o", "out.npy")
        came = [line for line in ran.err.splitlines() if " bytes came" in line]
        n = int(came[0].split(": ")[-1].split()[0]) if came else size
        if ran.status or n > size * 3 // 4:
            problems.append(f"part {k}: status {ran.status}, {ran.err!r}")
    if read_bytes(ran.out_path) != read_bytes(WORK.path("want.npy")):
        problems.append("not what is made of the file")
    WORK.leftovers()
    return " ".join(["parts of tcat", *options]), problems


def check_in_place(_):
    """What is written in place may come from far away."""
    server = server_of_own()
    shutil.copy(FILES + "/a.npy", WORK.path("mine.npy"))
    ran = Ran(server, "tassign", "mine.npy", "5:10",
              server.url("ok", "z.npz:b"), "--in-place")
    want = ARRAY.copy()
    want[5:10] = ARRAY[:5]
    problems = []
    if ran.status or not np.array_equal(np.load(WORK.path("mine.npy")), want):
        problems.append(f"status {ran.status}, {ran.err!r}")
    WORK.leftovers("mine.npy")
    return "in place, from far away", problems


# ---- what is not -----------------------------------------------------------

# A fault, what is read, the status, and a part of the message.
WRONG = [
    ("changed", "a.npy", 4, "was changed"),
    ("changed-date", "a.npy", 4, "was changed"),
    ("changed-if", "a.npy", 4, "was changed"),
    ("precondition", "a.npy", 4, "was changed"),
    ("wrong-size", "a.npy", 4, "was changed"),
    ("wrong-range", "a.npy", 4, "other bytes than"),
    ("encoded", "a.npy", 4, "encoded"),
    ("huge-header", "a.npy", 4, "too long a header"),
    ("gone", "a.npy", 4, "the server says 404 Not Found: gone"),
    ("down", "a.npy", 4, "503 Service Unavailable: on fire (tried 6 times)"),
    ("loop", "a.npy", 4, "redirects"),
    ("to-file", "a.npy", 4, '"file"'),
    ("private", "a.npy", 4, "the server says 401 Unauthorized"),
    ("xml", "a.npy", 4, r"403 Forbidden: Access \x1b[31mDenied"),
    ("ok", "none.npy", 4, "the server says 404 Not Found: no such thing"),
    ("ok", "empty.npy", 3, "empty"),
    ("stream", "empty.npy", 3, "empty"),
    ("ok", "z.npz", 3, "several"),
    ("ok", "z.npz:d", 3, "the archive has: a, b"),
    ("ok", "a.npy:x", 4, "404"),
    ("ok", "raw.bin", 3, ""),
    ("ok", "one.npy:x.npz:y", 4, "404"),
]


def check_wrong(item):
    fault, name, status, text = item
    server = server_of_own()
    url = server.url(fault, name, "ada:secret@") + "?sign=secret"
    if ":" in name:
        url = server.url(fault, name, "ada:secret@")
    ran = Ran(server, "tslice", "-v", url, "::700", "-o", "out.npy")
    said = Ran(server, "tslice", "--json", url, "::700", "-o", "out.npy")
    problems = []
    lines = [s for s in ran.err.splitlines() if "bytes" not in s or
             text in s]
    if ran.status != status or text not in "".join(lines):
        problems.append(f"status {ran.status}, {ran.err!r}")
    if "secret" in ran.err or "secret" in said.err:
        problems.append(f"tells secrets: {ran.err!r} {said.err!r}")
    kind = json.loads(said.err)["error"] if said.err else {}
    if fault not in ("gone", "precondition") and \
            kind.get("status") != status and "changed" not in fault:
        problems.append(f"as JSON: {said.err!r}")
    left = WORK.leftovers("out.npy" if "changed" in fault else "")
    problems += [f"left behind: {n}" for n in left]
    return f"{fault}: {name}", problems


# A fault that passes, and in how many requests.
PASSING = [("cut", 5), ("busy", 9), ("redirect", 6), ("dated", 3),
           ("weak", 3), ("bare", 3), ("long-promise", 3), ("whole", 1),
           ("stream", 1)]


def check_passing(item):
    fault, requests = item
    server = server_of_own()
    ran = Ran(server, "tslice", "-v", server.url(fault, "a.npy"), "::700",
              "-o", "out.npy")
    problems = []
    if ran.status:
        problems.append(f"status {ran.status}, {ran.err!r}")
    elif not np.array_equal(ran.result(), ARRAY[::700]):
        problems.append("wrong elements")
    if len(ran.asked) != requests:
        problems.append(f"asked for {ran.asked}")
    if " bytes came in " not in ran.err or \
            ("no ranges" in ran.err) != (requests == 1):
        problems.append(f"says {ran.err!r}")
    WORK.leftovers()
    return f"{fault} passes", problems


def check_silence(_):
    server = server_of_own()
    ran = Ran(server, "tslice", server.url("silent", "a.npy"), "0",
              TSLICE_TIMEOUT="1")
    server.released.set()
    problems = []
    if ran.status != 4 or "tried 6 times" not in ran.err:
        problems.append(f"status {ran.status}, {ran.err!r}")
    return "a server that says nothing is given up", problems


def check_refused(_):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        server = server_of_own()
        ran = Ran(server, "tslice", f"http://127.0.0.1:{port}/a.npy", "0")
    return "nobody there is told at once", [] if ran.status == 4 and \
        "tried" not in ran.err else [ran.err]


def check_query(name):
    """A member is named behind the query that lets its archive in."""
    server = server_of_own()
    file, member = name.split(":")
    url = server.url("ok", f"{file}?sign=1:2&key=secret:{member}")
    ran = Ran(server, "tslice", "-v", url, "1", "-o", "out.npy")
    problems = []
    if ran.status or not np.array_equal(ran.result(), ARRAY[1]):
        problems.append(f"status {ran.status}, {ran.err!r}")
    if server.paths != {f"/ok/{file}?sign=1:2&key=secret"}:
        problems.append(f"asked for {server.paths}")
    os.mkdir(WORK.path("made"))
    many = Ran(server, "tslice", url, url + "x", "1", "-t", "made")
    if os.listdir(WORK.path("made")) != [member + ".npy"]:
        problems.append(f"makes {os.listdir(WORK.path('made'))}")
    if "secret" in ran.err + many.err or f"?...:{member}x: " not in many.err:
        problems.append(f"says {ran.err!r}, {many.err!r}")
    shutil.rmtree(WORK.path("made"))
    WORK.leftovers()
    return f"{name} behind a query", problems


def check_usage(item):
    server = server_of_own()
    url = server.url("ok", "a.npy", "ada:secret@")
    args = [a.replace("{a}", url) for a in item]
    ran = Ran(server, *args)
    problems = []
    if ran.status != 2 or ran.asked or "secret" in ran.err:
        problems.append(f"status {ran.status}, {ran.err!r}, {ran.asked}")
    return f"refused: {' '.join(item)}", problems


USAGE = [
    ["tslice", FILES + "/a.npy", "0", "-o", "{a}"],
    ["tassign", "{a}", "0", "--value", "7", "--in-place"],
    ["tassign", "{a}", "{a}", "0", "--value", "7", "--in-place"],
    ["tslice", FILES + "/a.npy", "0", "-t", "{a}"],
    ["tslice", "{a}/../b.npy", "0", "-t", TOP, "--parents"],
    ["tcat", "--append", "{a}", FILES + "/a.npy"],
    ["tslice", "--explain=ranges", "--shape", "3,4", "0"],
    ["tslice", FILES + "/a.npy", "{a}?sign=secret"],
    ["tslice", FILES + "/a.npy", "0", "{a}?sign=secret"],
    ["tslice", FILES + "/a.npy", "--begin", "{a}?sign=secret", "--end", "1"],
    ["tslice", "--explain=ranges"],
    ["tslice", "--explain=nothing", FILES + "/a.npy", "0"],
]


def check_netrc(_):
    server = server_of_own()
    home = WORK.path("home")
    os.mkdir(home)
    with open(home + "/.netrc", "w", opener=lambda p, f: os.open(p, f, 0o600),
              encoding="ascii") as f:
        f.write("machine 127.0.0.1 login ada password lovelace\n")
    ran = Ran(server, "tslice", server.url("private", "a.npy"), "0", "-o",
              "out.npy", HOME=home)
    shutil.rmtree(home)
    WORK.leftovers()
    return ".netrc lets in", [] if ran.status == 0 else [ran.err]


def check_no_library(_):
    server = server_of_own()
    broken = WORK.path("broken")
    os.mkdir(broken)
    with open(broken + "/libcurl.so.4", "w", encoding="ascii"):
        pass
    ran = Ran(server, "tslice", server.url("ok", "a.npy"), "0",
              LD_LIBRARY_PATH=broken)
    shutil.rmtree(broken)
    problems = []
    if ran.status != 4 or "libcurl4" not in ran.err or ran.asked:
        problems.append(f"status {ran.status}, {ran.err!r}")
    return "without libcurl the package is named", problems


def check_memory(_):
    """80 MiB come, of which few are here at any time."""
    if SAN:
        return "memory is bounded # skip sanitizers take their own", []
    server = server_of_own()
    ran = Ran(server, "sh", "-c", 'ulimit -v 150000; exec "$@"', "sh",
              "tslice", "--max-memory", "8M", server.url("ok", "big.npy"),
              "1:", "-o", "out.npy")
    problems = []
    if ran.status:
        problems.append(f"status {ran.status}, {ran.err!r}")
    WORK.leftovers()
    return "memory is bounded", problems


def check_together(_):
    """Far rows are asked for several at a time."""
    server = server_of_own(latency=0.05)
    ran = Ran(server, "tslice", "-j", "16", server.url("ok", "big.npy"),
              "::320", "-o", "out.npy")
    problems = []
    if ran.status or len(ran.asked) != 32 or not 8 < server.most <= 16:
        problems.append(f"{len(ran.asked)} requests, {server.most} at once, "
                        f"{ran.err!r}")
    WORK.leftovers()
    return "far rows are asked for together", problems


def check_held(_):
    """Who waits for one row asks for the others meanwhile."""
    server = server_of_own()
    server.hold = 26  # the header, and 25 rows
    ran = Ran(server, "tslice", "-j", "2", server.url("held", "big.npy"),
              "::400", "-o", "out.npy")
    problems = []
    if ran.status or server.gave_up:
        problems.append(f"{len(ran.asked)} requests, {ran.err!r}")
    WORK.leftovers()
    return "a row that takes long keeps no other waiting", problems


def check_late(fault):
    """What has come is written before what comes next has."""
    server = server_of_own()
    with subprocess.Popen(["tslice", server.url(fault, "big.npy"), "1:"],
                          env=ENVIRONMENT, stdout=subprocess.PIPE) as p:
        data = p.stdout.read(1 << 20)
        server.released.set()
        data += p.stdout.read()
    a = np.load(FILES + "/big.npy", mmap_mode="r")[1:]
    problems = []
    if p.returncode or server.gave_up or data[-a.nbytes:] != a.tobytes():
        problems.append(f"status {p.returncode}, {len(data)} bytes")
    return f"{fault}: what has come is written at once", problems


# ---- real servers ----------------------------------------------------------

NGINX = """
daemon off; pid {top}/nginx.pid; error_log stderr crit;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {top}/t1; proxy_temp_path {top}/t2;
  fastcgi_temp_path {top}/t3; uwsgi_temp_path {top}/t4; scgi_temp_path {top}/t5;
  server {{
    listen 127.0.0.1:{port};
    listen 127.0.0.1:{tls} ssl;
    ssl_certificate {top}/cert.pem;
    ssl_certificate_key {top}/key.pem;
    root {files};
    location /whole/ {{ alias {files}/; max_ranges 0; }}
    location /moved/ {{ rewrite ^/moved/(.*) /$1 redirect; }}
    location /private/ {{
      alias {files}/; auth_basic x; auth_basic_user_file {top}/users;
    }}
  }}
}}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(port, process):
    while process.poll() is None:
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.01)
    return False


def make_certificate():
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
         "2", "-keyout", TOP + "/key.pem", "-out", TOP + "/cert.pem", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True)


def check_nginx(tap):
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if not nginx or not shutil.which("openssl"):
        tap.skip("nginx", "there is no nginx, or no openssl")
        return
    port, tls = free_port(), free_port()
    make_certificate()
    with open(TOP + "/users", "w", encoding="ascii") as f:
        f.write("ada:{PLAIN}lovelace\n")
    with open(TOP + "/nginx.conf", "w", encoding="ascii") as f:
        f.write(NGINX.format(top=TOP, files=FILES, port=port, tls=tls))
    process = subprocess.Popen(
        [nginx, "-p", TOP, "-c", TOP + "/nginx.conf"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        if not wait_for(port, process):
            tap.skip("nginx", "it does not run here")
            return
        os.chmod(TOP, 0o755)
        ask_nginx(tap, f"http://127.0.0.1:{port}",
                  f"https://127.0.0.1:{tls}")
    finally:
        process.terminate()
        process.wait()


def ask_nginx(tap, plain, tls):
    mine = {"CURL_CA_BUNDLE": TOP + "/cert.pem"}
    with_user = plain.replace("//", "//ada:lovelace@")
    for base, name, environment, status in [
            (plain, "a.npy", {}, 0), (plain, "z.npz:a", {}, 0),
            (plain, "c.npz:a", {}, 0), (plain + "/whole", "a.npy", {}, 0),
            (plain + "/moved", "a.npy", {}, 0), (tls, "a.npy", mine, 0),
            (tls, "z.npz:a", mine, 0), (tls, "a.npy", {}, 4),
            (plain + "/private", "a.npy", {}, 4),
            (with_user + "/private", "a.npy", {}, 0),
            (plain, "none.npy", {}, 4)]:
        ran = Ran(Nobody(), "tslice", f"{base}/{name}", "::700", "-o",
                  "out.npy", **environment)
        problems = []
        if ran.status != status:
            problems.append(f"status {ran.status}, {ran.err!r}")
        elif not status and not np.array_equal(ran.result(), ARRAY[::700]):
            problems.append("wrong elements")
        WORK.leftovers()
        tap.result(f"nginx: {base.split(':')[0]} {base[-8:]}/{name}, "
                   f"status {status}", problems)


class Nobody:
    def ranges(self):
        return []


MOTO = """
import boto3, sys
s3 = boto3.client("s3", endpoint_url=sys.argv[1], region_name="us-east-1")
s3.create_bucket(Bucket="bucket")
s3.upload_file(sys.argv[2], "bucket", "dir/a b+c.npy")
"""


def python_with_moto():
    for python in (sys.executable, shutil.which("python3")):
        if python and not subprocess.run(
                [python, "-c", "import moto.server, boto3"],
                capture_output=True, check=False).returncode:
            return python
    return None


def check_s3(tap):
    python = python_with_moto()
    if not python:
        tap.skip("s3", "there is no moto")
        return
    port = free_port()
    end = f"http://127.0.0.1:{port}"
    keys = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_REGION": "us-east-1",
            "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token",
            "AWS_ENDPOINT_URL": end}
    process = subprocess.Popen(
        [python, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        subprocess.run([python, "-c", MOTO, end, FILES + "/a.npy"], check=True,
                       env={**os.environ, **keys}, capture_output=True)
        for name, status in [("bucket/dir/a b+c.npy", 0), ("bucket/no.npy", 4)]:
            ran = Ran(Nobody(), "tslice", "s3://" + name, "::700", "-o",
                      "out.npy", **keys)
            problems = []
            if ran.status != status or "secret" in ran.err:
                problems.append(f"status {ran.status}, {ran.err!r}")
            elif not status and not np.array_equal(ran.result(),
                                                   ARRAY[::700]):
                problems.append("wrong elements")
            WORK.leftovers()
            tap.result(f"s3: {name}", problems)
    finally:
        process.terminate()
        process.wait()


def check_signed(_):
    """The request is signed, if there are keys, and the key escaped."""
    server = server_of_own()
    end = "http://127.0.0.1:%d" % server.server_address[1]
    problems = []
    for keys in (0, 1):
        environment = {"AWS_ENDPOINT_URL": end + "/"}
        if keys:
            environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE",
                               AWS_SECRET_ACCESS_KEY="secret",
                               AWS_SESSION_TOKEN="token",
                               AWS_REGION="eu-west-1")
        p = subprocess.run(["tslice", "s3://ok/no such+key", "0"],
                           env={**ENVIRONMENT, **environment}, check=False,
                           capture_output=True)
        path, _, headers = server.log[-1]
        auth = headers.get("Authorization", "")
        if path != "/ok/no%20such%2Bkey" or p.returncode != 4:
            problems.append(f"{path}, {p.stderr!r}")
        if keys != ("AKIDEXAMPLE/" in auth and "eu-west-1/s3/" in auth) or \
                keys != ("token" == headers.get("x-amz-security-token")):
            problems.append(f"{headers}")
        if b"secret" in p.stderr or b"AKID" in p.stderr:
            problems.append(f"tells secrets: {p.stderr!r}")
    return "s3 is signed", problems


def has_library():
    try:
        ctypes.CDLL("libcurl.so.4")
    except OSError:
        return False
    return True


def main():
    tap = Tap()
    if not has_library():
        tap.skip("URLs", "there is no libcurl")
        tap.done()
        return
    with WORK:
        write_files()
        # Those that wait come first, and others run meanwhile.
        in_parallel(tap, lambda item: item[0](item[1]), [
            *[(check, None) for check in (
                check_silence, check_refused, check_netrc, check_no_library,
                check_memory, check_together, check_held,
                check_signed)],
            *[(check_late, fault) for fault in ("late", "late-whole")],
            *[(check_wrong, w) for w in WRONG],
            *[(check_passing, p) for p in PASSING],
            *[(check_usage, u) for u in USAGE],
            *[(check_right, (fault, case))
              for fault in ("ok", "whole", "stream") for case in RIGHT],
            *[(check_many, (fault, *m)) for fault in ("ok", "stream")
              for m in MANY],
            *[(check_sides, (fault, s)) for fault in ("ok", "stream")
              for s in SIDES],
            *[(check_compared, c) for c in COMPARED],
            (check_in_place, None),
            (check_parts, []), (check_parts, ["--axis", "1"]),
            *[(check_query, n) for n in ("z.npz:b", "t.safetensors:b")],
            *[(check_explained, spec) for spec in (
                "...", "0", "1400:", "::700", ":, 5", "::-300, 3", "5:5")],
            *[(check_command, (fault, case)) for fault in ("ok", "stream")
              for case in other_commands()],
        ])
        check_nginx(tap)
        check_s3(tap)
    tap.done()


if __name__ == "__main__":
    main()
