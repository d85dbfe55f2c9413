#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What the documentation says, held against the checkout and the built examples.

script-docs.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
script-docs.py SOURCE_DIR: only the checks that run no example.
script-docs.py SOURCE_DIR BUILD_DIR --all: commands that end with "# long" are run too, and those that take seconds (SECONDS_LONG).
script-docs.py SOURCE_DIR BUILD_DIR --update: replaces the lines below a command by those that it prints, where they differ, and the
tables of comparisons by what the runs give.

- Console blocks: each "$ ./rails run EXAMPLE OPTION..." is run, and must print what stands below it.
  A line "..." stands for any number of lines, " ..." at the end of one for its rest. With nothing
  below it, it must only succeed. Before it may stand variables of the environment and "time", behind it "2>&1", and "# long". A
  command may go on in the next line behind a backslash. What it loads is compiled before, where its source is in doc/labs or
  test/extending.
- "$ ./rails sweep ..." and "$ ./rails plot ..." likewise, those of a document in one folder.
- Comparisons (comparisons.py): the tables of doc/validation.rst have the values that its commands give, their errors and the
  summary of these. Where a command is not run, its values are those of the table.
- Scripts: a C++ block below a comment <!-- FILE from MARKER --> is that file's end, from the marker.
- Tables of attributes, with their defaults, and of trace sources: as the classes declare them, each in one chapter.
- Reasons for which packet events take over from trains: as the classes tell them.
- Links from one file to another lead somewhere: those of Markdown, :doc:, :ref:, citations, and names of files in doc/.
- Chapters: each is in the index, and begins with a title and a picture.
- Examples: they answer --help, take --json and --fidelity, and each key that they write is documented (without --all, of the tested
  lines that are not in short_runs.MANY_FRAMES).
"""

import argparse
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

import comparisons
import shared_objects
from short_runs import has_many_frames

SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run of an example

# Classes whose attributes and trace sources must stand in tables; those of others are checked if they do.
REQUIRED = (
    "CollectiveApplication",
    "DcqcnControl",
    "ElectricalRailSwitch",
    "ElectricalSwitchPort",
    "ForwardingTransport",
    "HexagonalMeshFabric",
    "HostEndpoint",
    "MeshFabric",
    "OcsAgent",
    "OpticalCircuitSwitch",
    "OpticalFiber",
    "OpusControllerApp",
    "OpusEndpoint",
    "OpusShimApp",
    "RailNetDevice",
    "RdmaClientApplication",
    "RdmaEngine",
    "RdmaSinkApplication",
    "RecordedPolicy",
    "RotorPolicy",
    "ScaleUpDomain",
    "StandingCircuits",
    "StaticSplitPolicy",
    "StaticWindowControl",
)

# these take seconds each, of the minutes that a test has: they are left to --all, and a reader need not know
SECONDS_LONG = {
    f"./rails run {line}"
    for line in (
        "faults-and-spares",
        "faults-and-spares --fails=server --on-failure=splice",
        "faults-and-spares --link-up=2s --dark-limit=3s --on-failure=splice,shrink",
        "faults-and-spares --on-failure=splice --checkpoint-interval=1",
        "faults-and-spares --on-failure=splice --checkpoint-interval=3",
        "faults-and-spares --sharding=none --checkpoint-interval=0 --on-failure=splice,shrink",
        *(
            f"photonic-training --layers={layers} {plan} --sharding=none --microbatch-size=1 --sequence={tokens} --policy=on-demand "
            f"--reconfiguration={delay} --iterations=4 --straggler=12:1.5{aware}"
            for layers, plan, tokens, delay in (
                (1, "--tp=1 --dp=16 --pp=1 --scale-up-size=1", 1024, "10us"),
                (2, "--dp=4 --pp=1", 2048, "10us"),
                (2, "--dp=4 --pp=1", 2048, "15ms"),
            )
            for aware in ("", " --straggler-aware")
        ),
        "photonic-training --plot=iteration.svg",
        "photonic-training --policy=on-demand,provisioned --technology=mems",
        "photonic-training --policy=on-demand,provisioned --technology=robotic",
        "photonic-training --quick --output=out",
        "photonic-training --quick --policy=on-demand --reconfiguration=25ms --noise=measured --runs=4",
        "photonic-training --quick --technology=piezo --link-up=2s",
        "photonic-training --reconfiguration=0s,100ms,1s --policy=on-demand",
        "photonic-training --reconfiguration=0s,100ms,1s --policy=provisioned",
        "pip-all-to-all",
        "pip-all-to-all --transceiver=lr4 --cell-loss=0.05 --table=false",
        "rail-collective --collective=all-gather --ranks=10 --min=32M --max=16G --times=nccl --rail-start=78us --protocol=Tuned",
        "rail-collective --collective=all-to-all --min=4G --max=8G",
        "rail-collective --collective=all-to-all --ranks=32 --min=64M --max=64M --rail-kind=electrical",
        "rail-collective --collective=reduce-scatter --ranks=10 --min=32M --max=16G --times=nccl --rail-start=78us --protocol=Tuned",
        "rail-collective --matrix",
        "rail-collective --ranks=10 --min=32M --max=16G --times=nccl --rail-start=78us --protocol=Tuned",
        "shared-rails",
        "straggler-sweep --place=optical --reconfigurations=1us,100us,1ms --sizes=64M,1G --delays=20ms",
    )
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("build", type=pathlib.Path, nargs="?")
parser.add_argument("--all", action="store_true", help="runs long commands too")
parser.add_argument("--update", action="store_true", help="writes what the examples print into the documentation")
options = parser.parse_args()
if options.update and not options.build:
    parser.error("--update takes the build folder")

SECONDS *= 20 if options.all else 1
SOURCE = options.source.resolve()
BUILD = options.build and options.build.resolve()
INDEX = SOURCE / "doc/photonic-rails.rst"
VALIDATION = SOURCE / "doc/validation.rst"
COMPARED = comparisons.load(SOURCE / "doc/validation/comparisons.json")
RESULTS = "--json=results.json"  # of runs with which something is compared
CHAPTERS = sorted(SOURCE.glob("doc/*.rst"))
DOCUMENTS = sorted([*SOURCE.glob("*.md"), *SOURCE.glob("doc/**/*.md"), *SOURCE.glob("doc/**/*.rst")])
NO_REFERENCE = ("performance", "published-figures", "validation")  # a key in figures and results is not documented
EXAMPLES = sorted(path.stem for folder in ("examples", "tools") for path in SOURCE.glob(f"{folder}/*.cc"))

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def relative(path):
    return path.relative_to(SOURCE)


RUNS = {}
JSON = {}  # by run, what it wrote


def run(example, arguments, environment=None, with_log=False):
    """Runs an example in an empty folder, once. Returns what it prints and what is wrong, if anything."""
    key = (example, *arguments, "|", *(environment or {}).items(), with_log)
    if key not in RUNS:
        RUNS[key], JSON[key] = run_anew(example, arguments, environment, with_log)
    return RUNS[key]


def run_anew(example, arguments, environment, with_log):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "doc").symlink_to(SOURCE / "doc")  # commands name files in it
        shared_objects.compile_loaded(shlex.join(arguments), BUILD, folder)
        try:
            done = subprocess.run(
                [BUILD / "examples" / example, *arguments],
                cwd=folder, env={**os.environ, **(environment or {})}, timeout=SECONDS, check=False, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT if with_log else subprocess.PIPE,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return ("", str(error)), None
        results = pathlib.Path(folder) / "results.json"
        written = json.loads(results.read_text()) if results.exists() and not done.returncode else None
    return (done.stdout, f"exit code {done.returncode}\n{done.stderr}" if done.returncode else ""), written


TOOLS = {"sweep": "sweep", "plot": "plot-sweep"}  # commands of ./rails that are run as they are, by the files in tools/
FOLDERS = {}  # in which a document's sweeps are


def run_tool(tool, arguments, path):
    """Runs a tool in the folder of a document. Returns what it prints and what is wrong, if anything."""
    folder = FOLDERS.setdefault(path, tempfile.TemporaryDirectory())
    done = subprocess.run(
        [SOURCE / "tools" / tool, *arguments], cwd=folder.name, env={**os.environ, "RAILS_BUILD_DIR": str(BUILD)}, timeout=SECONDS,
        check=False, text=True, capture_output=True,
    )
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
    """The commands of a block, as (number of their last line, words, whether it is long, lines below it)."""
    found = []
    text = None  # of a command that goes on
    for number, line in enumerate(lines, first):
        if text is not None or line.startswith("$ "):
            text = line[2:] if text is None else text + line.strip()
            if text.endswith("\\"):
                text = text[:-1]
                continue
            words = shlex.split(text, comments=True)
            found.append((number, words, re.search(r"\s# long$", text) is not None or " ".join(words) in SECONDS_LONG, []))
            text = None
        elif found:
            found[-1][3].append(line)
    for number, words, is_long, output in found:
        while output and not output[-1].strip():
            output.pop()
        yield number, words, is_long, output


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


def similarity(expected, printed):
    """How well a printed line takes the place of an expected one: -0.5 to 0.5, and more if it is that line."""
    if expected.endswith(" ..."):
        expected, printed = expected[:-4], printed[: len(expected) - 4]
    if expected == printed:
        return 1.5 if expected.strip() else 0.5
    return difflib.SequenceMatcher(None, expected, printed, autojunk=False).ratio() - 0.5


def aligned(expected, printed):
    """The expected lines with the index of the printed line of each, in order, that fit best.

    None stands for a line that is gone, and for "..."; a printed line between two of one stretch has no expected line.
    """
    missing = -0.6  # an expected line that is not printed, or a printed one that was not expected
    ends = [[0.0] * (len(printed) + 1) for _ in range(len(expected) + 1)]  # best sums from these two lines on
    steps = [[""] * (len(printed) + 1) for _ in range(len(expected) + 1)]
    for i in range(len(expected), -1, -1):
        for j in range(len(printed), -1, -1):
            ways = []
            dots = i < len(expected) and expected[i] == "..."
            if i < len(expected) and j < len(printed) and not dots:
                ways.append((ends[i + 1][j + 1] + similarity(expected[i], printed[j]), "both"))
            if i < len(expected):
                ways.append((ends[i + 1][j] + (0 if dots else missing), "expected"))
            if j < len(printed):
                ways.append((ends[i][j + 1] + (0 if dots else missing), "skipped" if dots else "printed"))
            ends[i][j], steps[i][j] = max(ways, key=lambda way: way[0], default=(0.0, ""))
    i = j = 0
    while steps[i][j]:
        step = steps[i][j]
        if step != "skipped":
            yield expected[i] if step != "printed" else None, j if step != "expected" else None
        i += step in ("both", "expected")
        j += step in ("both", "printed", "skipped")


def shortened(line, expected):
    """A printed line, cut behind as many words as the expected one has before its " ..."."""
    found = re.match(r"\s*" + r"\s+".join([r"\S+"] * len(expected[:-4].split())), line)
    return (found.group(0) if found else line) + " ..."


def updated(expected, printed):
    """The lines to document: "..." and " ..." stay, and printed lines take the places of the others."""
    lines = []
    for line, index in aligned(expected, printed):
        if line == "...":
            lines.append(line)
        elif index is not None:
            cut = line is not None and line.endswith(" ...")
            lines.append(shortened(printed[index], line) if cut else printed[index])
    return lines


def compared_runs():
    """The commands of all comparisons, as words."""
    return [shlex.split(command) for one in COMPARED for command in one["runs"].values()]


def check_command(where, words, is_long, expected, rails):
    """Returns the lines to document below the command if they differ from those that are."""
    environment = {}
    while words and (words[0] == "time" or re.match(r"[A-Z_]+=", words[0])):
        name, _, value = words[0].partition("=")
        environment |= {name: value} if value else {}
        words = words[1:]
    if words[:1] != ["./rails"]:
        return None
    with_log = words[-1] == "2>&1"
    words = words[: -1 if with_log else None]
    tool = TOOLS.get(words[1]) if BUILD and words[2:] and not (is_long and not options.all) else None
    if words[1:2] != ["run"] and not tool:
        known = len(words) > 1 and re.search(rf"^    {re.escape(words[1])}\b.*\)", rails, re.MULTILINE)
        check(f"{where}: ./rails knows the command", "" if known else f"no such command: {words[1:]}")
        return None
    if tool:
        printed, problem = run_tool(tool, words[2:], path_of(where))
        return compare_printed(f"{where}: {shlex.join(words)}", expected, printed, problem)
    example, arguments = (words[2:3] or re.findall(r"^flagship=(.*)$", rails, re.MULTILINE))[0], words[3:]
    what = f"{where}: {example} {shlex.join(arguments)}".rstrip()
    if not BUILD:
        check(f"{what}: there is such an example", "" if example in EXAMPLES else "no such file in examples or tools")
        return None
    if is_long and not options.all:
        check(f"{what}: there is such an example", "" if example in EXAMPLES else "no such file in examples or tools")
        return None
    more = [RESULTS] if path_of(where) == VALIDATION and [example, *arguments] in compared_runs() else []
    printed, problem = run(example, [*arguments, *more], environment, with_log)
    return compare_printed(what, expected, printed, problem)


def compare_printed(what, expected, printed, problem):
    """Returns the lines to document if they differ from those that are."""
    differs = not problem and expected and not matches(expected, printed)
    if differs:
        there = updated(expected, printed.splitlines()) if options.update else printed.splitlines()
        problem = "\n".join(difflib.unified_diff(expected, there, "documented", "printed", lineterm=""))
    if differs and options.update and matches(there, printed):
        print(f"updated: {what}\n{problem}", flush=True)
        return there
    check(what, problem)
    return None


def path_of(where):
    """The file of a place such as doc/light.rst:7."""
    return SOURCE / where.rpartition(":")[0]


def check_console_blocks():
    rails = (SOURCE / "rails").read_text()
    for path in DOCUMENTS:
        changes = []
        for block in console_blocks(path):
            for number, words, is_long, expected in commands(*block):
                there = check_command(f"{relative(path)}:{number}", words, is_long, expected, rails)
                if there is not None:
                    changes.append((number, len(expected), there))
        if changes:
            lines = path.read_text().splitlines()
            indent = "" if path.suffix == ".md" else "   "
            for number, count, there in reversed(changes):
                lines[number : number + count] = [indent + line if line else "" for line in there]
            path.write_text("\n".join(lines) + "\n")


# ---- comparisons


def documented_commands():
    """The commands of the chapter: words, and whether they are long."""
    for block in console_blocks(VALIDATION):
        for _, words, is_long, _ in commands(*block):
            if words[:2] == ["./rails", "run"]:
                yield words[2:], is_long


def results_of(words, long_ones):
    """What a command of a comparison writes as JSON; None if it is not run."""
    if not BUILD or (words in long_ones and not options.all):
        return None
    run(words[0], [*words[1:], RESULTS])
    return JSON[(words[0], *words[1:], RESULTS, "|", False)]


def values_here(comparison, long_ones):
    """The printed value of each line, and what is wrong, if anything."""
    results = {name: results_of(shlex.split(command), long_ones) for name, command in comparison["runs"].items()}
    documented = {row[0]: row[2] for row in table(comparison["title"]) if len(row) > 2}
    values = []
    problem = ""
    for line in comparison["lines"]:
        try:
            if all(results[name] is not None for name in comparisons.runs_of(line)):
                values.append(f"{comparisons.evaluate(line['value'], results):.{comparison['digits']}f}")
            else:
                values.append(documented.get(line["line"], ""))
                float(values[-1])
        except ValueError:
            problem += f"{line['line']}: the table has no value, and its command is not run; try --all --update\n"
            values[-1] = "nan"
        except comparisons.Mistake as error:
            problem += f"{line['line']}: {error}\n"
            values.append("nan")
    return values, problem


def replace_table(title, rows):
    """Writes the rows of a table into the chapter."""
    text = VALIDATION.read_text()
    start = re.search(rf"^\.\. list-table:: {re.escape(title)}\n", text, re.MULTILINE).end()
    end = start + re.match(r"(?:   .*\n|\n)*", text[start:]).end()
    VALIDATION.write_text(text[:start] + "\n".join(comparisons.render(rows)) + "\n\n" + text[end:])


def check_table(title, rows, problem):
    """Compares a table of the chapter with what it should have, or writes it."""
    if not problem and options.update and rows[1:] != table(title):
        replace_table(title, rows)
        print(f"updated: the table {title}", flush=True)
    expected = [" | ".join(row) for row in rows[1:]]
    there = [" | ".join(row) for row in table(title)]
    problem += "\n".join(difflib.unified_diff(there, expected, "documented", "worked out", lineterm=""))
    check(f"{relative(VALIDATION)}: {title}", problem)


def check_comparisons():
    documented = [*documented_commands()]
    missing = [words for words in compared_runs() if words not in [known for known, _ in documented]]
    check("the commands of comparisons are in the chapter", "\n".join(map(shlex.join, missing)))
    long_ones = [words for words, is_long in documented if is_long]
    heres = []
    for comparison in COMPARED:
        values, problem = values_here(comparison, long_ones)
        heres.append(values)
        check_table(comparison["title"], comparisons.rows_of(comparison, values), problem)
    check_table("Summary", comparisons.summary_of(COMPARED, heres), "")


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
    """The cells of a list-table of the chapters, row by row, without its heading."""
    found = [
        body
        for chapter in CHAPTERS
        for body in re.findall(
            rf"^\.\. list-table:: {re.escape(title)}\n((?:   .*\n|\n)*)", chapter.read_text(), re.MULTILINE
        )
    ]
    if len(found) > 1:
        check(f"the table {title} stands once", f"it is there {len(found)} times")
    rows = re.split(r"^   \* - ", found[0], flags=re.MULTILINE)[2:] if found else []
    return [[" ".join(cell.split()) for cell in re.split(r"^     -(?: |$)", row, flags=re.MULTILINE)] for row in rows]


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
    if not problem and rows and BUILD:
        printed, problem = run(EXAMPLES[0], [f"--PrintAttributes=ns3::{name}"])
        defaults = dict(re.findall(rf"--ns3::{name}::(\w+)=\[(.*)\]", printed))
        for row in rows:
            attribute, default = row[0].strip("`"), defaults.get(row[0].strip("`"), "not printed")
            if plain(row[1]) != plain(default):
                problem += f"{attribute} is documented as {row[1]}, and its default is {default}\n"
    check(f"attributes of {name}{' and their defaults' if BUILD else ''} are documented", problem)


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


def prose(path):
    """The text of a file without its blocks of code, and without what stands between double backquotes."""
    text = path.read_text()
    if path.suffix == ".md":
        return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = []
    code = False
    for line in text.splitlines():
        code = code and (not line.strip() or line.startswith("   "))
        if not code:
            lines.append(line)
            code = line.endswith("::") and not line.startswith(".. list-table") or line.startswith(".. code-block::")
    return re.sub(r"``.*?``", "", "\n".join(lines), flags=re.DOTALL)


def missing_links_of_chapter(path, labels, citations):
    """What the links of a reStructuredText file name and nothing defines."""
    text = prose(path)
    for role, target in re.findall(r":(doc|ref):`(?:[^`<]*<)?([^`<>]+)>?`", text):
        if role == "doc" and not (path.parent / f"{target}.rst").exists():
            yield f":doc: {target}: there is no such file"
        if role == "ref" and labels.count(target) != 1:
            yield f":ref: {target}: there are {labels.count(target)} such labels"
    for target in re.findall(r"\[([A-Za-z0-9]+)\]_", text):
        if citations.count(target) != 1:
            yield f"[{target}]_: there are {citations.count(target)} such references"
    titles = re.findall(r"^(\S.*)\n([-*=#])\2{2,}$", text, re.MULTILINE)
    for target in re.findall(r"(?<![`:\w])`([^`<>]+)`_(?!\w)", text):
        if " ".join(target.split()) not in [title for title, _ in titles]:
            yield f"`{target}`_: there is no such title"


def missing_files(path):
    """Files of the checkout that a document names and that are not there."""
    for name in re.findall(
        r"(?<![\w./-])(?:doc|test|examples|tools|bench|cmake|wscript-compat)/[\w./-]*\.(?:rst|md|py|h|cc|txt|json|sh)\b",
        path.read_text(),
    ):
        if not (SOURCE / name).exists() and "NAME" not in name:
            yield f"{name}: there is no such file"


def check_links():
    chapters = {path: path.read_text() for path in CHAPTERS}
    labels = [x for text in chapters.values() for x in re.findall(r"^\.\. _([\w-]+):$", text, re.MULTILINE)]
    citations = [x for text in chapters.values() for x in re.findall(r"^\.\. \[(\w+)\] ", text, re.MULTILINE)]
    for path in DOCUMENTS:
        missing = list(missing_files(path))
        if path.suffix == ".md":
            targets = re.findall(r"\]\(([^)#\s]+)", prose(path))
            missing += [x for x in targets if not re.match(r"\w+:", x) and not (path.parent / x).exists()]
        else:
            missing += missing_links_of_chapter(path, labels, citations)
        check(f"{relative(path)}: links lead somewhere", "\n".join(missing))


# ---- chapters


def check_chapters():
    found = re.search(r"^\.\. toctree::\n((?:   .*\n|\n)*)", INDEX.read_text(), re.MULTILINE)
    entries = [line.strip() for line in found.group(1).splitlines() if re.match(r"   [^:\s]", line)] if found else []
    stems = [path.stem for path in CHAPTERS if path != INDEX]
    problem = names_differ(entries, stems)
    if len(set(entries)) < len(entries):
        problem += "\na chapter stands there twice"
    check(f"{relative(INDEX)} lists the chapters", problem)
    for path in CHAPTERS:
        lines = path.read_text().splitlines()
        problem = "" if lines[1:2] == ["-" * len(lines[0])] else "the first lines are no title\n"
        first = [line for line in lines[2:] if line.strip() and not line.startswith(("..", "   "))][:1]
        problem += "" if first == ["::"] else "no picture stands below the title\n"
        for number, (title, line) in enumerate(zip(lines, lines[1:]), 1):
            if re.fullmatch(r"([-*=#])\1{2,}", line) and re.match(r"\w", title) and len(line) != len(title):
                problem += f"line {number}: the line below the title {title} has another length\n"
        check(f"{relative(path)} begins with a title and a picture", problem)


# ---- examples


def keys(value):
    """All keys of a JSON value, at any depth."""
    if isinstance(value, dict):
        yield from value
        value = {key: inner for key, inner in value.items() if key != "options"}  # they are in --help
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(inner)


def check_examples():
    chapter = "".join(path.read_text() for path in CHAPTERS if path.stem not in NO_REFERENCE)
    tested = runpy.run_path(str(SOURCE / "test/examples-to-run.py"))["cpp_examples"]
    for example in EXAMPLES:
        check(f"{example} is documented", "" if f"``{example}``" in chapter else "not in a chapter of doc/")

        lines = [shlex.split(line[0]) for line in tested if options.all or not has_many_frames(line[0])]
        small = [line[1:] for line in lines if line[0] == example and "--json=-" in line]
        check(
            f"{example} is run as a test, with --json=-",
            "" if small else "add it to test/examples-to-run.py",
        )
        if not BUILD:
            continue
        printed, problem = run(example, ["--help"])
        missing = [option for option in ("--json:", "--fidelity:") if option not in printed]
        check(f"{example} --help lists --json and --fidelity", problem or "\n".join(missing))
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
check_comparisons()
if not options.update:
    check_scripts()
    check_declared()
    check_reasons()
    check_links()
    check_chapters()
    check_examples()
print(f"{failures} failed" if failures else "all is as documented")
sys.exit(failures > 0)
