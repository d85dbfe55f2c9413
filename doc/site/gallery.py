# SPDX-License-Identifier: GPL-2.0-only

"""The directive "gallery": a section for each example, with picture, commands and chapter.

Nothing is written twice. What an example is, the picture of characters and the commands are those of the comment at the head
of its source; the chapter is that of the table "Examples" in doc/introduction.rst. A plot is shown if a script of gnuplot, or a file
NAME.figure, in doc/ says in its head that it draws what the example prints (./rails figures).
"""

import os
import pathlib
import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles

ROOT = pathlib.Path(__file__).resolve().parents[2]


def head(source):
    """The comment at the head of a source, as paragraphs, each a list of lines."""
    lines = []
    for line in source.read_text().split("*/", 1)[1].strip().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return [paragraph.splitlines() for paragraph in re.split(r"\n\s*\n", "\n".join(lines))]


def is_picture(paragraph):
    """Whether all lines of a paragraph are indented."""
    return all(line.startswith("    ") for line in paragraph)


def commands(example, paragraphs):
    """The command without options, and those behind "Try:"."""
    yield f"./rails run {example}"
    for paragraph in paragraphs:
        if paragraph[0].startswith("Try:"):
            yield from (line.removeprefix("Try:").strip() for line in paragraph if line.removeprefix("Try:").strip() != f"./rails run {example}")


def plots(folder, example):
    """Plots of what an example prints: paths from a folder."""
    for script in sorted([*ROOT.glob("doc/**/*.gnuplot"), *ROOT.glob("doc/**/*.figure")]):
        text = script.read_text()
        picture = script.with_suffix(".svg")
        if picture.exists() and re.search(rf"^#     .*\./rails run {example}\b", text, re.MULTILINE):
            yield pathlib.Path(os.path.relpath(picture, folder))


def chapters():
    """The chapter of each example, in the order of the table."""
    text = (ROOT / "doc/introduction.rst").read_text()
    table = text.split(".. list-table:: Examples\n", 1)[1]
    return re.findall(r"   \* - ``([\w-]+)``\n     - .*(?:\n       .*)*\n     - :doc:`([\w-]+)`", table)


def section(folder, example, chapter):
    """The lines of an example's section."""
    source = next(path for path in (ROOT / "examples" / f"{example}.cc", ROOT / "tools" / f"{example}.cc") if path.exists())
    paragraphs = head(source)
    yield from (example, "*" * len(example), "", *paragraphs[0], "")
    for paragraph in paragraphs[1:]:
        if is_picture(paragraph):
            yield from ("::", "", *paragraph, "")
            break
    for plot in plots(folder, example):
        yield from (f".. figure:: {plot}", f"   :alt: what {example} prints, as a plot", "")
    yield from (".. code-block:: console", "", *(f"   $ {command}" for command in commands(example, paragraphs)), "")
    yield from (f"Source: ``{source.relative_to(ROOT)}``. Chapter: :doc:`/{chapter}`.", "")


class Gallery(SphinxDirective):
    """A section for each example."""

    def run(self):
        folder = pathlib.Path(self.env.doc2path(self.env.docname)).parent
        known = chapters()
        present = {path.stem for part in ("examples", "tools") for path in ROOT.glob(f"{part}/*.cc")}
        if {example for example, _ in known} != present:
            raise self.error(f"the table Examples of doc/introduction.rst and the sources differ: {present ^ {e for e, _ in known}}")
        lines = StringList()
        for example, chapter in known:
            for line in section(folder, example, chapter):
                lines.append(line, f"{example}.cc")
        for path in [*ROOT.glob("examples/*.cc"), *ROOT.glob("tools/*.cc"), *ROOT.glob("doc/**/*.gnuplot"), *ROOT.glob("doc/**/*.figure"), ROOT / "doc/introduction.rst"]:
            self.env.note_dependency(str(path))
        place = nodes.section()
        place.document = self.state.document
        nested_parse_with_titles(self.state, lines, place)
        return place.children


def setup(app):
    """Called by Sphinx."""
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
