"""What was measured, on what: without it a time says nothing."""
import datetime
import os
import platform
import subprocess

import numpy as np


def first_line(*words):
    """Of what a command prints, on either stream; None if it cannot."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, check=False)
    except OSError:
        return None
    if done.returncode != 0 or not done.stdout:
        return None
    return done.stdout.splitlines()[0].partition(" built by ")[0]


def field(path, key):
    """The value after 'key:' in a file of /proc."""
    with open(path) as f:
        for line in f:
            name, _, value = line.partition(":")
            if name.strip() == key:
                return value.strip()
    return None


def huge_pages():
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as f:
            return f.read().partition("[")[2].partition("]")[0]
    except OSError:
        return None


def file_system(directory):
    done = subprocess.run(["df", "--output=fstype", directory],
                          stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()[-1]


def facts(directory):
    return {
        "date": datetime.datetime.now(datetime.timezone.utc)
                        .isoformat(timespec="seconds"),
        "cpu": field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": field("/proc/meminfo", "MemTotal"),
        "huge pages": huge_pages(),
        "kernel": " ".join(platform.uname()[i] for i in (0, 2)),
        "file system": file_system(directory),
        "load": os.getloadavg()[0],
        "tslice": first_line("tslice", "-V"),
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "coreutils": first_line("cp", "--version"),
        "bart": first_line("bart", "version"),
        "nco": first_line("ncks", "--version"),
        "variables": {k: v for k, v in os.environ.items()
                      if k.startswith(("TSLICE_", "OMP_", "BENCH_"))},
    }
