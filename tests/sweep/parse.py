#!/usr/bin/env python3
"""tparse against NumPy and exact fractions.

Arrays of every dtype that text can carry go to text and back and are the same
bytes; numbers, of which many lie at the middle between two, are rounded once;
texts that are cut into many chunks give what they give in one; and what is
wrong is told with its line.
"""
import io
import random
import warnings
from fractions import Fraction

import numpy as np

from tap import Sweep, Workshop, draws, run

WORK = Workshop()
warnings.simplefilter("ignore")

# ---- there and back ----------------------------------------------------------

DTYPES = """? i1 u1 <i2 >i2 <u2 <i4 >u4 <i8 >i8 u8 <f2 >f2 <f4 >f4 <f8 >f8 c8
    >c8 c16 <M8[Y] <M8[M] <M8[W] <M8[D] >M8[h] <M8[m] <M8[s] <M8[25s] <M8[ms]
    <M8[us] >M8[ns] <M8[ps] <m8[D] >m8[7ns] S1 S5 <U1 >U6""".split()
FIELDS = [
    [("a", "<i4"), ("b", "<f8")],
    [("t", "<M8[s]"), ("n", "<U4"), ("v", ">f4", (2, 2))],
    np.dtype({"names": ["x", "y"], "formats": ["i1", "<c8"],
              "offsets": [3, 8], "itemsize": 24}),
    [("o", [("p", "<u2"), ("q", "S3")], (2,)), ("r", "?")],
]


def random_text(rng, dtype):
    """Text that its own blanks and comments do not end."""
    letters = "ab,\"'; \n\r\té中\U0001F600" if dtype.kind == "U" else "ab,\"; \n\t"
    width = dtype.itemsize // (4 if dtype.kind == "U" else 1)
    word = "x" + "".join(rng.choice(letters)
                         for _ in range(rng.randrange(width)))
    return rng.choice(["", word, word.strip()])


def random_times(rng, dtype, n):
    """Some of a few thousand years, and any that the unit can count."""
    year = {"Y": 1, "M": 12, "W": 52, "D": 365, "h": 8766}
    unit, multiple = np.datetime_data(dtype)
    most = min(2000 * year.get(unit, 10**17), 2**63 - 1) // multiple
    return [rng.choice([0, 1, -1, -2**63, rng.randrange(-most, most)])
            for _ in range(n)]


def fill(rng, dtype, n):
    if dtype.names:
        a = np.zeros(n, dtype)
        for name in dtype.names:
            base, shape = dtype[name].subdtype or (dtype[name], ())
            count = n * int(np.prod(shape))
            a[name] = fill(rng, base, count).reshape((n,) + shape)
        return a
    if dtype.kind in "SU":
        words = [random_text(rng, dtype) for _ in range(n)]
        return np.array([w.encode() for w in words] if dtype.kind == "S"
                        else words, dtype)
    if dtype.kind in "Mm":
        return np.array(random_times(rng, dtype, n), "i8").astype(
            dtype.newbyteorder("=")).astype(dtype)
    if dtype.kind == "b":
        return np.array([rng.random() < .5 for _ in range(n)])
    a = np.frombuffer(rng.randbytes(n * dtype.itemsize), dtype).copy()
    if dtype.kind in "fc":     # text knows one that is no number
        parts = a.view(dtype.str[0] + "f" + str(
            dtype.itemsize // (2 if dtype.kind == "c" else 1)))
        parts[np.isnan(parts)] = np.nan
    return a


def npy(a):
    out = io.BytesIO()
    np.save(out, a)
    return out.getvalue()


def way_back(rng, keep):
    """print and parse, through files and pipes."""
    dtype = np.dtype(rng.choice(DTYPES + FIELDS))
    shape = tuple(rng.randrange(1, 6) for _ in range(rng.choice([1, 2, 2, 3])))
    a = fill(rng, dtype, int(np.prod(shape))).reshape(shape)
    form = "csv" if dtype.kind in "SU" else rng.choice(["csv", "tsv", "plain"])
    path = WORK.path("x.npy")
    with open(path, "wb") as f:
        f.write(npy(a))
    args = ["tparse", "-d", str(np.lib.format.dtype_to_descr(dtype)),
            "--reshape", ",".join(map(str, shape))]
    text = run(["tslice", path, f"--print={form}"], WORK.here()).out
    if dtype.names and form != "plain":
        args += ["--skip", "1"]
    if dtype.kind in "SUV":     # what divides numbers is found
        args += ["--delimiter", {"csv": ",", "tsv": "\t"}.get(form, "blank")]
    if rng.random() < .5:
        ran = run(args, WORK.here(), feed=text)
    else:
        with open(WORK.path("x.txt"), "wb") as f:
            f.write(text)
        ran = run(args + ["x.txt"], WORK.here())
    if not keep:
        WORK.leftovers()
    if ran.out == npy(a):
        return []
    return [f"{ran}: {dtype} {shape} {form}, {text[:300]!r}"]


# ---- rounding ----------------------------------------------------------------

FORMATS = {2: (10, -14, 15), 4: (23, -126, 127), 8: (52, -1022, 1023)}


def nearest(x, mantissa, least, most):
    """The bits of the number that is nearest to a fraction, ties to even."""
    if x == 0:
        return 0
    e = x.numerator.bit_length() - x.denominator.bit_length()
    e -= Fraction(2) ** e > x
    e = max(e, least)
    scaled = x / Fraction(2) ** (e - mantissa)
    m, rest = divmod(scaled.numerator, scaled.denominator)
    rest *= 2
    m += rest > scaled.denominator or (rest == scaled.denominator and m & 1)
    bits = m + (e - least << mantissa)
    return min(bits, most - least + 2 << mantissa)


def value(bits, mantissa, least, _):
    e, m = bits >> mantissa, bits & (1 << mantissa) - 1
    if e == 0:
        return Fraction(m) * Fraction(2) ** (least - mantissa)
    return (m + (1 << mantissa)) * Fraction(2) ** (least + e - 1 - mantissa)


def near_middle(rng, size):
    """Digits, and an exponent of ten, of what lies near two numbers' middle."""
    form = FORMATS[size]
    top = form[2] - form[1] + 2 << form[0]
    bits = rng.choice([0, 1, top - 2, 1 << form[0], rng.randrange(top - 1)])
    x = (value(bits, *form) + value(bits + 1, *form)) / 2
    places = x.denominator.bit_length() - 1
    n = int(x * 10**places)
    how = rng.randrange(4)
    if how == 3:
        cut = max(0, len(str(n)) - rng.randrange(15, 22))
        return n // 10**cut, places - cut
    return (n, places) if how == 0 else (1000 * n + 2 * how - 3, places + 3)


def spelled(rng, n, places):
    """One of the ways that a number is written."""
    s = str(n)
    if places < 0 or rng.random() < .4:
        return f"{s}{rng.choice('eE')}{-places}"
    if places <= len(s) and rng.random() < .5:
        return f"{s[:len(s) - places]}.{s[len(s) - places:]}"
    return f"{'0' * rng.randrange(25)}{s[0]}.{s[1:]}e{len(s) - 1 - places}"


def rounding(rng, keep):
    size = rng.choice(list(FORMATS))
    numbers = [near_middle(rng, rng.choice([size, size, 8]))
               for _ in range(40)]
    numbers += [(rng.randrange(10**rng.randrange(1, 30)), rng.randrange(-40, 340))
                for _ in range(40)]
    texts = [spelled(rng, n, p) for n, p in numbers]
    ran = run(["tparse", "-d", f"<f{size}"], WORK.here(),
              feed="\n".join(texts).encode())
    got = np.load(io.BytesIO(ran.out)).view(f"<u{size}")
    found = []
    for (n, places), text, bits in zip(numbers, texts, got):
        x = Fraction(n) / Fraction(10) ** places
        want = nearest(x, *FORMATS[size])
        if bits != want:
            found.append(f"f{size} {text}: {bits:#x}, not {want:#x}")
    return found


# ---- chunks ------------------------------------------------------------------

def random_table(rng):
    """Lines of integers, with comments and empty lines among them; with its
    rows, and the line each is in."""
    rows = rng.choice([1, 3, 500, 20000])
    columns = rng.choice([1, 2, 7]) if rows > 3 else rng.choice([1, 30000])
    comma = rng.random() < .5
    odd = rng.choice([.1, .001])
    digits = rng.choice([3, 9])
    lines, at = [], []
    for _ in range(rows):
        while rng.random() < odd:
            lines.append(rng.choice(["", "  ", "# no", "#" * 200]))
        at.append(len(lines) + 1)
        cells = [str(rng.randrange(-10**rng.randrange(1, digits), 10**digits))
                 for _ in range(columns)]
        line = ("," if comma else " ").join(cells)
        if rng.random() < 6 * odd:
            line += rng.choice(["\r", "# x", "  "])
        lines.append(line)
    text = "\n".join(lines) + rng.choice(["", "\n"])
    return text, columns, at


def parsed(rng, text, *args):
    args = ["tparse", *args, f"-j{rng.randrange(1, 4)}",
            "--max-memory", rng.choice(["1M", "4M", "64M"])]
    if rng.random() < .5:
        return run(args, WORK.here(), feed=text)
    with open(WORK.path("x.txt"), "wb") as f:
        f.write(text)
    return run(args + ["x.txt"], WORK.here())


def chunks(rng, keep):
    text, columns, at = random_table(rng)
    rows = [[int(c) for c in line.split("#")[0].replace(",", " ").split()]
            for line in text.split("\n")]
    want = np.array([r for r in rows if r])
    want = want.reshape(len(at), columns)
    want = want[:, 0] if columns == 1 else want[0] if len(at) == 1 else want
    dtype = rng.choice([None, "f8", "<i8"])
    if not dtype and rng.random() < .5:
        # It is known at the end that these are no integers.
        text = text.rstrip("\n") + "\n" + " 1.5" * columns
        text = text.replace(" 1.5 1.5", ",1.5,1.5") if "," in text else text
        return again_as_floats(rng, text)
    ran = parsed(rng, text.encode(), *(["-d", dtype] if dtype else []))
    same = ran.out == npy(want.astype(dtype or "<i8"))
    return [] if same else [f"{ran}: {text[:200]!r}"]


def again_as_floats(rng, text):
    """As if somebody had said f8."""
    want = run(["tparse", "-d", "f8"], WORK.here(), feed=text.encode())
    ran = parsed(rng, text.encode())
    return [] if ran.out == want.out else [f"{ran}, {want}: {text[:200]!r}"]


def faults(rng, keep):
    """One cell is wrong, or one too many: its line is named."""
    text, columns, at = random_table(rng)
    lines = text.split("\n")
    row = rng.randrange(len(at))
    line = at[row]
    head, mark, rest = lines[line - 1].partition("#")
    divide = "," if "," in head else " "
    ragged = rng.random() < .5 and len(at) > 1 and row > 0
    head = head.rstrip("\r ") + (divide + "1" if ragged else "x")
    lines[line - 1] = head + " " + mark + rest
    ran = parsed(rng, "\n".join(lines).encode(), "--json", "-d", "i8",
                 "--delimiter", "blank" if divide == " " else ",")
    kind = "shape_mismatch" if ragged else "bad_value"
    error = ran.error() or {"kind": "none", "message": ""}
    if error["kind"] == kind and f"line {line}:" in error["message"] \
            and not ran.out:
        return []
    return [f"{ran}: {kind} in line {line}, {lines[line - 1][-60:]!r}"]


def texts(rng, keep):
    """Quoted text that is cut wherever it is, as csv has it."""
    n = rng.choice([5, 3000])
    a = np.array([[random_text(rng, np.dtype("U40")) for _ in range(2)]
                  for _ in range(n)])
    with open(WORK.path("t.npy"), "wb") as f:
        f.write(npy(a))
    text = run(["tslice", "t.npy", "--print=csv"], WORK.here()).out
    ran = parsed(rng, text, "-d", rng.choice(["U", a.dtype.str]),
                 "--delimiter=,")
    return [] if ran.out == npy(a) else [f"{ran}: {text[:300]!r}"]


KINDS = {"way_back": way_back, "rounding": rounding, "chunks": chunks,
         "faults": faults, "texts": texts}

if __name__ == "__main__":
    Sweep(KINDS, draws(40, 8)).run(WORK)
