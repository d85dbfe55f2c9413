#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Every option of every example works with the values that its help names.

script-options.py SOURCE_DIR BUILD_DIR [--all] [EXAMPLE...]: one line an example; exit code 1 if a value is refused.

A help text names values in a list at its end ("Whose circuits: demand, on-demand"), before a colon ("0: none", "auto: what is
fastest"), or after "such as". To these come true and false, and each option's own default. Each is tried on top of a short run,
with what else it needs (NEEDS). Without --all, defaults that need nothing else are tried in one run, as they go together, but for
those that the short run replaces, and some options have the values of ALONE only, since the others take long.
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

SECONDS = 300 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
LEAST = 250  # values, or this script tests less than it says
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
ALL = "--all" in sys.argv[3:]
EXAMPLES = [word for word in sys.argv[3:] if word != "--all"] or sorted(path.stem for folder in ("examples", "tools") for path in SOURCE.glob(f"{folder}/*.cc"))

# the options that go with a value
NEEDS = {
    ("rail-collective", "noise", "measured"): ["--reconfiguration=10us"],
    ("rail-collective", "min", None): ["--max=1M"],
    ("rdma-over-circuit", "cut-at", "10us"): ["--cut-for=25us"],
    ("rdma-over-circuit", "cut-for", "25us"): ["--cut-at=10us"],
    ("photonic-training", "model", None): ["--layers=2"],
    ("fault-year", "model", None): ["--layers=2"],
    ("fault-year", "spares", None): ["--servers=400"],
    ("fault-year", "layers", None): ["--model=Llama3-8B"],
    ("photonic-training", "plan", "auto"): ["--gpus=8"],
    ("photonic-training", "gpus", None): ["--plan=auto"],
    ("photonic-training", "checkpoint-network", "hosts"): ["--host-network=100Gbps", "--policy=provisioned"],
    ("shared-rails", "waits", "false"): ["--servers=12"],
    ("photonic-training", "change", None): ["--change-at=2", "--iterations=3"],
    **{(name, "output-timeline", "true"): ["--output=out"] for name in ("ocs-first-circuit", "rail-collective", "trace-replay")},
    ("photonic-training", "output-inside", "true"): ["--output=out"],
    ("photonic-training", "output-messages", "true"): ["--output=out"],
    ("photonic-training", "output-timeline", "true"): ["--output=out"],
}
NEEDS.update({(name, "circuit-map-at", None): ["--circuit-map=map.svg"] for name in EXAMPLES})
NEEDS.update({(name, option, "true"): ["--output=out"] for name in EXAMPLES for option in ("output-csv", "output-report")})
# the options of the short run that do not go with a value
WITHOUT = {("rail-collective", "matrix", "true"): {"--max"}}
# names that need an argument, and those that are refused, with a regular expression of the reason
ARGUMENTS = {"microbatches": "microbatches:4", "schedule": "schedule:gpipe"}
# what takes long is tried by another example, with less to do
ONLY = {
    ("one-training-job", "policy"): {"provisioned"},
    ("one-training-job", "fidelity"): {"trains"},
    ("faults-and-spares", "checkpoint-network"): {"rails"},  # TCP has events for each packet
    ("reproduce", "figure"): {"cost-gb200", "cost-h200", "link-up", "technologies"},  # others take long
}
# what is tried without --all
ALONE = {
    ("fault-year", "model"): {"Llama3-8B"},
    ("faults-and-spares", "fidelity"): {"trains"},
    ("faults-and-spares", "fails"): {"nic"},
    ("faults-and-spares", "on-failure"): {"shrink"},
    ("faults-and-spares", "policy"): {"provisioned"},
    ("shared-rails", "fidelity"): {"trains"},
    ("shared-rails", "circuit-map-at"): {"25ms"},
    ("shared-rails", "policy"): {"static-split"},
}
ALONE.update({(name, option): {"true"} for name in EXAMPLES for option in ("output-csv", "output-report")})
REFUSED = {
    **{(name, "output-report", "true"): "there is no out/results.sqlite" for name in EXAMPLES},  # it is of a run that was
    ("rail-collective", "collective", "all-to-all-v"): "demand matrix",
    ("*", "*", "recorded"): "file",
}


def run(example, arguments):
    """Exit code and stderr of a run in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [BUILD / "examples" / example, *arguments],
                cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
            )
        except subprocess.TimeoutExpired:
            return "no end", "", ""
    return done.returncode, done.stdout, done.stderr


def options_of(example):
    """Each option that --help lists: its name, help text and default."""
    _, text, _ = run(example, ["--help"])
    listed = text.split("Program Options:")[-1].split("General Arguments:")[0]
    for name, words in re.findall(r"^ +--([\w-]+): +(.*)$", listed, re.MULTILINE):
        default = re.search(r" \[([^\[\]]*)\]$", words)
        yield name, re.sub(r" \[[^\[\]]*\]$", "", words), default.group(1) if default else ""


def values_of(words, default):
    """The values that a help text names."""
    values = {default} if default else set()
    if default in ("true", "false"):
        return {"true", "false"}
    listed = re.sub(r", or a (file \*|type that ).*$", "", words)
    names = re.search(r": ((?:\(nothing\)|[\w.+-]+)(?:, [\w.+-]+)+)$", listed)
    if names:
        values.update(names.group(1).split(", "))
    values.update(re.findall(r"(?:^|[;,] )(-?\d+|auto|none): ", words))
    values.update(value.rstrip(".") for value in re.findall(r"such as ([\w.:/]+)", words))
    mtus = re.search(r": (256, 512, 1024, 2048 or 4096)", words)
    if mtus:
        values.update(re.findall(r"\d+", mtus.group(1)))
    return values


def lines_of(example):
    """Command lines, each with the number of its values and the regular expression of the reason for which it may be refused, or None."""
    base = base_of(example)
    short = {word.split("=")[0] for word in base}
    defaults = []
    for name, words, default in options_of(example):
        for value in sorted(values_of(words, default)):
            if value not in ONLY.get((example, name), {value}):
                continue
            if not ALL and value not in ALONE.get((example, name), {value}):
                continue
            needs = NEEDS.get((example, name, value), NEEDS.get((example, name, None), []))
            given = [f"--{name}={ARGUMENTS.get(value, value)}", *needs]
            names = {word.split("=")[0] for word in given} | WITHOUT.get((example, name, value), set())
            why = REFUSED.get((example, name, value), REFUSED.get(("*", "*", value)))
            if not ALL and value == default and not needs and not why and name != "json":
                defaults += given if f"--{name}" not in short else []
                continue
            yield [*(word for word in base if word.split("=")[0] not in names), *given], 1, why
    if defaults:
        yield [*base, *defaults], len(defaults), None


def check(example):
    """Tries all values of an example. How many, and how many are refused."""

    def judge(line):
        arguments, _, why = line
        code, out, err = run(example, [*arguments, "--json=-"] if not any(a.startswith("--json") for a in arguments) else arguments)
        err = re.sub(rf"^{example}: \d+ s\b.*\n", "", err, flags=re.MULTILINE)
        err = re.sub(r"^output: out\n", "", err, flags=re.MULTILINE)  # where --output goes
        silent = "--check=true" in arguments
        right = (code == 0 and bool(out) != silent and not err) or (why and code == 2 and re.search(why, err))
        return "" if right else f"  {shlex.join(arguments)}: exit code {code}: {err[-300:]!r}"

    lines = [*lines_of(example)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [line for line in pool.map(judge, lines) if line]
    tried = sum(number for _, number, _ in lines)
    print(f"{'FAILED' if wrong else 'ok'}: {example}, {tried} values", *wrong, sep="\n", flush=True)
    return tried, len(wrong)


if __name__ == "__main__":
    counts = [check(example) for example in EXAMPLES]
    tried, failed = (sum(column) for column in zip(*counts))
    print(f"{tried} values, {failed} refused or without a result")
    sys.exit(failed > 0 or (tried < LEAST and len(EXAMPLES) > 1))
