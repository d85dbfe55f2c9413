# SPDX-License-Identifier: GPL-2.0-only

"""Compiles the sources that the documentation has users compile, for the option --load of examples."""

import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILED = {}  # by source and build: a folder with the shared object, for others that need it
FOLDERS = ("doc/labs", "doc/labs/answers", "test/extending")


def find_source(name):
    """The source of a shared object such as lab-9.so, or None."""
    sources = [ROOT / folder / pathlib.Path(name).with_suffix(".cc").name for folder in FOLDERS]
    return next((source for source in sources if source.exists()), None)


def compile_source(source, build, folder):
    """A shared object in a folder, by the command of doc/extending.rst, for the compiler and the sanitizers of the build."""
    target = pathlib.Path(folder) / f"{source.stem}.so"
    if (source, build) not in COMPILED:
        COMPILED[source, build] = tempfile.TemporaryDirectory()
        compile_anew(source, build, pathlib.Path(COMPILED[source, build].name) / target.name)
    shutil.copy(pathlib.Path(COMPILED[source, build].name) / target.name, target)
    return target


def compile_anew(source, build, target):
    cache = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE).group(1)
    sanitizers = re.search(r"^PHOTONIC_RAILS_SANITIZE:\w+=(.+)$", cache, re.MULTILINE)
    more = [f"-fsanitize={sanitizers.group(1)}"] if sanitizers else []
    subprocess.run([compiler, "-std=c++17", "-O2", "-shared", "-fPIC", *more, "-I", build / "include", source, "-o", target], check=True)


def compile_loaded(text, build, folder):
    """Compiles what the options --load in a text name, to a folder, where a source is known."""
    for names in re.findall(r"--load=(\S+)", text):
        for name in names.split(","):
            source = find_source(name)
            if source and not (pathlib.Path(folder) / f"{source.stem}.so").exists():
                compile_source(source, build, folder)
