"""The inputs: made when first needed, kept, and dropped when there are many.

A name says what is in the file, so a changed case makes a new file:

    f4-64x1024x1024.npy             dtype and shape
    f4-8192x8192-fortran.npy        the same, in Fortran's order
    f4-64x1024-own.npy              the same as without -own; commands write
                                    into it, and it is made anew before
    mask-1024-50.npy                bools, of which 50 % are true, in no order
    f4-1048576x16-mapped.npy        written through a mapping, not at once, so
                                    that the page cache has small pages of it
    index-1024-of-4096-random.npy   tuples of one int64; or -sorted; with
                                    -flat behind it, without the tuples' axis
    f4-64x1024x1024.npz             an archive of it, as numpy.savez makes it
    f4-64x1024x1024-packed.npz      or numpy.savez_compressed
    r16-33554432.npy                records of 16 bytes, fields a, b and c
    normal-f8-524288x4.txt          numbers as text, a row a line
    200xf4-8x124                    a directory of 200 such files
    f4-64x1024x1024.nc              classic netCDF, of one variable v(z, y, x)
    c8-32x1024x1024                 BART's pair .cfl and .hdr

Archives and the last two have the same elements as the .npy of that dtype and
shape.
"""
import mmap
import os
import re
import shutil
import zipfile

import numpy as np

GIB = 1 << 30
PIECE = 16 << 20        # bytes of a write
LANES = {"f4": "f4", "f8": "f8", "u1": "u1", "c8": "f4", "c16": "f8",
         "r16": "f4"}
RECORD = np.dtype([("a", "<i4"), ("b", "<f8"), ("c", "<f4")])
DTYPES = {name: RECORD if name[0] == "r" else np.dtype(name)
          for name in LANES}


def pieces(dtype, count):
    """'count' elements: random integers, moved on by one with each piece."""
    lane = np.dtype(LANES[dtype])
    left = count * DTYPES[dtype].itemsize // lane.itemsize
    base = np.random.default_rng(1).integers(
        0, 251, min(PIECE // lane.itemsize, left)).astype(lane)
    step = lane.type(1)
    while left > 0:
        yield base[:left]
        left -= len(base)
        base += step


def write_array(f, dtype, shape, fortran=False):
    np.lib.format.write_array_header_1_0(f, {
        "descr": np.lib.format.dtype_to_descr(DTYPES[dtype]),
        "fortran_order": fortran, "shape": shape})
    for piece in pieces(dtype, int(np.prod(shape))):
        f.write(piece)


def write_npy(path, dtype, shape, fortran=False):
    with open(path, "wb", buffering=0) as f:
        write_array(f, dtype, shape, fortran)


def write_mapped(path, dtype, shape):
    """As an array that is larger than memory is made; nothing is read ahead of
    what is written, and no page is larger than it must be."""
    a = np.lib.format.open_memmap(path, "w+", DTYPES[dtype], shape)
    a._mmap.madvise(mmap.MADV_RANDOM)
    lanes, at = a.reshape(-1).view(LANES[dtype]), 0
    for piece in pieces(dtype, a.size):
        lanes[at:at + len(piece)] = piece
        at += len(piece)


def write_normal(path, dtype, shape):
    """Numbers with all of their digits; of integers, whatever there is."""
    generator = np.random.default_rng(1)
    values = (generator.standard_normal(shape)
              if np.dtype(dtype).kind == "f" else
              generator.integers(0, 256, shape))
    with open(path, "wb") as f:
        np.save(f, values.astype(dtype))


def write_text(path, dtype, shape):
    """The same, with blanks between."""
    generator = np.random.default_rng(1)
    with open(path, "w", encoding="ascii") as f:
        for _ in range(shape[0]):
            row = (generator.standard_normal(shape[1]) if dtype == "f8" else
                   generator.integers(0, 256, shape[1]))
            f.write(" ".join(map(repr, row.tolist())) + "\n")


def write_npz(path, dtype, shape, method):
    """NumPy would hold all of it in memory."""
    with zipfile.ZipFile(path, "w", method) as z, \
            z.open("a.npy", "w", force_zip64=True) as f:
        write_array(f, dtype, shape)


def write_indices(path, count, total, in_order, flat):
    indices = np.random.default_rng(2).integers(0, total, (count, 1))
    if in_order:
        indices.sort(axis=0)
    if flat:
        indices = indices[:, 0]
    with open(path, "wb") as f:
        np.save(f, indices)


def write_mask(path, count, percent):
    mask = np.random.default_rng(3).random(count, "f4") < percent / 100
    with open(path, "wb") as f:
        np.save(f, mask)


def write_many(path, count, dtype, shape):
    os.mkdir(path)
    for i in range(count):
        write_npy(os.path.join(path, f"{i:03}.npy"), dtype, shape)


def netcdf_header(shape):
    """Of CDF-1: float v(z, y, x), no record dimension, no attributes."""
    def number(n):
        return n.to_bytes(4, "big")

    def name(text):
        return number(len(text)) + text.encode() + bytes(-len(text) % 4)

    dims = b"".join(name(n) + number(d) for n, d in zip("zyx", shape))
    start = (b"CDF\x01" + number(0)
             + number(10) + number(3) + dims        # the dimensions
             + number(0) + number(0)                # no attributes
             + number(11) + number(1) + name("v")   # one variable
             + number(3) + number(0) + number(1) + number(2)
             + number(0) + number(0)                # without attributes
             + number(5))                           # float
    size = 4 * int(np.prod(shape))
    return start + number(size) + number(len(start) + 8)


def write_netcdf(path, shape):
    with open(path, "wb", buffering=0) as f:
        f.write(netcdf_header(shape))
        for piece in pieces("f4", int(np.prod(shape))):
            f.write(piece.astype(">f4"))


def write_bart(path, shape):
    """BART counts dimensions from the one that is contiguous."""
    with open(path + ".hdr", "w") as f:
        print("# Dimensions", file=f)
        print(*reversed(shape), file=f)
    with open(path + ".cfl", "wb", buffering=0) as f:
        for piece in pieces("c8", int(np.prod(shape))):
            f.write(piece)


def parse(name):
    """The function that makes the input, its arguments, and bytes about."""
    m = re.fullmatch(r"index-(\d+)-of-(\d+)-(random|sorted)(-flat)?\.npy",
                     name)
    if m:
        count = int(m[1])
        return (write_indices, (count, int(m[2]), m[3] == "sorted",
                                bool(m[4])), 8 * count)
    m = re.fullmatch(r"mask-(\d+)-(\d+)\.npy", name)
    if m:
        return write_mask, (int(m[1]), int(m[2])), int(m[1])
    m = re.fullmatch(r"normal-([fu]\d)-(\d+)x(\d+)\.(npy|txt)", name)
    if m:
        shape = int(m[2]), int(m[3])
        return (write_normal if m[4] == "npy" else write_text, (m[1], shape),
                int(np.prod(shape)) * np.dtype(m[1]).itemsize)
    m = re.fullmatch(r"(?:(\d+)x)?([fucr]\d+)-([\dx]+)(-fortran|-packed)?"
                     r"(-mapped)?(?:-own)?(\.\w+)?", name)
    shape = tuple(map(int, m[3].split("x")))
    nbytes = int(np.prod(shape)) * DTYPES[m[2]].itemsize
    if m[1]:
        return write_many, (int(m[1]), m[2], shape), int(m[1]) * 4096
    if m[5]:
        return write_mapped, (m[2], shape), nbytes
    if m[6] == ".npy":
        return write_npy, (m[2], shape, bool(m[4])), nbytes
    if m[6] == ".npz":
        method = zipfile.ZIP_DEFLATED if m[4] else zipfile.ZIP_STORED
        return write_npz, (m[2], shape, method), nbytes
    if m[6] == ".nc":
        return write_netcdf, (shape,), nbytes
    return write_bart, (shape,), nbytes


def files_of(path):
    """The files of an input."""
    if os.path.isdir(path):
        return sorted(os.path.join(path, f) for f in os.listdir(path))
    if os.path.exists(path + ".cfl"):
        return [path + ".cfl", path + ".hdr"]
    return [path] if os.path.exists(path) else []


class Store:
    """Inputs in a directory, of at most 'limit' bytes together."""

    def __init__(self, directory, limit):
        self.dir = directory
        self.limit = limit
        os.makedirs(directory, exist_ok=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def need(self, names):
        """Makes what is missing of the inputs of one case."""
        for name in names:
            if not files_of(self.path(name)):
                self._make(name, names)
            for f in files_of(self.path(name)):
                os.utime(f)

    def renew(self, name, names):
        """Makes one anew that a command has written into."""
        for f in files_of(self.path(name)):
            os.unlink(f)
        self.need(names)

    def _make(self, name, names):
        write, args, nbytes = parse(name)
        self._make_room(nbytes, names)
        part = self.path("part")
        self._remove_part(part)
        write(part, *args)
        for f in files_of(part):
            fd = os.open(f, os.O_RDONLY)
            os.fsync(fd)
            os.close(fd)
        if os.path.exists(part):
            os.rename(part, self.path(name))
        else:
            os.rename(part + ".hdr", self.path(name) + ".hdr")
            os.rename(part + ".cfl", self.path(name) + ".cfl")

    @staticmethod
    def _remove_part(part):
        shutil.rmtree(part, ignore_errors=True)
        for f in (part, part + ".hdr", part + ".cfl"):
            if os.path.exists(f):
                os.unlink(f)

    def _make_room(self, nbytes, keep):
        """Removes those that were longest unused."""
        kept = {f for name in keep for f in files_of(self.path(name))}
        found = [e for e in os.scandir(self.dir) if e.is_file()]
        found.sort(key=lambda e: e.stat().st_mtime)
        total = sum(e.stat().st_size for e in found) + nbytes
        for e in found:
            if total > self.limit and e.path not in kept:
                total -= e.stat().st_size
                os.unlink(e.path)
        if shutil.disk_usage(self.dir).free < nbytes + 4 * GIB:
            raise SystemExit(f"bench: {self.dir}: too little room on the disk")
