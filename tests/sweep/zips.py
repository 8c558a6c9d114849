"""Writes zip archives byte by byte: as they should be, as other programs write
them, and as nobody should.

usage: zips.py OUT KIND		an archive of one of the kinds below

The array in it is int32, 0 to 5 of shape (2, 3), unless the kind is about that.
"""
import struct
import sys
import zlib

import npyfile

FULL16, FULL32 = 0xffff, 0xffffffff
ITEMS = struct.pack("<6i", *range(6))
ARRAY = npyfile.header("'<i4'", (2, 3)) + ITEMS
STORED, DEFLATED = 0, 8
DESCRIPTOR = 8
UTF8 = 0x800


def deflate(data, level=6):
    z = zlib.compressobj(level, zlib.DEFLATED, -15)
    return z.compress(data) + z.flush()


def zip64(*numbers):
    """An extra field of those numbers."""
    return struct.pack(f"<HH{len(numbers)}Q", 1, 8 * len(numbers), *numbers)


class Entry:
    """What is said of a member, here and there; 'local' is said only in its own
    header, 'central' only in the directory, 'both' in both."""

    def __init__(self, name, data=ARRAY, method=STORED, both=None, local=None,
                 central=None, packed=None, behind=b"", at=None):
        self.data = packed if packed is not None else \
            deflate(data) if method == DEFLATED else data
        said = {"name": name.encode() if isinstance(name, str) else name,
                "flags": 0, "method": method, "crc": zlib.crc32(data),
                "packed": len(self.data), "size": len(data), "extra": b"",
                "comment": b"", "disk": 0, "signature": None, "version": 20,
                **(both or {})}
        self.local = {**said, **(local or {})}
        self.central = {**said, "offset": at, **(central or {})}
        self.behind = behind    # the data
        self.at = at            # where another's header already stands

    def header(self):
        s = self.local
        return struct.pack("<IHHHIIIIHH", s["signature"] or 0x04034b50,
                           s["version"], s["flags"], s["method"], 0, s["crc"],
                           s["packed"], s["size"], len(s["name"]),
                           len(s["extra"])) \
            + s["name"] + s["extra"]

    def listed(self, offset):
        s = self.central
        where = s["offset"] if s["offset"] is not None else offset
        return struct.pack("<IHHHHIIIIHHHHHII", s["signature"] or 0x02014b50,
                           20, s["version"], s["flags"], s["method"], 0,
                           s["crc"], s["packed"], s["size"], len(s["name"]),
                           len(s["extra"]), len(s["comment"]), s["disk"], 0, 0,
                           where) + s["name"] + s["extra"] + s["comment"]


def end_record(count, nbytes, offset, comment=b"", disks=(0, 0), here=None):
    return struct.pack("<IHHHHIIH", 0x06054b50, *disks,
                       count if here is None else here, count, nbytes, offset,
                       len(comment)) + comment


def zip64_end(count, nbytes, offset, at, **others):
    """The zip64 record at 'at' and its locator."""
    say = {"size": 44, "disks": (0, 0), "here": count, "where": at,
           "signature": 0x06064b50, "parts": 1, **others}
    return struct.pack("<IQHHIIQQQQ", say["signature"], say["size"], 45, 45,
                       *say["disks"], say["here"], count, nbytes, offset) \
        + struct.pack("<IIQI", 0x07064b50, 0, say["where"], say["parts"])


def archive(*entries, front=b"", gap=b"", wide=None, **end):
    """The entries, a directory of them, and its end; 'end' has what the end
    record says otherwise, 'wide' what a zip64 record does."""
    out, listed = front, b""
    for e in entries:
        listed += e.listed(len(out))
        if e.at is None:
            out += e.header() + e.data + e.behind
    out += gap
    said = {"count": len(entries), "nbytes": len(listed), "offset": len(out),
            **{k: v for k, v in end.items() if k in
               ("count", "nbytes", "offset")}}
    rest = {k: v for k, v in end.items() if k not in said}
    out += listed
    if wide is not None:
        out += zip64_end(**{"count": len(entries), "nbytes": len(listed),
                            "offset": len(out) - len(listed), "at": len(out),
                            **wide})
    return out + end_record(**said, **rest)


A = Entry("a.npy")
Z = Entry("a.npy", method=DEFLATED)
FULL_END = {"count": FULL16, "nbytes": FULL32, "offset": FULL32}
N = len(ARRAY)
P = len(Z.data)
EMPTY = npyfile.header("'<i4'", (0, 3))
CLAIM = npyfile.header("'|u1'", (1 << 40,))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def overlapping():
    """Two entries, of which the second's local header lies in the first's
    data, which are stored."""
    inner = Entry("b.npy")
    outer = Entry("a.npy", ARRAY + inner.header() + inner.data)
    return archive(outer, Entry("b.npy", at=len(outer.header()) + N))


# Of KIND, MEMBER, what comes of it, and the bytes; a member of '' is that of
# the archive alone.
GOOD = [
    ("stored", "a", archive(A)),
    ("deflated", "a", archive(Z)),
    ("alone", "", archive(A)),
    ("alone-with-a-folder", "", archive(A, Entry("dir/", b""))),
    ("in-a-folder", "dir/a", archive(Entry("dir/a.npy"), A)),
    ("whole-name", "a.npy", archive(A)),
    ("no-suffix", "a", archive(Entry("a"), Entry("a.npy", b"no array"))),
    ("utf-8", "größe", archive(Entry("größe.npy", both={"flags": UTF8}))),
    ("colon", "a:b", archive(Entry("a:b.npy"))),
    ("climbs", "../../a", archive(Entry("../../a.npy"))),
    ("comment", "a", archive(A, comment=b"PK\5\6" * 10)),
    ("long-comment", "a", archive(A, comment=b"c" * FULL16)),
    ("entry-comment", "a",
     archive(Entry("a.npy", central={"comment": b"PK\1\2"}))),
    ("extra-fields", "a",
     archive(Entry("a.npy", local={"extra": b"\x99\x99\3\0abc"},
                   central={"extra": b"UT\5\0\1abcd\0"}))),
    ("short-extra", "a", archive(Entry("a.npy", both={"extra": b"\0\0\0"}))),
    ("descriptor", "a",
     archive(Entry("a.npy", both={"flags": DESCRIPTOR},
                   local={"crc": 0, "packed": 0, "size": 0},
                   behind=struct.pack("<IIII", 0x08074b50, zlib.crc32(ARRAY),
                                      N, N)))),
    ("deflated-descriptor", "a",
     archive(Entry("a.npy", method=DEFLATED, both={"flags": DESCRIPTOR},
                   local={"crc": 0, "packed": 0, "size": 0},
                   behind=struct.pack("<III", zlib.crc32(ARRAY), P, N)))),
    ("zip64-local", "a",
     archive(Entry("a.npy", local={"packed": FULL32, "size": FULL32,
                                   "extra": zip64(N, N)}))),
    ("zip64-central", "a",
     archive(Entry("a.npy", central={"packed": FULL32, "size": FULL32,
                                     "offset": FULL32,
                                     "extra": zip64(N, N, 0)}))),
    ("zip64-offset", "a",
     archive(Entry("a.npy", central={"offset": FULL32, "extra": zip64(0)}))),
    ("zip64-behind-others", "a",
     archive(Entry("a.npy", central={"packed": FULL32, "size": FULL32,
                                     "extra": b"\7\0\0\0" + zip64(N, N)}))),
    ("zip64-end", "a", archive(A, wide={}, **FULL_END)),
    ("zip64-end-not-needed", "a", archive(A, wide={})),
    ("zip64-end-and-comment", "a",
     archive(A, wide={}, comment=b"x" * 99, **FULL_END)),
    ("gap", "a", archive(A, Entry("b.npy"), gap=bytes(100))),
    ("another-entry-broken", "a",
     archive(A, Entry("b.npy", both={"method": 12}))),
    ("version-6.3", "a", archive(Entry("a.npy", both={"version": 63}))),
    ("version-of-a-system", "a",
     archive(Entry("a.npy", both={"version": 3 << 8 | 20}))),
    ("another-of-a-later-version", "a",
     archive(A, Entry("b.npy", both={"version": 64}))),
    ("others-twice", "a",
     archive(A, Entry("b.npy"), Entry("c.npy"), Entry("b.npy"))),
    ("no-compression", "a", archive(Entry("a.npy", method=DEFLATED,
                                          packed=deflate(ARRAY, 0)))),
]

BAD_ARCHIVE = [
    ("wrong-crc", archive(Entry("a.npy", both={"crc": 1}))),
    ("deflated-wrong-crc",
     archive(Entry("a.npy", method=DEFLATED, both={"crc": 1}))),
    ("damaged", archive(Entry("a.npy", packed=flipped(ARRAY, N - 1)))),
    ("local-crc", archive(Entry("a.npy", local={"crc": 1}))),
    ("local-size", archive(Entry("a.npy", local={"size": N - 4}))),
    ("local-packed", archive(Entry("a.npy", local={"packed": N - 4}))),
    ("local-method", archive(Entry("a.npy", local={"method": DEFLATED}))),
    ("local-name", archive(Entry("a.npy", local={"name": b"b.npy"}))),
    ("local-name-shorter", archive(Entry("a.npy", local={"name": b"a.np"}))),
    ("local-encrypted", archive(Entry("a.npy", local={"flags": 1}))),
    ("local-signature",
     archive(Entry("b.npy"), Entry("a.npy", local={"signature": 1}))),
    ("local-zip64-missing",
     archive(Entry("a.npy", local={"packed": FULL32, "size": FULL32}))),
    ("local-zip64-lies",
     archive(Entry("a.npy", local={"packed": FULL32, "size": FULL32,
                                   "extra": zip64(N, N + 1)}))),
    ("encrypted", archive(Entry("a.npy", both={"flags": 1}))),
    ("strongly-encrypted", archive(Entry("a.npy", both={"flags": 0x41}))),
    ("masked", archive(Entry("a.npy", both={"flags": 0x2000}))),
    ("patch", archive(Entry("a.npy", both={"flags": 0x20}))),
    ("deflate64", archive(Entry("a.npy", both={"method": 9}))),
    ("bzip2", archive(Entry("a.npy", both={"method": 12}))),
    ("zstd", archive(Entry("a.npy", both={"method": 93}))),
    ("stored-size-lies", archive(Entry("a.npy", both={"size": N + 4}))),
    ("deflated-shorter",
     archive(Entry("a.npy", both={"method": DEFLATED},
                   packed=deflate(ARRAY[:-4])))),
    ("deflated-longer",
     archive(Entry("a.npy", ARRAY, both={"method": DEFLATED},
                   packed=deflate(ARRAY + b"more")))),
    ("deflated-cut",
     archive(Entry("a.npy", ARRAY, both={"method": DEFLATED},
                   packed=deflate(ARRAY)[:-3]))),
    ("deflated-and-more",
     archive(Entry("a.npy", ARRAY, both={"method": DEFLATED},
                   packed=deflate(ARRAY) + b"more"))),
    ("not-deflated",
     archive(Entry("a.npy", ARRAY, both={"method": DEFLATED},
                   packed=b"\xff" * P))),
    ("impossible-inflation",
     archive(Entry("a.npy", CLAIM, both={"method": DEFLATED,
                                         "packed": FULL32, "size": FULL32},
                   local={"extra": zip64(1 << 40, P)},
                   central={"extra": zip64(1 << 40, P)},
                   packed=deflate(ARRAY)))),
    ("bomb-that-lies",
     archive(Entry("a.npy", both={"method": DEFLATED},
                   packed=deflate(ARRAY + bytes(1 << 24))))),
    ("overlap", overlapping()),
    ("same-data-twice", archive(A, Entry("b.npy", at=0))),
    ("beyond-the-end", archive(Entry("a.npy", both={"packed": 1 << 20,
                                                    "size": 1 << 20}))),
    ("4-gib", archive(Entry("a.npy", both={"packed": FULL32 - 1,
                                           "size": FULL32 - 1}))),
    ("8-eib",
     archive(Entry("a.npy", both={"packed": FULL32, "size": FULL32,
                                  "extra": zip64((1 << 63) - 1,
                                                 (1 << 63) - 1)}))),
    ("16-eib",
     archive(Entry("a.npy", both={"packed": FULL32, "size": FULL32,
                                  "extra": zip64((1 << 64) - 1,
                                                 (1 << 64) - 1)}))),
    ("offset-outside", archive(A, Entry("b.npy", central={
        "offset": 1 << 30}))),
    ("offset-in-the-directory",
     archive(A, Entry("b.npy", central={"offset": len(archive(A)) + 20}))),
    ("zip64-offset-outside",
     archive(Entry("a.npy", central={"offset": FULL32,
                                     "extra": zip64(1 << 62)}))),
    ("zip64-missing", archive(Entry("a.npy", central={"size": FULL32}))),
    ("zip64-too-short",
     archive(Entry("a.npy", central={"packed": FULL32, "size": FULL32,
                                     "extra": zip64(N)}))),
    ("extra-goes-beyond",
     archive(Entry("a.npy", central={"packed": FULL32, "size": FULL32,
                                     "extra": b"\1\0\377\377"
                                     + bytes(16)}))),
    ("empty-wrong-crc", archive(Entry("a.npy", EMPTY, both={"crc": 1}))),
    ("later-version", archive(Entry("a.npy", both={"version": 64}))),
    ("local-later-version", archive(Entry("a.npy", local={"version": 64}))),
    ("deflated-later-version",
     archive(Entry("a.npy", method=DEFLATED, both={"version": 255}))),
    ("nul-in-a-name", archive(Entry("a.npy\0.png"))),
    ("twice", archive(A, A)),
    ("no-end", archive(A)[:-22]),
    ("end-cut", archive(A)[:-1]),
    ("more-behind-the-end", archive(A) + b"x"),
    ("two-ends", archive(A, comment=end_record(1, 51, len(A.header()) + N))),
    ("directory-outside", archive(A, offset=1 << 30)),
    ("directory-too-early", archive(A, offset=0)),
    ("directory-too-long", archive(A, nbytes=1 << 20)),
    ("directory-too-short", archive(A, nbytes=20)),
    ("fewer-entries", archive(A, count=2)),
    ("more-entries", archive(A, Entry("b.npy"), count=1)),
    ("no-entries", archive(A, count=0)),
    ("entry-signature", archive(Entry("a.npy", central={"signature": 1}))),
    ("several-parts", archive(A, disks=(1, 0))),
    ("directory-elsewhere", archive(A, disks=(0, 1))),
    ("some-entries-elsewhere", archive(A, count=2, here=1)),
    ("zip64-full-but-no-record", archive(A, **FULL_END)),
    ("zip64-record-elsewhere", archive(A, wide={"where": 0}, **FULL_END)),
    ("zip64-record-signature",
     archive(A, wide={"signature": 1}, **FULL_END)),
    ("zip64-record-longer", archive(A, wide={"size": 45}, **FULL_END)),
    ("zip64-several-parts", archive(A, wide={"parts": 2}, **FULL_END)),
    ("zip64-other-parts", archive(A, wide={"disks": (1, 1)}, **FULL_END)),
    ("zip64-entries-elsewhere", archive(A, wide={"here": 0}, **FULL_END)),
    ("zip64-disagrees", archive(A, wide={"count": 0})),
    ("zip64-many-entries", archive(A, wide={"count": 1 << 60,
                                            "here": 1 << 60}, **FULL_END)),
    ("zip64-large-directory",
     archive(A, wide={"nbytes": (1 << 64) - 1}, **FULL_END)),
    ("zip64-negative", archive(A, wide={"offset": 1 << 63}, **FULL_END)),
    ("locator-alone",
     archive(A)[:-22] + b"PK\6\7" + bytes(16) + archive(A)[-22:]),
]

OTHERS = [
    ("missing", "b", "npz_member", archive(A)),
    ("folder", "dir/", "npz_member", archive(A, Entry("dir/", b""))),
    ("case", "A", "npz_member", archive(A)),
    ("no-members", "", "npz_member", archive()),
    ("several", "", "npz_member", archive(A, Entry("b.npy"))),
    ("several-kinds", "", "npz_member", archive(A, Entry("readme", b"text"))),
    ("not-an-array", "readme", "bad_magic", archive(Entry("readme", b"text"))),
    ("nothing", "a", "empty_file", archive(Entry("a.npy", b""))),
    ("deflated-nothing", "a", "empty_file",
     archive(Entry("a.npy", b"", method=DEFLATED))),
    ("header-cut", "a", "truncated_header",
     archive(Entry("a.npy", ARRAY[:60]), Entry("b.npy"))),
    ("deflated-header-cut", "a", "truncated_header",
     archive(Entry("a.npy", ARRAY[:60], method=DEFLATED))),
    ("data-cut", "a", "truncated_data",
     archive(Entry("a.npy", ARRAY[:-1]), Entry("b.npy"))),
    ("deflated-data-cut", "a", "truncated_data",
     archive(Entry("a.npy", ARRAY[:-1], method=DEFLATED))),
    ("more-data", "a", "trailing_data", archive(Entry("a.npy", ARRAY + b"x"))),
    ("deflated-more-data", "a", "trailing_data",
     archive(Entry("a.npy", ARRAY + b"x", method=DEFLATED))),
    ("two-arrays", "a", "trailing_data",
     archive(Entry("a.npy", ARRAY + ARRAY))),
    ("not-utf-8", "\udcff", "bad_archive",
     archive(Entry(b"\xff.npy", both={"flags": UTF8}))),
    ("overlong", "\udcc0\udcaf", "bad_archive",
     archive(Entry(b"\xc0\xaf", both={"flags": UTF8}))),
    ("not-utf-8-and-not-said", "\udcff", "ok", archive(Entry(b"\xff.npy"))),
    ("claims-a-tebibyte", "a", "truncated_data",
     archive(Entry("a.npy", CLAIM))),
]

KINDS = [(kind, member, "ok", data) for kind, member, data in GOOD] \
    + [(kind, "a", "bad_archive", data) for kind, data in BAD_ARCHIVE] + OTHERS


def main():
    data = {kind: data for kind, _, _, data in KINDS}[sys.argv[2]]
    with open(sys.argv[1], "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main()
