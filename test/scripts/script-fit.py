#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""tools/fit-collective-times finds the times that made the measurements, and reports where sizes do not tell them apart.

script-fit.py SOURCE_DIR BUILD_DIR [--all]: one line a check; exit code 1 if one fails. With --all it also fits the measured
all-reduce of doc/validation, whose start-up time the commands of doc/validation.rst have.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
SECONDS = 600 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
failures = 0


def check(what, right, detail=""):
    global failures
    failures += not right
    print(f"{'ok' if right else 'FAILED'}: {what}" + ("" if right else f"\n{detail}"), flush=True)


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def fit(path, *options):
    return run([SOURCE / "tools/fit-collective-times", path, "--build", BUILD, *options])


def measure(folder, sizes, start, step):
    """A CSV file of simulated times, as nccl-tests would print them."""
    rows = []
    for size in sizes:
        done = run([
            BUILD / "examples/rail-collective", "--ranks=4", f"--min={size}", f"--max={size}", f"--rail-start={start}us",
            f"--rail-step={step}us", "--json=-",
        ])
        rows.append(f"{size},{json.loads(done.stdout)['rows'][0]['time_ps'] / 1e6:.6f}")
    path = pathlib.Path(folder) / "measured.csv"
    path.write_text("# made by the simulator\nbytes,time_us\n" + "\n".join(rows) + "\n")
    return path


def numbers(text, pattern):
    found = re.search(pattern, text)
    return [float(x) for x in found.groups()] if found else []


def check_small_sizes(folder):
    """With shares of one message every step is exposed; with those of many all but one are hidden: both are known."""
    sizes = [1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 26]
    done = fit(measure(folder, sizes, 50, 9), "--", "--ranks=4")
    start, _, step, _ = numbers(
        done.stdout, r"start ([\d.]+) \+- ([\d.]+) us, step ([\d.]+) \+- ([\d.]+) us, correlation"
    ) or [0] * 4
    check("start and step are found", abs(start - 50) < 0.05 and abs(step - 9) < 0.05, done.stdout + done.stderr)
    check("the sizes tell them apart", "apart" not in done.stdout, done.stdout)
    check("nothing is left", numbers(done.stdout, r"mean error ([\d.]+) %") == [0.0], done.stdout)
    check("the options are printed", "--rail-start=50us --rail-step=9" in done.stdout, done.stdout)


def check_large_sizes(folder):
    """With shares of many messages only the start and one step are seen."""
    done = fit(measure(folder, [1 << 25, 1 << 26, 1 << 27], 50, 9), "--hold-step=20us", "--", "--ranks=4")
    check("large sizes do not tell them apart", "do not tell" in done.stdout, done.stdout + done.stderr)
    found = numbers(done.stdout, r"the start alone: ([\d.]+) ")
    check("the start makes up for the step that is held", found and abs(found[0] - 39) < 0.1, done.stdout)


def check_mistakes(folder):
    path = pathlib.Path(folder) / "wrong.csv"
    path.write_text("size,time\n1,2\n")
    done = fit(path)
    check("a file without the columns is refused", done.returncode and "bytes and time_us" in done.stderr, done.stderr)


def check_measured():
    chapter = (SOURCE / "doc/validation.rst").read_text()
    options = re.search(r"tools/fit-collective-times doc/validation/h100-all-reduce.csv (-- .*)", chapter).group(1).split()
    done = fit(SOURCE / "doc/validation/h100-all-reduce.csv", *options)
    start = re.search(r"--rail-start=(\S+)", done.stdout)
    documented = set(re.findall(r"--rail-start=(\S+)", chapter))
    check("the chapter has the start that is fitted", start and documented == {start.group(1)}, done.stdout + done.stderr)


with tempfile.TemporaryDirectory() as temporary:
    check_small_sizes(temporary)
    check_large_sizes(temporary)
    check_mistakes(temporary)
if "--all" in sys.argv:
    check_measured()
print(f"{failures} failed" if failures else "times are fitted as they should")
sys.exit(failures > 0)
