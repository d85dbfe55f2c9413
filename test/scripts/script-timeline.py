#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""A timeline is what viewers expect, and what the results say; writing it changes no result.

script-timeline.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

Examples are run with and without --timeline. The files are held against the Trace Event Format:
which members an event has, and of what kind; that each process and track has a name; that slices
of a track nest; that each arrow has two ends, both where there is something to hang it on.
"""

import decimal
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 60 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run of an example

BUILD = pathlib.Path(sys.argv[2]).resolve()

# What an event of a phase must have beside ph, pid and name, and what it may have.
MEMBERS = {
    "M": (["args"], ["tid"]),
    "X": (["tid", "ts", "dur"], ["args"]),
    "i": (["tid", "ts", "s"], ["args"]),
    "C": (["ts", "args"], []),
    "s": (["tid", "ts", "id", "cat"], []),
    "f": (["tid", "ts", "id", "cat", "bp"], []),
}
METADATA = {
    "process_name": ("name", str),
    "process_sort_index": ("sort_index", int),
    "thread_name": ("name", str),
    "thread_sort_index": ("sort_index", int),
}
# numbers with a point are decimals, so that no digit is lost
KINDS = {
    "name": str, "cat": str, "s": str, "bp": str, "args": dict,
    "pid": int, "tid": int, "id": int, "ts": (int, decimal.Decimal), "dur": (int, decimal.Decimal),
}  # fmt: skip

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(words, timeline=None):
    """Runs an example: what it prints as JSON."""
    options = ["--json=-"] + ([f"--timeline={timeline}"] if timeline else [])
    done = subprocess.run(
        [BUILD / "examples" / words[0], *words[1:], *options],
        capture_output=True, text=True, timeout=SECONDS, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


# ---- the format


def wrong_members(event):
    must, may = MEMBERS.get(event.get("ph"), ([], None))
    if may is None:
        return "no such phase"
    for key in ["pid", "name", *must]:
        if key not in event:
            return f"no {key}"
    for key, value in event.items():
        if key != "ph" and (key not in ["pid", "name", *must, *may] or not isinstance(value, KINDS[key])):
            return f"{key} is {value}"
    if event.get("dur", 0) < 0 or event.get("ts", 0) < 0:
        return "a negative time"
    if event["ph"] == "M":
        key, kind = METADATA.get(event["name"], (None, None))
        if kind is None or list(event["args"]) != [key] or not isinstance(event["args"][key], kind):
            return "no such metadata"
    if event["ph"] == "C" and not all(isinstance(value, int) for value in event["args"].values()):
        return "a counter counts"
    return ""


def check_members(name, trace):
    problem = "" if trace.get("displayTimeUnit") == "ns" else "displayTimeUnit is ns or ms\n"
    for event in trace["traceEvents"]:
        wrong = wrong_members(event)
        problem += f"{wrong}: {event}\n" if wrong else ""
    check(f"{name}: events are as the format has them", problem)


def check_names(name, events):
    processes = [event["pid"] for event in events if event["name"] == "process_name"]
    tracks = [(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"]
    problem = ""
    if len(set(processes)) != len(processes) or len(set(tracks)) != len(tracks):
        problem += "something has two names\n"
    for event in events:
        if event["pid"] not in processes or ("tid" in event and (event["pid"], event["tid"]) not in tracks):
            problem += f"its process or track has no name: {event}\n"
    check(f"{name}: processes and tracks have names", problem)


def slices_of(events):
    """Slices by track, by start, outer ones first."""
    tracks = {}
    for event in events:
        if event["ph"] == "X":
            tracks.setdefault((event["pid"], event["tid"]), []).append(event)
    for slices in tracks.values():
        slices.sort(key=lambda event: (event["ts"], -event["dur"]))
    return tracks


def check_nesting(name, events):
    problem = ""
    for slices in slices_of(events).values():
        around = []
        for event in slices:
            while around and around[-1]["ts"] + around[-1]["dur"] <= event["ts"]:
                around.pop()
            if around and around[-1]["ts"] + around[-1]["dur"] < event["ts"] + event["dur"]:
                problem += f"{event} begins in {around[-1]} and ends after it\n"
            around.append(event)
    check(f"{name}: slices nest", problem)


def check_arrows(name, events):
    tracks = slices_of(events)
    instants = {(event["pid"], event["tid"], event["ts"]) for event in events if event["ph"] == "i"}
    ends = {}
    problem = ""
    for event in events:
        if event["ph"] in "sf":
            ends.setdefault((event["id"], event["name"], event["cat"]), []).append(event)
            slices = tracks.get((event["pid"], event["tid"]), [])
            inside = any(one["ts"] <= event["ts"] <= one["ts"] + one["dur"] for one in slices)
            if not inside and (event["pid"], event["tid"], event["ts"]) not in instants:
                problem += f"it hangs on nothing: {event}\n"
    for arrow, two in ends.items():
        if [event["ph"] for event in two] != ["s", "f"] or two[0]["ts"] > two[1]["ts"] or two[1]["bp"] != "e":
            problem += f"arrow {arrow} is {two}\n"
    check(f"{name}: arrows have two ends", problem)


# ---- what it shows


def named(events, what):
    """What processes or threads are called, by number."""
    key = "pid" if what == "process_name" else "tid"
    return {event[key]: event["args"]["name"] for event in events if event["name"] == what}


def picoseconds(microseconds):
    return int(microseconds * 1_000_000)


def check_operations(name, events, row):
    """Each rank has one slice of the last size, and the last of them ends when the results say."""
    processes = named(events, "process_name")
    operations = [
        event for event in events if event["ph"] == "X" and processes[event["pid"]].startswith("rank ")
    ]
    talks = [event for event in operations if event["name"] != "late"]
    problem = ""
    if sorted(processes[event["pid"]] for event in talks) != sorted(f"rank {r}" for r in range(row["ranks"])):
        problem += f"there are {len(talks)} operations of {row['ranks']} ranks\n"
    for event in talks:
        said = event["args"]
        if (event["name"], said["bytes"], said["algorithm"]) != (row["collective"], row["bytes"], row["algorithm"]):
            problem += f"not {row['algorithm']} of {row['bytes']} bytes: {event}\n"
    last = max((picoseconds(event["ts"] + event["dur"]) for event in talks), default=None)
    if last != row["time_ps"] + max((picoseconds(event["ts"]) for event in talks), default=0):
        problem += f"the last ends at {last} ps, which is not {row['time_ps']} ps after the last began\n"
    check(f"{name}: a slice an operation, with the times of the results", problem)


def check_circuits(name, events, turning):
    processes = named(events, "process_name")
    threads = named(events, "thread_name")
    problem = ""
    turned = 0
    for (process, track), slices in slices_of(events).items():
        if not processes[process].endswith(" switch"):
            continue
        for before, after in zip(slices, slices[1:]):
            if before["ts"] + before["dur"] > after["ts"]:
                problem += f"two at once at {threads[track]}: {before} {after}\n"
        for event in slices:
            turned += event["name"] == "reconfiguring"
            port = threads[track].split(":")[0].removeprefix("port ")
            if event["name"] != "reconfiguring" and port not in event["name"].split("-"):
                problem += f"not a circuit of {threads[track]}: {event}\n"
            if event["name"] == "reconfiguring" and picoseconds(event["dur"]) != turning:
                problem += f"it does not turn for {turning} ps: {event}\n"
    problem += "" if bool(turned) == bool(turning) else f"{turned} ports turned\n"
    check(f"{name}: a port has one circuit at a time, and turns in between", problem)


def check_example(line, turning):
    words = line.split()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "timeline.json"
        without, recorded = run(words), run(words, file)
        trace = json.loads(file.read_text(), parse_float=decimal.Decimal)
    without.pop("options"), recorded.pop("options")  # they name the file
    events = trace["traceEvents"]
    check(f"{line}: the results are the same, trains too", "" if without == recorded else f"{without}\n{recorded}")
    check_members(line, trace)
    check_names(line, events)
    check_nesting(line, events)
    check_arrows(line, events)
    check_circuits(line, events, turning)
    if "rows" in recorded:
        check_operations(line, events, recorded["rows"][-1])


def check_refusal():
    done = subprocess.run(
        [BUILD / "examples/rail-collective", "--timeline=/no-such-folder/timeline.json"],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    refused = done.returncode != 0 and "there is no folder /no-such-folder" in done.stderr
    check(
        "a file that cannot be written is refused, before the run",
        "" if refused and not done.stdout else f"exit code {done.returncode}\n{done.stdout}{done.stderr}",
    )


decimal.getcontext().prec = 40
check_example("rail-collective --ranks=4 --min=64K --max=1M --factor=4", 0)
check_example("rail-collective --ranks=4 --max=1M --rail-kind=electrical --straggler-delay=1ms", 0)
check_example(
    "rail-collective --collective=all-to-all --algorithm=matchings --reconfiguration=10us --max=2M", 10_000_000
)
check_example("ocs-first-circuit --bytes=2000000 --at=100us", 25_000_000)
check_example(
    "opus-control-plane --policies=provisioned --parameters=2M --activations=512K --forward=200us"
    " --reconfiguration=100us",
    100_000_000,
)
check_refusal()
print(f"{failures} failed" if failures else "timelines are as they should be")
sys.exit(failures > 0)
