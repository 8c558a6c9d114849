"""Every case of tests/cases/conformance that is a command line and a folder.

usage: conformance_lines.py [--only REGEX]

One TAP line a case: the exit status, what was said, and every file that is
there afterwards.
"""
import argparse
import json
import os
import re
import shutil

from tap import CASES, Tap, Workshop, in_parallel, read_bytes, run

OPS = ["raw", "safetensors"]
WORK = Workshop()


def load_cases(op, only):
    folder = os.path.join(CASES, "conformance", op)
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as f:
        cases = [dict(json.loads(line), folder=folder) for line in f]
    return [c for c in cases if re.search(only, c["id"])]


def data(case, name):
    return read_bytes(os.path.join(case["folder"], name))


def command_line(case, here):
    words = [a.replace("{cwd}", here) for a in case["argv"]]
    # Where text is wanted JSON would be other text.
    text = any(w.startswith("--print") for w in words)
    return words if text and "errors" not in case else [*words, "--json"]


def kinds_of(stderr):
    lines = [line for line in stderr.decode().splitlines() if line]
    return [json.loads(line)["error"]["kind"] for line in lines]


def check_said(case, ran):
    statuses = case["status"]
    found = []
    if ran.status not in (statuses if isinstance(statuses, list)
                          else [statuses]):
        found.append(f"exit status {ran.status}, not {statuses}: {ran}")
    if "stdout" in case and ran.out.decode() != case["stdout"]:
        found.append(f"said {ran.out!r}, not {case['stdout']!r}")
    want = case.get("errors", [])
    kinds = kinds_of(ran.err) if "errors" in case else []
    if len(kinds) != len(want) or any(k not in w for k, w in zip(kinds, want)):
        found.append(f"errors {kinds}, not {want}: {ran}")
    return found


def check_files(case, ran, here):
    want = {n: data(case, f) for n, f in case["files"].items()}
    want.update((n, data(case, f)) for n, f in case.get("result", {}).items())
    got = {n: read_bytes(os.path.join(here, n)) for n in os.listdir(here)}
    if "-" in want:
        got["-"] = ran.out
    return [f"{n} is not as it should be: {ran}"
            for n in sorted(want.keys() | got.keys())
            if want.get(n) != got.get(n)]


def check(case):
    here = WORK.path(case["id"])
    os.mkdir(here)
    for name, source in case["files"].items():
        with open(os.path.join(here, name), "wb") as f:
            f.write(data(case, source))
    feed = data(case, case["stdin"]) if "stdin" in case else None
    ran = run(command_line(case, here), here, feed=feed)
    found = check_said(case, ran) + check_files(case, ran, here)
    shutil.rmtree(here)
    return f"{case['id']} {case['cat']}", found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    only = parser.parse_args().only
    tap = Tap()
    with WORK:
        in_parallel(tap, check, [c for op in OPS for c in load_cases(op, only)])
    tap.done()


if __name__ == "__main__":
    main()
