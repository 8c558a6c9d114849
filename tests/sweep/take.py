"""tgather --axis, and indices given as text, against NumPy on random input.

usage: take.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its files.
"""
import numpy as np

from algebra import INDEX_DTYPES, RECORD, compare_ways, draw_sizes, draw_way
from algebra import gather, keep_as, make_bad, plain, random_indices, raw_of
from algebra import run_two, tidy
from differential import MIB, WORK, compare, draw_dtype, draw_raw, in_order
from differential import saved
from tap import SAN, Sweep, draws, in_parallel, run, some_of


def take(a, indices, axis):
    """numpy.take, but with zeros where an index is out of range."""
    flat = np.array(indices, order="C").ravel()
    axis %= a.ndim
    good = (flat >= 0) & (flat < a.shape[axis])
    shape = (*a.shape[:axis], flat.size, *a.shape[axis + 1:])
    out = np.zeros(shape, a.dtype)
    at = (slice(None),) * axis
    out[at + (good,)] = np.take(a, flat[good].astype(np.int64), axis)
    return out.reshape((*shape[:axis], *indices.shape, *shape[axis + 1:]))


def draw_axis_and_indices(rng, shape):
    axis = rng.randrange(-len(shape), len(shape))
    sizes = draw_sizes(rng, rng.choice([0, 1, 1, 2, 3]), 6)
    if shape[axis] == 0:
        sizes = (0, *sizes[1:])
    dtype = np.dtype(rng.choice(INDEX_DTYPES))
    count = int(np.prod(sizes))
    flat = [rng.randrange(shape[axis]) for _ in range(count)]
    return axis, np.array(flat, dtype).reshape(sizes)


def spoil(rng, indices, size):
    """Some are out of range."""
    column = indices.reshape(-1, 1)
    make_bad(rng, column, (size,))
    return column.reshape(indices.shape)


# Random draws.

def refused(ran, kind, status=3):
    good = (ran.status == status and not ran.out
            and (ran.error() or {}).get("kind") == kind)
    return [] if good else [f"not refused as {kind}: {ran}"]


def draw_take(rng, keep):
    dtype = RECORD if rng.random() < 0.08 else draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(1, 6), 5)
    axis, indices = draw_axis_and_indices(rng, shape)
    spoiled = rng.random() < 0.35
    if spoiled:
        indices = spoil(rng, indices, shape[axis])
    indices = in_order(indices, rng.choice("CF"))
    a = draw_raw(rng, dtype, shape)
    way, order, options = draw_way(rng)
    options += ["--axis", str(axis)]
    if rng.random() < 0.3:
        options += ["--max-memory", "1M"]
    files = saved(a, dtype), plain(indices)
    more = ["--bad-indices", "zero"] if spoiled or rng.random() < 0.1 else []
    ran, got = run_two(way, "tgather", *files, options + more)
    want = take(a, indices, axis)
    problems = compare(ran, got, saved(in_order(want, order), dtype))
    if spoiled and indices.size and not keep:
        ran, got = run_two("stdout", "tgather", *files, ["--json", *options])
        problems += refused(ran, "index_out_of_range")
    facts = f"{dtype} {shape} {indices.dtype} {indices.shape} {axis} {way}"
    return tidy(problems, facts, keep)


def draw_list(rng, indices):
    """The indices as --indices takes them on the command line."""
    def blank():
        return rng.choice(["", "", "", " ", "\t"])

    def nest(part):
        if part.ndim == 0:
            return blank() + str(int(part)) + blank()
        return f"{blank()}[{','.join(map(nest, part)) or blank()}]{blank()}"

    text = nest(indices)
    if indices.ndim == 1 and rng.random() < 0.5:
        text = text.strip(" \t")[1:-1]
    return text


def draw_file(rng, rows):
    """A tuple a line."""
    def line(row):
        separators = [rng.choice([" ", ",", "\t", ", ", " ,", "  "])
                      for _ in row[1:]] + [rng.choice(["", "", " ", "\r"])]
        return "".join(str(int(v)) + s for v, s in zip(row, separators))

    text = "\n".join(line(row) + rng.choice(["", "", "\n", "\n \t"])
                     for row in rows)
    return text + rng.choice(["", "\n"])


def draw_text(rng, keep):
    """Indices of any kind, spelled out: on the command line or in a file."""
    dtype, shape = draw_dtype(rng), draw_sizes(rng, rng.randint(1, 4), 5, 0)
    a = draw_raw(rng, dtype, shape)
    depth = rng.randint(1, len(shape))
    axis = rng.choice([None, rng.randrange(-len(shape), len(shape))])
    rank = rng.randint(1, 3)
    sizes = draw_sizes(rng, rank, 4, 0 if rank == 1 or axis is None else 0.1)
    if axis is None:
        sizes = (*sizes[:-1], depth)
    most = np.array(shape[:depth]) if axis is None else shape[axis]
    indices = np.array(np.array(rng.choices(range(60), k=int(np.prod(sizes))))
                       .reshape(sizes) % most, np.int64)
    options = [] if axis is None else ["--axis", str(axis)]
    feed = None
    if rng.random() < 0.5 or 0 in sizes:
        # Of lists of no lists it cannot be seen what would be in them.
        indices = np.array(indices.tolist(), np.int64)
        text = draw_list(rng, indices)
    else:
        indices = indices.reshape(-1, indices.shape[-1])
        text = draw_file(rng, indices)
        indices = indices if axis is None else indices.ravel()
        feed = text.encode() if rng.random() < 0.5 else None
        text = "@-" if feed else "@" + keep_as("b.npy", text.encode())
    ran = run(["tgather", *options, keep_as("a.npy", saved(a, dtype)),
               "--indices", text], WORK.here(), feed=feed)
    want = gather(a, indices, 0) if axis is None else take(a, indices, axis)
    return tidy(compare(ran, ran.out, saved(want, dtype)),
                f"{dtype} {shape} {options} {text!r} {indices.tolist()}", keep)


# Arrays of many blocks.

def large_takes():
    """(dtype, shape, axis, shape of the indices)."""
    yield "<f4", (300001, 8), 1, (3,)
    yield "|u1", (700003, 7), 1, (5,)
    yield "|V3", (100001, 11), -1, (2, 3)
    yield "<i2", (3, 100003, 8), 1, (50000,)
    yield "<c16", (5, 30011, 3), 1, (20, 1000)
    yield "|V100", (31, 3001, 1), 1, (3001,)
    yield "<f4", (9, 12, 20011), 1, (7,)
    yield "|u1", (5000,), 0, (9 * MIB,)
    yield "<f8", (2, 1100003), 1, (300007,)
    yield "|u1", (2, 17 * MIB), 1, (100003,)


LARGE_WAYS = [("file", "1"), ("file", "4"), ("pipe both", "4"),
              ("stdout", "4")]


def check_large(case):
    dtype, shape, axis, sizes = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(shape[0])
    count = int(np.prod(sizes))
    indices = random_indices(generator, (shape[axis],), count, 1,
                             generator.choice(["<i4", ">i8", "<i8"]))
    indices = indices.reshape(sizes)
    a = raw_of(generator, dtype, shape)
    want = take(a, indices, axis)
    options = ["--axis", str(axis)]
    files = saved(a, dtype), plain(indices)
    problems = compare_ways("tgather", *files, saved(want, dtype), options,
                            LARGE_WAYS)
    little = [*options, "--max-memory", "1M"]
    problems += compare_ways("tgather", *files, saved(want, dtype), little,
                             [("file", "4"), ("pipe a", "1")])
    f_files = saved(in_order(a, "F"), dtype), plain(in_order(indices, "F"))
    for order in "CF":
        problems += compare_ways(
            "tgather", *f_files, saved(in_order(want, order), dtype),
            [*options, "--order", order], [("pipe a", "4")])
    flat = np.array(indices).reshape(-1)
    flat[[0, -1]] = [shape[axis], -1]
    indices = flat.reshape(sizes)
    problems += compare_ways(
        "tgather", files[0], plain(indices),
        saved(take(a, indices, axis), dtype),
        [*options, "--bad-indices", "zero"], [("file", "4"), ("pipe a", "1")])
    name = f"take {case[0]} {shape} axis {axis}, indices {sizes}"
    return name, tidy(problems, name, False)


def more(tap, args):
    cases = [c for c in large_takes()
             if not SAN or np.prod(c[1]) + np.prod(c[3]) < 5 * MIB]
    in_parallel(tap, check_large, some_of(cases, args))


def main():
    Sweep({"take": draw_take, "text": draw_text},
          draws(150, 50)).run(WORK, more)


if __name__ == "__main__":
    main()
