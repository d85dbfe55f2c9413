#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""The report of a run, in a browser.

script-report.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails, 77 if there is no browser (apt install chromium) and
what needs none passes.

- report.html holds all that it needs: no address of another file or host is in it.
- In a headless Chromium every plot and table is there, nothing is fetched, nothing is reported as an error, tables sort.
- Its numbers are those of results.sqlite.
- The slider of circuit maps shows the circuits of each instant.
- A run with faults has them too; another example has its own plots and tables.
- Pictures at 1280 and 400 pixels have no part wider than the page. With a third argument they are written to that folder.
"""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
PICTURES = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
RUN = ("photonic-training --layers=2 --microbatch-size=1 --sequence=1024 --policy=electrical,on-demand,provisioned "
       "--reconfiguration=0s,1ms,10ms --output=out")
PLOTS = ["plot-iteration", "plot-breakdown", "plot-windows", "plot-window-volumes", "plot-circuits", "plot-circuit-map", "plot-ports",
         "plot-collectives", "plot-price", "plot-power"]
TABLES = ["runs", "reconfigurations", "messages", "collectives", "costs", "figures", "summary", "parameters"]
FAULTS = ("photonic-training --layers=2 --microbatch-size=1 --sequence=1024 --policy=on-demand --reconfiguration=1ms --output=faults "
          "--fault=fiber-cut:at=20ms,duration=2ms,server=1;nic-port-down:at=30ms,duration=1ms,server=2,port=1")

OTHER = ("rail-collective --collective=all-to-all --algorithm=matchings --reconfiguration=10us --ranks=4 --min=64K --max=4M --factor=4 "
         "--output=other")
OTHER_PLOTS = ["plot-results-0", "plot-circuits", "plot-circuit-map", "plot-ports", "plot-collectives"]
OTHER_TABLES = ["runs", "collectives", "figures", "results-rows", "summary", "parameters"]

# what the page is, after a click or two on each heading
PROBE = """<script>
const seen = {};
seen.plots = [...document.querySelectorAll('figure.plot')].map(one => one.id);
seen.shapes = [...document.querySelectorAll('figure.plot')].map(one => one.querySelectorAll('rect, polyline').length);
seen.overlaps = [];
for (const svg of document.querySelectorAll('figure.plot svg')) {
  const texts = [...svg.querySelectorAll('text')].filter(one => one.textContent && !one.getAttribute('transform'));
  const places = texts.map(one => one.getBoundingClientRect());
  for (let a = 0; a < places.length; ++a) {
    for (let b = 0; b < a; ++b) {
      const one = places[a], other = places[b];
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3) {
        seen.overlaps.push([svg.getAttribute('aria-label'), texts[a].textContent, texts[b].textContent]);
      }
    }
  }
}
seen.maps = [];
for (const maps of document.querySelectorAll('figure.maps')) {
  const rail = maps.querySelector('select'), slider = maps.querySelector('input'), instant = maps.querySelector('.instant');
  const show = () => {
    const there = [...maps.querySelectorAll('.map')].filter(one => !one.hidden);
    seen.maps.push([rail.value, instant.textContent, there.length, there.flatMap(one => [...one.querySelectorAll('[data-light=up]')].map(
      circuit => circuit.dataset.circuit))]);
  };
  show();
  for (const option of [...rail.options]) {
    rail.value = option.value;
    rail.dispatchEvent(new Event('change'));
    for (let place = 0; place <= slider.max; ++place) {
      slider.value = place;
      slider.dispatchEvent(new Event('input'));
      show();
    }
    maps.querySelector('.before').click();
    show();
  }
}
seen.tables = [...document.querySelectorAll('table')].map(one => one.id);
seen.fetched = performance.getEntriesByType('resource').map(one => one.name);
seen.wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
seen.height = document.documentElement.scrollHeight;
seen.sorted = {};
for (const button of document.querySelectorAll('th button')) {
  const table = button.closest('table'), place = [...button.parentElement.parentElement.children].indexOf(button.parentElement);
  const values = () => [...table.tBodies[0].rows].map(row => row.children[place].dataset.value ?? row.children[place].textContent);
  button.click(); const up = values(); button.click(); const down = values();
  seen.sorted[table.id + '.' + button.textContent] = [up, down];
}
document.documentElement.setAttribute('data-seen', JSON.stringify(seen));
</script>"""

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def check_text(page, plots):
    """What can be seen without a browser."""
    outside = re.findall(r"(?:src|href|url|xlink:href|import|fetch)\s*[=(:]\s*[\"']?(?!data:)[^\s\"'>]+", page)
    check("it leads to no other file", str(outside) if outside else "")
    hosts = [one for one in re.findall(r"https?://[^\s\"'<]+", page)]
    check("and to no host", str(hosts) if hosts else "")
    ids = re.findall(r"<figure class=\"plot[^\"]*\" id=\"([\w-]+)\"", page)
    check("it has all plots", "" if ids == plots else str(ids))


def check_numbers(page, database):
    """The table of runs, and the curves of the first plot."""
    body = re.search(r"<table id=\"runs\">.*?<tbody>(.*?)</tbody>", page, re.DOTALL).group(1)
    shown = [re.findall(r"<td(?: data-value=\"([^\"]*)\")?>([^<]*)</td>", row) for row in re.findall(r"<tr>.*?</tr>", body)]
    columns = ("iteration_s", "computed_s", "gpu_idle_s", "communicating_s", "exposed_s", "hidden_s", "reconfigurations", "control_messages",
               "wrong_predictions", "frames", "end_ps / 1e12", "cpu_s")
    there = database.execute(f"SELECT name, status, {', '.join(columns)} FROM runs ORDER BY run").fetchall()
    check("the names of runs", "" if [(row[0][1], row[1][1]) for row in shown] == [row[:2] for row in there] else f"{shown}\n{there}")
    numbers = [tuple(float(value) for value, _ in row[2:]) for row in shown]
    check("their numbers", "" if numbers == [tuple(map(float, row[2:])) for row in there] else f"{numbers}\n{there}")
    plot = re.search(r"id=\"plot-iteration\".*?</figure>", page, re.DOTALL).group(0)
    curves = dict(re.findall(r"data-name=\"([\w-]+)\" data-points=\"([^\"]*)\"", plot))
    points = {(policy, point.split(",")[0]): float(point.split(",")[1]) for policy, all in curves.items() for point in all.split()}
    runs = database.execute("SELECT policy, reconfiguration_s, iteration_s FROM runs").fetchall()
    expected = {(policy, "any" if time is None else f"{time:.17g}"): iteration for policy, time, iteration in runs}
    check("the curves of the first plot have the runs, with all digits", "" if points == expected else f"{points}\n{expected}")


def check_points(page, curve, points):
    """The points of a curve are the values of the database, with all digits."""
    found = re.search(rf'data-name="{re.escape(curve)}" data-points="([^"]*)"', page)
    drawn = [tuple(map(float, one.split(","))) for one in found.group(1).split()] if found else []
    check(f"points of {curve}", "" if drawn and drawn == [tuple(map(float, one)) for one in points] else f"{drawn} {points}")


def browse(browser, page, folder, width, name):
    """What a browser sees in a window of a width. Returns it and the log."""
    path = folder / f"{name}-{width}.html"
    path.write_text(page.replace("</body>", PROBE + "</body>"))
    common = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
              "--no-first-run", "--disable-background-networking", "--disable-component-update"]
    done = subprocess.run([*common, f"--window-size={width},2400", "--enable-logging=stderr", "--dump-dom", path.as_uri()], capture_output=True, text=True,
                          timeout=SECONDS, check=True)
    seen = re.search(r"data-seen=\"([^\"]*)\"", done.stdout)
    words = seen.group(1).replace("&quot;", '"').replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
    seen = json.loads(words)
    picture = folder / f"{name}-{width}.png"  # of the whole page, before a click
    (folder / f"{name}.html").write_text(page)
    subprocess.run([*common, f"--window-size={width},{seen['height']}", f"--screenshot={picture}", (folder / f"{name}.html").as_uri()],
                   capture_output=True, timeout=SECONDS, check=True)
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, PICTURES)
    head = picture.read_bytes()[:24]
    return seen, done.stderr, int.from_bytes(head[16:20], "big"), picture.stat().st_size


def in_order(values):
    """Whether values are in ascending order, numbers by size."""
    def key(value):
        try:
            return (1, float(value), "")
        except ValueError:
            return (0 if value == "" else 2, 0.0, value)
    filled = [key(value) for value in values if value != ""]
    return filled == sorted(filled)


def check_maps(maps, database, run):
    """At each instant of the slider the circuits of that instant are shown, in one picture."""
    wrong = []
    for rail, instant, pictures, circuits in maps:
        at = round(float(instant.split()[0]) * 1e9)
        there = database.execute("SELECT low_port, high_port FROM circuits WHERE run=? AND rail=? AND up_ps<=? AND "
                                 "coalesce(down_ps, ?)>?", (run, int(rail.split()[1]), at, at + 1, at)).fetchall()
        if pictures != 1 or sorted(circuits) != sorted(f"{low}-{high}" for low, high in there):
            wrong.append((rail, instant, pictures, circuits, there))
    check(f"circuit maps at {len(maps)} instants", str(wrong[:2]) if wrong or len(maps) < 3 else "")


def check_browser(browser, page, folder, plots, tables, name):
    """Returns what the browser saw."""
    for width in (1280, 400):
        seen, log, pixels, size = browse(browser, page, folder, width, name)
        check(f"{width} pixels: all plots", "" if seen["plots"] == plots and min(seen["shapes"]) > 0 else f"{seen['plots']} {seen['shapes']}")
        check(f"{width} pixels: all tables", "" if seen["tables"] == tables else str(seen["tables"]))
        check(f"{width} pixels: no text lies on another", str(seen["overlaps"][:4]) if seen["overlaps"] else "")
        check(f"{width} pixels: nothing is fetched", str(seen["fetched"]) if seen["fetched"] else "")
        console = [line for line in log.splitlines() if "CONSOLE" in line]
        check(f"{width} pixels: no error", "\n".join(console))
        check(f"{width} pixels: nothing is wider than the page", "it is" if seen["wide"] else "")
        check(f"{width} pixels: a picture", "" if pixels == width and size > 20000 else f"{pixels} pixels, {size} bytes")
        wrong = [name for name, (up, down) in seen["sorted"].items() if not in_order(up) or not in_order(down[::-1])]
        check(f"{width} pixels: tables sort by each of {len(seen['sorted'])} columns", str(wrong) if wrong or not seen["sorted"] else "")
    return seen


def run(line, folder):
    """Runs an example. What it prints on stderr."""
    words = shlex.split(line)
    done = subprocess.run([BUILD / "examples" / words[0], *words[1:]], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=True)
    return done.stderr


chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    if "this build has no SQLite" in run(RUN, top):
        print("skipped: this build has no SQLite, so there is no report")
        sys.exit(77)
    text = (top / "out/report.html").read_text()
    check_text(text, PLOTS)
    with contextlib.closing(sqlite3.connect(top / "out/results.sqlite")) as connection:
        check_numbers(text, connection)
        if chromium:
            looked = check_browser(chromium, text, top, PLOTS, TABLES, "report")
            longest = connection.execute("SELECT max(run) FROM runs").fetchone()[0]  # provisioned 10ms
            check_maps(looked["maps"], connection, longest)
    run(FAULTS, top)
    text = (top / "faults/report.html").read_text()
    plots = [*PLOTS[1:-2], "plot-faults", *PLOTS[-2:]]  # there is one run, and no curve over reconfiguration times
    check_text(text, plots)
    if chromium:
        check_browser(chromium, text, top, plots, [*TABLES[:4], "faults", "drops", *TABLES[4:]], "faults")
    run(OTHER, top)
    text = (top / "other/report.html").read_text()
    check_text(text, OTHER_PLOTS)
    with contextlib.closing(sqlite3.connect(top / "other/results.sqlite")) as connection:
        rows = connection.execute("SELECT bytes, busbw_gbytes_s FROM results WHERE array_name='rows' ORDER BY bytes").fetchall()
        check_points(text, "bus bandwidth", rows)
        points = connection.execute("SELECT x, y FROM points WHERE curve='algorithm bandwidth' ORDER BY x").fetchall()
        check_points(text, "algorithm bandwidth", points)
    if chromium:
        check_browser(chromium, text, top, OTHER_PLOTS, OTHER_TABLES, "other")
if not chromium and not failures:
    print("skipped: there is no browser to look at the report; apt install chromium")
    sys.exit(77)
sys.exit(1 if failures else 0)
