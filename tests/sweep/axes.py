"""--axes, -T and --reshape against NumPy on random arrays, byte for byte.

usage: axes.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone and keeps its input.

    any     any dtype, rank and slice
    deep    ranks up to NumPy's limit, mostly of sizes 1 and 2
    large   more than a block of four axes, and little memory for it
    wrong   lists that do not fit
"""
import os
import shutil

import numpy as np

from differential import LIMITS, compare, draw_dtype, draw_items, draw_raw
from differential import draw_shape, draw_spec, in_order, saved
from tap import Sweep, Workshop, draws, read_bytes, run

WORK = Workshop()
MOST = 32               # dims, of the NumPy that is oldest
LARGE = [1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 65, 100, 130]


# Drawing.

def draw_axes(rng, ndim):
    axes = rng.sample(range(ndim), ndim)
    return [k - ndim if rng.random() < 0.3 else k for k in axes]


def factors(n):
    """The prime factors of a small number."""
    found, p = [], 2
    while p * p <= n:
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return found + [n] * (n > 1)


def split_and_merged(rng, shape):
    """Another shape that mostly fits the axes: some are cut, or joined."""
    sizes = []
    for n in shape:
        parts = factors(n)
        if len(parts) > 1 and rng.random() < 0.4:
            cut = rng.randint(1, len(parts) - 1)
            sizes += [int(np.prod(parts[:cut])), int(np.prod(parts[cut:]))]
        else:
            sizes.append(n)
    while len(sizes) > 1 and rng.random() < 0.4:
        i = rng.randrange(len(sizes) - 1)
        sizes[i:i + 2] = [sizes[i] * sizes[i + 1]]
    return sizes


def other_sizes(rng, count):
    """Any shape of so many elements."""
    parts = factors(count)
    rng.shuffle(parts)
    sizes = [1] * rng.randint(1, 5)
    for p in parts:
        sizes[rng.randrange(len(sizes))] *= p
    return sizes


def draw_sizes(rng, shape):
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        sizes = rng.sample([0, rng.randint(0, 9), 3], 3)
    elif rng.random() < 0.5:
        sizes = split_and_merged(rng, shape)
    else:
        sizes = other_sizes(rng, count)
    while len(sizes) < MOST and rng.random() < 0.2:
        sizes.insert(rng.randint(0, len(sizes)), 1)
    if count == 1 and rng.random() < 0.3:
        sizes = []
    if sizes and rng.random() < 0.4:
        i = rng.randrange(len(sizes))
        if np.prod(sizes[:i] + sizes[i + 1:], dtype=np.int64) > 0:
            sizes[i] = -1
    return sizes


def option(rng, name, numbers):
    comma = rng.choice([",", ",", ", ", " , "])
    text = comma.join(map(str, numbers))
    return [f"{name}={text}"] if rng.random() < 0.5 else [name, text]


def draw_arrangement(rng, a):
    """Options, and what NumPy makes of the array with them."""
    options = []
    how = rng.choice(["axes", "axes", "T", "no"])
    if how == "axes":
        axes = draw_axes(rng, a.ndim)
        options, a = option(rng, "--axes", axes), a.transpose(axes)
    elif how == "T":
        options, a = ["-T"], a.T
    if how == "no" or rng.random() < 0.5:
        sizes = draw_sizes(rng, a.shape)
        options += option(rng, "--reshape", sizes)
        a = a.reshape(sizes)
    return options, a


# Trying.

def source_of(raw, dtype, keep, kind):
    source = WORK.path("in.npy")
    with open(source, "wb") as f:
        f.write(saved(raw, dtype))
    if keep:
        shutil.copy(source, f"draw-{kind}.npy")
    return source


def tslice(rng, options, source, spec):
    """Runs tslice in one of five ways; (what it did, the result's bytes)."""
    out = WORK.path("out.npy")
    way = rng.choice(["file", "file", "stdout", "pipe", "stdin", "pipes"])
    piped = way in ("pipe", "pipes")
    operands = ["-" if piped or way == "stdin" else source, *spec]
    if way in ("file", "pipe", "stdin"):
        operands += ["-o", out]
    args = ["tslice", *options, *operands]
    if way == "stdin":
        with open(source, "rb") as f:
            ran = run(args, WORK.here(), stdin=f)
    else:
        ran = run(args, WORK.here(),
                  feed=read_bytes(source) if piped else None)
    if way in ("stdout", "pipes"):
        return ran, ran.out
    return ran, read_bytes(out) if os.path.exists(out) else b""


def attempt(rng, raw, dtype, items, more, keep, kind):
    """One array, sliced and arranged; the problems found."""
    index = tuple(items) if Ellipsis in items else (*items, Ellipsis)
    options, want = draw_arrangement(rng, raw[index] if items else raw)
    order = rng.choice([None, None, "C", "F"])
    if order:
        options += ["--order", order]
    spec = [draw_spec(rng, items).strip()] if items else []
    source = source_of(raw, dtype, keep, kind)
    # A slice that begins with a dash, but with no number, is in brackets.
    spec = [s if s.startswith("[") else f"[{s}]" for s in spec]
    ran, got = tslice(rng, [*options, *more], source, spec)
    found = compare(ran, got, saved(in_order(want, order), dtype))
    left = WORK.leftovers("in.npy", "out.npy")
    found += [f"left behind: {left}"] if left else []
    return [f"{dtype} {raw.shape}, {options}, {spec}: {p}" for p in found]


def draw_any(rng, keep):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    items = draw_items(rng, shape) if rng.random() < 0.6 else []
    threads = rng.choice([[], [], ["-j", "1"], ["-j", "4"]])
    return attempt(rng, raw, dtype, items, threads, keep, "any")


def draw_deep(rng, keep):
    dtype = draw_dtype(rng)
    shape = [rng.choice([1, 1, 1, 2]) for _ in range(rng.randint(9, MOST))]
    while np.prod(shape) > 4096:
        shape[rng.randrange(len(shape))] = 1
    raw = draw_raw(rng, dtype, tuple(shape))
    return attempt(rng, raw, dtype, [], [], keep, "deep")


def large_shape(rng, width):
    """Of several axes, two boxes and more in a mebibyte of memory."""
    shape = []
    while np.prod(shape, dtype=np.int64) * width < 1 << 20 or len(shape) < 2:
        room = (4 << 20) // (width * int(np.prod(shape, dtype=np.int64)))
        shape.append(rng.choice([n for n in LARGE[1:] if n <= room] or [1]))
    rng.shuffle(shape)
    return tuple(shape)


def draw_large(rng, keep):
    dtype = np.dtype(rng.choice(["|u1", "<f4", "<i2", ">f8", "<c16", "|V3"]))
    raw = draw_raw(rng, dtype, large_shape(rng, dtype.itemsize))
    items = rng.choice([[], [], [Ellipsis, slice(None, None, -1)],
                        [slice(1, None)], [slice(None, None, 2)]])
    more = [*rng.choice([[], ["--max-memory", "1M"]]),
            *rng.choice([["-j", "1"], ["-j", "4"]])]
    return attempt(rng, raw, dtype, items, more, keep, "large")


def spoilt_axes(rng, ndim):
    axes = list(range(ndim))
    how = rng.randrange(4)
    if how == 0 or not axes:
        axes.append(rng.choice([0, ndim, -1]))
    elif how == 1:
        axes.pop()
    elif how == 2 and ndim > 1:
        axes[0] = axes[1] - rng.choice([0, ndim])
    else:
        axes[0] = rng.choice([ndim, -ndim - 1, *LIMITS])
    return axes


def draw_wrong(rng, keep):
    """NumPy refuses it, too, except where it takes 2^32 for 0."""
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    count = raw.size
    if rng.random() < 0.5:
        kind = "bad_axes"
        options = option(rng, "--axes", spoilt_axes(rng, raw.ndim))
    else:
        kind = "bad_reshape"
        sizes = rng.choice([[count + 1], [-1, -1], [0, -1], [-2],
                            [count + 2, -1], [2**62, 4], [count, 1, -2]])
        if count == 0 and sizes == [count + 2, -1]:
            sizes = [5]
        options = option(rng, "--reshape", sizes)
    source = source_of(raw, dtype, keep, "wrong")
    ran, got = tslice(rng, ["--json", *options], source, [])
    left = WORK.leftovers("in.npy")
    if ran.status == 3 and (ran.error() or {}).get("kind") == kind \
            and not got and not left:
        return []
    return [f"{dtype} {shape}, {options}: not {kind}: {ran} {left}"]


def main():
    Sweep({"any": draw_any, "deep": draw_deep, "large": draw_large,
           "wrong": draw_wrong}, draws(150, 50), slow=["large"]).run(WORK)


if __name__ == "__main__":
    main()
