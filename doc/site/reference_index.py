# SPDX-License-Identifier: GPL-2.0-only

"""Three indices: attributes, trace sources, and JSON keys, each name with the row that describes it.

They are made from the tables of the chapters, "Attributes of CLASS", "Trace sources of CLASS", "JSON of PROGRAM". A test
(script-docs.py) holds these against the classes and the programs, and so the indices too.
"""

import re

from docutils import nodes
from sphinx.domains import Domain, Index, IndexEntry

KINDS = {"attributes": "Attributes of ", "trace-sources": "Trace sources of ", "json-keys": "JSON of "}


class TableIndex(Index):
    """An index of the first cells of tables."""

    def generate(self, docnames=None):
        letters = {}
        rows = [row for row in self.domain.data["rows"] if row[0] == self.name]
        for _, name, of, document, anchor in sorted(rows, key=lambda row: (row[1].lower(), row[2])):
            entry = IndexEntry(name, 0, document, anchor, "", "", of)
            letters.setdefault(name[:1].upper(), []).append(entry)
        return sorted(letters.items()), False


class Attributes(TableIndex):
    """All attributes, by name."""

    name = "attributes"
    localname = "Index of attributes"
    shortname = "attributes"


class TraceSources(TableIndex):
    """All trace sources, by name."""

    name = "trace-sources"
    localname = "Index of trace sources"
    shortname = "trace sources"


class JsonKeys(TableIndex):
    """All JSON keys, by name."""

    name = "json-keys"
    localname = "Index of JSON keys"
    shortname = "JSON keys"


class TablesDomain(Domain):
    """Holds the rows of all tables of reference."""

    name = "tables"
    label = "tables of reference"
    indices = [Attributes, TraceSources, JsonKeys]
    initial_data = {"rows": []}

    def clear_doc(self, docname):
        self.data["rows"] = [row for row in self.data["rows"] if row[3] != docname]

    def merge_domaindata(self, docnames, otherdata):
        self.data["rows"] += [row for row in otherdata["rows"] if row[3] in docnames]

    def process_doc(self, env, docname, document):
        for table in document.findall(nodes.table):
            title = table.next_node(nodes.title)
            for kind, words in KINDS.items():
                if title is not None and title.astext().startswith(words):
                    self.add(docname, table, kind, title.astext().removeprefix(words))

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        return []  # nothing refers to a row by name

    def add(self, docname, table, kind, of):
        """Adds the names in the first cells of a table, and an anchor for each row."""
        for body in table.findall(nodes.tbody):
            for number, row in enumerate(body.findall(nodes.row)):
                anchor = re.sub(r"\W+", "-", f"{kind}-{of}-{number}")
                row["ids"].append(anchor)
                for literal in row[0].findall(nodes.literal):
                    self.data["rows"].append((kind, literal.astext(), of, docname, anchor))


def setup(app):
    """Called by Sphinx."""
    app.add_domain(TablesDomain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
