"""Numbers of one and two bytes that NumPy has not: every one of them printed,
and literals at and next to the middles between them, against exact fractions.

usage: minifloats.py
"""
from fractions import Fraction

from tap import Tap, Workshop, read_bytes, run

WORK = Workshop()
INF, NAN = "inf", "nan"


class Type:
    """A sign, 'nexponent' and 'nfraction' bits; 'finite': no infinity."""

    def __init__(self, name, nexponent, nfraction, finite=False):
        self.name, self.nfraction, self.finite = name, nfraction, finite
        self.nbits = 1 + nexponent + nfraction
        self.nbytes = self.nbits // 8
        self.least = 2 - (1 << (nexponent - 1))
        self.sign = 1 << (self.nbits - 1)
        self.values = [self.value(b) for b in range(self.sign)]
        self.count = next(i for i, v in enumerate(self.values)
                          if not isinstance(v, Fraction))

    def value(self, bits):
        exponent, fraction = bits >> self.nfraction, bits & self.mask()
        if self.finite and bits == self.sign - 1:
            return NAN
        if not self.finite and bits + self.mask() + 1 >= self.sign:
            return NAN if fraction else INF
        m = fraction | (exponent > 0) << self.nfraction
        shift = max(exponent, 1) - 1 + self.least - self.nfraction
        return Fraction(m) * Fraction(2) ** shift

    def mask(self):
        return (1 << self.nfraction) - 1

    def middle(self, i):
        """Above number i; from the last one on the next would be too large."""
        if i + 1 < self.count:
            return (self.values[i] + self.values[i + 1]) / 2
        return self.values[i] + (self.values[i] - self.values[i - 1]) / 2

    def reads_back(self, i, v):
        low = self.middle(i - 1) if i > 0 else Fraction(0)
        high = self.middle(i)
        return low <= v <= high if i % 2 == 0 else low < v < high


TYPES = [Type("bfloat16", 8, 7), Type("float8_e4m3fn", 4, 3, True),
         Type("float8_e5m2", 5, 2)]


def digits_of(text):
    """How many digits, and the unit of the last."""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    whole, _, behind = mantissa.partition(".")
    digits = (whole + behind).lstrip("0").rstrip("0")
    unit = int(exponent or 0) - len(behind)
    for c in reversed(whole + behind):
        if c != "0":
            break
        unit += 1
    return len(digits), Fraction(10) ** unit


def fault(t, bits, text):
    """What is wrong with the text of a number, or None."""
    value = t.values[bits & ~t.sign]
    sign = "-" if bits & t.sign and value != NAN else ""
    if not isinstance(value, Fraction):
        return None if text == sign + value else f"{value} is {text}"
    v = Fraction(text.lstrip("-"))
    if text.startswith("-") != bool(sign):
        return f"{bits:#x} is {text}: another sign"
    if value == 0:
        return None if v == 0 else f"zero is {text}"
    i = bits & ~t.sign
    n, unit = digits_of(text)
    if not t.reads_back(i, v):
        return f"{bits:#x} is {text}, which is another number"
    if abs(v - value) >= unit or any(
            t.reads_back(i, o) and abs(o - value) < abs(v - value)
            for o in (v - unit, v + unit)):
        return f"{bits:#x} is {text}: another is nearer"
    shorter = unit * 10
    if n > 1 and any(t.reads_back(i, (value // shorter + k) * shorter)
                     for k in (0, 1)):
        return f"{bits:#x} is {text}: fewer digits do"
    return None


def check_print(t):
    path = WORK.path("all.bin")
    with open(path, "wb") as f:
        for bits in range(2 * t.sign):
            f.write(bits.to_bytes(t.nbytes, "little"))
    ran = run(["tslice", f"raw:{t.name}:-1:{path}", "--print=plain"],
              WORK.here())
    texts = ran.out.decode().split()
    if len(texts) != 2 * t.sign:
        return [f"not all are there: {ran}"]
    # Of all signs and exponents, and so of all there is to go wrong.
    some = range(0, 2 * t.sign, 1 if t.nbytes == 1 else 7)
    return [f for f in (fault(t, b, texts[b]) for b in some) if f][:10]


def decimal(v):
    """A fraction whose denominator is a power of 2, as exact text."""
    places = max(v.denominator.bit_length() - 1, 0)
    return f"{v.numerator * 5 ** places}e-{places}"


def literal(t, text):
    """The bits that a literal becomes."""
    path = WORK.path("one.bin")
    with open(path, "wb") as f:
        f.write(b"\x55" * t.nbytes)
    ran = run(["tassign", f"raw:{t.name}:1:{path}", "0", f"--value={text}",
               "--in-place"], WORK.here())
    if ran.status:
        return str(ran)
    return int.from_bytes(read_bytes(path), "little")


def check_literals(t):
    last = t.count - 1
    beyond = t.sign - 1 if t.finite else t.count
    tiny = Fraction(1, 1 << 400)
    found = []
    for i in (0, 1, 2, t.mask(), t.mask() + 1, t.count // 2, last - 1, last):
        middle = t.middle(i)
        above = beyond if i == last else i + 1
        for v, want in ((middle, i if i % 2 == 0 else above),
                        (middle - tiny, i), (middle + tiny, above)):
            for sign in ("", "-"):
                bits = literal(t, sign + decimal(v))
                if bits != want | (t.sign if sign else 0):
                    found.append(f"{sign}{float(v)} is {bits}, not {want:#x}")
    return found


def main():
    tap = Tap()
    with WORK:
        for t in TYPES:
            tap.result(f"{t.name}: printed", check_print(t))
            tap.result(f"{t.name}: literals", check_literals(t))
    tap.done()


if __name__ == "__main__":
    main()
