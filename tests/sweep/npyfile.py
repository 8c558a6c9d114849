"""Writes .npy files without NumPy: any rank, any header text, any version; and
reads their headers.
"""
import ast


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
