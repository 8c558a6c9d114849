"""Every case of tests/cases/conformance for tslice's --axes, -T and --reshape.

usage: conformance_axes.py [--only REGEX] [--by files|pipes|little|device]

One TAP line a case.  Options come in every spelling, the input and the output
as conformance_write.py has them; and what --explain --json says of the output
must be what is written.
"""
import json

import numpy as np

from conformance import KEYS, WORK, arguments, kinds_of, listed, load_cases
from conformance import spellings, vector_forms
from conformance_write import Form, check, refused, spelled_options
from npyfile import read_header
from tap import Tap, in_parallel, read_bytes, run, status_of


def axes_forms(case):
    args = {k: listed(v) if isinstance(v, list) and k not in KEYS else v
            for k, v in case["args"].items()}
    options = spelled_options(args, ["axes", "reshape", "order"])
    if "T" in args:
        options = [[*options[0], "-T"], ["--transpose", *options[-1]]]
    if "begin" in args:
        vectors = {key: args[key] for key in KEYS}
        return [Form("tslice", [*options[0], *form], [0])
                for form in vector_forms(vectors)]
    if "spec" not in args:
        return [Form("tslice", options[0], [0, "..."]),
                *(Form("tslice", o, [0]) for o in options)]
    # Of two mistakes, that in a list has no place in the slice.
    in_list = isinstance(case["args"].get("axes"), str)
    slices = list(spellings(0, args["spec"]))
    return [Form("tslice", options[i % len(options)], operands,
                 None if in_list else text)
            for i, (operands, text) in enumerate(slices)]


def promised(ran):
    output = json.loads(ran.out)["output"]
    return (output["shape"], output["dtype"], output["fortran_order"],
            output["nbytes"])


def explain(case, form):
    """What is said of the result is what it is, or it is refused as well."""
    ran = run(form.words(case["files"], ["--explain"]), WORK.here())
    if not isinstance(case["expect"], str):
        return refused(ran, case, form)
    if ran.status != 0 or ran.err:
        return [f"explained: {ran}"]
    want = np.load(case["expect"])
    _, fortran, _, _ = read_header(read_bytes(case["expect"]))
    got = promised(ran)
    if got[0] != list(want.shape) or got[2:] != (fortran, want.nbytes):
        return [f"explained as {got}, not {want.shape}, {fortran}, "
                f"{want.nbytes}: {ran}"]
    return []


def check_axes(case):
    forms = axes_forms(case)
    name, found = check(case, forms, False)
    if case["by"] == "files":
        found += explain(case, forms[0])
    # What needs no file is found without one.
    if all(status_of(kind) == 2 for kind in kinds_of(case) or [""]):
        words = forms[0].words(["missing.npy"], [])
        found += refused(run(words, WORK.here()), case, forms[0])
    return name, found


def main():
    args = arguments()
    tap = Tap()
    with WORK:
        in_parallel(tap, check_axes, load_cases("axes", args.only, args.by))
    tap.done()


if __name__ == "__main__":
    main()
