# SPDX-License-Identifier: GPL-2.0-only

"""The documentation as a site: ./rails doc

The chapters need nothing of this: ns-3's own documentation can take them (doc/photonic-rails.rst lists them).
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "site"))

project = "photonic-rails"
author = "photonic-rails maintainers"
project_copyright = "GPL-2.0-only"
release = re.search(r"^version: (.*)$", (HERE.parent / "CITATION.cff").read_text(), re.MULTILINE).group(1)
version = release

extensions = ["myst_parser", "gallery", "literal_languages", "reference_index"]
exclude_patterns = ["appstore"]
root_doc = "index"
language = "en"
smartquotes = False  # commands are copied from the pages
highlight_language = "none"  # most literal blocks are pictures; literal_languages knows those of C++
myst_heading_anchors = 3
nitpicky = True

html_theme = "alabaster"
html_theme_options = {
    "description": "Rails of optical circuit switches in ns-3",
    "page_width": "1260px",
    "body_max_width": "980px",
    "sidebar_width": "260px",
    "fixed_sidebar": False,
}
html_static_path = ["site/static"]
html_css_files = ["rails.css"]
html_copy_source = False
html_show_sphinx = False

FOR_STUDENTS = tags.has("students")  # noqa: F821, of Sphinx
if FOR_STUDENTS:
    exclude_patterns += ["labs/answers", "labs/teacher.md"]


def leave_out_answers(app, document, source):
    """Removes what leads to pages that students do not get."""
    text = re.sub(r"```\{toctree\}\n:caption: For teachers\n.*?```\n", "", source[0], flags=re.DOTALL)
    source[0] = re.sub(r"\[([^\]]+)\]\(teacher\.md\)", r"\1", text)


def setup(app):
    """Called by Sphinx."""
    if FOR_STUDENTS:
        app.connect("source-read", leave_out_answers)
