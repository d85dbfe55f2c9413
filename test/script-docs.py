#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What the documentation says, held against the checkout and the built examples.

script-docs.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

- Console blocks: each "$ ./rails run EXAMPLE OPTION..." is run, and must print what stands below it.
  A line "..." stands for any number of lines, " ..." at the end of one for its rest. With nothing
  below it, it must only succeed. Before it may stand variables of the environment and "time", behind it "2>&1".
- Scripts: a C++ block below a comment <!-- FILE from MARKER --> is that file's end, from the marker.
- Tables of attributes, with their defaults, and of trace sources: as the classes declare them.
- Reasons for which packet events take over from trains: as the classes tell them.
- Links from one file to another lead somewhere.
- Examples: they answer --help, take --json and --fidelity, and each key that they write is documented.
"""

import difflib
import itertools
import json
import os
import pathlib
import re
import runpy
import shlex
import subprocess
import sys
import tempfile

SECONDS = 15 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run of an example

# Classes whose attributes and trace sources must stand in tables; those of others are checked if they do.
REQUIRED = (
    "CollectiveApplication",
    "ElectricalRailSwitch",
    "ElectricalSwitchPort",
    "ForwardingTransport",
    "HostEndpoint",
    "OcsAgent",
    "OpticalCircuitSwitch",
    "OpticalFiber",
    "OpusControllerApp",
    "OpusEndpoint",
    "OpusShimApp",
    "RailNetDevice",
    "RdmaEngine",
    "ScaleUpDomain",
    "StandingCircuits",
)

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
CHAPTER = SOURCE / "doc/photonic-rails.rst"
DOCUMENTS = sorted([*SOURCE.glob("*.md"), *SOURCE.glob("doc/**/*.md"), *SOURCE.glob("doc/**/*.rst")])
EXAMPLES = sorted(path.stem for path in SOURCE.glob("examples/*.cc"))

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def relative(path):
    return path.relative_to(SOURCE)


def run(example, arguments, environment=None, with_log=False):
    """Runs an example in an empty folder. Returns what it prints and what is wrong, if anything."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [BUILD / "examples" / example, *arguments],
                cwd=folder, env={**os.environ, **(environment or {})}, timeout=SECONDS, check=False, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT if with_log else subprocess.PIPE,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return "", str(error)
    return done.stdout, f"exit code {done.returncode}\n{done.stderr}" if done.returncode else ""


# ---- console blocks


def console_blocks(path):
    """The console blocks of a file, as (number of the first line, lines)."""
    lines = path.read_text().splitlines()
    block = None
    for number, line in enumerate(lines, 1):
        if path.suffix == ".md":
            if block is None and line.strip() == "```console":
                block = (number + 1, [])
            elif block is not None and line.strip() == "```":
                yield block
                block = None
            elif block is not None:
                block[1].append(line)
        elif block is None and re.fullmatch(r"\s*\.\. code-block:: console", line):
            body = itertools.takewhile(lambda x: not x.strip() or x.startswith("   "), lines[number:])
            yield number + 1, [x[3:] for x in body]


def commands(first, lines):
    """The commands of a block, as (number of the line, words, lines below it)."""
    found = []
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            found.append((number, shlex.split(line[2:], comments=True), []))
        elif found:
            found[-1][2].append(line)
    for number, words, output in found:
        while output and not output[-1].strip():
            output.pop()
        yield number, words, output


def matches(expected, printed):
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*?"
        elif line.endswith(" ..."):
            pattern += re.escape(line[:-4]) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.fullmatch(pattern, printed) is not None


def check_command(where, words, expected, rails):
    environment = {}
    while words and (words[0] == "time" or re.match(r"[A-Z_]+=", words[0])):
        name, _, value = words[0].partition("=")
        environment |= {name: value} if value else {}
        words = words[1:]
    if words[:1] != ["./rails"]:
        return
    with_log = words[-1] == "2>&1"
    words = words[: -1 if with_log else None]
    if words[1:2] != ["run"]:
        known = len(words) > 1 and re.search(rf"^    {re.escape(words[1])}\b.*\)", rails, re.MULTILINE)
        check(f"{where}: ./rails knows the command", "" if known else f"no such command: {words[1:]}")
        return
    example, arguments = (words[2:3] or re.findall(r"^flagship=(.*)$", rails, re.MULTILINE))[0], words[3:]
    printed, problem = run(example, arguments, environment, with_log)
    if not problem and expected and not matches(expected, printed):
        problem = "\n".join(
            difflib.unified_diff(expected, printed.splitlines(), "documented", "printed", lineterm="")
        )
    check(f"{where}: {example} {shlex.join(arguments)}".rstrip(), problem)


def check_console_blocks():
    rails = (SOURCE / "rails").read_text()
    for path in DOCUMENTS:
        for block in console_blocks(path):
            for number, words, expected in commands(*block):
                check_command(f"{relative(path)}:{number}", words, expected, rails)


# ---- scripts


def check_scripts():
    found = 0
    for path in DOCUMENTS:
        for name, marker, text in re.findall(
            r"^<!-- (\S+) from (.*?) -->\n\s*```cpp\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL
        ):
            found += 1
            lines = (SOURCE / name).read_text().splitlines(keepends=True)
            starts = [i for i, line in enumerate(lines) if line.strip() == marker]
            there = "".join(lines[starts[0] :]) if starts else f"no line {marker}\n"
            problem = "".join(difflib.unified_diff(there.splitlines(True), text.splitlines(True), name, str(path)))
            check(f"{relative(path)}: its script is the end of {name}", problem)
    check("the documentation shows a script", "" if found else "no block below <!-- FILE from MARKER -->")


# ---- attributes and trace sources


def declared():
    """What each class declares: {class: (attributes, trace sources)}."""
    classes = {}
    for path in sorted([*SOURCE.glob("model/**/*.cc"), *SOURCE.glob("helper/**/*.cc")]):
        names = ([], [])
        for kind, name in re.findall(
            r'\b(TypeId|AddAttribute|AddTraceSource)\(\s*"([\w:]+)"', path.read_text()
        ):
            if kind == "TypeId":
                names = classes.setdefault(name.removeprefix("ns3::"), ([], []))
            else:
                names[kind == "AddTraceSource"].append(name)
    return {name: both for name, both in classes.items() if any(both)}


def table(title):
    """The cells of a list-table of the chapter, row by row, without its heading."""
    found = re.search(
        rf"^\.\. list-table:: {re.escape(title)}\n((?:   .*\n|\n)*)", CHAPTER.read_text(), re.MULTILINE
    )
    rows = re.split(r"^   \* - ", found.group(1), flags=re.MULTILINE)[2:] if found else []
    return [[" ".join(cell.split()) for cell in re.split(r"^     - ", row, flags=re.MULTILINE)] for row in rows]


def plain(value):
    """A default, however it is written: times in ps, rates in b/s, no sign, no quotes."""
    value = value.strip("`").removeprefix("+")
    found = re.fullmatch(r"([\d.]+(?:e\+?\d+)?) ?(ps|ns|us|ms|s|bps|Mbps|Gbps)", value)
    if found:
        unit = {"ps": 1, "ns": 1e3, "us": 1e6, "ms": 1e9, "s": 1e12, "bps": 1, "Mbps": 1e6, "Gbps": 1e9}[found.group(2)]
        return round(float(found.group(1)) * unit)
    return {"null": "0", "none": ""}.get(value, value)


def names_differ(documented, there):
    problems = [f"not documented: {name}" for name in there if name not in documented]
    return "\n".join(problems + [f"there is no {name}" for name in documented if name not in there])


def check_attributes(name, attributes):
    rows = table(f"Attributes of {name}")
    problem = names_differ([row[0].strip("`") for row in rows], attributes)
    if not problem and rows:
        printed, problem = run(EXAMPLES[0], [f"--PrintAttributes=ns3::{name}"])
        defaults = dict(re.findall(rf"--ns3::{name}::(\w+)=\[(.*)\]", printed))
        for row in rows:
            attribute, default = row[0].strip("`"), defaults.get(row[0].strip("`"), "not printed")
            if plain(row[1]) != plain(default):
                problem += f"{attribute} is documented as {row[1]}, and its default is {default}\n"
    check(f"attributes of {name} and their defaults are documented", problem)


def check_declared():
    classes = declared()
    missing = [name for name in REQUIRED if name not in classes]
    check("the classes that must be documented declare something", "\n".join(missing))
    for name, (attributes, sources) in classes.items():
        if name not in REQUIRED and not table(f"Attributes of {name}") + table(f"Trace sources of {name}"):
            continue
        if attributes:
            check_attributes(name, attributes)
        if sources:
            documented = [row[0].strip("`") for row in table(f"Trace sources of {name}")]
            check(f"trace sources of {name} are documented", names_differ(documented, sources))


# ---- reasons


def check_reasons():
    reasons = set()
    for path in SOURCE.glob("model/**/*.cc"):
        for pattern in (r'LeaveTrain\([^;"]*"([^"]+)"', r'm_noTrains = "([^"]+)"'):
            reasons |= set(re.findall(pattern, path.read_text()))
    text = "".join(path.read_text() for path in SOURCE.glob("model/**/*.cc"))
    rows = table("Why packet events take over")
    documented = [x for row in rows for x in re.findall(r"``([^`]+)``", row[0]) if " " in x]
    problem = "" if documented else "there is no table\n"
    problem += "".join(f"not documented: {x}\n" for x in sorted(reasons) if x not in documented)
    problem += "".join(f"no class says: {x}\n" for x in documented if f'"{x}"' not in text)
    check("the reasons for which packet events take over are documented", problem)


# ---- links


def check_links():
    for path in DOCUMENTS:
        if path.suffix != ".md":
            continue
        text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        targets = re.findall(r"\]\(([^)#\s]+)", text)
        missing = [x for x in targets if not re.match(r"\w+:", x) and not (path.parent / x).exists()]
        check(f"{relative(path)}: links lead somewhere", "\n".join(missing))


# ---- examples


def keys(value):
    """All keys of a JSON value, at any depth."""
    if isinstance(value, dict):
        yield from value
        value = {key: inner for key, inner in value.items() if key != "options"}  # they are in --help
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(inner)


def check_examples():
    chapter = CHAPTER.read_text()
    tested = runpy.run_path(str(SOURCE / "test/examples-to-run.py"))["cpp_examples"]
    for example in EXAMPLES:
        printed, problem = run(example, ["--help"])
        missing = [option for option in ("--json:", "--fidelity:") if option not in printed]
        check(f"{example} --help lists --json and --fidelity", problem or "\n".join(missing))

        check(f"{example} is documented", "" if f"``{example}``" in chapter else f"not in {relative(CHAPTER)}")

        lines = [shlex.split(line[0]) for line in tested]
        small = [line[1:] for line in lines if line[0] == example and "--json=-" in line]
        check(
            f"{example} is run as a test, with --json=-",
            "" if small else "add it to test/examples-to-run.py",
        )
        written = set()
        problem = ""
        for arguments in small:
            printed, wrong = run(example, arguments)
            problem += wrong
            try:
                written |= set(keys(json.loads(printed)))
            except ValueError as error:
                problem += f"{shlex.join(arguments)} prints no JSON: {error}\n"
        problem += "".join(f"not documented: {key}\n" for key in sorted(written) if f"``{key}``" not in chapter)
        check(f"{example}: the JSON keys are documented", problem)


check_console_blocks()
check_scripts()
check_declared()
check_reasons()
check_links()
check_examples()
print(f"{failures} failed" if failures else "all is as documented")
sys.exit(failures > 0)
