#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""The documentation as a site: Sphinx reads all pages without a warning, and what it makes is whole.

script-site.py SOURCE_DIR BUILD_DIR: Sphinx reads and checks the pages, and writes none; and the chapters alone, without extensions, as ns-3's
own documentation takes them.
script-site.py SOURCE_DIR BUILD_DIR --all: builds the site as ./rails doc does, with the reference of the classes, then follows the
links, and compares the gallery and the indices with the sources.

One line a check; exit code 1 if one fails, 77 if Sphinx or Doxygen is missing: then the test is skipped.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SECONDS = 600
SOURCE = pathlib.Path(sys.argv[1]).resolve()
IS_WHOLE = "--all" in sys.argv
SKIPPED = 77

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def run(*words, cwd=SOURCE, text=None):
    """Exit code and all output of a command."""
    done = subprocess.run(
        words, cwd=cwd, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return done.returncode, done.stdout


class Page(html.parser.HTMLParser):
    """What a page links to and shows, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.targets = []
        self.fetched = []  # by the browser, without a click
        self.anchors = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if values.get("href") and tag == "a":
            self.targets.append(values["href"])
        if values.get("href") and tag == "link":
            self.fetched.append(values["href"])
        if values.get("src"):
            self.fetched.append(values["src"])


def broken_links(site):
    """Links of pages of the manual to what is not there; pages that fetch something from elsewhere."""
    pages = {path: Page(path) for path in site.rglob("*.html") if path.parent != site / "api"}
    for path, page in pages.items():
        where = path.relative_to(site)
        for target in page.targets + page.fetched:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                if target in page.fetched:
                    yield f"{where} fetches {target}"
                continue
            file = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not file.exists():
                yield f"{where}: {target}: there is no such file"
            elif url.fragment and file in pages and url.fragment not in pages[file].anchors:
                yield f"{where}: {target}: there is no such anchor"


def check_names(site, page, pattern, title):
    """An index has each name of the tables that it is made from."""
    text = re.sub(r"<[^>]+>", "\n", (site / page).read_text())
    there = {line.strip() for line in text.splitlines()}
    names = set()
    for chapter in SOURCE.glob("doc/*.rst"):
        for table in re.findall(rf"^\.\. list-table:: {title} .*\n((?:   .*\n|\n)*)", chapter.read_text(), re.MULTILINE):
            names |= {name for cell in re.findall(pattern, table, re.MULTILINE) for name in re.findall(r"``([^`]+)``", cell)}
    missing = sorted(name for name in names if name not in there)
    check(f"{page} has {len(names)} names", "\n".join(missing) if names else "there are no tables")


def check_gallery(site):
    """Each example has a section, and each plot of an example is shown."""
    gallery = (site / "site/gallery.html").read_text()
    examples = [path.stem for folder in ("examples", "tools") for path in SOURCE.glob(f"{folder}/*.cc")]
    check("the gallery has each example", "\n".join(name for name in examples if f'id="{name}"' not in gallery))
    check(
        "the gallery has a command of each example",
        "\n".join(name for name in examples if f"./rails run {name}" not in re.sub(r"<[^>]+>", "", gallery)),
    )
    plots = [path.stem for path in SOURCE.glob("doc/**/*.svg") if path.with_suffix(".gnuplot").exists() or path.with_suffix(".figure").exists()]
    check("the gallery shows the plots", "\n".join(name for name in plots if f"{name}.svg" not in gallery))


def build_whole(folder, *options):
    """The site as ./rails doc builds it; None if it is not built."""
    environment = {**os.environ, "RAILS_BUILD_DIR": str(folder / "build"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [SOURCE / "rails", "doc", *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False,
        env=environment,
    )
    check(f"./rails {' '.join(['doc', *options])} builds the site without a warning", done.stdout if done.returncode else "")
    return None if done.returncode else folder / "build" / "".join(["doc", *(option[1:] for option in options)])


def check_chapters_alone(folder):
    """ns-3's documentation has none of our extensions, and no other pages."""
    chapters = folder / "chapters"
    chapters.mkdir()
    for path in [*SOURCE.glob("doc/*.rst"), *SOURCE.glob("doc/*.svg"), *SOURCE.glob("doc/*.png")]:
        shutil.copy(path, chapters)
    (chapters / "conf.py").write_text('project = "chapters"\nroot_doc = "photonic-rails"\n')
    code, text = run("sphinx-build", "-W", "--keep-going", "-q", "-b", "dummy", "-d", folder / "read-chapters", chapters, folder / "none")
    check("the chapters alone need no extension", text if code else "")


def main():
    """Runs the checks."""
    for program in ("sphinx-build", *(("doxygen",) if IS_WHOLE else ())):
        if not shutil.which(program):
            print(f"skipped: there is no {program}; apt install python3-sphinx python3-myst-parser doxygen")
            return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not IS_WHOLE:
            code, text = run("sphinx-build", "-W", "--keep-going", "-q", "-b", "dummy", "-d", folder / "read", SOURCE / "doc", folder / "none")
            if "Could not import extension myst_parser" in text:
                print("skipped: there is no myst-parser; apt install python3-myst-parser")
                return SKIPPED
            check("Sphinx reads the pages without a warning", text if code else "")
            check_chapters_alone(folder)
            return failures > 0
        site = build_whole(folder)
        if site:
            check("links of pages lead somewhere, and nothing is fetched", "\n".join(broken_links(site)))
            check("the reference has the classes", "" if (site / "api/classns3_1_1OpticalCircuitSwitch.html").exists() else "no page of a switch")
            check_gallery(site)
            first = r"^   \* - (.*)$"
            check_names(site, "tables-attributes.html", first, "Attributes of")
            check_names(site, "tables-trace-sources.html", first, "Trace sources of")
            check_names(site, "tables-json-keys.html", first, "JSON of")
        site = build_whole(folder, "--students")
        if site:
            check("the site for students has no answers", "\n".join(str(path) for path in [*site.glob("labs/answers*"), *site.glob("labs/teacher*")]))
            check("its links lead somewhere", "\n".join(broken_links(site)))
    return failures > 0


sys.exit(main())
