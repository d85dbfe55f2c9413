#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""A user's own policy and algorithm, each in one file, are compiled as doc/extending.rst says and chosen by name.

script-load.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SECONDS = 300 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
SHORT = ["--layers=2", "--microbatch-size=1", "--sequence=1024", "--reconfiguration=1ms"]

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(program, *arguments):
    """Exit code, stdout and stderr of an example."""
    done = subprocess.run(
        [BUILD / "examples" / program, *arguments], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    return done.returncode, done.stdout, done.stderr


def results_of(program, *arguments):
    """The JSON of an example that has to succeed."""
    code, out, err = run(program, *arguments, "--json=-")
    if code != 0:
        raise RuntimeError(f"{program} {shlex.join(arguments)}: exit code {code}: {err}")
    return json.loads(out)


def compile_as_documented(folder, name):
    """A shared object, by the command of the chapter for a checkout."""
    chapter = (SOURCE / "doc/extending.rst").read_text()
    command = re.search(r"^    (g\+\+ .* -I build/include sticky-policy\.cc -o sticky-policy\.so)$", chapter, re.MULTILINE)
    words = shlex.split(command.group(1).replace("sticky-policy", name).replace("build/", f"{BUILD}/"))
    cache = (BUILD / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE).group(1)
    sanitizers = re.search(r"^PHOTONIC_RAILS_SANITIZE:\w+=(.+)$", cache, re.MULTILINE)
    more = [f"-fsanitize={sanitizers.group(1)}"] if sanitizers else []
    (folder / f"{name}.cc").write_text((SOURCE / f"test/extending/{name}.cc").read_text())
    subprocess.run([compiler, *words[1:], *more], cwd=folder, check=True, timeout=SECONDS)
    return folder / f"{name}.so"


def check_policy(file):
    """A policy of which circuits stay: once each parallelism has a port, nothing is reconfigured."""
    results = results_of("photonic-training", *SHORT, "--policy=on-demand,ns3::StickyPolicy", f"--load={file}")
    demand, sticky = results["runs"]
    ways = [demand["reconfigurations"] > 0, sticky["reconfigurations"] == 0, demand["messages"] == sticky["messages"]]
    check("photonic-training, a policy of which circuits stay", "" if all(ways) else f"{ways}")


def check_algorithm(file):
    """An algorithm, whatever the order of options. Rank 0 receives the buffer from each of three, then sends it to each."""
    size = 1 << 20
    times = set()
    for order in (1, -1):
        options = ["--algorithm=my-star", f"--load={file}", "--rail-kind=electrical", "--ranks=4", "--ports=1", "--min=1M", "--max=1M"]
        row = results_of("rail-collective", *options[::order])["rows"][0]
        least = 2 * 3 * size * 8 / 200e9 * 1e6  # microseconds: a port of 200 Gb/s, each way after the other
        problem = "" if row["algorithm"] == "my-star" and least < row["time_ps"] / 1e6 < 1.2 * least else f"{row}, at least {least} us"
        check(f"rail-collective, an algorithm, --load {'after' if order == 1 else 'before'} its name", problem)
        times.add(row["time_ps"])
    check("the order of options does not matter", "" if len(times) == 1 else f"{times}")
    plain = [*SHORT, "--sharding=none", "--policy=electrical", "--algorithm=my-star", f"--load={file}"]
    results = results_of("photonic-training", *plain)
    check("photonic-training, the same", "" if results["complete"] else "not complete")
    results = results_of("trace-replay", f"--load={file}", "--algorithm=my-star")
    check("trace-replay, the same", "" if results["complete"] else "not complete")


def check_both(policy, algorithm):
    """Several files, and what is wrong without them."""
    results = results_of("rail-collective", f"--load={policy},{algorithm}", "--algorithm=my-star", "--rail-kind=electrical", "--max=1M")
    check("two files", "" if results["rows"][0]["algorithm"] == "my-star" else f"{results}")
    code, _, err = run("rail-collective", "--algorithm=my-star")
    check("no name without its file", "" if code == 2 and "no such algorithm" in err else err)


def check_refusals(folder, good):
    """Each in one line, with the exit code 2, and nothing done."""
    (folder / "text.so").write_text("no shared object")
    marked = good.read_bytes()
    (folder / "older.so").write_bytes(re.sub(rb"(extension of )\d+\.\d+\.\d+", lambda m: m.group(1) + b"0.0.0", marked))
    (folder / "cut.so").write_bytes(marked[: len(marked) // 2])
    (folder / "unmarked.cc").write_text("int x;\n")
    subprocess.run(["g++", "-shared", "-fPIC", "unmarked.cc", "-o", "unmarked.so"], cwd=folder, check=True)
    (folder / "unknown.cc").write_text(
        '#include "ns3/rails-extension.h"\nvoid IsNowhere();\nstatic const int x = (IsNowhere(), 1);\n'
    )
    words = ["g++", "-std=c++17", "-shared", "-fPIC", "-I", f"{BUILD}/include", "unknown.cc", "-o", "unknown.so"]
    subprocess.run(words, cwd=folder, check=True, timeout=SECONDS)
    for name, words in (
        ("nothing.so", "No such file"),
        ("text.so", "no shared object"),
        ("older.so", "built against release 0.0.0"),
        ("unmarked.so", "does not say what it was built against"),
        ("unknown.so", "cannot load it"),
        ("cut.so", "--load"),
        (".", "no file"),
    ):
        code, out, err = run("rail-collective", f"--load={folder / name}", "--max=1M")
        right = code == 2 and not out and len(err.splitlines()) == 1 and words in err
        check(f"{name} is refused", "" if right else f"exit code {code}: {err}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        sticky = compile_as_documented(place, "sticky-policy")
        star = compile_as_documented(place, "star-all-reduce")
        check_policy(sticky)
        check_algorithm(star)
        check_both(sticky, star)
        check_refusals(place, star)
    sys.exit(failures > 0)
