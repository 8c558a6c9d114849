"""Times the GPU's kernels against a copy, CuPy and PyTorch, as a table.

usage: gpu.py BENCH_GPU [MIB]

BENCH_GPU is the program built from tests/cuda/bench_gpu.c.  All arrays are in
the GPU's memory; a figure is the median of 21 runs, timed by CUDA events
after a warm-up.  GB/s are bytes of output per second; a copy reads and writes
as many, so that "of copy" says how near a kernel is to what memory can do.
"""
import importlib
import json
import statistics
import subprocess
import sys

ROUNDS, WARM_UP = 21, 5
UNITS = {1: "uint8", 2: "int16", 4: "float32", 8: "float64", 16: "complex128"}


def timed(run, event, elapsed):
    """Median seconds of run(); 'event' makes a recorded event."""
    seconds = []
    for i in range(ROUNDS + WARM_UP):
        start = event()
        run()
        stop = event()
        stop.synchronize()
        if i >= WARM_UP:
            seconds.append(elapsed(start, stop) / 1000)
    return statistics.median(seconds)


def index(spec):
    return eval(f"__import__('numpy').s_[{spec}]")


def units(nbytes):
    """How many elements of which width a row of a table is."""
    width = 4 if nbytes % 4 == 0 else 1
    return nbytes // width, width


class Cupy:
    def __init__(self):
        self.lib = importlib.import_module("cupy")

    def event(self):
        e = self.lib.cuda.Event()
        e.record()
        return e

    def slice(self, c):
        a = self.lib.zeros(c["shape"], UNITS[c["width"]])
        view = a[index(c["spec"])]
        view = view.T if c["transposed"] else view
        return lambda: view.copy(order="C")

    def gather(self, c):
        n, width = units(c["row"])
        a = self.lib.zeros((c["table"], n), UNITS[width])
        i = self.lib.random.randint(0, c["table"], c["rows"])
        return lambda: self.lib.take(a, i, axis=0)

    def set_diag(self, c):
        if c["diagonals"] > 1:
            return None
        a = self.lib.zeros((c["batch"], c["side"], c["side"]), "float32")
        d = self.lib.ones((c["batch"], c["side"]), "float32")
        flat = a.reshape(c["batch"], -1)[:, :: c["side"] + 1]
        return lambda: self.lib.copyto(flat, d)

    def time(self, run):
        return timed(run, self.event, self.lib.cuda.get_elapsed_time)


class Torch:
    def __init__(self):
        self.lib = importlib.import_module("torch")
        if not self.lib.cuda.is_available():
            raise ImportError("it sees no GPU")

    def event(self):
        e = self.lib.cuda.Event(enable_timing=True)
        e.record()
        return e

    def zeros(self, shape, width):
        return self.lib.zeros(shape, dtype=getattr(self.lib, UNITS[width]),
                              device="cuda")

    def slice(self, c):
        a = self.zeros(c["shape"], c["width"])
        parts = index(c["spec"])
        # PyTorch has no negative steps: flip, which copies, if it is all.
        back = [k for k, p in enumerate(parts) if (p.step or 1) < 0]
        if back:
            parts = tuple(slice(None) if k in back else p
                          for k, p in enumerate(parts))
            if any(p.step not in (None, -1) for p in index(c["spec"])):
                return None
            view = a[parts]
            return lambda: self.lib.flip(view, back)
        view = a[parts].T if c["transposed"] else a[parts]
        return view.contiguous

    def gather(self, c):
        n, width = units(c["row"])
        a = self.zeros((c["table"], n), width)
        i = self.lib.randint(0, c["table"], (c["rows"],), device="cuda")
        return lambda: self.lib.index_select(a, 0, i)

    def set_diag(self, c):
        if c["diagonals"] > 1:
            return None
        a = self.zeros((c["batch"], c["side"], c["side"]), 4)
        d = self.lib.ones((c["batch"], c["side"]), device="cuda")
        view = self.lib.diagonal(a, dim1=1, dim2=2)
        return lambda: view.copy_(d)

    def time(self, run):
        return timed(run, self.event, lambda a, b: a.elapsed_time(b))


def peers():
    found = {}
    for name, make in ("cupy", Cupy), ("torch", Torch):
        try:
            found[name] = make()
        except Exception as e:  # whatever an import may end with
            print(f"{name}: skipped: {e}")
    return found


def words(c):
    if c["op"] == "slice":
        return (f"{UNITS[c['width']]}[{c['spec']}]"
                f"{' transposed' if c['transposed'] else ''}"
                f" of {c['shape'][0]} x {c['shape'][1]}")
    if c["op"] == "gather":
        return f"random rows of {c['row']} bytes"
    return f"{c['diagonals']} diagonals, in place"


def main():
    program = [sys.argv[1], *sys.argv[2:3]]
    run = subprocess.run(program, stdout=subprocess.PIPE, text=True,
                         stderr=subprocess.PIPE)
    if run.returncode == 77:
        print(f"skipped: {run.stderr.strip()}")
        return 0
    print(run.stderr.strip())
    if run.returncode:
        return 1
    others = peers()
    print(f"{'case':44} {'kernel':16} {'GB/s':>7} {'of copy':>7}"
          + "".join(f" {name:>7}" for name in others))
    for line in run.stdout.splitlines():
        c = json.loads(line)
        row = (f"{words(c):44} {c['kernel']:16} "
               f"{c['nbytes'] / c['seconds'] / 1e9:7.0f} "
               f"{c['copy'] / c['seconds']:7.0%}")
        for peer in others.values():
            try:
                work = getattr(peer, c["op"])(c)
                t = peer.time(work) if work else None
            except Exception as e:
                print(f"{type(peer).__name__}: {e}", file=sys.stderr)
                t = None
            row += f" {c['nbytes'] / t / 1e9:7.0f}" if t else f" {'-':>7}"
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
