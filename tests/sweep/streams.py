"""Streams of arrays, raw vectors and fields of mixed byte orders, on random
input against NumPy.

usage: streams.py [--seed N] [--count N] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it.
"""
import shlex

import numpy as np

import algebra
from differential import LIMITS, WORK, compare, draw_dtype, draw_items
from differential import draw_range, draw_raw, draw_shape, draw_spec
from differential import in_order, saved
from tap import Ran, Sweep, draws, read_bytes, run



# Streams: each of several commands takes its arrays, and no byte more.

class Step:
    """A command on the next arrays of a stream: what it reads and makes."""

    def __init__(self, feed, args, want):
        self.feed, self.args, self.want = feed, args, want


def order_options(rng, default):
    order = rng.choice([None, None, "C", "F"])
    return (["--order", order] if order else []), order or default


def slice_step(rng):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    items = draw_items(rng, shape)
    index = tuple(items) if Ellipsis in items else (*items, Ellipsis)
    options, order = order_options(rng, None)
    return Step(saved(raw, dtype),
                ["tslice", *options, "--", "-", draw_spec(rng, items)],
                saved(in_order(raw[index], order), dtype))


def gather_step(rng):
    dtype = draw_dtype(rng)
    shape = algebra.draw_sizes(rng, rng.randint(1, 4), 5, 0)
    indices = algebra.draw_indices(rng, shape, 0, rng.randint(0, len(shape)))
    indices = np.array(indices, order=rng.choice("CF"))
    a = draw_raw(rng, dtype, shape)
    options, order = order_options(rng, "C")
    want = in_order(algebra.gather(a, indices, 0), order)
    return Step(saved(a, dtype) + algebra.plain(indices),
                ["tgather", *options, "-", "-"], saved(want, dtype))


def setdiag_step(rng):
    dtype = draw_dtype(rng)
    shape = algebra.draw_sizes(rng, rng.randint(0, 2), 3) \
        + algebra.draw_sizes(rng, 2, 7, 0.1)
    k0, k1 = algebra.draw_band(rng, *shape[-2:])
    align = rng.choice(algebra.ALIGNS)
    a = draw_raw(rng, dtype, shape)
    diagonal = draw_raw(rng, dtype, algebra.diagonal_shape(shape, k0, k1))
    options, order = order_options(rng, "C")
    want = algebra.set_diag(a, diagonal, k0, k1, align)
    return Step(saved(a, dtype) + saved(diagonal, dtype),
                ["tsetdiag", *options,
                 *algebra.band_options(rng, k0, k1, align), "-", "-"],
                saved(in_order(want, order), dtype))


def shape_step(rng):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    return Step(saved(raw, dtype), ["tshape", "-"], f"{shape}\n".encode())


def refused_step(rng):
    """An index beyond the array: refused, and the array taken all the same."""
    dtype, shape = draw_dtype(rng), draw_shape(rng) or (2,)
    shape = shape if len(shape) else (2,)
    raw = draw_raw(rng, dtype, shape)
    return Step(saved(raw, dtype), ["tslice", "-", str(shape[0])], b"")


def draw_stream(rng):
    makers = [slice_step, slice_step, gather_step, setdiag_step, shape_step,
              refused_step]
    steps = [rng.choice(makers)(rng) for _ in range(rng.randint(2, 5))]
    script = "; ".join(f"{shlex.join(s.args)} >out.{i} 2>err.{i}"
                       for i, s in enumerate(steps)) + "; cat >rest"
    # Behind the arrays of a regular file there must be another.
    rest = saved(np.zeros(3, "V5"), np.dtype("V5"))
    feed = b"".join(s.feed for s in steps) + rest
    with open(WORK.path("in"), "wb") as f:
        f.write(feed)
    if rng.random() < 0.5:
        ran = run(["sh", "-c", script], WORK.here(), feed=feed)
    else:
        with open(WORK.path("in"), "rb") as f:
            ran = run(["sh", "-c", script], WORK.here(), stdin=f)
    problems = [] if ran.status == 0 and not ran.err else [str(ran)]
    for i, s in enumerate(steps):
        said = read_bytes(WORK.path(f"err.{i}"))
        made = Ran(s.args, 0, b"", said if s.want else b"")
        problems += compare(made, read_bytes(WORK.path(f"out.{i}")), s.want)
        if not s.want and not said:
            problems.append(f"{s.args} said nothing")
    if read_bytes(WORK.path("rest")) != rest:
        problems.append("something else is left in the stream")
    expected = [f"{x}.{i}" for i in range(len(steps)) for x in ("out", "err")]
    left = WORK.leftovers("in", "rest", *expected)
    return problems + ([f"left behind: {left}"] if left else []), script


# Raw vectors and masks.

def draw_vectors(rng):
    """One draw of strided_slice's own arguments, bits beyond and all."""
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    n = rng.randint(0, min(len(shape) + 2, 8))
    masks = {m: rng.getrandbits(n + 2) & rng.getrandbits(n + 2)
             for m in ("begin", "end", "new_axis", "shrink_axis")}
    masks["ellipsis"] = 1 << rng.randrange(n + 1) if rng.random() < 0.5 else 0
    if rng.random() < 0.1:
        masks["begin"] |= 1 << 31
    ranges = [draw_range(rng, rng.choice(shape or (3,))) for _ in range(n)]
    begin = [rng.randint(-3, 3) if r.start is None else r.start for r in ranges]
    end = [rng.randint(-3, 3) if r.stop is None else r.stop for r in ranges]
    strides = [1 if r.step is None else r.step for r in ranges]
    index = []
    for i in range(n):
        bit = 1 << i
        if masks["ellipsis"] & bit:
            index.append(Ellipsis)
        elif masks["new_axis"] & bit:
            index.append(None)
        elif masks["shrink_axis"] & bit:
            index.append(begin[i])
            strides[i] = rng.choice([1, 1, 2, LIMITS[0]])
        else:
            index.append(slice(None if masks["begin"] & bit else begin[i],
                               None if masks["end"] & bit else end[i],
                               strides[i]))
    try:
        want = raw[tuple(index) if Ellipsis in index else (*index, Ellipsis)]
    except IndexError:
        want = None
    options = [f"--begin={','.join(map(str, begin))}",
               f"--end={','.join(map(str, end))}",
               f"--strides={','.join(map(str, strides))}"]
    for name, mask in masks.items():
        text = rng.choice([str(mask), hex(mask), str(mask - (mask >> 31 << 32))])
        options.append(f"--{name.replace('_', '-')}-mask={text}")
    source = WORK.path("in.npy")
    with open(source, "wb") as f:
        f.write(saved(raw, dtype))
    ran = run(["tslice", source, *options], WORK.here())
    if want is None:
        good = ran.status == 3 and not ran.out and ran.err
        problems = [] if good else [f"not refused: {ran}"]
    else:
        problems = compare(ran, ran.out, saved(want, dtype))
    left = WORK.leftovers("in.npy")
    return problems + ([f"left behind: {left}"] if left else []), \
        f"{dtype} {shape}"


# Fields of mixed byte orders.

def draw_fields(rng, depth=0):
    """A structured dtype as a list, with padding, sub-arrays, also of
    sub-arrays, and structs."""
    fields = []
    for i in range(rng.randint(1, 4)):
        kind = rng.choice("<i2 >i4 <f8 >f2 <u8 |u1 |b1 |S3 >U2 <U1 <c8 >c16 |V3"
                          " <M8[s] >m8[ms] <f16".split())
        if depth < 3 and rng.random() < 0.25:
            kind = draw_fields(rng, depth + 1)
        while rng.random() < 0.15 and np.dtype(kind).itemsize:
            kind = (kind, rng.choice([(3,), (2, 1), (1,)]))
        name = rng.choice(["a", "<i4", "x y", "it's", "é", "(('"]) + str(i)
        name = (f"t{name}", name) if rng.random() < 0.15 else name
        size = rng.choice([(2,), (2, 3), (0,), (1, 1)])
        fields.append((name, kind, size) if rng.random() < 0.3
                      else (name, kind))
    return fields


def other_orders(rng, kind):
    """The same type, or list of fields, some in the other byte order."""
    if isinstance(kind, list):
        return [(field[0], other_orders(rng, field[1]), *field[2:])
                for field in kind]
    if isinstance(kind, tuple):
        return (other_orders(rng, kind[0]), kind[1])
    if kind[0] in "<>" and rng.random() < 0.5:
        return ("<" if kind[0] == ">" else ">") + kind[1:]
    return kind


def turned(raw, dtype, other):
    """Items of one dtype as those of the other, field by field."""
    if dtype.subdtype:
        (base, shape), (other, _) = dtype.subdtype, other.subdtype
        count, size = int(np.prod(shape)), base.itemsize
        parts = [turned(raw[:, i * size:(i + 1) * size], base, other)
                 for i in range(count)]
        return np.concatenate(parts, 1) if parts else raw
    if dtype.names is None:
        unit = {"c": dtype.itemsize // 2, "U": 4}.get(dtype.kind,
                                                      dtype.itemsize)
        if dtype == other or unit == 0:
            return raw
        numbers = raw.reshape(len(raw), raw.shape[1] // unit, unit)
        return numbers[..., ::-1].reshape(raw.shape)
    out = raw.copy()
    for name in dtype.names:
        (part, at), (goal, _) = dtype.fields[name][:2], other.fields[name][:2]
        out[:, at:at + part.itemsize] = turned(
            raw[:, at:at + part.itemsize], part, goal)
    return out


def draw_mixed(rng):
    fields = draw_fields(rng)
    dtype, other = np.dtype(fields), np.dtype(other_orders(rng, fields))
    if dtype.itemsize == 0:
        return [], "no size"
    shape = algebra.draw_sizes(rng, rng.randint(0, 1), 3) \
        + algebra.draw_sizes(rng, 2, 5, 0.05)
    k0, k1 = algebra.draw_band(rng, *shape[-2:])
    align = rng.choice(algebra.ALIGNS)
    a = draw_raw(rng, dtype, shape)
    diagonal = draw_raw(rng, dtype, algebra.diagonal_shape(shape, k0, k1))
    given = np.ascontiguousarray(diagonal).view(np.uint8)
    given = given.reshape(-1, dtype.itemsize) if given.size \
        else given.reshape(0, dtype.itemsize)
    given = np.ascontiguousarray(turned(given, dtype, other))
    given = np.frombuffer(given.tobytes(), f"V{dtype.itemsize}")
    given = given.reshape(diagonal.shape)
    want = algebra.set_diag(a, diagonal, k0, k1, align)
    way, order, options = algebra.draw_way(rng)
    options += algebra.band_options(rng, k0, k1, align)
    ran, got = algebra.run_two(way, "tsetdiag", saved(a, dtype),
                               saved(given, other), options)
    problems = compare(ran, got, saved(in_order(want, order), dtype))
    facts = f"{dtype} {other} {shape} [{k0}, {k1}] {align} {way}"
    return algebra.tidy(problems, facts, False), facts


KINDS = {"stream": draw_stream, "vectors": draw_vectors, "mixed": draw_mixed}


def named(kind):
    """What was drawn is said in front of each problem."""
    def draw(rng, _):
        problems, facts = kind(rng)
        return [f"{facts}: {p}" for p in problems]

    return draw


def main():
    Sweep({k: named(kind) for k, kind in KINDS.items()},
          draws(200, 60)).run(WORK)


if __name__ == "__main__":
    main()
