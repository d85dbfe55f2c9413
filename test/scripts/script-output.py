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
    for row in query(out, "SELECT * FROM columns WHERE meaning <> 'a member of rows in results.json'"):
        there.setdefault(row["table_name"], []).append(row["column_name"])
    check_equal("the manual has all tables", documented, there)
    made = {table: [row["name"] for row in query(out, f"PRAGMA table_info({table})")] for table in there}
    made["results"] = made["results"][:2]  # and a column for each member
    check_equal("and so are they in the database", made, there)
    queries = re.findall(r"^\.\. code-block:: sql\n\n((?:   .*\n|\n)+?)(?=^\S)", text, re.MULTILINE)
    check("five queries", "" if len(queries) >= 5 else str(queries))
    for one in queries:
        rows = query(out, one)
        empty = [key for key in (rows[0] if rows else {}) if all(row[key] is None for row in rows)]
        check(f"a query of the manual: {' '.join(one.split())[:60]}...", f"{len(rows)} rows, without {empty}" if empty or not rows else "")


def check_communicating(out):
    """In part of the time without computing, operations with other GPUs are under way: the union of their times without that of computing."""
    begin = query(out, "SELECT start_ps FROM iterations WHERE iteration = 2")[0]["start_ps"]
    end, last = (query(out, "SELECT max(end_ps) AS n, max(iteration) AS last FROM iterations")[0][key] for key in ("n", "last"))

    def union(rank, kinds):
        covered, length = begin, 0
        for one in query(out, f"SELECT start_ps, end_ps FROM operations WHERE rank = {rank} AND {kinds} ORDER BY start_ps"):
            length += max(0, min(one["end_ps"], end) - max(one["start_ps"], covered))
            covered = max(covered, min(one["end_ps"], end))
        return length

    alone = sum(union(rank, "1") - union(rank, "kind = 'compute'") for rank in range(16)) // 16
    row = query(out, "SELECT communicating_s, gpu_idle_s FROM runs")[0]
    check("communication without computing", "" if math.isclose(alone / 1e12 / (last - 1), row["communicating_s"], abs_tol=1e-12)
          and 0 < row["communicating_s"] <= row["gpu_idle_s"] else f"{alone / 1e12} {row}")


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
    check_communicating(more)
    received = query(more, "SELECT iteration, sum(messages_received) AS n FROM operations GROUP BY iteration")
    iterations = query(more, "SELECT iteration, messages AS n FROM iterations")
    check_equal("messages of operations are those of iterations", received, iterations)
    events = json.loads((more / "timeline.json").read_text())["traceEvents"]
    check("a timeline", "" if len(events) > 1000 else f"{len(events)} events")


def flat(members, outer=""):
    """The columns of a row of JSON: strings, numbers and truth values, of inner objects too."""
    columns = {}
    for name, value in (members if isinstance(members, dict) else {"value": members}).items():
        if isinstance(value, dict):
            columns.update(flat(value, f"{outer}{name}_"))
        elif value is not None and value != "" and not isinstance(value, list):
            columns[f"{outer}{name}"] = int(value) if isinstance(value, bool) else value
    return columns


def check_rows(out, name):
    """The rows, the summary and the parameters of a database are those of results.json."""
    results = json.loads((out / "results.json").read_text())
    origin = ("program", "version", "ns3", "seed", "run", "options", "complete")
    own = {key: value for key, value in results.items() if key not in origin}
    rows = [{"array_name": key, "row_number": number, **flat(row)}
            for key, array in own.items() if isinstance(array, list) for number, row in enumerate(array)]
    there = [{key: value for key, value in row.items() if value is not None} for row in query(out, "SELECT * FROM results")]
    key = lambda row: (row["array_name"], row["row_number"])
    check_equal(f"{name}: {len(there)} rows of results", sorted(there, key=key), sorted(rows, key=key))
    summary = {row["name"]: row["value"] for row in query(out, "SELECT * FROM summary") if row["value"] is not None}
    check_equal(f"{name}: the summary", summary, flat({key: value for key, value in own.items() if not isinstance(value, list)}))
    options = {row["name"][2:]: row["value"] or "" for row in query(out, "SELECT * FROM parameters WHERE name LIKE '--%'")}
    typed = {key: value if isinstance(value, str) else json.dumps(value) for key, value in results["options"].items()}
    check_equal(f"{name}: the options", options, typed)
    listed = {row["column_name"] for row in query(out, "SELECT column_name FROM columns WHERE table_name = 'results'")}
    check_equal(f"{name}: its columns", listed, {row["name"] for row in query(out, "PRAGMA table_info(results)")})
    page = (out / "report.html").read_text()
    wanted = [f'id="results-{array}"' for array in {row["array_name"] for row in rows} if any(len(row) > 2 for row in rows)]
    plots = [row["title"] for row in query(out, "SELECT title FROM plots")]
    missing = [one for one in wanted + plots if one not in page]
    check(f"{name}: the report has them, and {len(plots)} plots", str(missing) if missing else "")
    return results


def check_recorded(out, name, tables, runs):
    """A database has so many runs, which are complete, and rows in tables."""
    there = query(out, "SELECT * FROM runs ORDER BY run")
    check_equal(f"{name}: its runs", [(row["status"], row["run"]) for row in there], [("complete", number) for number in range(runs)])
    empty = [table for table in tables if query(out, f"SELECT count(*) AS n FROM {table}")[0]["n"] == 0]
    check(f"{name}: has {' '.join(tables)}", f"but no {empty}" if empty else "")
    for row in there:
        sums = query(out, f"SELECT sum(frames_sent) AS n, sum(wire_bytes_sent) AS bytes FROM ports WHERE run = {row['run']}")[0]
        if sums["n"] is not None:
            check_equal(f"{name}, {row['name']}: frames of all ports", (sums["n"], sums["bytes"]), (row["frames"], row["wire_bytes"]))
    return there


def check_limit(folder):
    """Operations of a job with more ranks than the limit are not recorded, which is said."""
    line = f"{SHORT} --policy=provisioned --reconfiguration=1ms --record-ranks=15 --output=large"
    _, log = run(line, folder)
    words = "photonic-training: operations, phases and windows of 16 ranks are not recorded; --record-ranks=16 records them\n"
    check_equal("a limit is said", log, words + "output: large\n")
    large = folder / "large"
    check_equal("the job says so", query(large, "SELECT is_recorded AS n FROM jobs")[0]["n"], 0)
    counts = [query(large, f"SELECT count(*) AS n FROM {table}")[0]["n"] for table in ("operations", "phases", "windows")]
    check_equal("it has no operations, phases and windows", counts, [0, 0, 0])
    notices = re.findall(r'<p class="notice">(.*?)</p>', (large / "report.html").read_text())
    check("and the report says so", "" if len(notices) == 1 and "16 ranks are not recorded" in notices[0] else str(notices))


def check_others(folder):
    """Other examples, and several repeats."""
    files = ["report.html", "results.json", "results.sqlite", "run.json"]
    run("ocs-first-circuit --output=circuit --output-timeline", folder)
    check_equal("files of another example", sorted(path.name for path in (folder / "circuit").iterdir()), [*files, "timeline.json"])
    results = check_rows(folder / "circuit", "ocs-first-circuit")
    check_recorded(folder / "circuit", "ocs-first-circuit", ["circuits", "plans", "ports", "drops"], 1)
    lost = query(folder / "circuit", "SELECT reason, count(*) AS n FROM drops GROUP BY reason")
    check_equal("its drops", {row["reason"]: row["n"] for row in lost}, results["drops"])
    turned = query(folder / "circuit", "SELECT down_ps, up_ps FROM circuits ORDER BY up_ps")
    one = results["reconfigurations"][0]
    check_equal("its circuit", (turned[0]["down_ps"], turned[1]["up_ps"]), (one["dark_from_ps"], one["up_at_ps"]))

    run(f"{SHORT} --policy=on-demand --reconfiguration=1ms --runs=2 --output=repeats", folder)
    check_equal("files of repeats", sorted(path.name for path in (folder / "repeats").iterdir()), files)
    check_rows(folder / "repeats", "repeats")
    check("they have figures", "" if query(folder / "repeats", "SELECT * FROM results WHERE array_name = 'figures'") else "none")

    run("two-hosts --output=hosts", folder)
    check_rows(folder / "hosts", "two-hosts")
    run("cost-and-power --servers=64 --output=bills", folder)
    check_rows(folder / "bills", "cost-and-power")
    check_collective(folder)
    check_jobs(folder)


def check_collective(folder):
    """The bus bandwidth of the view is that of the example, as nccl-tests have it."""
    for name, option, kind in (("stays", "--ranks=4", "all-reduce"), ("gathers", "--rail-kind=electrical --ranks=5", "all-gather"),
                               ("turns", "--ranks=4 --reconfiguration=10us --algorithm=matchings", "all-to-all")):
        run(f"rail-collective --collective={kind} --min=64K --max=1M --factor=4 {option} --output={name}", folder)
        results = check_rows(folder / name, f"rail-collective {name}")
        check_recorded(folder / name, f"rail-collective {name}", ["operations", "ports"], 3)
        there = query(folder / name, "SELECT kind, bytes, ranks, bus_bandwidth_gb_s AS gb_s, duration_ps FROM collectives ORDER BY bytes")
        wanted = [{"kind": kind, "bytes": row["bytes"], "ranks": row["ranks"], "gb_s": row["busbw_gbytes_s"], "duration_ps": row["time_ps"]}
                  for row in results["rows"]]
        same = len(there) == len(wanted) and all(
            math.isclose(one.pop("gb_s"), other.pop("gb_s"), rel_tol=1e-12) and one == other for one, other in zip(there, wanted))
        check(f"collectives that it {name}", "" if same else f"{there}\n{wanted}")


def check_jobs(folder):
    """Jobs of other examples: one a run, several at once, one after another."""
    run("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --chart=0 --output=plane", folder)
    results = check_rows(folder / "plane", "opus-control-plane")
    tables = ["operations", "iterations", "reconfigurations", "control_messages", "plans", "circuits", "ports", "jobs", "ranks", "costs"]
    check_recorded(folder / "plane", "opus-control-plane", tables, 3)
    for number, policy in enumerate(results["policies"]):
        iterations = query(folder / "plane", f"SELECT iteration_s FROM iterations WHERE run = {number} ORDER BY iteration")
        check_equal(f"{policy['policy']}: iterations", [row["iteration_s"] for row in iterations], policy["iteration_s"])
        count = query(folder / "plane", f"SELECT count(*) AS n FROM reconfigurations WHERE run = {number}")[0]["n"]
        check_equal(f"{policy['policy']}: reconfigurations", count, policy["reconfigurations"])

    run("fault-injection --output=faults", folder)
    results = check_rows(folder / "faults", "fault-injection")
    check_recorded(folder / "faults", "fault-injection", ["faults", "operations", "control_messages"], 2)
    began = {row["start_ps"] for row in query(folder / "faults", "SELECT start_ps FROM faults WHERE run = 0")}
    times = {row["at_ps"] for row in results["faults"]}
    check("its faults began as JSON has it", "" if began and began <= times else f"{began} {times}")

    run("shared-rails --layers=2 --arrivals=0s,10ms,20ms --iterations=2 --output=shared", folder)
    results = check_rows(folder / "shared", "shared-rails")
    check_recorded(folder / "shared", "shared-rails", ["phases", "windows", "circuits"], 4)
    for number, job in enumerate(results["jobs"]):
        iterations = query(folder / "shared", f"SELECT iteration_s FROM iterations WHERE run = 0 AND job = {number} ORDER BY iteration")
        check_equal(f"job {number}: iterations", [round(row["iteration_s"] * 1e12) for row in iterations],
                    [round(one * 1e12) for one in job["iteration_s"]])
        servers = query(folder / "shared", f"SELECT DISTINCT server FROM ranks WHERE run = 0 AND job = {number} ORDER BY rank")
        check_equal(f"job {number}: servers", [row["server"] for row in servers], job["servers"])

    run("faults-and-spares --layers=2 --iterations=2 --at=0.5 --checkpoint-interval=0 --on-failure=splice --output=spares", folder)
    results = check_rows(folder / "spares", "faults-and-spares")
    check_recorded(folder / "spares", "faults-and-spares", ["operations", "circuits"], 2)
    attempts = query(folder / "spares", "SELECT job, min(start_ps) AS begin, max(end_ps) AS end, count(*) AS n FROM operations "
                     "WHERE run = 1 GROUP BY job ORDER BY job")
    check("the job trains, and trains again on other servers",
          "" if len(attempts) == 2 and attempts[0]["end"] < attempts[1]["begin"] and attempts[0]["n"] < attempts[1]["n"] else str(attempts))
    places = query(folder / "spares", "SELECT job, group_concat(DISTINCT server) AS servers FROM ranks WHERE run = 1 GROUP BY job ORDER BY job")
    check_equal("the servers of both attempts", [row["servers"] for row in places], ["0,1,2,3", "0,4,2,3"])


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
    check(f"{name}: and has plots of the first run", "" if "plot-breakdown" in plots and "plot-circuits" in plots else str(plots))


def check_end(folder, number, code, status):
    """A process that ends in the middle of its second run leaves the first, readable."""
    out = folder / f"ended-{number}"
    line = f"photonic-training --policy=on-demand --reconfiguration=1us,1ms --iterations=15 --processes=1 --output={out}"
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
    check_limit(top)
    check_others(top)
    check_mistakes(top)
    check_failure(top)
    check_end(top, signal.SIGINT, 130, "ended early")
    check_end(top, signal.SIGTERM, 143, "ended early")
    check_end(top, signal.SIGKILL, -9, "running")
sys.exit(1 if failures else 0)
