# SPDX-License-Identifier: GPL-2.0-only

"""Results of two runs that must be equal, without what says how they came about."""

MAY_DIFFER = ("fidelity", "trains", "events", "cpu", "cpu_s", "max_rss_mb")


def comparable(value):
    """A result without what may differ."""
    if isinstance(value, dict):
        return {key: comparable(one) for key, one in value.items() if key not in MAY_DIFFER}
    return [comparable(one) for one in value] if isinstance(value, list) else value
