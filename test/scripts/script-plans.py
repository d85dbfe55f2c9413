#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Plans of real jobs run on electrical rails, on demand and provisioned, in both fidelities.

script-plans.py SOURCE_DIR BUILD_DIR [--all]: one line a check; exit code 1 if one fails.

A plan is trained on a model that is small in all but its number of experts, so that an event for
each frame is feasible. A run that ends has a clean audit: the example requires it. Packet events and
packet trains must give equal results. What is sent between GPUs does not depend on the policy, and
pipeline neighbours on two rails have all their bytes forwarded. Without --all, the plans with few
ranks only.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from comparable import comparable

SECONDS = 1200 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run
POLICIES = ("electrical", "on-demand", "provisioned")

SHAPE = {
    "name": "A small mixture of experts",
    "layers": 4,
    "hidden": 256,
    "heads": 8,
    "key_heads": 8,
    "head_size": 32,
    "feed_forward": 256,
    "vocabulary": 512,
    "experts": 256,
    "active_experts": 8,
    "expert_feed_forward": 8,
}
SEQUENCE = 256
MICRO_BATCHES = 2
ALWAYS = (
    f"--microbatches={MICRO_BATCHES} --microbatch-size=1 --sequence={SEQUENCE} --reconfiguration=100us --gpu=B200"
    " --recompute=none --iterations=2"
)

# name: options, ranks
FEW_RANKS = {
    "context over two servers": ("--layers=2 --tp=2 --cp=4 --dp=1 --pp=1 --scale-up-size=4", 8),
    "context as a ring over two servers":
        ("--layers=2 --tp=2 --cp=4 --dp=1 --pp=1 --context=ring --scale-up-size=4", 8),
    "experts before replicas":
        ("--layers=2 --tp=1 --dp=16 --ep=4 --pp=1 --order=tp-cp-ep-dp-pp --scale-up-size=2", 16),
    "experts after replicas":
        ("--layers=2 --tp=1 --dp=16 --ep=4 --pp=1 --order=tp-cp-dp-ep-pp --scale-up-size=2", 16),
}
MANY_RANKS = {
    "64 ranks of experts over servers and rails":
        ("--layers=1 --tp=1 --dp=64 --ep=64 --pp=1 --scale-up-size=8", 64),
    "256 ranks of experts over servers and rails":
        ("--layers=1 --tp=1 --dp=256 --ep=256 --pp=1 --scale-up-size=8", 256),
    "64 of the 72 GPUs of each server":
        ("--layers=1 --tp=8 --dp=64 --ep=64 --pp=1 --scale-up-size=64", 512),
}
# Stages 0 and 1, 2 and 3 are in one server; from 1 to 2, rank 2 sends to rank 4 and 3 to 5.
NEIGHBOURS = ("--tp=2 --dp=1 --pp=4 --scale-up-size=4", 8)
READY = 64  # bytes by which a receiver of a large message says that it is ready, over the same path

BUILD = pathlib.Path(sys.argv[2]).resolve()
failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(shape, options, policy, fidelity):
    """Runs a plan. Raises OSError or ValueError."""
    try:
        done = subprocess.run(
            [BUILD / "examples/photonic-training", f"--model={shape}", "--json=-", *shlex.split(ALWAYS),
             *shlex.split(options), f"--policy={policy}", f"--fidelity={fidelity}"],
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise OSError(str(error)) from error
    if done.returncode != 0:
        raise OSError(f"exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def walk(shape, name, options, ranks):
    """Checks the runs of a plan. Returns what each policy's gave."""
    runs = {}
    for policy in POLICIES:
        try:
            trains, events = (run(shape, options, policy, fidelity) for fidelity in ("trains", "events"))
        except (OSError, ValueError) as error:
            check(f"{name}, {policy}", str(error))
            continue
        runs[policy] = trains["runs"][0]
        problem = "" if comparable(trains) == comparable(events) else "packet events and packet trains differ\n"
        if not trains["complete"] or trains["gpus"] != ranks:
            problem += f"of {ranks} GPUs, {trains['gpus']} are there; complete: {trains['complete']}\n"
        check(f"{name}, {policy}", problem)
    operations = {count_operations(one) for one in runs.values()}
    check(f"{name}: as many operations by each policy", f"{operations}" if len(operations) > 1 else "")
    return runs


def count_operations(result):
    return sum(path["operations"] for path in result["paths"].values())


def walk_neighbours(shape):
    """Pipeline neighbours on two rails: each of their messages is forwarded once."""
    name = "pipeline neighbours on two rails"
    activations = SEQUENCE * SHAPE["hidden"] * 2 // 2  # 16 bits; tp = 2 divides the tokens
    a_pass = 2 * 2 * MICRO_BATCHES * (activations + READY)  # of ranks, both ways
    for policy, result in walk(shape, name, *NEIGHBOURS).items():
        forwarded = a_pass * len(result["iteration_s"])
        problem = f"expected {forwarded} bytes, found {result['bytes_forwarded']}"
        check(f"{name}, {policy}: bytes forwarded", "" if result["bytes_forwarded"] == forwarded else problem)


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "shape.json"
    file.write_text(json.dumps(SHAPE))
    walk_neighbours(file)
    plans = {**FEW_RANKS, **MANY_RANKS} if "--all" in sys.argv[3:] else FEW_RANKS
    for name, plan in plans.items():
        walk(file, name, *plan)
print(f"{failures} failed" if failures else "plans of real jobs run")
sys.exit(failures > 0)
