"""What must hold of tassign, tscatter, tgetdiag and of writing in place, on
random input against NumPy.

usage: algebra_write.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its files.
"""
import itertools
import os
import shutil

import numpy as np

import algebra
from algebra import ALIGNS, MIXABLE, RECORD, draw_band, draw_indices
from algebra import draw_sizes, other_order, plain, raw_of
from conformance_write import in_file
from differential import MIB, WORK, compare, draw_dtype, draw_items, draw_raw
from differential import draw_shape, draw_spec, in_order, parse, saved
from literals import LITERALS, draw_literal
from tap import Sweep, draws, in_parallel, read_bytes, run, some_of

NAMES = ["0.npy", "1.npy", "2.npy", "out.npy"]


# Running a command.

class Job:
    """A command: options, and words in which numbers are inputs' bytes."""

    def __init__(self, command, inputs, words, options=()):
        self.command, self.inputs = command, inputs
        self.words, self.options = words, list(options)

    def args(self, names, more):
        operands = [names[w] if isinstance(w, int) else w for w in self.words]
        return [self.command, "--json", *self.options, *more, "--", *operands]


def lay_out(job):
    """The inputs as files."""
    names = [WORK.path(n) for n in NAMES[:len(job.inputs)]]
    for name, data in zip(names, job.inputs):
        with open(name, "wb") as f:
            f.write(data)
    return names


def perform(way, job, on_stdin=(), more=()):
    """What the command did, and the bytes that came out of it.

    way: "file", "stdout", "over" the first input, or in "place"; 'on_stdin'
    are the inputs that come through a pipe.
    """
    paths = lay_out(job)
    names = ["-" if i in on_stdin else p for i, p in enumerate(paths)]
    feed = b"".join(job.inputs[i] for i in sorted(on_stdin))
    out = {"file": WORK.path("out.npy"), "stdout": None}.get(way, paths[0])
    last = {"stdout": [], "place": ["--in-place"]}.get(way, ["-o", out])
    if os.path.exists(WORK.path("out.npy")):
        os.unlink(WORK.path("out.npy"))
    ran = run(job.args(names, [*more, *last]), WORK.here(), timeout=60,
              feed=feed if on_stdin else None)
    if way == "stdout":
        return ran, ran.out
    return ran, read_bytes(out) if os.path.exists(out) else b""


def tidy(problems, facts, keep=False):
    """The problems with what they are about; removes or keeps the files."""
    for name in NAMES if keep else []:
        if os.path.exists(WORK.path(name)):
            shutil.copy(WORK.path(name), "draw-" + name)
    left = WORK.leftovers(*NAMES)
    if left:
        problems = [*problems, f"left behind: {left}"]
    return [f"{facts}: {p}" for p in problems]


def draw_more(rng):
    threads = rng.choice([[], [], ["-j", "1"], ["-j", "4"]])
    return threads + rng.choice([[], [], ["--max-memory", "1M"]])


def try_file(rng, job, want, dtype, default):
    """Makes a new array in some way and order; 'default' is that of none."""
    order = rng.choice([None, None, "C", "F"])
    more = draw_more(rng) + (["--order", order] if order else [])
    on_stdin = [i for i in range(len(job.inputs)) if rng.random() < 0.25]
    way = rng.choice(["file", "file", "stdout", "over"])
    ran, got = perform(way, job, on_stdin, more)
    return compare(ran, got, saved(in_order(want, order or default), dtype))


def try_place(rng, job, want):
    """Writes into the first input, which has to stay as it is otherwise."""
    on_stdin = [i for i in range(1, len(job.inputs)) if rng.random() < 0.25]
    ran, got = perform("place", job, on_stdin, draw_more(rng))
    return compare(ran, got, in_file(job.inputs[0], want))


def try_refused(job, kind):
    """Nothing comes of it, in place neither."""
    problems = []
    for way in ("file", "place") if job.command != "tgetdiag" else ("file",):
        ran, got = perform(way, job)
        error = ran.error() or {}
        untouched = job.inputs[0] if way == "place" else b""
        if ran.status != 3 or error.get("kind") != kind or got != untouched:
            problems.append(f"not refused as {kind}: {ran}")
    return problems


# Slices.

def whole_index(items):
    return tuple(items) if Ellipsis in items else (*items, Ellipsis)


def draw_value_shape(rng, shape):
    """One that NumPy repeats to 'shape' in an assignment."""
    sizes = [1 if rng.random() < 0.2 else n for n in shape]
    sizes = sizes[rng.choice([0, 0, 0, rng.randint(0, len(sizes))]):]
    ones = 0
    if len(sizes) == len(shape) and rng.random() < 0.3:
        ones = rng.randint(1, 3)
    return (*[1] * ones, *sizes)


def mixed(rng, raw, dtype):
    """The file of these items, perhaps in the other byte order."""
    if dtype.str in MIXABLE and rng.random() < 0.5:
        return saved(*other_order(raw, dtype))
    return saved(raw, dtype)


def draw_array(rng):
    kinds = [draw_dtype(rng), np.dtype(rng.choice(MIXABLE)), RECORD]
    dtype = rng.choices(kinds, [6, 3, 1])[0]
    shape = draw_shape(rng)
    return dtype, shape, draw_raw(rng, dtype, shape)


def draw_assign(rng, keep):
    dtype, shape, a = draw_array(rng)
    items = draw_items(rng, shape)
    index = whole_index(items)
    target = a[index].shape
    value = draw_raw(rng, dtype, draw_value_shape(rng, target))
    job = Job("tassign", [saved(a, dtype), mixed(rng, value, dtype)],
              [0, draw_spec(rng, items), 1])
    want = a.copy(order="K")
    want[index] = value
    problems = try_file(rng, job, want, dtype, None)
    problems += try_place(rng, job, want)
    return tidy(problems, f"{dtype} {shape} {job.words[1]!r} {value.shape}",
                keep)


def draw_mismatch(rng, keep):
    """Values that do not go into the slice."""
    dtype, shape, a = draw_array(rng)
    items = draw_items(rng, shape)
    target = a[whole_index(items)].shape
    sizes = list(draw_value_shape(rng, target))
    if rng.random() < 0.5 or not sizes or not target:
        sizes = [rng.randint(2, 4), *[1] * len(target), *sizes]
    else:
        at = rng.randint(1, min(len(sizes), len(target)))
        sizes[-at] = target[-at] + (2 if target[-at] in (0, 1) else 1)
    value = draw_raw(rng, dtype, tuple(sizes))
    job = Job("tassign", [saved(a, dtype), saved(value, dtype)],
              [0, draw_spec(rng, items), 1])
    return tidy(try_refused(job, "shape_mismatch"),
                f"{dtype} {shape} {job.words[1]!r} {value.shape}", keep)


def pipeline(*stages):
    """Each stage is fed with what the one before it has written."""
    ran = run(stages[0], WORK.here())
    for stage in stages[1:]:
        if ran.status != 0 or ran.err:
            break
        ran = run(stage, WORK.here(), feed=ran.out)
    return ran


def draw_slice_back(rng, keep):
    """What was taken from a place goes back there, and nothing changes."""
    dtype, shape, a = draw_array(rng)
    job = Job("tassign", [saved(a, dtype)], [])
    spec = draw_spec(rng, draw_items(rng, shape))
    name, = lay_out(job)
    ran = pipeline(["tslice", "--", name, spec],
                   ["tassign", "--", name, spec, "-"])
    return tidy(compare(ran, ran.out, job.inputs[0]),
                f"{dtype} {shape} {spec!r}", keep)


def draw_value_back(rng, keep):
    """What was put somewhere is found there."""
    dtype, shape, a = draw_array(rng)
    items = draw_items(rng, shape)
    target = a[whole_index(items)].shape
    value = draw_raw(rng, dtype, draw_value_shape(rng, target))
    spec = draw_spec(rng, items)
    names = lay_out(Job("", [saved(a, dtype), saved(value, dtype)], []))
    ran = pipeline(["tassign", "--", names[0], spec, names[1]],
                   ["tslice", "--order", "C", "--", "-", spec])
    kept = value.reshape(value.shape[max(0, value.ndim - len(target)):])
    want = np.array(np.broadcast_to(kept, target), order="C")
    return tidy(compare(ran, ran.out, saved(want, dtype)),
                f"{dtype} {shape} {spec!r} {value.shape}", keep)


# Literals.

# Of no type at all but text.
NONSENSE = ["x", "1_0", " 1", "1 ", "0x1", "1e", "--1", "1,5", "(1)", "e5"]


def draw_value(rng, keep):
    dtype, shape = rng.choice(LITERALS), draw_shape(rng)
    a = draw_raw(rng, dtype, shape)
    text, item = draw_literal(rng, dtype)
    if dtype.kind not in "SU" and rng.random() < 0.1:
        job = Job("tassign", [saved(a, dtype)], [0, "..."],
                  ["--value=" + rng.choice(NONSENSE)])
        return tidy(try_refused(job, "bad_value"), f"{dtype} {job.options}")
    items = draw_items(rng, shape)
    job = Job("tassign", [saved(a, dtype)], [0, draw_spec(rng, items)],
              rng.choice([["--value", text], ["--value=" + text]]))
    want = a.copy(order="K")
    want[whole_index(items)] = np.frombuffer(item, a.dtype)[0]
    problems = try_file(rng, job, want, dtype, None)
    problems += try_place(rng, job, want)
    return tidy(problems, f"{dtype} {shape} {job.words[1]!r} {text!r}", keep)


# Index tuples.

def is_bad(indices, sizes):
    """For each tuple, whether it names no place."""
    bad = np.zeros(indices.shape[:-1], bool)
    for i, size in enumerate(sizes):
        bad |= (indices[..., i] < 0) | (indices[..., i] >= size)
    return bad


def scatter(a, indices, updates):
    """tensor_scatter_nd_update; NumPy leaves the last of several, too."""
    depth = indices.shape[-1]
    good = ~is_bad(indices, a.shape[:depth]).ravel()
    out = a.copy(order="K")
    rows = indices.reshape(good.size, depth)[good].astype(np.int64)
    values = np.array(updates, order="C").reshape(good.size,
                                                  *a.shape[depth:])[good]
    if depth == 0:
        out[...] = values[-1] if len(values) else out
    else:
        out[tuple(rows.T)] = values
    return out


def draw_scatter_inputs(rng):
    dtype = rng.choice([RECORD, draw_dtype(rng), draw_dtype(rng),
                        np.dtype(rng.choice(MIXABLE))])
    shape = draw_sizes(rng, rng.randint(1, 5), 5)
    depth = rng.randint(0, len(shape))
    indices = np.array(draw_indices(rng, shape, 0, depth),
                       order=rng.choice("CF"))
    updates = draw_raw(rng, dtype, indices.shape[:-1] + shape[depth:])
    return dtype, shape, draw_raw(rng, dtype, shape), indices, updates


def has_duplicates(indices, sizes):
    rows = indices.reshape(-1, indices.shape[-1]) if indices.size \
        else np.zeros((int(np.prod(indices.shape[:-1])), 0), int)
    good = ~is_bad(indices, sizes).ravel()
    tuples = [tuple(map(int, r)) for r in rows[good]]
    return len(set(tuples)) < len(tuples)


def draw_scatter(rng, keep):
    dtype, shape, a, indices, updates = draw_scatter_inputs(rng)
    sizes = shape[:indices.shape[-1]]
    options = []
    if rng.random() < 0.3:
        algebra.make_bad(rng, indices, sizes)
        options = ["--bad-indices", "skip"]
    job = Job("tscatter", [saved(a, dtype), plain(indices),
                           mixed(rng, updates, dtype)], [0, 1, 2], options)
    facts = f"{dtype} {shape} {indices.dtype} {indices.shape}"
    if a.size == 0 and 0 not in indices.shape[:-1]:
        return tidy(try_refused(job, "empty_params"), facts, keep)
    problems = []
    if is_bad(indices, sizes).any() and not keep:
        job.options = []
        problems += try_refused(job, "index_out_of_range")
        job.options = options
    if rng.random() < 0.2:
        job.options = [*options, "--duplicates", "error"]
        if has_duplicates(indices, sizes):
            return tidy(try_refused(job, "duplicate_index"), facts, keep)
    want = scatter(a, indices, updates)
    problems += try_file(rng, job, want, dtype, None)
    problems += try_place(rng, job, want)
    return tidy(problems, facts, keep)


def draw_scatter_shape(rng, keep):
    """Onto zeros, of a shape that is given."""
    dtype, shape, _, indices, updates = draw_scatter_inputs(rng)
    text = rng.choice(["%s", "(%s,)", "[%s]"]) % ",".join(map(str, shape))
    job = Job("tscatter", [plain(indices), saved(updates, dtype)], [0, 1],
              ["--shape", text])
    facts = f"{dtype} {text} {indices.dtype} {indices.shape}"
    zeros = np.zeros(shape, updates.dtype)
    if zeros.size == 0 and 0 not in indices.shape[:-1]:
        return tidy([], facts, keep)
    problems = try_file(rng, job, scatter(zeros, indices, updates), dtype, "C")
    return tidy(problems, facts, keep)


def draw_gather_back(rng, keep):
    """What tuples take goes back where they point, and nothing changes."""
    dtype, shape, a, indices, _ = draw_scatter_inputs(rng)
    if a.size == 0:
        return []
    job = Job("", [saved(a, dtype), plain(indices)], [])
    names = lay_out(job)
    ran = pipeline(["tgather", *names], ["tscatter", *names, "-"])
    return tidy(compare(ran, ran.out, job.inputs[0]),
                f"{dtype} {shape} {indices.dtype} {indices.shape}", keep)


# Diagonals.

def draw_matrices(rng, least=0, most=9):
    dtype = rng.choice([draw_dtype(rng), np.dtype(rng.choice(MIXABLE))])
    if least > 0:
        shape = (rng.randint(1, 3), *(rng.randint(least, most) for _ in "mn"))
    else:
        shape = draw_sizes(rng, rng.randint(0, 3), 4)
        shape += draw_sizes(rng, 2, most, 0.12)
    k0, k1 = draw_band(rng, *shape[-2:])
    align = rng.choice(ALIGNS)
    return dtype, shape, draw_raw(rng, dtype, shape), (k0, k1, align)


def gaps(shape, band, dtype, item=None):
    """A packed band that is nothing but padding."""
    out = np.zeros(algebra.diagonal_shape(shape, *band[:2]),
                   f"V{dtype.itemsize}")
    if item:
        out[...] = np.frombuffer(item, out.dtype)[0]
    return out


def draw_getdiag(rng, keep, *sizes):
    dtype, shape, a, band = draw_matrices(rng, *sizes)
    options, item = algebra.band_options(rng, *band), None
    if dtype in LITERALS and rng.random() < 0.7:
        text, item = draw_literal(rng, dtype)
        options += rng.choice([["--padding", text], ["--padding=" + text]])
    want = algebra.read_band(a, gaps(shape, band, dtype, item), *band)
    job = Job("tgetdiag", [saved(a, dtype)], [0], options)
    problems = try_file(rng, job, want, dtype, "C")
    return tidy(problems, f"{dtype} {shape} {options}", keep)


def draw_wide_getdiag(rng, keep):
    """Bands that are painted by rows."""
    return draw_getdiag(rng, keep, 40, 150)


def draw_diagonals_back(rng, keep):
    """Diagonals that were put into matrices are found there."""
    dtype, shape, a, band = draw_matrices(rng)
    d = draw_raw(rng, dtype, algebra.diagonal_shape(shape, *band[:2]))
    names = lay_out(Job("", [saved(a, dtype), saved(d, dtype)], []))
    options = algebra.band_options(rng, *band)
    ran = pipeline(["tsetdiag", *options, *names],
                   ["tgetdiag", *options, "-"])
    # Packed and read again, so that of 'd' the padding alone is gone.
    both = algebra.set_diag(np.zeros(shape, d.dtype), d, *band)
    want = algebra.read_band(both, gaps(shape, band, dtype), *band)
    return tidy(compare(ran, ran.out, saved(want, dtype)),
                f"{dtype} {shape} {options}", keep)


def draw_setdiag(rng, keep):
    """tsetdiag in place is tsetdiag."""
    dtype, shape, a, band = draw_matrices(rng)
    d = draw_raw(rng, dtype, algebra.diagonal_shape(shape, *band[:2]))
    job = Job("tsetdiag", [saved(a, dtype), mixed(rng, d, dtype)], [0, 1],
              algebra.band_options(rng, *band))
    problems = try_place(rng, job, algebra.set_diag(a, d, *band))
    return tidy(problems, f"{dtype} {shape} {job.options}", keep)


# Arrays of many blocks.

def large_assigns():
    """(dtype, shape, order of the input, spec, shape of the values)."""
    yield "<f8", (1500, 1100), "C", "10:1400", (1390, 1100)
    yield "<f8", (1500, 1100), "F", ":,::-2", (550,)
    yield "<f4", (1201, 2003), "C", "::-1,7", (1201,)
    yield "|u1", (9 * MIB + 1,), "C", "::2", ()
    yield "|u1", (3001, 3007), "C", ":,1::3", (1002,)
    yield "|V3", (1700, 1800), "F", "5::7,::-1", (1, 1800)
    yield "<i2", (7, 1000, 801), "C", "...,1:-1", (7, 1000, 799)
    yield "<c16", (13, 211, 257), "C", "::-1,::-1,::-1", (13, 211, 257)
    yield ">i8", (2, 2, 2, 2, 2, 2, 5, 16385), "C", "...,::-1,1:", (5, 1)
    yield "|V100", (310, 330), "C", ":,5", (310,)
    yield "<f4", (64, 200, 301), "F", "3:,::-1,:", (61, 200, 301)
    yield "<f8", (MIB,), "C", "1:100000:3", (33333,)
    yield ">f4", (3 * MIB,), "C", "...", (1,)


# How a new array is made, and how one is written into.
NEW_WAYS = [("file", 0, ["-j", "1"]), ("file", 0, ["-j", "4"]),
            ("file", 0, ["--max-memory", "1M"]), ("over", 0, ["-j", "4"]),
            ("stdout", 3, ["-j", "4"]), ("file", 2, ["--max-memory", "1M"])]
PLACE_WAYS = [(0, ["-j", "1"]), (0, ["-j", "4"]), (0, ["--max-memory", "1M"]),
              (2, ["-j", "4"])]


def piped(job, some):
    """None of the inputs, all but the first, or all."""
    first = {0: len(job.inputs), 2: 1, 3: 0}[some]
    return range(first, len(job.inputs))


def check_large(job, want, dtype, name, in_place):
    problems = []
    for way, some, more in NEW_WAYS:
        ran, got = perform(way, job, piped(job, some), more)
        problems += compare(ran, got, saved(want, dtype))
    turned = "C" if saved(want, dtype) == saved(in_order(want, "F"), dtype) \
        else "F"
    ran, got = perform("file", job, (), ["-j", "4", "--order", turned])
    problems += compare(ran, got, saved(in_order(want, turned), dtype))
    for some, more in PLACE_WAYS if in_place else []:
        ran, got = perform("place", job, piped(job, some), more)
        problems += compare(ran, got, in_file(job.inputs[0], want))
    return name, tidy(problems, name)


def check_large_assign(case):
    dtype, shape, order, spec, value_shape = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(len(spec))
    a = in_order(raw_of(generator, dtype, shape), order)
    value = raw_of(generator, dtype, value_shape)
    given = saved(*other_order(value, dtype)) if dtype.str in MIXABLE \
        else saved(value, dtype)
    want = a.copy(order="K")
    want[parse(spec)] = value
    return check_large(Job("tassign", [saved(a, dtype), given], [0, spec, 1]),
                       want, dtype, f"tassign {case}", True)


def large_scatters():
    """(dtype, shape, order, rows, depth): few places and many, short rows
    and long ones."""
    for dtype, shape, rows, depth in itertools.islice(
            algebra.large_gathers(), 0, None, 3):
        yield dtype, shape, "C", rows, depth
    yield "<f8", (1200, 1000), "F", 400000, 2
    yield "<f4", (60, 40, 301), "F", 101, 1
    yield "<i2", (5 * MIB,), "C", 50001, 1


def check_large_scatter(case):
    dtype, shape, order, rows, depth = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(rows)
    indices = algebra.random_indices(generator, shape, rows, depth,
                                     generator.choice(["<i4", ">i8", "<i8"]))
    a = in_order(raw_of(generator, dtype, shape), order)
    updates = raw_of(generator, dtype, (rows, *shape[depth:]))
    job = Job("tscatter", [saved(a, dtype), plain(indices),
                           saved(updates, dtype)], [0, 1, 2])
    return check_large(job, scatter(a, indices, updates), dtype,
                       f"tscatter {case}", True)


def check_large_getdiag(case):
    dtype, shape, *band = np.dtype(case[0]), *case[1:]
    a = raw_of(np.random.default_rng(shape[-1]), dtype, shape)
    want = algebra.read_band(a, gaps(shape, band, dtype), *band)
    job = Job("tgetdiag", [saved(a, dtype)], [0],
              ["-k", f"{band[0]}:{band[1]}", "--align", band[2]])
    return check_large(job, want, dtype, f"tgetdiag {case}", False)


def check_large_setdiag(case):
    dtype, shape, *band = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(shape[-1])
    a = raw_of(generator, dtype, shape)
    d = raw_of(generator, dtype, algebra.diagonal_shape(shape, *band[:2]))
    want = algebra.set_diag(a, d, *band)
    job = Job("tsetdiag", [saved(a, dtype), saved(d, dtype)], [0, 1],
              ["-k", f"{band[0]}:{band[1]}", "--align", band[2]])
    return check_large(job, want, dtype, f"tsetdiag {case}", True)


KINDS = {"assign": draw_assign, "mismatch": draw_mismatch,
         "slice-back": draw_slice_back, "value-back": draw_value_back,
         "value": draw_value, "scatter": draw_scatter,
         "scatter-shape": draw_scatter_shape, "gather-back": draw_gather_back,
         "getdiag": draw_getdiag, "wide-getdiag": draw_wide_getdiag,
         "diagonals-back": draw_diagonals_back,
         "setdiag": draw_setdiag}
LARGE = [(check_large_assign, large_assigns),
         (check_large_scatter, large_scatters),
         (check_large_getdiag, algebra.large_bands),
         (check_large_setdiag, algebra.large_bands)]


def more(tap, args):
    for check, cases in LARGE:
        in_parallel(tap, check, some_of(cases(), args))


def main():
    Sweep(KINDS, draws(80, 40)).run(WORK, more)


if __name__ == "__main__":
    main()
