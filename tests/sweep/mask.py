"""Masks, and one element for many, against NumPy on random input.

usage: mask.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its files.
"""
import os

import numpy as np

from algebra import RECORD, compare_ways, draw_sizes, draw_way, keep_as
from algebra import diagonal_cells, draw_band, band_options, raw_of
from algebra import run_two, tidy
from differential import MIB, WORK, compare, draw_dtype, draw_raw, in_order
from differential import saved
from tap import SAN, Sweep, draws, in_parallel, read_bytes, run, some_of

ALIGN = "RIGHT_LEFT"


def draw_mask(rng, shape):
    """Of any density, in runs or not; any byte but 0 is true."""
    n = int(np.prod(shape))
    density = rng.choice([0, 0.05, 0.5, 0.5, 0.95, 1])
    run_of = rng.choice([1, 1, 7, 100])
    flags = [rng.random() < density for _ in range(n // run_of + 1)]
    mask = np.repeat(np.array(flags, np.uint8), run_of)[:n]
    if rng.random() < 0.3:
        mask *= np.array([rng.randrange(1, 256) for _ in range(n)], np.uint8)
    return in_order(mask.reshape(shape), rng.choice("CF"))


def mask_file(mask):
    return saved(mask.view("V1"), np.dtype("?"))


def masked(a, mask, axis):
    if axis is None:
        return np.array(a[mask != 0], order="C")
    return np.array(np.compress(mask != 0, a, axis), order="C")


def draw_case(rng, with_axis):
    """(dtype, array, mask, axis or None)."""
    dtype = RECORD if rng.random() < 0.08 else draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(1 if with_axis else 0, 5), 7)
    if rng.random() < 0.3:
        shape = (rng.randint(60, 700), *shape[1:3]) if shape else shape
    a = draw_raw(rng, dtype, shape)
    if with_axis:
        axis = rng.randrange(-len(shape), len(shape))
        return dtype, a, draw_mask(rng, (shape[axis],)), axis
    depth = rng.randint(0, len(shape))
    return dtype, a, draw_mask(rng, shape[:depth]), None


def draw_gather(rng, keep):
    dtype, a, mask, axis = draw_case(rng, rng.random() < 0.4)
    way, order, options = draw_way(rng)
    if axis is not None:
        options += ["--axis", str(axis)]
    if rng.random() < 0.3:
        options += ["--max-memory", "1M"]
    ran, got = run_two(way, "tgather", saved(a, dtype), mask_file(mask),
                       options)
    want = masked(a, mask, axis)
    problems = compare(ran, got, saved(in_order(want, order), dtype))
    return tidy(problems, f"{dtype} {a.shape} {mask.shape} {axis} {way}", keep)


def draw_literal(rng, dtype):
    """A text, and what it is in this dtype; or None, where there is none."""
    kind = dtype.kind
    # What lies between the digits of a long double and its end is nothing.
    if dtype.names or kind not in "biufcS" or dtype.char in "gG":
        return None
    if kind != "S" and rng.random() < 0.3:
        return "false" if kind == "b" else "0", np.zeros((), dtype)
    text = {"b": "true", "i": "7", "u": "7", "f": "-1.5", "c": "1-2j",
            "S": "a"}[kind]
    value = {"b": True, "i": 7, "u": 7, "f": -1.5, "c": 1 - 2j, "S": b"a"}
    return text, np.array(value[kind], dtype)


def raw_fill(dtype, value):
    return np.frombuffer(value.tobytes(), f"V{dtype.itemsize}")[0]


def write_ways(rng, a, dtype, others, options, want):
    """Into a copy, and into the file itself."""
    problems = []
    order = rng.choice([None, None, "C", "F"])
    kept = "F" if saved(a, dtype).find(b"'fortran_order': True") > 0 else "C"
    names = [keep_as("a.npy", saved(a, dtype))]
    names += [keep_as(f"b{i}.npy", data) for i, data in enumerate(others)]
    out = WORK.path("out.npy")
    more = options + (["--order", order] if order else [])
    ran = run([*more[:1], *more[1:], *names, "-o", out], WORK.here())
    got = read_bytes(out) if os.path.exists(out) else b""
    problems += compare(ran, got, saved(in_order(want, order or kept), dtype))
    ran = run([*options, *names, "--in-place"], WORK.here())
    problems += compare(ran, read_bytes(names[0]),
                        saved(in_order(want, kept), dtype))
    for name in names[1:]:
        os.remove(name)
    return problems


def draw_scatter(rng, keep):
    dtype, a, mask, _ = draw_case(rng, False)
    where = mask != 0
    literal = draw_literal(rng, dtype) if rng.random() < 0.4 else None
    want = np.array(a)
    options = ["tscatter"]
    others = [mask_file(mask)]
    if literal:
        options += ["--value=" + literal[0]]
        want[where] = raw_fill(dtype, literal[1])
    else:
        updates = draw_raw(rng, dtype, a[where].shape)
        others.append(saved(updates, dtype))
        want[where] = updates
    options += rng.choice([[], ["-j", "1"], ["-j", "4"],
                           ["--max-memory", "1M"]])
    problems = write_ways(rng, a, dtype, others, options, want)
    return tidy(problems, f"{dtype} {a.shape} {mask.shape} {options}", keep)


def draw_value(rng, keep):
    """One element at index tuples, or on diagonals."""
    dtype = np.dtype(rng.choice("? i1 <i2 >u4 <f4 >f8 <c16 S3".split()))
    text, value = draw_literal(rng, dtype)
    shape = draw_sizes(rng, rng.randint(0, 2), 4) + draw_sizes(rng, 2, 9, 0)
    a = draw_raw(rng, dtype, shape)
    want = np.array(a)
    fill = raw_fill(dtype, value)
    if rng.random() < 0.5 and want.size:
        depth = rng.randint(1, len(shape))
        rows = [[rng.randrange(n) for n in shape[:depth]]
                for _ in range(rng.randint(1, 9))]
        for row in rows:
            want[tuple(row)] = fill
        listed = str(rows) if rng.random() < 0.5 else \
            str(tuple(map(tuple, rows)))
        options = ["tscatter", "--indices", listed, "--value=" + text]
        problems = write_ways(rng, a, dtype, [], options, want)
        return tidy(problems, f"{dtype} {shape} {options}", keep)
    k0, k1 = draw_band(rng, *shape[-2:])
    for _, _, y, x in diagonal_cells(*shape[-2:], k0, k1, ALIGN):
        want[..., y, x] = fill
    options = ["tsetdiag", "--value=" + text,
               *band_options(rng, k0, k1, ALIGN)]
    names = [keep_as("a.npy", saved(a, dtype))]
    ran = run([*options, *names], WORK.here())
    problems = compare(ran, ran.out, saved(in_order(want, "C"), dtype))
    kept = "F" if read_bytes(names[0]).find(b"'fortran_order': True") > 0 \
        else "C"
    ran = run([*options, *names, "--in-place"], WORK.here())
    problems += compare(ran, read_bytes(names[0]),
                        saved(in_order(want, kept), dtype))
    return tidy(problems, f"{dtype} {shape} {options}", keep)


# Arrays of many blocks.

def large_masks():
    """(dtype, shape, dims of the mask, axis, density, length of runs)."""
    yield "<f4", (3000001,), 1, None, 0.5, 1
    yield "<f8", (1500001,), 1, None, 0.99, 1
    yield "|u1", (9000011,), 1, None, 0.01, 1
    yield "<f4", (100003, 33), 1, None, 0.1, 3
    yield "<i2", (1700, 1801), 2, None, 0.5, 5
    yield "|V3", (41, 300, 300), 2, None, 0.9, 11
    yield "<c16", (70, 4000), 1, 1, 0.5, 1
    yield "|V100", (31, 3001, 2), 1, 1, 0.3, 40
    yield "<f4", (7, 400000), 1, 0, 0.6, 1
    yield "<f4", (9, 12, 20011), 1, -1, 0.02, 1


LARGE_WAYS = [("file", "1"), ("file", "4"), ("pipe both", "4"),
              ("stdout", "4")]


def check_large(case):
    dtype, shape, depth, axis, density, length = np.dtype(case[0]), *case[1:]
    generator = np.random.default_rng(shape[0])
    sizes = shape[:depth] if axis is None else (shape[axis],)
    n = int(np.prod(sizes))
    flags = generator.random(n // length + 1) < density
    mask = np.repeat(flags, length)[:n].astype(np.uint8).reshape(sizes)
    a = raw_of(generator, dtype, shape)
    want = masked(a, mask, axis)
    options = [] if axis is None else ["--axis", str(axis)]
    files = saved(a, dtype), mask_file(mask)
    problems = compare_ways("tgather", *files, saved(want, dtype), options,
                            LARGE_WAYS)
    little = [*options, "--max-memory", "1M"]
    problems += compare_ways("tgather", *files, saved(want, dtype), little,
                             [("file", "4"), ("pipe both", "1")])
    f_files = saved(in_order(a, "F"), dtype), mask_file(in_order(mask, "F"))
    for order in "CF":
        problems += compare_ways(
            "tgather", *f_files, saved(in_order(want, order), dtype),
            [*options, "--order", order], [("pipe a", "4")])
    if axis is None:
        problems += check_large_scatter(generator, a, dtype, mask, f_files)
    name = f"mask {case[0]} {shape} {sizes} axis {axis}, {density} true"
    return name, tidy(problems, name, False)


def check_large_scatter(generator, a, dtype, mask, f_files):
    updates = raw_of(generator, dtype, a[mask != 0].shape)
    want = np.array(a)
    want[mask != 0] = updates
    problems = []
    for file, order in ((saved(a, dtype), "C"), (f_files[0], "F")):
        for options in (["-j", "4"], ["-j", "1", "--max-memory", "1M"]):
            names = [keep_as("a.npy", file), keep_as("b.npy", f_files[1]),
                     keep_as("u.npy", saved(updates, dtype))]
            ran = run(["tscatter", *options, *names, "--in-place"],
                      WORK.here(), timeout=60)
            problems += compare(ran, read_bytes(names[0]),
                                saved(in_order(want, order), dtype))
    os.remove(names[2])
    return problems


def more(tap, args):
    cases = [c for c in large_masks() if not SAN or np.prod(c[1]) < 3 * MIB]
    in_parallel(tap, check_large, some_of(cases, args))


def main():
    Sweep({"gather": draw_gather, "scatter": draw_scatter,
           "value": draw_value}, draws(150, 50)).run(WORK, more)


if __name__ == "__main__":
    main()
