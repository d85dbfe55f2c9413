#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What a run leaves behind: its folder, and the database in it.

script-output.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

- The folder: its files, and run.json when the run is complete, has failed, or was ended by a signal in the middle.
- The numbers of the database are those of JSON and of the printed table, and its tables agree with each other.
- doc/output.rst: its tables are those of the database, and its queries have results.
"""

import contextlib
import csv
import json
import math
import os
import pathlib
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile

SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
SHORT = "photonic-training --layers=2 --microbatch-size=1 --sequence=1024 --iterations=3"
RUNS = f"{SHORT} --policy=electrical,on-demand,provisioned --reconfiguration=1ms,10ms"

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def check_equal(what, one, other):
    check(what, "" if one == other else f"{one}\n{other}")


def run(line, folder, code=0):
    """Runs an example in a folder. What it prints on stdout and stderr."""
    words = shlex.split(line)
    done = subprocess.run([BUILD / "examples" / words[0], *words[1:]], cwd=folder, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    if done.returncode != code:
        check(line, f"exit code {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr


def query(folder, text):
    """The rows of a query, as dictionaries."""
    with contextlib.closing(sqlite3.connect(pathlib.Path(folder) / "results.sqlite")) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(text)]


def record_of(folder):
    return json.loads((folder / "run.json").read_text())


def check_files(out, printed, log):
    """A folder of a run that is complete."""
    files = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    tables = [f"tables/{row['table_name']}.csv" for row in query(out, "SELECT DISTINCT table_name FROM columns")]
    check_equal("its files", files, sorted(["report.html", "results.json", "results.sqlite", "run.json", *tables]))
    record = record_of(out)
    check_equal("run.json says complete", record["status"], "complete")
    check_equal("and by which command", shlex.split(record["command"])[1:], shlex.split(RUNS)[1:] + ["--output=out", "--output-csv"])
    results = json.loads((out / "results.json").read_text())
    origin = ("program", "version", "ns3", "seed", "run", "options")
    check_equal("and has the origin of the results", [record[key] for key in origin], [results[key] for key in origin])
    check_equal("the last line names the folder", log.splitlines()[-1], "output: out")
    parameters = {row["name"]: row["value"] for row in query(out, "SELECT * FROM parameters")}
    check_equal("the database has the command", parameters["command"], record["command"])
    check_equal("and the options", {name[2:] for name in parameters if name.startswith("--")}, set(record["options"]))
    check("it is whole", "" if query(out, "PRAGMA integrity_check") == [{"integrity_check": "ok"}] else "it is not")
    for table in tables:
        name = pathlib.Path(table).stem
        with (out / table).open(newline="") as file:
            rows = list(csv.DictReader(file))
        there = query(out, f"SELECT * FROM {name}")
        as_text = [{key: "" if value is None else value for key, value in row.items()} for row in there]
        same = len(rows) == len(as_text) and all(
            one.keys() == other.keys() and all(
                math.isclose(float(one[key]), other[key], rel_tol=0) if isinstance(other[key], float)
                else one[key] == str(other[key]) for key in other)
            for one, other in zip(rows, as_text))
        check(f"{table} has its rows", "" if same else f"{rows[:2]}\n{as_text[:2]}")
    return results


def check_numbers(out, printed, results):
    """The database, JSON and the table have one number for one thing."""
    runs = query(out, "SELECT * FROM runs ORDER BY run")
    check_equal("a row a run", [(row["policy"], row["reconfiguration_s"] or 0.0) for row in runs],
                [(row["policy"], row["reconfiguration_s"]) for row in results["runs"]])
    keys = {
        "exposed_s": "exposed_s", "exposed_link_up_s": "exposed_link_up_s", "hidden_s": "hidden_s",
        "hidden_link_up_s": "hidden_link_up_s", "gpu_idle_s": "gpu_idle_s", "reconfigurations": "reconfigurations",
        "control_messages": "control_messages", "wrong_predictions": "wrong_predictions", "frames": "frames",
        "wire_bytes": "bytes_on_wire", "events": "events", "cpu_s": "cpu_s", "max_rss_mb": "max_rss_mb",
    }
    for column, key in keys.items():
        check_equal(f"{column} is that of JSON", [row[column] for row in runs], [row[key] for row in results["runs"]])
    lines = [line.split() for line in printed.splitlines()]
    table = [line for line in lines if len(line) > 9 and re.fullmatch(r"\d+\.\d{4}", line[2])]
    check_equal("a line a run", len(table), len(runs))
    for row in runs:
        line = next(line for line in table if " ".join(line[:2]) in (row["name"], f"{row['name']} -"))  # in any order
        figures = [f"{row[column]:.4f}" for column in ("exposed_s", "hidden_s", "gpu_idle_s")]
        check_equal(f"{row['name']}: the printed figures", [line[2], *line[4:8]],
                    [f"{row['iteration_s']:.4f}", *figures, str(row["reconfigurations"])])
        check_run(out, row, results["runs"][row["run"]])


def check_run(out, row, result):
    """The tables of a run agree with each other."""
    name, of = row["name"], f"run = {row['run']}"
    iterations = query(out, f"SELECT * FROM iterations WHERE {of} ORDER BY iteration")
    check_equal(f"{name}: iteration_s", [one["iteration_s"] for one in iterations], result["iteration_s"])
    check_equal(f"{name}: iteration_exposed_s", [one["exposed_s"] for one in iterations], result["iteration_exposed_s"])
    check_equal(f"{name}: messages", sum(one["messages"] for one in iterations), result["messages"])
    last = len(iterations)
    windows = query(out, f"SELECT * FROM windows WHERE {of} AND iteration = {last} AND rank IS NOT NULL ORDER BY rank, start_ps")
    ours = [(one["rank"], one["rail"], one["start_ps"] / 1e12, one["length_ps"] / 1e12, one["next_bytes"]) for one in windows]
    theirs = [(one["rank"], one["rail"], one["start"], one["length"], one["next_bytes"]) for one in result["windows_s"]]
    check_equal(f"{name}: {len(ours)} windows", sorted(ours), sorted(theirs))
    check_equal(f"{name}: and how many", (row["windows"], row["long_windows"]),
                (len(ours), sum(one["length_ps"] > 10**9 for one in windows)))
    sums = query(out, f"SELECT sum(frames_sent) AS frames, sum(wire_bytes_sent) AS bytes FROM ports WHERE {of}")[0]
    check_equal(f"{name}: frames of all ports", (sums["frames"], sums["bytes"]), (row["frames"], row["wire_bytes"]))
    steady = iterations[1:] or iterations
    begin, end = steady[0]["start_ps"], steady[-1]["end_ps"]
    for table, instant in (("reconfigurations", "start_ps"), ("control_messages", "sent_ps")):
        count = query(out, f"SELECT count(*) AS n FROM {table} WHERE {of} AND {instant} >= {begin} AND {instant} < {end}")[0]["n"]
        check_equal(f"{name}: {table} of steady iterations", count // len(steady), row[table])
    lost = query(out, f"SELECT count(*) AS n FROM control_messages WHERE {of} AND received_ps IS NULL AND sent_ps < {end} - 1000000000")
    check_equal(f"{name}: control messages arrive", lost[0]["n"], 0)
    check_circuits(out, name, of, row["end_ps"])
    phases = query(out, f"SELECT rank, rail, count(*) AS n FROM phases WHERE {of} GROUP BY rank, rail ORDER BY rank, rail")
    between = query(out, f"SELECT rank, rail, count(*) AS n FROM windows WHERE {of} GROUP BY rank, rail ORDER BY rank, rail")
    check_equal(f"{name}: a window between two phases", [dict(one, n=one["n"] - 1) for one in phases], between)
    bytes_of = query(out, f"SELECT sum(bytes) AS n FROM phases WHERE {of} AND rank IS NOT NULL")[0]["n"]
    sent = query(out, f"SELECT sum(bytes_sent) AS n FROM operations WHERE {of} AND path <> 'inside'")[0]["n"]
    check_equal(f"{name}: bytes of phases and of operations", bytes_of, sent)


def check_circuits(out, name, of, end):
    """A port is dark while it has no circuit, but for the delay of the fiber at the begin and the end."""
    circuits = query(out, f"SELECT * FROM circuits WHERE {of}")
    dark = {}
    for one in circuits:
        up = max(0, min(one["down_ps"] or end, end) - one["up_ps"])
        for port in (one["low_port"], one["high_port"]):
            dark[one["rail"], port] = dark.get((one["rail"], port), end) - up
    ports = query(out, f"SELECT rail, switch_port, dark_ps FROM ports WHERE {of}")
    wrong = [(port, dark.get((port["rail"], port["switch_port"]))) for port in ports
             if circuits and abs(port["dark_ps"] - dark.get((port["rail"], port["switch_port"]), end)) > 10**6]
    check(f"{name}: the dark time of {len(ports)} ports", str(wrong[:3]) if wrong else "")
    if not circuits:
        check(f"{name}: packet switches have no circuits", "" if "electrical" in name else "a policy of circuits has none")


def check_manual(out):
    """doc/output.rst has the tables of the database, and queries that give rows."""
    text = (SOURCE / "doc/output.rst").read_text()
    documented = {}
    for title, body in re.findall(r"^\.\. list-table:: Table (\w+)\..*?\n(.*?)(?=^\S)", text, re.MULTILINE | re.DOTALL):
        documented[title] = re.findall(r"^   \* - ``(\w+)``$", body, re.MULTILINE)
    there = {}
    for row in query(out, "SELECT * FROM columns"):
        there.setdefault(row["table_name"], []).append(row["column_name"])
    check_equal("the manual has all tables", documented, there)
    made = {table: [row["name"] for row in query(out, f"PRAGMA table_info({table})")] for table in there}
    check_equal("and so are they in the database", made, there)
    queries = re.findall(r"^\.\. code-block:: sql\n\n((?:   .*\n|\n)+?)(?=^\S)", text, re.MULTILINE)
    check("five queries", "" if len(queries) >= 5 else str(queries))
    for one in queries:
        rows = query(out, one)
        empty = [key for key in (rows[0] if rows else {}) if all(row[key] is None for row in rows)]
        check(f"a query of the manual: {' '.join(one.split())[:60]}...", f"{len(rows)} rows, without {empty}" if empty or not rows else "")


def check_more(folder):
    """Options that record more."""
    line = f"{SHORT} --policy=provisioned --reconfiguration=1ms"
    run(f"{line} --output=more --output-inside --output-messages --output-timeline", folder)
    more = folder / "more"
    messages = query(more, "SELECT event, count(*) AS n, sum(bytes) AS bytes FROM messages GROUP BY event ORDER BY event")
    check("messages that are settled have arrived",
          "" if len(messages) == 2 and messages[0]["n"] == messages[1]["n"] > 0 and messages[0]["bytes"] == messages[1]["bytes"]
          else str(messages))
    data = query(more, "SELECT count(*) AS n, sum(bytes) AS bytes FROM messages WHERE event = 'arrived' AND bytes <> 64")
    of_operations = "SELECT sum(messages_received) AS n, sum(bytes_received) AS bytes FROM operations WHERE path = 'circuits'"
    check_equal("operations have as many, but for announcements of receives", data, query(more, of_operations))
    computed = query(more, "SELECT sum(end_ps - start_ps) / 16 AS n FROM operations WHERE kind = 'compute'")[0]["n"]
    sums = query(more, "SELECT sum(computed_s) AS n FROM iterations")[0]["n"]
    check("computing adds up", "" if math.isclose(computed / 1e12, sums, abs_tol=1e-11) else f"{computed / 1e12} {sums}")
    received = query(more, "SELECT iteration, sum(messages_received) AS n FROM operations GROUP BY iteration")
    iterations = query(more, "SELECT iteration, messages AS n FROM iterations")
    check_equal("messages of operations are those of iterations", received, iterations)
    events = json.loads((more / "timeline.json").read_text())["traceEvents"]
    check("a timeline", "" if len(events) > 1000 else f"{len(events)} events")


def check_others(folder):
    """Other examples, and several repeats."""
    run("ocs-first-circuit --output=circuit --output-timeline", folder)
    there = sorted(path.name for path in (folder / "circuit").iterdir())
    check_equal("an example without a database", there, ["results.json", "run.json", "timeline.json"])
    run(f"{SHORT} --policy=on-demand --reconfiguration=1ms --runs=2 --output=repeats", folder)
    there = sorted(path.name for path in (folder / "repeats").iterdir())
    check_equal("repeats", there, ["results.json", "run.json"])
    figures = json.loads((folder / "repeats/results.json").read_text())["figures"]
    check("they have figures", "" if figures else "none")


def check_mistakes(folder):
    """What can't be a folder is refused, and touches nothing."""
    (folder / "file").write_text("mine")
    for option in ("--output=file", "--output=file/under", "--output=none/here", "--output=", "--output-csv", "--output-inside", "--output-timeline", "--output-report",
                   "--output=. --output-report"):
        _, log = run(f"photonic-training {option}", folder, code=2)
        check(f"{option} is refused in a line", "" if log.count("\n") == 1 and log.startswith("photonic-training: --output") else log)
    check_equal("and the file stays", (folder / "file").read_text(), "mine")


def check_failure(folder):
    """A run that fails is in the database, with the reason; the others are too."""
    stall = "--ns3::CollectiveApplication::StallLimit=80ms"
    _, log = run(f"{SHORT} --policy=on-demand --reconfiguration=1us,100ms --processes=1 {stall} --output=failed", folder, code=1)
    runs = query(folder / "failed", "SELECT * FROM runs ORDER BY run")
    check_equal("one of two runs failed", [row["status"] for row in runs], ["complete", "failed"])
    check("with the reason", "" if runs[1]["error"] and runs[1]["error"] in log else f"{runs[1]['error']}\n{log}")
    record = record_of(folder / "failed")
    check_equal("the folder says so", record["status"], "ended early")
    check("with the reason", "" if record.get("error") and record["error"] in log else f"{record}\n{log}")
    page = (folder / "failed/report.html").read_text()
    first = re.search(r'<p class="notice">(.*?)</p>', page).group(1)
    check("and so does the report", "" if "ended early" in first and "Of 2 runs" in first and record["error"][:40] in first else first)
    rows = query(folder / "failed", "SELECT count(*) AS n FROM control_messages WHERE run = 1")[0]["n"]
    check("what it had done is there", "" if rows else "no message")


def check_early_report(name, out, status):
    """A report of a program that has not ended as it should says so, and has what was there."""
    page = (out / "report.html").read_text()
    notice = re.findall(r'<p class="notice">(.*?)</p>', page)
    words = "was killed" if status == "running" else "ended early"
    check(f"{name}: the report says so first", "" if notice and words in notice[0] and "1 is complete" in notice[0] else str(notice))
    plots = re.findall(r'<figure class="plot[^"]*" id="([\w-]+)"', page)
    check(f"{name}: and has plots of the first run", "" if "plot-iteration" in plots and "plot-circuits" in plots else str(plots))


def check_end(folder, number, code, status):
    """A process that ends in the middle of its second run leaves the first, readable."""
    out = folder / f"ended-{number}"
    line = f"photonic-training --policy=on-demand --reconfiguration=1us,1ms --iterations=40 --processes=1 --output={out}"
    program = subprocess.Popen([BUILD / "examples" / shlex.split(line)[0], *shlex.split(line)[1:]], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    for text in program.stdout:
        if text.startswith("on-demand"):  # the first run is in the table
            break
    check_equal("while it runs, the folder says so", record_of(out)["status"], "running")
    check_equal("and another program can't have it", run("photonic-training --quick --output=" + str(out), folder, code=2)[0], "")
    program.send_signal(number)
    program.communicate(timeout=SECONDS)
    check_equal(f"{number.name}: exit code", program.returncode, code)
    check_equal(f"{number.name}: the folder", record_of(out)["status"], status)
    if status == "running":
        check(f"{number.name}: no report", "there is one" if (out / "report.html").exists() else "")
        _, log = run(f"photonic-training --output={out} --output-report", folder)
        check_equal("one is made afterwards", log, f"output: {out}\n")
    check_early_report(number.name, out, status)
    check_equal(f"{number.name}: the database is whole", query(out, "PRAGMA integrity_check"), [{"integrity_check": "ok"}])
    runs = query(out, "SELECT * FROM runs ORDER BY run")
    check(f"{number.name}: the first run is complete, the second is not",
          "" if runs[0]["status"] == "complete" and runs[1]["status"] in ("waiting", "running") else str(runs))
    rows = query(out, "SELECT run, count(*) AS n FROM operations GROUP BY run")
    check(f"{number.name}: with its operations", "" if rows and rows[0]["run"] == 0 and rows[0]["n"] > 10000 else str(rows))
    check(f"{number.name}: results.json has the first run",
          "" if len(json.loads((out / "results.json").read_text())["runs"]) == 1 else "it has not")


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    _, words = run(f"{SHORT} --policy=on-demand --reconfiguration=1ms --output=probe", top)
    if "this build has no SQLite" in words:
        there = sorted(path.name for path in (top / "probe").iterdir())
        check_equal("without SQLite there is no database", there, ["results.json", "run.json"])
        check("and a line says what to install", "" if "apt install libsqlite3-dev" in words else words)
        sys.exit(1 if failures else 0)
    told, said = run(f"{RUNS} --output=out --output-csv", top)
    check_numbers(top / "out", told, check_files(top / "out", told, said))
    check_manual(top / "out")
    check_more(top)
    check_others(top)
    check_mistakes(top)
    check_failure(top)
    check_end(top, signal.SIGINT, 130, "ended early")
    check_end(top, signal.SIGTERM, 143, "ended early")
    check_end(top, signal.SIGKILL, -9, "running")
sys.exit(1 if failures else 0)
