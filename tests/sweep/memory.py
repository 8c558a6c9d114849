"""Arrays that memory does not hold, against NumPy, byte for byte.

usage: memory.py [--seed N] [--count N] [--draw KIND/I]

Arrays of a few MiB and memory of about as much or less: what is small
elsewhere is here made in several boxes, batches and parts, by one thread or
more.  The seed is printed; it, or TSLICE_SEED in the environment, repeats a
run.  --draw makes one draw alone, as a failure names it, and keeps its files.
"""
import os

import numpy as np

from algebra import ALIGNS, INDEX_DTYPES, MIXABLE, band_options
from algebra import diagonal_shape, gather, other_order, plain, set_diag, tidy
from differential import MIB, WORK, compare, draw_spec, in_order, saved
from tap import SAN, Sweep, draws, read_bytes, run

SIZES = [1, 1, 2, 3, 4, 4, 4, 5, 6, 7, 8, 8, 8, 9, 12, 15, 16, 24, 31, 32, 33,
         64, 100, 255, 1000, 4099]
HUGE = [65535, 70001, 300007, 1500001]
ROOM = "1M 1M 1M 1025K 1500K 2M 3M 4M 5M 9M 17M 33M 56M".split()


# Drawing.

def draw_dtype(rng):
    if rng.random() < 0.04:
        return np.dtype(f"V{rng.choice(HUGE)}")
    return np.dtype(f"V{rng.choice(SIZES)}")


def draw_shape(rng, nbytes, size, rank):
    """A shape of about so many bytes; some dims much longer than others."""
    left = max(nbytes // size, 1)
    shape = []
    for i in range(rank):
        n = left if i == rank - 1 else int(left ** rng.uniform(0, 0.8))
        shape.append(max(min(n, left), 1))
        left //= shape[-1]
    rng.shuffle(shape)
    return tuple(shape)


def draw_bytes(rng):
    top = 4 if SAN else 12
    return int(MIB * rng.choice([0.3, 1, 1.9, 3, 4, top, top + 0.7]))


def draw_raw(rng, dtype, shape, order=None):
    """Random items: each has bytes of its own place in it."""
    count = int(np.prod(shape)) * dtype.itemsize
    generator = np.random.default_rng(rng.randrange(2**32))
    items = generator.integers(0, 256, count, np.uint8)
    raw = items.view(f"V{dtype.itemsize}").reshape(shape)
    return in_order(raw, order or rng.choice("CCF"))


def draw_slice(rng, n):
    """Mostly all of an axis, or nearly all."""
    kind = rng.random()
    if kind < 0.35:
        return slice(None)
    if kind < 0.5:
        return slice(None, None, -1)
    if n < 12 and kind < 0.58:
        return rng.randint(-n, n - 1)
    step = rng.choice([1, 1, 2, 3, 5, 17, -1, -2, -3, -64])
    begin, end = sorted([int(n * rng.random() ** 4),
                         n - int(n * rng.random() ** 4)])
    if step < 0:
        begin, end = end, begin - 1 if begin else None
    return slice(begin, end, step)


def draw_setting(rng):
    """How inputs and output are handed over; the options that say the rest."""
    options = ["-j", rng.choice("1234")]
    # Or as much as there is, and what of files may be mapped beyond it.
    if rng.random() < 0.8:
        options += ["--max-memory", rng.choice(ROOM)]
    order = rng.choice([None, None, "C", "F"])
    return options, order


# Running.

def execute(rng, command, options, files, operands):
    """Runs it on files' bytes, each a file or in a pipe; (what, result)."""
    names, feed = [], b""
    for i, data in enumerate(files):
        name = WORK.path("ab"[i] + ".npy")
        with open(name, "wb") as f:
            f.write(data)
        if rng.random() < 0.35:
            name, feed = "-", feed + data
        names.append(name)
    out = WORK.path("out.npy")
    to_file = rng.random() < 0.6
    args = [command, *options, *(["-o", out] if to_file else []), "--",
            *names, *operands]
    ran = run(args, WORK.here(), feed=feed or None, timeout=120)
    if not to_file:
        return ran, ran.out
    return ran, read_bytes(out) if os.path.exists(out) else b""


def draw_a_slice(rng, keep):
    dtype = draw_dtype(rng)
    shape = draw_shape(rng, draw_bytes(rng), dtype.itemsize, rng.randint(1, 5))
    raw = draw_raw(rng, dtype, shape)
    items = [draw_slice(rng, n) for n in shape]
    if rng.random() < 0.2:
        items.insert(rng.randint(0, len(items)), None)
    options, order = draw_setting(rng)
    if order:
        options += ["--order", order]
    spec = draw_spec(rng, items)
    ran, got = execute(rng, "tslice", options, [saved(raw, dtype)], [spec])
    want = saved(in_order(raw[(*items, Ellipsis)], order), dtype)
    return tidy(compare(ran, got, want), f"{dtype} {shape}", keep)


def draw_a_transposition(rng, keep):
    """From one order to the other, of all or nearly all."""
    dtype = draw_dtype(rng)
    shape = draw_shape(rng, draw_bytes(rng), dtype.itemsize, rng.randint(2, 4))
    orders = rng.choice(["CF", "FC"])
    raw = draw_raw(rng, dtype, shape, orders[0])
    items = [rng.choice([slice(None)] * 3 + [slice(1, None),
                                             slice(None, None, -1)])
             for _ in shape]
    options, _ = draw_setting(rng)
    ran, got = execute(rng, "tslice", [*options, "--order", orders[1]],
                       [saved(raw, dtype)], [draw_spec(rng, items)])
    want = saved(in_order(raw[tuple(items)], orders[1]), dtype)
    return tidy(compare(ran, got, want), f"{dtype} {shape} {orders}", keep)


def draw_a_gather(rng, keep):
    dtype = draw_dtype(rng)
    shape = draw_shape(rng, draw_bytes(rng), dtype.itemsize, rng.randint(1, 4))
    depth = rng.randint(1, len(shape))
    row = dtype.itemsize * int(np.prod(shape[depth:]))
    limit = 60000 if SAN else 1000000
    count = min(max(draw_bytes(rng) // row, 1), limit)
    generator = np.random.default_rng(rng.randrange(2**32))
    columns = [generator.integers(0, n, count) for n in shape[:depth]]
    indices = np.stack(columns, -1)
    if rng.random() < 0.2:
        indices = np.sort(indices, 0)
    fits = [d for d in INDEX_DTYPES if np.iinfo(d).max >= max(shape)]
    indices = np.array(indices, rng.choice(fits), order=rng.choice("CF"))
    options, order = draw_setting(rng)
    if rng.random() < 0.3:
        wrong = generator.random(count) < rng.choice([0.0001, 0.1])
        indices[wrong, rng.randrange(depth)] = np.iinfo(indices.dtype).max
        options += ["--bad-indices", "zero"]
    if order:
        options += ["--order", order]
    raw = draw_raw(rng, dtype, shape)
    ran, got = execute(rng, "tgather", options,
                       [saved(raw, dtype), plain(indices)], [])
    want = gather(raw, indices, 0)
    facts = f"{dtype} {shape} {indices.dtype} {indices.shape}"
    return tidy(compare(ran, got, saved(in_order(want, order or "C"), dtype)),
                facts, keep)


def draw_a_band(rng, keep):
    mixed = rng.random() < 0.15
    dtype = np.dtype(rng.choice(MIXABLE)) if mixed else draw_dtype(rng)
    shape = draw_shape(rng, draw_bytes(rng), dtype.itemsize, rng.randint(2, 4))
    m, n = shape[-2:]
    most = rng.choice([0, 1, 5, 100, 3000])
    low = max(-m + 1, rng.randint(-most, most))
    low = min(low, n - 1)
    high = min(n - 1, max(low, low + rng.randint(0, 2 * most)))
    while diagonal_size(shape, low, high, dtype) > 16 * MIB:
        high = low + (high - low) // 2
    align = rng.choice(ALIGNS)
    raw = draw_raw(rng, dtype, shape)
    diagonal = draw_raw(rng, dtype, diagonal_shape(shape, low, high))
    want = set_diag(raw, diagonal, low, high, align)
    given, its = other_order(diagonal, dtype) if mixed else (diagonal, dtype)
    options, order = draw_setting(rng)
    options += band_options(rng, low, high, align)
    if order:
        options += ["--order", order]
    ran, got = execute(rng, "tsetdiag", options,
                       [saved(raw, dtype), saved(given, its)], [])
    facts = f"{dtype} {shape} {diagonal.shape}"
    return tidy(compare(ran, got, saved(in_order(want, order or "C"), dtype)),
                facts, keep)


def diagonal_size(shape, low, high, dtype):
    return int(np.prod(diagonal_shape(shape, low, high))) * dtype.itemsize


def draw_rows_of_a_stream(rng, keep):
    """Long rows, or large elements, that are wanted in another order."""
    large = rng.random() < 0.5
    dtype = np.dtype(f"V{rng.randint(16384, 60000) if large else 4}")
    shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(2, 4)))
    shape += () if large else (rng.randint(4096, 20000),)
    raw = draw_raw(rng, dtype, shape)
    items = [draw_slice(rng, n) for n in shape]
    options, order = draw_setting(rng)
    if order:
        options += ["--order", order]
    out = WORK.path("out.npy")
    to_file = ["-o", out] if rng.random() < 0.5 else []
    spec = draw_spec(rng, items)
    ran = run(["tslice", *options, *to_file, "--", "-", spec], WORK.here(),
              feed=saved(raw, dtype))
    made = to_file and os.path.exists(out)
    got = read_bytes(out) if made else ran.out
    want = saved(in_order(raw[(*items, Ellipsis)], order), dtype)
    return tidy(compare(ran, got, want), f"{dtype} {shape} {spec!r}", keep)


KINDS = {"rows": draw_rows_of_a_stream, "slice": draw_a_slice,
         "transposition": draw_a_transposition, "gather": draw_a_gather,
         "band": draw_a_band}


def main():
    Sweep(KINDS, draws(20, 8), batch=5).run(WORK)


if __name__ == "__main__":
    main()
