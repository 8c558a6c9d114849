"""Members of zip archives as they stand in the file, for tests in shell.

usage: members.py list FILE       a line for each: name, method, date, and a
                                  sum of its own header, its bytes and its entry
       members.py check FILE      as zipfile sees it: nothing may be damaged
       members.py bytes FILE NAME
       members.py replaced OLD NEW NAME ARRAY
                                  NEW is OLD with NAME at its end, which is the
                                  file ARRAY, and in no other place
       members.py large FILE      makes one with a member of 5 GiB, all holes
"""
import hashlib
import struct
import sys
import zipfile

LARGE = 5 << 30


def stored(f, info):
    """The local header and the bytes behind it, of a member that is small."""
    f.seek(info.header_offset)
    header = f.read(30)
    f.seek(info.header_offset)
    n, m = struct.unpack("<HH", header[26:30])
    return f.read(30 + n + m + min(info.compress_size, 1 << 20))


def facts(f, info):
    entry = (info.CRC, info.compress_size, info.file_size, info.external_attr,
             info.flag_bits, info.extra if info.compress_size < LARGE else b"",
             info.comment)
    total = hashlib.sha1(stored(f, info) + repr(entry).encode()).hexdigest()
    date = "%d-%02d-%02d" % info.date_time[:3]
    return f"{info.filename} {info.compress_type} {date} {total[:12]}"


def lines(path):
    with zipfile.ZipFile(path) as z, open(path, "rb") as f:
        found = [facts(f, info) for info in z.infolist()]
        return found + ([f"comment {z.comment}"] if z.comment else [])


def show(path):
    print(*lines(path), sep="\n")


def replaced(old, new, name, array):
    kept = [line for line in lines(old) if not line.startswith(name + " ")]
    found = lines(new)
    with zipfile.ZipFile(new) as z, open(array, "rb") as f:
        last = z.namelist()[-1]
        whole = z.testzip() is None and z.read(name) == f.read()
    found = [line for line in found if not line.startswith(name + " ")]
    if last != name or kept != found or not whole:
        sys.exit(f"{new}: {last} is last, whole: {whole}\n{found}\n{kept}")


def check(path):
    with zipfile.ZipFile(path) as z:
        bad = z.testzip()
    sys.exit(f"{path}: {bad} is damaged" if bad else 0)


def large(path):
    name = b"big.npy"
    field = struct.pack("<HHQQ", 1, 16, LARGE, LARGE)
    common = struct.pack("<HHHHHI", 45, 0, 0, 0, 0x21, 0)
    narrow = struct.pack("<II", 0xffffffff, 0xffffffff)
    local = (b"PK\3\4" + common + narrow
             + struct.pack("<HH", len(name), len(field)) + name + field)
    entry = (b"PK\1\2" + struct.pack("<H", 0x32d) + common + narrow
             + struct.pack("<HHHHHII", len(name), len(field), 0, 0, 0, 0, 0)
             + name + field)
    with zipfile.ZipFile(path, "w"):
        pass
    with open(path, "wb") as f:
        f.write(local)
        f.seek(len(local) + LARGE)
        at = f.tell()
        f.write(entry)
        f.write(b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 1, 1,
                                        len(entry), at))
        f.write(b"PK\6\7" + struct.pack("<IQI", 0, at + len(entry), 1))
        f.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry),
                                        0xffffffff, 0))


def main(what, path, *names):
    if what == "list":
        show(path)
    elif what == "check":
        check(path)
    elif what == "replaced":
        replaced(path, *names)
    elif what == "large":
        large(path)
    else:
        with zipfile.ZipFile(path) as z:
            sys.stdout.buffer.write(z.read(names[0]))


main(*sys.argv[1:])
