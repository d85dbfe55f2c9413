#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""--runs=N of an example is what N runs with --RngRun give one by one, and the mean of these.

script-runs.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
"""

import json
import math
import os
import pathlib
import re
import runpy
import shlex
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
SECONDS = 300 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
T = {2: 12.706204736, 3: 4.302652730, 4: 3.182446305}  # Student's t, 0.975, by the number of runs

COLLECTIVE = (
    "rail-collective --ranks=4 --collective=all-to-all --algorithm=matchings --reconfiguration=10us --noise=measured "
    "--min=64K --max=128K"
)
TRAINING = (
    "photonic-training --layers=2 --microbatch-size=1 --sequence=1024 --policy=on-demand,provisioned --reconfiguration=1ms "
    "--noise=measured"
)
failures = 0


def check(what, right, detail=""):
    global failures
    failures += not right
    print(f"{'ok' if right else 'FAILED'}: {what}" + ("" if right else f"\n{detail}"), flush=True)


def run(command, *more):
    words = [*shlex.split(command), *more]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [BUILD / "examples" / words[0], *words[1:]],
            cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
        )
        return done.returncode, done.stdout, done.stderr, sorted(os.listdir(folder))


def results(command, *more):
    code, out, err, _ = run(command, *more, "--json=-")
    check(f"{command} {' '.join(more)}".rstrip(), code == 0, err)
    return json.loads(out) if code == 0 else {}


def check_means(what, figures, singles):
    """Figures of --runs, and the same ones of single runs, by name."""
    check(f"{what}: has all figures", [x["figure"] for x in figures] == list(singles), [x["figure"] for x in figures])
    for figure in figures:
        values = singles.get(figure["figure"], [])
        same = len(values) == len(figure["values"]) and all(
            math.isclose(a, b, rel_tol=1e-12) for a, b in zip(values, figure["values"])
        )
        check(f"{what}: values of {figure['figure']}", same, f"{values} {figure['values']}")
        half = T[len(values)] * statistics.stdev(values) / math.sqrt(len(values))
        right = math.isclose(figure["mean"], statistics.fmean(values), rel_tol=1e-12) and math.isclose(
            figure["half_width_95"], half, rel_tol=1e-8
        )
        check(f"{what}: mean and interval of {figure['figure']}", right, figure)
        check(f"{what}: {figure['figure']} varies", statistics.stdev(values) > 0)


def check_collective():
    singles = {}
    for number in (7, 8, 9):
        for row in results(COLLECTIVE, f"--RngRun={number}")["rows"]:
            singles.setdefault(f"all-to-all of {row['bytes']} bytes", []).append(row["time_ps"] / 1e6)
    there = results(COLLECTIVE, "--RngRun=7", "--runs=3")
    check("the results name the runs", (there["repeats"], there["run"]) == (3, 7))
    check_means("rail-collective", there["figures"], singles)
    code, out, err, _ = run(COLLECTIVE, "--RngRun=7", "--runs=3")
    for figure in there["figures"]:
        line = re.search(rf"^{re.escape(figure['figure'])} +us +([\d.]+) +([\d.]+) ", out, re.MULTILINE)
        right = line and line.groups() == (f"{figure['mean']:.4f}", f"{figure['half_width_95']:.4f}")
        check(f"the table has {figure['figure']}", right, out + err)
    again = results(COLLECTIVE, "--RngRun=7", "--runs=3")
    check("runs can be repeated", again["figures"] == there["figures"])


def check_training():
    singles = {}
    for number in (1, 2):
        for row in results(TRAINING, f"--RngRun={number}")["runs"]:
            name = f"{row['policy']} 1ms"
            singles.setdefault(f"iteration, {name}", []).append(statistics.fmean(row["iteration_s"][1:]))
            singles.setdefault(f"exposed, {name}", []).append(row["exposed_s"])
    check_means("photonic-training", results(TRAINING, "--runs=2")["figures"], singles)


def check_refusals():
    for more, words in (
        (["--runs=2", "--timeline=t.json"], "--timeline=t.json"),
        (["--runs=0"], "--runs=0"),
        (["--runs=2", "--bogus=1"], "bogus"),
        (["--runs=2", "--mtu=100"], "--mtu=100"),
    ):
        code, out, err, files = run(COLLECTIVE, *more)
        right = code == 2 and not out and err.count("\n") == 1 and words in err and not files
        check(f"refused in one line: {' '.join(more)}", right, f"{code} {out} {err} {files}")
    code, out, err, _ = run("trace-replay --print-example --runs=2")
    check("a run without a figure is refused", code == 2 and "no figure" in err, f"{code} {err}")


def check_all_examples():
    """Every example has figures."""
    tested = runpy.run_path(str(SOURCE / "test/examples-to-run.py"))["cpp_examples"]
    lines = [line[0] for line in tested if "--runs" not in line[0] and "--json=-" in line[0]]
    for example in sorted({line.split()[0] for line in lines}):
        mine = [line for line in lines if line.split()[0] == example]
        if example == "photonic-training" or example == "one-training-job":
            continue  # the first is above; the second takes long, and is as simple as can be
        shortest = min(mine, key=lambda line: ("--fidelity=events" in line, len(line)))
        figures = results(shortest.replace(" --json=-", ""), "--runs=2").get("figures", [])
        check(f"{example} has figures", figures and all(len(x["values"]) == 2 for x in figures))


check_collective()
check_training()
check_refusals()
check_all_examples()
print(f"{failures} failed" if failures else "runs are repeated as they should")
sys.exit(failures > 0)
