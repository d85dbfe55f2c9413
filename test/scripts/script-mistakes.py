#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What people type wrong, in every example: done as asked, or refused in one line.

script-mistakes.py SOURCE_DIR BUILD_DIR [--all] [EXAMPLE...]: one line an example; exit code 1 if an
input is answered otherwise. Without --all only every third one is tried, and every tenth where there are many.

Inputs are made from the options that --help lists, by the kind of their defaults, on top of a
short run (short_runs.py). Each must end with 0, and nothing on stderr, or with 2, one
line "EXAMPLE: ..." on stderr and nothing on stdout. Where the disk is full it is 1 and one line.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from short_runs import base_of

SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one input
LEAST = 600  # inputs, or this script tests less than it says
MANY = 150  # of an example

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
ALL = "--all" in sys.argv
EXAMPLES = sorted(path.stem for folder in ("examples", "tools") for path in SOURCE.glob(f"{folder}/*.cc"))
NAMED = [word for word in sys.argv[3:] if word != "--all"]

COUNT = ["", "-7", "8.9", "nan", "1e300", "2,000", "0x10", "1M ", "99999999999999999999", "1MB"]
REAL = ["", "nan", "inf", "-7", "1e300", "0,5", "one", "0.5x"]
TIME = ["", "25", "-1s", "1e300s", "10000000s", "1.5ps", "1m", "nans", "25ms "]
RATE = ["", "400", "0bps", "1bps", "-1Gbps", "nanbps", "400gbps", "1e30Gbps"]
TRUTH = ["maybe", "2", "truee", "0.5"]
WORDS = ["zzz-nothing", " ", "/nowhere/at/all", "/nowhere/at/all.json"]
LISTS = [",", "a,,b", "zzz,zzz"]


def kind_of(default):
    """Wrong values for an option with such a default."""
    if default in ("true", "false"):
        return TRUTH
    if re.fullmatch(r"-?\d+", default):
        return [x for x in COUNT if default != "-1" or not x.startswith("-")]
    if re.fullmatch(r"-?[\d.]+(e-?\d+)?", default):
        return REAL
    if re.fullmatch(r"[\d.]+(ps|ns|us|ms|s|min|h|d)", default):
        return TIME
    if re.fullmatch(r"[\d.]+[kMGT]?bps", default):
        return RATE
    return WORDS + (LISTS if "," in default else [])


def run(example, arguments):
    """Exit code, stdout, stderr of a run in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [BUILD / "examples" / example, *arguments],
                cwd=folder, capture_output=True, timeout=SECONDS, check=False,
            )
        except subprocess.TimeoutExpired:
            return "no end", "", ""
    progress = re.compile(rf"^{example}: \d+ s\b.*\n", re.MULTILINE)  # of what takes ten seconds on a busy computer
    log = progress.sub("", done.stderr.decode(errors="replace"))
    if done.returncode == 0:
        log = re.sub(r"^output: zzz-nothing\n$", "", log)  # a folder that can be made
    return done.returncode, done.stdout.decode(errors="replace"), log


def options_of(example):
    """Each option that --help lists, with its default."""
    code, text, _ = run(example, ["--help"])
    listed = text.split("Program Options:")[-1].split("General Arguments:")[0]
    found = re.findall(r"^ +--([\w-]+): +(.*)$", listed, re.MULTILINE)
    options = []
    for name, help_text in found:
        default = re.search(r"\[([^\[\]]*)\]$", help_text)
        options.append((name, default.group(1) if default else ""))
    return options if code == 0 else []


def without(base, name):
    """The base, but for one option."""
    return [word for word in base if word != f"--{name}" and not word.startswith(f"--{name}=")]


def inputs_of(example):
    """Command lines with a mistake, most of them."""
    base = base_of(example)
    options = options_of(example)
    for name, default in options:
        for value in kind_of(default):
            yield [*without(base, name), f"--{name}={value}"]
        if default not in ("true", "false"):
            yield [*without(base, name), f"--{name}"]
        given = default or "1"
        yield [*without(base, name), f"--{name}={given}", f"--{name}={given}"]
        yield [*base, f"{name}={given}"]
        yield [*base, f"--{name}x={given}"]
    yield [*base, "hello"]
    yield [*base, ""]
    yield [*base, "--"]
    yield [*base, "--RngRun=x"]
    yield [*base, "--RngRun="]
    yield [*base, "--RngRun=-1"]
    yield [*base, "--RngRun=1x"]
    yield [*base, "--help=me"]
    yield [*base, "-"]
    yield [*base, "-="]
    yield [*base, "--json="]
    yield [*base, "--ns3::RdmaEngine::Mtu=1x"]
    yield [*base, "--ns3::CollectiveApplication::StallLimit=25"]
    yield [*base, "--ns3::OpticalFiber::FrameLossRate=0,5"]
    yield [*base, "--ns3::Nothing::At=1"]
    yield [*base, "--ns3::RdmaEngine::Mtu=many"]
    yield [*base, "--json=/dev/null", "--csv=/dev/null"]
    yield [*base, "--json=-", "--csv=-"]
    yield [*base, "--json=same", "--csv=./same"]
    yield [*base, "--json=/tmp"]


def judge(example, arguments):
    """What is wrong with the answer to an input; empty if nothing is."""
    code, out, err = run(example, arguments)
    if "/dev/full" in " ".join(arguments):
        right = code == 1 and len(err.splitlines()) == 1 and err.startswith(f"{example}: ")
    elif code == 2:
        right = not out and len(err.splitlines()) == 1 and err.startswith(f"{example}: ")
    else:
        right = code == 0 and not err
    return "" if right else f"  {shlex.join(arguments)}: exit code {code}, {len(out)} bytes on stdout, stderr: {err[-400:]!r}"


def check(example):
    """Tries all inputs of an example. How many, and what is wrong."""
    lines = [*inputs_of(example)]
    lines = lines[:: 1 if ALL else 10 if len(lines) > MANY else 3]
    lines += [[*base_of(example), "--json=/dev/full"], [*base_of(example), "--csv=/dev/full"]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [line for line in pool.map(lambda words: judge(example, words), lines) if line]
    print(f"{'FAILED' if wrong else 'ok'}: {example}, {len(lines)} inputs", *wrong, sep="\n", flush=True)
    return len(lines), len(wrong)


if __name__ == "__main__":
    counts = [check(example) for example in (NAMED or EXAMPLES)]
    inputs, failed = (sum(column) for column in zip(*counts))
    print(f"{inputs} inputs, {failed} answered wrongly")
    sys.exit(failed > 0 or (inputs < LEAST and not NAMED))
