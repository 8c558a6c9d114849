"""Members of archives that NumPy writes, in every command, on random input
against NumPy and against bare files; archives that are damaged; those of
zips.py; and archives that are written.

usage: npz.py [--seed N] [--count N] [--brief] [--draw KIND/I]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run.
--draw makes one draw alone, as a failure names it, and keeps its archive.
"""
import os
import shutil
import warnings
import zipfile

import numpy as np

import npyfile
import zips
from algebra import ALIGNS, band_options, diagonal_shape, draw_band
from algebra import draw_indices, draw_sizes
from differential import WORK, compare, draw_dtype, draw_items, draw_raw
from differential import draw_shape, draw_spec, in_order, saved
from tap import SAN, Sweep, draws, in_parallel, read_bytes, run

NAMES = ["a", "arr_0", "dir/b", "größe", "x:y", "with blank", "c.npy.npy"]
DAMAGED = "damaged.npz"


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


class Archive:
    """Arrays, (dtype, items) each, as NumPy saves them; and each in a file of
    its own, as it stands in the archive: what NumPy does with padding in
    records it does not promise."""

    def __init__(self, rng, arrays, packed=None):
        names = rng.sample(NAMES, len(arrays))
        packed = rng.random() < 0.5 if packed is None else packed
        save = np.savez_compressed if packed else np.savez
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            save(WORK.path("in.npz"), **{n: raw.view(dtype) for n, (dtype, raw)
                                         in zip(names, arrays)})
        self.path = WORK.path("in.npz")
        self.members = [f"{self.path}:{n}" for n in names]
        self.files = [WORK.path(f"{i}.npy") for i in range(len(names))]
        with zipfile.ZipFile(self.path) as z:
            for name, path in zip(names, self.files):
                write(path, z.read(name + ".npy"))

    def close(self, problems, facts, keep):
        if keep:
            shutil.copy(self.path, "draw.npz")
        left = WORK.leftovers("in.npz", DAMAGED, *(
            os.path.basename(f) for f in self.files))
        if left:
            problems = [*problems, f"left behind: {left}"]
        return [f"{facts}: {p}" for p in problems]


def items_of(path, dtype):
    """The items of a file that NumPy wrote, opaque."""
    data = read_bytes(path)
    _, fortran, shape, start = npyfile.read_header(data)
    return np.frombuffer(data[start:], f"V{dtype.itemsize}").reshape(
        shape, order="F" if fortran else "C")


def draw_options(rng):
    return (rng.choice([[], ["-j", "1"], ["-j", "3"]])
            + rng.choice([[], [], ["--max-memory", "1M"]])
            + rng.choice([[], [], ["--order", "C"], ["--order", "F"]])
            + rng.choice([[], [], [], ["--no-drain"]]))


def perform(rng, words):
    """What the command did, and the bytes that came of it."""
    if rng.random() < 0.3:
        ran = run(words, WORK.here())
        return ran, ran.out
    out = WORK.path("out.npy")
    ran = run([words[0], "-o", out, *words[1:]], WORK.here())
    if not os.path.exists(out):
        return ran, b""
    data = read_bytes(out)
    os.unlink(out)
    return ran, data


# Slices, against NumPy.

def draw_slice(rng, keep):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    others = [(np.dtype("<i4"), draw_raw(rng, np.dtype("<i4"), (3, 2)))
              for _ in range(rng.choice([0, 0, 2]))]
    archive = Archive(rng, [(dtype, raw), *others])
    items = draw_items(rng, shape)
    index = tuple(items) if Ellipsis in items else (*items, Ellipsis)
    order = rng.choice([None, None, "C", "F"])
    stored = items_of(archive.files[0], dtype)
    name = archive.path if not others else archive.members[0]
    ran, got = perform(rng, [
        "tslice", *(["--order", order] if order else []), "--", name,
        draw_spec(rng, items)])
    problems = compare(ran, got, saved(in_order(stored[index], order), dtype))
    return archive.close(problems, f"{dtype} {shape} {items}", keep)


# Every other command, against itself on bare files.

def gather(rng):
    dtype = draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(1, 4), 6, 0)
    indices = draw_indices(rng, shape, 0, rng.randint(0, len(shape)))
    return ["tgather"], [(dtype, draw_raw(rng, dtype, shape)),
                         (indices.dtype, np.array(indices,
                                                  order=rng.choice("CF")))]


def set_diag(rng):
    dtype = draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(0, 2), 3) + draw_sizes(rng, 2, 7, 0.1)
    k0, k1 = draw_band(rng, *shape[-2:])
    options = band_options(rng, k0, k1, rng.choice(ALIGNS))
    return ["tsetdiag", *options], [
        (dtype, draw_raw(rng, dtype, shape)),
        (dtype, draw_raw(rng, dtype, diagonal_shape(shape, k0, k1)))]


def get_diag(rng):
    dtype = draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(0, 2), 3) + draw_sizes(rng, 2, 7, 0.1)
    k0, k1 = draw_band(rng, *shape[-2:])
    options = band_options(rng, k0, k1, rng.choice(ALIGNS))
    return ["tgetdiag", *options], [(dtype, draw_raw(rng, dtype, shape))]


def assign(rng):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    raw = draw_raw(rng, dtype, shape)
    items = draw_items(rng, shape)
    index = tuple(items) if Ellipsis in items else (*items, Ellipsis)
    return ["tassign", draw_spec(rng, items)], [
        (dtype, raw), (dtype, draw_raw(rng, dtype, raw[index].shape))]


def scatter(rng):
    dtype = draw_dtype(rng)
    shape = draw_sizes(rng, rng.randint(1, 4), 6, 0)
    indices = draw_indices(rng, shape, 0, rng.randint(0, len(shape)))
    rows = indices.shape[:-1] + tuple(shape[indices.shape[-1]:])
    return ["tscatter"], [(dtype, draw_raw(rng, dtype, shape)),
                          (indices.dtype, np.array(indices)),
                          (dtype, draw_raw(rng, dtype, rows))]


def everything(rng):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    return ["tslice"], [(dtype, draw_raw(rng, dtype, shape))]


COMMANDS = [gather, set_diag, get_diag, assign, scatter, everything]


def words_for(words, inputs):
    """tassign's slice stands behind its first input."""
    if words[0] == "tassign":
        return ["tassign", "--", inputs[0], words[1], inputs[1]]
    return [words[0], *words[1:], "--", *inputs]


def draw_command(rng, keep):
    words, arrays = rng.choice(COMMANDS)(rng)
    archive = Archive(rng, arrays)
    # Some of the inputs, at least one, are members.
    inputs = [m if rng.random() < 0.7 else f
              for m, f in zip(archive.members, archive.files)]
    inputs[rng.randrange(len(inputs))] = None
    inputs = [m if i is None else i for m, i in zip(archive.members, inputs)]
    options = draw_options(rng)
    bare = run([words[0], *options, *words_for(words, archive.files)[1:]],
               WORK.here())
    ran, got = perform(rng, [words[0], *options,
                             *words_for(words, inputs)[1:]])
    problems = compare(ran, got, bare.out) if bare.status == 0 else \
        [f"without an archive: {bare}"]
    return archive.close(problems, f"{words} {options}", keep)


def draw_shapes(rng, keep):
    arrays = []
    for _ in range(rng.randint(1, 4)):
        dtype = draw_dtype(rng)
        arrays.append((dtype, draw_raw(rng, dtype, draw_shape(rng))))
    archive = Archive(rng, arrays)
    ran = run(["tshape", "-l", archive.path, archive.files[0]], WORK.here())
    each = run(["tshape", "-l", *archive.members, archive.files[0]],
               WORK.here())
    shown = [line.split(b"  ", 1)[1] for line in ran.out.splitlines()]
    wanted = [line.split(b"  ", 1)[1] for line in each.out.splitlines()]
    problems = [] if ran.status == 0 and len(shown) == len(arrays) + 1 \
        and shown == wanted else [f"{ran.out} {each.out} {ran}"]
    return archive.close(problems, f"{len(arrays)} members", keep)


# Damage: wrong bytes never come out under a good status.

def damage(rng, data):
    way = rng.choice(["flip", "flip", "flip", "cut", "insert", "swap"])
    at = rng.randrange(len(data))
    if rng.random() < 0.4:      # the directory is small, and tells most
        at = rng.randrange(max(0, len(data) - 200), len(data))
    n = rng.randint(1, 8)
    if way == "flip":
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) \
            + data[at + 1:]
    if way == "cut":
        return data[:at]
    if way == "insert":
        return data[:at] + rng.randbytes(n) + data[at:]
    return data[:at] + rng.randbytes(n) + data[at + n:]


def draw_damaged(rng, keep):
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    archive = Archive(rng, [(dtype, draw_raw(rng, dtype, shape))
                            for _ in range(2)])
    want = run(["tslice", archive.files[0]], WORK.here()).out
    spoilt = WORK.path(DAMAGED)
    write(spoilt, damage(rng, read_bytes(archive.path)))
    name = archive.members[0].replace("in.npz", DAMAGED, 1)
    ran, got = perform(rng, ["tslice", "--json", "--", name])
    good = (got == want if ran.status == 0
            else ran.status == 3 and ran.error())
    problems = [] if good else [f"{ran}, {len(got)} of {len(want)} bytes"]
    if keep:
        shutil.copy(spoilt, "draw-" + DAMAGED)
    return archive.close(problems, f"{dtype} {shape}", keep)


# Archives that are written: all but one member stay.

LEVELS = [[], [], ["--deflate"], ["--deflate=1"], ["--deflate=9"]]


def members_of(path):
    with zipfile.ZipFile(path) as z:
        return [(i.filename, i.CRC, i.compress_type, z.read(i))
                for i in z.infolist()]


def draw_written(rng, keep):
    words, arrays = rng.choice(COMMANDS)(rng)
    archive = Archive(rng, arrays)
    options = draw_options(rng)
    words = [words[0], *options, *words_for(words, archive.files)[1:]]
    bare = run(words, WORK.here())
    name = rng.choice([*NAMES, "new", "c.npy"])
    full = name if name.endswith(".npy") else name + ".npy"
    before = members_of(archive.path)
    ran = run([words[0], *rng.choice(LEVELS), "-o", f"{archive.path}:{name}",
               *words[1:]], WORK.here())
    if ran.status or bare.status:
        problems = [f"{ran}, without an archive: {bare}"]
    else:
        *others, new = members_of(archive.path)
        problems = [] if others == [m for m in before if m[0] != full] \
            else ["other members have changed"]
        problems += [] if (new[0], new[3]) == (full, bare.out) else [f"{ran}"]
    return archive.close(problems, f"{words} {full}", keep)


def draw_damaged_output(rng, keep):
    """What is found to be damaged stays, and what is not takes a member."""
    dtype, shape = draw_dtype(rng), draw_shape(rng)
    archive = Archive(rng, [(dtype, draw_raw(rng, dtype, shape))
                            for _ in range(2)])
    want = run(["tslice", archive.files[0]], WORK.here()).out
    spoilt = WORK.path(DAMAGED)
    data = damage(rng, read_bytes(archive.path))
    write(spoilt, data)
    name = archive.members[0].replace("in.npz", DAMAGED, 1)
    ran = run(["tslice", "--json", "-o", name, "--", archive.files[0]],
              WORK.here())
    if ran.status == 0:
        good = run(["tslice", "--", name], WORK.here()).out == want
    else:
        good = ran.status == 3 and read_bytes(spoilt) == data and \
            (ran.error() or {}).get("kind") == "bad_archive"
    if keep:
        shutil.copy(spoilt, "draw-" + DAMAGED)
    return archive.close([] if good else [f"{ran}"], f"{dtype} {shape}", keep)


KINDS = {"slice": draw_slice, "command": draw_command, "shape": draw_shapes,
         "damaged": draw_damaged, "written": draw_written,
         "damaged-output": draw_damaged_output}


# Archives made byte by byte.

def ends_as(words, want, data):
    """Problems of a command that is to make 'data', or to fail as 'want'."""
    ran = run(words, WORK.here())
    error = (ran.error() or {}).get("kind")
    good = (ran.status == 0 and ran.out == data and not ran.err
            if want == "ok" else ran.status == 3 and error == want)
    return [] if good else [f"{ran}, {len(ran.out)} bytes"]


def check_kind(item):
    kind, member, want, data = item
    name = WORK.path("in.npz") + (f":{member}" if member else "")
    write(WORK.path("in.npz"), data)
    out = WORK.path("out.npy")
    problems = ends_as(["tslice", "--json", name], want, zips.ARRAY) \
        + ends_as(["tslice", "--json", name, "-o", out], want, b"")
    if want == "ok":
        problems += ends_as(["tshape", name], want, b"(2, 3)\n")
        problems += [] if read_bytes(out) == zips.ARRAY else ["other bytes"]
    left = WORK.leftovers("in.npz", *(["out.npy"] if want == "ok" else []))
    return f"archive: {kind}", problems + ([f"left: {left}"] if left else [])


def check_cut(method):
    """One that ends too early, wherever that is."""
    data = zips.archive(*(zips.Entry(n, method=method) for n in
                          ("a.npy", "b.npy")))
    problems = []
    for n in range(4, len(data), 9 if SAN else 3):
        write(WORK.path("in.npz"), data[:n])
        problems += ends_as(["tslice", "--json", WORK.path("in.npz") + ":a"],
                            "bad_archive", b"")
    WORK.leftovers()
    return f"archives of method {method} that are cut short", problems


def more(tap, _):
    in_parallel(tap, check_kind, zips.KINDS)
    in_parallel(tap, check_cut, [zips.STORED, zips.DEFLATED])


def main():
    Sweep(KINDS, draws(160, 40)).run(WORK, more)


if __name__ == "__main__":
    main()
