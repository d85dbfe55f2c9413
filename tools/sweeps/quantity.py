# SPDX-License-Identifier: GPL-2.0-only

"""Values in words as numbers: 25ms is 0.025 s, 400Gbps is 4e11 b/s, 64K is 65536."""

import re

UNITS = {
    "ps": (1e-12, "s"), "ns": (1e-9, "s"), "us": (1e-6, "s"), "ms": (1e-3, "s"), "s": (1, "s"), "min": (60, "s"), "h": (3600, "s"),
    "d": (86400, "s"),
    "bps": (1, "b/s"), "kbps": (1e3, "b/s"), "Mbps": (1e6, "b/s"), "Gbps": (1e9, "b/s"), "Tbps": (1e12, "b/s"),
    "K": (2**10, ""), "M": (2**20, ""), "G": (2**30, ""), "": (1, ""),
}
QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([A-Za-z]*)")


def quantity(words):
    """(number, unit) of a value; None if it is a name."""
    found = QUANTITY.fullmatch(str(words))
    if not found or found[2] not in UNITS:
        return None
    factor, unit = UNITS[found[2]]
    return float(found[1]) * factor, unit


def number(words):
    """A value without a unit as a number, else as it is."""
    text = str(words)
    if re.fullmatch(r"[-+]?\d{1,18}", text):
        return int(text)
    return float(text) if QUANTITY.fullmatch(text) and not text[-1].isalpha() else words
