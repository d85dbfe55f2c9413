# SPDX-License-Identifier: GPL-2.0-only

"""Runs as an array of jobs of Slurm, on a folder that all machines see."""

import json
import shlex

from sweeps.folder import write_whole
from sweeps.gnu_parallel import RUN

MOST = 1000  # jobs of an array: Slurm's MaxArraySize is 1001, if its configuration has no other
SCRIPT = """#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=1-{jobs}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --output={folder}/logs/slurm-%a.log
#
# {runs} runs, each a line of slurm.runs. What is over is not done again.
for ((line = SLURM_ARRAY_TASK_ID; line <= {runs}; line += {jobs})); do
    {run} --record {folder} "$(sed -n "${{line}}p" {folder}/slurm.runs)" || exit
done
"""


def write(folder, jobs):
    """Writes the script, and the runs that it does. The script."""
    script = folder.path / "slurm.sh"
    write_whole(folder.path / "slurm.runs", "".join(json.dumps(job) + "\n" for job in jobs))
    write_whole(script, SCRIPT.format(
        name=shlex.quote(folder.path.name), folder=shlex.quote(str(folder.path)), run=shlex.quote(str(RUN)), runs=len(jobs),
        jobs=min(len(jobs), MOST),
    ))
    script.chmod(0o755)
    return script
