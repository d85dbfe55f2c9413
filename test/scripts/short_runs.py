# SPDX-License-Identifier: GPL-2.0-only

"""A short run of each example, on top of which options and mistakes are tried, and the tested lines that are not short."""

import pathlib
import runpy
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = f"--model={ROOT}/doc/validation/small.json"

# where the shortest line of the tests is not short
SHORT = {
    "photonic-training": [SMALL, "--microbatch-size=1", "--sequence=512", "--iterations=1", "--policy=provisioned", "--reconfiguration=1ms"],
    "rail-collective": ["--ranks=4", "--min=64K", "--max=64K"],
    "incast": ["--senders=2", "--bytes=64K"],
    "fault-year": [
        SMALL, "--layers=4", "--sequence=512", "--servers=10", "--jobs=2x2", "--spares=2", "--gpus=1", "--days=20", "--launch=1s",
        "--on-failure=splice",
    ],
    "shared-rails": ["--layers=2", "--reconfiguration=1ms", "--iterations=1", "--arrivals=0s"],
}

# lines with tens of millions of events, or many simulations, by a pair of words of the line
MANY_FRAMES = (
    ("distributed-rails", "--management-loss=0.1"),
    ("photonic-training", "--model=Mixtral-8x7B"),
    ("photonic-training", "--order=tp-pp-dp-cp-ep"),
    ("photonic-training", "--policy=giant-ring"),
    ("photonic-training", "--policy=on-demand,provisioned"),
    ("photonic-training", "--policy=on-demand,provisioned,electrical-union"),
    ("photonic-training", "--policy=static-split-by-root"),
    ("fault-year", "--policy=on-demand"),
    ("faults-and-spares", "--policy=electrical"),
    ("pip-all-to-all", "--fabrics=hexagonal,crossbar-mesh"),
    ("reproduce", "--figure=link-up"),
    ("shared-rails", "--policy=electrical"),
)


def has_many_frames(line):
    """Whether the frames of a tested line take many seconds, each by itself."""
    words = set(shlex.split(line))
    return any(words >= set(some) for some in MANY_FRAMES)


def base_of(example):
    """The options of a short run."""
    if example in SHORT:
        return SHORT[example]
    tested = runpy.run_path(str(ROOT / "test/examples-to-run.py"))["cpp_examples"]
    lines = [shlex.split(line[0]) for line in tested]
    mine = [line[1:] for line in lines if line[0] == example and "--fidelity=events" not in line]
    return [word for word in min(mine, key=lambda line: ("--quick" not in line, len(line))) if word != "--json=-"]
