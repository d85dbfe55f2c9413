# SPDX-License-Identifier: GPL-2.0-only

"""How far a sweep is, on stderr: a line that moves on a terminal, a line every ten seconds in a log."""

import sys
import time

MOVES_EVERY = 0.5  # seconds, on a terminal
LOG_EVERY = 10  # seconds


def duration(seconds):
    """A duration in two units at most."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


class Progress:
    """Counts of runs, and what is left of the time if the others take as long."""

    def __init__(self, doing, total):
        self.doing = doing
        self.total = total
        self.done = self.failed = 0
        self.running = set()
        self.begin = time.monotonic()
        self.moves = sys.stderr.isatty()
        self.shown = self.begin

    def started(self, name):
        self.running.add(name)

    def ended(self, name, is_failed):
        self.running.discard(name)
        self.done += not is_failed
        self.failed += is_failed

    def text(self):
        """All counts."""
        over = self.done + self.failed
        passed = time.monotonic() - self.begin
        left = f", {duration(passed / over * (self.total - over))} left" if over else ""
        return (
            f"sweep: {duration(passed)}: {self.doing}: {self.done} done, {len(self.running)} running, {self.failed} failed, "
            f"{self.total - over - len(self.running)} waiting{left}"
        )

    def show(self):
        """Shows the counts, if it is time to."""
        now = time.monotonic()
        if now - self.shown >= (MOVES_EVERY if self.moves else LOG_EVERY):
            self.shown = now
            begin, end = ("\r\x1b[K", "") if self.moves else ("", "\n")
            print(begin + self.text(), end=end, file=sys.stderr, flush=True)

    def clear(self):
        if self.moves:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
