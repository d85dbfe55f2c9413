#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Plots (--plot) and pictures of circuits (--circuit-map) of examples.

script-plots.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

- Each curve of each example has the numbers of its JSON file, with all digits, at places in proportion to them.
- The table of doc/plots.rst has every example: with --plot and --circuit-map, or the reason why not.
- Mistakes in the options are refused before a run, and a run that is interrupted leaves what there is.
- Pictures have the circuits that the script of an example sets, at its instants, and change no result.
"""

import json
import math
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from comparable import comparable  # noqa: E402

SECONDS = 120 * int(os.environ.get("RAILS_TEST_SLOWDOWN", "1"))
SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
EXAMPLES = sorted(path.stem for folder in ("examples", "tools") for path in SOURCE.glob(f"{folder}/*.cc"))
SVG = "{http://www.w3.org/2000/svg}"
ANY = "any"  # the x of a level

SHORT = "photonic-training --layers=2 --microbatch-size=1 --sequence=1024"
SHORT_YEAR = (f"fault-year --model={SOURCE}/doc/validation/small.json --layers=4 --sequence=512 --servers=20 --jobs=2x4,4x2 "
              "--gpus=2 --days=40 --launch=1s --on-failure=splice,move --spares=0,2,4")
FAULTS = "faults-and-spares --layers=2 --iterations=2 --at=0.5 --checkpoint-interval=0"

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def check_equal(what, one, other):
    check(what, "" if one == other else f"{one}\n{other}")


def start(line, folder):
    """An example that runs in a folder."""
    words = shlex.split(line)
    return subprocess.Popen([BUILD / "examples" / words[0], *words[1:]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(line, folder, code=0):
    """Runs an example in a folder. What it prints on stderr."""
    process = start(line, folder)
    _, words = process.communicate(timeout=SECONDS)
    if process.returncode != code:
        check(line, f"exit code {process.returncode}\n{words}")
    return words


# what the curves of an example are, from its JSON: for each plot of the file the points of each curve


def by(rows, name, x, y, factor=1):
    """Curves of rows."""
    curves = {}
    for row in rows:
        if row.get(y) is not None:
            curves.setdefault(row[name], []).append((row[x] if row.get(x) is not None else ANY, row[y] * factor))
    return curves


def of_collective(results):
    rows = results["rows"]
    return [{name: [(row["bytes"], row[key]) for row in rows]
             for name, key in (("bus bandwidth", "busbw_gbytes_s"), ("algorithm bandwidth", "algbw_gbytes_s"))}]


def of_stragglers(results):
    curves = {}
    for row in results["rows"]:
        late = ", 100us late" if row["delay_ps"] else ", 0s late"
        curves.setdefault("ring" + late, []).append((row["bytes"], row["ring_ps"]))
        curves.setdefault("straggl-ar" + late, []).append((row["bytes"], row["straggl_ar_ps"]))
    return [curves]


def of_reconfigurations(results):
    return [{name: [(row["reconfiguration_ps"], row[key]) for row in results["rows"]]
             for name, key in (("ring", "ring_ps"), ("straggl-ar", "straggl_ar_ps"))}]


def of_training(results):
    curves = {}
    for row in results["runs"]:
        at = ANY if row["policy"].startswith(("electrical", "static")) else row["reconfiguration_s"]
        curves.setdefault(row["policy"], []).append((at, row["steady_iteration_s"]))
    return [curves]


def of_year(results):
    return [by(results["rows"], "reaction", "spares", "goodput")]


def of_mesh(results):
    sizes = results["sizes"]
    cells = {name: [(row["ports"], row[key]) for row in sizes]
             for name, key in (("hexagonal mesh", "cells"), ("crossbar of cells", "cells_of_crossbar"), ("Benes network", "cells_of_benes"))}
    return [cells, {"hexagonal mesh": [(row["ports"], row["worst_loss_db"]) for row in sizes]}]


def of_iterations(results):
    return [{row["policy"]: [*enumerate(row["iteration_s"], 1)] for row in results["policies"]}]


def of_jobs(results):
    return [{f"job {job}": [*enumerate(row["iteration_s"], 1)] for job, row in enumerate(results["jobs"])}]


def of_passes(results):
    return [{name: [*enumerate((row[f"{name}_s"] for row in results["passes"]), 1)] for name in ("time", "exposed", "hidden", "computed")}]


def of_technologies(results):
    return [{row["name"]: [(row["reconfiguration_ps"], row["gpus"])] for row in results["technologies"]}]


def of_reactions(results):
    launch = 0.5  # the default
    again, share = {}, {}
    for place, row in enumerate(results["reactions"]):
        if not row["why_ended"] and row["failures"]:
            again.setdefault("trains again", []).append((place, row["failures"][-1]["started_s"] - launch - results["fault_s"]))
        share.setdefault("goodput", []).append((place, row["goodput"]))
        share.setdefault("throughput", []).append((place, row["throughput"]))
    return [again, share] if again else [share]


def seconds(words):
    """A time such as 250ms."""
    number, unit = re.fullmatch(r"([\d.]+)(ms|s)", words).groups()
    return float(number) * {"ms": 1e-3, "s": 1}[unit]


def of_figure(results):
    curves = {}
    for row in results["values"]:
        at = ANY if row["row"] == "none" else seconds(row["row"])
        curves.setdefault(row["column"], []).append((at, row["here"]))
        if row["published"]:
            curves.setdefault(row["column"] + ", published", []).append((at, float(row["published"])))
    return [curves]


# a command line, and its curves
PLOTS = [
    ("rail-collective --ranks=4 --min=64K --max=1M", of_collective),
    ("rail-collective --ranks=4 --rail-kind=electrical --min=64K --max=64K", of_collective),
    ("straggler-sweep --sizes=64K,1M,4M --delays=0s,100us", of_stragglers),
    ("straggler-sweep --sizes=1M --delays=1ms --ranks=6 --straggler=3 --place=optical --reconfigurations=0s,10us,1ms", of_reconfigurations),
    (f"{SHORT} --policy=electrical,on-demand,provisioned,static-split --reconfiguration=0s,1ms,10ms", of_training),
    (f"{SHORT} --policy=electrical", of_training),
    (SHORT_YEAR, of_year),
    ("pip-all-to-all --ranks=6 --size=1M", of_mesh),
    ("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --chart=0", of_iterations),
    ("shared-rails --layers=2 --reconfiguration=1ms --iterations=3,2", of_jobs),
    ("trace-replay --policy=provisioned --passes=3", of_passes),
    ("cost-and-power", of_technologies),
    (f"{FAULTS} --on-failure=splice,shrink,stop", of_reactions),
    ("reproduce --figure=emulation-16 --only=electrical,on-demand,none,0s,250ms", of_figure),
]


def read_plots(file):
    """The plots of a file: for each the points of its curves, as texts, and the pixels of those that are lines."""
    root = ET.parse(file).getroot()
    plots = []
    for plot in root.findall(f"{SVG}g"):
        curves, pixels = {}, {}
        for shape in plot.iter():
            if "data-points" in shape.attrib:
                name = shape.attrib["data-name"]
                curves.setdefault(name, []).extend(tuple(point.split(",")) for point in shape.attrib["data-points"].split())
                if shape.tag == f"{SVG}polyline":
                    pixels[name] = [tuple(map(float, point.split(","))) for point in shape.attrib["points"].split()]
        plots.append((curves, pixels))
    return plots


def check_places(what, curves, pixels):
    """A larger value is at a higher place, and equal ones are at the same, of all curves together."""
    pairs = [(float(value[1]), place[1]) for name, places in pixels.items() for value, place in zip(curves[name], places)]
    pairs.sort()
    wrong = [(one, other) for one, other in zip(pairs, pairs[1:]) if one[1] < other[1] - 0.02]
    check(f"{what}: larger values are higher", str(wrong) if wrong else "")


def equal(drawn, expected):
    """Whether points have the values, the drawn ones as texts."""
    def same(text, value):
        return text == value if ANY in (text, value) else math.isclose(float(text), value, rel_tol=1e-14, abs_tol=1e-12)
    def order(points):
        return sorted(points, key=lambda point: (str(point[0]) != ANY, 0 if point[0] == ANY else float(point[0])))
    return len(drawn) == len(expected) and all(
        same(one[0], other[0]) and same(one[1], other[1]) for one, other in zip(order(drawn), order(expected)))


def check_curves(top):
    """The curves of each example."""
    for number, (line, curves_of) in enumerate(PLOTS):
        folder = top / f"plot-{number}"
        folder.mkdir()
        words = run(f"{line} --json=results.json --plot=plot.svg", folder)
        if not (folder / "plot.svg").exists():
            check(line, words or "no plot")
            continue
        expected = curves_of(json.loads((folder / "results.json").read_text()))
        drawn = read_plots(folder / "plot.svg")
        check_equal(f"{line}: plots and their curves", [sorted(curves) for curves, _ in drawn], [sorted(curves) for curves in expected])
        for (curves, pixels), there in zip(drawn, expected):
            wrong = [(name, curves.get(name), points) for name, points in there.items() if not equal(curves.get(name, []), points)]
            check(f"{line}: numbers", str(wrong) if wrong else "")
            check_places(line, curves, pixels)
        check_equal(f"{line}: files", sorted(path.name for path in folder.iterdir()), ["plot.svg", "results.json"])


def check_queue(top):
    """The queue of incast: its peak and its mean are those of the results."""
    run("incast --senders=4 --bytes=256K --json=queue.json --plot=queue.svg", top)
    results = json.loads((top / "queue.json").read_text())
    (curves, _), = read_plots(top / "queue.svg")
    points = [(float(x), float(y)) for x, y in curves["queue"]]
    check_equal("the longest queue", max(y for _, y in points), results["peak_queue_bytes"])
    until = [*(x for x, _ in points[1:]), results["last_arrived_ps"]]
    area = sum(y * (end - x) for (x, y), end in zip(points, until))
    check_equal("the queue on average", math.floor(area / results["last_arrived_ps"]), results["mean_queue_bytes"])


def check_table():
    """The table of the chapter has each example."""
    text = (SOURCE / "doc/plots.rst").read_text()
    table = text.split(".. list-table:: Plots of examples\n", 1)[1].split("\n\n\n")[0]
    rows = re.findall(r"   \* - ``([\w-]+)``\n     - (.*(?:\n       .*)*)\n     - (.*(?:\n       .*)*)", table)
    check_equal("doc/plots.rst: the table has all examples", sorted(name for name, _, _ in rows), EXAMPLES)
    plotted = {line.split()[0] for line, _ in PLOTS} | {"incast"}
    for name, plot, circuits in rows:
        done = subprocess.run([BUILD / "examples" / name, "--help"], capture_output=True, text=True, timeout=SECONDS, check=False)
        for option, cell in (("plot", plot), ("circuit-map", circuits)):
            has = f"    --{option}:" in done.stdout
            check(f"{name}: --{option} is as the table has it", "" if has != cell.startswith("no:") else f"{has}: {cell}")
            if option == "plot" and has:
                check(f"{name}: its curves are compared here", "" if name in plotted else "they are not")


def check_mistakes(top):
    """Mistakes are refused before the run."""
    (top / "folder.svg").mkdir()
    many = "rail-collective --ranks=4 --min=64K --max=64K"
    for line, why in [
        (f"{many} --plot=no/such/plot.svg", "--plot=no/such/plot.svg: folder no: No such file or directory|there is no folder no/such"),
        (f"{many} --plot=plot.png", "--plot=plot.png: give a name that ends in .svg"),
        (f"{many} --plot=.svg", "--plot=.svg: give a name that ends in .svg"),
        (f"{many} --plot=-", "--plot=-: give a name that ends in .svg"),
        (f"{many} --plot=", "--plot=: give the name of a file, or leave it out"),
        (f"{many} --plot=folder.svg", "--plot=folder.svg: this is a folder; give the name of a file"),
        (f"{many} --plot=a.svg --json=a.svg", "a.svg.*: it is also the file of --"),
        (f"{many} --plot=a.svg --circuit-map=a.svg", "a.svg: it is also the file of --"),
        (f"{many} --plot=a.svg --runs=2", "--plot=a.svg: each of the 2 runs would write that file; leave it out, or --runs"),
        ("rail-collective --ranks=4 --matrix --min=64K --plot=a.svg", "--plot=a.svg: --matrix has one size"),
        ("rail-collective --ranks=4 --matrix --min=64K --circuit-map=a.svg", "--circuit-map=a.svg: --matrix has many rails"),
        (f"{many} --circuit-map=a.txt", "--circuit-map=a.txt: give a name that ends in .svg"),
        (f"{many} --circuit-map-at=1us", "--circuit-map-at=1us: give --circuit-map=FILE.svg too"),
        (f"{many} --circuit-map=a.svg --circuit-map-at=-1us", "--circuit-map-at=-1us: give a time of 0 or more"),
        (f"{many} --circuit-map=a.svg --runs=2", "--circuit-map=a.svg: each of the 2 runs"),
        (f"{many} --rail-kind=electrical --circuit-map=a.svg", "--circuit-map=a.svg: there are no circuits"),
        (f"{SHORT} --policy=electrical --circuit-map=a.svg", "--circuit-map=a.svg: there are no circuits"),
        ("pip-all-to-all --table=false --plot=a.svg", "--plot=a.svg: --table=false leaves out the sizes"),
        ("reproduce --figure=cost-h200 --plot=a.svg", "--plot=a.svg: the figure cost-h200 is a table of several units"),
        ("two-hosts --plot=a.svg", "--plot: no such option"),
    ]:
        words = run(line, top, code=2).strip()
        check(f"{line} is refused", "" if re.search(why, words) and words.count("\n") == 0 else words)
    check("and nothing is written", "" if not list(top.glob("a*")) else str(list(top.glob("a*"))))
    run(f"{many} --plot=a.svg --check", top)
    check("nor with --check", "" if not list(top.glob("a*")) else str(list(top.glob("a*"))))


def check_end(top):
    """A run that is interrupted has drawn the rows before, or says that there are none."""
    folder = top / "ended"
    folder.mkdir()
    process = start("rail-collective --fidelity=events --ranks=16 --min=64K --max=16G --plot=some.svg", folder)
    rows = (line for line in process.stdout if line.split()[0:1] and line.split()[0].isdigit())
    check("two rows are printed, the first of which is drawn by then", "" if next(rows, "") and next(rows, "") else "no row")
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=SECONDS)
    check_equal("interrupted after a row: the exit code", process.returncode, 130)
    check("and the last line", "" if words.endswith("rail-collective: interrupted\n") else words)
    (curves, _), = read_plots(folder / "some.svg")
    check("the rows before are drawn", "" if 1 <= len(curves["bus bandwidth"]) < 19 else str(curves))
    process = start("rail-collective --fidelity=events --ranks=16 --min=16G --max=16G --plot=none.svg", folder)
    check("the head of the table is printed when all files are known", "" if any(line.split()[0:1] == ["(B)"] for line in process.stdout) else "no head")
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=SECONDS)
    check("interrupted before a row: the last line",
          "" if words.endswith("rail-collective: interrupted; no none.svg: there is no row to draw yet\n") else words)
    check_equal("no file is left", sorted(path.name for path in folder.iterdir()), ["some.svg"])


def read_map(file):
    """The title of a picture, its circuits by their light, and its dark ports."""
    root = ET.parse(file).getroot()
    circuits = {path.attrib["data-circuit"]: path.attrib["data-light"] for path in root.iter(f"{SVG}path") if "data-circuit" in path.attrib}
    bare = {group.attrib["data-port"] for group in root.iter(f"{SVG}g")
            if "data-port" in group.attrib and ": no circuit" in "".join(group.itertext())}
    return root.attrib["aria-label"], circuits, bare


def check_circuits(top):
    """The circuits of close-a-ring: port 1 of a host to port 0 of the next one; from 50 us on host 0 to host 2, 7 us later with light."""
    ring = {"1-2": "up", "3-4": "up", "5-6": "up", "0-7": "up"}
    closed = {"5-6": "up", "0-7": "up"}
    run("close-a-ring --json=without.json", top)
    without = comparable(json.loads((top / "without.json").read_text()))
    for at, circuits, since in [
        ("0s", ring, ""), ("10us", ring, ""), ("49999999ps", ring, ""), ("50us", {**closed, "1-4": "dark"}, ", unchanged since 50 us"),
        ("56999999ps", {**closed, "1-4": "dark"}, ", unchanged since 50 us"), ("57us", {**closed, "1-4": "up"}, ", unchanged since 57 us"),
        ("60us", {**closed, "1-4": "up"}, ", unchanged since 57 us"),
    ]:
        run(f"close-a-ring --circuit-map=ring.svg --circuit-map-at={at} --json=with.json", top)
        title, there, bare = read_map(top / "ring.svg")
        check_equal(f"close-a-ring at {at}", there, circuits)
        check_equal("and its ports without a circuit", bare, {"2", "3"} if "1-4" in circuits else set())
        instant = {"0s": "0 us", "49999999ps": "49.999999 us", "56999999ps": "56.999999 us"}.get(at, at.replace("us", " us"))
        check_equal("and its title", title, f"Circuits of rail 0 at {instant}{since}")
        with_it = comparable(json.loads((top / "with.json").read_text()))
        with_it.pop("options"), without.pop("options", None)
        check_equal("and the results are those without a picture", with_it, without)
    run("close-a-ring --circuit-map=ring.svg", top)
    title, there, _ = read_map(top / "ring.svg")
    check_equal("close-a-ring at its end", there, {**closed, "1-4": "up"})
    check("and its title", "" if re.fullmatch(r"Circuits of rail 0 at the end of the run, [\d.]+ \w+, unchanged since 57 us", title) else title)
    run("close-a-ring --circuit-map=ring.svg --circuit-map-at=1h", top)
    check_equal("a time that is not reached stands for the end", read_map(top / "ring.svg"), (title, there, {"2", "3"}))


def check_more_circuits(top):
    """Pictures of other examples."""
    run("ocs-first-circuit --circuit-map=first.svg --circuit-map-at=510us", top)
    check_equal("ocs-first-circuit: dark from 500 us to 525 us", read_map(top / "first.svg")[1], {"0-1": "dark"})
    run("ocs-first-circuit --circuit-map=first.svg --circuit-map-at=525us", top)
    check_equal("and up again", read_map(top / "first.svg")[1], {"0-1": "up"})
    run("rail-collective --ranks=4 --min=64K --max=128K --circuit-map=ring-of-4.svg", top)
    # a GPU has half of its ports to the next: the ring of 4 GPUs with 2 ports has 4 circuits
    circuits = read_map(top / "ring-of-4.svg")[1]
    ends = sorted(tuple(sorted(int(port) // 2 for port in name.split("-"))) for name in circuits)
    check_equal("rail-collective: a ring", (ends, set(circuits.values())), ([(0, 1), (0, 3), (1, 2), (2, 3)], {"up"}))
    run(f"{SHORT} --policy=electrical,electrical-union,on-demand,provisioned --reconfiguration=1ms --json=training.json --circuit-map=job.svg --circuit-map-at=100ms", top)
    check_equal("photonic-training: a picture of each run with circuits", sorted(path.name for path in top.glob("job*")),
                ["job-electrical-union.svg", "job-on-demand-1ms.svg", "job-provisioned-1ms.svg"])
    title, circuits, bare = read_map(top / "job-on-demand-1ms.svg")
    check("with its name in the title", "" if title.startswith("Circuits of rail 0 at 100 ms") and title.endswith(": on-demand 1ms") else title)
    # 4 servers with 2 ports each on a rail: at most 4 circuits, and each port has at most one
    ports = [port for name in circuits for port in name.split("-")]
    check("and its ports, each once", "" if circuits and len(set(ports) | bare) == len(ports) + len(bare) == 8 else f"{circuits} {bare}")
    titles = re.findall(r"<title>circuit (\d+)-(\d+)(?:, (\w+))?", (top / "job-on-demand-1ms.svg").read_text())
    # dp joins servers 0 and 1, 2 and 3; pp joins 0 and 2, 1 and 3
    kinds = {(0, 1): "dp", (2, 3): "dp", (0, 2): "pp", (1, 3): "pp"}
    wrong = [title for title in titles if kinds.get(tuple(sorted((int(title[0]) // 2, int(title[1]) // 2)))) != title[2]]
    check("and their parallelisms", str(wrong) if wrong or len(titles) != len(circuits) else "")
    plane = "opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --chart=0"
    run(f"{plane} --policies=electrical,on-demand --circuit-map=plane.svg --circuit-map-at=1ms", top)
    check_equal("opus-control-plane: a picture of each policy with circuits", [path.name for path in top.glob("plane*")], ["plane-on-demand.svg"])
    run("shared-rails --layers=2 --reconfiguration=1ms --iterations=2,1 --circuit-map=shared.svg --circuit-map-at=100ms", top)
    check_equal("shared-rails: the rail of all servers", len(read_map(top / "shared.svg")[2]) + 2 * len(read_map(top / "shared.svg")[1]), 16)
    run("trace-replay --circuit-map=replay.svg", top)
    check("trace-replay: its rail", "" if read_map(top / "replay.svg")[0].startswith("Circuits of rail 0 at the end of the run") else "no title")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        check_table()
        check_mistakes(place)
        check_curves(place)
        check_queue(place)
        check_end(place)
        check_circuits(place)
        check_more_circuits(place)
    sys.exit(failures > 0)
