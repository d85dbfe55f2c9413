#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What a program says while it takes long, and what is left when it is interrupted.

script-progress.py SOURCE_DIR BUILD_DIR [--all]: one line a check; exit code 1 if one fails. With
--all also what takes longer than ten seconds: the lines of a log.
"""

import csv
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[2]).resolve()
# takes minutes, and its first rows a moment
LONG = ["rail-collective", "--rail-kind=electrical", "--ranks=64", "--min=64", "--max=1G", "--factor=2",
        "--fidelity=events"]
MOVING = re.compile(r"^rail-collective: (\d+) s: \d+ bytes of 64 ranks; simulated [\d.]+ m?s$")

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def start(folder, **streams):
    """Begins the long program, which saves its rows."""
    command = [BUILD / "examples" / LONG[0], *LONG[1:], "--json=rows.json", "--csv=rows.csv", "--timeline=t.json"]
    return subprocess.Popen(command, cwd=folder, **streams)


def read_until(descriptor, is_enough):
    """What a program writes until that is enough or it ends."""
    text = b""
    while not is_enough(text.decode(errors="replace")):
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # a terminal whose program is gone
            part = b""
        if not part:
            break
        text += part
    return text.decode()


def moving_lines(text):
    """The seconds that the moving lines of a terminal say."""
    parts = [part.split("\x1b[K")[-1] for part in text.split("\r")]
    return [int(match.group(1)) for match in map(MOVING.match, parts) if match]


def look_at_terminal():
    """On a terminal: nothing for two seconds, then a line that moves and leaves nothing behind."""
    with tempfile.TemporaryDirectory() as folder:
        ours, its = pty.openpty()
        program = start(folder, stdout=its, stderr=its)
        os.close(its)
        text = read_until(ours, lambda so_far: len(set(moving_lines(so_far))) > 1)
        program.send_signal(signal.SIGINT)
        text += read_until(ours, lambda _: False)
        code = program.wait()
        saved = json.loads((pathlib.Path(folder) / "rows.json").read_text())
        table = list(csv.DictReader((pathlib.Path(folder) / "rows.csv").open()))
        left = sorted(path.name for path in pathlib.Path(folder).iterdir())
    seconds = moving_lines(text)
    check("a terminal has a line that moves", "" if len(set(seconds)) > 1 else text[-2000:])
    check("and not before two seconds", "" if seconds and min(seconds) >= 2 else str(seconds))
    last = text.rstrip("\r\n").split("\n")[-1]
    check("an interrupt says so in the last line, with exit code 130",
          "" if code == 130 and last.endswith("\r\x1b[Krail-collective: interrupted") else f"{code}: {last!r}")
    shown = [line.split("\r\x1b[K")[-1] for line in text.split("\n")]
    rows = [line for line in shown if re.match(r" *\d+ +\d+ +[\d.]+ ", line)]
    check("the rows that were done are printed", "" if rows else text[-2000:])
    check("and saved", "" if len(saved["rows"]) == len(table) == len(rows) and not saved["complete"]
          else f"{len(rows)} rows, {len(saved['rows'])} in JSON, {len(table)} in CSV, complete {saved['complete']}")
    check("and nothing else is left", "" if left == ["rows.csv", "rows.json"] else str(left))


def look_at_log():
    """In a log: a line every ten seconds."""
    with tempfile.TemporaryDirectory() as folder:
        program = start(folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        text = read_until(program.stderr.fileno(), lambda so_far: so_far.count("\n") == 2)
        program.send_signal(signal.SIGTERM)
        text += read_until(program.stderr.fileno(), lambda _: False)
        code = program.wait()
    lines = text.splitlines()
    seconds = [int(match.group(1)) for match in map(MOVING.match, lines[:-1]) if match]
    check("a log has a line every ten seconds", "" if [each // 10 for each in seconds] == [1, 2] else text)
    check("and the reason of the end", "" if code == 143 and lines[-1:] == ["rail-collective: ended by SIGTERM"] else text)


if __name__ == "__main__":
    look_at_terminal()
    if "--all" in sys.argv:
        look_at_log()
    sys.exit(failures > 0)
