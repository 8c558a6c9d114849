"""Runs a pipeline, and says how much memory each command of it held at most.

usage: peak.py MIB[,OWN] COMMAND [ARGUMENT...] ['|' COMMAND [ARGUMENT...]]...

Standard input is the first command's, standard output the last one's.  Fails if
a command fails, or if one held more than so many MiB.  (What is measured is
never less than this program's own memory, some 10 MiB.)

No command gets more than OWN MiB of memory of its own, as MIB where it is not
said: pages of files that are mapped are none.
"""
import os
import resource
import subprocess
import sys


def stages(words):
    """The commands that stand between the bars."""
    found = [[]]
    for word in words:
        if word == "|":
            found.append([])
        else:
            found[-1].append(word)
    return found


def start(commands, own):
    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (own << 20, own << 20))

    started, source = [], None
    for i, command in enumerate(commands):
        last = i == len(commands) - 1
        p = subprocess.Popen(command, stdin=source, preexec_fn=limit,
                             stdout=None if last else subprocess.PIPE)
        if source:
            source.close()
        source = p.stdout
        started.append(p)
    return started


def main():
    limits, commands = sys.argv[1].split(","), stages(sys.argv[2:])
    limit, own = int(limits[0]), int(limits[-1])
    bad = 0
    for p in start(commands, own):
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        mib = usage.ru_maxrss / 1024
        bad += p.returncode != 0 or mib >= limit
        print(f"{mib:.1f} MiB, status {p.returncode}: {' '.join(p.args)}",
              file=sys.stderr)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
