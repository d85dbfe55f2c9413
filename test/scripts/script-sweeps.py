#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Sweeps: each combination is run once and recorded once, whatever ends in between.

script-sweeps.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

What is computed comes from photonic-training. Where a run has to fail, to be killed or to wait, a program takes its place that does so
by the value of --x: it is in a build folder of its own. Machines are this one, behind a program in place of ssh, and by sshd if there
is one.
"""

import csv
import json
import math
import os
import pathlib
import pwd
import re
import select
import shlex
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
SECONDS = 300 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
T = {2: 12.706204736, 3: 4.302652730, 4: 3.182446305, 11: 2.228138852}  # Student's t, 0.975, by the number of runs
TRAINING = ["photonic-training", "--layers=2", "--microbatch-size=1", "--sequence=512", "--noise=measured"]

# an example that does by --x what the test needs; $RAN gets a line for each run, $GATE is a pipe that is read before a run ends
PROGRAM = """#!/bin/sh
[ "$1" = --help ] && { echo "    --x: [0]"; exit; }
for word; do
    case $word in
    --x=*) x=${word#--x=} ;;
    --RngRun=*) seed=${word#--RngRun=} ;;
    --check) check=1 ;;
    --bogus=*) echo "steps: --bogus: no such option; --help lists them" >&2; exit 2 ;;
    esac
done
[ "$x" = refused ] && { echo "steps: --x=refused: give a number" >&2; exit 2; }
[ "$check" ] && exit
echo "$x $seed" >>"$RAN"
case $x in
waits) read -r _ <"$GATE" || exit 3 ;;
fails) [ -e "$MENDED" ] || { echo "first line" >&2; echo "steps: there is no light" >&2; exit 1; } ;;
killed) [ -e "$MENDED" ] || kill -9 $$ ;;
words) echo "no JSON"; exit ;;
half) printf '{ "rows": [ { "y": 1 } ], "complete": false }'; exit ;;
rows) printf '{ "rows": [ { "y": 1, "x": "rows" }, { "y": 2, "list": [1] } ], "model": { "name": "m" }, "complete": true }'; exit ;;
esac
printf '{ "rows": [ { "y": %s%s } ], "complete": true, "version": "7", "seed": 1, "run": %s, "options": { "x": "%s" } }' "$seed" 0 "$seed" "$x"
"""

# in place of ssh: the machine "gone" answers once, breaks off in the middle of the first record, and answers no more
SSH = """#!/bin/bash
while [[ $1 != near && $1 != gone && $# -gt 0 ]]; do shift; done
machine=$1
shift 2
[[ $machine == near ]] && exec bash -c "$*"
call=$(cat "$STATE" 2>/dev/null || echo 0)
echo $((call + 1)) >"$STATE"
case $call in
0) exec bash -c "$*" ;;
1) bash -c "$*" | head -c 150 ;;
*) echo "ssh: connect to host gone port 22: No route to host" >&2 ;;
esac
exit 255
"""

failures = 0


def check(what, right, detail=""):
    global failures
    failures += not right
    print(f"{'ok' if right else 'FAILED'}: {what}" + ("" if right else f"\n{detail}"), flush=True)


class Place:
    """An empty folder, in which sweeps run."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder)
        self.ran = self.path / "ran"
        self.gate = self.path / "gate"
        self.environment = {
            **os.environ, "RAILS_BUILD_DIR": str(BUILD), "RAN": str(self.ran), "GATE": str(self.gate),
            "MENDED": str(self.path / "mended"), "STATE": str(self.path / "state"), "HOME": str(self.path),
        }
        steps = self.path / "build/examples/steps"
        steps.parent.mkdir(parents=True)
        steps.write_text(PROGRAM)
        steps.chmod(0o755)
        ssh = self.path / "ssh"
        ssh.write_text(SSH)
        ssh.chmod(0o755)

    def words(self, tool, arguments):
        environment = dict(self.environment)
        if arguments and (arguments[0] == "steps" or "steps" in arguments[0]):
            environment["RAILS_BUILD_DIR"] = str(self.path / "build")
        return {"args": [SOURCE / "tools" / tool, *arguments], "cwd": self.path, "env": environment, "text": True}

    def run(self, *arguments, tool="sweep", **more):
        """Exit code, stdout and stderr of a sweep or a plot."""
        words = self.words(tool, arguments)
        words["env"] |= more
        done = subprocess.run(**words, capture_output=True, timeout=SECONDS, check=False)
        return done.returncode, done.stdout, done.stderr

    def begin(self, *arguments):
        """A sweep that goes on."""
        return subprocess.Popen(**self.words("sweep", arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def table(self, folder, name="table.csv"):
        with open(self.path / folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def counts(self):
        """How often each run has run."""
        lines = self.ran.read_text().split("\n")[:-1] if self.ran.exists() else []
        return {line: lines.count(line) for line in lines}


def check_combinations():
    sys.path.insert(0, str(SOURCE / "tools"))
    from sweeps import combinations, interval, quantity
    from sweeps.mistake import Mistake

    def refusal(call, *arguments):
        try:
            return f"no mistake: {call(*arguments)}"
        except Mistake as mistake:
            return str(mistake)

    values = {"a": combinations.split("a", "1,2"), "b": combinations.split("b", r"x\,y,Uniform[Min=0,Max=1],z")}
    check("commas separate values, but in brackets and behind a backslash", values["b"] == ["x,y", "Uniform[Min=0,Max=1]", "z"], values)
    product = [(one["a"], one["b"][0]) for one in combinations.product(values)]
    check("each value is with each", product == [(a, b) for a in "12" for b in "xUz"], product)
    for words, why in (("1,,2", "missing"), ("1,2,1", "1 is there twice")):
        there = refusal(combinations.split, "a", words)
        check(f"--a={words} is refused", there.startswith("--a") and why in there, there)

    for count, t in T.items():
        check(f"Student's t of {count} values", math.isclose(interval.student(count - 1), t, rel_tol=1e-9), interval.student(count - 1))
    # 2, 4, 9: the mean is 5, the variance (9 + 1 + 16) / 2 = 13
    mean, half = interval.mean_and_half_width([2, 4, 9])
    check("an interval, by hand", mean == 5 and math.isclose(half, T[3] * math.sqrt(13 / 3), rel_tol=1e-9), (mean, half))
    check("one value has no interval", interval.mean_and_half_width([3.5]) == (3.5, None))
    right = {"25ms": (0.025, "s"), "64K": (65536, ""), "1e3": (1000, ""), "400Gbps": (4e11, "b/s"), "mems": None, "1parsec": None}
    there = {words: quantity.quantity(words) for words in right}
    check("values with units are numbers", all(
        there[words] == value or value and there[words] and math.isclose(there[words][0], value[0]) and there[words][1] == value[1]
        for words, value in right.items()
    ), there)


def check_files(place):
    listed = {"program": "steps", "runs": 2, "options": {"x": [1, 2.5]}, "combinations": [{"y": True}, {"z": "b c"}]}
    (place.path / "list.json").write_text(json.dumps(listed))
    (place.path / "list.csv").write_text('x,y,z\n1,true,\n2.5,true,\n1,,b c\n2.5,,"b c"\n')
    code, out, err = place.run("steps", "list.csv", "--runs=2", "--into=list")
    check("a CSV file has combinations", code == 0 and "8 runs: 8 done" in out, out + err)
    code, out, err = place.run("list.json", "--into=list", RAILS_BUILD_DIR=str(place.path / "build"))
    check("the same as JSON are the same runs", code == 0 and "sweep: 8 runs, 8 of them done" in err, out + err)
    rows = sorted((row["x"], row["y"], row["z"], row["RngRun"]) for row in place.table("list"))
    right = sorted((x, *more, seed) for x in ("1", "2.5") for more in (("true", ""), ("", "b c")) for seed in "12")
    check("and each is a line of the table", rows == right, rows)
    for name, text, why in (
        ("bad.json", "{", "no JSON"), ("bad.json", '{ "option": {} }', "there is no such member"), ("bad.json", "[]", "no combination"),
        ("bad.json", '[ { "x": [1] } ]', "expected text, a number"), ("bad.csv", "x,y\n1\n", "line 2: 1 fields; expected 2"),
        ("bad.csv", "x,x\n1,2\n", "different names"),
    ):
        (place.path / name).write_text(text)
        code, out, err = place.run("steps", name, "--into=bad")
        right = code == 2 and not out and err.startswith(f"sweep: {name}: ") and why in err and err.count("\n") == 1
        check(f"refused in one line: {text.strip()!r}", right, out + err)
    code, _, err = place.run("steps", "none.json")
    check("a file that is not there is named", code == 2 and err == "sweep: none.json: No such file or directory\n", err)


def check_mistakes(place):
    for arguments, words in (
        (["steps", "--x=1,2", "--bogus=1"], "--bogus: no such option; --help lists them (2 of 2 combinations"),
        (["steps", "--x=1,refused"], "--x=refused: give a number (1 of 2 combinations, such as --x=refused)"),
        (["steps", "--x=1", "--json=-"], "--json: results go to the sweep's folder"),
        (["steps", "--x=1", "--runs=0"], "--runs=0: give 1 to 10000"),
        (["steps", "--x=1", "--x=2"], "--x=2: it is given twice"),
        (["steps", "--x=1", "-q"], "-q: there is no such option"),
        (["steps", "--x=1", "-j0"], "-j0: give 1 to"),
        (["steps", "--x=1", "--into=build"], "build: it has files that are no sweep's"),
        (["steps", "--x=1", "--sshlogin=gone", "--slurm"], "leave --sshlogin out"),
        (["./nowhere/steps"], "there is no sweep in it"),
        (["--x=1"], "give an example too"),
        ([*TRAINING, "--dp=2,0"], "--dp=0: give 1 to"),
        ([*TRAINING, "--dp=2", "--timeline=t.json"], "would write that file"),
    ):
        code, out, err = place.run(*arguments)
        lines = [line for line in err.splitlines() if not re.search(r"runs, \d+ of them done", line)]
        right = code == 2 and not out and words in lines[0] and len(lines) <= 2
        check(f"refused: {' '.join(arguments)}", right, f"{code} {out} {err}")
    done = subprocess.run(
        [BUILD / "examples" / TRAINING[0], *TRAINING[1:], "--check", "--json=checked.json", "--timeline=checked-timeline.json"],
        cwd=place.path, capture_output=True, text=True, timeout=SECONDS, check=False,
    )
    written = [*place.path.glob("checked*/*"), *place.path.glob("checked*.json")]
    check("--check writes and prints nothing", not (done.returncode or done.stdout or done.stderr or written), f"{done} {written}")
    left = [path for path in place.path.glob("sweeps/*")]
    check("nothing was run, and no folder is left", not place.counts() and not left, f"{place.counts()} {left}")


def check_results(place):
    """A sweep of photonic-training, to which values are added."""
    arguments = [*TRAINING, "--policy=on-demand,provisioned", "--into=real"]
    code, out, err = place.run(*arguments, "--reconfiguration=1ms", "--runs=2")
    check("runs of photonic-training", code == 0 and out.startswith("4 runs: 4 done, 0 failed, 0 missing\n"), out + err)
    before = {path: path.stat().st_mtime_ns for path in place.path.glob("real/runs/*")}
    code, out, err = place.run(*arguments, "--reconfiguration=1ms,20ms", "--runs=3")
    now = {path: path.stat().st_mtime_ns for path in place.path.glob("real/runs/*")}
    check("values are added", code == 0 and "12 runs: 12 done" in out and "12 runs, 4 of them done" in err, out + err)
    check("and only the new combinations run", len(now) == 12 and all(now[path] == time for path, time in before.items()), now)

    rows = place.table("real")
    asked = sorted((p, d, s) for p in ("on-demand", "provisioned") for d in ("1ms", "20ms") for s in "123")
    check("the table has each run once", sorted((r["policy"], r["reconfiguration"], r["RngRun"]) for r in rows) == asked, rows)
    row = rows[5]
    done = subprocess.run(row["command"], shell=True, cwd=place.path, capture_output=True, text=True, check=False)
    again = json.loads(done.stdout)
    same = float(row["steady_iteration_s"]) == again["runs"][0]["steady_iteration_s"] and row["run"] == str(again["run"]) == row["RngRun"]
    check("a line has what its command gives", same and row["version"] == again["version"], row)
    check("and its CPU time", all(float(one["process.cpu_s"]) > 0 for one in rows), rows)

    base = sqlite3.connect(place.path / "real/sweep.sqlite")
    stored = base.execute('SELECT "policy", "reconfiguration", "RngRun", "steady_iteration_s" FROM runs').fetchall()
    listed = [(one["policy"], one["reconfiguration"], int(one["RngRun"]), float(one["steady_iteration_s"])) for one in rows]
    base.close()
    check("SQLite has the same lines", sorted(stored) == sorted(listed), stored)

    points = {}
    for mean in place.table("real", "means.csv"):
        alike = [r for r in rows if (r["policy"], r["reconfiguration"]) == (mean["policy"], mean["reconfiguration"])]
        values = [float(one["steady_iteration_s"]) for one in alike]
        half = T[3] * statistics.stdev(values) / math.sqrt(3)
        there = float(mean["steady_iteration_s"]), float(mean["steady_iteration_s.half_width_95"])
        right = mean["runs"] == "3" and half > 0 and math.isclose(there[0], sum(values) / 3) and math.isclose(there[1], half, rel_tol=1e-8)
        check(f"mean and interval of {mean['policy']} {mean['reconfiguration']}", right, f"{mean} {values}")
        points[mean["policy"], 0.001 if mean["reconfiguration"] == "1ms" else 0.02] = there
    check_plot(place, points)


def check_plot(place, points):
    code, out, err = place.run("real", "reconfiguration", "steady_iteration_s", "policy", tool="plot-sweep")
    check("a plot", code == 0 and "2 curves, 4 points" in out, out + err)
    script = (place.path / "real/steady_iteration_s-over-reconfiguration.gnuplot").read_text()
    titles = re.findall(r'\$curve(\d) using .* title "(.*?)"', script)
    drawn = {}
    for number, title in titles:
        block = re.search(rf"^\$curve{number} << end\n(.*?)^end$", script, re.MULTILINE | re.DOTALL).group(1)
        for line in block.splitlines():
            x, mean, half = map(float, line.split())
            drawn[title, x] = mean, half
    check("has the points and their intervals", drawn == points, f"{drawn} {points}")
    picture = (place.path / "real/steady_iteration_s-over-reconfiguration.svg").read_text()
    check("in a picture, with the names of curves", picture.startswith("<?xml") and all(f">{t}<" in picture for _, t in titles), picture[:300])
    for arguments, words in (
        (["reconfiguration", "steady_iteration"], "steady_iteration: there is no such column; there are steady_iteration_s"),
        (["reconfiguration", "steady_iteration_s"], "policy differs too (on-demand, provisioned); add it to the third column"),
        (["reconfiguration", "version"], "version: there is no such column"),
        (["reconfiguration", "model"], "it is no number"),
        (["reconfiguration", "steady_iteration_s", "policy=mems"], "no run has it; there are on-demand, provisioned"),
    ):
        code, out, err = place.run("real", *arguments, tool="plot-sweep")
        check(f"refused: plot {' '.join(arguments)}", code == 2 and not out and words in err and err.count("\n") == 1, out + err)
    code, out, err = place.run("real", "policy", "steady_iteration_s", "reconfiguration=0.02s", tool="plot-sweep")
    check("names may be x, and other lines be left out", code == 0 and "1 curves, 2 points" in out, out + err)


def check_failures(place):
    arguments = ["steps", "--x=1,fails,killed,words,half,rows", "--into=failing"]
    code, out, err = place.run(*arguments)
    check("runs that fail do not stop the others", code == 1 and out.startswith("6 runs: 2 done, 4 failed, 0 missing\n"), out + err)
    for value, why in (
        ("fails", "exit code 1: steps: there is no light"), ("killed", "ended by signal 9; is there enough memory?"),
        ("words", "its results are no JSON"), ("half", "its results are not complete"),
    ):
        found = re.search(rf"^failed: --x={value} on \S+: {re.escape(why)}.* \((\S+)\)$", out, re.MULTILINE)
        check(f"the summary names the one that {value}", found, out)
        log = (place.path / found.group(1)).read_text() if found else ""
        check("and its log", f"--x={value}" in log and ("first line" in log) == (value == "fails"), log)
    rows = {(row["x"], row["row"]): row for row in place.table("failing")}
    check("the table has them", len(rows) == 7 and "no light" in rows["fails", "1"]["error"] and not rows["fails", "1"]["y"], rows)
    check("a run with several rows has several lines", (rows["rows", "1"]["y"], rows["rows", "2"]["y"]) == ("1", "2"), rows)
    check("of which each has what all share", {rows["rows", row]["model.name"] for row in "12"} == {"m"}, rows)
    (place.path / "mended").touch()
    place.ran.unlink()
    code, out, err = place.run(*arguments)
    check("again, those that failed run", place.counts() == {f"{x} 1": 1 for x in ("fails", "killed", "words", "half")}, place.counts())
    check("and end well, if they can", "6 runs: 4 done, 2 failed" in out and not list(place.path.glob("failing/logs/*fails*")), out + err)
    (place.path / "mended").unlink()
    code, out, err = place.run("photonic-training", "--dp=1", "--into=failing")
    check("a folder is of one example", code == 2 and "its runs are of steps, not of photonic-training" in err, out + err)


def open_gate(place):
    """Waits until a run waits at the gate. A descriptor that shows the run's end."""
    return os.open(place.gate, os.O_WRONLY)


def wait_for_end(gate):
    """Waits until the run at the gate has ended."""
    poll = select.poll()
    poll.register(gate, 0)  # an error is always reported: the reader is gone
    return bool(poll.poll(SECONDS * 1000))


def check_interruptions(place):
    os.mkfifo(place.gate)
    for number, name in ((signal.SIGKILL, "a kill -9"), (signal.SIGINT, "Ctrl-C")):
        place.ran.unlink(missing_ok=True)
        folder = f"signal{number}"
        arguments = ["steps", "--x=1,2,3,waits,4,5", "-j1", f"--into={folder}"]
        sweep = place.begin(*arguments)
        gate = open_gate(place)
        code, out, err = place.run(*arguments)
        right = code == 2 and not out and f"another sweep uses it (process {sweep.pid} of " in err
        check("a second sweep in the folder is refused", right, out + err)
        sweep.send_signal(number)
        out, err = sweep.communicate()
        if number == signal.SIGKILL:
            check(f"the sweep ends by {name}", sweep.returncode == -number, f"{sweep.returncode} {out} {err}")
        else:
            right = sweep.returncode == 130 and "6 runs: 3 done, 0 failed, 3 missing" in out
            check(f"{name} ends the sweep with a summary", right and "ended by SIGINT; the same command goes on" in err, out + err)
            check("and a table of what is done", [row["x"] for row in place.table(folder)] == ["1", "2", "3"])
        check(f"after {name} the run ends too", wait_for_end(gate))
        os.close(gate)
        records = [json.loads(path.read_text())["parameters"]["x"] for path in place.path.glob(f"{folder}/runs/*.json")]
        check(f"after {name} runs are recorded whole or not at all", sorted(records) == ["1", "2", "3"], records)
        sweep = place.begin(*arguments)
        gate = open_gate(place)
        os.write(gate, b"go\n")
        os.close(gate)
        out, err = sweep.communicate()
        check(f"after {name} the sweep goes on", sweep.returncode == 0 and "6 runs, 3 of them done" in err, out + err)
        right = {"1 1": 1, "2 1": 1, "3 1": 1, "waits 1": 2, "4 1": 1, "5 1": 1}
        check("with nothing lost and nothing twice", place.counts() == right and len(place.table(folder)) == 6, place.counts())


def check_full_disk(place):
    code, out, err = place.run("steps", "--x=1,2", "-j1", "--into=disk")
    (target,) = [path for path in place.path.glob("disk/runs/*.json") if json.loads(path.read_text())["parameters"]["x"] == "2"]
    target.unlink()
    target.with_name(target.name + ".part").symlink_to("/dev/full")
    code, out, err = place.run("steps", "--x=1,2", "-j1", "--into=disk")
    check("a full disk is a clear line", code == 1 and "No space left on device; make room, then repeat the command" in err, out + err)
    code, out, err = place.run("steps", "--x=1,2", "-j1", "--into=disk")
    check("and with room the sweep goes on", code == 0 and "2 runs, 1 of them done" in err and "2 done" in out, out + err)


def check_machines(place):
    place.ran.unlink(missing_ok=True)
    ssh = {"PARALLEL_SSH": str(place.path / "ssh")}
    state = place.path / "state"
    values = [str(x) for x in range(8)]
    code, out, err = place.run("steps", f"--x={','.join(values)}", "--sshlogin=1/near,1/gone", "--into=lost", **ssh)
    rows = [row["x"] for row in place.table("lost")] if code == 0 else []
    check("runs of a machine that vanishes run elsewhere", code == 0 and sorted(rows) == values, out + err)
    check("which it did", state.exists() and int(state.read_text()) > 1)
    state.unlink()
    for name, shell in (("no shell", ""), ("a shell of their own kind", "/bin/false")):
        code, out, err = place.run("steps", "--x=1,2", "--sshlogin=1/near", f"--into={name}", SHELL=shell, **ssh)
        check(f"users may have {name}", code == 0 and "2 runs: 2 done" in out, out + err)
    code, out, err = place.run("steps", "--x=1,2", "--sshlogin=1/gone", "--into=all-lost", **ssh)
    right = code == 1 and "2 runs: 0 done, 0 failed, 2 missing" in out and "missing: --x=1\n" in out
    check("without another one they are missing, and why is said", right and "No route to host" in out, out + err)
    code, out, err = place.run("steps", "--x=1,2", "--sshlogin=:", "--into=all-lost", **ssh)
    check("and run when there is one", code == 0 and "2 runs: 2 done" in out, out + err)
    code, out, err = place.run("steps", "--x=1", "--sshlogin=nowhere.invalid", "--into=no-machine", PARALLEL_SSH="false")
    check("a machine that does not answer is named before", code == 2 and "--sshlogin=nowhere.invalid: a machine gives no answer" in err, out + err)


def check_sshd(place):
    """The same over an sshd that each connection starts, if this machine has one."""
    sshd = shutil.which("sshd", path=f"/usr/sbin:{os.environ['PATH']}")
    keys = [place.path / name for name in ("host-key", "user-key")]
    if not (sshd and shutil.which("ssh-keygen")):
        print("skipped: there is no sshd")
        return
    for key in keys:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    server, client = place.path / "sshd_config", place.path / "ssh_config"
    server.write_text(
        f"HostKey {keys[0]}\nAuthorizedKeysFile {keys[1]}.pub\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile none\n"
    )
    client.write_text(
        f"Host localhost\n User {pwd.getpwuid(os.getuid()).pw_name}\n IdentityFile {keys[1]}\n StrictHostKeyChecking no\n"
        f" UserKnownHostsFile {place.path}/known_hosts\n ProxyCommand {sshd} -i -f {server}\n"
    )
    ssh = {"PARALLEL_SSH": f"ssh -F {client}"}
    try_out = subprocess.run(["ssh", "-F", client, "localhost", "true"], capture_output=True, text=True, check=False)
    if try_out.returncode:
        print(f"skipped: sshd does not let this user in: {try_out.stderr.strip()}")
        return
    code, out, err = place.run(*TRAINING, "--policy=on-demand", "--reconfiguration=1ms,2ms", "--sshlogin=1/localhost", "--into=remote", **ssh)
    check("runs by ssh", code == 0 and "2 runs: 2 done" in out, out + err)


def check_slurm(place):
    place.ran.unlink(missing_ok=True)
    code, out, err = place.run("steps", "--x=1,fails,3", "--slurm", "--into=steps-array")
    script = place.path / "steps-array/slurm.sh"
    check("a script for sbatch, and nothing is run", code == 0 and out == f"sbatch {script}\n" and not place.counts(), out + err)
    check("with a job for each run", "#SBATCH --array=1-3\n" in script.read_text(), script.read_text())
    for task in "123":
        subprocess.run([script], cwd="/", env={**place.environment, "SLURM_ARRAY_TASK_ID": task}, check=True)
    subprocess.run([script], cwd="/", env={**place.environment, "SLURM_ARRAY_TASK_ID": "1"}, check=True)
    check("jobs run what is not done", place.counts() == {"1 1": 1, "fails 1": 1, "3 1": 1}, place.counts())
    code, out, err = place.run("./steps-array", "--table")
    check("then the table is made", code == 1 and "3 runs: 2 done, 1 failed" in out and len(place.table("steps-array")) == 3, out + err)


def check_sbatch(place):
    """The command that is printed, as it stands, where Slurm has a machine."""
    try:
        machines = subprocess.run(["sinfo", "--noheader", "--states=idle,mixed,allocated"], capture_output=True, text=True, check=False)
    except OSError:
        machines = None
    code, out, err = place.run(*TRAINING, "--policy=on-demand", "--reconfiguration=1ms,2ms", "--slurm", "--into=an array")
    words = shlex.split(out)
    check("the command to type", code == 0 and words == ["sbatch", str(place.path / "an array/slurm.sh")], out + err)
    if not machines or not machines.stdout.strip():
        print("skipped: there is no Slurm with a machine here")
        return
    done = subprocess.run([words[0], "--wait", *words[1:]], capture_output=True, text=True, check=False)
    code, out, err = place.run("./an array", "--table")
    check("runs by Slurm", not done.returncode and code == 0 and "2 runs: 2 done" in out, done.stderr + out + err)


def main():
    check_combinations()
    for checks in (
        check_files, check_mistakes, check_results, check_failures, check_interruptions, check_full_disk, check_machines, check_sshd,
        check_slurm, check_sbatch,
    ):
        with tempfile.TemporaryDirectory() as folder:
            checks(Place(folder))
    print(f"{failures} failed" if failures else "sweeps are as they should")
    sys.exit(failures > 0)


main()
