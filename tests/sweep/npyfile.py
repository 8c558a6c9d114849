"""Writes .npy files without NumPy: any rank, any header text, any version; and
reads their headers.

usage: npyfile.py OUT DESCR SHAPE [F] < data

DESCR is a type string such as <f4, or Python's text of a list of fields, SHAPE
that of a tuple.
"""
import ast
import sys


def growth(shape, fortran):
    """Blanks that NumPy leaves so that the growing dimension may grow."""
    if not shape:
        return ""
    return " " * (21 - len(str(shape[-1] if fortran else shape[0])))


def header(descr, shape, fortran=False, version=1):
    """The header as numpy.save writes it; 'descr' is Python's text of it."""
    text = (f"{{'descr': {descr}, 'fortran_order': {bool(fortran)}, "
            f"'shape': {tuple(shape)}, }}" + growth(shape, fortran))
    return frame(text.encode("latin-1" if version < 3 else "utf-8"), version)


def frame(text, version=1):
    """Puts the prefix before a header text and the padding behind it."""
    width = 2 if version == 1 else 4
    pad = 64 - (8 + width + len(text) + 1) % 64
    text += b" " * pad + b"\n"
    return (b"\x93NUMPY" + bytes([version, 0])
            + len(text).to_bytes(width, "little") + text)


def read_header(data):
    """(descr, fortran, shape, where the data begins) of a file's bytes."""
    width = 2 if data[6] == 1 else 4
    start = 8 + width + int.from_bytes(data[8:8 + width], "little")
    text = data[8 + width:start].decode("latin-1" if data[6] < 3 else "utf-8")
    fields = ast.literal_eval(text.strip())
    return fields["descr"], fields["fortran_order"], fields["shape"], start


def main():
    out, descr, shape = sys.argv[1:4]
    dims = tuple(int(d) for d in shape.strip("() ").split(",") if d.strip())
    with open(out, "wb") as f:
        text = descr if descr.startswith("[") else repr(descr)
        f.write(header(text, dims, "F" in sys.argv[4:]))
        f.write(sys.stdin.buffer.read())


if __name__ == "__main__":
    main()
