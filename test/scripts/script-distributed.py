#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""A job gives the same results on any number of processes, to the picosecond and the byte.

script-distributed.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

BUILD_DIR is a build folder, or an ns-3 tree that has the module (./rails in-tree --mpi). Each line of JOBS is run without
mpirun, then on 1, 2, 4 and 8 processes; what is written must be equal but for the command line. Where ns-3 has no MPI, the
program must say so, with the remedy, and simulate everything in its one process.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SECONDS = 900 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
NAME = "distributed-rails"

# a model with so few parameters that packet events take a second: TINY is in the folder of each run
TINY = {
    "name": "tiny", "layers": 4, "hidden": 1024, "heads": 16, "key_heads": 16, "head_size": 64,
    "feed_forward": 4096, "vocabulary": 1024,
}
SMALL = "--model=tiny.json --layers=4 --sequence=64 --reconfiguration=100us"
# 8 rails, so that each of 8 processes has one; 4, which 3 processes share unevenly
WIDE = f"--rails=8 {SMALL}"
NARROW = f"--rails=4 {SMALL}"
# 8 servers with 2 ports on each rail, and leaves with 4 ports down and 4 up: 4 leaves, whose fibers are long, so that
# windows are too; each flow has one of 4 paths up
def leaves(more="", layers=1, dp=8, pp=1, iterations=1, radix=8, fiber="5us"):
    """A job whose rails are cut between their switches."""
    return (f"--model=tiny.json --layers={layers} --sequence=64 --rails=2 --dp={dp} --pp={pp} --iterations={iterations}"
            f" --cut=switches --switch-radix={radix} --fiber-delay={fiber} {more}").rstrip()


JOBS = [
    *(
        (f"{WIDE} --policy={policy} --fidelity={fidelity} --iterations={iterations}", (1, 2, 4, 8))
        for policy in ("electrical", "on-demand", "provisioned")
        for fidelity, iterations in (("events", 2), ("trains", 3))
    ),
    (f"{NARROW} --policy=provisioned --management-loss=0.02", (2, 4)),
    (f"{NARROW} --policy=on-demand --management-loss=0.05 --fidelity=events", (2,)),
    (f"{NARROW} --policy=provisioned --cut-at=1ms --cut-for=1ms", (2, 4)),
    (f"{NARROW} --policy=on-demand --cut-at=500us --cut-for=3ms --fidelity=events", (3,)),
    (f"{NARROW} --policy=electrical --engine=null-messages", (2, 4)),
    (f"{NARROW} --policy=provisioned --engine=null-messages", (2, 3)),
    (f"{NARROW} --policy=provisioned --dp=4 --pp=1 --iterations=3", (3,)),
    # groups of several rails, whose messages GPUs forward for others of their server
    *((f"{NARROW} --policy={policy} --tp=2 --dp=4 --iterations=3", (2, 3, 4)) for policy in ("electrical", "provisioned")),
    # cut between switches
    (leaves(), (1, 2, 3, 4)),
    (leaves("--fidelity=events"), (2,)),
    (leaves(layers=2, dp=4, pp=2, iterations=2), (2, 4)),
    (leaves("--tp=1", dp=16), (4,)),  # groups of several rails
    (leaves("--engine=null-messages", dp=4, radix=4, fiber="20us"), (2, 4)),
]
# what congestion must be there: flows that meet on a path up or down fill queues of switches on both sides of the cut
CONGESTED = [
    (leaves(layers=2), "marks", (2, 4)),
    (leaves("--congestion=dcqcn", layers=2), "marks", (2, 4)),
    (leaves("--congestion=dcqcn --buffer=1300000"), "pauses", (2, 4)),
    # 7 GPUs of 4 leaves write to one at once
    (leaves("--congestion=dcqcn --incast=1000000"), "marks", (1, 2, 4)),
    (leaves("--congestion=dcqcn --incast=1000000 --buffer=1300000"), "pauses", (1, 2, 4)),
]

# what Open MPI needs as root, in a container, and with more processes than cores
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}

failures = 0


def check(what, holds, why=""):
    """One line; counts failures."""
    global failures
    failures += not holds
    print(f"{'ok  ' if holds else 'FAIL'} {what}{'' if holds else ': ' + why}", flush=True)


def find_program():
    """The built example, standalone or in an ns-3 tree."""
    for pattern in (f"examples/{NAME}", f"build/contrib/photonic-rails/examples/*{NAME}*"):
        found = [path for path in BUILD.glob(pattern) if path.is_file() and os.access(path, os.X_OK)]
        if found:
            return found[0]
    sys.exit(f"{BUILD}: there is no {NAME}; build it first")


def run(arguments, processes=None):
    """Exit code, stdout, stderr, and the results without the command line, of a run in a folder of its own."""
    return run_all([(processes, arguments, "")])


def run_all(programs):
    """The same for some processes each with a number, options, and what their shell does before."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "tiny.json").write_text(json.dumps(TINY))
        command = []
        for processes, arguments, before in programs:
            if processes is not None:
                command += ["mpirun" if not command else ":", "-np", str(processes)]
            program = [str(find_program()), *shlex.split(arguments), "--json=results.json"]
            command += ["sh", "-c", f"{before}exec {shlex.join(program)}"] if before else program
        libraries = f"{BUILD / 'build' / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        done = subprocess.run(
            command, cwd=folder, env={**ENVIRONMENT, "LD_LIBRARY_PATH": libraries},
            capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL,
        )
        file = pathlib.Path(folder) / "results.json"
        left = sorted(path.name for path in pathlib.Path(folder).iterdir())
        return done.returncode, done.stdout, done.stderr, file.read_text() if file.exists() else "", left


def difference(one, other):
    """The first members that differ, in words."""
    try:
        left, right = json.loads(one), json.loads(other)
    except ValueError:
        return "no JSON"
    differ = [key for key in left if left[key] != right.get(key)]
    return "; ".join(f"{key}: {str(left[key])[:200]} and {str(right.get(key))[:200]}" for key in differ[:4]) or "other text"


def check_job(job, numbers):
    """A job on some numbers of processes."""
    code, _, errors, alone, _ = run(job)
    check(f"{job}: without mpirun", code == 0 and '"complete": true' in alone, errors)
    if code != 0:
        return
    for processes in numbers:
        code, out, errors, results, left = run(job, processes)
        words = "1 process simulates" if processes == 1 else f"{processes} processes simulate"
        check(f"{job}: {processes} processes", code == 0 and results == alone,
              errors if code != 0 else difference(alone, results))
        check("  process 0 alone prints and writes", out.count("simulate") == 1 and words in out and left == ["results.json", "tiny.json"],
              f"{out} {left}")


def check_congested(job, member, numbers):
    """The same for a job whose switches mark frames or pause each other."""
    _, _, _, alone, _ = run(job)
    check(f"{job}: there are {member}", alone != "" and json.loads(alone)[member] > 0, alone[:200])
    check_job(job, numbers)


def check_line(what, expected, code, start, words):
    """A command of several programs ends with one line of one of them, with an exit code, and leaves no file."""
    got, _, errors, _, left = run_all(start)
    # reports of progress are "program: 10 s ..."
    lines = [line for line in errors.splitlines() if line.startswith(f"{NAME}: ") and not re.match(rf"{NAME}: \d+ s\b", line)]
    codes = code if isinstance(code, tuple) else (code,)  # 2 if it has not begun yet
    check(what, got in codes and len(lines) == 1 and lines[0].startswith(f"{NAME}: {expected}") and words in lines[0] and left == ["tiny.json"],
          f"{got} {lines} {left}")


def check_mistakes(processes):
    """A mistake that all processes find is reported once."""
    for what, arguments, words in (
        ("a policy that is not there", "--rails=4 --policy=rotor", "rotor"),
        ("several runs", "--rails=4 --runs=2", "mpirun"),
        ("more processes than rails", "--rails=1", f"{processes} processes, and there are 1 rail"),
        ("a model that is not there", "--rails=4 --model=no-such", "no-such"),
        ("a folder that is not there", f"{NARROW} --csv=none/results.csv", "none"),
        ("an engine that is not there", "--rails=4 --engine=none", "none"),
        ("a cut of rails of one switch", "--rails=4 --cut=switches", "one switch"),
        ("a cut of a rail of circuits", leaves("--policy=provisioned"), "between switches is of electrical rails"),
        ("a leaf with a part of a GPU", leaves(radix=6), "a radix of a multiple of 4"),
        ("a memory without room for pauses", leaves("--buffer=900000"), "BufferSize"),
        ("fibers without a delay", leaves(fiber="0s"), "its Delay of 0 ps"),
    ):
        # that of a memory is found by all when the simulation begins, and by one of them first
        code = 1 if "memory" in what else 2
        check_line(f"{what}: {processes} processes", "", code, [(processes, arguments, "")], words)


def check_errors():
    """A mistake or an error of one process is a line with its number, and ends the others."""
    other = f"{NARROW} --policy=rotor"
    check_line("a mistake of process 1 of 2", "process 1: ", 2, [(1, NARROW, ""), (1, other, "")], "rotor")
    check_line("a mistake of process 0 of 2", "--policy", 2, [(1, other, ""), (1, NARROW, "")], "rotor")
    check_line("mistakes of processes 1 and 3 of 4", "process 1: ", 2,
               [(1, NARROW, ""), (1, other, ""), (1, NARROW, ""), (1, other, "")], "rotor")
    # its ranks begin an iteration that the others do not: they wait for messages that no rank sends
    more = f"{NARROW} --iterations=3"
    check_line("an error of process 1 of 2", "process 1: ", 1, [(1, NARROW, ""), (1, more, "")], "StallLimit")
    check_line("an error of process 3 of 4", "process 3: ", 1, [(3, NARROW, ""), (1, more, "")], "StallLimit")
    check_line("an error of process 0 of 2", "CollectiveApplication", 1, [(1, more, ""), (1, NARROW, "")], "StallLimit")
    long = f"{NARROW} --fidelity=events --iterations=1000"
    check_line("a signal in process 1 of 2", "process 1: ", (1, 2), [(1, long, ""), (1, long, "ulimit -S -t 1; ")], "ulimit")


def main():
    code, out, errors, _, _ = run(WIDE)
    if "no MPI" in out:
        check("without MPI one process simulates all", code == 0 and "./rails in-tree --mpi" in out, out + errors)
        return
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun")
        sys.exit(77)
    check("one process says how to start several", code == 0 and "mpirun -np" in out, out + errors)
    for job, numbers in JOBS:
        check_job(job, numbers)
    for job, member, numbers in CONGESTED:
        check_congested(job, member, numbers)
    for processes in (2, 4):
        check_mistakes(processes)
    check_line("more processes than leaves", "5 processes, and a rail has 4 leaf switches", 2, [(5, leaves(), "")], "start 4")
    check_errors()


main()
print(f"{failures} failed" if failures else "results are those of one process")
sys.exit(1 if failures else 0)
