# SPDX-License-Identifier: GPL-2.0-only

"""The combinations of values that a sweep has a run for, as {option: value} in words.

Values come from options with commas, each with each (split(), product()), or from a file (read()). A JSON file is an object:

    { "program": "photonic-training", "runs": 5,
      "options": { "layers": 2, "reconfiguration": ["1ms", "10ms"] },
      "combinations": [ { "dp": 2, "tp": 4 }, { "dp": 4, "tp": 2 } ] }

or the array of combinations alone. Each combination is joined with each of the options' values. A CSV file has the names of options
in its first line, and a combination a line; a field without text is an option that is not given.
"""

import csv
import itertools
import json
import pathlib

from sweeps.mistake import Mistake

MEMBERS = ("program", "runs", "options", "combinations")


def split(option, words):
    """The values of an option: commas separate them, but for those in brackets and those behind a backslash."""
    values = [""]
    depth = 0
    escaped = False
    for letter in words:
        depth += (letter == "[") - (letter == "]")
        if escaped and letter != ",":
            values[-1] += "\\"
        if letter == "\\" and not escaped:
            escaped = True
            continue
        if letter == "," and not escaped and depth <= 0:
            values.append("")
        else:
            values[-1] += letter
        escaped = False
    values[-1] += "\\" * escaped
    if len(values) > 1 and "" in values:
        raise Mistake(f"--{option}={words}: a value between commas is missing")
    return unique(option, values)


def unique(option, values):
    """The values, if none is there twice."""
    for value in values:
        if values.count(value) > 1:
            raise Mistake(f"--{option}: {value} is there twice; leave one out")
    return values


def product(options):
    """Every combination of the values of options, the last option fastest."""
    return [dict(zip(options, values)) for values in itertools.product(*options.values())]


def joined(first, second):
    """Every combination of two lists of combinations, which have no option in common."""
    both = {option for one in first for option in one} & {option for one in second for option in one}
    if both:
        raise Mistake(f"--{sorted(both)[0]}: it is given twice; leave one out")
    return [{**one, **other} for one in first for other in second]


def word(where, value):
    """A value of a JSON file, as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise Mistake(f"{where}: {json.dumps(value)}: expected text, a number, true or false")


def words_of(where, one):
    """A combination of a JSON file."""
    if not isinstance(one, dict):
        raise Mistake(f"{where}: {json.dumps(one)}: expected an object of options and values")
    return {option: word(f"{where}: {option}", value) for option, value in one.items()}


def read_json(path):
    """Combinations, program and number of runs of a file; None where it has none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"{path}: no JSON: {error}") from error
    content = {"combinations": content} if isinstance(content, list) else content
    if not isinstance(content, dict):
        raise Mistake(f"{path}: expected an object or an array")
    for member in content:
        if member not in MEMBERS:
            raise Mistake(f"{path}: {member}: there is no such member; there are {', '.join(MEMBERS)}")
    options = content.get("options", {})
    listed = content.get("combinations", [{}])
    if not isinstance(options, dict) or not isinstance(listed, list):
        raise Mistake(f"{path}: expected an object as options, and an array as combinations")
    lists = {}
    for option, value in options.items():
        values = value if isinstance(value, list) else [value]
        if not values:
            raise Mistake(f"{path}: {option}: there is no value; give one, or leave it out")
        lists[option] = unique(option, [word(f"{path}: {option}", one) for one in values])
    runs = content.get("runs")
    if runs is not None and (not isinstance(runs, int) or isinstance(runs, bool) or runs < 1):
        raise Mistake(f"{path}: runs: {json.dumps(runs)}: give 1 or more")
    program = content.get("program")
    if program is not None and not isinstance(program, str):
        raise Mistake(f"{path}: program: {json.dumps(program)}: give a name")
    return joined(product(lists), [words_of(path, one) for one in listed]), program, runs


def read_csv(path):
    """Combinations and program of a file; None where it has none."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        head = next(reader, [])
        if not head or not all(head) or len(set(head)) < len(head):
            raise Mistake(f"{path}: line 1: expected different names of options")
        rows = []
        for fields in reader:
            if fields and len(fields) != len(head):
                raise Mistake(f"{path}: line {reader.line_num}: {len(fields)} fields; expected {len(head)}")
            if fields:
                rows.append({option: value for option, value in zip(head, fields) if value})
    programs = {one.pop("program", None) for one in rows}
    if len(programs) > 1:
        raise Mistake(f"{path}: program: a sweep has one; make a file for each")
    return rows, programs.pop() if programs else None, None


def read(path):
    """Combinations, program and number of runs of a file; None where it has none."""
    path = pathlib.Path(path)
    try:
        found = read_json(path) if path.suffix == ".json" else read_csv(path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Mistake(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if not found[0]:
        raise Mistake(f"{path}: there is no combination in it")
    return found
