"""Structured dtypes of NumPy's documentation and tests that a file can have.

Left out is what numpy.save refuses, as no header can say it: fields that
overlap, and fields in another order than that of their bytes.
"""
import numpy as np

DTYPES = [np.dtype(t) for t in [
    # The user guide, "Structured arrays".
    [("name", "U10"), ("age", "i4"), ("weight", "f4")],
    [("x", "f4"), ("y", np.float32), ("z", "f4", (2, 2))],
    [("x", "f4"), ("", "i4"), ("z", "i8")],
    "i8, f4, S3",
    "3int8, float32, (2, 3)float64",
    {"names": ["col1", "col2"], "formats": ["i4", "f4"]},
    {"names": ["col1", "col2"], "formats": ["i4", "f4"], "offsets": [0, 4],
     "itemsize": 12},
    {"names": ["a", "b"], "formats": ["u1", "<i8"], "offsets": [3, 20]},
    [(("my title", "name"), "f4")],
    {"names": ["name"], "formats": ["i4"], "titles": ["my title"]},
    [("a", "i4"), ("b", "i4"), ("c", "f4"), ("d", "f4", (2,))],
    [("r", "u1"), ("g", "u1"), ("b", "u1")],
    # Records in records, arrays in them, and both.
    [("a", [("aa", "<i4"), ("ab", ">f4")]), ("b", "U1")],
    [("top", [("middle", [("bottom", "<u2")])]), ("top.middle", "<i4")],
    [("r", [("s", "<i2", (2,)), ("t", [("u", "u1", (3,))], (2, 2))], (3,)),
     ("v", ">f8", (1,))],
    [("a", "<i4", (1,)), ("b", "<i4", (1, 1)), ("c", "<i4")],
    [("deep", "i1", (1, 2) * 8), ("b", "<f4")],
    # Nothing in them.
    [("a", "S0"), ("b", "<i4"), ("c", "U0")],
    [("a", "<i4", (0,)), ("b", "<f8"), ("c", "<i2", (2, 0))],
    [("e", []), ("b", "<f8")],
    # Every kind.
    [("b", "?"), ("d", "<M8[ns]"), ("s", ">m8[s]"), ("c", "<c16"), ("v", "V3"),
     ("l", "g"), ("h", ">f2"), ("u", ">U2"), ("w", "V1", (2,))],
    # Names.
    [("a b", "i1"), ("it's", "<i2"), ('"', "<i4"), ("back\\", "<f4"),
     ("\u00e9t\u00e9", "<f8"), ("\u4e2d", "u1"), ("a.b", "<u2"), (" ", "u1")],
    [("a", [("b.c", "<i2"), ("b", [("c", "<i4")])]), ("a.b", [("c", "<f4")]),
     ("a.b.c", "<f8")],
]] + [
    # Aligned as C has them.
    np.dtype("u1, u1, i4, u1, i8, u2", align=True),
    np.dtype([("a", "i1"), ("b", "i1, i8", (2,)), ("c", "<c8")], align=True),
    np.dtype([("f", [("f1", "u1"), ("f2", "<i4")]), ("k", "i1")], align=True),
]

SHAPES = [((), "C"), ((0,), "C"), ((5,), "C"), ((2, 3), "C"), ((2, 3), "F"),
          ((3, 0, 2), "F")]


def fields(dtype):
    """All ways to a field of the dtype: lists of names, and of titles."""
    dtype = dtype.base
    for name in dtype.fields or ():
        yield [name]
        for rest in fields(dtype.fields[name][0]):
            yield [name, *rest]
