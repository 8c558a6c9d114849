"""What must hold of tcat on random input, against numpy.concatenate and
numpy.stack.

usage: cat.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its files.
"""
import os
import shutil

import numpy as np

from algebra import MIXABLE, RECORD, other_order, raw_of
from differential import MIB, WORK, compare, draw_dtype, draw_raw, draw_shape
from differential import in_order, saved
from tap import Pipe, Sweep, draws, in_parallel, read_bytes, run, some_of

# How a result is to be made: of arrays like the first, along an axis or a new
# one.  A file may hold several arrays.


class Work:
    def __init__(self, parts, files, options, want):
        self.parts, self.files = parts, files
        self.options, self.want = options, want


def lay_out(files):
    names = []
    for i, data in enumerate(files):
        names.append(WORK.path(f"{i}.npy"))
        with open(names[-1], "wb") as f:
            f.write(data)
    return names


def perform(work, kinds, more, output):
    """kinds: for each file how it is handed over, "file", "-" or "fifo"."""
    names = lay_out(work.files)
    feed = b"".join(f for f, k in zip(work.files, kinds) if k == "-")
    words = ["-" if k == "-" else Pipe(read_bytes(n)) if k == "fifo" else n
             for n, k in zip(names, kinds)]
    out = WORK.path("out.npy")
    if os.path.exists(out):
        os.unlink(out)
    options = [*work.options, *more, *(["-o", out] if output else [])]
    ran = run(["tcat", *options, "--", *words], WORK.here(),
              feed=feed if "-" in kinds else None, timeout=60)
    if not output:
        return ran, ran.out
    return ran, read_bytes(out) if os.path.exists(out) else b""


def tidy(problems, work, facts, keep=False):
    names = [f"{i}.npy" for i in range(len(work.files))] + ["out.npy"]
    for name in names if keep else []:
        if os.path.exists(WORK.path(name)):
            shutil.copy(WORK.path(name), "draw-" + name)
    left = WORK.leftovers(*names)
    if left:
        problems = [*problems, f"left behind: {left}"]
    return [f"{facts}: {p}" for p in problems]


# Drawing.

def draw_kinds(rng, n):
    way = rng.choice(["file", "file", "-", "fifo", "mixed"])
    if way != "mixed":
        return [way] * n
    return [rng.choice(["file", "-", "-", "fifo"]) for _ in range(n)]


def draw_more(rng):
    more = rng.choice([[], [], ["-j", "1"], ["-j", "3"]])
    return more + rng.choice([[], [], ["--max-memory", "1M"]])


def spoilt_order(rng, raw, dtype):
    """The file of these items, perhaps in the other byte order, or order."""
    raw = in_order(raw, rng.choice(["C", "C", "F"]))
    if (dtype == RECORD or dtype.str in MIXABLE) and rng.random() < 0.4:
        return saved(*other_order(raw, dtype))
    return saved(raw, dtype)


def draw_work_dtype(rng):
    kinds = [draw_dtype(rng), np.dtype(rng.choice(MIXABLE)), RECORD]
    return rng.choices(kinds, [5, 3, 1])[0]


def draw_count(rng, nbytes):
    most = 40 if nbytes < 20000 else 6
    return rng.choice([1, 2, 2, 3, 3, 4, rng.randint(1, most)])


def draw_parts(rng, dtype, is_new):
    shape = draw_shape(rng)
    while not is_new and not shape:
        shape = draw_shape(rng)
    axis = rng.randrange(len(shape) + is_new)
    count = draw_count(rng, int(np.prod(shape)) * dtype.itemsize)
    shapes = []
    for _ in range(count):
        sizes = list(shape)
        if not is_new and rng.random() < 0.6:
            sizes[axis] = rng.randint(0, 2 * shape[axis] + 1)
        shapes.append(tuple(sizes))
    return axis, [draw_raw(rng, dtype, s) for s in shapes]


def grouped(rng, files):
    """The same arrays, several in one file."""
    groups = []
    for data in files:
        if groups and rng.random() < 0.5:
            groups[-1] += data
        else:
            groups.append(data)
    return groups


def draw_work(rng):
    is_new = rng.random() < 0.4
    dtype = draw_work_dtype(rng)
    axis, parts = draw_parts(rng, dtype, is_new)
    join = np.stack if is_new else np.concatenate
    want = join([np.ascontiguousarray(p).reshape(p.shape) for p in parts],
                axis)
    files = [saved(parts[0], dtype)]
    files += [spoilt_order(rng, p, dtype) for p in parts[1:]]
    given = axis - want.ndim if rng.random() < 0.5 else axis
    options = [f"--{'new-' if is_new else ''}axis={given}"]
    if not is_new and axis == 0 and rng.random() < 0.3:
        options = []
    order = rng.choice([None, None, "C", "F"])
    if order:
        options.append(f"--order={order}")
    if rng.random() < 0.3:
        files = grouped(rng, files)
        options.append("--all")
    return Work(parts, files, options,
                saved(in_order(want, order or "C"), dtype))


def draw_cat(rng, keep):
    work = draw_work(rng)
    kinds = draw_kinds(rng, len(work.files))
    # One '-' is all of standard input then.
    if "--all" in work.options and kinds.count("-") > 1:
        kinds = ["file" if k == "-" else k for k in kinds]
    more = draw_more(rng)
    ran, got = perform(work, kinds, more, rng.random() < 0.6)
    facts = f"{work.options} {more} of {[p.shape for p in work.parts]} {kinds}"
    return tidy(compare(ran, got, work.want), work, facts, keep)


def append_to(target, work, kinds, more, is_there):
    """Adds all files but the first to it, or makes one of them all."""
    names = lay_out(work.files)
    files, kinds = (work.files[1:], kinds[1:]) if is_there \
        else (work.files, kinds)
    names = names[-len(files):]
    feed = b"".join(f for f, k in zip(files, kinds) if k == "-")
    operands = ["-" if k == "-" else n for n, k in zip(names, kinds)]
    if is_there:
        with open(target, "wb") as f:
            f.write(work.files[0])
    elif os.path.exists(target):
        os.unlink(target)
    ran = run(["tcat", *more, "--append", target, *operands], WORK.here(),
              feed=feed)
    return ran, read_bytes(target)


def draw_axis(rng, axis, rank):
    words = [["--axis", str(axis)], ["--axis", str(axis - rank)]]
    return rng.choice(words if axis else [*words, [], []])


def draw_append(rng, keep):
    dtype = draw_work_dtype(rng)
    shape = draw_shape(rng) or (3,)
    fortran = rng.random() < 0.4
    first = in_order(draw_raw(rng, dtype, shape), "F" if fortran else "C")
    fortran = not first.flags.c_contiguous
    is_there = fortran or rng.random() < 0.8
    axis = len(shape) - 1 if fortran else 0
    parts = [first]
    rows = [first]
    for _ in range(rng.choice([1, 1, 2, 5])):
        sizes = list(shape)
        sizes[axis] = rng.randint(0, 2 * shape[axis] + 1)
        is_row = rng.random() < 0.3
        if is_row:
            del sizes[axis]
        parts.append(draw_raw(rng, dtype, sizes))
        rows.append(np.expand_dims(parts[-1], axis) if is_row else parts[-1])
    want = np.concatenate(rows, axis)
    files = [saved(first, dtype)]
    files += [spoilt_order(rng, p, dtype) for p in parts[1:]]
    work = Work(parts, files, [],
                saved(in_order(want, "F" if fortran else "C"), dtype))
    kinds = [rng.choice(["file", "-"]) for _ in parts]
    # What an interrupted one may have left.
    if is_there and rng.random() < 0.3:
        work.files[0] += b"\0" * rng.randint(1, 300)
    more = draw_more(rng) + rng.choice([[], ["--sync"]]) + \
        (draw_axis(rng, axis, len(shape)) if is_there else [])
    ran, got = append_to(WORK.path("out.npy"), work, kinds, more, is_there)
    facts = f"append {more} of {[p.shape for p in parts]} {kinds} {is_there}"
    return tidy(compare(ran, got, work.want), work, facts, keep)


# Larger than a block.

# dtype, shapes, axis, new axis, orders of the inputs
LARGE = [
    ("|u1", [(1500, 1401)] * 3, -1, True, "CCC"),
    ("|u1", [(1500, 1401)] * 3, -1, True, "CFC"),
    ("<u2", [(1200, 1001)] * 4, 1, True, "CCCC"),
    ("<f4", [(2000, 1000)] * 2, -1, True, "CC"),
    ("<f8", [(700, 900)] * 3, -1, True, "FFF"),
    ("|V3", [(1500, 700)] * 3, -1, True, "CCC"),
    ("|V12", [(300, 400)] * 5, 1, True, "CCCCC"),
    ("|u1", [(9 * MIB + 77,), (3,), (5 * MIB,)], 0, False, "CCC"),
    ("<f4", [(70, 40001), (70, 3), (70, 9001)], 1, False, "CCC"),
    ("<f4", [(700, 2000), (5, 2000), (900, 2000)], 0, False, "CFC"),
    ("<i8", [(3, 100, 901), (3, 1, 901), (3, 200, 901)], 1, False, "CCF"),
    ("<f4", [(900, 1100), (900, 7), (900, 1300)], 1, False, "FCF"),
    ("<f8", [(700, 900), (300, 900), (40, 900), (5, 900)], 0, False, "FCFC"),
    ("|V6", [(60, 41, 90)] * 3, -1, True, "FFC"),
    ("<f4", [(90, i % 3 + 1, 130) for i in range(40)], 1, False, "FFC" * 14),
    ("|u1", [(2 * MIB, 3), (2 * MIB, 1)], 1, False, "CC"),
    ("|V5", [(MIB, 2), (MIB, 1), (MIB, 1)], -1, False, "CCC"),
    ("<f4", [(20000, i % 3 + 1) for i in range(40)], 1, False, "C" * 40),
    ("<u2", [(40001,)] * 40, 1, True, "C" * 40),
]


def check_large(item):
    (name, shapes, axis, is_new, orders), seed = item
    dtype = np.dtype(name)
    generator = np.random.default_rng(seed)
    parts = [in_order(raw_of(generator, dtype, s), o)
             for s, o in zip(shapes, orders)]
    want = (np.stack if is_new else np.concatenate)(parts, axis)
    swapped = len(parts) - 1 if name in MIXABLE else None
    files = [saved(*other_order(p, dtype)) if i == swapped else
             saved(p, dtype) for i, p in enumerate(parts)]
    work = Work(parts, files,
                [f"--{'new-' if is_new else ''}axis={axis}"], None)
    n = len(parts)
    problems = []
    for order, kind, more, output in [
            ("C", "file", [], True),
            ("C", "file", ["-j", "3", "--max-memory", "1M"], True),
            ("F", "file", [], True),
            ("C", *[("-", [], False), ("fifo", [], True),
                    ("-", ["--max-memory", "1M"], True)][seed % 3])]:
        ran, got = perform(work, [kind] * n, [*more, "--order", order], output)
        problems += compare(ran, got, saved(in_order(want, order), dtype))
    facts = f"large {name} {shapes[:3]} {work.options}"
    return facts, tidy(problems, work, facts)


def more(tap, args):
    cases = [(case, int(args.seed) % 2**31 + i)
             for i, case in enumerate(LARGE)]
    in_parallel(tap, check_large, some_of(cases, args))


def main():
    Sweep({"cat": draw_cat, "append": draw_append},
          draws(120, 30)).run(WORK, more)


if __name__ == "__main__":
    main()
