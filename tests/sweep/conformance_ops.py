"""Every case of tests/cases/conformance for tgather, tsetdiag and tshape.

usage: conformance_ops.py [--only REGEX] [--by files|pipes|little|device]

One TAP line a case.  Inputs come as files, through pipes and in Fortran order;
shapes are spelled in every way, and asked for as text and as JSON.  With --by
pipes, little or device there are only the operations on data: all inputs and
the output are pipes, there is little memory, or the device is for another to
choose.
"""
import io
import json
import os

import numpy as np

from conformance import WORK, arguments, differences, kinds_of, listed
from conformance import load_cases, refusal_problems, run_by
from tap import Pipe, Tap, in_parallel, read_bytes, run, status_of

# Either input or both on standard input; the other through a pipe as well.
PIPED = {"first from -": {0}, "second from -": {1}, "both from -": {0, 1}}
METHODS = {
    "numDimensions": "ndim", "size": "size", "get": "dim", "head": "head",
    "tail": "tail", "take": "take", "takeLast": "take-last",
    "subShape": "sub", "append": "append", "prepend": "prepend",
    "isUnknown": "is-unknown", "hasUnknownDimension": "has-unknown",
    "isScalar": "is-scalar", "isVector": "is-vector", "isMatrix": "is-matrix",
    "isCompatibleWith": "compatible", "equals": "equals",
}
# isCompatible compares two sizes, asArray and toString are conversions: no
# method of tshape; the unit tests of the algebra have these cases.
NO_METHOD = {"isCompatible", "asArray", "toString"}
FACTS = ["shape", "ndim", "size", "dtype", "fortran_order", "nbytes",
         "data_offset"]


# tgather and tsetdiag.

def resaved(case):
    """The expected array as numpy.save writes it, in C order."""
    want = np.load(case["expect"])
    dtype = np.load(case["files"][0]).dtype
    file = io.BytesIO()
    np.save(file, np.array(want, order="C").astype(dtype, copy=False))
    return file.getvalue()


def judge(ran, case, data):
    """What is wrong with a run that left 'data', or None, as its result."""
    if not isinstance(case["expect"], str):
        found = refusal_problems(ran, case)
        return found + (["an output file"] if data is not None else [])
    if ran.status != 0 or ran.out or ran.err or data is None:
        return [f"{ran}; {len(ran.out)} bytes on standard output, output "
                f"file {'missing' if data is None else 'made'}"]
    found = [f"{p}: {ran}" for p in differences(WORK.path("out.npy"), case)]
    if not found and data != resaved(case):
        found.append(f"not the bytes that numpy.save writes: {ran}")
    return found


def attempt(args, case):
    """Runs a command that writes out.npy; the problems found."""
    return finished(run_by(case["by"], args, case["files"]), case)


def through_pipes(args, case, on_stdin):
    """The same on two inputs, these on standard input, the other a pipe."""
    inputs = [read_bytes(f) for f in case["files"]]
    words = ["-" if i in on_stdin else Pipe(data)
             for i, data in enumerate(inputs)]
    return finished(run([*args, *words], WORK.here(),
                        feed=b"".join(inputs[i] for i in on_stdin)), case)


def finished(ran, case):
    out = WORK.path("out.npy")
    data = read_bytes(out) if os.path.exists(out) else None
    found = judge(ran, case, data)
    left = [n for n in WORK.leftovers() if n != "out.npy"]
    return found + ([f"left behind: {left}: {ran}"] if left else [])


def to_stdout(args, case):
    """The result on standard output is what numpy.save writes."""
    ran = run(args, WORK.here())
    if not isinstance(case["expect"], str):
        return [] if ran.status and not ran.out else [str(ran)]
    if ran.status != 0 or ran.err or ran.out != resaved(case):
        return [f"on standard output: {ran}"]
    return []


def fortran_copy(path, number):
    """A copy in Fortran order, outside the directory that must stay clean."""
    copy = f"{WORK.here()}-{number}.npy"
    np.save(copy, np.array(np.load(path), order="F"))
    return copy


def check_data(case, command, forms):
    """Every form of the options, and the inputs in every manner."""
    command = [command, "--json", "-o", WORK.path("out.npy")]
    problems = []
    for form in forms:
        problems += attempt([*command, *case["files"], *form], case)
    if case["by"] == "pipes":
        return f"{case['id']} {case['cat']}", problems
    form = forms[0]
    for name, on_stdin in PIPED.items():
        found = through_pipes([*command, *form], case, on_stdin)
        problems += [f"{name}: {p}" for p in found]
    copies = [fortran_copy(p, i) for i, p in enumerate(case["files"])]
    problems += ["Fortran order: " + p
                 for p in attempt([*command, *form, *copies], case)]
    problems += to_stdout([command[0], *case["files"], *form], case)
    return f"{case['id']} {case['cat']}", problems


def check_gather(case):
    args, options = case["args"], []
    if "oob" in args:
        options += ["--bad-indices", args["oob"]]
    if "batch_dims" in args:
        options += ["--batch-dims", str(args["batch_dims"])]
    forms = [options]
    if options:
        forms.append([f"{options[i]}={options[i + 1]}"
                      for i in range(0, len(options), 2)])
    if not isinstance(case["expect"], str):
        forms.append([*options, "--bad-indices", "error"])
    return check_data(case, "tgather", forms)


def band_texts(k):
    """The ways of saying -k."""
    if not isinstance(k, list):
        return [str(k)]
    commas = listed(k)
    return [f"{k[0]}:{k[1]}", commas] if len(k) == 2 else [commas]


def band_forms(args):
    """The options -k and --align of a case, in every spelling."""
    align = ["--align", args["align"]] if "align" in args else []
    if "k" not in args:
        return [align, [*align, "-k", "0"]]
    texts = band_texts(args["k"])
    return [["-k", text, *align] for text in texts] \
        + [[*align, "-k" + text] for text in texts if text]


def check_setdiag(case):
    return check_data(case, "tsetdiag", band_forms(case["args"]))


# tshape.

def spelled(shape, style):
    """A shape, or a size, as a literal in one of four styles."""
    if shape is None:
        return "unknown"
    mark = "-1" if style in (1, 3) else "?"
    if isinstance(shape, int):
        return mark if shape == -1 else str(shape)
    sizes = [mark if n == -1 else str(n) for n in shape]
    if style == 0:
        return "(" + ", ".join(sizes) + (",)" if len(sizes) == 1 else ")")
    if style == 1:
        return "[" + ",".join(sizes) + "]"
    if not sizes:
        return ["[]", "()"][style - 2]
    return ",".join(sizes) if style == 2 else "(" + ",".join(sizes) + ")"


def operands(case, style):
    """The subject, the method and its arguments."""
    args = case["args"]
    method = METHODS[args["method"]]
    if method in ("append", "prepend", "equals", "compatible"):
        more = [spelled(w, style) for w in args["with"]]
    else:
        more = [str(w) for w in args["with"]]
    return [spelled(args["this"], style), method, *more]


def as_text(expect):
    """What tshape prints for an expectation."""
    if "shape" in expect:
        return spelled(expect["shape"], 0)
    value = expect["value"]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "?" if value == -1 else str(value)


def json_matches(text, expect):
    """Is the line the bare value, or the object of the shape?"""
    try:
        got = json.loads(text)
    except ValueError:
        return False
    if "value" in expect:
        value = expect["value"]
        return got == value and isinstance(got, bool) == isinstance(value, bool)
    shape = expect["shape"]
    size = -1 if -1 in shape else int(np.prod(shape, dtype=object))
    return (list(got) == FACTS and got["shape"] == shape
            and got["ndim"] == len(shape) and got["size"] == size
            and all(got[key] is None for key in FACTS[3:]))


def answer_problems(ran, case, as_json):
    """What is wrong with what tshape printed and how it ended."""
    expect = case["expect"]
    if ran.status != (1 if expect.get("value") is False else 0) or ran.err:
        return [str(ran)]
    if as_json:
        good = (ran.out.count(b"\n") == 1 and ran.out.endswith(b"\n")
                and json_matches(ran.out, expect))
    else:
        good = ran.out == as_text(expect).encode() + b"\n"
    return [] if good else [f"{ran} printed {ran.out!r}, not {expect}"]


def refused_in_text(ran, case):
    """One line for people, the same status, and no answer."""
    allowed = {status_of(kind) for kind in kinds_of(case)}
    good = (ran.status in allowed and not ran.out
            and ran.err.startswith(b"tshape: ") and ran.err.count(b"\n") == 1)
    return [] if good else [f"not refused as it should be: {ran}"]


def check_shape(case):
    problems = []
    for style in range(4):
        words = operands(case, style)
        plain = run(["tshape", *words], WORK.here())
        asked = run(["tshape", "--json", *words], WORK.here())
        if "error" in case["expect"]:
            problems += refused_in_text(plain, case)
            problems += refusal_problems(asked, case)
        else:
            problems += answer_problems(plain, case, False)
            problems += answer_problems(asked, case, True)
    left = WORK.leftovers()
    if left:
        problems.append(f"left behind: {left}")
    return f"{case['id']} {case['args']['method']}", problems


def main():
    args = arguments()
    tap = Tap()
    with WORK:
        in_parallel(tap, check_gather,
                    load_cases("gather_nd", args.only, args.by))
        in_parallel(tap, check_setdiag,
                    load_cases("matrix_set_diag", args.only, args.by))
        shapes = [c for c in load_cases("shape", args.only, args.by)
                  if c["args"]["method"] not in NO_METHOD]
        if args.by == "files":
            in_parallel(tap, check_shape, shapes)
    tap.done()


if __name__ == "__main__":
    main()
