"""What must hold of tgather, tsetdiag and tshape, on random input.

usage: algebra.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its files.
"""
import itertools
import json
import os
import shutil

import numpy as np

import shape_model as model
from differential import MIB, WORK, compare, draw_dtype, draw_raw, in_order
from differential import saved
from tap import SAN, Sweep, draws, in_parallel, read_bytes, run, some_of
from tap import status_of

ALIGNS = ["RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"]
INDEX_DTYPES = "i1 u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8".split()
# Whose bytes may be turned round, for input and diagonal of both orders.
MIXABLE = "<i2 >u2 <i4 >f4 <f8 >i8 <c8 >c16 <U2 <M8[s] >f2 >m8[h]".split()
RECORD = np.dtype([("p", ">i2"), ("q", "|V3"), ("r", "<f8"), ("s", "<U1")])


# Running a command of two inputs.

def keep_as(name, data):
    with open(WORK.path(name), "wb") as f:
        f.write(data)
    return WORK.path(name)


def run_two(way, command, a, b, options):
    """Runs a command on two files' bytes; (what it did, the result)."""
    names = [keep_as("a.npy", a), keep_as("b.npy", b)]
    feeds = {"pipe a": a, "pipe b": b, "pipe both": a + b}
    if way != "pipe b" and way in feeds:
        names[0] = "-"
    if way in ("pipe b", "pipe both"):
        names[1] = "-"
    args = [command, *options, *names]
    if way == "stdout":
        ran = run(args, WORK.here(), timeout=60)
        return ran, ran.out
    out = WORK.path("out.npy")
    ran = run([*args, "-o", out], WORK.here(), feed=feeds.get(way), timeout=60)
    return ran, read_bytes(out) if os.path.exists(out) else b""


def tidy(problems, facts, keep):
    """The problems with what they are about; removes or keeps the files."""
    if keep:
        for name in ("a.npy", "b.npy"):
            if os.path.exists(WORK.path(name)):
                shutil.copy(WORK.path(name), "draw-" + name)
    left = WORK.leftovers("a.npy", "b.npy", "out.npy")
    if left:
        problems = [*problems, f"left behind: {left}"]
    return [f"{facts}: {p}" for p in problems]


def draw_way(rng):
    """A way of handing the inputs over, the result's order and options."""
    order = rng.choice(["C", "C", "F"])
    options = [] if order == "C" and rng.random() < 0.8 else ["--order", order]
    threads = rng.choice([None, None, "1", "4"])
    if threads:
        options += ["-j", threads]
    way = rng.choice(["file", "file", "file", "stdout", "pipe a", "pipe b",
                      "pipe both"])
    return way, order, options


def draw_sizes(rng, rank, most, empty=0.08):
    shape = [rng.randint(1, most) for _ in range(rank)]
    if rank and rng.random() < empty:
        shape[rng.randrange(rank)] = 0
    return tuple(shape)


# Diagonals.

def diagonal_cells(m, n, k0, k1, align):
    """For each diagonal: row of the packed form, its cells there, its cells
    in the matrix."""
    longest = min(m + min(k1, 0), n - max(k0, 0))
    for d in range(k0, k1 + 1):
        here = np.arange(min(n - max(d, 0), m + min(d, 0)))
        side = align.split("_")[0 if d > 0 else 1]
        shift = longest - len(here) if side == "RIGHT" and d != 0 else 0
        yield k1 - d, here + shift, here + max(-d, 0), here + max(d, 0)


def diagonal_shape(shape, k0, k1):
    longest = min(shape[-2] + min(k1, 0), shape[-1] - max(k0, 0))
    rows = (k1 - k0 + 1,) if k0 != k1 else ()
    return (*shape[:-2], *rows, longest)


def packed(diagonal, k0, k1):
    """The diagonals with an axis for their number, also if it is one."""
    return diagonal if k0 != k1 else diagonal[..., None, :]


def set_diag(a, diagonal, k0, k1, align):
    out = np.array(a, order="C")
    rows = packed(diagonal, k0, k1)
    for r, at, y, x in diagonal_cells(*a.shape[-2:], k0, k1, align):
        out[..., y, x] = rows[..., r, at]
    return out


def read_band(a, padding, k0, k1, align):
    """The band of 'a', in the gaps what 'padding' holds there."""
    out = padding.copy()
    rows = packed(out, k0, k1)
    for r, at, y, x in diagonal_cells(*a.shape[-2:], k0, k1, align):
        rows[..., r, at] = a[..., y, x]
    return out


def draw_band(rng, m, n):
    """k0 <= k1, each 0 or strictly between -m and n."""
    allowed = range(min(-m + 1, 0), max(n, 1))
    if rng.random() < 0.1:
        return allowed[0], allowed[-1]
    if rng.random() < 0.3:
        return (rng.choice(allowed),) * 2
    return sorted([rng.choice(allowed), rng.choice(allowed)])


def band_options(rng, k0, k1, align):
    options = []
    if (k0, k1) != (0, 0) or rng.random() < 0.5:
        text = rng.choice([f"{k0}:{k1}", f"{k0},{k1}"])
        if k0 == k1:
            text = rng.choice([text, str(k0)])
        options += rng.choice([["-k", text], ["-k" + text]])
    if align != "RIGHT_LEFT" or rng.random() < 0.3:
        options += ["--align", align]
    return options


def other_order(raw, dtype):
    """The same items in the other byte order, and the dtype of that."""
    dtype = dtype.newbyteorder("S")
    return raw.view(dtype).byteswap().view(raw.dtype), dtype


def draw_setdiag(rng, keep):
    mixed = rng.random() < 0.2
    dtype = np.dtype(rng.choice(MIXABLE)) if mixed else draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(0, 3), 4) + draw_sizes(rng, 2, 9, 0.12)
    k0, k1 = draw_band(rng, *shape[-2:])
    align = rng.choice(ALIGNS)
    a = draw_raw(rng, dtype, shape)
    diagonal = draw_raw(rng, dtype, diagonal_shape(shape, k0, k1))
    same = rng.random() < 0.5
    if same:
        diagonal = read_band(a, diagonal, k0, k1, align)
    want = set_diag(a, diagonal, k0, k1, align)
    problems = ["the model contradicts itself"] \
        if same and want.tobytes() != a.tobytes() else []
    way, order, options = draw_way(rng)
    given, its_dtype = other_order(diagonal, dtype) if mixed \
        else (diagonal, dtype)
    options += band_options(rng, k0, k1, align)
    ran, got = run_two(way, "tsetdiag", saved(a, dtype),
                       saved(given, its_dtype), options)
    problems += compare(ran, got, saved(in_order(want, order), dtype))
    return tidy(problems, f"{dtype} {shape} [{k0}, {k1}] {align} {way}", keep)


# Index tuples.

def gather(a, indices, batch):
    """gather_nd as NumPy has it; a row that has a bad index is zero."""
    depth, lead = indices.shape[-1], indices.shape[:-1]
    sizes = a.shape[batch:batch + depth]
    bad = np.zeros(lead, bool)
    parts = []
    for i, size in enumerate(sizes):
        part = indices[..., i]
        wrong = (part < 0) | (part >= size)
        bad |= wrong
        parts.append(np.where(wrong, 0, part).astype(np.int64))
    where = (*np.indices(lead)[:batch], *parts)
    if not where:
        return np.array(np.broadcast_to(a, lead + a.shape), order="C")
    out = np.array(a[(*where, Ellipsis)], order="C")
    out[bad] = np.zeros((), a.dtype)
    return out


def draw_indices(rng, shape, batch, depth):
    """Index tuples within the shape, of a random integer dtype."""
    lead = shape[:batch] + draw_sizes(rng, rng.randint(0, 2), 5)
    sizes = shape[batch:batch + depth]
    if 0 in sizes:
        lead = (*lead[:batch], 0)
    dtype = np.dtype(rng.choice(INDEX_DTYPES))
    out = np.zeros((*lead, depth), dtype)
    for at in itertools.product(*map(range, lead)):
        for i, size in enumerate(sizes):
            out[at + (i,)] = rng.randrange(size)
    return out


def make_bad(rng, indices, sizes):
    """Puts up to three indices out of range, where there are any."""
    info = np.iinfo(indices.dtype)
    for _ in range(rng.randint(1, 3)):
        if indices.size == 0:
            return
        at = tuple(rng.randrange(n) for n in indices.shape)
        size = sizes[at[-1]]
        wrong = [size, size + 1, info.max, info.max // 2 + size]
        if info.min < 0:
            wrong += [-1, -size, info.min, info.min + 1]
        indices[at] = rng.choice([w for w in wrong
                                  if w <= info.max and not 0 <= w < size])


def draw_gather(rng, keep):
    dtype = RECORD if rng.random() < 0.08 else draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(1, 6), 5)
    batch = rng.choice([0, 0, 0, rng.randint(0, len(shape) - 1)])
    depth = rng.randint(0, len(shape) - batch)
    indices = draw_indices(rng, shape, batch, depth)
    spoiled = rng.random() < 0.35
    if spoiled:
        make_bad(rng, indices, shape[batch:batch + depth])
    indices = np.array(indices, order=rng.choice("CF"))
    a = draw_raw(rng, dtype, shape)
    way, order, options = draw_way(rng)
    if batch or rng.random() < 0.1:
        options += ["--batch-dims", str(batch)]
    zero = spoiled or rng.random() < 0.1
    if zero:
        options += ["--bad-indices", "zero"]
    ran, got = run_two(way, "tgather", saved(a, dtype), plain(indices),
                       options)
    if a.size == 0 and 0 not in indices.shape[:-1]:
        good = ran.status == 3 and not got and not ran.out
        problems = [] if good else [f"params are empty: {ran}"]
    else:
        want = gather(a, indices, batch)
        problems = compare(ran, got, saved(in_order(want, order), dtype))
        if spoiled and not keep:
            problems += refuses_bad(a, dtype, indices, batch, depth)
    facts = f"{dtype} {shape} {indices.dtype} {indices.shape} {batch} {way}"
    return tidy(problems, facts, keep)


def plain(array):
    """The file of an array whose items NumPy may move as it likes."""
    return saved(array.view(f"V{array.itemsize}"), array.dtype)


def refuses_bad(a, dtype, indices, batch, depth):
    """Without --bad-indices the first bad tuple is an error."""
    sizes = a.shape[batch:batch + depth]
    bad = any(not 0 <= int(v) < size
              for row in indices.reshape(-1, depth) for v, size
              in zip(row, sizes)) if indices.size else False
    ran, got = run_two("stdout", "tgather", saved(a, dtype), plain(indices),
                       ["--json", "--batch-dims", str(batch)])
    if not bad:
        return [] if ran.status == 0 else [str(ran)]
    kind = (ran.error() or {}).get("kind")
    good = ran.status == 3 and kind == "index_out_of_range" and not got
    return [] if good else [f"not refused: {ran}"]


def draw_identity(rng, keep):
    """All index tuples of any depth, in order, give the array."""
    dtype = draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(1, 4), 7, 0)
    depth = rng.randint(1, len(shape))
    indices = np.moveaxis(np.indices(shape[:depth]), 0, -1)
    indices = np.array(indices, rng.choice(INDEX_DTYPES),
                       order=rng.choice("CF"))
    a = draw_raw(rng, dtype, shape)
    way, order, options = draw_way(rng)
    ran, got = run_two(way, "tgather", saved(a, dtype), plain(indices),
                       options)
    problems = compare(ran, got, saved(np.array(a, order=order), dtype))
    return tidy(problems, f"{dtype} {shape} depth {depth} {way}", keep)


# Shapes.

def draw_shape(rng, keep):
    """A chain of methods on a random shape, as text and as JSON."""
    del keep
    shape = model.draw_shape(rng)
    words, result = [model.spell(rng, shape)], shape
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 5])):
        method = model.draw_method(rng, result)
        words += model.words(rng, method)
        result = model.apply(result, method)
        if not isinstance(result, model.Shape):
            break
    problems = []
    for options in ([], ["--json"]):
        ran = run(["tshape", *options, *words], WORK.here())
        problems += answer_problems(ran, result, bool(options))
    return tidy(problems, f"{words}, to be {result}", False)


def uncountable(result):
    return (isinstance(result, model.Shape)
            and isinstance(model.size(result), model.Failure))


def answer_problems(ran, result, as_json):
    if isinstance(result, model.Failure):
        kind = (ran.error() or {}).get("kind") if as_json else result.kinds[0]
        good = (ran.status == status_of(result.kinds[0]) and not ran.out
                and kind in result.kinds)
        return [] if good else [str(ran)]
    if as_json and uncountable(result):
        # As a shape it is fine, its number of elements is none.
        return answer_problems(ran, model.size(result), True)
    if ran.status != (1 if result is False else 0) or ran.err:
        return [str(ran)]
    if not as_json:
        good = ran.out.decode() == model.text(result) + "\n"
    else:
        got = json.loads(ran.out)
        if isinstance(result, model.Shape):
            got = {k: got[k] for k in ("shape", "ndim", "size")}
        good = json.dumps(got) == json.dumps(model.facts(result))
    return [] if good else [f"{ran} printed {ran.out!r}"]


# Results of many blocks.

def large_gathers():
    """(dtype, shape of params, rows, depth): rows of 1 byte to 64 KiB."""
    for size in (1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 33, 64, 100, 256, 1000,
                 4096, 4099, 65536):
        rows = 9 * MIB // size + 3
        rows = min(rows, 3 * MIB) if SAN else rows
        yield "|u1", (min(rows, 5000), size), rows, 1
    yield "<f8", (300, 41), 1300000, 2
    yield "|V3", (30, 20, 10), 3100000, 3
    yield ">i8", (20, 30, 40, 8), 150001, 3
    yield "<c16", (7, 11, 13, 17), 650001, 4
    yield "|b1", (9437185,), 9437185, 1


def random_indices(generator, shape, rows, depth, dtype):
    columns = [generator.integers(0, n, rows) for n in shape[:depth]]
    return np.stack(columns, -1).astype(dtype)


def raw_of(generator, dtype, shape):
    count = int(np.prod(shape)) * dtype.itemsize
    items = generator.integers(0, 256, count, np.uint8)
    return items.view(f"V{dtype.itemsize}").reshape(shape)


def compare_ways(command, a, b, want, options, ways):
    problems = []
    for way, threads in ways:
        ran, got = run_two(way, command, a, b, [*options, "-j", threads])
        problems += compare(ran, got, want)
    return problems


def check_large_gather(case):
    dtype, shape, rows, depth = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(rows)
    indices = random_indices(generator, shape, rows, depth,
                             generator.choice(["<i4", ">i8", "<i8"]))
    a = raw_of(generator, dtype, shape)
    want = gather(a, indices, 0)
    files = saved(a, dtype), plain(indices)
    problems = compare_ways(
        "tgather", *files, saved(want, dtype), [],
        [("file", "1"), ("file", "4"), ("pipe both", "4"), ("stdout", "1")])
    f_files = (saved(in_order(a, "F"), dtype), plain(in_order(indices, "F")))
    problems += compare_ways("tgather", *f_files, saved(want, dtype), [],
                             [("file", "1"), ("file", "4")])
    problems += compare_ways(
        "tgather", *files, saved(in_order(want, "F"), dtype),
        ["--order", "F"], [("file", "1"), ("file", "4")])
    indices[rows // 2] = shape[0]
    want = gather(a, indices, 0)
    problems += compare_ways(
        "tgather", files[0], plain(indices), saved(want, dtype),
        ["--bad-indices", "zero"], [("file", "4"), ("pipe a", "1")])
    row = dtype.itemsize * int(np.prod(shape[depth:]))
    name = f"tgather {case[0]} {shape}, {rows} rows of {row} bytes"
    return name, tidy(problems, name, False)


def large_bands():
    """(dtype, shape, k0, k1, align)."""
    yield "<f8", (1100, 1000), 0, 0, "RIGHT_LEFT"
    yield "<f8", (1000, 1100), -999, 1099, "LEFT_RIGHT"
    yield "<f4", (1501, 1700), -3, 900, "RIGHT_RIGHT"
    yield "|V3", (1800, 1700), -1700, -5, "LEFT_LEFT"
    yield "<i2", (200001, 5, 6), -2, 3, "RIGHT_LEFT"
    yield "<c16", (40000, 4, 4), 1, 1, "RIGHT_LEFT"
    yield "|u1", (3, 3500000, 1), -5, 0, "RIGHT_LEFT"
    yield "|u1", (2, 2, 1, 2500001), 7, 4007, "LEFT_LEFT"
    yield "|V100", (310, 320), -309, 4, "RIGHT_RIGHT"


def check_large_band(case):
    dtype, shape, k0, k1, align = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(shape[-1])
    a = raw_of(generator, dtype, shape)
    diagonal = raw_of(generator, dtype, diagonal_shape(shape, k0, k1))
    want = set_diag(a, diagonal, k0, k1, align)
    options = ["-k", f"{k0}:{k1}", "--align", align]
    files = saved(a, dtype), saved(diagonal, dtype)
    problems = compare_ways(
        "tsetdiag", *files, saved(want, dtype), options,
        [("file", "1"), ("file", "4"), ("pipe both", "4"), ("stdout", "1")])
    f_files = [saved(in_order(x, "F"), dtype) for x in (a, diagonal)]
    problems += compare_ways("tsetdiag", *f_files, saved(want, dtype), options,
                             [("file", "1"), ("pipe a", "4")])
    options += ["--order", "F"]
    problems += compare_ways(
        "tsetdiag", *files, saved(in_order(want, "F"), dtype), options,
        [("file", "1"), ("file", "4")])
    name = f"tsetdiag {case[0]} {shape} [{k0}, {k1}] {align}"
    return name, tidy(problems, name, False)


KINDS = {"setdiag": draw_setdiag, "gather": draw_gather,
         "identity": draw_identity, "shape": draw_shape}


def more(tap, args):
    in_parallel(tap, check_large_gather, some_of(large_gathers(), args))
    in_parallel(tap, check_large_band, some_of(large_bands(), args))


def main():
    Sweep(KINDS, draws(150, 60), slow={"shape"}).run(WORK, more)


if __name__ == "__main__":
    main()
