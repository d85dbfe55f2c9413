#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""No example's results depend on the order of events of one instant, nor on ns-3's scheduler.

script-order.py SOURCE_DIR BUILD_DIR [--all]: one line a check; exit code 1 if one fails.

Each line of examples-to-run.py that writes JSON is run as it stands, and again in another way: with
the events of each instant shuffled (in packet events, or in trains), or under another scheduler.
One way for every second line, in turn; with --all, every way and line. Exit code and results must
be equal, but for the keys of comparable.MAY_DIFFER. Whole models have too many frames for events: those lines are run in trains only,
and without --all those whose frames take many seconds (short_runs.MANY_FRAMES), too.

Not HeapScheduler: when an event is removed from it, later events may run before earlier ones
(ns-3.35 to 3.48).
"""

import json
import os
import pathlib
import runpy
import shlex
import subprocess
import sys
import tempfile

from comparable import comparable
from short_runs import has_many_frames

SECONDS = 300 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run of an example

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
ALL = "--all" in sys.argv[3:]
SHUFFLER = BUILD / "libshuffled-simulator.so"


def shuffled(fidelity, salt):
    """A way to run: its name, options and environment."""
    return (
        f"{fidelity}, shuffled by {salt}",
        [f"--fidelity={fidelity}"],
        {
            "LD_PRELOAD": str(SHUFFLER),
            "NS_GLOBAL_VALUE": "SimulatorImplementationType=ns3::ShuffledSimulatorImpl",
            "NS_ATTRIBUTE_DEFAULT": f"ns3::ShuffledSimulatorImpl::Salt={salt}",
        },
    )


def scheduled(scheduler):
    """The same, under a scheduler of ns-3."""
    return scheduler, ["--fidelity=trains"], {"NS_GLOBAL_VALUE": f"SchedulerType=ns3::{scheduler}"}


def ways():
    """The ways to run an example."""
    several = [scheduled(name) for name in ("ListScheduler", "PriorityQueueScheduler", "CalendarScheduler")]
    sanitized = any(
        line.startswith("PHOTONIC_RAILS_SANITIZE:") and line.split("=", 1)[1]
        for line in (BUILD / "CMakeCache.txt").read_text().splitlines()
    )
    if sanitized:
        print("skipped: shuffled events, since a sanitizer has to be the first library that is loaded")
        return several
    return [shuffled("events", 1), shuffled("trains", 2), *several, shuffled("events", 3), shuffled("trains", 4)]


def run(words, options=(), environment=None):
    """Runs an example in an empty folder: exit code and JSON. Raises OSError or ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [BUILD / "examples" / words[0], *words[1:], *options],
                cwd=folder, env={**os.environ, **(environment or {})}, timeout=SECONDS, check=False,
                capture_output=True, text=True,
            )
        except subprocess.TimeoutExpired as error:
            raise OSError(str(error)) from error
    if done.returncode < 0:
        raise OSError(f"signal {-done.returncode}\n{done.stderr}")
    return done.returncode, comparable(json.loads(done.stdout))


failures = 0
listed = [line[0] for line in runpy.run_path(str(SOURCE / "test/examples-to-run.py"))["cpp_examples"]]
lines = [line for line in listed if "--json=-" in line and "--fidelity" not in line][:: 1 if ALL else 2]
for number, line in enumerate(lines):
    command = shlex.split(line)
    small = "training" not in command[0] or "--layers=" in line
    small = small and (ALL or not has_many_frames(line))
    several = [way for way in ways() if small or "--fidelity=events" not in way[1]]
    reference = run(command)
    for name, options, environment in several if ALL else [several[number % len(several)]]:
        try:
            problem = "" if run(command, options, environment) == reference else "its results differ"
        except (OSError, ValueError) as error:
            problem = str(error)
        failures += bool(problem)
        print(f"{'FAILED' if problem else 'ok'}: {line} ({name})" + (f"\n{problem}" if problem else ""), flush=True)
print(f"{failures} failed" if failures else "the order of events of one instant decides nothing")
sys.exit(failures > 0)
