#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Traces in files are replayed as they say, on rails of either kind; what is wrong in them is told.

script-traces.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

trace-replay is run with files that are written here, in a folder of their own, and with those of
test/corpus. Bytes and times are held against what follows from the files alone.
"""

import fractions
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 60 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))  # for one run
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
CORPUS = SOURCE / "test/corpus"

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def start(*words):
    return subprocess.run(
        [BUILD / "examples/trace-replay", *map(str, words)],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


def replay(*words):
    """What a run prints as JSON."""
    done = start(*words, "--json=-")
    if done.returncode != 0:
        check(" ".join(map(str, words)), f"exit code {done.returncode}\n{done.stderr}")
        return {}
    return json.loads(done.stdout)


def differ(one, other, members):
    """What is not the same in two results."""
    return "".join(f"{x}: {one.get(x)} and {other.get(x)}\n" for x in members if one.get(x) != other.get(x))


# ---- what a file says

COMPUTING = "30.000001"  # microseconds
HEAD = "rank,kind,collective,group,bytes,duration_us,peer\n"


def table(shards):
    """Two pairs gather so many bytes; then 0 sends a third of them to 2, which computes first."""
    rows = "".join(f"{rank},collective,all-gather,pair {rank // 2},{shards},,\n" for rank in range(4))
    rows += f"0,send,,,{shards // 3},,2\n2,compute,,,,{COMPUTING},\n2,receive,,,{shards // 3},,0\n"
    return f"ranks,4\ngroup,pair 0,0 1\ngroup,pair 1,2 3\n{HEAD}{rows}"


def check_bytes(folder):
    """A ring of two moves half of the buffer from each; a send moves what it says."""
    size = 300_000
    file = folder / "pairs.csv"
    file.write_text(table(size))
    moved = 4 * size // 2 + size // 3
    runs = [replay(f"--trace={file}", f"--rail-kind={kind}") for kind in ("electrical", "optical")]
    problem = ""
    for run in runs:
        if run.get("bytes") != moved or run.get("nodes") != 7 or run.get("ranks") != 4:
            problem += f"not {moved} bytes, 7 nodes and 4 ranks: {run}\n"
        if abs(run.get("computed_s", 0) - float(COMPUTING) * 1e-6 / 4) > 1e-12:
            problem += f"{run['computed_s']} s is not the mean of four ranks of which one computes\n"
    problem += differ(*runs, ["bytes", "messages", "nodes", "operations", "computed_s"])
    check("both kinds of rail move the bytes that the file says", problem)


def check_computing(folder):
    """Where nobody talks, times are those of the file, to the picosecond."""
    text = "ranks,2\nrank,kind,duration_us,stream\n"
    text += "0,compute,0.000001,0\n0,compute,7.5,0\n1,compute,5,0\n1,compute,8.25,1\n"
    file = folder / "computing.csv"
    file.write_text(text)
    problem = ""
    for passes in (1, 3):
        run = replay(f"--trace={file}", f"--passes={passes}")
        if run.get("makespan_ps") != passes * 8_250_000 or run.get("bytes") != 0:
            problem += f"{passes} passes do not end after {passes} x 8.25 us: {run}\n"
        if [one.get("time_s") for one in run.get("passes", [])] != passes * [8.25e-6]:
            problem += f"passes are not of 8.25 us each: {run}\n"
        mean = fractions.Fraction(7_500_001 + 13_250_000, 2) * passes / 10**12
        if abs(run.get("computed_s", 0) - float(mean)) > 1e-12:
            problem += f"ranks do not compute {float(mean)} s in the mean: {run}\n"
    check("streams compute side by side, and passes follow each other", problem)


def check_ring(folder):
    """All send first and then receive: circuits turn only if receives are posted."""
    ranks = 4
    text = f"num_ranks {ranks}\n"
    for rank in range(ranks):
        ahead, behind = (rank + 1) % ranks, (rank - 1) % ranks
        text += f"rank {rank} {{\na: calc {1000 * rank}\ns: send 4096b to {ahead}\nr: recv 4096b from {behind}\n"
        text += f"b: calc {0 if rank else 50000}\ns requires a\nr requires s\nb requires r\n}}\n"
    file = folder / "ring.goal"
    file.write_text(text)
    trace = f"--trace={file}"
    electrical, posted = replay(trace, "--rail-kind=electrical"), replay(
        trace, "--rail-kind=electrical", "--post-receives"
    )
    problem = differ(electrical, posted, ["makespan_ps", "bytes", "messages", "nodes"])
    if electrical.get("makespan_ps", 0) <= 53_000_000:  # rank 3 sends after 3 us
        problem += f"rank 0, which computes for 50 us on what rank 3 sends after 3 us, is through: {electrical}\n"
    check("electrical rails: posted receives change nothing", problem)
    # servers of ranks 0 1 and 2 3: from 1 to 2 and from 3 to 0 from rail to rail, the others inside
    for kind in ("electrical", "optical"):
        between = replay(trace, f"--rail-kind={kind}", "--post-receives", "--scale-up-size=2")
        forwarded = between.get("bytes_forwarded")
        problem = differ(electrical, between, ["bytes"])
        # a send is a message for each of two ports, or one inside a server
        messages = between.get("messages")
        problem += "" if messages == 2 * 2 + 2 * 1 else f"{messages} messages\n"
        problem += "" if forwarded == 2 * 4096 else f"{forwarded} bytes are forwarded\n"
        check(f"{kind} rails: sends between rails are forwarded", problem)
    optical = replay(trace, "--post-receives")
    problem = differ(electrical, optical, ["bytes", "messages"])
    problem += "" if optical.get("reconfigurations", 0) > 0 else "no circuit turned\n"
    check("a ring of sends gets circuits if receives are posted", problem)
    check("they are posted where ranks would wait for each other", differ(optical, replay(trace), ["makespan_ps"]))
    done = start(trace, "--post-receives=false")
    refused = done.returncode == 2 and "give --post-receives" in done.stderr
    check("and it stops with words if they must not be", "" if refused else f"{done.returncode} {done.stderr}")


def check_algorithm(folder):
    """A ring of four waits once for circuits, halving and doubling for its first pairs, its next, and its first."""
    file = folder / "four.csv"
    file.write_text("ranks,4\n" + HEAD + "".join(f"{rank},collective,all-reduce,,4096,,\n" for rank in range(4)))
    trace = f"--trace={file}"
    turnings = {"ring": range(10, 20), "halving-doubling": range(30, 50)}  # ms; a turning takes 10
    for name, expected in turnings.items():
        run = replay(trace, f"--algorithm={name}")
        milliseconds = int(run.get("makespan_s", 0) * 1e3)
        check(f"{name} on circuits", "" if milliseconds in expected else f"{milliseconds} ms are not in {expected}")
    # a pair on one rail: each rank sends 2 x 1/2 of the buffer; all: scatter and gather, inside servers and then
    # between them, 2 x 3/4
    file.write_text(
        "ranks,4\ngroup,dp 0,0 2\ngroup,dp 1,1 3\n" + HEAD
        + "".join(f"{r},collective,all-reduce,dp {r % 2},4096,,\n{r},collective,all-reduce,,4096,,\n" for r in range(4))
    )  # fmt: skip
    run = replay(trace, "--scale-up-size=2")
    moved = 4 * (4096 + 6144)
    check("groups on several rails go through their servers", "" if run.get("bytes") == moved else f"{run}")


def check_policies():
    """Provisioned has nothing to learn from in a single pass; from the second on it hides."""
    demand, provisioned = replay("--policy=on-demand", "--passes=3"), replay("--policy=provisioned", "--passes=3")
    problem = "" if demand.get("hidden_s") == 0 else "on demand something is hidden\n"
    if demand and provisioned:
        first = [run["passes"][0] for run in (demand, provisioned)]
        problem += differ(*first, ["time_s", "hidden_s"])
        for i in (1, 2):
            if provisioned["passes"][i]["time_s"] >= demand["passes"][i]["time_s"]:
                problem += f"pass {i + 1} is not shorter: {provisioned['passes'][i]} {demand['passes'][i]}\n"
        for total, part in ("makespan_s", "time_s"), ("exposed_s",) * 2, ("hidden_s",) * 2, ("computed_s",) * 2:
            if abs(sum(one[part] for one in provisioned["passes"]) - provisioned[total]) > 1e-11:
                problem += f"passes do not sum up to {total}: {provisioned}\n"
    problem += differ(demand, provisioned, ["bytes", "messages"])
    check("provisioned is on-demand in the first pass, and better from the second on", problem)


def check_fidelity():
    for options in ([], ["--rail-kind=electrical"], ["--policy=provisioned", "--passes=2"], ["--scale-up-size=2"]):
        runs = [replay(*options, f"--fidelity={name}") for name in ("trains", "events")]
        for run in runs:
            for key in ("trains", "fidelity", "options"):
                run.pop(key, None)
        check(" ".join(["trains and events:", *options]), "" if runs[0] == runs[1] else f"{runs[0]}\n{runs[1]}")


def check_corpus():
    for file in [
        "csv/pipeline.csv", "goal/ring.goal", "goal/comments.goal", "goal/exported.goal", "goal-binary/ring.bin",
        "simai/dense.txt", "simai/experts.txt",
    ]:  # fmt: skip
        runs = [replay(f"--trace={CORPUS / file}", f"--rail-kind={kind}") for kind in ("electrical", "optical")]
        check(f"{file}: both kinds of rail", differ(*runs, ["bytes", "nodes", "operations", "computed_s"]))


def check_files_as_shipped():
    shipped = {
        "simai-without-ranks/micro.txt": ["--ranks=4"],
        "simai-without-ranks/no-ranks.txt": ["--ranks=8", "--scale-up-size=2"],
        "simai/experts.txt": ["--ranks=4", "--scale-up-size=2"],
        "chakra-of-all-ranks/process-groups.et": ["--ranks=4", "--scale-up-size=2"],
        "chakra-of-all-ranks/pytorch.et": ["--ranks=4"],
        "chakra-of-all-ranks/old-schema.et": ["--ranks=4"],
    }
    for file, options in shipped.items():
        line = [f"--trace={CORPUS / file}", *options]
        if file.endswith(".et") and "photonic-rails built with" in start(*line).stderr:
            continue
        runs = [replay(*line, f"--rail-kind={kind}") for kind in ("electrical", "optical")]
        check(f"{file}: both kinds of rail", differ(*runs, ["nodes", "operations", "computed_s", "skipped"]))
        if runs[0]["skipped"]:
            check_refusal(" ".join([*line, "--strict"]), [str(CORPUS / file)])
    check_refusal(f"--trace={CORPUS / 'simai-without-ranks/micro.txt'}", ["--ranks", ":1: "])


def check_export(folder):
    """What is exported has the times of the trace, and is refused where it would mix with another job's files."""
    traces = {
        "csv/pipeline.csv": [],
        "goal/comments.goal": [],
        "goal-binary/pair.bin": [],
        "goal/ring.goal": [],  # receives are posted
        "simai/experts.txt": ["--scale-up-size=2"],
    }
    members = ["makespan_ps", "messages", "bytes", "reconfigurations", "nodes", "paths"]
    for file, options in traces.items():
        for kind in ("electrical", "optical"):
            line = [*options, f"--rail-kind={kind}"]
            for form, target in ("goal", folder / "job.goal"), ("chakra", folder / "job.%d.et"):
                for old in folder.glob("job.*.et"):
                    old.unlink()
                run = replay(f"--trace={CORPUS / file}", *line, f"--export={form}", f"--export-to={target}")
                if "photonic-rails built with" in start(f"--trace={target}", *line).stderr:
                    continue
                again = replay(f"--trace={target}", *line)
                check(f"{file} as {form}, {kind}: the same times", differ(run, again, members))
    file = f"--trace={CORPUS / 'csv/pipeline.csv'}"
    (folder / "job.99.et").write_text("of a larger job")
    check_refusal(f"{file} --export=chakra --export-to={folder / 'job.%d.et'}", ["--export-to", "job.99.et"])
    check_refusal(f"{file} --export=chakra --export-to={folder / 'job.et'}", ["--export-to", "%d"])
    check_refusal(f"{file} --export=goal --export-to={folder / 'job.txt'}", ["--export-to", ".goal"])
    check_refusal(f"{file} --export=goal --export-to={folder / 'none/job.goal'}", ["--export-to"])
    check_refusal(f"{file} --export-to={folder / 'job.goal'}", ["--export-to", "--export"])
    check_refusal(f"{file} --export=csv", ["--export", "csv"])
    own = folder / "own.goal"
    own.write_bytes((CORPUS / "goal/comments.goal").read_bytes())
    check_refusal(f"--trace={own} --export=goal --export-to={own}", ["own.goal"])
    exported = folder / "iterations.goal"
    exported.write_bytes((CORPUS / "goal/exported.goal").read_bytes())
    check_refusal(f"--trace={exported} --passes=2", ["--passes", "iterations"])


def check_training(folder):
    """A training job that is exported has the times of photonic-training on the same rails."""
    common = ["--reconfiguration=1ms", "--port-rate=200Gbps", "--scale-up-size=4"]
    shape = ["--microbatch-size=1", "--sequence=512", "--gpu=A100", f"--model={SOURCE / 'doc/validation/small.json'}"]
    for policy, iterations in ("electrical", 1), ("on-demand", 2), ("provisioned", 2):
        for form, target in ("goal", folder / "training.goal"), ("chakra", folder / "training.%d.et"):
            line = [*shape, *common, f"--policy={policy}", f"--iterations={iterations}", "--json=-"]
            done = subprocess.run(
                [BUILD / "examples/photonic-training", *line, f"--export={form}", f"--export-to={target}"],
                capture_output=True, text=True, timeout=SECONDS, check=False,
            )  # fmt: skip
            if done.returncode != 0:
                check(" ".join(line), f"exit code {done.returncode}\n{done.stderr}")
                continue
            times = json.loads(done.stdout)["runs"][0]["iteration_s"]
            again = [f"--trace={target}", *common, f"--policy={policy}", "--scale-up-rate=300GB/s"]
            if "photonic-rails built with" in start(*again).stderr:
                continue
            picoseconds = [round(one["time_s"] * 1e12) for one in replay(*again).get("passes", [])]
            expected = [round(one * 1e12) for one in times]
            check(
                f"training as {form}, {policy}: the same times",
                "" if picoseconds == expected else f"{picoseconds} and {expected} ps\n",
            )


def check_example(folder):
    file = folder / "example.csv"
    file.write_text(start("--print-example").stdout)
    runs = [replay(), replay(f"--trace={file}")]
    for run in runs:
        run.pop("trace", None)
        run.pop("options", None)
    check("the table of --print-example is the trace that is replayed", "" if runs[0] == runs[1] else f"{runs}")


# ---- what is wrong


def check_refusals(folder):
    files = {
        "bytes.csv": ("ranks,2\n" + HEAD + "0,send,,,many,,1\n", ":3: "),
        "rank.csv": ("ranks,2\n" + HEAD + "0,send,,,1,,2\n", ":3: "),
        "alone.csv": ("ranks,2\n" + HEAD + "0,compute,,,,1,\n1,send,,,1,,0\n", ":4: "),
        "half.goal": ("num_ranks 2\nrank 0 {\n send 1b to 1\n", ":3: "),
        "wait.goal": ("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n", ":3: "),
        "kind.txt": ("DATA\n1\n", ":1: "),
        "name.json": ("{}", "a name that ends with"),
        "cut.0.et": (b"\x05\x0a", ": byte 2: "),
    }
    for name, (text, place) in files.items():
        file = folder / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        check_refusal(f"--trace={file}", [str(file), place])
    check_refusal(f"--trace={folder / 'none.%d.et'}", [str(folder / "none.0.et")])
    check_refusal(f"--trace={folder / 'none.goal'}", [str(folder / "none.goal")])
    groups = folder / "groups.json"
    groups.write_text('{"1": [0, 9]}')
    check_refusal(f"--trace={CORPUS / 'chakra/step.%d.et'} --groups={groups}", ["9"])
    for words in (
        "--rail-kind=copper", "--algorithm=none", "--rail-kind=optical --policy=electrical", "--passes=0",
        "--rail-kind=electrical --policy=on-demand", "--scale-up-size=3", "--ports=0", "--message-size=x",
        "--reconfiguration=-1s", "--scale-up-rate=fast",
    ):  # fmt: skip
        check_refusal(words, words.split()[:1])


def check_refusal(line, words):
    done = start(*line.split())
    is_without = "photonic-rails built with" in done.stderr  # a header that the reader needs was missing
    missing = [word for word in words if word not in done.stderr and not is_without]
    short = len(done.stderr.splitlines()) == 1 and not done.stdout
    problem = "" if done.returncode == 2 and short and not missing else f"exit code {done.returncode}, no {missing}\n"
    check(f"refused: {line}", problem and problem + done.stdout + done.stderr)


with tempfile.TemporaryDirectory() as name:
    check_bytes(pathlib.Path(name))
    check_computing(pathlib.Path(name))
    check_ring(pathlib.Path(name))
    check_algorithm(pathlib.Path(name))
    check_export(pathlib.Path(name))
    check_training(pathlib.Path(name))
    check_example(pathlib.Path(name))
    check_refusals(pathlib.Path(name))
check_policies()
check_fidelity()
check_corpus()
check_files_as_shipped()
print(f"{failures} failed" if failures else "traces are replayed as they say")
sys.exit(failures > 0)
