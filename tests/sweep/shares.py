"""What several processes make together, against what one makes alone.

usage: shares.py [--by parts|LAUNCHER] [--some FIRST/STEP] [--seed N]

LAUNCHER is a command such as mpirun.mpich, to which -n N is added; without it
each of N parts is made by itself, in any order.  All results are so large that
there is work for everybody.  The seed, or TSLICE_SEED in the environment,
repeats the draws.
"""
import argparse
import os
import random
import re
import shlex
import tempfile

import numpy as np

from tap import SAN, Tap, Workshop, in_parallel, read_bytes, run

RECORD = np.dtype([("a", "<u2"), ("b", "u1")])
WIDE = np.dtype([("c", ">f4"), ("a", "<i8"), ("b", "u1", (3,))])


def arrays(rng):
    """Files by name; each some hundred KiB, of several dtypes and orders."""
    def filled(shape, dtype):
        dtype = np.dtype(dtype)
        count = int(np.prod(shape)) * dtype.itemsize
        raw = rng.integers(0, 256, count, np.uint8)
        return raw.view(dtype).reshape(shape)

    a = filled((301, 517), "<i8")
    return {
        "a": a,
        "f": np.asfortranarray(filled((301, 517), "<i8")),
        "turned": filled((301, 517), ">i8"),
        "u": filled((1003, 999), "u1"),
        "s": filled((130000,), "S5"),
        "r": filled((700, 301), RECORD),
        "w": filled((301, 517), WIDE),
        "wf": np.asfortranarray(filled((301, 517), WIDE)),
        "t": filled((31, 41, 7, 53), "<i4"),
        "long": filled((40, 3001), "<i8"),
        "few": filled((7, 11), "<i4"),
        "none": filled((0, 5), "<i4"),
        "one": filled((), "<f8"),
        "column": filled((101, 1), "<i8"),
        "rows": rng.integers(0, 301, (700, 1)),
        "pairs": rng.integers(0, 301, (90000, 2)).astype("<i4"),
        "places": rng.integers(0, 301, (3, 500)),
        "at": rng.integers(0, 517, (1200,)),
        "bad": rng.integers(-2, 303, (700, 1)),
        "few_places": rng.integers(0, 3, (90000, 2)) * 100,
        "one_of_three": rng.integers(0, 3, (9, 1)),
        "wide_updates": filled((9, 70000), "<f8"),
        "no_places": np.zeros((0, 2), "<i8"),
        "no_updates": filled((0,), "<i8"),
        "longs": rng.integers(0, 40, (50, 1)),
        "updates": filled((700, 517), "<i8"),
        "singles": filled((90000,), "<i8"),
        "long_updates": filled((50, 3001), "<i8"),
        "batch": rng.integers(0, 41, (31, 90, 1)),
        "diagonal": filled((301,), "<i8"),
        "band": filled((6, 301), "<i8"),
    }


COMMANDS = """
tslice a.npy
tslice a.npy ::-1,1:
tslice a.npy ::2,::-3
tslice a.npy 7:,3:5
tslice a.npy ...,None,::2 --order F
tslice a.npy -T --order C
tslice f.npy ::-1 --order C
tslice f.npy :,5:
tslice u.npy 1:,::-1
tslice u.npy -T --order C
tslice s.npy ::2
tslice s.npy ::-1
tslice r.npy ::-1,:300
tslice r.npy -T --order C
tslice t.npy --axes 2,0,3,1 --order C
tslice t.npy 3:,::2,::-1
tslice t.npy ::3 --reshape -1,53
tslice few.npy ::-1
tslice none.npy
tslice one.npy
tslice all.npz:a ::-1
tslice packed.npz:u ::-1,::2
tslice packed.npz:u 5:
tassign a.npy ::3,::-2 column.npy
tassign a.npy 5:250,1:9 --value 7
tassign f.npy :,100 --value -1
tassign turned.npy 100:201 column.npy
tassign a.npy 10: --value 3 --order F
tgather a.npy rows.npy
tgather f.npy rows.npy
tgather a.npy pairs.npy
tgather a.npy rows.npy --order F
tgather long.npy longs.npy
tgather a.npy bad.npy --bad-indices zero
tgather t.npy batch.npy --batch-dims 1
tgather a.npy at.npy --axis 1
tgather f.npy at.npy --axis -1
tgather a.npy places.npy --axis 0
tgather a.npy --axis 1 --indices 3,1,4,1,5,9,2,6
tgather long.npy --axis 1 --indices 0,2999,5 --order F
tgather packed.npz:a at.npy --axis 1
tgather packed.npz:u places.npy --axis 0
tscatter a.npy rows.npy updates.npy
tscatter f.npy rows.npy updates.npy
tscatter a.npy pairs.npy singles.npy
tscatter a.npy bad.npy updates.npy --bad-indices skip
tscatter long.npy longs.npy long_updates.npy
tscatter a.npy rows.npy updates.npy --order F
tscatter f.npy rows.npy updates.npy --order C
tscatter turned.npy rows.npy updates.npy
tscatter a.npy few_places.npy singles.npy
tscatter packed.npz:a pairs.npy singles.npy
tscatter --shape 301,517 rows.npy updates.npy
tscatter --shape 301,517 few_places.npy singles.npy --order F
tscatter --shape 3,70000 one_of_three.npy wide_updates.npy
tscatter a.npy no_places.npy no_updates.npy
tsetdiag a.npy diagonal.npy
tsetdiag f.npy diagonal.npy
tsetdiag a.npy band.npy -k -2:3
tsetdiag a.npy band.npy -k -2:3 --order F
tgetdiag a.npy -k -200:250
tgetdiag t.npy -k -5:30 --padding 9 --align LEFT_RIGHT
tgetdiag f.npy -k -100:100 --order F
tcat a.npy f.npy turned.npy
tcat --axis 1 a.npy f.npy a.npy
tcat --new-axis -1 a.npy turned.npy a.npy
tcat --order F a.npy f.npy
tcat --axis 1 packed.npz:a a.npy
tslice w.npy ::-1,1: --field a
tslice wf.npy :,::-2 --field b
tslice w.npy --byte-order big
tslice packed.npz:w 3: --field c --byte-order little
tgather w.npy rows.npy --field a
tgather wf.npy pairs.npy --field b --byte-order big
tgather w.npy at.npy --axis 1 --field b
tgather wf.npy places.npy --axis 0 --field a
tgather a.npy rows.npy --byte-order big
tgather a.npy at.npy --axis 1 --byte-order big
tassign w.npy ::3,::-2 column.npy --field a
tassign wf.npy 5:250,1:9 --value 7 --field b --byte-order big
tscatter w.npy rows.npy updates.npy --field a
tscatter wf.npy pairs.npy singles.npy --field a
tscatter w.npy rows.npy updates.npy --field a --byte-order big
tsetdiag w.npy diagonal.npy --field a
tsetdiag wf.npy band.npy -k -2:3 --field a
tgetdiag w.npy -k -100:100 --field c --byte-order little
tcat w.npy wf.npy --field a --byte-order big
tcat --axis 1 w.npy wf.npy --field b
""".strip().splitlines()


def make_inputs(top, seed):
    made = arrays(np.random.default_rng(seed))
    for name, array in made.items():
        np.save(os.path.join(top, name), array)
    np.savez(os.path.join(top, "all"), **{"a": made["a"]})
    np.savez_compressed(os.path.join(top, "packed"), a=made["a"], u=made["u"],
                        w=made["w"])


def draw_options(rng):
    """What changes how a result is made, but not what it is."""
    options = ["-j", str(rng.choice([1, 1, 2, 3]))]
    if rng.random() < 0.3:
        options += ["--max-memory", "1M"]
    return options


def in_parts(args, out, count, rng, cwd):
    """The statuses and the like of all parts that went wrong."""
    problems = []
    numbers = list(range(1, count + 1))
    rng.shuffle(numbers)
    for k in numbers:
        if os.path.exists(os.path.join(cwd, out)):
            problems.append(f"it is there before part {k} of {numbers}")
        ran = run([*args, *draw_options(rng), "-o", out,
                   "--part", f"{k}/{count}"], cwd)
        if ran.status or ran.out or ran.err:
            problems.append(str(ran))
    return problems


def in_a_team(launcher, args, out, count, rng, cwd):
    # Open MPI's launchers, several at once, remove each other's directories.
    with tempfile.TemporaryDirectory() as own:
        ran = run(["env", f"OMPI_MCA_orte_tmpdir_base={own}",
                   f"PRTE_MCA_prte_tmpdir_base={own}",
                   *shlex.split(launcher), "-n", str(count), *args,
                   *draw_options(rng), "-o", out], cwd, timeout=120)
    # Launchers and MPIs say on standard error what they like; ours has a name.
    ours = re.search(rb"^(t[a-z]+: |\{)", ran.err, re.MULTILINE)
    return [str(ran)] if ran.status or ran.out or ours else []


def check(item):
    """One command, made by one process and by several."""
    number, line, top, how, seed = item
    rng = random.Random(f"{seed}/{number}")
    args = shlex.split(line)
    count = rng.choice([2, 3, 4] if how == "parts" else [2, 3])
    want, got = f"want{number}.npy", f"got{number}.npy"
    alone = run([*args, "-o", want], top)
    if alone.status or alone.err:
        return line, [f"alone: {alone}"]
    problems = (in_parts(args, got, count, rng, top) if how == "parts" else
                in_a_team(how, args, got, count, rng, top))
    if not os.path.exists(os.path.join(top, got)):
        problems.append(f"there is no result of {count}")
    elif (read_bytes(os.path.join(top, got))
          != read_bytes(os.path.join(top, want))):
        problems.append(f"{count} made other bytes than one, seed {seed}")
    return line, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--by", default="parts")
    parser.add_argument("--some", default="0/3" if SAN else "0/1",
                        help="every so many of the commands")
    parser.add_argument("--seed", type=int,
                        default=os.environ.get("TSLICE_SEED") or
                        random.SystemRandom().randrange(10**9))
    args = parser.parse_args()
    tap = Tap()
    tap.note(f"seed {args.seed}")
    with Workshop() as workshop:
        make_inputs(workshop.top, int(args.seed))
        inputs = set(os.listdir(workshop.top))
        first, step = map(int, args.some.split("/"))
        some = COMMANDS[first::step]
        in_parallel(tap, check, [(i, line, workshop.top, args.by, args.seed)
                                 for i, line in enumerate(some)])
        left = [n for n in os.listdir(workshop.top) if n not in inputs
                and not n.startswith(("want", "got"))
                or n.endswith(".parts")]
        tap.result("nothing is left behind", left)
    tap.done()


if __name__ == "__main__":
    main()
