# SPDX-License-Identifier: GPL-2.0-only

"""GNU parallel, which chooses machines and cores, starts runs there and repeats those that a machine has lost."""

import ctypes
import json
import os
import pathlib
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from sweeps.mistake import Mistake

RUN = pathlib.Path(__file__).resolve().parent.parent / "sweep-run"
TRIES = 3  # of a run whose machine vanishes, on different ones if there are
SECONDS_TO_END = 10  # of parallel, when it is interrupted
SSH = "-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"
END_WITH_PARENT = 1  # PR_SET_PDEATHSIG
SHELL = {"PARALLEL_SHELL": "/bin/sh"}  # here and there, whatever a user has, or none


def command(sshlogins, jobs):
    """GNU parallel, without a user's own options, and where it is to run."""
    words = ["parallel", "--plain", "--will-cite"]
    if sshlogins:
        words += ["--ssh", f"{os.environ.get('PARALLEL_SSH', 'ssh')} {SSH}"]
    for one in sshlogins:
        words += ["--sshlogin", one]
    return words + (["--jobs", jobs] if jobs else [])


def require():
    """GNU parallel must be there, not the program of moreutils."""
    path = shutil.which("parallel")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout if path else ""
    if not version.startswith("GNU parallel"):
        raise Mistake("there is no GNU parallel; install the package parallel")


def probe(sshlogins, program):
    """Refuses machines that do not answer, or have no such program."""
    if not sshlogins:
        return
    done = subprocess.run(
        [*command(sshlogins, None), "--nonall", "--tag", f"{shlex.quote(str(RUN))} --probe {shlex.quote(str(program))}"],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, env={**os.environ, **SHELL},
    )
    for line in done.stdout.splitlines():
        machine, _, answer = line.partition("\t")
        if answer.startswith("missing"):
            raise Mistake(f"--sshlogin={machine}: {program}: it is not there; build it there in the same folder, by ./rails run")
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.strip()]
        raise Mistake(f"--sshlogin={','.join(sshlogins)}: a machine gives no answer: {' / '.join(reasons[-3:]) or 'no reason'}")


class Runs:
    """Runs on their way."""

    def __init__(self, jobs, sshlogins, at_once):
        self.log = tempfile.TemporaryFile()  # of parallel
        life, self.life = os.pipe()  # is closed when this process ends, however it does: then runs here end too
        work = tempfile.TemporaryFile()
        work.write("".join(json.dumps(job) + "\n" for job in jobs).encode())
        work.seek(0)
        self.process = subprocess.Popen(
            [*command(sshlogins, at_once), "--line-buffer", "--retries", str(TRIES), shlex.quote(str(RUN)), "{}"],
            stdin=work, stdout=subprocess.PIPE, stderr=self.log, pass_fds=[life], start_new_session=True,
            env={**os.environ, **SHELL, "RAILS_SWEEP_LIFE": str(life)},
            preexec_fn=self.end_with_parent if sys.platform == "linux" else None,
        )
        os.close(life)
        work.close()
        self.rest = b""

    @staticmethod
    def end_with_parent():
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGTERM)

    def read(self, watch):
        """What runs say, until all are over. @param watch is called at least every half second"""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while True:
                if selector.select(0.5):
                    part = os.read(self.process.stdout.fileno(), 1 << 16)
                    if not part:
                        break
                    yield from self.messages(part)
                watch()
        self.process.wait()

    def messages(self, part):
        """The messages that are complete. A machine that vanishes leaves half of one."""
        *lines, self.rest = (self.rest + part).split(b"\n")
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                yield message

    def stop(self):
        """Ends all runs. What they said before is still there: messages."""
        if self.life is not None:
            os.close(self.life)
            self.life = None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            out, _ = self.process.communicate(timeout=SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            out, _ = self.process.communicate()
        return [*self.messages(out)]

    def last_words(self):
        """What parallel and ssh said last."""
        self.log.seek(0)
        lines = [line.strip() for line in self.log.read().decode(errors="replace").splitlines()]
        return [line for line in dict.fromkeys(lines) if line and not line.startswith("Warning: Permanently added")][-3:]
