"""Decodes PNG files of 8 bits a sample, without a library, and with Pillow too
where it is there.

usage: pngfile.py FILE   prints the colour type, the size, and the samples
"""
import struct
import sys
import zlib

CHANNELS = {0: 1, 2: 3, 6: 4}
NAMES = {0: "L", 2: "RGB", 6: "RGBA"}


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        crc, = struct.unpack(">I", data[at + 8 + n:at + 12 + n])
        assert crc == zlib.crc32(kind + body), "a wrong checksum"
        yield kind, body
        at += 12 + n
    assert kind == b"IEND"


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(how, line, above, step):
    for i, value in enumerate(line):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        add = [0, left, above[i], (left + above[i]) // 2,
               paeth(left, above[i], corner)][how]
        line[i] = (value + add) & 255
    return line


def decode(data):
    """(mode, width, height, samples)"""
    packed = b""
    for kind, body in chunks(data):
        if kind == b"IHDR":
            width, height, depth, color, *rest = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and rest == [0, 0, 0]
        elif kind == b"IDAT":
            packed += body
    step = CHANNELS[color]
    raw, line, samples = zlib.decompress(packed), bytes(width * step), b""
    for row in range(height):
        at = row * (width * step + 1)
        line = unfilter(raw[at], bytearray(raw[at + 1:at + 1 + width * step]),
                        line, step)
        samples += line
    return NAMES[color], width, height, samples


def main():
    with open(sys.argv[1], "rb") as file:
        mode, width, height, samples = decode(file.read())
    try:
        from PIL import Image
        image = Image.open(sys.argv[1])
        assert (image.mode, image.size) == (mode, (width, height))
        assert image.tobytes() == samples
    except ImportError:
        pass
    print(mode, width, height, *samples)


if __name__ == "__main__":
    main()
