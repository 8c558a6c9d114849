"""Times the commands against their peers: a table, and the same as JSON.

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

# Peers in Python; a and b are the inputs, mapped, o the name of the output.
# "numpy" is what one who knows NumPy well would write, "typed" what is typed.
SLICE = {"numpy": "np.save(o, np.ascontiguousarray(a[{spec}]))",
         "typed": "np.save(o, a[{spec}])"}
GATHER = {"numpy": "np.save(o, a[tuple(b.T)])",
          "take": "np.save(o, np.take(a, b[:, 0], axis=0))"}
SETDIAG = {"numpy": "r = a.copy(); i = np.arange(r.shape[-1]); "
                    "r[:, i, i] = b; np.save(o, r)"}


def slices(source, spec, *peers):
    return ["tslice", [source], [spec], peers, SLICE]


def gathers(table, rows):
    return ["tgather", [table, rows], [], ["numpy", "take"], GATHER]


def setdiags(matrices, diagonals):
    return ["tsetdiag", [matrices, diagonals], [], ["cp", "numpy"], SETDIAG]


CASES = {
    "start-up": slices("small", "[::2]", "import", "cp"),
    "copy": slices("f4-256M", "[...]", "cp", "numpy"),
    "lead": slices("f4-2G", "[64:128]", "cp", "numpy"),
    "inner": slices("f4-2G", "[:128,100:900,200:800]", "cp", "numpy"),
    "rev": slices("f4-2G", "[:64,:,::-1]", "cp", "numpy", "typed"),
    "outer-rev": slices("f4-2G", "[63::-1]", "cp", "numpy"),
    "step2": slices("f4-2G", "[:128,:,::2]", "cp", "numpy"),
    "step64": slices("f4-2G", "[:,:,::64]", "numpy"),
    "column": slices("f4-2G", "[...,3]", "numpy"),
    "gather4": gathers("table-4", "random-4"),
    "gather4-sorted": gathers("table-4", "sorted-4"),
    "gather64": gathers("table-64", "random-64"),
    "gather64-sorted": gathers("table-64", "sorted-64"),
    "gather1k": gathers("table-1k", "random-1k"),
    "gather1k-sorted": gathers("table-1k", "sorted-1k"),
    "gather4k": gathers("table-4k", "random-4k"),
    "gather4k-sorted": gathers("table-4k", "sorted-4k"),
    "setdiag-large": setdiags("matrices-1024", "diagonals-1024"),
    "setdiag-16": setdiags("matrices-16", "diagonals-16"),
}

# bytes of a row: rows of the table (1 GiB), rows gathered
TABLES = {"4": (4, 1 << 28, 4 << 20), "64": (64, 1 << 24, 4 << 20),
          "1k": (1024, 1 << 20, 256 << 10), "4k": (4096, 1 << 18, 64 << 10)}


def make_table(size):
    width, rows, _ = TABLES[size]
    shape = (rows,) if width == 4 else (rows, width // 4)
    return np.arange(rows * width // 4, dtype="f4").reshape(shape)


def make_indices(size):
    _, rows, picked = TABLES[size]
    return np.random.default_rng(1).integers(0, rows, (picked, 1))


def make_matrices(n):
    return np.ones((64 * (1024 // n) ** 2, n, n), dtype="f4")


def make_input(name):
    kind, _, size = name.partition("-")
    if kind == "small":
        return np.arange(992, dtype="f4")
    if kind == "f4":
        count = {"256M": 64, "2G": 512}[size]
        return np.arange(count << 20, dtype="f4").reshape(count, 1024, 1024)
    if kind == "table":
        return make_table(size)
    if kind == "random":
        return make_indices(size)
    if kind == "sorted":
        return np.sort(make_indices(size), axis=0)
    if kind == "matrices":
        return make_matrices(int(size))
    return np.zeros((64 * (1024 // int(size)) ** 2, int(size)), dtype="f4")


def input_path(name):
    """The input's file, made once, and all of it in the page cache."""
    path = os.path.join(DIR, name + ".npy")
    if not os.path.exists(path):
        os.makedirs(DIR, exist_ok=True)
        np.save(path + ".part.npy", make_input(name))
        os.rename(path + ".part.npy", path)
    with open(path, "rb", buffering=0) as f:
        while f.read(4 << 20):
            pass
    return path


def python_peer(code, inputs, spec):
    names = "ab"[:len(inputs)]
    loads = "".join(f"{n} = np.load(sys.argv[{i + 2}], mmap_mode='r')\n"
                    for i, n in enumerate(names))
    return [sys.executable, "-c",
            "import numpy as np, sys\no = sys.argv[1]\n" + loads
            + code.format(spec=spec), OUT, *inputs]


def commands(command, inputs, operands, peers, codes):
    ours = [command, *inputs, *operands, "-o"]
    result = {command: [*ours, OUT]}
    for peer in peers:
        if peer == "import":
            result[peer] = [sys.executable, "-c", "import numpy"]
        elif peer == "cp":
            # of a file with the bytes that are the result
            copy = os.path.join(DIR, "result.npy")
            subprocess.run([*ours, copy], check=True)
            result[peer] = ["cp", copy, OUT]
        else:
            spec = operands[0][1:-1] if operands else ""
            result[peer] = python_peer(codes[peer], inputs, spec)
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
    command, inputs, operands, peers, codes = CASES[name]
    paths = [input_path(i) for i in inputs]
    todo = commands(command, paths, operands, peers, codes)
    times = {who: [] for who in todo}
    small = inputs == ["small"]
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
    print(f"{'case':15} {'who':8} {'wall ms':>9} {'cpu ms':>9} {'x ours':>7}")
    for name in sys.argv[1:] or CASES:
        results[name] = run_case(name)
        base = results[name][CASES[name][0]]["wall"]
        for who, t in results[name].items():
            print(f"{name:15} {who:8} {t['wall'] * 1e3:9.2f} "
                  f"{t['cpu'] * 1e3:9.2f} {t['wall'] / base:7.2f}", flush=True)
    path = os.path.join(DIR, "results.json")
    with open(path, "w") as f:
        json.dump(results, f, indent=1)
    for leftover in (OUT, os.path.join(DIR, "result.npy")):
        if os.path.exists(leftover):
            os.unlink(leftover)
    print("as JSON:", path)


if __name__ == "__main__":
    main()
