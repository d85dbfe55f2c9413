#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Values, errors and summaries of comparisons (comparisons.py), against ones worked out by hand.

script-comparisons.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
"""

import pathlib
import sys
from decimal import Decimal

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "test/scripts"))

import comparisons  # noqa: E402

failures = 0


def check(what, there, expected):
    global failures
    failures += there != expected
    print(f"{'ok' if there == expected else 'FAILED'}: {what}" + ("" if there == expected else f"\n{there!r}, not {expected!r}"))


def mistake(formula):
    try:
        return comparisons.evaluate(formula, RESULTS)
    except comparisons.Mistake:
        return "a mistake"


RESULTS = {
    "a": {"rows": [{"n": 1, "t": 2.5, "p": "x"}, {"n": 2, "t": 4, "p": "x"}, {"n": 2, "t": 8, "p": "y"}], "end_s": 0.01},
    "b": {"list": [3, 1, 2]},
}
check("a member", comparisons.evaluate("{a end_s}", RESULTS), 0.01)
check("the one element with a value", comparisons.evaluate("{a rows[n=1].t}", RESULTS), 2.5)
check("with two values", comparisons.evaluate("{a rows[n=2,p=y].t}", RESULTS), 8)
check("an element from the end", comparisons.evaluate("{b list[-1]}", RESULTS), 2)
check("arithmetic over runs", comparisons.evaluate("({a rows[n=1].t} - {b list[0]}) / 2", RESULTS), -0.25)
check("all elements", comparisons.evaluate("sum({a rows[?n=2].t})", RESULTS), 12)
check("a share", comparisons.evaluate("100 * share({b list}, 1)", RESULTS), 100 * (2 / 3))
check("several elements are not one", mistake("{a rows[n=2].t}"), "a mistake")
check("an element that is not there", mistake("{a rows[n=3].t}"), "a mistake")
check("a key that is not there", mistake("{a rows[n=1].bogus}"), "a mistake")
check("no other Python", mistake("__import__('os')"), "a mistake")

LINES = [
    {"line": "one", "published": Decimal("10.0"), "value": "{a end_s}", "calibrated": True},
    {"line": "two", "published": Decimal("20.50"), "value": "{a end_s}"},
    {"line": "three", "published": {"at_least": 75}, "value": "{a end_s}"},
    {"line": "four", "published": -2, "relative_to": 10, "value": "{a end_s}"},
    {"line": "five", "published": None, "value": "{a end_s}"},
]
COMPARISON = {"title": "T", "source": "S", "calibrated": "one", "lines": LINES}
HERE = ["10.1", "20.09", "80", "3", "7"]
check(
    "rows",
    comparisons.rows_of(COMPARISON, HERE),
    [
        ["Line", "Source", "Here", "Error"],
        ["one", "10.0", "10.1", "+1.0 %, calibrated"],
        ["two", "20.50", "20.09", "-2.0 %"],
        ["three", "at least 75", "80", "0.0 %"],  # a bound that holds
        ["four", "-2", "3", "+50.0 %"],
        ["five", "", "7", ""],
    ],
)
check("a bound that does not hold", comparisons.error_of(LINES[2], 60.0), -20.0)
check(
    "the summary leaves out what is calibrated, and what has no source",
    comparisons.summary_of([COMPARISON], [HERE])[1],
    ["T", "S", "one", "3", "17.3 %", "+50.0 % (four)"],  # (2 + 0 + 50) / 3
)
alone = {**COMPARISON, "lines": LINES[-1:]}
check("predictions alone", comparisons.summary_of([alone], [["7"]])[1], ["T", "S", "one", "not compared yet", "", ""])
fit = {**COMPARISON, "lines": LINES[:1]}
check("a fit alone", comparisons.summary_of([fit], [["10.1"]])[1], ["T", "S", "one", "none; 1 fitted", "1.0 %", "+1.0 % (one)"])
check("a table", comparisons.render([["A", "B"], ["c", ""]])[2:], ["   * - A", "     - B", "   * - c", "     -"])

everything = comparisons.load(pathlib.Path(sys.argv[1]) / "doc/validation/comparisons.json")
titles = [one["title"] for one in everything]
check("each comparison has a title of its own", len(set(titles)), len(titles))
for one in everything:
    known = {name for line in one["lines"] for name in comparisons.runs_of(line)}
    check(f"{one['title']}: each run has a use", known, set(one["runs"]))
    lines = [line["line"] for line in one["lines"]]
    check(f"{one['title']}: each line has a name of its own", len(set(lines)), len(lines))
print(f"{failures} failed" if failures else "comparisons are worked out as they should")
sys.exit(failures > 0)
