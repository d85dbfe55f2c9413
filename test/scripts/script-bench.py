#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""tools/compare-figures says which figures moved, in units of an empty event, and the figures of the last release
are in the form that it reads.

script-bench.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def check(what, right, detail=""):
    global failures
    failures += not right
    print(f"{'ok' if right else 'FAILED'}: {what}" + ("" if right else f"\n{detail}"), flush=True)


def compare(before, now):
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("before", "now")]
        for file, rows in zip(files, (before, now)):
            file.write_text("".join(
                f"{row:<58}{'median':>12}{'best':>12}  unit\n" if isinstance(row, str)
                else f"{row[0]:<58}{row[1]:>12.3f}{row[2]:>12.3f}  {row[3]}\n" for row in rows))
        done = subprocess.run([SOURCE / "tools/compare-figures", *files], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.replace(str(files[0]), "BEFORE"), done.stderr


def rows(event, time, rate, memory, best=None):
    return ["packet events", ("an empty ns-3 event", event, event, "ns"), ("a frame, of 4096 bytes", time, best or time, "ns"),
            ("hosts, data frames", rate, rate, "million/s"), "jobs", ("Llama", 1, 1, "s of CPU"), ("  memory", memory, memory, "MB")]


code, out, err = compare(rows(50, 100, 2, 10), rows(50, 109, 1.85, 10.9))
check("up to 10 % nothing is said", code == 0 and "\n0 of 4 figures moved by more than 10 % since BEFORE\n" in out, out + err)

_, out, _ = compare(rows(50, 100, 2, 10), rows(50, 112, 1.7, 12))
check("a time that grew is slower", "  packet events: a frame, of 4096 bytes: 100 -> 112 ns, 12 % slower\n" in out, out)
check("a rate that fell is slower", "  packet events: hosts, data frames: 2 -> 1.7 million/s, 15 % slower\n" in out, out)
check("memory that grew is more, of the job above it", "  jobs: Llama: memory: 10 -> 12 MB, 20 % more\n" in out, out)
check("3 of 4 moved", "\n3 of 4 figures moved by more than 10 % since BEFORE:\n" in out, out)

_, out, _ = compare(rows(50, 100, 2, 10), rows(50, 120, 2, 10, best=101))
check("a median that moved alone is noise", "\n0 of 4 figures moved" in out, out)

# a machine half as fast: everything takes twice as long, so what takes the same time is faster
_, out, _ = compare(rows(50, 100, 2, 10), rows(100, 200, 1, 10))
check("all but the job's time are as before on a machine half as fast", "\n1 of 4 figures moved" in out, out)
check("what took 1 empty event takes half of one",
      "  jobs: Llama: 1 -> 1 s of CPU, 50 % faster in empty events\n" in out, out)

# the machine became half as fast while the jobs ran, and their program measured that
own = [("an empty ns-3 event", 100, 100, "ns"), ("Llama", 2, 2, "s of CPU")]
_, out, _ = compare(rows(50, 100, 2, 10), rows(50, 100, 2, 10)[:-2] + own)
check("each program has its own unit", "jobs: an empty ns-3 event took 50 ns then, 100 ns now\n" in out and "\n0 of 3 figures" in out,
      out)

_, out, _ = compare(rows(50, 100, 2, 10), rows(50, 100, 2, 10)[:-1] + [("  frames", 3, 3, "million")])
check("a figure that is new is named", "new: jobs: Llama: frames\n" in out, out)
check("a figure that is missing is named", "not measured now: jobs: Llama: memory\n" in out, out)

code, _, err = compare(["nothing"], ["nothing"])
check("a file without figures is an error that says what is expected", code and "expected the output of ./rails bench" in err, err)

released = sorted(SOURCE.glob("bench/figures-*.txt"))
check("there are figures of a release", bool(released))
for file in released:
    done = subprocess.run([SOURCE / "tools/compare-figures", file, file], capture_output=True, text=True, check=False)
    number = re.search(r"^0 of (\d+) figures moved", done.stdout, re.M)
    lines = [line for line in file.read_text().splitlines()
             if line and not line.endswith("unit") and not line.startswith("an empty ns-3 event")]
    check(f"each line of {file.name} is a figure", number and int(number[1]) == len(lines), done.stdout + done.stderr)

sys.exit(1 if failures else 0)
