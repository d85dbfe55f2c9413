# SPDX-License-Identifier: GPL-2.0-only

"""The results of a run as rows of a table, by the rules of --csv: members of objects are outer.inner, arrays are left out."""


def columns(value, prefix=""):
    """The members of an object that are text, numbers or truth values, by name."""
    found = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            found |= columns(inner, f"{prefix}{name}.")
        elif not isinstance(inner, list) and inner is not None:
            found[prefix + name] = inner
    return found


def rows(results):
    """A row for each element of the arrays with which the results begin, else one; with what all of them share."""
    results = dict(results)
    results.pop("options", None)
    elements = []
    for name, value in list(results.items()):
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            break
        elements += value
        del results[name]
    shared = columns(results)
    return [{**columns(one), **{name: value for name, value in shared.items() if name not in one}} for one in elements or [{}]]
