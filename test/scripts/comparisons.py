# SPDX-License-Identifier: GPL-2.0-only

"""The comparisons of doc/validation.rst: what was published, and the values of runs that stand beside it.

doc/validation/comparisons.json has a list of comparisons. Each has

- title: of its table in the chapter;
- source, calibrated: words for the summary; what was calibrated, and on which line;
- digits: behind the point, in the table;
- runs: commands of the chapter by name, without ./rails run;
- lines: rows of the table. Each has line (its name), value, and published: a number, {"at_least": number}, or null where nothing
  has been compared yet. The error is (here - published) / published, or over relative_to, if there is one. A line that is
  calibrated, or part of a fit, has calibrated: true; its error is not one of a prediction.

A value is arithmetic with numbers, and with {RUN PATH} for what a run writes as JSON: names with points between, [KEY=VALUE,...] for
the one element that has these values, [?KEY=VALUE,...] for the list of all that have them, [NUMBER] for an element. A name behind a list is
that of each element. Functions: sum, max, min, len; share(LIST, LIMIT), the share of values beyond a limit.
"""

import ast
import json
import operator
import re
from decimal import Decimal

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.USub: operator.neg}
FUNCTIONS = {
    "sum": sum, "max": max, "min": min, "len": len, "share": lambda values, limit: sum(x > limit for x in values) / len(values),
}


class Mistake(Exception):
    """A comparison that can't be worked out."""


def load(path):
    """All comparisons; numbers with a point keep their digits."""
    return json.loads(path.read_text(), parse_float=Decimal)["comparisons"]


def same(value, words):
    """Whether a value of JSON is that of a path."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value) == words
    try:
        return float(value) == float(words)
    except ValueError:
        return False


def find(value, path):
    """What stands at a path of a result."""
    for name, brackets in re.findall(r"\.?([\w-]+)|\[([^\]]*)\]", path):
        try:
            if name:
                value = [one[name] for one in value] if isinstance(value, list) else value[name]
                continue
            if re.fullmatch(r"-?\d+", brackets):
                value = value[int(brackets)]
                continue
            wanted = [part.split("=", 1) for part in brackets.lstrip("?").split(",")]
            found = [one for one in value if all(same(one[key], words) for key, words in wanted)]
        except (KeyError, IndexError, TypeError) as error:
            raise Mistake(f"{path}: {error!r} at {name or brackets}") from error
        if brackets.startswith("?"):
            value = found
        elif len(found) == 1:
            value = found[0]
        else:
            raise Mistake(f"{path}: {len(found)} elements have {brackets}")
    return value


def runs_of(line):
    """The names of the runs that a line takes its value from."""
    return re.findall(r"\{(\S+) ", line["value"])


def evaluate(formula, results):
    """The value of a formula. results: JSON of each run, by name."""
    values = {}

    def place(match):
        name = f"v{len(values)}"
        values[name] = find(results[match.group(1)], match.group(2))
        return name

    tree = ast.parse(re.sub(r"\{(\S+) ([^}]*)\}", place, formula), mode="eval")

    def work(node):
        if isinstance(node, ast.Expression):
            return work(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name) and node.id in values:
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](work(node.left), work(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](work(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            return FUNCTIONS[node.func.id](*map(work, node.args))
        raise Mistake(f"{formula}: {ast.dump(node)} is not understood")

    return work(tree)


def error_of(line, here):
    """The error of a printed value in percent, or None if there is nothing to compare it with."""
    published = line["published"]
    if published is None:
        return None
    if isinstance(published, dict):
        least = float(published["at_least"])
        return min(0.0, 100 * (here - least) / float(line.get("relative_to", least)))
    return 100 * (here - float(published)) / float(line.get("relative_to", published))


def words_of(line):
    """What was published, as a cell."""
    published = line["published"]
    if published is None:
        return ""
    return f"at least {published['at_least']}" if isinstance(published, dict) else str(published)


def percent(error):
    """An error as a cell; 0 has no sign."""
    words = f"{error:+.1f} %"
    return "0.0 %" if words in ("+0.0 %", "-0.0 %") else words


def rows_of(comparison, here):
    """The rows of its table, as cells. here: the printed value of each line, as text."""
    rows = [["Line", "Source", "Here", "Error"]]
    for line, value in zip(comparison["lines"], here):
        error = error_of(line, float(value))
        cell = "" if error is None else percent(error)
        rows.append([line["line"], words_of(line), value, f"{cell}, calibrated" if line.get("calibrated") and cell else cell])
    return rows


def summary_of(comparisons, heres):
    """The rows of the summary: errors of lines that are predicted, else of those that are fitted. heres: values by comparison."""
    rows = [["Comparison", "Source", "Calibrated", "Lines predicted", "Mean error", "Worst error"]]
    for comparison, here in zip(comparisons, heres):
        predicted, fitted = [], []
        for line, value in zip(comparison["lines"], here):
            error = error_of(line, float(value))
            if error is not None:
                (fitted if line.get("calibrated") else predicted).append((error, line["line"]))
        errors = predicted or fitted
        worst = max(errors, key=lambda one: abs(one[0]), default=None)
        rows.append([
            comparison["title"],
            comparison["source"],
            comparison["calibrated"],
            str(len(predicted)) if predicted else f"none; {len(fitted)} fitted" if fitted else "not compared yet",
            f"{sum(abs(error) for error, _ in errors) / len(errors):.1f} %" if errors else "",
            f"{percent(worst[0])} ({worst[1]})" if worst else "",
        ])
    return rows


def render(rows):
    """The lines of a list-table below its title."""
    lines = ["   :header-rows: 1", ""]
    for row in rows:
        lines += [f"   {'* -' if place == 0 else '  -'} {cell}".rstrip() for place, cell in enumerate(row)]
    return lines
