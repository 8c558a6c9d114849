"""tslice against NumPy on random arrays and slices, byte for byte.

usage: differential.py [--seed N] [--count N] [--brief] [--draw I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes the I-th draw alone and keeps its input as draw-I.npy.
"""
import argparse
import io
import os
import random
import shutil
import warnings

import numpy as np

from tap import SAN, Tap, Workshop, draws, in_parallel, read_bytes, run
from tap import some_of

BATCH = 25  # draws behind one TAP line
MIB = 1 << 20
WORK = Workshop()
LIMITS = [2**63 - 1, -2**63, 2**62, -2**62, 2**32, -2**31, 1000, -1000]
NEWAXES = ["None", "newaxis", "np.newaxis", "tf.newaxis"]
SIMPLE = """|b1 |i1 |u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8 <f2 >f2
    <f4 >f4 <f8 >f8 <f16 <c8 >c8 <c16 >c16 <c32 |S1 |S2 |S3 |S5 |S7 |S12 |S16
    |S33 <U1 >U1 <U2 <U3 >U4 |V1 |V2 |V3 |V5 |V6 |V7 |V8 |V9 |V11 |V13 |V16 |V24
    |V32 |V64 |V100 <M8[ns] >M8[D] <M8[25s] <m8 >m8[h] <m8[us]""".split()
RECORDS = [
    np.dtype([("a", "<i4"), ("b", ">f8")]),
    np.dtype([("a", "|u1"), ("b", "<f8"), ("c", "<i2")], align=True),
    np.dtype([("x", "<f4", (2, 3)), ("y", "|S3")]),
    np.dtype([("outer", [("p", ">i2"), ("q", "|V3")]), ("r", "<U2")]),
    np.dtype([("temp\u00e9rature", "<f4"), ("b", "|b1")]),
    np.dtype([("\u6e29\u5ea6", "<f4"), ("b", "<i8")]),
    np.dtype([("it's", "<i2"), ("\"q\" 'p'", "<i2"), ("a\nb", "<u2")]),
    np.dtype([(("a title", "t"), "<i4"), ("n", "<M8[ms]")]),
    np.dtype([("one", "<f8", (1,)), ("v", "|V5")]),
]


def saved(raw, dtype):
    """The file numpy.save writes for the items 'raw' seen as 'dtype'.

    The header is NumPy's own.  The items are moved as opaque ones, since NumPy
    does not promise what it does with padding inside of records and long
    doubles, and tslice copies it.
    """
    a = raw.view(dtype)
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        np.save(file, a, allow_pickle=False)
    whole = file.getvalue()
    fortran = np.lib.format.header_data_from_array_1_0(a)["fortran_order"]
    items = raw.tobytes("F" if fortran else "C")
    return whole[:len(whole) - len(items)] + items


def in_order(raw, order):
    return raw if order is None else np.array(raw, order=order)


# Drawing.

def draw_dtype(rng):
    if rng.random() < 0.15:
        return rng.choice(RECORDS)
    return np.dtype(rng.choice(SIMPLE))


def draw_shape(rng):
    rank = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8])
    most = {1: 300, 2: 60, 3: 16, 4: 9}.get(rank, 5 if rank < 7 else 3)
    small = rng.random() < 0.3
    shape = [rng.randint(1, 3 if small else most) for _ in range(rank)]
    if rank and rng.random() < 0.06:
        shape[rng.randrange(rank)] = 0
    return tuple(shape)


def draw_raw(rng, dtype, shape):
    """Random items of the dtype's size, in C or Fortran order."""
    count = int(np.prod(shape, dtype=np.int64))
    raw = np.frombuffer(rng.randbytes(count * dtype.itemsize),
                        f"V{dtype.itemsize}").reshape(shape)
    return in_order(raw, rng.choice(["C", "C", "F"]))


def draw_range(rng, n):
    def bound():
        if rng.random() < 0.35:
            return None
        if rng.random() < 0.06:
            return rng.choice(LIMITS)
        return rng.randint(-n - 2, n + 2)

    step = rng.choice([None] * 6 + [1, 2, 3, 5, 7, -1, -1, -2, -3, -7]
                      + LIMITS[:4])
    return slice(bound(), bound(), step)


def draw_items(rng, shape):
    """A random index: a list of int, slice, None and Ellipsis."""
    used = rng.randint(0, len(shape))
    gap = rng.randint(0, used)  # where the ellipsis goes, if any
    hidden = rng.random() < 0.4
    dims = list(shape[:gap]) + list(shape[len(shape) - (used - gap):]) \
        if hidden else list(shape[:used])
    items = [rng.randint(-n, n - 1) if n and rng.random() < 0.25
             else draw_range(rng, n) for n in dims]
    if hidden:
        items.insert(gap, Ellipsis)
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 4])):
        items.insert(rng.randint(0, len(items)), None)
    return items or [Ellipsis]


def spell(rng, item):
    """One of the texts of an item."""
    def blank():
        return rng.choice(["", "", "", "", " ", "\t", "  "])

    if item is None:
        text = rng.choice(NEWAXES)
    elif item is Ellipsis:
        text = rng.choice(["...", "...", "Ellipsis"])
    elif isinstance(item, int):
        text = str(item)
    else:
        parts = [rng.choice(["", "", "None"]) if p is None else str(p)
                 for p in (item.start, item.stop, item.step)]
        if item.step is None and rng.random() < 0.6:
            parts.pop()
        text = ":".join(blank() + p + blank() for p in parts)
    return blank() + text + blank()


def draw_spec(rng, items):
    text = ",".join(spell(rng, i) for i in items)
    if rng.random() < 0.1:
        text += ","
    return f"[{text}]" if rng.random() < 0.5 else text


# One draw.

def tslice(way, options, source, spec):
    """Runs tslice one of four ways; (what it did, the result's bytes)."""
    out = WORK.path("out.npy")
    operands = ["--", "-" if way in ("pipe", "stdin") else source, spec]
    if way in ("file", "stdin"):
        operands = ["-o", out, *operands]
    args = ["tslice", *options, *operands]
    if way == "pipe":
        ran = run(args, WORK.here(), feed=read_bytes(source))
    elif way == "stdin":
        with open(source, "rb") as f:
            ran = run(args, WORK.here(), stdin=f)
    else:
        ran = run(args, WORK.here())
    if way in ("file", "stdin"):
        made = os.path.exists(out)
        return ran, read_bytes(out) if made else b""
    return ran, ran.out


def compare(ran, got, want):
    if ran.status != 0 or ran.err:
        return [str(ran)]
    if got == want:
        return []
    at = next((i for i, (x, y) in enumerate(zip(got, want)) if x != y),
              min(len(got), len(want)))
    return [f"{ran.args!r}: {len(got)} bytes for {len(want)}, first "
            f"difference at {at}", f"got  {got[:128]!r}",
            f"want {want[:128]!r}"]


def options_of(rng):
    order = rng.choice([None, None, None, "C", "F"])
    threads = rng.choice([None, None, 1, 4])
    options = [] if order is None else ["--order", order]
    return order, options + ([] if threads is None else ["-j", str(threads)])


def draw(seed, number, keep=False):
    """Makes and tries one draw; the problems found."""
    rng = random.Random(f"{seed}/{number}")
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    items = draw_items(rng, shape)
    order, options = options_of(rng)
    way = rng.choice(["file", "file", "stdout", "pipe", "stdin"])
    beyond = rng.random() < 0.04 and shape and spoil(rng, items, shape)
    spec = draw_spec(rng, items)
    source = WORK.path("in.npy")
    with open(source, "wb") as f:
        f.write(saved(raw, dtype))
    if keep:
        shutil.copy(source, f"draw-{number}.npy")
    ran, got = tslice(way, options, source, spec)
    if beyond:
        problems = [] if ran.status == 3 and not got else [str(ran)]
    else:
        index = tuple(items) if Ellipsis in items else (*items, Ellipsis)
        want = saved(in_order(raw[index], order), dtype)
        problems = compare(ran, got, want)
    left = WORK.leftovers("in.npy", "out.npy")
    if left:
        problems.append(f"left behind: {left}")
    facts = f"draw {number}: {dtype} {shape} {way} {options} {spec!r}: "
    return [facts + p for p in problems]


def spoil(rng, items, shape):
    """Puts an index out of range first; True."""
    n = shape[0]
    items[:] = [rng.choice([n, -n - 1, n + 5, LIMITS[0], LIMITS[1]])]
    return True


# Arrays of many blocks.

def large_cases():
    """(dtype, shape, order of the input, spec)."""
    for n in (MIB, 4 * MIB, 8 * MIB):
        for d in (-1, 0, 1):
            yield "|u1", (n + d,), "C", "::-1"
            yield "|u1", (n + d - 128,), "C", "1:"
    yield "<f8", (1500, 1100), "C", "::-1,::-1"
    yield "<f8", (1500, 1100), "F", "1:,:-1"
    yield "<f4", (1201, 2003), "F", ":,1::1"
    yield "<f4", (64, 200, 301), "C", "...,::-1"
    yield "<f4", (64, 200, 301), "F", "3:,::-1,:"
    yield "<f4", (301, 40, 301), "C", ":,::2,:"
    yield "<i2", (7, 1000, 801), "C", "None,:,:,None,1:"
    yield "|V3", (1700, 1800), "C", "::-1,1:"
    yield "|V3", (1700, 1800), "F", ":,::-2"
    yield "<c16", (13, 211, 257), "F", "::-1"
    yield "|V100", (310, 330), "C", ":,::-1"
    yield ">i8", (2, 2, 2, 2, 2, 2, 5, 16385), "C", "...,::-1,1:"
    yield "|u1", (9, 1 << 20), "C", "::-1,:"
    yield "<f8", (3 * MIB,), "C", "::2"
    yield "<f8", (6 * MIB // 4, 4), "C", ":,1"
    yield "<f8", (4, 6 * MIB // 4), "F", "1"


def parse(spec):
    return eval(f"np.s_[{spec},]")  # the specs above, none from outside


def check_large(case):
    dtype, shape, layout, spec = np.dtype(case[0]), *case[1:]
    count = int(np.prod(shape))
    raw = np.frombuffer(random.Random(spec).randbytes(count * dtype.itemsize),
                        f"V{dtype.itemsize}").reshape(shape)
    raw = in_order(raw, layout)
    source = WORK.path("in.npy")
    with open(source, "wb") as f:
        f.write(saved(raw, dtype))
    problems = []
    for order in (None, "C" if layout == "F" else "F"):
        want = saved(in_order(raw[parse(spec)], order), dtype)
        options = ["--order", order] if order else []
        for way, threads in [("file", "1"), ("file", "4"), ("pipe", "4"),
                             ("stdout", "1")]:
            ran, got = tslice(way, [*options, "-j", threads], source, spec)
            problems += compare(ran, got, want)
    left = WORK.leftovers("in.npy", "out.npy")
    if left:
        problems.append(f"left behind: {left}")
    return f"{case[0]} {shape} {layout} [{spec}], 1 and 4 threads", problems


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default=os.environ.get("TSLICE_SEED") or
                        str(random.SystemRandom().randrange(10**9)))
    parser.add_argument("--count", type=int, default=draws(800, 200))
    parser.add_argument("--draw", type=int)
    parser.add_argument("--brief", action="store_true",
                        help="few of the large arrays")
    return parser.parse_args()


def main():
    args = arguments()
    tap = Tap()
    tap.note(f"seed {args.seed}")

    def batch(first):
        numbers = range(first, min(first + BATCH, args.count))
        found = [p for n in numbers for p in draw(args.seed, n)]
        name = f"seed {args.seed}, draws {first} to {numbers[-1]}"
        return name, found

    with WORK:
        if args.draw is not None:
            tap.result(f"draw {args.draw}",
                       draw(args.seed, args.draw, keep=True))
        else:
            in_parallel(tap, batch, range(0, args.count, BATCH))
            in_parallel(tap, check_large, some_of(large_cases(), args))
    tap.done()


if __name__ == "__main__":
    main()
