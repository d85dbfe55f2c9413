# SPDX-License-Identifier: GPL-2.0-only

"""The table of a sweep: a line for each row of each run (table.csv), the means over seeds (means.csv), both in sweep.sqlite.

Columns of a run are its parameters, RngRun, row, error, its results by their JSON keys, and its origin. A result with the name of
another column has "result." before it. Means have the parameters, row, the number of runs, and of each number NAME and
NAME.half_width_95.
"""

import csv
import io
import os
import sqlite3

from sweeps.folder import SEED, write_whole
from sweeps.interval import mean_and_half_width
from sweeps.quantity import number

ORIGIN = ("program", "version", "ns3", "seed", "run")  # among the results
PROCESS = ("cpu_s", "wall_s", "max_rss_mb")
LEFT_OUT = ("complete",)


def parameters_of(records):
    """The options that are given in any run, in the order in which they come."""
    return [one for one in dict.fromkeys(option for record in records for option in record["parameters"]) if one != SEED]


def value_of(record, option):
    """The value of an option in a run, as the program took it."""
    given = record["parameters"].get(option, "")
    return number(record["options"].get(option, given))


def lines_of(record, parameters):
    """The lines of a run: {column: value}."""
    values = {option: value_of(record, option) for option in parameters}
    own = {SEED: number(record["parameters"][SEED])}
    process = {f"process.{name}": record[name] for name in PROCESS}
    process |= {"host": record["host"], "commit": record["commit"], "command": record["command"], "id": record["id"]}
    taken = {name.lower() for name in (*values, *own, *process, *ORIGIN, "row", "error")}
    for place, row in enumerate(record["rows"] or [{}], 1):
        results = {
            f"result.{name}" if name.lower() in taken else name: value
            for name, value in row.items()
            if name not in (*ORIGIN, *LEFT_OUT) and str(value) != str(values.get(name))  # which is there already
        }
        origin = {name: row.get(name, record["program"] if name == "program" else None) for name in ORIGIN}
        yield {**values, **own, "row": place, "error": record["error"], **results, **origin, **process}


def heads(lines):
    """All columns: those of the origin last."""
    names = [*dict.fromkeys(name for line in lines for name in line)]
    last = [*ORIGIN, *(f"process.{name}" for name in PROCESS), "host", "commit", "command", "id"]
    return [name for name in names if name not in last] + [name for name in last if name in names]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def means_of(lines, parameters):
    """The means over seeds of runs that are alike: {column: value}."""
    alike = {}
    for line in lines:
        if not line["error"]:
            key = (*(str(line[option]) for option in parameters), line["row"])
            alike.setdefault(key, {})[line[SEED]] = line  # a seed counts once
    numbers = [name for name in heads(lines) if name not in (*parameters, SEED, "row", "error", *ORIGIN)]
    for seeds in alike.values():
        some = [*seeds.values()]
        mean = {option: some[0][option] for option in parameters} | {"row": some[0]["row"], "runs": len(some)}
        for name in numbers:
            values = [line.get(name) for line in some]
            if all(is_number(value) for value in values):
                mean[name], mean[f"{name}.half_width_95"] = mean_and_half_width(values)
            elif len(set(values)) == 1 and values[0] is not None:
                mean[name] = values[0]
        yield mean


def to_csv(lines, names):
    text = io.StringIO()
    table = csv.DictWriter(text, names, restval="")
    table.writeheader()
    table.writerows(lines)
    return text.getvalue()


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def to_sqlite(path, tables):
    """Writes a database as a whole or not at all. @param tables {name: (lines, columns)}"""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    try:
        base = sqlite3.connect(part)
        try:
            for table, (lines, names) in tables.items():
                base.execute(f"CREATE TABLE {quoted(table)} ({', '.join(map(quoted, names))})")
                places = ", ".join("?" * len(names))
                base.executemany(
                    f"INSERT INTO {quoted(table)} VALUES ({places})", ([line.get(name) for name in names] for line in lines)
                )
            base.commit()
        finally:
            base.close()
        os.replace(part, path)
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise OSError(0, str(error), str(path)) from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write(folder):
    """Writes the tables of all runs that are over. Their records."""
    records = folder.records()
    parameters = parameters_of(records)
    lines = [line for record in records for line in lines_of(record, parameters)]
    names = heads(lines)
    means = [*means_of(lines, parameters)]
    mean_names = [*dict.fromkeys(name for line in means for name in line)]
    if records:
        write_whole(folder.path / "table.csv", to_csv(lines, names))
        write_whole(folder.path / "means.csv", to_csv(means, mean_names or [*parameters, "row", "runs"]))
        to_sqlite(
            folder.path / "sweep.sqlite", {"runs": (lines, names), "means": (means, mean_names or [*parameters, "row", "runs"])}
        )
    return records
