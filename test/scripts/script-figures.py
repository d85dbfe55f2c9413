#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""The figures of the documentation are those that their scripts draw.

script-figures.py SOURCE_DIR BUILD_DIR: some, which take little time; with --all, all that need no file from elsewhere.

One line a check; exit code 1 if one fails. Without gnuplot or tshark only those are drawn that examples draw themselves. Another
release of gnuplot writes other files: then figures must be drawn, and are not compared.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
QUICK = ["lab-1", "lab-2", "lab-2b"]
FROM_REPORT = "readme-circuits"
ALONE = ["readme-iteration", "readme-circuits", "plots-bandwidth", "plots-ring", "ocs-first-circuit"]  # without gnuplot and tshark


def release(picture):
    """The release of gnuplot that drew a picture."""
    found = re.search(r"<desc>Produced by GNUPLOT (.*?)\s*</desc>", picture)
    return found.group(1) if found else "none"


def has_reports():
    """Whether runs have a report: it needs SQLite."""
    with tempfile.TemporaryDirectory() as name:
        line = [BUILD / "examples/photonic-training", "--layers=2", "--microbatch-size=1", "--sequence=512", "--policy=electrical", "--output=out"]
        done = subprocess.run(line, cwd=name, capture_output=True, text=True, check=False)
    return "this build has no SQLite" not in done.stderr


def main():
    """Draws, and compares."""
    names = [] if "--all" in sys.argv else [*QUICK, *ALONE]
    if names and not has_reports():
        print(f"without SQLite there is no {FROM_REPORT}")
        names.remove(FROM_REPORT)
    for program in ("gnuplot", "tshark"):
        if not shutil.which(program):
            print(f"there is no {program}; apt install gnuplot-nox tshark. Without it: {' '.join(ALONE)}")
            names = [name for name in ALONE if name in names or not names]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        target = pathlib.Path(name)
        words = [SOURCE / "tools/draw-figures", BUILD, target, *names]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(done.stdout, end="")
        failures += done.returncode != 0
        drawn = sorted(path for path in target.rglob("*.svg"))
        for path in drawn:
            there = SOURCE / path.relative_to(target)
            old, new = there.read_text() if there.exists() else "", path.read_text()
            differs = release(old) == release(new) and old != new or not old
            failures += differs
            print(f"{'FAILED' if differs else 'ok'}: {there.relative_to(SOURCE)} is what its script draws{'; ./rails figures draws it anew' if differs else ''}")
        if not drawn:
            print("FAILED: nothing was drawn")
            failures += 1
    return failures > 0


sys.exit(main())
