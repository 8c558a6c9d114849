"""Every case of tests/cases/conformance for tassign, tscatter, tgetdiag and
tgather --axis, and those for tsetdiag once more, in place.

usage: conformance_write.py [--only REGEX] [--by files|pipes|little|device]

One TAP line a case.  Options and operands come in every spelling; inputs as
files and, each and any of them together, on standard input; the output is a
file, standard output, or takes the place of an input; and with --in-place what
is expected must be in FILE, and every other byte of it as it was.  With --by
pipes all inputs and the output are pipes; with little there is little memory;
with device it is for another to choose the device.
"""
import itertools
import os

import numpy as np

from conformance import KEYS, WORK, arguments, kinds_of, listed, load_cases
from conformance import refusal_problems, spellings, vector_forms
from conformance_ops import band_forms
from differential import compare
from npyfile import read_header
from tap import Pipe, Tap, in_parallel, read_bytes, run

# Kinds of errors that are about a place in the slice.
PLACED = set("""syntax overflow too_many_specs multiple_ellipsis zero_stride
    index_out_of_range too_many_indices rank_limit""".split())


class Form:
    """A command: its options, and its operands, in which numbers are inputs.

    'text' is the slice, at which an error may point.
    """

    def __init__(self, command, options, operands, text=None):
        self.command, self.options = command, options
        self.operands, self.text = operands, text

    def words(self, inputs, more):
        """The command on these inputs, with more options."""
        operands = [inputs[w] if isinstance(w, int) else w
                    for w in self.operands]
        return [self.command, "--json", *more, *self.options, *operands]


# The commands of a case, the plainest first.

def spelled_options(args, names):
    """The options of these names, as two words each and as one."""
    given = [("--" + n.replace("_", "-"), args[n]) for n in names if n in args]
    two = [word for option in given for word in option]
    return [two, ["=".join(option) for option in given]] if given else [two]


def assign_forms(case):
    args = case["args"]
    options = spelled_options(args, ["value", "order"])
    value = list(range(1, len(case["files"])))
    if "spec" not in args:
        vectors = {key: args[key] for key in KEYS}
        return [Form("tassign", [*options[0], *form], [0, *value])
                for form in vector_forms(vectors)]
    slices = list(spellings(0, args["spec"]))
    return [Form("tassign", options[i % len(options)], [*operands, *value],
                 text) for i, (operands, text) in enumerate(slices)]


def scatter_forms(case):
    options = spelled_options(case["args"],
                              ["bad_indices", "duplicates", "shape", "order"])
    operands = list(range(len(case["files"])))
    forms = [Form("tscatter", o, operands) for o in options]
    if "bad_indices" not in case["args"]:
        forms.append(Form("tscatter", [*options[0], "--bad-indices", "error"],
                          operands))
    return forms


def getdiag_forms(case):
    more = spelled_options(case["args"], ["padding", "order"])
    return [Form("tgetdiag", [*band, *more[i % len(more)]], [0])
            for i, band in enumerate(band_forms(case["args"]))]


def take_indices(args):
    """The list of a case as it is spelled, in all ways."""
    given = args.get("indices")
    if given is None or isinstance(given, str):
        return [{}] if given is None else [{"indices": given}]
    texts = [listed(given), f"[{listed(given)}]", f" [ {listed(given)}\t] "]
    return [{"indices": text} for text in texts]


def take_forms(case):
    args = {name: str(value) for name, value in case["args"].items()}
    operands = list(range(len(case["files"])))
    forms = [Form("tgather", options, operands)
             for indices in take_indices(case["args"])
             for options in spelled_options(
                 args | indices,
                 ["axis", "indices", "bad_indices", "batch_dims", "order"])]
    if not isinstance(case["expect"], str):
        forms.append(Form("tgather", [*forms[0].options, "--bad-indices",
                                      "error"], operands))
    return forms


def setdiag_forms(case):
    return [Form("tsetdiag", band_forms(case["args"])[0], [0, 1])]


# Judging.

def wanted(case):
    """The bytes that are expected, or None."""
    return read_bytes(case["expect"]) if isinstance(case["expect"], str) \
        else None


def refused(ran, case, form):
    error = ran.error() or {}
    placed = form.text is not None and error.get("kind") in PLACED
    return refusal_problems(ran, case, form.text if placed else None)


def judge(ran, case, form, out):
    """What is wrong with a run that was to make the file 'out'."""
    want = wanted(case)
    made = read_bytes(out) if os.path.exists(out) else None
    if want is None:
        found = refused(ran, case, form)
        return found + (["an output file"] if made is not None else [])
    if ran.out:
        return [f"{len(ran.out)} bytes on standard output: {ran}"]
    return compare(ran, made or b"", want)


def memory(case):
    return ["--max-memory", "1M"] if case["by"] == "little" else []


def tidied(found, way, *expected):
    """The problems of one way, with what it left behind."""
    left = WORK.leftovers(*expected)
    found = found + ([f"left behind: {left}"] if left else [])
    return [f"{way}: {p}" for p in found]


# The ways.

def to_file(case, form):
    out = WORK.path("out.npy")
    ran = run(form.words(case["files"], [*memory(case), "-o", out]),
              WORK.here())
    return tidied(judge(ran, case, form, out), "by file", "out.npy")


def to_stdout(case, form):
    ran = run(form.words(case["files"], memory(case)), WORK.here())
    want = wanted(case)
    found = refused(ran, case, form) if want is None \
        else compare(ran, ran.out, want)
    return tidied(found, "to standard output")


def through_pipes(case, form, on_stdin, others_piped):
    """These inputs on standard input, one after another."""
    files, out = case["files"], WORK.path("out.npy")
    inputs = ["-" if i in on_stdin else f for i, f in enumerate(files)]
    words = form.words(inputs, [*memory(case), "-o", out])
    if others_piped:
        words = [Pipe(read_bytes(w)) if w in files else w for w in words]
    ran = run(words, WORK.here(),
              feed=b"".join(read_bytes(files[i]) for i in on_stdin))
    way = f"inputs {[*on_stdin]} from -"
    return tidied(judge(ran, case, form, out), way, "out.npy")


def only_pipes(case, form):
    """All inputs and the output."""
    ran = run(form.words(["-"] * len(case["files"]), []), WORK.here(),
              feed=b"".join(map(read_bytes, case["files"])))
    want = wanted(case)
    found = refused(ran, case, form) if want is None \
        else compare(ran, ran.out, want)
    return tidied(found, "all pipes")


def subsets(case):
    """Which inputs may be on standard input together."""
    numbers = range(len(case["files"]))
    for n in range(1, len(case["files"]) + 1):
        for some in itertools.combinations(numbers, n):
            # Behind the first of several arrays there is no other input.
            if case["cat"] != "stream" or 0 not in some or some == (0,):
                yield some


def copies(case):
    """Inputs that may be written: their paths, and the bytes at each."""
    paths = [WORK.path(os.path.basename(f)) for f in case["files"]]
    before = {p: read_bytes(f) for p, f in zip(paths, case["files"])}
    for path, data in before.items():
        with open(path, "wb") as f:
            f.write(data)
    return paths, before


def changed(ran, before):
    """Is anything at these paths but what is to be there?"""
    return [f"not the bytes that should be in {p}: {ran}"
            for p, data in before.items() if read_bytes(p) != data]


def over_itself(case, form, which):
    """With -o, an input is replaced as a whole; the others stay."""
    paths, before = copies(case)
    ran = run(form.words(paths, [*memory(case), "-o", paths[which]]),
              WORK.here())
    want = wanted(case)
    if want is None:
        found = refused(ran, case, form)
    else:
        found = compare(ran, read_bytes(paths[which]), want)
        before[paths[which]] = want
    return tidied(found + changed(ran, before), f"-o over input {which}",
                  *map(os.path.basename, paths))


def in_file(before, array):
    """The file of an array, with the elements of another one in it."""
    _, fortran, shape, start = read_header(before)
    assert array.shape == shape
    raw = array.view(f"V{array.itemsize}") if array.itemsize else array
    items = raw.tobytes("F" if fortran else "C")
    return before[:start] + items + before[start + len(items):]


def in_place(case, form, rest_piped):
    """Only elements change, and FILE stays the file that it was."""
    paths, before = copies(case)
    feed, inputs = None, paths
    if rest_piped:
        feed = b"".join(before[p] for p in paths[1:])
        inputs = [paths[0], *(["-"] * (len(paths) - 1))]
    # Open meanwhile, lest a new file be given the number of the old one.
    with open(paths[0], "rb") as f:
        ran = run(form.words(inputs, [*memory(case), "--in-place"]),
                  WORK.here(), feed=feed)
        same = os.path.samestat(os.fstat(f.fileno()), os.stat(paths[0]))
    if wanted(case) is None:
        found = refused(ran, case, form)
    else:
        before[paths[0]] = in_file(before[paths[0]], np.load(case["expect"]))
        found = compare(ran, read_bytes(paths[0]), before[paths[0]])
    found += changed(ran, before)
    if not same:
        found.append(f"another file has come in its place: {ran}")
    if ran.out:
        found.append(f"{len(ran.out)} bytes on standard output: {ran}")
    way = "in place" + (", the rest from -" if rest_piped else "")
    return tidied(found, way, *map(os.path.basename, paths))


def but(case, *kinds):
    """The case, when it must not be done; it may be wrong of itself too."""
    return case | {"expect": {"error": kinds[0],
                              "also": [*kinds[1:], *kinds_of(case)]}}


def in_place_ways(case, form):
    """Some cannot be: no order is to be chosen, and no file to be made; and
    what is written must not be read meanwhile."""
    if {"order", "shape"} & set(case["args"]):
        case = but(case, "usage")
    same = case["files"][0] in case["files"][1:]
    found = in_place(but(case, "io", "usage") if same else case, form, False)
    if len(case["files"]) > 1:
        found += in_place(case, form, True)
    return found


# The cases.

def check(case, forms, is_written):
    if case["by"] == "pipes":
        # Behind the first of several arrays there is no other input.
        found = [] if case["cat"] == "stream" else only_pipes(case, forms[0])
        return f"{case['id']} {case['cat']}", found
    found = []
    for form in forms:
        found += to_file(case, form)
    found += to_stdout(case, forms[0])
    for some in subsets(case):
        for others_piped in {False, len(some) < len(case["files"])}:
            found += through_pipes(case, forms[0], some, others_piped)
    for which in range(len(case["files"])):
        found += over_itself(case, forms[0], which)
    if is_written:
        found += in_place_ways(case, forms[0])
    return f"{case['id']} {case['cat']}", found


def check_assign(case):
    return check(case, assign_forms(case), True)


def check_scatter(case):
    return check(case, scatter_forms(case), True)


def check_getdiag(case):
    return check(case, getdiag_forms(case), False)


def check_take(case):
    return check(case, take_forms(case), False)


def check_setdiag(case):
    return f"{case['id']} in place", in_place_ways(case, setdiag_forms(case)[0])


def main():
    args = arguments()
    tap = Tap()
    with WORK:
        for op, function in [("assign", check_assign),
                             ("scatter", check_scatter),
                             ("getdiag", check_getdiag),
                             ("take", check_take)]:
            in_parallel(tap, function, load_cases(op, args.only, args.by))
        if args.by != "pipes":
            in_parallel(tap, check_setdiag,
                        load_cases("matrix_set_diag", args.only, args.by))
    tap.done()


if __name__ == "__main__":
    main()
