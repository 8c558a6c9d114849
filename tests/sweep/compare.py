"""tcmp against NumPy on random arrays that differ here and there, or nowhere.

usage: compare.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its files.
"""
import json

import numpy as np

from algebra import draw_sizes, tidy
from differential import WORK, draw_dtype, saved
from tap import Sweep, draws, read_bytes, run

PADDED = np.finfo(np.longdouble).nmant == 63  # 10 of 16 bytes


def element_bytes(dtype):
    """The bytes of an element that count, those of a number lowest first."""
    if dtype.names is not None:
        return [dtype.fields[name][1] + i for name in dtype.names
                for i in element_bytes(dtype.fields[name][0])]
    if dtype.subdtype:
        base, shape = dtype.subdtype
        one = element_bytes(base)
        return [k * base.itemsize + i
                for k in range(int(np.prod(shape, dtype=int))) for i in one]
    unit = {"U": 4, "c": dtype.itemsize // 2, "S": 1, "V": 1}.get(
        dtype.kind, dtype.itemsize)
    one = list(range(unit))
    if dtype.str[0] == ">":
        one.reverse()
    if PADDED and dtype.kind in "fc" and unit == 16:
        one = one[:10]
    return [k + i for k in range(0, dtype.itemsize, unit) for i in one]


def rows(raw):
    """A row of bytes for each element, in C order."""
    return np.frombuffer(raw.tobytes("C"), "u1").reshape(raw.size, -1)


def items(table, dtype, shape, order):
    raw = np.ascontiguousarray(table).view(f"V{dtype.itemsize}")
    return np.array(raw.reshape(shape), order=order)


def random_rows(rng, count, size):
    return np.frombuffer(rng.randbytes(count * size), "u1").reshape(
        count, size).copy()


def draw_other(rng, table, dtype):
    """The same elements in perhaps another byte order; what belongs to none
    may be anything."""
    other = dtype.newbyteorder("S") if rng.random() < 0.5 else dtype
    same = random_rows(rng, *table.shape)
    same[:, element_bytes(other)] = table[:, element_bytes(dtype)]
    return same, other


def spoil(rng, table, count):
    for _ in range(count if table.size else 0):
        row = rng.randrange(len(table))
        if rng.random() < 0.1:
            row = rng.choice([0, len(table) - 1])
        table[row, rng.randrange(table.shape[1])] ^= 1 << rng.randrange(8)


def draw_options(rng):
    options = rng.choice([[], ["-j", "1"], ["-j", "2"], ["-j", "7"]])
    if rng.random() < 0.4:
        options = [*options, "--max-memory", "1M"]
    most = rng.choice([1, 1, 2, 5, 1000, 10**6, 2 * 10**9])
    return [*options, "--list", str(most)], most


def through(way, files, options):
    """tcmp by that way to its inputs: files, '-' or pipes for both."""
    paths = [WORK.path("a.npy"), WORK.path("b.npy")]
    for path, data in zip(paths, files):
        with open(path, "wb") as f:
            f.write(data)
    if way == "files":
        return run(["tcmp", *paths, *options], WORK.here())
    if way == "pipes":
        return run(["bash", "-c",
                    'tcmp <(cat "$1") <(cat "$2") "${@:3}"', "bash", *paths,
                    *options], WORK.here())
    if way == "both":
        return run(["tcmp", "-", "-", *options], WORK.here(),
                   feed=files[0] + files[1])
    at = "first second".split().index(way)
    paths[at] = "-"
    return run(["tcmp", *paths, *options], WORK.here(), feed=files[at])


def answer_problems(ran, different, shape, most):
    """'different' are the numbers, in C order, of the elements that are."""
    if ran.err or ran.status != (1 if different else 0):
        return [f"status not {int(bool(different))}: {ran}"]
    if not different:
        return [f"{ran.out!r} is printed: {ran}"] if ran.out else []
    got = json.loads(ran.out)
    want = [[int(i) for i in np.unravel_index(n, shape)]
            for n in different[:most]]
    found = []
    if got["differ"] != "elements" or got["count"] != len(different) or \
            got["size"] != int(np.prod(shape, dtype=int)):
        found.append(f"not {len(different)} of {shape}: {ran.out[-200:]!r}")
    if [p["index"] for p in got["places"]] != want:
        found.append(f"{ran.out[:300]!r} are not {str(want)[:300]}")
    return [f"{p}: {ran}" for p in found]


def compare(rng, keep, dtype, shape, changes):
    count = int(np.prod(shape, dtype=np.int64))
    table = random_rows(rng, count, dtype.itemsize)
    other, dtype_b = draw_other(rng, table, dtype)
    spoil(rng, other, changes)
    orders = rng.choice("CF"), rng.choice("CF")
    files = (saved(items(table, dtype, shape, orders[0]), dtype),
             saved(items(other, dtype_b, shape, orders[1]), dtype_b))
    options, most = draw_options(rng)
    way = rng.choice("files files files first second both pipes".split())
    differs = (table[:, element_bytes(dtype)]
               != other[:, element_bytes(dtype_b)]).any(axis=1)
    different = np.flatnonzero(differs).tolist()
    ran = through(way, files, ["--json", *options])
    problems = answer_problems(ran, different, shape, most)
    quiet = run(["tcmp", "-q", WORK.path("a.npy"), WORK.path("b.npy"),
                 *options], WORK.here())
    if quiet.out or quiet.err or quiet.status != int(bool(different)):
        problems.append(f"not quiet about it: {quiet}")
    if read_bytes(WORK.path("a.npy")) != files[0]:
        problems.append("an input was changed")
    return tidy(problems, f"{dtype} {dtype_b} {shape} {orders} {way}", keep)


def draw_small(rng, keep):
    shape = draw_sizes(rng, rng.randint(0, 6), 6)
    changes = rng.choice([0, 0, 1, 1, 2, 5, 300])
    return compare(rng, keep, draw_dtype(rng), shape, changes)


def draw_large(rng, keep):
    """Enough for threads, boxes and windows."""
    dtype = np.dtype(rng.choice("<f4 >i2 |u1 |S3 <c8 <f8 |V24".split()))
    rank = rng.choice([1, 2, 2, 3, 4])
    left = rng.choice([1, 9]) * 2**20 // dtype.itemsize
    shape = []
    for _ in range(rank - 1):
        shape.append(rng.randint(1, max(1, min(left, rng.choice([8, 3000])))))
        left //= shape[-1]
    shape.insert(rng.randrange(rank), max(left, 1))
    return compare(rng, keep, dtype, tuple(shape),
                   rng.choice([0, 1, 3, 3000]))


def draw_any(rng, keep):
    return (draw_large if rng.random() < 0.07 else draw_small)(rng, keep)


def main():
    Sweep({"compare": draw_any}, draws(500, 80)).run(WORK)


if __name__ == "__main__":
    main()
