"""Writing in place: two processes in one file, and processes killed in the
middle, touch no byte but those they are told to.

usage: in_place.py [--seed N] [--rounds N]

The seed is printed; it, or TSLICE_SEED in the environment, repeats a run, but
for the moments at which processes are killed.
"""
import argparse
import os
import random
import subprocess
import time

import numpy as np

from algebra import set_diag
from algebra_write import scatter
from conformance_write import in_file
from differential import MIB, WORK, parse, saved
from tap import DRAWS, Tap, draws, in_parallel, read_bytes

ROUNDS = 75 * DRAWS
BATCH = 25  # rounds behind one TAP line
KILLS = draws(15, 8)


def keep(name, data):
    with open(WORK.path(name), "wb") as f:
        f.write(data)
    return WORK.path(name)


def raw(generator, dtype, shape):
    """Items of any bytes."""
    size = np.dtype(dtype).itemsize
    count = int(np.prod(shape)) * size
    return np.frombuffer(generator.bytes(count), f"V{size}").reshape(shape)


def start(words, to_be_killed=False):
    # A leak checker that is killed complains of that.
    more = {"ASAN_OPTIONS": "detect_leaks=0"} if to_be_killed else {}
    return subprocess.Popen(words, cwd=WORK.here(), env={**os.environ, **more},
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ended(process):
    """The problems of a process that should have done its work."""
    _, said = process.communicate(timeout=60)
    if process.returncode == 0 and not said:
        return []
    return [f"{process.args}: status {process.returncode}, {said!r}"]


# Two at a time.

# (dtype, shape, order, the parts that are written at once)
SHARED = [
    ("|u1", (512, 1023), "C", [":, ::2", ":, 1::2"]),
    ("|u1", (1500, 1401), "F", ["::2", "1::2"]),
    ("|V3", (300, 801), "C", [":, ::2", ":, 1::2"]),
    ("<f8", (128, 515), "C", ["..., ::2", "..., 1::2"]),
    ("<u2", (700, 1000), "C", [":, :501", ":, 501:"]),
    ("|u1", (3 * MIB,), "C", [f":{MIB + 77}", f"{MIB + 77}:"]),
    ("|u1", (2000, 1001), "C", [":, ::3", ":, 1::3", ":, 2::3"]),
]


def check_round(rng, number):
    dtype, shape, order, specs = SHARED[number % len(SHARED)]
    generator = np.random.default_rng(rng.getrandbits(64))
    dtype = np.dtype(dtype)
    a = np.array(raw(generator, dtype, shape), order=order)
    before = saved(a, dtype)
    target = keep("in.npy", before)
    parts, running = [], []
    for i, spec in enumerate(specs):
        value = raw(generator, dtype, a[parse(spec)].shape)
        a[parse(spec)] = value
        parts.append(keep(f"{i}.npy", saved(value, dtype)))
    for spec, part in zip(specs, parts):
        running.append(start(["tassign", "--in-place", target, spec, part]))
    problems = [p for process in running for p in ended(process)]
    after = np.frombuffer(read_bytes(target), np.uint8)
    want = np.frombuffer(in_file(before, a), np.uint8)
    if len(after) != len(want) or (after != want).any():
        problems.append(f"{wrong_bytes(after, want)} bytes are wrong")
    left = WORK.leftovers("in.npy", *map(os.path.basename, parts))
    problems += [f"left behind: {left}"] if left else []
    return [f"round {number}, {dtype} {shape} {specs}: {p}" for p in problems]


def wrong_bytes(after, want):
    if len(after) != len(want):
        return f"{len(after)} instead of {len(want)}"
    return int((after != want).sum())


# Killed.

def kill_assign(generator, dtype, shape, spec):
    a = raw(generator, dtype, shape)
    value = raw(generator, dtype, a[parse(spec)].shape)
    want = a.copy()
    want[parse(spec)] = value
    return "tassign", a, want, [saved(value, np.dtype(dtype))], [spec]


def kill_scatter(generator, dtype, shape, rows):
    a = raw(generator, dtype, shape)
    at = generator.permutation(shape[0])[:rows, None]
    updates = raw(generator, dtype, (rows, *shape[1:]))
    return ("tscatter", a, scatter(a, at, updates),
            [saved(at.view(f"V{at.itemsize}"), at.dtype),
             saved(updates, np.dtype(dtype))], [])


def kill_setdiag(generator, dtype, shape):
    a = raw(generator, dtype, shape)
    d = raw(generator, dtype, (shape[0], min(shape[1:])))
    return ("tsetdiag", a, set_diag(a, d, 0, 0, "RIGHT_LEFT"),
            [saved(d, np.dtype(dtype))], [])


# A strided patch, long runs, short and long rows, diagonals.
KILLED = [
    (kill_assign, ("|u1", (4000, 5001), ":, ::2")),
    (kill_assign, ("<f4", (40, 300, 1001), "::2, ::-1, 1:-1")),
    (kill_assign, ("|V3", (7 * MIB,), "5:-5")),
    (kill_scatter, ("|V64", (300000,), 200000)),
    (kill_scatter, ("<f4", (300, 20000), 200)),
    (kill_setdiag, ("<f8", (2000, 30, 31),)),
]


def one_kill(words, target, before, delay):
    """Starts on a fresh file; what it held when the process had ended."""
    with open(target, "r+b") as f:
        f.write(before)
    began = time.perf_counter()
    process = start(words, delay is not None)
    if delay is not None:
        time.sleep(delay)
        process.kill()
    _, said = process.communicate(timeout=60)
    elapsed = time.perf_counter() - began
    problems = []
    if process.returncode not in (0, -9) or said:
        problems = [f"status {process.returncode}, {said!r}"]
    return np.frombuffer(read_bytes(target), np.uint8), elapsed, problems


def bytes_problems(after, before, want):
    """A byte is as it was or, in the slice, as it was to be."""
    if len(after) != len(before):
        return [f"{len(after)} bytes, not {len(before)}"]
    wrong = (after != before) & (after != want)
    if not wrong.any():
        return []
    return [f"{int(wrong.sum())} bytes are neither old nor new, the first at "
            f"{int(wrong.argmax())}"]


def check_killed(item):
    """Kills a command at moments that are spread over the time it takes."""
    (make, args), seed = item
    rng = random.Random(f"{seed}/{make.__name__}/{args}")
    generator = np.random.default_rng(rng.getrandbits(64))
    command, a, want, others, spec = make(generator, *args)
    data = saved(a, np.dtype(args[0]))
    target = keep("in.npy", data)
    paths = [keep(f"{i}.npy", x) for i, x in enumerate(others)]
    words = [command, "--in-place", target, *spec, *paths]
    before = np.frombuffer(data, np.uint8)
    want = np.frombuffer(in_file(data, want), np.uint8)
    after, elapsed, problems = one_kill(words, target, data, None)
    if wrong_bytes(after, want):
        problems.append(f"{wrong_bytes(after, want)} bytes wrong, unkilled")
    halfway = 0
    for _ in range(KILLS):
        after, _, found = one_kill(words, target, data,
                                   rng.uniform(0, elapsed))
        problems += found + bytes_problems(after, before, want)
        halfway += bool((after != before).any() and (after != want).any())
    left = WORK.leftovers("in.npy", *map(os.path.basename, paths))
    problems += [f"left behind: {left}"] if left else []
    return f"{command} {args}, killed {KILLS} times, {halfway} halfway", \
        problems


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default=os.environ.get("TSLICE_SEED") or
                        str(random.SystemRandom().randrange(10**9)))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    return parser.parse_args()


def main():
    args = arguments()
    tap = Tap()
    tap.note(f"seed {args.seed}")

    def batch(first):
        numbers = range(first, min(first + BATCH, args.rounds))
        found = [p for n in numbers for p in
                 check_round(random.Random(f"{args.seed}/{n}"), n)]
        return f"several at once, rounds {first} to {numbers[-1]}", found

    with WORK:
        in_parallel(tap, batch, range(0, args.rounds, BATCH))
        in_parallel(tap, check_killed, [(k, args.seed) for k in KILLED])
    tap.done()


if __name__ == "__main__":
    main()
