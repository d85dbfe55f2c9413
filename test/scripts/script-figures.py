#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""The figures of the documentation are those that their scripts draw.

script-figures.py SOURCE_DIR BUILD_DIR: some, which take little time; with --all, all that need no file from elsewhere.

One line a check; exit code 1 if one fails, 77 if gnuplot or tshark is missing: then the test is skipped. Another release of
gnuplot writes other files: then figures must be drawn, and are not compared.
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
SKIPPED = 77


def release(picture):
    """The release of gnuplot that drew a picture."""
    found = re.search(r"<desc>Produced by GNUPLOT (.*?)\s*</desc>", picture)
    return found.group(1) if found else "none"


def main():
    """Draws, and compares."""
    for program in ("gnuplot", "tshark"):
        if not shutil.which(program):
            print(f"skipped: there is no {program}; apt install gnuplot-nox tshark")
            return SKIPPED
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        target = pathlib.Path(name)
        words = [SOURCE / "tools/draw-figures", BUILD, target, *([] if "--all" in sys.argv else QUICK)]
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
