"""Every case of tests/cases/conformance that is a command line and a folder.

usage: conformance_lines.py [--only REGEX] [--all | FOLDER...]

One TAP line a case.  Those of the folders named in the file 'active' beside
them are run, of these FOLDERs, or of all with --all.  The command is run in a
folder of its own with the case's files, and must leave and say what the case
expects.  Cases of other machines are skipped.
"""
import argparse
import io
import json
import os
import re
import shutil
import sys
import tempfile
import zipfile

import numpy as np

from tap import CASES, Tap, Workshop, in_parallel, read_bytes, run

FOLDERS = os.path.join(CASES, "conformance")
# Gaps in the ranges of a file that are no gaps.
CLOSED = 256 * 1024
# What nobody wrote on purpose was written then.
EPOCH = (1980, 1, 1, 0, 0, 0)
WORK = Workshop()


class Case:
    """A line of cases.jsonl, and where its data are."""

    def __init__(self, folder, line):
        self.folder, self.line = folder, line
        self.id = line["id"]

    def get(self, key, default=None):
        return self.line.get(key, default)

    def data(self, name):
        return read_bytes(os.path.join(self.folder, name))

    def argv(self, cwd):
        """The command line; with --json where that changes nothing that is
        printed."""
        words = [w.replace("{cwd}", cwd) for w in self.line["argv"]]
        printing = any(w.startswith(("--print", "--explain")) for w in words)
        talks = words[0] == "tcmp" or printing or "stdout" in self.line
        if "--json" not in words and (self.get("errors") or not talks):
            words.insert(1, "--json")
        return words


# The folder before and after.

def lay_out(case, cwd):
    for name, data in case.line["files"].items():
        path = os.path.join(cwd, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.basename(name) == ".keep":
            with open(path, "wb") as f:
                f.write(case.data(data))
    for name, (data, size) in case.get("big", {}).items():
        with open(os.path.join(cwd, name), "wb") as f:
            f.write(case.data(data))
            f.truncate(size)


def files_in(cwd):
    """Paths of all files below, that are no more than a case may hold."""
    return {os.path.relpath(os.path.join(at, name), cwd)
            for at, _, names in os.walk(cwd) for name in names}


def file_problems(case, cwd):
    """What is there that should not be, or not as it should be."""
    want = {n: d for n, d in case.line["files"].items()
            if os.path.basename(n) != ".keep"}
    want |= {n: d for n, d in case.get("result", {}).items() if n != "-"}
    big, archives = case.get("big", {}), case.get("npz", {})
    there = files_in(cwd)
    found = [f"there is no {n}"
             for n in sorted({*want, *big, *archives} - there)]
    found += [f"{n} was left behind"
              for n in sorted(there - {*want, *big, *archives})]
    for name in sorted((want.keys() & there) - archives.keys()):
        found += differences(name, read_bytes(os.path.join(cwd, name)),
                             case.data(want[name]))
    for name, (_, size) in big.items():
        if os.path.getsize(os.path.join(cwd, name)) != size:
            found.append(f"{name} has another size")
    for name in sorted(archives.keys() & there):
        found += archive_problems(case, name, os.path.join(cwd, name))
    return found


def differences(name, got, want):
    if got == want:
        return []
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b),
              min(len(got), len(want)))
    return [f"{name}: {len(got)} bytes for {len(want)}, first difference at "
            f"{at}: {got[at:at + 40]!r}, not {want[at:at + 40]!r}"]


# Archives.

def members(data):
    """Name -> what an archive says of a member, with its bytes as stored."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        for i in z.infolist():
            at = i.header_offset
            name = int.from_bytes(data[at + 26:at + 28], "little")
            extra = int.from_bytes(data[at + 28:at + 30], "little")
            start = at + 30 + name + extra
            found[i.filename] = (i.CRC, i.compress_type, i.date_time,
                                 data[start:start + i.compress_size])
    return found


def archive_problems(case, name, path):
    want, data = case.line["npz"][name], read_bytes(path)
    try:
        with zipfile.ZipFile(path) as z:
            bad, order = z.testzip(), z.namelist()
            contents = {n: z.read(n) for n in want["written"] if n in order}
        with np.load(path) as arrays:
            for key in arrays.files:
                if key + ".npy" in want["written"]:
                    _ = arrays[key]
    except (OSError, ValueError, zipfile.BadZipFile) as e:
        return [f"{name} cannot be read: {e}"]
    found = [f"{name}: {bad} is damaged"] if bad else []
    if sorted(order) != want["members"]:
        found.append(f"{name} has {order}, not {want['members']}")
    for member, file in want["written"].items():
        found += differences(f"{name}:{member}", contents.get(member, b""),
                             case.data(file))
    return found + member_problems(case, name, members(data), want)


def member_problems(case, name, now, want):
    """How members are kept, those that were written and the others."""
    found = []
    method = zipfile.ZIP_DEFLATED if want["deflated"] else zipfile.ZIP_STORED
    for member in now.keys() & want["written"].keys():
        _, compress, date, _ = now[member]
        if date != EPOCH:
            found.append(f"{name}:{member} is of {date}")
        if compress != method:
            found.append(f"{name}:{member} has method {compress}")
    if name in case.line["files"]:
        before = members(case.data(case.line["files"][name]))
        kept, was = ([m for m in each if m not in want["written"]]
                     for each in (now, before))
        found += [f"{name}:{m} is not what it was" for m in kept
                  if now[m] != before.get(m)]
        if kept != was:
            found.append(f"{name} has {kept} in this order, not {was}")
    return found


# What was said.

def error_problems(case, ran):
    """Are the lines on standard error the errors that are expected?"""
    want, lines = case.get("errors", []), ran.err.splitlines()
    if len(lines) != len(want):
        return [f"{len(lines)} lines on standard error, not {len(want)}"]
    found = []
    for line, kinds in zip(lines, want):
        try:
            error = json.loads(line)["error"]
        except (ValueError, KeyError, TypeError):
            found.append(f"not a JSON error: {line!r}")
            continue
        if error.get("kind") not in kinds:
            found.append(f"kind {error.get('kind')}, not {kinds}")
        number = case.get("line")
        if number and not re.search(rf"\b{number}\b",
                                    error.get("message", "")):
            found.append(f"does not name line {number}: {error}")
    return found


def spans(text):
    """The ranges that were printed: first-last, one a line."""
    found = []
    for line in text.splitlines():
        m = re.fullmatch(r"(\d+)-(\d+)", line)
        if not m:
            raise ValueError(f"no range: {line!r}")
        found.append((int(m[1]), int(m[2])))
    return found


def range_problems(case, text):
    """Ranges ascend, are apart, and are those of the data; that of the header
    may go on for a while, and stand alone."""
    try:
        got = spans(text)
    except ValueError as e:
        return [str(e)]
    want = [tuple(r) for r in case.line["ranges"]]
    if any(b[0] - a[1] <= CLOSED for a, b in zip(got, got[1:])):
        return [f"ranges that are too near each other: {got[:4]}"]
    if any(covers(got, r) for r in header_ways(want, case.line["head"])):
        return []
    return [f"ranges {got[:6]}, not {want[:6]}"]


def header_ways(want, head):
    """What the ranges may be: alone, or with the header's as well, which is
    joined with the first where both are near each other."""
    yield want
    if want and want[0][0] < 2 * CLOSED:
        yield [(0, want[0][1]), *want[1:]]
    yield [(0, head - 1), *want]


def covers(got, want):
    """Equal, but for the header's range, which may end later."""
    if got == want:
        return True
    return (len(got) == len(want) and bool(got)
            and got[0][0] == want[0][0] == 0 and got[1:] == want[1:]
            and want[0][1] <= got[0][1] < CLOSED)


def output_problems(case, ran):
    if "ranges" in case.line:
        return range_problems(case, ran.out.decode("utf-8", "replace"))
    if "-" in case.get("result", {}):
        return differences("standard output", ran.out,
                           case.data(case.line["result"]["-"]))
    if case.get("stdout_json"):
        try:
            json.loads(ran.out)
        except ValueError:
            return [f"no JSON on standard output: {ran.out[:200]!r}"]
        return []
    if "stdout_lines" in case.line:
        count = ran.out.count(b"\n")
        return [] if count == case.line["stdout_lines"] else [
            f"{count} lines, not {case.line['stdout_lines']}"]
    want = case.get("stdout", "").encode("utf-8", "surrogateescape")
    return differences("standard output", ran.out, want)


# The cases.

def attempt(case):
    """One run in a folder of its own; what is wrong, and the archives."""
    cwd = tempfile.mkdtemp(dir=WORK.here())
    lay_out(case, cwd)
    stdin = case.get("stdin")
    ran = run(case.argv(cwd), cwd, feed=case.data(stdin) if stdin else None)
    allowed = case.line["status"]
    found = []
    if ran.status not in (allowed if isinstance(allowed, list) else [allowed]):
        found.append(f"status {ran.status}, not {allowed}")
    found += error_problems(case, ran) + output_problems(case, ran)
    found += file_problems(case, cwd)
    made = {n: read_bytes(os.path.join(cwd, n)) for n in case.get("npz", {})
            if os.path.exists(os.path.join(cwd, n))}
    shutil.rmtree(cwd)
    return [f"{p}: {ran}" for p in found], made


def check(case):
    found, made = attempt(case)
    if not found and made:
        again, same = attempt(case)
        found = again if same == made else ["another archive the second time"]
    return f"{case.id} {case.line['cat']}", found


def active():
    with open(os.path.join(FOLDERS, "active"), encoding="utf-8") as f:
        return [w for line in f for w in line.partition("#")[0].split()]


def is_ours(case):
    return case.get("endian", sys.byteorder) == sys.byteorder


def load(name, only):
    folder = os.path.join(FOLDERS, name)
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as f:
        cases = [Case(folder, json.loads(line)) for line in f]
    return [c for c in cases if re.search(only, c.id)]


def folders_with_lines():
    return [n for n in sorted(os.listdir(FOLDERS))
            if os.path.exists(os.path.join(FOLDERS, n, "cases.jsonl"))
            and "argv" in load(n, "")[0].line]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="regex on the case's id")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("folder", nargs="*")
    args = parser.parse_args()
    names = folders_with_lines() if args.all else args.folder or active()
    tap = Tap()
    with WORK:
        for name in names:
            cases = load(name, args.only)
            in_parallel(tap, check, [c for c in cases if is_ours(c)])
            for case in cases:
                if not is_ours(case):
                    tap.skip(case.id, "of machines of another byte order")
    if tap.count == 0:
        tap.skip("no folder", "none is active")
    tap.done()


if __name__ == "__main__":
    main()
