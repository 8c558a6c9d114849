"""Runs commands one after another in one process, that of tests/driver.

A start of a process costs a millisecond, with sanitizers fourteen; most cases
ask nothing that only a process of its own could answer.
"""
import array
import os
import re
import select
import socket
import struct
import subprocess
import threading
import time

# Where a driver is: without one, each command is a process.
PROGRAM = os.environ.get("TSLICE_DRIVER", "")
# All of them, from where their list is.
LIST = os.path.join(os.path.dirname(__file__), "..", "..", "cli", "applet.h")
with open(LIST, encoding="ascii") as f:
    COMMANDS = set(re.findall(r"^\tX\((t[a-z]*)\)", f.read(), re.M))
MAX_MESSAGE = 100000
PIPE_HOLDS = 65536
# How many commands between two looks for leaks.
LOOK_EVERY = 50
# Of pipes for inputs: the number of the first, and how many there may be.
FIRST_PIPE = 40
MAX_PIPES = 24


class TimedOut(Exception):
    """The command was ended."""


class Died(Exception):
    """The command has ended the driver."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def environment():
    """A driver that frees little at a time would keep too much."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return os.environ | {"ASAN_OPTIONS":
                         "quarantine_size_mb=16:" + options}


def fed(data):
    """The end of a pipe from which 'data' can be read."""
    reader, writer = os.pipe()
    if len(data) <= PIPE_HOLDS:
        os.write(writer, data)
        os.close(writer)
    else:
        threading.Thread(target=pour, args=(writer, data),
                         daemon=True).start()
    return reader


def pour(fd, data):
    try:
        with open(fd, "wb") as f:
            f.write(data)
    except BrokenPipeError:
        pass


class Driver:
    """One process.  Its commands have ended when their pipes are closed."""

    def __init__(self):
        self.socket, other = socket.socketpair(socket.AF_UNIX,
                                               socket.SOCK_SEQPACKET)
        with other:
            self.process = subprocess.Popen(
                [PROGRAM, str(other.fileno())], pass_fds=[other.fileno()],
                env=environment(), stdin=subprocess.DEVNULL)
        self.recent = []

    def close(self):
        self.socket.close()
        self.process.wait()

    def send(self, args, cwd, fds):
        """fds: number -> descriptor."""
        words = [os.fsencode(w) for w in [cwd, *args]]
        message = (struct.pack("=II", len(fds), len(args))
                   + struct.pack(f"={len(fds)}i", *fds)
                   + b"".join(w + b"\0" for w in words))
        rights = array.array("i", fds.values())
        self.socket.sendmsg([message], [(socket.SOL_SOCKET,
                                         socket.SCM_RIGHTS, rights)])

    def status(self, timeout):
        """What the driver answers, or raises why it does not."""
        try:
            self.socket.settimeout(timeout)
            answer = self.socket.recv(4)
        except (socket.timeout, BlockingIOError):
            self.process.kill()
            self.process.wait()
            raise TimedOut from None
        except ConnectionError:
            answer = b""
        if len(answer) != 4:
            raise Died(self.process.wait())
        return struct.unpack("=i", answer)[0]

    def ask(self, args, cwd, fds, timeout):
        """(status, what came out, what was said); standard output is kept
        only if 'fds' has none."""
        readers, given = {}, dict(fds)
        for number in (1, 2):
            if number not in given:
                reader, given[number] = os.pipe()
                readers[reader] = number
        try:
            self.send(args, cwd, given)
        finally:
            for number in readers.values():
                os.close(given[number])
        said, late = collect(readers, timeout)
        try:
            status = self.status(0 if late else 5)
        except Died as e:
            status = e.status
            self.socket.close()
            raise Died((status, said.get(1, b""), said.get(2, b""))) from None
        return status, said.get(1, b""), said.get(2, b"")

    def leaks(self):
        """What has leaked in the last commands, and which they were; or
        None."""
        recent, self.recent = self.recent, []
        with open(os.devnull, "rb") as null:
            status, _, said = self.ask([], "/", {0: null.fileno()}, 60)
        if status == 0:
            return None
        return "\n".join([said.decode("utf-8", "replace"),
                          "after one of these:", *map(repr, recent)])


def collect(readers, timeout):
    """What comes out of these pipes until they are closed, by number; and
    whether that took too long."""
    said = {number: [] for number in readers.values()}
    poll, end = select.poll(), time.monotonic() + timeout
    for fd in readers:
        poll.register(fd, select.POLLIN)
    left, late = set(readers), False
    while left and not late:
        events = poll.poll(max(0, end - time.monotonic()) * 1000)
        late = not events
        for fd, _ in events:
            data = os.read(fd, 1 << 20)
            said[readers[fd]].append(data)
            if not data:
                poll.unregister(fd)
                left.discard(fd)
    for fd in readers:
        os.close(fd)
    return {n: b"".join(parts) for n, parts in said.items()}, late


class Drivers:
    """A driver for each thread; what they found in the end."""

    def __init__(self):
        self.local, self.all = threading.local(), []
        self.found, self.lock = [], threading.Lock()

    def mine(self):
        if getattr(self.local, "driver", None) is None:
            self.local.driver = Driver()
            with self.lock:
                self.all.append(self.local.driver)
        return self.local.driver

    def drop(self):
        driver, self.local.driver = self.local.driver, None
        driver.close()
        with self.lock:
            self.all.remove(driver)

    def run(self, args, cwd, fds, timeout):
        """(status, output, errors) of a command, as a process would end."""
        driver = self.mine()
        driver.recent.append(args)
        try:
            result = driver.ask(args, cwd, fds, timeout)
        except Died as e:
            self.drop()
            return e.status
        except TimedOut:
            self.drop()
            return 124, b"", f"not done after {timeout} s".encode()
        if len(driver.recent) >= LOOK_EVERY:
            self.look(driver)
        return result

    def look(self, driver):
        said = driver.leaks()
        if said:
            with self.lock:
                self.found.append(said)

    def finish(self):
        """Ends them all; what has leaked."""
        with self.lock:
            drivers, self.all = self.all, []
        for driver in drivers:
            if driver.recent:
                self.look(driver)
            driver.close()
        return self.found
