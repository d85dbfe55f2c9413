#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Packet events and packet trains give the same results, in every example.

script-fidelity.py SOURCE_DIR BUILD_DIR [--all]: one line a check; exit code 1 if one fails.

Each line of examples-to-run.py that writes JSON, and each of the lines below, is run with
--fidelity=events and with --fidelity=trains. Exit code, results and files that are written must be
equal. What may differ is how the results came about: the keys of MAY_DIFFER. Whole models have too
many frames for events, so those examples of training count only that train some of the layers; and
without --all, only the runs that have MOST frames in trains at most, but for those that are known
to have more (short_runs.MANY_FRAMES), which are not even run in trains.
"""

import json
import os
import pathlib
import runpy
import shlex
import subprocess
import sys
import tempfile

from comparable import MAY_DIFFER, comparable
from short_runs import has_many_frames

MOST = 2_000_000  # some seconds of events
SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run of an example

# Beyond examples-to-run.py. What carries everything in trains is more likely to differ.
MORE = """
    rdma-over-circuit --bytes=0 --json=-
    rdma-over-circuit --bytes=0 --verb=send --json=-
    rdma-over-circuit --bytes=10000 --mtu=1024 --pcap=message --json=-
    rdma-over-circuit --bytes=20000000 --rate=425Gbps --verb=write-with-immediate --json=-
    rdma-over-circuit --ack-every=1 --pcap=message --json=-
    rdma-over-circuit --cut-at=10us --cut-for=25us --pcap=message --json=-
    rdma-over-circuit --cut-at=10us --cut-for=25us --fiber-delay=1us --json=-
    rdma-over-circuit --cut-at=21420ns --cut-for=1us --timeout-exponent=4 --ack-every=1 --json=-
    rdma-over-circuit --cut-at=21390ns --cut-for=1ps --timeout-exponent=4 --json=-
    rdma-over-circuit --trace-at=5us --trace-for=5us --json=-
    rdma-over-circuit --trace-at=10027520ps --trace-for=83560ps --cut-at=10us --cut-for=25us --json=-
    rdma-over-circuit --fiber-delay=5us --timeout-exponent=0 --json=-
    rdma-over-circuit --ns3::OpticalFiber::FrameLossRate=0.01 --json=-
    rdma-over-circuit --ns3::RdmaEngine::SelectiveRepeat=true --cut-at=10us --cut-for=25us --json=-
    rdma-over-circuit --ns3::RdmaEngine::CongestionControl=StaticWindow --ns3::StaticWindowControl::Window=65536 --json=-
    ocs-first-circuit --bytes=2000000 --at=100us --pcap=first --json=-
    photonic-training --layers=4 --microbatch-size=1 --sequence=1024 --policy=electrical --schedule=interleaved --chunks=2 --dp=2 --json=-
    photonic-training --layers=4 --microbatch-size=1 --sequence=1024 --policy=electrical --ns3::RdmaEngine::AckEvery=1 --json=-
    rail-collective --collective=all-to-all --ranks=10 --rail-kind=electrical --ports=1 --min=1M --max=4M --json=-
"""

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()

# a year of faults: the smallest model, since events of whole ones take long
YEAR = (
    f"fault-year --model={shlex.quote(str(SOURCE / 'doc/validation/small.json'))} --layers=4 --sequence=512 --gpus=2 --servers=20 "
    "--jobs=2x4,4x2 --spares=0,4 --launch=1s --on-failure=splice,shrink --json=-"
)

ALL = "--all" in sys.argv[3:]
failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(words, fidelity):
    """Runs an example in an empty folder: exit code, JSON, files. Raises OSError or ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [BUILD / "examples" / words[0], *words[1:], f"--fidelity={fidelity}"],
                cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise OSError(str(error)) from error
        if done.returncode < 0:
            raise OSError(f"signal {-done.returncode}\n{done.stderr}")
        files = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
    return done.returncode, json.loads(done.stdout), files


def difference(events, trains):
    """What differs between two runs that may not; empty if nothing does."""
    problem = ""
    if events[0] != trains[0]:
        problem += f"exit code {events[0]} with events, {trains[0]} with trains\n"
    for key in [*events[1], *(key for key in trains[1] if key not in events[1])]:
        one, other = events[1].get(key), trains[1].get(key)
        if key not in MAY_DIFFER and comparable(one) != comparable(other):
            problem += f"{key}: {one} with events, {other} with trains\n"
    for name in sorted({*events[2], *trains[2]}):
        if events[2].get(name) != trains[2].get(name):
            problem += f"the file {name} differs\n"
    return problem


def fidelity_differs(result, fidelity, all_in_trains):
    """What is wrong with what a run says of itself."""
    if result["program"] == "distributed-rails":
        return ""  # it writes what any number of processes count alike, and so no trains
    if "repeats" in result:  # figures of several runs; each run counted for itself
        said = result["options"]["fidelity"]
        return "" if said == fidelity else f"it repeats runs with {said}\n"
    trains = result.get("trains", {}).get("frames")
    problem = "" if result.get("fidelity") == fidelity else f"it calls its fidelity {result.get('fidelity')}\n"
    if trains is None or (fidelity == "events" and trains != 0):
        problem += f"with {fidelity} it counts {trains} frames in trains\n"
    if all_in_trains and fidelity == "trains" and trains != result["frames"] + result["acks"]:
        problem += f"{trains} frames went in trains, of {result['frames']} and {result['acks']} ACKs\n"
    return problem


def is_long(result):
    """Whether events would take long; who repeats runs does not count their frames."""
    return result.get("trains", {}).get("frames", MOST + 1) > MOST


def compare(line):
    words = shlex.split(line)
    try:
        is_left = not ALL and has_many_frames(line)
        trains = None if is_left else run(words, "trains")
        if is_left or not ALL and is_long(trains[1]):
            print(f"left to --all: {line}", flush=True)
            return
        events = run(words, "events")
    except (OSError, ValueError) as error:
        check(line, str(error))
        return
    # a message alone, and nobody who wants to know of every frame: else this script shows nothing
    alone = words == ["rdma-over-circuit", "--json=-"]
    check(
        line,
        difference(events, trains)
        + fidelity_differs(events[1], "events", alone)
        + fidelity_differs(trains[1], "trains", alone),
    )


def check_choice():
    """The option, the global value and the environment; a wrong name."""
    program = BUILD / "examples" / "rdma-over-circuit"
    for name, value in (("events", "PacketEvents"), ("trains", "PacketTrains")):
        for what, words, environment in (
            ("the command line", [f"--PhotonicRailsFidelity={value}"], {}),
            ("the environment", [], {"NS_GLOBAL_VALUE": f"PhotonicRailsFidelity={value}"}),
            ("--fidelity before the environment", [f"--fidelity={name}"],
             {"NS_GLOBAL_VALUE": "PhotonicRailsFidelity=Packet" + ("Trains" if name == "events" else "Events")}),
        ):
            done = subprocess.run(
                [program, "--json=-", *words],
                env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
            )
            said = json.loads(done.stdout)["fidelity"] if done.returncode == 0 else done.stderr
            check(f"{name} by {what}", "" if said == name else f"it says {said}")
    done = subprocess.run(
        [program, "--fidelity=exact"], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    told = done.returncode != 0 and "--fidelity=exact: no such fidelity; known: trains, events" in done.stderr
    check("another name is refused", "" if told else f"exit code {done.returncode}\n{done.stderr}")


listed = [line[0] for line in runpy.run_path(str(SOURCE / "test/examples-to-run.py"))["cpp_examples"]]
scenarios = [line for line in listed if "--json=-" in line and "--fidelity" not in line]
scenarios = [line for line in scenarios if "training" not in line.split()[0] or "--layers=" in line]
for scenario in scenarios + [line.strip() for line in MORE.strip().splitlines()] + [YEAR]:
    compare(scenario)
check_choice()
print(f"{failures} failed" if failures else "both fidelities give the same results")
sys.exit(failures > 0)
