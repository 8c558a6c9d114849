"""Every case of tests/cases/conformance for slice and strided_slice.

usage: conformance.py [--only REGEX] [--by files|pipes|little]

One TAP line a case.  A slice string is handed over in brackets and bare, and
what --explain --json prints for it is given back with --encoding.  Inputs and
output are files; or all of them pipes; or files, and there is little memory.
"""
import argparse
import json
import os
import re

import numpy as np

from tap import (CASES, Ran, Tap, Workshop, in_parallel, read_bytes, run,
                 status_of)

KEYS = ["begin", "end", "strides", "begin_mask", "end_mask", "ellipsis_mask",
        "new_axis_mask", "shrink_axis_mask"]
INT = r"-?\d+"
# What the columns of an error must point at.
POINTS_AT = {
    "index_out_of_range": INT,
    "overflow": INT,
    "multiple_ellipsis": r"\.\.\.|Ellipsis",
    "zero_stride": r".*0",
    "too_many_indices": r".*\S.*",
}
WORK = Workshop()


def load_cases(op, only, way):
    folder = os.path.join(CASES, "conformance", op)
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as f:
        cases = [json.loads(line) for line in f]
    for case in cases:
        case["by"] = way
        case["files"] = [os.path.join(folder, n) for n in case["inputs"]]
        if isinstance(case["expect"], str):
            case["expect"] = os.path.join(folder, case["expect"])
    return [c for c in cases if re.search(only, c["id"])]


def differences(got, case):
    """How the file 'got' differs from what the case expects."""
    try:
        a = np.load(got)
    except (OSError, ValueError) as e:
        return [f"the output cannot be loaded: {e}"]
    first = np.load(case["files"][0])
    want = np.load(case["expect"])
    found = []
    if a.dtype.str != first.dtype.str or a.dtype != first.dtype:
        found.append(f"dtype {a.dtype.str}, the input's is {first.dtype.str}")
    if a.shape != want.shape:
        return found + [f"shape {a.shape}, not {want.shape}"]
    same_order = want.astype(want.dtype.newbyteorder("<"))
    if a.astype(a.dtype.newbyteorder("<")).tobytes() != same_order.tobytes():
        found.append(f"values differ: {a!r:.300}, not {want!r:.300}")
    return found


def place_problems(error, text):
    """Is the place that an error names one in the slice text?"""
    column, length = error.get("column"), error.get("length")
    if not isinstance(column, int) or not isinstance(length, int):
        return [f"no column and length for {text!r}: {error}"]
    # The place just after the end is where something is missing.
    if column < 1 or length < 0 or column - 1 + length > len(text) + 1:
        return [f"column {column}, length {length} lie outside {text!r}"]
    part = text[column - 1:column - 1 + length]
    pattern = POINTS_AT.get(error["kind"])
    if pattern and not re.fullmatch(pattern, part):
        return [f"{error['kind']} points at {part!r} of {text!r}"]
    return []


def kinds_of(case):
    """The kinds of error that a case allows; none if it must succeed."""
    expect = case["expect"]
    if isinstance(expect, str):
        return []
    return [expect["error"], *expect.get("also", [])]


def refusal_problems(ran, case, text=None):
    """What is wrong with the way a command was refused."""
    kinds = kinds_of(case)
    error = ran.error()
    if error is None or ran.err.count(b"\n") != 1:
        return [f"not one line with a JSON error: {ran}"]
    found = []
    if error.get("kind") not in kinds:
        found.append(f"kind {error.get('kind')}, not {kinds}: {ran}")
    if not error.get("message"):
        found.append(f"no message: {ran}")
    want = status_of(error.get("kind"))
    if ran.status != want or error.get("status") != want:
        found.append(f"status {ran.status} and {error.get('status')}, "
                     f"not {want}: {ran}")
    if ran.out:
        found.append(f"{len(ran.out)} bytes on standard output: {ran}")
    if text is not None:
        found += place_problems(error, text)
    elif "column" in error:
        found.append(f"a column, and no slice text: {error}")
    return found


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="regex on the case's id")
    parser.add_argument("--by", default="files",
                        choices=["files", "pipes", "little", "device"])
    return parser.parse_args()


def run_by(way, args, files):
    """Runs a command on files, with -o out.npy, that gets at them that way."""
    if way == "little":
        args = [args[0], "--max-memory", "1M", *args[1:]]
    if way != "pipes":
        return run(args, WORK.here())
    out = WORK.path("out.npy")
    at = args.index(out)
    args = args[:at - 1] + args[at + 1:]
    feed = b"".join(read_bytes(a) for a in args if a in files)
    ran = run(["-" if a in files else a for a in args], WORK.here(), feed=feed)
    if ran.out:
        with open(out, "wb") as f:
            f.write(ran.out)
    return Ran(ran.args, ran.status, b"", ran.err)


def outcome(args, case, text=None):
    """Runs tslice on the case; (problems, the output's bytes or None)."""
    ran = run_by(case["by"], ["tslice", "--json", *args], case["files"])
    good = isinstance(case["expect"], str)
    made, data = os.path.exists(WORK.path("out.npy")), None
    if good and (ran.status != 0 or ran.out or ran.err or not made):
        found = [f"{ran}; {len(ran.out)} bytes on standard output, output "
                 f"file {'made' if made else 'missing'}"]
    elif good:
        found = [f"{p}: {ran}" for p in
                 differences(WORK.path("out.npy"), case)]
        data = read_bytes(WORK.path("out.npy"))
    else:
        found = refusal_problems(ran, case, text)
    left = WORK.leftovers(*(["out.npy"] if good else []))
    if left:
        found.append(f"left behind: {left}: {ran}")
    return found, data


def spellings(source, spec):
    """(operands, slice text) for each way of handing a spec over."""
    yield [source, "[" + spec + "]"], "[" + spec + "]"
    if "[" in spec or "]" in spec:
        return
    yield ["--", source, spec], spec
    # A slice such as -1 or -:3 needs no "--"; other dashes would be options.
    if not spec.startswith("-") or re.match(r"-[0-9:]", spec):
        yield [source, spec], spec


def explain(case, text):
    """Problems of --explain --json, and what it printed (None: refused)."""
    ran = run(["tslice", "--explain", "--json", "--", text], WORK.here())
    # What is wrong whatever the data is refused here too; some cases have an
    # encoding all the same, since they break another rule first.
    if any(status_of(k) == 2 for k in kinds_of(case)):
        return refusal_problems(ran, case, text), None
    if ran.status != 0 or ran.err or ran.out.count(b"\n") != 1:
        return [f"not one line on standard output: {ran}"], None
    try:
        got = json.loads(ran.out)
    except ValueError as e:
        return [f"--explain --json prints no JSON ({e}): {ran.out!r}"], None
    if list(got) != KEYS or got != case["encoding"]:
        return [f"encoding {got}, not {case['encoding']}"], None
    return [], ran.out


def check_slice(case):
    spec, source = case["args"]["spec"], case["files"][0]
    problems, results = [], set()
    for operands, text in spellings(source, spec):
        found, data = outcome(["-o", WORK.path("out.npy"), *operands],
                              case, text)
        problems += found
        results.add(data)
    found, printed = explain(case, "[" + spec + "]")
    problems += found
    if printed is not None:
        problems += give_back(case, source, printed, results)
    return f"{case['id']} [{ascii(spec)[1:-1][:60]}]", problems


def written(data):
    """A file with 'data', outside the directory that must stay clean."""
    path = WORK.here() + ".json"
    with open(path, "wb") as f:
        f.write(data)
    return path


def give_back(case, source, printed, results):
    """The encoding that was printed must do what the slice string did."""
    found, data = outcome([source, "--encoding", written(printed),
                           "-o", WORK.path("out.npy")], case)
    if results != {data}:
        found.append("--encoding gives other bytes than the slice string, "
                     "or its spellings differ")
    return found


def listed(values):
    return ",".join(map(str, values))


def long_options(args, hexadecimal):
    """The raw vectors as options: --begin=1,2 or, else, --begin 1,2."""
    options = []
    for key in KEYS:
        value = args[key]
        if isinstance(value, list):
            value = listed(value)
        elif hexadecimal and value >= 0:
            value = hex(value)
        name = "--" + key.replace("_", "-")
        if hexadecimal:
            options += [name, str(value)]
        else:
            options += [f"{name}={value}"]
    return options


def short_json(args):
    """The raw vectors as JSON, leaving out what a default says as well."""
    brief = {k: v for k, v in args.items() if v != 0 or isinstance(v, list)}
    if len({len(args[k]) for k in KEYS[:3]}) == 1 and \
            all(s == 1 for s in args["strides"]):
        del brief["strides"]
    return brief


def vector_forms(args):
    """The arguments of each way of handing raw vectors over."""
    yield long_options(args, False)
    yield long_options(args, True)
    for vectors in (args, short_json(args)):
        yield ["--encoding", written(json.dumps(vectors).encode())]


def check_vectors(case):
    results, problems = set(), []
    for form in vector_forms(case["args"]):
        found, data = outcome([case["files"][0], *form, "-o",
                               WORK.path("out.npy")], case)
        problems += found
        results.add(data)
    if len(results) != 1:
        problems.append("the ways of giving the vectors differ in result")
    return f"{case['id']} {case['cat']}", problems


def main():
    args = arguments()
    tap = Tap()
    with WORK:
        in_parallel(tap, check_slice,
                    load_cases("slice", args.only, args.by))
        in_parallel(tap, check_vectors,
                    load_cases("strided_slice", args.only, args.by))
    tap.done()


if __name__ == "__main__":
    main()
