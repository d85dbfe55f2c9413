#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What the simulator does with RDMA over a circuit, held against test/scripts/oracle.py.

script-oracle.py SOURCE_DIR BUILD_DIR [SEED...]: one line a seed; exit code 1 if one differs.

The program trains-one-seed draws a scenario from a seed, runs it, and writes it down with every frame and
every completion. The oracle works out the same from the rules. Frames must be equal in order; completions
of one instant have no order.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "test/scripts"))
import oracle  # pylint: disable=wrong-import-position

PROGRAM = pathlib.Path(sys.argv[2]).resolve() / "trains-one-seed"
SEEDS = [int(x) for x in sys.argv[3:]] or range(1, 61)
SECONDS = 60 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one seed
CONTEXT = 3  # rows shown before a difference

FRAME_KEYS = ("first_ps", "last_ps", "kind", "psn", "wire_bytes", "ack_request", "to")
KINDS = ("data", "ack", "nak", "arrived", "settled", "failed")  # of frames and of completions
COMPLETION_KEYS = ("at_ps", "end", "queue_pair", "what", "id", "bytes")


def dump(seed, folder):
    """Runs the simulator. Returns the scenario with what became of it, if any, and what went wrong, if anything."""
    path = pathlib.Path(folder) / f"{seed}.json"
    try:
        done = subprocess.run(
            [PROGRAM, "--dump", path, "--oracle", str(seed)],
            cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
        )
        problem = f"exit code {done.returncode}\n{done.stdout}{done.stderr}" if done.returncode else ""
        return json.loads(path.read_text()), problem
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return None, str(error)


def row_text(keys, row):
    return " ".join(f"{key}={value}" for key, value in zip(keys, row)) if row else "nothing"


def first_difference(what, keys, simulated, expected):
    """Returns where two lists of rows part, for a reader; empty if they are equal."""
    if simulated == expected:
        return ""
    place = next(
        (i for i, (one, other) in enumerate(zip(simulated, expected)) if one != other),
        min(len(simulated), len(expected)),
    )
    lines = [f"  {what} differ from row {place} on ({len(simulated)} simulated, {len(expected)} by the oracle)"]
    lines += [f"    both       {row_text(keys, row)}" for row in expected[max(0, place - CONTEXT) : place]]
    lines += [f"    simulator  {row_text(keys, next(iter(simulated[place:]), None))}"]
    lines += [f"    oracle     {row_text(keys, next(iter(expected[place:]), None))}"]
    return "\n".join(lines)


def compare(scenario):
    """Returns what the simulator and the oracle do not agree on, the earliest first."""
    frames, completions = oracle.solve(scenario)
    listed = [
        sorted([[x[key] for key in COMPLETION_KEYS] for x in one])
        for one in (scenario["completions"], completions)
    ]
    problems = [
        first_difference(f"frames of end {e}", FRAME_KEYS, scenario["frames"][e], frames[e]) for e in range(2)
    ]
    problems.append(first_difference("completions", COMPLETION_KEYS, *listed))
    return "\n".join(x for x in problems if x)


def main():
    oracle.self_check()
    print("ok: the oracle's own cases", flush=True)
    if not PROGRAM.exists():
        sys.exit(f"FAILED: there is no {PROGRAM}: build the target trains-one-seed")
    failures = 0
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            scenario, problem = dump(seed, folder)
            counts = ""
            if scenario:
                problem = "\n".join(x for x in (compare(scenario), problem) if x)
                seen.update(row[2] for rows in scenario["frames"] for row in rows)
                seen.update(x["what"] for x in scenario["completions"])
                frames = sum(map(len, scenario["frames"]))
                counts = f": {frames} frames, {len(scenario['completions'])} completions"
            failures += bool(problem)
            print(f"{'FAILED' if problem else 'ok'}: seed {seed}{counts}", problem, sep="\n" if problem else "")
    print("seen:", ", ".join(f"{seen[x]} {x}" for x in KINDS))
    if not sys.argv[3:] and not all(seen[x] for x in KINDS):
        failures += 1
        print("FAILED: the seeds do not show all that there is to see")
    print(f"{failures} failed" if failures else "the simulator does what the rules say")
    sys.exit(failures > 0)


main()
