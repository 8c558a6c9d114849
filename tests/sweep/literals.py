"""Elements as text, with the bytes that NumPy makes of them."""
import decimal

import numpy as np

LITERALS = [np.dtype(t) for t in """|b1 |i1 |u1 <i2 >u2 <i4 >i4 <u8 >i8 <f2 >f2
    <f4 >f4 <f8 >f8 <f16 <c8 >c8 <c16 >c16 <c32 |S1 |S7 <U1 <U4 >U3""".split()]


def draw_middle(rng, kind):
    """The exact number in the middle between two floats, or beside it."""
    bits = np.dtype(f"u{kind[1]}")
    n = rng.randrange(int(np.array(np.inf, kind).view(bits)) - 1)
    two = [decimal.Decimal(float(np.array(i, bits).view(kind)))
           for i in (n, n + 1)]
    with decimal.localcontext() as context:
        context.prec = 2000
        text = format((two[0] + two[1]) / 2, rng.choice("ef"))
    if "e" in text or "." not in text:
        return text
    return text + rng.choice(["", "0" * 40, "0" * 40 + "1"])


def draw_number(rng):
    if rng.random() < 0.1:
        return rng.choice(["inf", "nan", "Infinity", "NaN", "INF"])
    if rng.random() < 0.4:
        return draw_middle(rng, rng.choice(["f2", "f4", "f8"]))
    digits = [str(rng.randrange(10**rng.choice([1, 2, 7, 20, 60])))
              for _ in range(3)]
    text = rng.choice([digits[0], digits[0] + "." + digits[1],
                       "." + digits[1], digits[0] + "."])
    if rng.random() < 0.5:
        text += rng.choice("eE") + rng.choice(["", "+", "-"]) + digits[2][:4]
    return text


def draw_literal(rng, dtype):
    """A text that means an element, and what NumPy makes of it."""
    little = dtype.newbyteorder("<")
    sign = rng.choice(["", "", "-", "+"])
    if dtype.kind == "b":
        text = rng.choice(["true", "True", "1", "false", "False", "0"])
        item = np.array(text in ("true", "True", "1"))
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        n = rng.choice([info.min, info.max, rng.randint(info.min, info.max)])
        text, item = str(n), np.array(n, little)
    elif dtype.kind in "fc":
        text = sign + draw_number(rng)
        if dtype.kind == "c":
            more = rng.choice("+-") + rng.choice(["", draw_number(rng)]) + "j"
            text = rng.choice([text, text + "j", text + more])
        with np.errstate(all="ignore"):
            item = np.array(text, little)
    else:
        most = dtype.itemsize // (4 if dtype.kind == "U" else 1)
        letters = "aZ ~\"'\\-+.é日😀" if dtype.kind == "U" else "aZ ~\"'\\-+."
        text = "".join(rng.choices(letters, k=rng.randint(0, most)))
        item = np.array(text.encode() if dtype.kind == "S" else text, little)
    return text, item_bytes(item, dtype)


def item_bytes(item, dtype):
    """The bytes of an element; padding, in long doubles alone, is zero."""
    data = np.frombuffer(item.tobytes(), np.uint8)
    part = dtype.itemsize // (2 if dtype.kind == "c" else 1)
    if dtype.kind in "fc" and part == 16:
        data = data.reshape(-1, 16) * (np.arange(16) < 10).astype(np.uint8)
    unit = {"U": 4, "S": 1}.get(dtype.kind, part)
    if dtype.str[0] == ">":
        data = data.reshape(-1, unit)[:, ::-1]
    return data.tobytes()
