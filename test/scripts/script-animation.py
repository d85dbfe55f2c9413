#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""An animation is what NetAnim reads, in every example with --netanim; writing it changes no result.

script-animation.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

Each example that has the option is run with and without it. The files are parsed as XML and held against what NetAnim takes
for granted: nodes are numbered from 0 without a gap and come before links and updates, instants do not go back, and the
headline of each step has its instant. The circuits of two examples are compared with what their commands say.
"""

import decimal
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run of an example
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
TRAINING = (
    f"photonic-training --model={SOURCE}/doc/validation/small.json --microbatch-size=1 --sequence=512 --reconfiguration=1ms"
)
STAGES = "opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --chart=0"

# command lines of each example that has the option, with the number of files that they write
LINES = {
    "close-a-ring": [("close-a-ring", 1)],
    "fault-injection": [("fault-injection", 1)],
    "incast": [("incast --senders=4", 1)],
    "ocs-first-circuit": [("ocs-first-circuit --bytes=2000000 --at=100us", 1)],
    "opus-control-plane": [
        (f"{STAGES} --policies=electrical,on-demand,provisioned", 3),
        (f"{STAGES} --policies=provisioned --standby --crash=2ms", 1),
    ],
    "photonic-training": [
        (f"{TRAINING} --policy=on-demand,electrical", 2),
        (f"{TRAINING} --policy=provisioned --fold=off", 1),
    ],
    "rail-collective": [
        ("rail-collective --ranks=4 --min=64K --max=64K", 1),
        ("rail-collective --collective=all-to-all --algorithm=matchings --reconfiguration=10us --max=2M", 1),
        ("rail-collective --ranks=8 --scale-up-size=4 --algorithm=rail-rings --min=64K --max=64K", 1),
        ("rail-collective --ranks=4 --rail-kind=electrical --min=64K --max=64K", 1),
    ],
    "rdma-over-circuit": [("rdma-over-circuit --cut-at=10us --cut-for=25us", 1)],
    "two-hosts": [("two-hosts --messages=3 --interval=50us", 1)],
}
# what an element must have beside its name, and of what kind; NetAnim takes anything else for 0
WHOLE, DECIMAL, TEXT = r"\d+", r"-?\d+(\.\d+)?", r"(?s).*"
MEMBERS = {
    "node": {"id": WHOLE, "sysId": WHOLE, "locX": DECIMAL, "locY": DECIMAL},
    "link": {"fromId": WHOLE, "toId": WHOLE, "fd": TEXT, "td": TEXT, "ld": TEXT},
    "ncs": {"ncId": WHOLE, "n": TEXT, "t": "UINT32"},
    "nc": {"c": WHOLE, "i": WHOLE, "t": DECIMAL, "v": WHOLE},
    "nu c": {"p": "c", "t": DECIMAL, "id": WHOLE, "r": WHOLE, "g": WHOLE, "b": WHOLE},
    "nu d": {"p": "d", "t": DECIMAL, "id": WHOLE, "descr": TEXT},
    "nu p": {"p": "p", "t": DECIMAL, "id": WHOLE, "x": DECIMAL, "y": DECIMAL},
    "nu s": {"p": "s", "t": DECIMAL, "id": WHOLE, "w": DECIMAL, "h": DECIMAL},
}
UNITS = {"us": decimal.Decimal("1e-6"), "ms": decimal.Decimal("1e-3"), "s": decimal.Decimal(1)}

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(words, folder, *more):
    return subprocess.run(
        [BUILD / "examples" / words[0], *words[1:], *more],
        cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


def results(words, folder, *more):
    """What an example prints as JSON, without what differs from run to run, and the number of events: a NIC port has one more."""
    done = run(words, folder, "--json=-", *more)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr}"
    all_of_it = json.loads(done.stdout)
    all_of_it.pop("options")  # they name the file
    for row in all_of_it.get("runs", []):
        for key in ("cpu_s", "max_rss_mb", "events"):
            row.pop(key, None)
    return all_of_it


# ---- the format


def kind_of(element):
    return f"nu {element.get('p')}" if element.tag == "nu" else element.tag


def check_members(name, root):
    right = root.tag == "anim" and root.get("ver") == "netanim-3.108" and root.get("filetype") == "animation"
    problem = "" if right else f"it begins with {root.tag} {root.attrib}\n"
    for element in root:
        must = MEMBERS.get(kind_of(element), {})
        if set(must) != set(element.attrib) or not all(re.fullmatch(must[key], element.get(key)) for key in must):
            problem += f"{element.tag} {element.attrib}\n"
    check(f"{name}: elements are as NetAnim has them", problem)


def check_numbers(name, root):
    nodes, counters = [], []
    problem = ""
    for element in root:
        if element.tag == "node":
            nodes.append(int(element.get("id")))
        if element.tag == "ncs":
            counters.append(element.get("ncId"))
        there = [element.get(key) for key in ("fromId", "toId", "i") if element.get(key)]
        there += [element.get("id")] if element.tag == "nu" else []
        if any(int(number) not in nodes for number in there) or element.get("c", "0") not in [*counters, "0"]:
            problem += f"it names what is not there: {element.tag} {element.attrib}\n"
    problem += "" if sorted(nodes) == list(range(len(nodes))) else f"nodes are {sorted(nodes)}\n"
    check(f"{name}: nodes are numbered without a gap, and come first", problem)


def updates_of(root):
    return [element for element in root if element.tag in ("nu", "nc")]


def headline_of(root):
    """The node that has the instant."""
    for element in updates_of(root):
        if re.match(r"(0 us|from .* on)(\n|$)", element.get("descr", "")):
            return element.get("id")
    return None


def check_instants(name, root):
    last = decimal.Decimal(0)
    problem = ""
    headline = headline_of(root)
    steps, headlines = {last}, set()
    for element in updates_of(root):
        now = decimal.Decimal(element.get("t"))
        problem += f"{now} after {last}\n" if now < last else ""
        problem += f"less than a picosecond: {now}\n" if now.as_tuple().exponent < -12 else ""
        last = now
        steps.add(now)
        if element.get("p") == "d" and element.get("id") == headline:
            value, unit = element.get("descr").split("\n")[0].removeprefix("from ").split(" ")[:2]
            headlines.add(now)
            if decimal.Decimal(value) * UNITS[unit] != now:
                problem += f"at {now} the headline is {element.get('descr')}\n"
    problem += "" if steps == headlines else f"without a headline: {sorted(steps - headlines)}\n"
    check(f"{name}: each step has its instant in the headline", problem)


# ---- what it shows


def lines_at(root, seconds):
    """The circuits at an instant: pairs of ports of the switch, one a beam that is not at its own port."""
    names = {element.get("toId"): element.get("td") for element in root if element.tag == "link" and element.get("td")}
    places = {}
    for element in updates_of(root):
        if element.get("p") == "p" and decimal.Decimal(element.get("t")) <= decimal.Decimal(seconds):
            places[element.get("id")] = (element.get("x"), element.get("y"))
    ports = {places[number]: name for number, name in names.items()}
    found = set()
    for element in root:
        start, end = element.get("fromId"), element.get("toId")
        if element.tag == "link" and start in names and end not in names and ports.get(places[end]) != names[start]:
            found.add(frozenset(int(name.split()[-1]) for name in (names[start], ports[places[end]])))
    return sorted(sorted(pair) for pair in found)


def check_lines(name, root, expected):
    for seconds, lines in expected:
        is_there = lines_at(root, seconds)
        check(f"{name}: circuits at {seconds} s", "" if is_there == lines else f"{is_there}, not {lines}")


def check_example(line, files):
    words = line.split()
    name = " ".join(word for word in words if "/" not in word)
    with tempfile.TemporaryDirectory() as folder:
        without, animated = results(words, folder), results(words, folder, "--netanim=animation.xml")
        check(f"{name}: the results are the same, trains too", "" if without == animated else f"{without}\n{animated}")
        there = sorted(pathlib.Path(folder).glob("*"))
        check(f"{name}: number of files", "" if len(there) == files else f"{there}")
        roots = []
        for file in there:
            what = name if files == 1 else f"{name}, {file.name}"
            try:
                roots.append(xml.etree.ElementTree.parse(file).getroot())
            except xml.etree.ElementTree.ParseError as error:
                check(f"{what}: it is XML", str(error))
                continue
            check_members(what, roots[-1])
            check_numbers(what, roots[-1])
            check_instants(what, roots[-1])
    return roots


def has_option(example):
    return "--netanim" in run([example, "--help"], ".").stdout


def check_interrupted():
    """Ctrl-C leaves a whole file."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "animation.xml"
        part = pathlib.Path(f"{file}.part")
        process = subprocess.Popen(
            [BUILD / "examples/opus-control-plane", "--policies=on-demand", "--iterations=1000", "--chart=0", f"--netanim={file}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and process.poll() is None and (not part.exists() or part.stat().st_size < 100_000):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SECONDS)
        try:
            problem = "" if len(xml.etree.ElementTree.parse(file).getroot()) > 1000 else "it is short"
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            problem = str(error)
        problem += f" {part} is left" if part.exists() else ""
        problem += "" if process.returncode == 130 and "interrupted" in err else f" exit code {process.returncode}: {err}"
        check("Ctrl-C leaves a whole file", problem)


def check_refusals():
    with tempfile.TemporaryDirectory() as folder:
        for line, words in (
            ("rail-collective --ranks=64 --netanim=a.xml", ["--netanim=a.xml", "64 GPUs", "128 ports", "64 a rail", "fewer"]),
            (
                "rail-collective --ranks=144 --scale-up-size=9 --algorithm=rail-rings --ports=4 --netanim=a.xml",
                ["--netanim=a.xml", "576 ports", "256 at most", "fewer"],
            ),
            ("opus-control-plane --ports=16 --netanim=a.xml --policies=on-demand", []),
            ("photonic-training --dp=64 --netanim=a.xml", ["--netanim=a.xml", "64 a rail at most"]),
            ("incast --senders=64 --netanim=a.xml", ["--netanim=a.xml", "65 GPUs", "64 a rail"]),
            ("two-hosts --netanim=/no-such-folder/a.xml", ["there is no folder /no-such-folder"]),
            ("two-hosts --netanim=-", ["--netanim=-", "name of a file"]),
            ("two-hosts --runs=2 --netanim=a.xml", ["--netanim=a.xml", "--runs"]),
            ("rail-collective --matrix --netanim=a.xml", ["--netanim=a.xml", "--matrix"]),
        ):
            done = run(line.split(), folder, "--check")
            refused = done.returncode == 2 and not done.stdout and all(word in done.stderr for word in words)
            right = refused if words else done.returncode == 0
            check(
                f"{line}: {'refused, before the run' if words else 'the limit'}",
                "" if right else f"exit code {done.returncode}\n{done.stdout}{done.stderr}",
            )
        check("a check writes no file", "\n".join(str(path) for path in pathlib.Path(folder).glob("*")))


decimal.getcontext().prec = 40
examples = sorted(path.stem for path in SOURCE.glob("examples/*.cc"))
with_option = [example for example in examples if has_option(example)]
check("all examples with the option are here", "" if with_option == sorted(LINES) else f"{with_option}")
for example in with_option:
    for line, files in LINES.get(example, []):
        roots = check_example(line, files)
        if example == "ocs-first-circuit":
            at = ("0.000099999999", "0.0001", "0.000124999999", "0.000125")
            check_lines(line, roots[0], list(zip(at, ([[0, 1]], [], [], [[0, 1]]))))
        if example == "close-a-ring":
            # port 2 h + 1 of host h leads to port 2 h + 2 of the next; host 1 leaves at 50 us, in 7 us
            others = [[0, 7], [5, 6]]
            at = ("0", "0.000049999999", "0.00005", "0.000056999999", "0.000057")
            ring, closed = sorted([[1, 2], [3, 4], *others]), sorted([[1, 4], *others])
            check_lines(line, roots[0], list(zip(at, (ring, ring, others, others, closed))))
check_interrupted()
check_refusals()
print(f"{failures} failed" if failures else "animations are as they should be")
sys.exit(failures > 0)
