# SPDX-License-Identifier: GPL-2.0-only

"""What ends a command: a mistake of its user, or a signal."""


class Mistake(Exception):
    """A value that cannot be, in one line: the value, the limit and the remedy."""


class Interrupted(Exception):
    """A signal that ends a sweep."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number
