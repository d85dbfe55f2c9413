# SPDX-License-Identifier: GPL-2.0-only

"""Curves of a sweep's means, as a script of gnuplot that has its points in it."""

import difflib
import re
import sqlite3

from sweeps.mistake import Mistake
from sweeps.quantity import quantity

COLORS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#999999", "#000000")
LOGARITHMIC_FROM = 50  # times the least value of x


def read(folder):
    """The lines of the means, and the names of the parameters among their columns."""
    base = sqlite3.connect(f"file:{folder.path / 'sweep.sqlite'}?mode=ro", uri=True)
    try:
        found = base.execute('SELECT * FROM "means"')
        names = [column[0] for column in found.description]
        return [dict(zip(names, line)) for line in found], names[: names.index("row")]
    except (sqlite3.Error, ValueError) as error:
        raise Mistake(f"{folder.name}: there is no table of a sweep in it: {error}; type ./rails sweep {folder.name} --table") from error
    finally:
        base.close()


def require_column(lines, name):
    columns = [*dict.fromkeys(column for line in lines for column in line if not column.endswith(".half_width_95"))]
    if name not in columns:
        near = difflib.get_close_matches(name, columns, 5, 0.5) or columns
        raise Mistake(f"{name}: there is no such column; there are {', '.join(near)}")


def where(lines, name, value):
    """The lines with a value in a column."""
    found = [line for line in lines if str(line[name]) == value or (quantity(value) and quantity(line[name]) == quantity(value))]
    if not found:
        there = ", ".join(dict.fromkeys(str(line[name]) for line in lines))
        raise Mistake(f"{name}={value}: no run has it; there are {there}")
    return found


def curves(lines, parameters, x, y, by):
    """{title: [(x, y, half width)]}, with one point for each x."""
    found = {}
    for line in lines:
        if line[x] is None or line[y] is None:
            continue
        if isinstance(line[y], str):
            raise Mistake(f"{y}: {line[y]}: it is no number; y needs numbers")
        title = " ".join(str(line[one]) if line[one] is not None else "-" for one in by)
        found.setdefault(title, {}).setdefault(line[x], []).append(line)
    for title, points in found.items():
        for value, some in points.items():
            if len(some) > 1:
                several = [name for name in (*parameters, "row") if len({line[name] for line in some}) > 1]
                name = (several or [x])[0]
                values = ", ".join(dict.fromkeys(str(line[name]) for line in some))
                raise Mistake(
                    f"{x}={value}: {name} differs too ({values}); add it to the third column, as {','.join([*by, name])}, "
                    f"or give {name}={some[0][name]}"
                )
    width = f"{y}.half_width_95"
    return {
        title: [(value, some[0][y], some[0].get(width)) for value, some in points.items()] for title, points in found.items()
    }


def text(words):
    """A string of gnuplot."""
    return '"' + re.sub(r'(["\\])', r"\\\1", str(words)) + '"'


def script(found, x, y, by):
    """The script."""
    values = [*dict.fromkeys(value for points in found.values() for value, _, _ in points)]
    numbers = {value: quantity(value) for value in values}
    is_numeric = all(numbers.values())
    place = {value: numbers[value][0] if is_numeric else values.index(value) + 1 for value in values}
    unit = next(iter(numbers.values()))[1] if is_numeric else ""
    lines = [
        "# SPDX-License-Identifier: GPL-2.0-only",
        'set terminal svg size 640,420 font "sans-serif,12" background "white" noenhanced',
        f"set xlabel {text(x + (f' ({unit})' if unit else ''))}",
        f"set ylabel {text(y)}",
        'set grid ytics lc rgb "#dddddd"',
        f"set key outside right noenhanced title {text(', '.join(by))}",
        "set offsets 0, 0, graph 0.05, graph 0.05",
    ]
    least, most = min(place.values()), max(place.values())
    margin = 0.05 * (most - least) or 0.5
    is_logarithmic = is_numeric and least > 0 and most >= LOGARITHMIC_FROM * least
    lines.append(f"set xrange [{least / 1.3}:{most * 1.3}]" if is_logarithmic else f"set xrange [{least - margin}:{most + margin}]")
    if not is_numeric:
        lines.append(f"set xtics ({', '.join(f'{text(value)} {place[value]}' for value in values)})")
    elif is_logarithmic:
        lines.append("set logscale x")
    plots = []
    for number, (title, points) in enumerate(found.items()):
        has_width = any(width is not None for _, _, width in points)
        lines.append(f"$curve{number} << end")
        lines += [f"{place[value]!r} {mean!r} {width or 0!r}" for value, mean, width in sorted(points, key=lambda one: place[one[0]])]
        lines.append("end")
        style = "using 1:2:3 with yerrorlines" if has_width else "using 1:2 with linespoints"
        color = COLORS[number % len(COLORS)]
        plots.append(f'$curve{number} {style} lw 2 pt 7 ps 0.5 lc rgb "{color}" title {text(title)}')
    return "\n".join([*lines, "plot " + ", \\\n     ".join(plots)]) + "\n"
