"""Times the commands against their peers: a table, and the same as JSON.

usage: bench.py [--list] [CASE]...

Before the first round each command of a case runs once, untimed, and what the
peers have written is compared with our result.  Then come the rounds: in each
all commands run, in an order that is shuffled anew.  A figure is the median of
the rounds, a ratio the peer's median by ours of the same run.  measure.py says
what is done before each command, cases.py what the commands and goals are.
"""
import filecmp
import hashlib
import json
import os
import random
import shutil
import statistics
import sys
import zipfile

import numpy as np

import far
import machine
import measure
from cases import ALIASES, CASES, FAR, NUMPY, Peer
from inputs import GIB, Store, files_of

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
DIR = os.environ.get("BENCH_DIR", "build/bench")
BASE = os.environ.get("BENCH_BASE")
PEERS = os.environ.get("BENCH_PEERS", "").split()
LIMIT = float(os.environ.get("BENCH_GIB", "12"))
OUT = os.path.join(DIR, "out")
RESULT = os.path.join(DIR, "result")
JSON = os.path.join(DIR, "results.json")
SHORT = 5                   # times as many rounds of what takes milliseconds
BUSY = 0.2                  # processors busy elsewhere that are worth a remark

HEAD = (f"{'case':15} {'who':10} {'wall ms':>9} {'spread':>6} {'cpu ms':>9} "
        f"{'ratio':>7} {'floor':>6} {'goal':>6}")


class Wrong(Exception):
    """A command of ours failed, or a peer made something else."""


def input_names(words):
    words = [w.removeprefix(FAR) for w in words]
    return [w[1:] for w in words if w.startswith("@")]


def fill(words, store, out=OUT):
    """A command's words with names of files in their places."""
    def one(word):
        if word.startswith(FAR + "@"):
            return far.url(store.path(word[len(FAR) + 1:]))
        if word.startswith("@"):
            return store.path(word[1:])
        for key, value in (("{o}", os.path.join(out, "out")), ("{d}", out),
                           ("{r}", os.path.join(RESULT, "out")),
                           ("{rd}", RESULT)):
            word = word.replace(key, value)
        return word
    return [one(w) for w in words]


def base_of(words):
    """A command of ours as the other build has it, if it does: a program by
    its path, a script with that build's first on PATH."""
    if not BASE:
        return {}
    path = shutil.which(words[0], path=BASE)
    if not path and words[0] != "bash":
        return {}
    return {"base": Peer([path or words[0], *words[1:]])}


def environment_of(who):
    return os.environ | {"PATH": BASE + os.pathsep + os.environ["PATH"]} \
        if who == "base" else os.environ


def split_peers(case):
    """The peers that are there, and why the others are not."""
    there, remarks = {}, {}
    for who, peer in (base_of(case.ours) | case.peers).items():
        if PEERS and who not in PEERS:
            continue
        if shutil.which(peer.words[0]):
            there[who] = peer
        else:
            remarks[who] = f"skipped: no program {peer.words[0]}"
            if peer.package:
                remarks[who] += f" (Debian's package {peer.package})"
    return there, remarks


def elements(path, like):
    """What a peer's file in its own format holds, as bytes of .npy."""
    if path.endswith(".nc"):
        whole = np.memmap(path, dtype=np.uint8, mode="r")
        return whole[-like.nbytes:].view(">f4").astype("<f4")
    return np.fromfile(path, dtype=like.dtype)


def is_result(path):
    """Whether a file is ours of that name, or the member of our archive."""
    ours = os.path.join(RESULT, os.path.basename(path))
    archive = os.path.join(RESULT, "out.npz")
    if os.path.exists(ours) or not os.path.exists(archive):
        return filecmp.cmp(path, ours, shallow=False)
    with zipfile.ZipFile(archive) as members, open(path, "rb") as f:
        (name,) = members.namelist()
        return members.read(name) == f.read()


def compare(who):
    """The peer's output, in OUT, with ours, in RESULT."""
    for name in os.listdir(OUT):
        path = os.path.join(OUT, name)
        if name.endswith((".npy", ".digest")):
            same = is_result(path)
        elif name.endswith((".cfl", ".nc")):
            ours = np.load(os.path.join(RESULT, "out.npy"), mmap_mode="r")
            flat = ours.ravel(order="K").view(np.uint8)
            same = np.array_equal(elements(path, ours).view(np.uint8), flat)
        else:
            continue
        if not same:
            raise Wrong(f"{who} makes something else than we do")


def run_checked(case, words, store, directory, env=None):
    """Runs a command on inputs as they were made, its output in 'directory':
    a file, or what has become of the one that it writes into."""
    measure.empty(directory)
    if not case.written:
        measure.run(fill(words, store, directory), env)
        return
    name = case.written[1:]
    store.renew(name, input_names(words))
    measure.run(fill(words, store, directory), env)
    digest = hashlib.blake2b()
    with open(store.path(name), "rb") as f:
        while piece := f.read(4 << 20):
            digest.update(piece)
    with open(os.path.join(directory, "written.digest"), "w") as f:
        print(digest.hexdigest(), file=f)


def make_result(case, store):
    """Ours, which peers are compared with, and which cp copies."""
    try:
        run_checked(case, case.result or case.ours, store, RESULT)
    except measure.Failed as e:
        raise Wrong(str(e)) from e


def try_once(case, peers, store, remarks):
    """Runs everything, which also brings the programs into memory."""
    for who, peer in list(peers.items()):
        try:
            run_checked(case, peer.words, store, OUT, environment_of(who))
        except measure.Failed as e:
            remarks[who] = f"skipped: {e}"
            del peers[who]
            continue
        compare(who)


def warm_bytes(case):
    """More than any command allocates: a result, its pages, one more."""
    if case.short:
        return 64 << 20
    size = sum(e.stat().st_size for e in os.scandir(RESULT))
    return max(measure.WARM_BYTES, 3 * size)


def run_rounds(case, peers, store, files):
    words = {"ours": fill(case.ours, store)}
    words |= {who: fill(peer.words, store) for who, peer in peers.items()}
    times = {who: [] for who in words}
    nbytes = warm_bytes(case)
    for _ in range(ROUNDS * (SHORT if case.short else 1)):
        for who in random.sample(list(words), len(words)):
            times[who].append(measure.timed(words[who], files, OUT, case.cold,
                                            nbytes, environment_of(who)))
    return times


def summary(times, scale=1):
    wall = sorted(t.wall * scale for t in times)
    low, _, high = statistics.quantiles(wall, n=4, method="inclusive") \
        if len(wall) > 1 else wall * 3
    return {"wall": statistics.median(wall),
            "cpu": statistics.median(t.cpu * scale for t in times),
            "spread": (high - low) / statistics.median(wall),
            "walls": wall}


def judge(case, figures):
    """Adds ratios, floors, goals and what is missed to the figures."""
    best = [figures[who] for who in NUMPY if who in figures]
    if len(best) > 1:
        figures["numpy-best"] = dict(min(best, key=lambda f: f["wall"]))
    for who, figure in figures.items():
        if who == "ours":
            continue
        floor, goal = case.goals.get(who, (None, None))
        ratio = figure["wall"] / figures["ours"]["wall"]
        figure |= {"ratio": ratio, "floor": floor, "goal": goal, "missed": None}
        if floor and ratio < floor:
            figure["missed"] = "floor"
        elif goal and ratio < goal:
            figure["missed"] = "goal"


def is_possible(case):
    try:
        return not case.needs or bool(measure.run(case.needs))
    except measure.Failed:
        return False


def renew_mapped(store, names):
    """Read from the disk they would be in the page cache in large pages."""
    for name in names:
        files = files_of(store.path(name))
        if "-mapped" in name and min(map(measure.in_cache, files)) < 1:
            store.renew(name, names)


def run_case(case, store):
    if not is_possible(case):
        return {}, {"(all)": "skipped: no memory cgroup may be made here"}
    peers, remarks = split_peers(case)
    commands = [case.ours, case.result or [],
                *(p.words for p in peers.values())]
    names = sorted({n for words in commands for n in input_names(words)})
    store.need(names)
    renew_mapped(store, names)
    make_result(case, store)
    inputs = [f for n in names for f in files_of(store.path(n))]
    files = inputs + [e.path for e in os.scandir(RESULT)]
    for path in files:
        if "-mapped" not in path:
            measure.load(path)
    try_once(case, peers, store, remarks)
    if case.cold:
        measure.prepare(files, True)
        if max(map(measure.in_cache, files)) > 0.01:
            return {}, {"(all)": "skipped: this file system has no cold files"}
    others = measure.Others()
    times = run_rounds(case, peers, store, files)
    busy = others.processors()
    if busy > BUSY:
        remarks["(all)"] = f"not quiet: {busy:.1f} processors did other work"
    figures = {who: summary(t, peers[who].scale if who in peers else 1)
               for who, t in times.items()}
    judge(case, figures)
    for path in inputs:         # room for those of the next case
        measure.drop(path)
    return figures, remarks


def number(n, width, digits):
    return f"{n:{width}.{digits}f}" if n is not None else " " * width


def show(case, figures, remarks):
    for who, f in figures.items():
        print(f"{case.name:15} {who:10} {f['wall'] * 1e3:9.2f} "
              f"{f['spread'] * 100:5.0f}% {f['cpu'] * 1e3:9.2f} "
              f"{number(f.get('ratio'), 7, 2)} {number(f.get('floor'), 6, 1)} "
              f"{number(f.get('goal'), 6, 1)}"
              + (f"  below {f['missed']}" if f.get("missed") else ""))
    for who, reason in remarks.items():
        print(f"{case.name:15} {who:10} {reason}")
    sys.stdout.flush()


def show_list():
    for case in CASES:
        print(f"{case.name:15} {' '.join(case.ours)}")
        print(f"{'':15} against {', '.join(case.peers)}")
        if case.note:
            print(f"{'':15} ({case.note})")
    for alias, name in ALIASES.items():
        print(f"{alias:15} the same as {name}")


def chosen(names):
    known = {case.name for case in CASES} | set(ALIASES)
    unknown = set(names) - known
    if unknown:
        sys.exit("bench: no such case: " + " ".join(sorted(unknown)))
    wanted = {ALIASES.get(n, n) for n in names}
    return [c for c in CASES if not wanted or c.name in wanted]


def describe(case, figures, remarks):
    """A case for JSON: what ran, and what came of it."""
    return {"ours": case.ours, "note": case.note, "figures": figures,
            "peers": {who: {"words": p.words, "scale": p.scale}
                      for who, p in case.peers.items()}, "remarks": remarks}


def run_all(todo, store):
    report = {"machine": machine.facts(DIR), "rounds": ROUNDS, "cases": {}}
    for key, value in report["machine"].items():
        print(f"{key:11} {value}")
    print(f"medians of {ROUNDS} rounds; spread: of the middle half; "
          f"ratio: the peer's time by ours\n\n{HEAD}")
    wrong = 0
    for case in todo:
        try:
            figures, remarks = run_case(case, store)
        except Wrong as e:
            wrong += 1
            figures, remarks = {}, {"(all)": f"WRONG: {e}"}
        show(case, figures, remarks)
        report["cases"][case.name] = describe(case, figures, remarks)
        with open(JSON, "w") as f:
            json.dump(report, f, indent=1)
    missed = [f["missed"] for c in report["cases"].values()
              for f in c["figures"].values() if f.get("missed")]
    print(f"\nbelow a floor: {missed.count('floor')}, "
          f"below a goal: {missed.count('goal')}; as JSON: {JSON}")
    return wrong


def main():
    if "--list" in sys.argv[1:]:
        show_list()
        return
    todo = chosen(sys.argv[1:])
    for directory in (OUT, RESULT):
        os.makedirs(directory, exist_ok=True)
    store = Store(os.path.join(DIR, "inputs"), int(LIMIT * GIB))
    try:
        wrong = run_all(todo, store)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        shutil.rmtree(OUT)
        shutil.rmtree(RESULT)
    # A time is never a test; a wrong result is.
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
