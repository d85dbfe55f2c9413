# SPDX-License-Identifier: GPL-2.0-only

"""The folder of a sweep, and the runs that are in it.

    FOLDER/sweep.json     the program and every combination so far (a plan)
           runs/ID.json   a run that is over: its parameters, rows and origin, or its error
           logs/ID.log    what a run that failed printed
           lock           is locked while a sweep uses the folder
           table.csv, means.csv, sweep.sqlite   the results (table.py)

Every file but the lock is written beside its name first and then renamed: it is there as a whole or not at all.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import shlex
import socket

from sweeps.mistake import Mistake

PLAN = "sweep.json"
SEED = "RngRun"  # the option that draws other random numbers


def identity(program, parameters):
    """The name of a run: the same for the same program and values, in whatever order."""
    return hashlib.sha256(json.dumps([program, sorted(parameters.items())]).encode()).hexdigest()[:12]


def describe(parameters):
    """The options of a run, as they are typed."""
    return " ".join(shlex.quote(f"--{option}={value}") for option, value in parameters.items())


def write_whole(path, text):
    """Writes a file as a whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class Folder:
    """The folder of a sweep."""

    def __init__(self, path):
        self.path = pathlib.Path(path).absolute()
        self.name = str(path)
        self.plan = {"program": None, "cwd": os.getcwd(), "runs": []}
        self.lock = None

    def is_sweep(self):
        return (self.path / PLAN).is_file()

    def read(self):
        """Reads the plan."""
        if self.path.exists() and not self.path.is_dir():
            raise Mistake(f"{self.name}: this is no folder; give another one with --into=FOLDER")
        if self.is_sweep():
            try:
                self.plan = json.loads((self.path / PLAN).read_text(encoding="utf-8"))
            except ValueError as error:
                raise Mistake(f"{self.name}/{PLAN}: no plan of a sweep: {error}") from error
        elif self.path.is_dir() and {one.name for one in self.path.iterdir()} - {"lock"}:
            raise Mistake(f"{self.name}: it has files that are no sweep's; give another folder with --into=FOLDER")

    def open(self):
        """Makes the folder if need be, locks it and reads the plan."""
        self.read()
        self.path.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.path / "lock", "a+", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.lock.seek(0)
            user = self.lock.read().strip()
            raise Mistake(f"{self.name}: another sweep uses it ({user}); wait for its end, or give another folder") from error
        if not os.path.samestat(os.fstat(self.lock.fileno()), os.stat(self.path / "lock")):
            raise Mistake(f"{self.name}: another sweep has just left it; repeat the command")
        self.lock.truncate(0)
        self.lock.write(f"process {os.getpid()} of {socket.gethostname()}\n")
        self.lock.flush()
        self.read()

    def leave_empty(self):
        """Removes a folder that has no plan."""
        if self.lock and not self.is_sweep():
            (self.path / "lock").unlink()
            self.path.rmdir()

    def add(self, program, runs):
        """Adds runs to the plan. @param runs parameters"""
        if self.plan["program"] not in (None, program):
            raise Mistake(
                f"{self.name}: its runs are of {self.plan['program']}, not of {program}; give another folder with --into=FOLDER"
            )
        known = {self.identity(one) for one in self.plan["runs"]} if self.plan["program"] else set()
        new = [one for one in runs if identity(program, one) not in known]
        for inner in ("runs", "logs"):
            (self.path / inner).mkdir(exist_ok=True)
        if new or not self.is_sweep():
            self.plan = {"program": program, "cwd": os.getcwd(), "runs": self.plan["runs"] + new}
            write_whole(self.path / PLAN, json.dumps(self.plan, indent=1) + "\n")

    def identity(self, parameters):
        return identity(self.plan["program"], parameters)

    def record_path(self, name):
        return self.path / "runs" / f"{name}.json"

    def log_path(self, name):
        return self.path / "logs" / f"{name}.log"

    def record(self, record):
        """Takes a run that is over, and the log of one that failed."""
        log = record.pop("log", "")
        if record["error"]:
            write_whole(self.log_path(record["id"]), log)
        write_whole(self.record_path(record["id"]), json.dumps(record) + "\n")
        if not record["error"]:
            self.log_path(record["id"]).unlink(missing_ok=True)

    def find(self, parameters):
        """The record of a run; None if there is none."""
        try:
            return json.loads(self.record_path(self.identity(parameters)).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            path = self.record_path(self.identity(parameters))
            raise Mistake(f"{path}: no record of a run: {error}; remove it, and the run is done again") from error

    def is_done(self, parameters):
        record = self.find(parameters)
        return record is not None and not record["error"]

    def records(self):
        """The records of all runs that are over, in the order of the plan."""
        found = (self.find(one) for one in self.plan["runs"])
        return [record for record in found if record]
