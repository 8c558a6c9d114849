"""One command, timed, and what has to be so for its time to mean something.

Two things change times more than the commands do.

Memory: a virtual machine may give freed pages back to its host, and the first
touch of such a page takes many times longer than that of others.  So more
memory than the command will allocate is touched and freed before each command,
again and again until that is quick.

The page cache: in which pieces the kernel holds a file depends on how the file
came in, and that decides what reading it costs.  So every input, and the file
that cp copies, is put out of the cache and read once from beginning to end; if
a part of it has gone when a command is about to be timed, that is done again.
Inputs that were written through a mapping stay as they came in by that.
"""
import ctypes
import mmap
import os
import time
from dataclasses import dataclass

import numpy as np

PAGE = mmap.PAGESIZE
WARM_BYTES = 800 << 20
WARM_TRIES = 4
READ_BYTES = 4 << 20

libc = ctypes.CDLL(None, use_errno=True)


@dataclass
class Time:
    wall: float     # seconds
    cpu: float      # user and system, of all processes that the command started


class Failed(Exception):
    pass


def touch(nbytes):
    """Touches and frees memory; unmapped, so that the kernel has it again.

    Returns seconds.
    """
    start = time.perf_counter()
    m = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        m.madvise(mmap.MADV_HUGEPAGE)
    except OSError:
        pass                    # a kernel without huge pages
    pages = np.frombuffer(m, dtype=np.uint8)[::PAGE]
    pages[:] = 1
    del pages
    m.close()
    return time.perf_counter() - start


quickest = {}       # bytes: seconds to touch them


def warm(nbytes):
    """Touches until a time near the best so far shows that pages are here."""
    for _ in range(WARM_TRIES):
        seconds = touch(nbytes)
        best = quickest.get(nbytes)
        quickest[nbytes] = min(seconds, best or seconds)
        if best and seconds < 1.5 * best:
            break


def in_cache(path):
    """Which part of the file is in the page cache, 0 to 1."""
    size = os.path.getsize(path)
    if size == 0:
        return 1.0
    with open(path, "rb") as f:
        m = mmap.mmap(f.fileno(), size, flags=mmap.MAP_PRIVATE,
                      prot=mmap.PROT_READ | mmap.PROT_WRITE)
    vector = (ctypes.c_ubyte * -(-size // PAGE))()
    start = ctypes.c_char.from_buffer(m)
    failed = libc.mincore(ctypes.c_void_p(ctypes.addressof(start)),
                          ctypes.c_size_t(size), vector)
    del start
    m.close()
    if failed:
        raise OSError(ctypes.get_errno(), "mincore")
    return float(np.mean(np.frombuffer(vector, dtype=np.uint8) & 1))


def drop(path):
    """Puts a file out of the page cache, which takes that it is on the disk."""
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def load(path):
    """Reads a file into the page cache, in the one way."""
    drop(path)
    buffer = bytearray(READ_BYTES)
    with open(path, "rb", buffering=0) as f:
        while f.readinto(buffer):
            pass


def fetch_missing(path):
    """Reads what is not in the page cache page by page, for a file whose pages
    there are no larger than they must be."""
    with open(path, "rb") as f:
        m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
    m.madvise(mmap.MADV_RANDOM)
    int(np.frombuffer(m, dtype=np.uint8)[::PAGE].max())


def prepare(files, cold):
    for path in files:
        if cold:
            drop(path)
        elif "-mapped" in path:
            fetch_missing(path)
        elif in_cache(path) < 1:
            load(path)


def empty(directory):
    for entry in os.scandir(directory):
        os.unlink(entry.path)


def run(words, env=None):
    """Runs a command; the clock stands still before it and after its end."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
    start = time.perf_counter()
    try:
        pid = os.posix_spawnp(words[0], words, env or os.environ,
                              file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
    except OSError as e:
        raise Failed(f"{words[0]}: {e.strerror}") from e
    finally:
        wall = time.perf_counter() - start
        os.close(null)
    if status != 0:
        code = os.waitstatus_to_exitcode(status)
        raise Failed(f"{words[0]}: status {code}")
    return Time(wall, usage.ru_utime + usage.ru_stime)


class Others:
    """Counts the processors that anything but this benchmark keeps busy."""

    def __init__(self):
        self.start = self._now()

    @staticmethod
    def _now():
        with open("/proc/stat") as f:
            # user nice system idle iowait irq softirq; the rest is counted
            # in these already, or is the host's
            ticks = list(map(int, f.readline().split()[1:8]))
        busy = sum(ticks) - ticks[3] - ticks[4]
        return (busy / os.sysconf("SC_CLK_TCK"), sum(os.times()[:4]),
                time.perf_counter())

    def processors(self):
        busy, own, elapsed = (b - a for a, b in zip(self.start, self._now()))
        return max(0.0, (busy - own) / elapsed)


def timed(words, files, directory, cold, warm_bytes, env=None):
    empty(directory)
    prepare(files, cold)
    warm(warm_bytes)
    return run(words, env)
