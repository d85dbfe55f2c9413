# SPDX-License-Identifier: GPL-2.0-only

"""The command line of ./rails sweep."""

import pathlib
import re

from sweeps import combinations
from sweeps.folder import SEED, Folder
from sweeps.mistake import Mistake

USAGE = """Usage: ./rails sweep EXAMPLE --OPTION=VALUE,VALUE... [SWEEP OPTION...]
       ./rails sweep [EXAMPLE] FILE [--OPTION=VALUE,VALUE...] [SWEEP OPTION...]
       ./rails sweep FOLDER [SWEEP OPTION...]

Runs an example once for every combination of values, by GNU parallel, and keeps the results in a folder, with a line a run in
table.csv and sweep.sqlite, and the means over seeds in means.csv. What is in the folder already is not run again; what failed is.
FILE has combinations: *.json or *.csv. FOLDER is that of a sweep, which goes on. A comma that separates no values is typed as \\,

  --into=FOLDER         the folder (default: sweeps/EXAMPLE)
  --runs=N              each combination N times, with --RngRun=1 to N, or from a given --RngRun on
  -jN                   so many runs at once on each machine (default: as many as it has cores)
  --sshlogin=LIST       machines, with commas: [N/][USER@]HOST, as GNU parallel takes them; : is this one
  --slurm               writes a script for sbatch, an array of jobs, and runs nothing
  --table               writes the tables anew, and runs nothing
  --help                shows this
"""
RESERVED = {
    "json": "results go to the sweep's folder", "csv": "results go to the sweep's folder",
    "check": "a sweep always checks its options first", "processes": "give -jN, the runs at once",
}
MOST_RUNS = 10000


class CommandLine:
    """What is asked for. The program and the runs are None with a folder alone."""

    def __init__(self, words):
        self.at_once = None
        self.sshlogins = []
        self.slurm = self.table = False
        self.program = self.combinations = None
        self.is_of_folder = False
        into, runs, options, file = None, None, {}, None
        for word in words:
            name, equals, value = word.partition("=")
            if name == "--into":
                into = value or self.refuse(word, "give a folder")
            elif name == "--runs":
                runs = self.count(word, value)
            elif name == "--sshlogin":
                self.sshlogins.append(value or self.refuse(word, "give a machine"))
            elif word in ("--slurm", "--table"):
                self.slurm |= word == "--slurm"
                self.table |= word == "--table"
            elif re.fullmatch(r"-j=?.*", word) and not word.startswith("--"):
                self.at_once = str(self.count(word, word[2:].lstrip("=")))
            elif word.startswith("--") and len(name) > 2:
                self.add_option(options, name[2:], value if equals else "true")
            elif word.startswith("-") or not word:
                self.refuse(word, "there is no such option; ./rails sweep --help lists them")
            elif pathlib.Path(word).suffix in (".json", ".csv") and not file:
                file = word
            elif not self.program:
                self.program = word
            else:
                self.refuse(word, "give one example, and one file or folder")
        if self.slurm and self.sshlogins:
            self.refuse("--slurm", "Slurm chooses the machines; leave --sshlogin out")
        self.take(into, runs, options, file)

    @staticmethod
    def refuse(word, why):
        raise Mistake(f"{word}: {why}")

    def count(self, word, value):
        if not re.fullmatch(r"[1-9]\d{0,8}", value) or int(value) > MOST_RUNS:
            self.refuse(word, f"give 1 to {MOST_RUNS}")
        return int(value)

    def add_option(self, options, name, value):
        if name in options:
            self.refuse(f"--{name}={value}", "it is given twice; give its values once, with commas")
        options[name] = combinations.split(name, value)

    def take(self, into, runs, options, file):
        """Makes the runs: parameters of each, with its seed."""
        seeds = options.pop(SEED, None)
        combined = combinations.product(options)
        if file:
            listed, program, in_file = combinations.read(file)
            if program and self.program not in (None, program):
                self.refuse(self.program, f"{file} is for {program}")
            self.program = program or self.program
            combined = combinations.joined(listed, combined)
            if runs and in_file:
                self.refuse(f"--runs={runs}", f"{file} has runs; leave one out")
            runs = runs or in_file
        if not self.program:
            self.refuse(file or "./rails sweep", "give an example too, as the first word")
        elif "/" in self.program or Folder(self.program).is_sweep():
            self.take_folder(into, runs, options or seeds or file)
            return
        for one in combined:
            for option in one:
                if option in RESERVED:
                    self.refuse(f"--{option}", f"{RESERVED[option]}; leave it out")
        if any(SEED in one for one in combined):
            if runs or seeds:
                self.refuse(file, f"it has {SEED}; leave --runs and --{SEED} out")
            seeded = [{**one, SEED: one.get(SEED, "1")} for one in combined]
        else:
            seeded = combinations.joined(combined, [{SEED: seed} for seed in self.seeds(seeds, runs)])
        self.combinations = [*{tuple(sorted(one.items())): one for one in seeded}.values()]
        self.folder = Folder(into or f"sweeps/{self.program}")

    def take_folder(self, into, runs, more):
        """The argument is the folder of a sweep, which goes on."""
        self.folder = Folder(self.program)
        self.program = None
        self.is_of_folder = True
        if not self.folder.is_sweep():
            self.refuse(self.folder.name, "there is no sweep in it")
        if into or runs or more:
            self.refuse(self.folder.name, f"it has its own runs; to add some, give the example and --into={self.folder.name}")

    def seeds(self, given, runs):
        """The values of RngRun."""
        if not runs:
            return given or ["1"]
        if given and (len(given) > 1 or not re.fullmatch(r"\d{1,9}", given[0])):
            self.refuse(f"--{SEED}={','.join(given)}", "with --runs, give the first number alone")
        first = int(given[0]) if given else 1
        return [str(number) for number in range(first, first + runs)]
