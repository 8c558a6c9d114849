"""--field and --byte-order against NumPy on random records, byte for byte.

usage: fields.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone.

    read    a slice, a take, a gather, by a mask too, a diagonal, arrays side
            by side
    write   a slice, rows, what a mask names or a diagonal of a field replaced,
            by one element too, in place too
    order   any dtype in any byte order, of any command
"""
import io
import os
import sys

import numpy as np

from differential import RECORDS, SIMPLE, WORK, compare, draw_items, draw_raw
from differential import draw_shape, draw_spec, in_order, saved
from field_cases import DTYPES, SHAPES, fields as all_fields
from mask import draw_literal, draw_mask, mask_file, masked, raw_fill
from tap import Sweep, draws, read_bytes, run

LEAVES = [t for t in SIMPLE if t[1] != "V"]
NATIVE = "<" if sys.byteorder == "little" else ">"
MARKS = {"little": "<", "big": ">", "native": NATIVE}


# Records.

def draw_record(rng, depth=0):
    """A structured dtype, and the names of all its fields, as --field has
    them."""
    names = rng.sample(["a", "b", "x.y", "x", "\u00e9t\u00e9", "it's", "n n"],
                       rng.randint(1, 4))
    fields, paths = [], []
    for name in names:
        inner = []
        if depth < 2 and rng.random() < 0.3:
            kind, inner = draw_record(rng, depth + 1)
        else:
            kind = np.dtype(rng.choice(LEAVES))
        titled = rng.random() < 0.15
        field = [("the " + name, name) if titled else name, kind]
        if rng.random() < 0.3:
            field.append(tuple(rng.randint(1, 3)
                               for _ in range(rng.randint(1, 2))))
        fields.append(tuple(field))
        ways = [name] + (["the " + name] if titled else [])
        # What is behind a dot may be taken for a part of a longer name.
        paths += [[w, *p] for w in ways for p in [[], *inner]]
    dtype = np.dtype(fields, align=rng.random() < 0.2)
    if rng.random() < 0.1:
        dtype = np.dtype({"names": list(dtype.names),
                          "formats": [dtype.fields[n][0]
                                      for n in dtype.names],
                          "offsets": [dtype.fields[n][1] + 3
                                      for n in dtype.names],
                          "itemsize": dtype.itemsize + 5})
        paths = [p for p in paths if p[0] in dtype.names]
    return dtype, paths


def lookup(dtype, text):
    """The names that the text stands for, or None."""
    dtype = dtype.base
    if dtype.names is None:
        return None
    parts = text.split(".")
    for n in range(len(parts), 0, -1):
        name = ".".join(parts[:n])
        if name in dtype.fields:
            if n == len(parts):
                return [name]
            rest = lookup(dtype.fields[name][0], ".".join(parts[n:]))
            return rest and [name, *rest]
    return None


def draw_field(rng):
    while True:
        dtype, paths = draw_record(rng)
        text = ".".join(rng.choice(paths))
        names = lookup(dtype, text)
        if names and dtype.itemsize:
            return dtype, text, names


def opaque(raw, dtype, names):
    """The field's elements in raw's memory, as opaque ones; their dtype."""
    f = raw.view(dtype)
    for name in names:
        f = f[name]
    if not f.size:
        return np.empty(f.shape, f"V{f.dtype.itemsize}"), f.dtype
    start = (f.__array_interface__["data"][0]
             - raw.__array_interface__["data"][0])
    return np.ndarray(f.shape, f"V{f.dtype.itemsize}", raw, start,
                      f.strides), f.dtype


def writable(raw):
    """Its own memory, the order kept."""
    return np.array(raw, order="K")


# Byte orders.

def units(dtype, at=0):
    """(offset, bytes) of each number that has a byte order."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        for i in range(int(np.prod(shape))):
            yield from units(base, at + i * base.itemsize)
    elif dtype.names is not None:
        for name in dtype.names:
            kind, offset = dtype.fields[name][:2]
            yield from units(kind, at + offset)
    elif dtype.byteorder != "|" and dtype.itemsize:
        size = {"U": 4, "c": dtype.itemsize // 2}.get(dtype.kind,
                                                     dtype.itemsize)
        for i in range(0, dtype.itemsize, size):
            yield at + i, size, dtype.str[0]


def turned(raw, dtype, mark):
    """The items in another byte order, and their dtype then."""
    flat = np.frombuffer(raw.tobytes("C"), "u1").reshape(-1, dtype.itemsize)
    flat = flat.copy()
    for at, size, order in units(dtype):
        if order != mark:
            flat[:, at:at + size] = flat[:, at:at + size][:, ::-1].copy()
    out = np.frombuffer(flat.tobytes(), f"V{dtype.itemsize}")
    return out.reshape(raw.shape), with_order(dtype, mark)


def with_order(dtype, mark):
    return dtype.newbyteorder(mark)


# Running.

def keep(name, data):
    with open(WORK.path(name), "wb") as f:
        f.write(data)
    return name


def made(rng, args, first):
    """A command's result, its first input a file or a pipe."""
    way = rng.choice(["file", "file", "stdout", "pipe", "both"])
    args = [args[0], *rng.choice([[], [], ["-j", "1"], ["-j", "4"]]),
            *rng.choice([[], [], ["--max-memory", "1M"]]), *args[1:]]
    feed = None
    if way in ("pipe", "both"):
        feed = read_bytes(WORK.path(first))
        args = ["-" if a == first else a for a in args]
    if way in ("file", "pipe"):
        out = WORK.path("out.npy")
        args[1:1] = ["-o", out]
        ran = run(args, WORK.here(), feed=feed)
        return ran, read_bytes(out) if os.path.exists(out) else b""
    ran = run(args, WORK.here(), feed=feed)
    return ran, ran.out


def done(problems, facts):
    left = WORK.leftovers("a.npy", "b.npy", "c.npy", "out.npy")
    problems = problems + [f"left {left}"] * bool(left)
    return problems and [facts, *problems]


def draw_order(rng, natural):
    order = rng.choice([None, None, "C", "F"])
    return ([] if order is None else ["--order", order]), order or natural


# Reading.

def draw_indices(rng, sizes, count):
    flat = [[rng.randrange(n) for n in sizes] for _ in range(count)]
    return np.array(flat, "<i8").reshape(count, len(sizes))


def reading(rng, f):
    """A command's arguments, and what it makes of the opaque field."""
    kinds = ["slice", "cat", "mask"]
    if f.size and f.ndim:
        kinds += ["take", "gather"]
    if f.ndim >= 2 and f.size:
        kinds += ["getdiag"]
    kind = rng.choice(kinds)
    if kind == "slice":
        items = draw_items(rng, f.shape)
        want = f[tuple(items) if Ellipsis in items else (*items, ...)]
        order, natural = draw_order(rng, None)
        return ["tslice", *order, "--", "a.npy", draw_spec(rng, items)], \
            in_order(want, natural)
    order, natural = draw_order(rng, "C")
    if kind == "cat":
        return ["tcat", "--new-axis", "0", *order, "a.npy", "a.npy"], \
            in_order(np.stack([f, f]), natural)
    if kind == "getdiag":
        k = rng.randint(1 - f.shape[-2], f.shape[-1] - 1)
        return ["tgetdiag", "-k", str(k), *order, "a.npy"], \
            in_order(np.diagonal(f, k, -2, -1), natural)
    if kind == "mask":
        axis = rng.randrange(f.ndim) if f.ndim and rng.random() < 0.4 else None
        sizes = f.shape[:rng.randint(0, f.ndim)] if axis is None else \
            (f.shape[axis],)
        mask = draw_mask(rng, sizes)
        keep("b.npy", mask_file(mask))
        along = [] if axis is None else ["--axis", str(axis)]
        return ["tgather", *along, *order, "a.npy", "b.npy"], \
            in_order(masked(f, mask, axis), natural)
    if kind == "take":
        axis = rng.randrange(f.ndim)
        at = draw_indices(rng, [f.shape[axis]], rng.randint(1, 9)).ravel()
        keep("b.npy", saved(at, at.dtype))
        return ["tgather", "--axis", str(axis), *order, "a.npy", "b.npy"], \
            in_order(np.take(f, at, axis), natural)
    depth = rng.randint(0, f.ndim)
    at = draw_indices(rng, f.shape[:depth], rng.randint(1, 9))
    keep("b.npy", saved(at, at.dtype))
    rows = f[tuple(at.T)] if depth else np.repeat(f[None], len(at), 0)
    return ["tgather", *order, "a.npy", "b.npy"], in_order(rows, natural)


def draw_read(rng, _):
    dtype, text, names = draw_field(rng)
    raw = draw_raw(rng, dtype, draw_shape(rng)[:3])
    f, leaf = opaque(raw, dtype, names)
    if f.ndim > 8:
        return []
    keep("a.npy", saved(raw, dtype))
    args, want = reading(rng, f)
    args[1:1] = ["--field=" + text]
    if args[0] == "tcat" or rng.random() < 0.8:
        ran, got = made(rng, args, "a.npy") if args[0] != "tcat" else \
            alone(args)
        return done(compare(ran, got, saved(want, leaf)),
                    f"{dtype} {raw.shape} {args}")
    order = rng.choice(list(MARKS))
    want, leaf = turned_like(want, leaf, MARKS[order])
    args[1:1] = ["--byte-order", order]
    ran, got = made(rng, args, "a.npy")
    return done(compare(ran, got, saved(want, leaf)),
                f"{dtype} {raw.shape} {args}")


def alone(args):
    ran = run(args, WORK.here())
    return ran, ran.out


def turned_like(raw, dtype, mark):
    """turned(), in the memory order that raw has."""
    if not dtype.itemsize:
        return raw, with_order(dtype, mark)
    out, other = turned(raw, dtype, mark)
    fortran = raw.flags.f_contiguous and not raw.flags.c_contiguous
    return in_order(out, "F" if fortran else "C"), other


# Writing.

def put_slice(rng, f, leaf):
    items = draw_items(rng, f.shape)
    at = tuple(items) if Ellipsis in items else (*items, ...)
    value = draw_raw(rng, leaf, f[at].shape)
    f[at] = value
    keep("b.npy", saved(value, leaf))
    return ["tassign"], ["a.npy", draw_spec(rng, items).strip() or "...",
                         "b.npy"]


def draw_value(rng, leaf, shape):
    """Elements, and what says so: an option that is one for all, or a file."""
    literal = draw_literal(rng, leaf) if rng.random() < 0.4 else None
    if literal:
        fill = raw_fill(leaf, literal[1])
        return np.full(shape, fill), ["--value=" + literal[0]], []
    value = draw_raw(rng, leaf, shape)
    keep("c.npy", saved(value, leaf))
    return value, [], ["c.npy"]


def put_masked(rng, f, leaf):
    mask = draw_mask(rng, f.shape[:rng.randint(0, f.ndim)])
    value, option, files = draw_value(rng, leaf, f[mask != 0].shape)
    f[mask != 0] = value
    keep("b.npy", mask_file(mask))
    return ["tscatter", *option], ["a.npy", "b.npy", *files]


def put_rows(rng, f, leaf):
    depth = rng.randint(0, f.ndim)
    at = draw_indices(rng, f.shape[:depth], rng.randint(1, 9))
    value, option, files = draw_value(rng, leaf,
                                      (len(at), *f.shape[depth:]))
    for where, row in zip(at, value):
        f[tuple(where)] = row
    keep("b.npy", saved(at, at.dtype))
    return ["tscatter", *option], ["a.npy", "b.npy", *files]


def put_diagonal(rng, f, leaf):
    k = rng.randint(1 - f.shape[-2], f.shape[-1] - 1)
    rows = [i for i in range(f.shape[-2]) if 0 <= i + k < f.shape[-1]]
    value, option, files = draw_value(rng, leaf, (*f.shape[:-2], len(rows)))
    f[..., rows, [i + k for i in rows]] = value
    return ["tsetdiag", "-k", str(k), *option], ["a.npy", *files]


def draw_write(rng, _):
    dtype, text, names = draw_field(rng)
    raw = writable(draw_raw(rng, dtype, draw_shape(rng)[:3]))
    f, leaf = opaque(raw, dtype, names)
    if f.ndim > 8:
        return []
    keep("a.npy", saved(raw, dtype))
    puts = [put_slice]
    if f.size and f.ndim and leaf.itemsize:
        puts += [put_rows, put_masked] + [put_diagonal] * (f.ndim >= 2)
    command, operands = rng.choice(puts)(rng, f, leaf)
    command += ["--field", text]
    facts = f"{dtype} {raw.shape} {command} {operands}"
    if rng.random() < 0.5:
        ran = run([*command, "--in-place", "--", *operands], WORK.here())
        got = read_bytes(WORK.path("a.npy"))
        want = saved(raw, dtype)
        # A header may say either order of what is of both.
        return done(compare(ran, got[-raw.nbytes:] if raw.nbytes else b"",
                            want[-raw.nbytes:] if raw.nbytes else b""), facts)
    natural = "C" if command[0] == "tsetdiag" else None
    order, natural = draw_order(rng, natural)
    want, other = in_order(raw, natural), dtype
    if rng.random() < 0.3:
        mark = rng.choice(list(MARKS))
        order += ["--byte-order", mark]
        want, other = turned_like(want, dtype, MARKS[mark])
    # Operands may begin with a dash; -o comes behind them.
    ran = run([*command, *order, "-o", "out.npy", "--", *operands],
              WORK.here())
    out = WORK.path("out.npy")
    got = read_bytes(out) if os.path.exists(out) else b""
    return done(compare(ran, got, saved(want, other)), facts + str(order))


# Byte orders.

def draw_turn(rng, _):
    dtype = rng.choice([np.dtype(rng.choice(SIMPLE)), rng.choice(RECORDS),
                        draw_record(rng)[0]])
    if not dtype.itemsize:
        return []
    raw = draw_raw(rng, dtype, draw_shape(rng))
    keep("a.npy", saved(raw, dtype))
    args, want = reading(rng, raw)
    order = rng.choice(list(MARKS))
    want, other = turned_like(want, dtype, MARKS[order])
    args[1:1] = ["--byte-order", order]
    ran, got = alone(args) if args[0] == "tcat" else made(rng, args, "a.npy")
    return done(compare(ran, got, saved(want, other)),
                f"{dtype} {raw.shape} {args}")


def large():
    """(dtype, shape) of more than a piece, whose ends elements must not be."""
    yield "<f4", (3000001,)
    yield "<f8", (1001, 1703)
    yield "<c16", (300007, 3)
    yield "<U5", (90001, 7)
    yield [("a", "<i2"), ("b", "|V3"), ("c", ">f8", (2,))], (300001,)
    yield [("a", "<f4"), ("b", "u1", (2000003,))], (5,)


# What NumPy has for an example.

def opaque_of(generator, dtype, shape, order):
    data = generator.bytes(int(np.prod(shape)) * dtype.itemsize)
    raw = np.frombuffer(data, f"V{dtype.itemsize}").reshape(shape)
    return np.array(raw, order=order)


def saved_field(raw, dtype, names):
    field, kind = opaque(raw, dtype, names)
    if kind.itemsize:
        return saved(field, kind)
    # There are no opaque elements of no bytes.
    whole = raw.view(dtype)
    for name in names:
        whole = whole[name]
    file = io.BytesIO()
    np.save(file, whole)
    return file.getvalue()


def check_field(generator, raw, dtype, names):
    """Read, and written with other elements: in a copy, and in place."""
    text = ".".join(names)
    keep("a.npy", saved(raw, dtype))
    ran = run(["tslice", "a.npy", "--field", text], WORK.here())
    problems = compare(ran, ran.out, saved_field(raw, dtype, names))
    field, kind = opaque(raw, dtype, names)
    if kind.itemsize == 0:
        return problems
    want = writable(raw)
    value = opaque_of(generator, kind, field.shape, "C")
    opaque(want, dtype, names)[0][...] = value
    keep("b.npy", saved(value, kind))
    args = ["tassign", "a.npy", "...", "b.npy", "--field", text]
    ran = run(args, WORK.here())
    problems += compare(ran, ran.out, saved(want, dtype))
    ran = run([*args, "--in-place"], WORK.here())
    return problems + compare(ran, read_bytes(WORK.path("a.npy")),
                              saved(want, dtype))


def check_example(tap, number, dtype):
    generator = np.random.default_rng(number)
    problems = []
    for shape, order in SHAPES:
        raw = opaque_of(generator, dtype, shape, order)
        for names in all_fields(dtype):
            # What its text means is another field, if there is one.
            if lookup(dtype, ".".join(names)) == names:
                problems += check_field(generator, raw, dtype, names)
    ran = run(["tslice", "a.npy", "--field", "no such", "--json"],
              WORK.here())
    if (ran.error() or {}).get("kind") != "no_field":
        problems.append(str(ran))
    tap.result(f"example {number}: {str(dtype)[:50]}",
               done(problems, str(dtype)))


def more(tap, args):
    for number, dtype in enumerate(DTYPES):
        check_example(tap, number, dtype)
    for kind, shape in list(large())[::2 if args.brief else 1]:
        dtype = np.dtype(kind)
        generator = np.random.default_rng(shape[0])
        raw = np.frombuffer(generator.bytes(int(np.prod(shape))
                                            * dtype.itemsize),
                            f"V{dtype.itemsize}").reshape(shape)
        problems = []
        want, other = turned(raw, dtype, ">")
        data = saved(raw, dtype)
        keep("a.npy", data)
        for options in [[], ["--max-memory", "1M", "-j", "4"]]:
            for feed in [None, data]:
                ran = run(["tslice", *options, "--byte-order", "big",
                           "-" if feed else "a.npy", "::-1"], WORK.here(),
                          feed=feed)
                problems += compare(ran, ran.out, saved(want[::-1], other))
                ran = run(["tslice", *options, "--byte-order", "big",
                           "-" if feed else "a.npy", "-o", "out.npy"],
                          WORK.here(), feed=feed)
                problems += compare(ran, read_bytes(WORK.path("out.npy")),
                                    saved(want, other))
        tap.result(f"all of {dtype} {shape}", done(problems, "large"))


def main():
    kinds = {"read": draw_read, "write": draw_write, "order": draw_turn}
    Sweep(kinds, draws(120, 30)).run(WORK, more)


if __name__ == "__main__":
    main()
