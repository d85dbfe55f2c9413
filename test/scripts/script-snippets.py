#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""The C++ in the chapters compiles.

script-snippets.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

A literal block is C++ if a line of it ends with a semicolon. Each is compiled as the body of a function, among names that it takes for
granted: GIVEN below has them, as declarations. A line "..." stands for what a chapter leaves out. The whole files of doc/extending.rst are
compiled and run elsewhere (script-load, GoogleTest).
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
ELSEWHERE = ("extending",)

# what blocks take for granted, for all chapters
GIVEN = """
extern NodeContainer hosts;
extern NodeContainer gpus;
extern PhotonicRailHelper photonic;
extern PhotonicRailHelper railHelper;
extern Rail rail;
extern std::vector<Rail> rails;
extern RdmaHelper rdma;
extern OpusHelper opus;
extern OpusControlPlane plane;
extern CollectiveHelper collectives;
extern TrainingJobHelper helper;
extern TrainingJobHelper otherHelper;
extern ApplicationContainer applications;
extern ApplicationContainer ranks;
extern std::shared_ptr<RankProgram> program;
extern Ptr<CollectiveJob> job;
extern std::ofstream file;
"""

# and for some blocks, by their chapter and a word of theirs
GIVEN_BY = {
    ("analysis", "EnablePcap"): "extern PhotonicRailHelper rails;",
    ("analysis", "Timeline& picture"): "extern TimelineRecorder timeline; extern Time requested, granted;",
    ("analysis", "RailAnimation"): "extern Ptr<FaultInjector> injector;",
    ("analysis", "FinishedOperation"): "extern OperationRecord record; extern std::shared_ptr<const CommunicationGroup> group;"
    " extern uint32_t gpusPerServer, iteration;",
    ("collectives", "TraceConnect"): "void Report(std::string, const OperationRecord&);",
    ("collectives", "GroupedSend"): "extern uint32_t stages;",
    ("control-plane", "RecordedSchedule"): "extern OpusPhase phase; extern std::vector<RankCircuit> circuits;",
    ("fault-year", "FleetTraining"): "extern FleetFaults faults;",
    ("distributed", "SimulationProcesses"): "extern int argc; extern char** argv;",
    ("faults", "StopAfter"): "extern std::vector<Ptr<CollectiveApplication>> ranks;",
    ("output", "BeginRun"): "extern Scenario scenario; extern uint64_t bytes;",
    ("rdma", "SetArrivedCallback"): "struct MyApplication : public Object { void MessageIsIn(const RdmaMessage&);"
    " void MessageIsAcknowledged(const RdmaMessage&); void MessageFailed(const RdmaMessage&); }; extern Ptr<MyApplication> app;",
    ("recovery", "FirstSpare"): "extern Ptr<RecoveringJob> job;",
    ("recovery", "GetInjector"): "extern Ptr<RecoveringJob> job; extern FaultSchedule schedule;",
    ("traces", "JobHelper helper"): "extern JobPrograms job; extern OpusLimits limits;",
}


def blocks(chapter):
    """The blocks of C++ of a chapter, each as the number of its first line and the text."""
    lines = chapter.read_text().splitlines()
    number = 0
    while number < len(lines):
        line = lines[number].rstrip()
        number += 1
        if not (line.endswith("::") and not line.startswith(".. ") or line.startswith(".. code-block:: cpp")):
            continue
        first = number
        while number < len(lines) and (not lines[number].strip() or lines[number].startswith("   ")):
            number += 1
        text = "\n".join(lines[first:number])
        if re.search(r";$", text, re.MULTILINE):
            yield first + 1, text


def function(chapter, number, text):
    """A block as a function, whose lines have their numbers in the chapter."""
    given = [words for (stem, word), words in GIVEN_BY.items() if stem == chapter.stem and word in text]
    name = re.sub(r"\W", "_", chapter.stem)
    body = re.sub(r"^\s*\.\.\.$", "", text, flags=re.MULTILINE)
    return f'namespace {name}_{number}\n{{\n{" ".join(given)}\nvoid Block()\n{{\n#line {number} "{chapter}"\n{body}\n}}\n}}\n'


def main():
    """Compiles all blocks at once, without code."""
    found = [(chapter, *block) for chapter in sorted(SOURCE.glob("doc/*.rst")) if chapter.stem not in ELSEWHERE for block in blocks(chapter)]
    cache = (BUILD / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE).group(1)
    headers = "".join(f"#include <{name}>\n" for name in ("fstream", "iostream", "memory", "string", "vector"))
    modules = "".join(f'#include "ns3/{name}-module.h"\n' for name in ("core", "network", "internet", "applications", "photonic-rails"))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "blocks.cc"
        source.write_text(headers + modules + "\nusing namespace ns3;\n" + GIVEN + "".join(function(*block) for block in found))
        done = subprocess.run(
            [compiler, "-std=c++17", "-fsyntax-only", "-fmax-errors=40", "-DNS3_LOG_ENABLE", "-I", BUILD / "include", source],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
    wrong = sorted(set(re.findall(r"^(\S+\.rst):(\d+):\d+: error: (.*)$", done.stdout, re.MULTILINE)))
    for chapter, number, _ in found:
        print(f"block: {chapter.relative_to(SOURCE)}:{number}")
    for chapter, number, text in wrong:
        print(f"FAILED: {pathlib.Path(chapter).relative_to(SOURCE)}:{number}: {text}")
    if done.returncode and not wrong:
        print(f"FAILED: {done.stdout}")
    if not found:
        print("FAILED: there are no blocks")
    print(f"{'FAILED' if done.returncode else 'ok'}: {len(found)} blocks of C++")
    return done.returncode != 0 or not found


sys.exit(main())
