"""Times tslice against its peers: a table, and the same as JSON.

A virtual machine gives freed pages back to its host, so that the first touch
of memory may cost ten times the second: before each timed command more memory
is touched and freed than the command will use.  The commands of a case run in
an order that is shuffled anew in every round; a figure is the median of the
rounds, a ratio is of the same run.
"""
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
DIR = os.environ.get("BENCH_DIR", "build/bench")
OUT = os.path.join(DIR, "out.npy")
WARM_BYTES = 800 << 20

# name: (input, slice, peers)
CASES = {
    "start-up": ("small", "[::2]", ["import", "cp"]),
    "copy": ("small-256M", "[...]", ["cp", "numpy"]),
    "lead": ("big-f4", "[64:128]", ["cp", "numpy"]),
    "inner": ("big-f4", "[:128,100:900,200:800]", ["cp", "numpy"]),
    "rev": ("big-f4", "[:64,:,::-1]", ["cp", "numpy", "typed"]),
    "outer-rev": ("big-f4", "[63::-1]", ["cp", "numpy"]),
    "step2": ("big-f4", "[:128,:,::2]", ["cp", "numpy"]),
    "step64": ("big-f4", "[:,:,::64]", ["numpy"]),
    "column": ("big-f4", "[...,3]", ["numpy"]),
}

INPUTS = {
    "small": lambda: np.arange(992, dtype="f4"),
    "small-256M": lambda: np.arange(64 << 20, dtype="f4").reshape(64, 1024, -1),
    "big-f4": lambda: np.arange(512 << 20, dtype="f4").reshape(512, 1024, -1),
}

NUMPY = {
    # as one who knows NumPy well would write it
    "numpy": "np.save(o, np.ascontiguousarray(np.load(i, mmap_mode='r')[{}]))",
    # as it is typed
    "typed": "np.save(o, np.load(i, mmap_mode='r')[{}])",
}


def input_path(name):
    """The input's file, made once, and all of it in the page cache."""
    path = os.path.join(DIR, name + ".npy")
    if not os.path.exists(path):
        os.makedirs(DIR, exist_ok=True)
        np.save(path + ".part.npy", INPUTS[name]())
        os.rename(path + ".part.npy", path)
    with open(path, "rb", buffering=0) as f:
        while f.read(4 << 20):
            pass
    return path


def commands(source, spec, peers):
    result = {"tslice": ["tslice", source, spec, "-o", OUT]}
    for peer in peers:
        if peer == "import":
            result[peer] = [sys.executable, "-c", "import numpy"]
        elif peer == "cp":
            # of a file with the bytes that are the result
            copy = os.path.join(DIR, "result.npy")
            subprocess.run(["tslice", source, spec, "-o", copy], check=True)
            result[peer] = ["cp", copy, OUT]
        else:
            code = "import numpy as np, sys\ni, o = sys.argv[1:]\n" \
                + NUMPY[peer].format(spec[1:-1])
            result[peer] = [sys.executable, "-c", code, source, OUT]
    return result


def warm(nbytes):
    np.ones(nbytes // 8, dtype="f8")


def measure(command):
    """Wall and CPU seconds of one run."""
    if os.path.exists(OUT):
        os.unlink(OUT)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, (after.ru_utime + after.ru_stime
                  - before.ru_utime - before.ru_stime)


def run_case(name):
    source, spec, peers = CASES[name]
    todo = commands(input_path(source), spec, peers)
    times = {who: [] for who in todo}
    small = source == "small"
    for _ in range(ROUNDS * (5 if small else 1)):
        for who in random.sample(list(todo), len(todo)):
            if not small:
                warm(WARM_BYTES)
            times[who].append(measure(todo[who]))
    return {who: {"wall": statistics.median(w for w, _ in t),
                  "cpu": statistics.median(c for _, c in t)}
            for who, t in times.items()}


def main():
    unknown = set(sys.argv[1:]) - set(CASES)
    if unknown:
        sys.exit("bench: no such case: " + " ".join(sorted(unknown)))
    results = {}
    print(f"{'case':10} {'who':8} {'wall ms':>9} {'cpu ms':>9} {'x tslice':>9}")
    for name in sys.argv[1:] or CASES:
        results[name] = run_case(name)
        base = results[name]["tslice"]["wall"]
        for who, t in results[name].items():
            print(f"{name:10} {who:8} {t['wall'] * 1e3:9.2f} "
                  f"{t['cpu'] * 1e3:9.2f} {t['wall'] / base:9.2f}", flush=True)
    path = os.path.join(DIR, "results.json")
    with open(path, "w") as f:
        json.dump(results, f, indent=1)
    for leftover in (OUT, os.path.join(DIR, "result.npy")):
        if os.path.exists(leftover):
            os.unlink(leftover)
    print("as JSON:", path)


if __name__ == "__main__":
    main()
