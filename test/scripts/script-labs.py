#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""The labs: their sheets are whole, and their check says right of what is right, and of nothing else.

script-labs.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
script-labs.py SOURCE_DIR BUILD_DIR --all: the labs that take long too.

The commands of the sheets are run by script-docs.py.
"""

import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
LABS = SOURCE / "doc/labs"
PARTS = ("Goal", "What you need to know", "Step 1", "What to hand in")

failures = 0


def load_tool():
    """tools/lab as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("lab", str(SOURCE / "tools/lab"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lab", loader))
    loader.exec_module(module)
    return module


TOOL = load_tool()


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(*words):
    """Exit code, stdout and stderr of tools/lab."""
    done = subprocess.run([SOURCE / "tools/lab", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


# ---- sheets


def questions(text):
    """The questions of a sheet: numbers and points."""
    return [(int(number), int(points)) for number, points in re.findall(r"^\*\*Question (\d+) \((\d+) points\)\.\*\*", text, re.MULTILINE)]


def faults_of_sheet(lab, sheet):
    """What a sheet lacks."""
    text = sheet.read_text()
    lines = text.splitlines()
    head = re.fullmatch(r"\*(\d+) minutes, (\d+) points\*", lines[2])
    if not head:
        yield f"the third line is not *N minutes, N points*: {lines[2]}"
        return
    found = questions(text)
    if [number for number, _ in found] != list(range(1, len(found) + 1)) or not found:
        yield f"its questions are {found}"
    if sum(points for _, points in found) != int(head.group(2)):
        yield f"its questions have {sum(points for _, points in found)} points, and its head says {head.group(2)}"
    for part in PARTS:
        if not re.search(rf"^## {part}", text, re.MULTILINE):
            yield f"there is no part {part}"
    figures = re.findall(r"^!\[[^\]]+\]\((\S+\.svg)\)$", text, re.MULTILINE)
    if not figures:
        yield "there is no figure"
    for figure in figures:
        for file in (sheet.parent / figure, (sheet.parent / figure).with_suffix(".gnuplot")):
            if not file.exists():
                yield f"{file}: there is no such file"
    if "answers" in text:
        yield "it leads to the answers"
    row = rf"^\| .*\b{lab}\b.* \| {head.group(1)} \| {head.group(2)} \|"
    for page in (LABS / "README.md", LABS / "teacher.md"):
        if not re.search(row, page.read_text(), re.MULTILINE):
            yield f"{page.name} has no row with lab {lab}, {head.group(1)} minutes, {head.group(2)} points"
    if f"](answers/lab-{lab}.md)" not in (LABS / "teacher.md").read_text():
        yield "teacher.md has no link to its answers"


def faults_of_answers(lab, sheet):
    """What the answers of a sheet lack."""
    asked = [number for number, _ in questions(sheet.read_text())]
    text = (LABS / f"answers/lab-{lab}.md").read_text()
    answered = [int(number) for number in re.findall(r"^## Question (\d+)\b", text, re.MULTILINE)]
    if answered != asked:
        yield f"questions are {asked}, answers {answered}"
    for number in TOOL.read_lab(lab)["numbers"]:
        if not any(re.fullmatch(rf"{question}[a-z]?", number["name"]) for question in asked):
            yield f"{number['name']}: there is no such question"
        if not TOOL.comparisons.runs_of(number):
            yield f"{number['name']}: what is right is not worked out by a run"


def filled_form(lab):
    """The form at the end of the answers."""
    text = (LABS / f"answers/lab-{lab}.md").read_text()
    found = re.search(r"^## The form\n\n```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


# ---- the check


def moved(text, number):
    """What is written, moved out of the tolerance."""
    value = TOOL.number_of(text, number["unit"])
    if value is None:
        return "something-else"
    return repr(value * (1 + 4 * number["tolerance"]) + (0 if number["tolerance"] else 1))


def check_lab(lab, folder):
    """All that the form of the answers has is right, and nothing that is moved."""
    spec = TOOL.read_lab(lab)
    path = folder / f"lab-{lab}.txt"
    path.write_text(filled_form(lab))
    with tempfile.TemporaryDirectory() as objects:
        shared_object = TOOL.solution(spec, BUILD, objects)
        right = TOOL.Runs(spec, BUILD, shared_object)
        own = TOOL.Runs(spec, BUILD, shared_object) if shared_object else None
        try:
            written = TOOL.read_form(path, spec)
            problem = ""
            for number in spec["numbers"]:
                result = TOOL.check_number(number, written, right, own)
                if result != "right":
                    problem += f"{number['name']}: {written.get(number['name'])} is {result}; {right.value_of(number)} is right\n"
            check(f"lab {lab}: the form in its answers is right", problem)
            problem = ""
            for number in spec["numbers"]:
                if number.get("of_file"):
                    continue
                other = moved(written[number["name"]], number)
                result = TOOL.check_number(number, {number["name"]: other}, right, own)
                if result != "wrong":
                    problem += f"{number['name']}: {other} is {result}\n"
            check(f"lab {lab}: nothing else is", problem)
        except (TOOL.Mistake, TOOL.comparisons.Mistake, KeyError) as mistake:
            check(f"lab {lab}: its form", f"{mistake!r}")


def check_command(folder):
    """The command as students use it."""
    code, form, err = run("form", "1")
    check("the form is printed", err if code or "1a:" not in form.splitlines() else "")
    path = folder / "mine.txt"
    path.write_text(form)
    code, out, err = run("check", "1", path, BUILD)
    check("an empty form has no right number", "" if code == 1 and " 0 right, 0 wrong," in out and "running" not in err else out + err)
    path.write_text(form.replace("\n1a:", "\n1a: 201,640 ps").replace("\n1b:", "\n1b: 201545").replace("\n2:", "\n2: 1 s"))
    code, out, _ = run("check", "1", path, BUILD)
    lines = out.splitlines()
    good = code == 1 and lines[0].split() == ["1a", "right"] and lines[1].split() == ["1b", "wrong"] and lines[2].startswith("2      not understood")
    check("some numbers are filled in", "" if good else out)
    check("a check does not say what is right", "" if "201544" not in out else out)
    for text, words in (
        ("1z: 3", f"mine.txt:1: there is no number 1z"),
        ("\n1a: 3\n1a: 4", "mine.txt:3: 1a stands there twice"),
        ("what is this", "mine.txt:1: there is no number what is this"),
    ):
        path.write_text(text)
        code, out, err = run("check", "1", path, BUILD)
        check(f"a form with {text.strip()!r} is refused", "" if code == 2 and words in err and len(err.splitlines()) == 1 else f"{code} {out} {err}")
    code, _, err = run("check", "1", folder / "none.txt", BUILD)
    check("a form that is missing is refused", "" if code == 2 and "none.txt" in err else err)
    code, _, err = run("form", "99")
    check("a lab that is missing is refused", "" if code == 2 and "no lab 99" in err else err)


def main():
    """Runs the checks."""
    sheets = {re.match(r"lab-(\w+?)-", path.name).group(1): path for path in sorted(LABS.glob("lab-*.md"))}
    for lab, sheet in sheets.items():
        check(f"lab {lab}: its sheet is whole", "\n".join(faults_of_sheet(lab, sheet)))
        check(f"lab {lab}: each question has an answer", "\n".join(faults_of_answers(lab, sheet)))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_command(folder)
        for lab in sheets:
            if "--all" in sys.argv or not TOOL.read_lab(lab).get("long"):
                check_lab(lab, folder)
    return failures > 0


sys.exit(main())
