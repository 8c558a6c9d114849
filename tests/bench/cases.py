"""What is timed, against whom, and how much faster it should be.

A case is a command of ours and its peers.  Commands are lists of words:

    @NAME   an input, see inputs.py
    far:@NAME   the same as a URL, see far.py
    {o}     the output without a suffix, in a directory that is emptied first
    {d}     that directory
    {r}     our result, made beforehand: what cp copies; {rd}, its directory

Python peers are pieces of code, with a, b and c for the inputs, mapped, and o
for the output's name; what they write in place they map themselves.  A goal is
(floor, goal), as ratios of the peer's time to ours; the floor is what has to
hold on a quiet machine.  A goal of "numpy-best" is against the fastest of the
peers in NUMPY.
"""
import importlib.util
import os
import sys
from dataclasses import dataclass, field

FAR = "far:"
F4 = "@f4-512x1024x1024.npy"
F4_64 = "@f4-64x1024x1024.npy"
U1 = "@u1-512x1024x4096.npy"
C16 = "@c16-512x1024x256.npy"
N4 = "@f4-134217728x4.npy"
RGB = "@u1-89478485x3.npy"
SMALL = "@f4-992.npy"
MANY = "@200xf4-8x124"
FOLDER = "@10000xf4-8x124"
C8 = "c8-32x1024x1024"
C8_MATRIX = "c8-8192x4096"
NC = "@f4-64x1024x1024.nc"

# numpy: by one who knows NumPy well.  typed: what is typed; NumPy then writes
# a view that is not contiguous element by element.
SLICE = {
    "numpy": "np.save(o, np.ascontiguousarray(a[{spec}]))",
    "memmap": "v = a[{spec}]\n"
              "m = np.lib.format.open_memmap(o, 'w+', v.dtype, shape=v.shape)\n"
              "m[...] = v",
    "typed": "np.save(o, a[{spec}])",
}
NUMPY = list(SLICE)
GATHER = {
    "numpy": "np.save(o, a[tuple(b.T)])",
    "take": "np.save(o, np.take(a, b[:, 0], axis=0))",
}
SETDIAG = {
    "numpy": "r = a.copy(); i = np.arange(r.shape[-1])\n"
             "r[:, i, i] = b; np.save(o, r)",
}
GETDIAG = {
    "numpy": "np.save(o, np.ascontiguousarray(\n"
             "    np.diagonal(a, axis1=-2, axis2=-1)))",
}
CAT = {
    "numpy": "np.save(o, {call}))",
    "memmap": "m = np.lib.format.open_memmap(o, 'w+', a[0].dtype, {shape})\n"
              "{call}, out=m)",
}
COPY = "r = a.copy(); r[{index}] = {values}; np.save(o, r)"
IN_PLACE = ("m = np.lib.format.open_memmap(sys.argv[2], 'r+')\n"
            "m[{index}] = {values}")
CP = ["cp", "{r}.npy", "{o}.npy"]


@dataclass
class Peer:
    words: list
    package: str = ""       # Debian's, to be named where the program is missing
    scale: int = 1          # the time is of 1/scale of the work


@dataclass
class Case:
    name: str
    ours: list
    peers: dict                 # who: Peer
    goals: dict = field(default_factory=dict)   # who: (floor, goal)
    note: str = ""
    result: list = None         # makes {r}, where 'ours' makes no file
    cold: bool = False          # inputs are put out of the page cache
    short: bool = False         # takes milliseconds: more rounds, less warming
    needs: list = None          # a command that must succeed, or it is skipped
    written: str = None         # the input that is written in place


def python(code, *inputs):
    loads = "".join(f"{n} = np.load(sys.argv[{i + 2}], mmap_mode='r')\n"
                    for i, n in enumerate("abc"[:len(inputs)]))
    return Peer([sys.executable, "-c",
                 "import numpy as np, sys\no = sys.argv[1]\n" + loads + code,
                 "{o}.npy", *inputs])


def shell(script, *words):
    return ["bash", "-o", "pipefail", "-c", script, *words]


def slices(name, source, spec, peers, goals=None, order=(), **others):
    """tslice, against cp and pieces of SLICE; 'others' are Peers by name."""
    made = {}
    for who in peers.split():
        code = SLICE.get(who, "").replace("{spec}", spec[1:-1])
        made[who] = Peer(CP) if who == "cp" else python(code, source)
    note = others.pop("note", "")
    cold = others.pop("cold", False)
    return Case(name, ["tslice", source, spec, *order, "-o", "{o}.npy"],
                made | others, goals or {}, note, cold=cold)


def transposes():
    """256 MiB from Fortran's order to C's, which reverses all axes; and back.

    Of three axes the one that stays in its place is the one in the middle:
    transpose-021 is what a.transpose(0, 2, 1) asks for, 64 planes, each of
    which is transposed.
    """
    goals = {"cp": (1.0, 1.5), "numpy-best": (4, 10)}
    for name, source, order in [
            ("", "f4-8192x8192-fortran", "C"),
            ("-u1", "u1-16384x16384-fortran", "C"),
            ("-f8", "f8-8192x4096-fortran", "C"),
            ("-c16", "c16-4096x4096-fortran", "C"),
            ("-021", "f4-1024x64x1024-fortran", "C"),
            ("-210", "f4-64x1024x1024-fortran", "C"),
            ("-012", "f4-64x1024x1024", "F"),
            ("-odd", "f4-63x1031x1033-fortran", "C")]:
        yield slices("transpose" + name, f"@{source}.npy", "[...]",
                     "cp numpy memmap" if order == "C" else "cp", goals,
                     order=["--order", order])


def permutes(name, source, axes, goals=None):
    """tslice --axes, in C order whatever NumPy would choose."""
    made = {who: python(SLICE[who].replace("a[{spec}]", f"a.transpose({axes})"),
                        source) for who in ("numpy", "memmap")}
    return Case(name, ["tslice", source, "--axes", axes, "--order", "C",
                       "-o", "{o}.npy"], {"cp": Peer(CP)} | made,
                goals or {"cp": (None, 0.67), "numpy-best": (2, 4)})


def permute_cases():
    """Pixels to planes, and back; and four axes."""
    for dtype in ("u1", "f4"):
        yield permutes(f"planes-{dtype}", f"@{dtype}-256x512x512x3.npy",
                       "0,3,1,2")
        yield permutes(f"pixels-{dtype}", f"@{dtype}-256x3x512x512.npy",
                       "0,2,3,1")
        large = f"@{dtype}-64x128x128x" + {"u1": "256", "f4": "64"}[dtype]
        yield permutes(f"axes-0213-{dtype}", large + ".npy", "0,2,1,3")
        yield permutes(f"axes-3012-{dtype}", large + ".npy", "3,0,1,2",
                       {"cp": (1.0, 1.5), "numpy-best": (2, 4)})


def gathers(name, table, indices, goals=None):
    words = ["tgather", table, indices, "-o", "{o}.npy"]
    peers = {who: python(code, table, indices) for who, code in GATHER.items()}
    return Case(name, words, {"cp": Peer(CP)} | peers, goals or {})


def takes(name, source, axis, indices, goals=None):
    """tgather --axis; indices are a list, or a file of them."""
    given = [indices] if indices.startswith("@") else ["--indices", indices]
    words = ["tgather", source, *given, "--axis", str(axis), "-o", "{o}.npy"]
    inputs = [source, *(w for w in given if w.startswith("@"))]
    named = "b" if len(inputs) > 1 else f"[{indices}]"
    at = ":, " * axis + named
    peers = {"numpy": python(f"np.save(o, np.take(a, {named}, axis={axis}))",
                             *inputs),
             "index": python(f"np.save(o, np.ascontiguousarray(a[{at}]))",
                             *inputs)}
    return Case(name, words, {"cp": Peer(CP)} | peers, goals or {})


def masks(name, source, mask, goals=None):
    """tgather with a mask, of elements or of rows."""
    peers = {"numpy": python("np.save(o, a[b])", source, mask),
             "compress": python("np.save(o, np.compress(b, a, 0))", source,
                                mask)}
    return Case(name, ["tgather", source, mask, "-o", "{o}.npy"],
                {"cp": Peer(CP)} | peers, goals or {})


def mask_cases():
    """256 MiB, of elements and of rows of 256 bytes."""
    goals = {"numpy": (2, 4)}
    for percent in (1, 50, 99):
        yield masks(f"mask-{percent}", table("67108864"),
                    f"@mask-67108864-{percent}.npy",
                    goals if percent < 99 else
                    {"cp": (0.5, 1.0), "numpy": (1.2, 4)})
    for percent in (1, 50, 99):
        yield masks(f"mask-rows-{percent}", table("1048576x64"),
                    f"@mask-1048576-{percent}.npy",
                    {"numpy": (1.5, 4)})


def setdiags(name, matrices, diagonals, goals=None):
    words = ["tsetdiag", matrices, diagonals, "-o", "{o}.npy"]
    peers = {"cp": Peer(CP),
             "numpy": python(SETDIAG["numpy"], matrices, diagonals)}
    return Case(name, words, peers, goals or {})


def getdiags(name, matrices):
    return Case(name, ["tgetdiag", matrices, "-o", "{o}.npy"],
                {"cp": Peer(CP), "numpy": python(GETDIAG["numpy"], matrices)})


def cats(name, folder, call, how, shape, goals):
    """tcat of the files in a folder; 'call' is NumPy's, less its last ')'."""
    script = 'tcat "${@:3}" "$1"/*.npy -o "$2.npy"'
    made = {"cp": Peer(CP)}
    for who, code in CAT.items():
        code = ("import glob, numpy as np, sys\n"
                "a = [np.load(f, mmap_mode='r') for f in\n"
                "     sorted(glob.glob(sys.argv[1] + '/*.npy'))]\n"
                "o = sys.argv[2]\n" + code.format(call=call, shape=shape))
        made[who] = Peer([sys.executable, "-c", code, folder, "{o}.npy"])
    return Case(name, shell(script, "tcat", folder, "{o}", *how), made, goals)


def cat_cases():
    eight, planes = "@8xf4-8192x8192", "@3xu1-8192x8192"
    goals = {"cp": (0.6, 1.0), "numpy-best": (2, 4)}
    yield cats("cat-rows", eight, "np.concatenate(a", ["--axis", "0"],
               "shape=(65536, 8192)", goals)
    yield cats("cat-columns", eight, "np.concatenate(a, 1", ["--axis", "1"],
               "shape=(8192, 65536)", goals | {"cp": (0.5, 0.67)})
    yield cats("cat-pixels", planes, "np.stack(a, -1", ["--new-axis", "-1"],
               "shape=(8192, 8192, 3)", goals | {"cp": (0.5, 0.67)})
    # The same file again and again: these want one of their own kind.
    yield Case("bart-join",
               ["tcat", *[f"@{C8}.npy"] * 8, "-o", "{o}.npy"],
               {"cp": Peer(CP),
                "bart": Peer(["bart", "join", "2", *["@" + C8] * 8, "{o}"],
                             "bart")}, {"bart": (1.3, 2)})
    yield Case("ncecat",
               ["tcat", "--new-axis", "0", *[F4_64] * 4, "-o", "{o}.npy"],
               {"cp": Peer(CP),
                "ncecat": Peer(["ncecat", "-O", "-6", *[NC] * 4, "{o}.nc"],
                               "nco")}, {"ncecat": (2, 4)})


def both_ways(name, words, index, values, goals, in_place_goals):
    """A command on words[1:], the first of which is changed: a new file, as
    NumPy makes it from a copy, and in place, as through a mapping."""
    command, first, *others = words
    inputs = [w for w in others if w.startswith("@")]
    copy, mapped = (code.format(index=index, values=values)
                    for code in (COPY, IN_PLACE))
    yield Case(name, [*words, "-o", "{o}.npy"],
               {"cp": Peer(CP), "numpy": python(copy, first, *inputs)}, goals,
               "on a file system that clones files a clone is patched")
    own = first.replace(".npy", "-own.npy")
    yield Case(name + "-here", [command, "--in-place", own, *others],
               {"memmap": python(mapped, own, *inputs)}, in_place_goals,
               "in place", written=own)


def bart(*words, source=C8):
    return Peer(["bart", *words, "@" + source, "{o}"], "bart")


def nco(*words):
    return Peer([words[0], "-O", *words[1:], NC, "{o}.nc"], "nco")


def many(name, spec):
    """200 files of 4 KiB, a process for each, against Python in two manners."""
    each = shell('for f in "$0"/*.npy; do '
                 f'tslice "$f" "{spec}" -o "$1/${{f##*/}}" || exit; done',
                 MANY, "{d}")
    code = ("import numpy as np, sys\n"
            "a = np.load(sys.argv[1], mmap_mode='r')\n"
            f"np.save(sys.argv[2], a{spec})")
    started = shell('for f in "$0"/0[01]?.npy; do '
                    '"$2" -c "$3" "$f" "$1/${f##*/}" || exit; done',
                    MANY, "{d}", sys.executable, code)
    once = ("import glob, os, numpy as np, sys\n"
            "for f in glob.glob(sys.argv[1] + '/*.npy'):\n"
            f"    a = np.load(f, mmap_mode='r'){spec}\n"
            "    np.save(os.path.join(sys.argv[2], os.path.basename(f)), a)")
    copies = shell('for f in "$0"/*.npy; do '
                   'cp "$f" "$1/${f##*/}" || exit; done', "{rd}", "{d}")
    return Case(name, each,
                {"python": Peer(started, scale=10),
                 "one-python": Peer([sys.executable, "-c", once, MANY, "{d}"]),
                 "cp": Peer(copies)},
                {"python": (50, 150)},
                "200 files; python: started for each, timed for 20 and "
                "multiplied; one-python: one process for all")


def many_at_once():
    """10,000 files of 4 KiB in one run, wherever the bench lies: on tmpfs, and
    on a disk."""
    spec = "[::-1]"
    names = 'find "$0" -name "*.npy" -print0 | '
    ours = shell(names + f'tslice --files0-from - "{spec}" -t "$1"',
                 FOLDER, "{d}")
    once = ("import glob, os, numpy as np, sys\n"
            "for f in glob.iglob(sys.argv[1] + '/*[05].npy'):\n"
            f"    a = np.load(f, mmap_mode='r'){spec}\n"
            "    np.save(os.path.join(sys.argv[2], os.path.basename(f)), a)")
    each = shell('find "$0" -name "*00.npy" -print0 | xargs -0 -P2 -I {} '
                 f"""sh -c 'tslice "$1" "{spec}" -o "$2/${{1##*/}}"' sh {{}} """
                 '"$1"', FOLDER, "{d}")
    return Case("many-at-once", ours,
                {"one-python": Peer([sys.executable, "-c", once, FOLDER,
                                     "{d}"], scale=5),
                 "xargs": Peer(each, scale=100),
                 "cp": Peer(shell(names + 'xargs -0 cp -t "$1"', "{rd}",
                                  "{d}"))},
                {"one-python": (3, 5), "xargs": (10, 20), "cp": (0.7, 1.0)},
                "10,000 files; one-python: maps each, timed for a fifth of "
                "them; xargs: -P2, a process for each, timed for 1 in 100")


def start_up():
    return Case("start-up", ["tslice", SMALL, "[::2]", "-o", "{o}.npy"],
                {"import": Peer([sys.executable, "-c", "import numpy"]),
                 "true": Peer(["true"]), "cp": Peer(CP)},
                {"import": (50, 150)}, short=True,
                note="true: what a process costs at all")


def pipe():
    return Case("pipe",
                shell('tslice "$0" "[64:128]" | cat >/dev/null', F4),
                {"cat": Peer(shell('cat "$0" | cat >/dev/null', "{r}.npy"))},
                {"cat": (1.0, 2.0)},
                result=["tslice", F4, "[64:128]", "-o", "{o}.npy"])


def pipe_in():
    return Case("pipe-in",
                shell('cat "$0" | tslice - "[:, ::2, 1:]" >/dev/null', F4_64),
                {"cat": Peer(shell('cat "$0" | cat >/dev/null', F4_64))})


def table(shape, how=""):
    return f"@f4-{shape}{how}.npy"


def rows(count, total, order="random"):
    return f"@index-{count}-of-{total}-{order}.npy"


def members():
    """A member of an archive against the bare file, and against NumPy, which
    reads, and inflates, all of it."""
    stored, packed = (F4_64.replace(".npy", end)
                      for end in (".npz", "-packed.npz"))
    for name, archive, spec, goals in [
            ("npz-part", stored, "[:, ::2, 1:]", {"bare": (0.9, 1.0)}),
            ("npz-whole", stored, "[...]", {"bare": (0.6, 0.9),
                                            "numpy": (1.5, 3)}),
            ("npz-packed", packed, "[...]", {"numpy": (1.5, 2.5)}),
            ("npz-packed-part", packed, "[:, ::2, 1:]",
             {"numpy": (1.0, 1.5)})]:
        ours = ["tslice", archive, spec, "-o", "{o}.npy"]
        code = f"np.save(o, np.ascontiguousarray(a['a']{spec}))"
        peers = {"numpy": python(code, archive)}
        if archive == stored:
            peers["bare"] = Peer(["tslice", F4_64, *ours[2:]])
        yield Case(name, ours, peers, goals,
                   "of 256 MiB; the CRC-32 of all of a stored member is "
                   "counted on its way" if name == "npz-whole" else "")


def written_members():
    """A member of a new archive: stored, against the bare file, and deflated,
    against NumPy, which has one thread for it."""
    for name, options, call, goals in [
            ("npz-write", [], "savez", {"numpy": (1.5, 3), "bare": (None, 1)}),
            ("npz-deflate", ["--deflate"], "savez_compressed",
             {"numpy": (1.5, 3)})]:
        source = "@normal-f4-4194304x16.npy" if options else F4_64
        ours = ["tslice", source, *options, "-o", "{o}.npz:a"]
        peers = {"numpy": python(f"np.{call}(o + '.npz', a=a)", source)}
        if not options:
            peers["bare"] = Peer(["tslice", source, "-o", "{o}.npy"])
        yield Case(name, ours, peers, goals,
                   "" if options else "what is stored is read once more for "
                   "its CRC-32")


def texts():
    """Numbers as text: the shortest that read back the same, in both."""
    for dtype, shape in (("f4", "1048576x4"), ("f8", "524288x4"),
                         ("u1", "1048576x16")):
        source = f"@normal-{dtype}-{shape}.npy"
        code = "np.savetxt(o, a, '%s', delimiter=',')"
        yield Case(f"text-{dtype}",
                   ["tslice", source, "--print=csv", "-o", "{o}.npy"],
                   {"cp": Peer(CP), "savetxt": python(code, source)},
                   {"savetxt": (10, 30)},
                   "cp: of the text")


def from_text(code, source):
    return Peer([sys.executable, "-c", "import numpy as np, sys\n"
                 f"o, f = sys.argv[1:]\nnp.save(o, {code})", "{o}.npy",
                 source])


def parses():
    """Text to arrays: all digits of f8, and small integers."""
    peers = {
        "loadtxt": "np.loadtxt(f, {dtype})",
        "fromstring": "np.fromstring(open(f).read(), {dtype}, sep=' ')"
                      ".reshape(-1, {columns})",
    }
    if importlib.util.find_spec("pandas"):
        peers["pandas"] = ("__import__('pandas').read_csv(f, sep=' ', "
                           "header=None, dtype={dtype}).to_numpy()")
    for dtype, shape in (("f8", "524288x4"), ("u1", "1048576x16")):
        source = f"@normal-{dtype}-{shape}.txt"
        yield Case(f"parse-{dtype}",
                   ["tparse", source, "-d", dtype, "-o", "{o}.npy"],
                   {"cp": Peer(CP)}
                   | {who: from_text(code.format(dtype=f"'{dtype}'",
                                                 columns=shape.split("x")[1]),
                                     source) for who, code in peers.items()},
                   {"loadtxt": (7, 20)})


def gather_cases():
    """Indices in random order, then the same sorted; rows of four lengths."""
    kinds = [
        ("gather4", "536870912", 4 << 20,
         {"numpy": (1.5, 2.5), "take": (1.5, 2.2)}),
        ("gather64", "33554432x16", 4 << 20,
         {"numpy": (2, 6), "take": (2, 3.5), "cp": (None, 1.0)}),
        ("gather1k", "2097152x256", 256 << 10,
         {"numpy": (1.0, 2), "take": (1.5, 2.2)}),
        ("gather4k", "524288x1024", 64 << 10, {}),
    ]
    for name, shape, count, goals in kinds:
        total = shape.partition("x")[0]
        yield gathers(name, table(shape), rows(count, total), goals)
        yield gathers(name + "-sorted", table(shape),
                      rows(count, total, "sorted"))


def mapped_gathers():
    """The same from tables that were written through a mapping."""
    for name, shape, count in [("gather64", "33554432x16", 4 << 20),
                               ("gather1k", "2097152x256", 256 << 10)]:
        case = gathers(name + "-mapped", table(shape, "-mapped"),
                       rows(count, shape.partition("x")[0]),
                       {"take": (1.5, 2.5)})
        case.note = "of the table the page cache has small pages"
        yield case


def take_cases():
    """Columns of a table, and places along the second of three axes."""
    goals = {"cp": (0.5, 0.67), "numpy": (4, 6)}
    yield takes("take-columns", table("33554432x8"), 1, "5,1,6", goals)
    yield takes("take-places", table("8x2097152x16"), 1,
                rows(100000, 2097152, "random-flat"), goals)


def gather_limited():
    """Rows in random order from a table of four times the memory there is."""
    limited = [os.path.join(os.path.dirname(os.path.abspath(__file__)),
                            "limited"), str(256 << 20)]
    case = gathers("gather-limited", table("1048576x256"),
                   rows(2 << 10, "1048576"), {"numpy": (5, 10)})
    case.ours = limited + case.ours
    case.peers = {"numpy": case.peers["numpy"]}
    case.peers["numpy"].words = limited + case.peers["numpy"].words
    case.note = "a table of 1 GiB, not in the page cache, and 256 MiB of memory"
    case.cold = True
    case.needs = limited + ["true"]
    return case


def team_cases():
    """1 GiB by several processes, and by one that has as many threads."""
    words = [F4, "[:256,:,::-1]", "-o", "{o}.npy"]
    goals = {"whole": (0.91, 1.0)}
    for mpi in ("mpich", "openmpi"):
        launch = ["env", "OMPI_ALLOW_RUN_AS_ROOT=1",
                  "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                  "OMPI_MCA_rmaps_base_oversubscribe=1", f"mpirun.{mpi}"]
        small = ["tslice", "-j", "1", SMALL, "[0]", "-o", "{o}.small"]
        yield Case(f"team-{mpi}",
                   [*launch, "-n", "2", "tslice", "-j", "1", *words],
                   {"threads": Peer(["tslice", "-j", "2", *words]),
                    "one": Peer([*launch, "-n", "1", "tslice", "-j", "1",
                                 *words]),
                    "join": Peer([*launch, "-n", "2", *small]),
                    "launch": Peer([*launch, "-n", "2", "true"])},
                   {}, "two processes against two threads, and one process; "
                   "join: next to no work; launch: mpirun alone",
                   needs=[f"mpirun.{mpi}", "--version"])
    script = ('for k in 1 2 3 4 5 6 7 8; do '
              'tslice "$@" --part $k/8 || exit; done')
    yield Case("parts", shell(script, "parts", *words),
               {"whole": Peer(["tslice", *words])}, goals,
               "eight parts, one after the other")


def write_cases():
    """Parts of 2 GiB: 64 rows of 4 KiB, a column, 4 M rows of 64 bytes."""
    copied = {"cp": (0.9, 1.0)}
    yield from both_ways("put-rows", ["tassign", table("524288x1024"),
                                        "[1000:1064]", table("64x1024")],
                         "1000:1064", "b", copied, {"memmap": (None, 3)})
    yield from both_ways("put-column", ["tassign", table("524288x1024"),
                                          "[:,3]", table("524288")],
                         ":, 3", "b", copied, {"memmap": (None, 3)})
    for how in ("", "-mapped"):
        yield from both_ways("scatter64" + how,
                             ["tscatter", table("33554432x16", how),
                              rows(4 << 20, "33554432"), table("4194304x16")],
                             "b[:, 0]", "c", {}, {"memmap": (1.3, 2)})


def turns(name, source):
    """tslice --byte-order, of all of an array."""
    return Case(name, ["tslice", source, "--byte-order", "big",
                       "-o", "{o}.npy"],
                {"cp": Peer(CP),
                 "numpy": python("t = a.dtype.newbyteorder('>')\n"
                                 "np.save(o, a.astype(t))", source)},
                {"cp": (0.8, 1.0), "numpy": (2, 4)})


def field_cases():
    """Records of 16 bytes: the eight in their middle, read and written."""
    source = "@r16-33554432.npy"
    own = source.replace(".npy", "-own.npy")
    yield Case("field-read", ["tslice", source, "--field", "b",
                              "-o", "{o}.npy"],
               {"cp": Peer(CP),
                "numpy": python("np.save(o, np.ascontiguousarray(a['b']))",
                                source)}, {"numpy": (2, 3)})
    yield Case("field-put-here", ["tassign", "--in-place", own, "...",
                                  "--value", "1", "--field", "b"],
               {"memmap": python(IN_PLACE.format(index="'b'", values="1"),
                                 own)}, {"memmap": (None, 2)}, "in place",
               written=own)
    yield turns("turn-r16", source)


def far_ranges(name, source, spec, begin, step, count, nbytes, goals):
    """'count' runs of 'nbytes' far from each other, behind 20 ms: against one
    request for as many bytes, all of the file, and fsspec, which is told where
    they are."""
    code = ("import fsspec, numpy as np, sys\n"
            "fs, u = fsspec.core.url_to_fs(sys.argv[2])\n"
            f"at = range({begin}, {begin} + {step} * {count}, {step})\n"
            f"b = fs.cat_ranges([u] * {count}, at, [i + {nbytes} for i in at])"
            "\na = np.frombuffer(b''.join(b), 'f4')\n"
            f"np.save(sys.argv[1], a.reshape({count}, -1).squeeze())")
    whole = ["curl", "-s", "-o", "/dev/null"]
    return Case(name, ["tslice", "-j", "64" if count <= 64 else "16", source,
                       spec, "-o", "{o}.npy"],
                {"one": Peer([*whole, "-r", f"0-{count * nbytes - 1}", source],
                             "curl"),
                 "curl": Peer([*whole, source], "curl"),
                 "fsspec": Peer([sys.executable, "-c", code, "{o}.npy",
                                 source])},
                goals, "20 ms of latency; one: a request of as many bytes; "
                "curl: the whole file; fsspec has 100 connections")


def far_cases():
    """64 rows of 4 KiB of 2 GiB, and a column of 1,000 rows of 2 MiB."""
    yield far_ranges("far-rows", FAR + F4, "[::8,5]", 128 + 5 * 4096, 8 << 22,
                     64, 4096, {"one": (0.4, 0.6)})
    yield far_ranges("far-column", FAR + "@f4-1000x524288.npy", "[:,3]",
                     128 + 12, 1 << 21, 1000, 4, {})


def compares(name, source, copy, goals, options=(), **others):
    """tcmp of an array and what 'copy' makes of it: the same elements."""
    words = [source, "{r}.npy"]
    peers = {"numpy": python("assert np.array_equal(a, b)", *words)} | others
    return Case(name, ["tcmp", *options, *words], peers, goals,
                result=["tslice", source, *copy, "-o", "{o}.npy"])


def compare_cases():
    """1 GiB twice, byte for byte the same, and 256 MiB in both orders."""
    large, fortran = table("256x1024x1024"), "@f4-8192x8192-fortran.npy"
    cmp = Peer(["cmp", "-s", large, "{r}.npy"])
    turned = ["[...]", "--order", "C"]
    transpose = Peer(["tslice", fortran, *turned, "-o", "{o}.npy"])
    yield compares("compare", large, ["[...]"],
                   {"cmp": (1, 2), "numpy": (1, 2)}, cmp=cmp)
    yield compares("compare-1", large, ["[...]"], {"cmp": (0.77, 1.3)},
                   ["-j", "1"], cmp=cmp)
    yield compares("compare-orders", fortran, turned,
                   {"transpose": (0.5, 1.0), "numpy": (1.5, 3)},
                   transpose=transpose)


SLICES = "cp numpy memmap typed"
TYPED = {"typed": (8, 12)}

# Those with the same input stand together.
CASES = [
    start_up(),
    many("new-axis", "[None,3,...,None]"),
    many("scalar", "[3,5]"),
    many_at_once(),

    slices("copy", F4_64, "[...]", "cp numpy memmap", {"cp": (1.0, 1.7)}),
    pipe_in(),
    slices("ncks-box", F4_64, "[:,100:900,200:800]", "cp",
           {"ncks": (3, 6)},
           ncks=nco("ncks", "-d", "y,100,899", "-d", "x,200,799")),
    slices("ncks-stride", F4_64, "[...,::2]", "cp", {"ncks": (12, 24)},
           ncks=nco("ncks", "-d", "x,0,1023,2")),
    slices("ncpdq-reverse", F4_64, "[...,::-1]", "cp", {"ncpdq": (8, 18)},
           ncpdq=nco("ncpdq", "-a", "z,y,-x")),
    setdiags("setdiag-large", F4_64, "@f4-64x1024.npy",
             {"numpy": (1.5, 2.5)}),
    setdiags("setdiag-16", "@f4-262144x16x16.npy", "@f4-262144x16.npy",
             {"numpy": (1.5, 2.5)}),
    setdiags("setdiag-4", "@f4-4194304x4x4.npy", "@f4-4194304x4.npy"),

    *transposes(),
    *permute_cases(),

    slices("bart-flip", f"@{C8}.npy", "[...,::-1]", "cp", {"bart": (4, 7)},
           bart=bart("flip", "1")),
    slices("bart-extract", f"@{C8}.npy", "[:,100:900,200:800]", "cp",
           {"bart": (1.3, 2)},
           bart=bart("extract", "0", "200", "800", "1", "100", "900")),
    # Two dimensions, as slices cannot permute more; bytes as of the others.
    slices("bart-transpose", f"@{C8_MATRIX}.npy", "[...]", "cp",
           {"bart": (4, 7)}, order=["--order", "F"],
           bart=bart("transpose", "0", "1", source=C8_MATRIX),
           note="ours has --order F: the same bytes, the axes not exchanged"),

    slices("lead", F4, "[64:128]", "cp numpy memmap",
           {"cp": (1.0, 1.7), "numpy-best": (2, 3.5)}),
    slices("long-rows", F4, "[:256,256:512]", "cp numpy memmap",
           {"cp": (1.0, 1.7), "numpy-best": (2, 3.5)},
           note="rows of 1 MiB; these, lead, copy and cat-rows are shared "
                "with the input where the file system can, see BENCH_DISK"),
    slices("inner", F4, "[:128,100:900,200:800]", SLICES,
           {"cp": (1.0, 2.0), "numpy-best": (2, 4.5)} | TYPED),
    slices("rev", F4, "[:64,:,::-1]", SLICES,
           {"cp": (1.0, 2.2), "numpy-best": (2, 5)} | TYPED),
    slices("rev-1G", F4, "[:256,:,::-1]", "cp numpy memmap",
           note="1 GiB, for which the start of Python matters less"),
    slices("outer-rev", F4, "[63::-1]", SLICES,
           {"cp": (1.0, 1.6), "numpy-best": (2, 3)} | TYPED),
    slices("step2", F4, "[:128,:,::2]", SLICES,
           {"numpy-best": (1.8, 3.5)} | TYPED),
    # Little is written here, so that it matters little how NumPy does it.
    slices("step64", F4, "[:,:,::64]", SLICES, {"numpy-best": (1.4, 2.4)}),
    slices("column", F4, "[...,3]", SLICES, {"numpy-best": (1.5, 2.5)}),
    pipe(),
    slices("cold", F4, "[64:128]", "cp numpy", {"cp": (0.9, 1.0)}, cold=True,
           note="inputs, also that of cp, not in the page cache"),
    slices("cold-inner", F4, "[:128,100:900,200:800]", "memmap",
           {"memmap": (1, 2)}, cold=True),
    slices("cold-column", F4, "[...,3]", "memmap", {"memmap": (1, 2)},
           cold=True, note="all of the input has to be read"),
    slices("cold-picks", F4, "[:,::64,3]", "memmap", {"memmap": (1, 2)},
           cold=True, note="an element of every 256 KiB"),
    slices("rev-u1", U1, "[:64,:,::-1]", SLICES,
           {"numpy-best": (2, 4)} | TYPED),
    slices("step2-u1", U1, "[:128,:,::2]", SLICES,
           {"numpy-best": (1.8, 3)} | TYPED),
    slices("rev-c16", C16, "[:64,:,::-1]", SLICES,
           {"numpy-best": (1.8, 3)} | TYPED),
    slices("pick-n4", N4, "[:67108864,1]", SLICES,
           {"numpy-best": (1.5, 2.7)} | TYPED),
    slices("swap-n4", N4, "[:16777216,::-1]", SLICES,
           {"numpy-best": (2, 3.5)} | TYPED),
    slices("swap-rgb", RGB, "[:,::-1]", SLICES,
           {"numpy-best": (3, 6)} | TYPED),
    *members(),
    *written_members(),
    *texts(),
    *parses(),
    *gather_cases(),
    *mapped_gathers(),
    gather_limited(),
    *take_cases(),
    *mask_cases(),
    *team_cases(),
    getdiags("getdiag-large", F4_64),
    getdiags("getdiag-16", "@f4-262144x16x16.npy"),
    *write_cases(),
    turns("turn-f4", F4_64),
    turns("turn-f8", "@f8-32x1024x1024.npy"),
    *field_cases(),
    *cat_cases(),
    *compare_cases(),
    *far_cases(),
]

# Other names for a peer of a case.
ALIASES = {"inner-naive": "inner", "take-hard": "gather4"}
