# SPDX-License-Identifier: GPL-2.0-only

"""Literal blocks of the chapters that are C++ are highlighted as C++, though a block behind "::" does not say what it is."""

import re

from docutils import nodes

CPP = re.compile(r"^#include |^namespace |;$", re.MULTILINE)


def mark(app, doctree):
    """Gives a block that looks like C++ its language."""
    for block in doctree.findall(nodes.literal_block):
        if "language" not in block and CPP.search(block.astext()):
            block["language"] = "cpp"


def setup(app):
    """Called by Sphinx."""
    app.connect("doctree-read", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
