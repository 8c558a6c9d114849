"""What the sweeps share: TAP on standard output, running tslice, comparing."""
import argparse
import concurrent.futures
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

import driver

CASES = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "cases"))
SAN = os.environ.get("TSLICE_MODE", "release") == "san"
DRAWS = int(os.environ.get("TEST_DRAWS", "1"))
# Of so many commands one is a process of its own, driver or not.
REAL_EVERY = 40
COUNT = itertools.count(1)
DRIVERS = driver.Drivers()
JOBS = max(2, min(4, len(os.sched_getaffinity(0))))

# Errors that no data could mend; every other category is status 3 (or 4, 5).
STATUS_2 = set("""syntax overflow too_many_specs multiple_ellipsis zero_stride
    bad_shrink_stride length_mismatch bad_align bad_k k_order usage""".split())
STATUS_4 = {"io", "memory"}


def draws(release, san):
    """How many, of a build without or with sanitizers, which take their time;
    times TEST_DRAWS in the environment."""
    return (san if SAN else release) * DRAWS


def some_of(cases, args):
    """Every third of cases that take long, with --brief or sanitizers every
    fifth, from where the seed says; all with TEST_DRAWS=2 or more."""
    step = (5 if args.brief or SAN and DRAWS == 1 else
            3 if DRAWS == 1 else 1)
    return [*cases][random.Random(args.seed).randrange(step)::step]


def status_of(kind):
    if kind in STATUS_2:
        return 2
    if kind in STATUS_4:
        return 4
    return 5 if kind == "device" else 3


class Tap:
    """Writes TAP lines; the plan comes last, so a sweep that dies has none."""

    def __init__(self):
        self.count = self.bad = 0

    def result(self, name, problems):
        self.count += 1
        name = name.replace("#", "\\#")
        if not problems:
            print(f"ok {self.count} - {name}")
            return
        self.bad += 1
        print(f"not ok {self.count} - {name}")
        for problem in problems:
            for line in str(problem).splitlines() or [""]:
                print("#   " + line[:2000])

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # skip {reason}")

    def note(self, text):
        print("# " + text)

    def done(self):
        leaks = DRIVERS.finish()
        if SAN and driver.PROGRAM:
            self.result("nothing has leaked", leaks)
        print(f"1..{self.count}")
        sys.stdout.flush()
        sys.exit(1 if self.bad else 0)


class Workshop:
    """A scratch directory for each thread, all removed at the end."""

    def __init__(self):
        self.top = tempfile.mkdtemp(prefix="tslice-test.")
        self.local = threading.local()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        shutil.rmtree(self.top, ignore_errors=True)

    def here(self):
        if not hasattr(self.local, "path"):
            self.local.path = tempfile.mkdtemp(dir=self.top)
        return self.local.path

    def path(self, name):
        return os.path.join(self.here(), name)

    def leftovers(self, *expected):
        """Removes what lies in the directory; names what was not expected."""
        found = sorted(os.listdir(self.here()))
        for name in found:
            os.unlink(self.path(name))
        return [n for n in found if n not in expected]


class Ran:
    """What a command did: status (negative: a signal), out, err as bytes."""

    def __init__(self, args, status, out, err):
        self.args, self.status, self.out, self.err = args, status, out, err

    def __str__(self):
        said = self.err.decode("utf-8", "backslashreplace").strip()
        return f"{self.args!r} -> status {self.status}, stderr {said!r}"

    def error(self):
        """The object under "error" of a --json error line, or None."""
        try:
            return json.loads(self.err.decode())["error"]
        except (ValueError, KeyError, TypeError):
            return None


class Pipe:
    """A word of a command: the name of a pipe from which 'data' comes."""

    def __init__(self, data):
        self.data = data


def with_pipes(args, first):
    """The words as bytes; the descriptors of the pipes among them, under the
    numbers that they shall have, from 'first' on, or that they have (0)."""
    words, fds = [], {}
    for a in args:
        if isinstance(a, Pipe):
            fd = driver.fed(a.data)
            number = first + len(fds) if first else fd
            fds[number] = fd
            a = f"/dev/fd/{number}"
        words.append(os.fsencode(a))
    return words, fds


def as_process(args, cwd, fds, stdin, feed, timeout, stdout):
    source = {"input": feed} if feed is not None else {"stdin": stdin}
    try:
        p = subprocess.run(args, cwd=cwd, timeout=timeout, stdout=stdout,
                           stderr=subprocess.PIPE, check=False,
                           pass_fds=[*fds], **source)
    except subprocess.TimeoutExpired:
        return Ran(args, 124, b"", f"not done after {timeout} s".encode())
    return Ran(args, p.returncode, p.stdout or b"", p.stderr)


def as_call(args, cwd, fds, stdin, feed, timeout):
    """The same in the process of a driver."""
    source = stdin
    if feed is not None:
        source = driver.fed(feed)
    elif stdin == subprocess.DEVNULL:
        source = os.open(os.devnull, os.O_RDONLY)
    elif not isinstance(stdin, int):
        source = stdin.fileno()
    try:
        return Ran(args, *DRIVERS.run(args, cwd, {0: source} | fds, timeout))
    finally:
        if feed is not None or stdin == subprocess.DEVNULL:
            os.close(source)


def run(args, cwd, stdin=subprocess.DEVNULL, feed=None, limit_kib=None,
        timeout=30, stdout=subprocess.PIPE, alone=False):
    """Runs a command; 'feed' is sent through a pipe to its standard input.

    One of ours runs in the process of a driver, but with a limit, or if it
    shall be 'alone', and one in REAL_EVERY all the same.
    """
    called = (driver.PROGRAM and args[0] in driver.COMMANDS
              and not limit_kib and not alone
              and stdout == subprocess.PIPE
              and sum(isinstance(a, Pipe) for a in args) <= driver.MAX_PIPES
              and sum(len(a) + 1 for a in args if not isinstance(a, Pipe))
              < driver.MAX_MESSAGE
              and next(COUNT) % REAL_EVERY)
    if limit_kib and not SAN:
        args = ["sh", "-c", f'ulimit -v {limit_kib}; exec "$@"', "sh", *args]
    words, fds = with_pipes(args, driver.FIRST_PIPE if called else 0)
    try:
        if called:
            return as_call(words, cwd, fds, stdin, feed, timeout)
        return as_process(words, cwd, fds, stdin, feed, timeout, stdout)
    finally:
        for fd in fds.values():
            os.close(fd)


def in_parallel(tap, check, items):
    """check(item) gives (name, problems); the lines keep the items' order."""
    def guarded(item):
        try:
            return check(item)
        except Exception:
            return str(item)[:60], [traceback.format_exc()]

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for name, problems in pool.map(guarded, items):
            tap.result(name, problems)


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


class Sweep:
    """Random draws of several kinds, each a function of a random generator,
    and of whether to keep its files, that gives problems; 'count' of each, so
    many behind one TAP line.  Kinds in 'slow' are left out with --brief."""

    def __init__(self, kinds, count, batch=20, slow=()):
        self.kinds, self.size, self.slow = kinds, batch, slow
        self.parser = argparse.ArgumentParser()
        self.parser.add_argument("--seed",
                                 default=os.environ.get("TSLICE_SEED") or
                                 str(random.SystemRandom().randrange(10**9)))
        self.parser.add_argument("--count", type=int, default=count,
                                 help="draws of each kind")
        self.parser.add_argument("--draw", help="such as gather/17")
        self.parser.add_argument("--brief", action="store_true",
                                 help="few of what takes long")
        self.args = None

    def draw(self, kind, number, keep=False):
        rng = random.Random(f"{self.args.seed}/{kind}/{number}")
        return [f"draw {kind}/{number}: {p}"
                for p in self.kinds[kind](rng, keep)]

    def batch(self, item):
        kind, first = item
        numbers = range(first, min(first + self.size, self.args.count))
        name = (f"{kind}, seed {self.args.seed}, "
                f"draws {first} to {numbers[-1]}")
        return name, [p for n in numbers for p in self.draw(kind, n)]

    def run(self, workshop, more=None):
        """All draws, or that of --draw; then more(tap, args)."""
        self.args = self.parser.parse_args()
        tap = Tap()
        tap.note(f"seed {self.args.seed}")
        with workshop:
            if self.args.draw:
                kind, number = self.args.draw.split("/")
                tap.result(self.args.draw,
                           self.draw(kind, int(number), True))
            else:
                kinds = [k for k in self.kinds
                         if not self.args.brief or k not in self.slow]
                in_parallel(tap, self.batch, itertools.product(
                    kinds, range(0, self.args.count, self.size)))
                if more:
                    more(tap, self.args)
        tap.done()
