"""A short model of the shape algebra, and random shapes and methods for it."""
import math

LIMIT = 2**63 - 1
NO_ARGUMENT = ["head", "tail", "ndim", "size", "is-scalar", "is-vector",
               "is-matrix", "is-unknown", "has-unknown"]
WITH_SHAPE = ["equals", "compatible"]
EITHER = ["append", "prepend"]
WITH_NUMBER = ["take", "take-last", "dim"]


class Shape(tuple):
    """(None,) for an unknown rank, else the sizes, -1 for an unknown one."""

    def known(self):
        return self != UNKNOWN


class Failure:
    """A refusal; 'kinds' are the rules that were broken."""

    def __init__(self, *kinds):
        self.kinds = kinds

    def __repr__(self):
        return f"Failure{self.kinds}"


UNKNOWN = Shape([None])


# Random shapes and methods.

def draw_shape(rng):
    if rng.random() < 0.1:
        return UNKNOWN
    sizes = [0, 1, 1, 2, 3, 4, 5, 7, 64, 1000]
    if rng.random() < 0.4:
        sizes += [-1, -1, -1]
    if rng.random() < 0.08:
        sizes += [2**31, 2**32, 2**62, LIMIT]
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 6])
    return Shape(rng.choice(sizes) for _ in range(rank))


def like(rng, shape):
    """A shape that may well be compatible with another, or equal to it."""
    if not shape.known() or rng.random() < 0.3:
        return draw_shape(rng)
    if rng.random() < 0.4:
        return shape
    return Shape(rng.choice([n, n, n, -1, 2]) for n in shape)


def draw_method(rng, shape):
    """A method's name and its arguments."""
    name = rng.choice(NO_ARGUMENT + 2 * (WITH_SHAPE + EITHER)
                      + 3 * WITH_NUMBER + 4 * ["sub"])
    rank = len(shape) if shape.known() else 2
    if name in WITH_SHAPE:
        return name, like(rng, shape)
    if name in EITHER:
        return name, rng.choice([draw_shape(rng), rng.randint(-1, 9)])
    if name == "sub":
        ends = [rng.randint(-1, rank + 1), rng.randint(-1, rank + 1)]
        return (name, *(sorted(ends) if rng.random() < 0.8 else ends))
    if name in WITH_NUMBER:
        return name, rng.randint(-rank - 1 if name == "dim" else -1, rank + 1)
    return (name,)


# What a method gives.

def many(name, n):
    return {"is-scalar": 0, "is-vector": 1, "is-matrix": 2}[name] == n


def compatible(a, b):
    if not (a.known() and b.known()):
        return True
    return len(a) == len(b) and all(x == y or -1 in (x, y)
                                    for x, y in zip(a, b))


def ask(shape, name, *args):
    """The questions; None for any other method."""
    known = shape.known()
    if name.endswith(("scalar", "vector", "matrix")):
        return known and many(name, len(shape))
    if name == "is-unknown":
        return not known
    if name == "has-unknown":
        return not known or -1 in shape
    if name == "compatible":
        return compatible(shape, args[0])
    if name == "equals":
        both = shape + args[0]
        return shape == args[0] and None not in both and -1 not in both
    return None


def count(shape, name, *args):
    """The numbers, -1 for an unknown one; None for any other method."""
    if name == "ndim":
        return len(shape) if shape.known() else -1
    if name == "size":
        return size(shape)
    if name != "dim":
        return None
    if not shape.known():
        return -1
    n = len(shape)
    return shape[args[0]] if -n <= args[0] < n else \
        Failure("index_out_of_bounds")


def size(shape):
    if not shape.known() or -1 in shape:
        return -1
    product = math.prod(shape)
    return product if product <= LIMIT else Failure("overflow")


def part(shape, begin, end, length):
    broken = ["negative_size"] if length < 0 else []
    if begin < 0 or end > len(shape):
        broken.append("index_out_of_bounds")
    return Failure(*broken) if broken else Shape(shape[begin:end])


def joined(first, second):
    if not (first.known() and second.known()):
        return Failure("unknown_rank")
    return Shape(first + second)


def edit(shape, name, *args):
    if name in EITHER:
        other = args[0] if isinstance(args[0], Shape) else Shape(args)
        return joined(*((shape, other) if name == "append"
                        else (other, shape)))
    if not shape.known():
        return Failure("unknown_rank")
    n = len(shape)
    if name == "tail":
        return Shape(shape[1:])
    if name == "sub":
        return part(shape, *args, args[1] - args[0])
    length = 1 if name == "head" else args[0]
    begin = n - length if name == "take-last" else 0
    return part(shape, begin, begin + length, length)


def apply(shape, method):
    """A Shape, a bool, a number or a Failure."""
    for rule in (ask, count):
        result = rule(shape, *method)
        if result is not None:
            return result
    return edit(shape, *method)


# Texts.

def text(result):
    """As tshape prints it."""
    if isinstance(result, bool):
        return "true" if result else "false"
    if isinstance(result, int):
        return "?" if result == -1 else str(result)
    if not result.known():
        return "unknown"
    sizes = ["?" if n == -1 else str(n) for n in result]
    return "(" + ", ".join(sizes) + (",)" if len(sizes) == 1 else ")")


def facts(result):
    """As tshape --json prints it."""
    if not isinstance(result, Shape):
        return result
    known = result.known()
    return {"shape": list(result) if known else None,
            "ndim": len(result) if known else -1, "size": size(result)}


def spell(rng, shape):
    """One of the literals of a shape."""
    if not shape.known():
        return "unknown"
    sizes = [rng.choice(["?", "-1"]) if n == -1 else str(n) for n in shape]
    body = rng.choice([",", ", "]).join(sizes)
    styles = ["(" + body + (",)" if len(sizes) == 1 else ")"), f"[{body}]"]
    return rng.choice(styles + [body] * bool(sizes))


def words(rng, method):
    """A method and its arguments as operands."""
    return [method[0], *(spell(rng, a) if isinstance(a, Shape) else
                         rng.choice(["?", "-1"]) if a == -1
                         and method[0] in EITHER else str(a)
                         for a in method[1:])]
