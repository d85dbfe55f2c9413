#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Whether the faults that tools/mutate-trains plants still fit the source.

script-mutations.py SOURCE_DIR [BUILD_DIR]: exit code 1 if one does not.
"""

import pathlib
import subprocess
import sys

TOOL = pathlib.Path(sys.argv[1]).resolve() / "tools/mutate-trains"
LEAST = 100  # faults

done = subprocess.run([TOOL, "--list"], stdout=subprocess.PIPE, text=True, check=False)
count = len(done.stdout.split())
print(f"{count} faults fit the source")
sys.exit(done.returncode != 0 or count < LEAST)
