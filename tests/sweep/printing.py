"""--print against str() of NumPy on random arrays of every dtype, and tables
of numbers read back by NumPy, and by pandas where there is one.

usage: printing.py [--seed N] [--count N] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.

What is printed is what NumPy 2.3 and later print.  With an older NumPy, arrays
that it prints otherwise are left out.
"""
import io
import random
import re
import sys
import threading
import warnings

import numpy as np

from tap import Sweep, Workshop, draws, run

try:
    import pandas
except ImportError:
    pandas = None

WORK = Workshop()
OPTIONS = threading.Lock()  # an older NumPy's are not each thread's own
OLD = tuple(int(p) for p in np.__version__.split(".")[:2]) < (2, 3)
UNITS = "Y M W D h m s ms us ns ps fs as".split()
INTEGERS = "|i1 |u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8".split()
FLOATS = "<f2 >f2 <f4 >f4 <f8 >f8 <f8 <f4 <f16".split()
COMPLEX = "<c8 >c8 <c16 >c16 <c32".split()
ODD = ["\x00", "\n", "'", '"', "\\", "\x1b", "\x7f", "\x85", "\xa0", "\xad",
       "\u200b", "\u2028", "\ufeff", "\ud800", "\ue000", "\uffff", "\U0001f600",
       "\u0301", "\u4e2d", "\U0010ffff", "\t", "\r", " ", "a", "\xe9"]
ALONE = [c for c in ODD if c.isprintable() or c == "\xa0"]


# Drawing.

def draw_shape(rng):
    rank = rng.choice([0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5])
    most = {1: 60, 2: 12, 3: 6}.get(rank, 3)
    shape = [rng.randint(1, most) for _ in range(rank)]
    if rank and rng.random() < 0.1:  # more than 1000
        shape[rng.randrange(rank)] = rng.randint(900, 1300)
    if rank > 1 and rng.random() < 0.1:
        shape = [rng.randint(5, 12) for _ in shape]
    if rank and rng.random() < 0.04:
        shape[rng.randrange(rank)] = 0
    return tuple(shape)


def generator(rng):
    return np.random.default_rng(rng.getrandbits(64))


def draw_bits(rng, dtype, count):
    return np.frombuffer(rng.randbytes(count * dtype.itemsize), dtype)


def draw_integers(rng, dtype, count):
    how = rng.randrange(4)
    if how == 0:
        return draw_bits(rng, dtype, count)
    most = [3, 100, 120][how - 1]
    return np.array([rng.randint(0 if dtype.kind == "u" else -most, most)
                     for _ in range(count)], dtype)


def special(rng, a):
    """Some of the values replaced by those that are not like others."""
    if a.size and rng.random() < 0.3:
        a = a.copy()
        for _ in range(rng.randint(1, 3)):
            a[rng.randrange(a.size)] = rng.choice(
                [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-5, 1e-4, 1e16, 1e8])
    return a


def draw_floats(rng, dtype, count):
    g, how = generator(rng), rng.randrange(9)
    if how == 0 and dtype.itemsize < 16:
        return draw_bits(rng, dtype, count)
    if how < 3:
        a = g.normal(size=count) * 10.0 ** rng.randint(-6, 9)
    elif how == 3:
        a = g.integers(-1000, 1000, count) / rng.choice([1, 2, 4, 8, 10, 100])
    elif how == 4:
        a = 10.0 ** g.integers(-9, 18, count)
    elif how == 5:
        a = g.integers(-2**62, 2**62, count).astype("f8")
    elif how == 6:
        a = 2.0 ** g.integers(-40, 70, count)
    elif how == 7:  # ties of what is rounded to eight digits
        a = g.integers(0, 2**12, count) / 2.0**9
    else:
        a = np.round(g.normal(size=count), rng.randint(0, 9))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a = special(rng, a.astype(dtype))
        if dtype.itemsize == 16 and rng.random() < 0.5:
            a = (a / dtype.type(3)).astype(dtype)
    return a


def draw_complex(rng, dtype, count):
    half = np.dtype(f"{dtype.str[0]}f{dtype.itemsize // 2}")
    a = np.empty(count, dtype)
    a.real = draw_floats(rng, half, count)
    a.imag = draw_floats(rng, half, count)
    return a


def draw_times(rng, dtype, count):
    a = draw_bits(rng, np.dtype("<i8"), count).copy()
    if rng.random() < 0.8:
        a >>= rng.choice([20, 30, 40, 50, 56])
    if count and rng.random() < 0.3:
        a[rng.randrange(count)] = -2**63
    return a.astype(dtype.str[0] + "i8").view(dtype)


def draw_strings(rng, dtype, count):
    n = dtype.itemsize // (4 if dtype.kind == "U" else 1)
    if dtype.kind == "S":
        letters = [bytes([rng.choice([*range(256), 39, 34, 92, 0, 65])])
                   for _ in range(30)]
        empty = b""
    else:
        letters, empty = ODD, ""
    return np.array([empty.join(rng.choice(letters)
                                for _ in range(rng.randint(0, n)))
                     for _ in range(count)] or [], dtype)


def draw_simple(rng):
    kind = rng.randrange(9)
    if kind == 0:
        return np.dtype("|b1")
    if kind == 1:
        return np.dtype(f"|S{rng.randint(1, 6)}")
    if kind == 2:
        return np.dtype(f"{rng.choice('<>')}U{rng.randint(1, 5)}")
    if kind == 3:
        return np.dtype(f"|V{rng.randint(1, 5)}")
    if kind == 4:
        return draw_time_type(rng)
    return np.dtype(rng.choice([INTEGERS, FLOATS, COMPLEX][kind % 3]))


def draw_time_type(rng):
    many = rng.choice(["", "", "7", "25", "1000"])
    return np.dtype(f"{rng.choice('<>')}{rng.choice('Mm')}8"
                    f"[{many}{rng.choice(UNITS)}]")


def draw_record_type(rng, depth=0):
    fields = []
    for i in range(rng.randint(0 if depth else 1, 4)):
        inner = draw_record_type(rng, depth + 1) \
            if depth < 2 and rng.random() < 0.2 else draw_simple(rng)
        shape = rng.choice([()] * 4 + [(1,), (2,), (3, 2), (2, 0)])
        if depth == 0 and rng.random() < 0.05:
            shape = (600, 2)
        name = f"f{i}" if rng.random() < 0.9 else (f"title {i}", f"n{i}")
        fields.append((name, inner) if shape == () else (name, inner, shape))
    return np.dtype(fields, align=rng.random() < 0.3)


def draw_values(rng, dtype, count):
    if dtype.names is not None:
        a = np.zeros(count, dtype)
        for name in dtype.names:
            base, shape = dtype[name].base, dtype[name].shape
            n = count * int(np.prod(shape, dtype=int))
            a[name] = draw_values(rng, base, n).reshape((count,) + shape)
        return a
    kind = dtype.kind
    if kind == "b":
        return draw_bits(rng, np.dtype("u1"), count) % 2 == 1
    if kind == "V":
        return draw_bits(rng, dtype, count)
    return {"i": draw_integers, "u": draw_integers, "f": draw_floats,
            "c": draw_complex, "M": draw_times, "m": draw_times,
            "S": draw_strings, "U": draw_strings}[kind](rng, dtype, count)


# What an older NumPy prints otherwise.

def parts(a):
    """All arrays of plain elements that an array is made of."""
    if a.dtype.names is None:
        return [a]
    return [p for name in a.dtype.names for p in parts(a[name])]


def is_large(a):
    """Scientific, or not, by other limits."""
    if a.dtype.kind not in "fc":
        return False
    halves = [a.real, a.imag] if a.dtype.kind == "c" else [a]
    limit = {2: 1e3, 4: 1e6}.get(halves[0].dtype.itemsize)
    return limit is not None and any(
        (np.abs(h[np.isfinite(h)]).max(initial=0) >= limit)
        or (np.abs(h) == h.dtype.type(0.0001)).any() for h in halves)


def is_long(dtype):
    """A sub-array that is abridged; it may be of records without fields."""
    return int(np.prod(dtype.shape, dtype=int)) > 1000 or any(
        is_long(dtype.base[name]) for name in dtype.base.names or ())


def is_otherwise(a):
    if a.shape == () and (a.dtype.kind == "S" or a.dtype.names is not None):
        return True
    if any(is_large(p) for p in parts(a) if p.size):
        return True
    return a.dtype.names is not None and (is_long(a.dtype) or any(
        p.size > 1000 * a.size for p in parts(a)))


def is_left_out(a):
    """Of a lone string nothing goes to a terminal that could do harm."""
    return a.shape == () and a.dtype.kind == "U" and \
        any(c not in ALONE for c in str(a[()]))


def surrogates(text):
    return text.encode("utf-8", "backslashreplace").decode()


# One draw.

def draw_order(rng, a):
    return np.asfortranarray(a) if rng.random() < 0.2 else a


def compare(rng, keep, dtype, options=(), **settings):
    shape = draw_shape(rng)
    if dtype.itemsize > 1000:
        shape = shape[:1] and (min(shape[0], 4),)
    count = int(np.prod(shape, dtype=int))
    a = draw_values(rng, dtype, count).reshape(shape)
    a = draw_order(rng, a) if a.ndim > 1 else a
    if is_left_out(a) or (OLD and is_otherwise(a)):
        return []
    path = WORK.path("a.npy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.save("draw.npy" if keep else path, a)
        if keep:
            np.save(path, a)
        with OPTIONS, np.printoptions(**settings):
            want = surrogates(str(a)) + "\n"
    did = run(["tslice", path, "...", *(options or ["--print"])], WORK.here())
    got = did.out.decode("utf-8", "surrogateescape")
    if did.status == 0 and got == want:
        return []
    return [f"{dtype} {shape} {did}\nwant {want[:800]!r}\ngot  {got[:800]!r}"]


def pick(kinds):
    return lambda rng, keep: compare(rng, keep, np.dtype(rng.choice(kinds)))


def times(rng, keep):
    return compare(rng, keep, draw_time_type(rng))


def strings(rng, keep):
    return compare(rng, keep, np.dtype(
        f"S{rng.randint(1, 9)}" if rng.random() < 0.4
        else f"{rng.choice('<>')}U{rng.randint(1, 9)}"))


def others(rng, keep):
    return compare(rng, keep, draw_simple(rng))


def records(rng, keep):
    return compare(rng, keep, draw_record_type(rng))


def full(rng, keep):
    dtype = draw_record_type(rng) if rng.random() < 0.2 else draw_simple(rng)
    return compare(rng, keep, dtype, ["--print=full"], threshold=sys.maxsize)


def precision(rng, keep):
    digits = rng.choice([0, 1, 2, 3, 5, 8, 12, 15, 16, 17, 20, 40, 1000])
    return compare(rng, keep, np.dtype(rng.choice(FLOATS + COMPLEX)),
                   ["--print", f"--precision={digits}"], precision=digits)


# Tables.

def table(a, form, *options):
    path = WORK.path("a.npy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.save(path, a)
    did = run(["tslice", path, "...", f"--print={form}", *options], WORK.here())
    return did.out.decode("utf-8", "surrogateescape")


def same_values(got, want):
    return got.shape == want.shape and bool(
        ((got == want) | ((got != got) & (want != want))).all())


def plain_type(rng):
    return np.dtype(rng.choice(INTEGERS + ["|b1"] + [
        f for f in FLOATS if f != "<f16"]))


def csv(rng, keep):
    """Numbers: what is read back is the array."""
    dtype = plain_type(rng)
    shape = (rng.randint(1, 40), rng.randint(1, 9))
    a = draw_values(rng, dtype, shape[0] * shape[1]).reshape(shape)
    if rng.random() < 0.5:
        a = np.asfortranarray(a)
    text = table(a, "csv")
    native = a.astype(dtype.newbyteorder("="))
    read = {"genfromtxt": np.genfromtxt(
        io.StringIO(text), delimiter=",", dtype=native.dtype, ndmin=2)}
    if pandas and dtype.kind + str(dtype.itemsize) != "f2":
        read["pandas"] = pandas.read_csv(
            io.StringIO(text), header=None, dtype=native.dtype,
            float_precision="round_trip").to_numpy()
    return [f"{who} {dtype} {shape}: {text[:300]!r}"
            for who, got in read.items() if not same_values(got, native)]


def columns(rng, keep):
    """A structured array: a column for each field, with its name."""
    dtype = np.dtype([(f"f{i}", plain_type(rng).newbyteorder("="))
                      for i in range(rng.randint(2, 5))])
    a = draw_values(rng, dtype, rng.randint(2, 30))
    form = rng.choice(["csv", "tsv"])
    mark = {"csv": ",", "tsv": "\t"}[form]
    text = table(a, form)
    read = {"genfromtxt": np.genfromtxt(
        io.StringIO(text), delimiter=mark, names=True,
        dtype=[dtype[name] for name in dtype.names])}
    if pandas and "f2" not in str(dtype.descr):
        read["pandas"] = pandas.read_csv(
            io.StringIO(text), sep=mark, float_precision="round_trip",
            dtype={n: dtype[n] for n in dtype.names})
    return [f"{who} {dtype} {name}: {text[:300]!r}"
            for who, got in read.items() for name in dtype.names
            if not same_values(np.asarray(got[name]), a[name])]


def significant(text):
    """The digits that count, without zeros at either end."""
    return re.sub(r"e.*|[-.]", "", text).strip("0")


def check_digits(a):
    """Each number is read back as itself, from as few digits as NumPy's."""
    lines = table(a, "csv").split()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = np.array([float(v) for v in lines]).astype(a.dtype)
    if not same_values(got, a):
        return ["not what was written"]
    return [f"{text} for {v!r}" for text, v in zip(lines, a)
            if np.isfinite(v) and significant(text) != significant(
                np.format_float_scientific(v, unique=True))]


def digits(rng, keep):
    dtype = np.dtype(rng.choice(["<f8", "<f8", "<f4"]))
    a = draw_bits(rng, dtype, 300).copy()
    if rng.random() < 0.3:  # those whose neighbours are not equally far
        bits = {8: 52, 4: 23}[dtype.itemsize]
        a = (a.view(f"u{dtype.itemsize}") >> bits << bits).view(dtype)
    return check_digits(a)


def all_halves(tap, args):
    tap.result("every float16", check_digits(
        np.arange(65536, dtype="u2").view("<f2")))


KINDS = {"integers": pick(INTEGERS), "floats": pick(FLOATS),
         "complex": pick(COMPLEX), "times": times, "strings": strings,
         "others": others, "records": records, "full": full,
         "precision": precision, "csv": csv, "columns": columns,
         "digits": digits}


if __name__ == "__main__":
    random.seed()
    Sweep(KINDS, draws(120, 20)).run(WORK, all_halves)
