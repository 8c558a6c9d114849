"""Every case of tests/cases/conformance for tcat.

usage: conformance_cat.py [--only REGEX] [--by files|pipes|little|device]

One TAP line a case.  Inputs are files, and each and all of them on standard
input; the output is a file, standard output, or takes the place of an input.
What is added to a file must leave there what is expected, and it must stay the
file that it was.  --by is as for conformance_write.py.
"""
import os

from conformance import WORK, arguments, load_cases
from conformance_write import Form, changed, compare, copies, memory
from conformance_write import only_pipes, over_itself, refused
from conformance_write import spelled_options, through_pipes, tidied, to_file
from conformance_write import to_stdout, wanted
from tap import Tap, in_parallel, read_bytes, run


def forms_of(case):
    args = {name: str(value) for name, value in case["args"].items()}
    options = spelled_options(args, ["axis", "new_axis", "order"])
    more = ["--all"] if case["args"].get("all") else []
    return [Form("tcat", [*o, *more], [*range(len(case["files"]))])
            for o in options]


def on_stdin(case):
    """Which inputs may be there together.  Several arrays are one '-' with
    --all; without it, behind the first of several there is no other."""
    count = len(case["files"])
    if count == 0:
        return []
    single = [(i,) for i in range(count)]
    if case["args"].get("all") or case["cat"] == "first-of-stream":
        return single
    return [*single, tuple(range(count))]


def append(case, form, rest_piped):
    paths, before = copies(case)
    feed, rest = None, paths[1:]
    if rest_piped:
        feed = b"".join(before[p] for p in rest)
        rest = ["-"] * len(rest)
    words = ["tcat", "--json", *memory(case), *form.options, "--append",
             paths[0], *rest]
    # Open meanwhile, lest a new file be given the number of the old one.
    with open(paths[0], "rb") as f:
        ran = run(words, WORK.here(), feed=feed)
        same = os.path.samestat(os.fstat(f.fileno()), os.stat(paths[0]))
    want = wanted(case)
    if want is None:
        found = refused(ran, case, form)
    else:
        before[paths[0]] = want
        found = compare(ran, read_bytes(paths[0]), want)
    found += changed(ran, before)
    if not same:
        found.append(f"another file has come in its place: {ran}")
    way = "added" + (" from -" if rest_piped else "")
    return tidied(found, way, *map(os.path.basename, paths))


def check_append(case, form):
    found = append(case, form, True)
    if case["by"] != "pipes":
        found += append(case, form, False)
    return found


def check_files(case, forms):
    found = []
    for form in forms:
        found += to_file(case, form)
    found += to_stdout(case, forms[0])
    for some in on_stdin(case):
        for others_piped in {False, len(some) < len(case["files"])}:
            found += through_pipes(case, forms[0], some, others_piped)
    for which in range(len(case["files"])):
        found += over_itself(case, forms[0], which)
    return found


def check(case):
    forms = forms_of(case)
    if case["args"].get("append"):
        found = check_append(case, forms[0])
    elif case["by"] != "pipes":
        found = check_files(case, forms)
    else:
        together = on_stdin(case)
        alone = len(case["files"]) == 1
        found = only_pipes(case, forms[0]) \
            if alone or together and len(together[-1]) > 1 else []
    return f"{case['id']} {case['cat']}", found


def main():
    args = arguments()
    tap = Tap()
    with WORK:
        in_parallel(tap, check, load_cases("cat", args.only, args.by))
    tap.done()


if __name__ == "__main__":
    main()
