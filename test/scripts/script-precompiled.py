#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""A precompiled header has what its headers have, whatever ccache has seen before.

script-precompiled.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails, 77 without ccache or g++.

A header is changed in two ways, each from the same precompiled header, as by two branches of one checkout.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
LAUNCHER = SOURCE / "cmake/launch-ccache"

failures = 0


def check(what, right, detail=""):
    global failures
    failures += not right
    print(f"{'ok' if right else 'FAILED'}: {what}" + ("" if right else f"\n{detail}"), flush=True)


def main():
    if not shutil.which("ccache") or not shutil.which("g++"):
        print("skipped: there is no ccache, or no g++")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        all_headers, compiled = folder / "all.hxx", folder / "all.hxx.gch"
        all_headers.write_text('#include "part.h"\n')
        (folder / "all.hxx.cxx").touch()
        flags = ["-fpch-preprocess", "-Winvalid-pch"]

        def run(*words):
            environment = {**os.environ, "CCACHE_DIR": str(folder / "cache")}
            return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)

        def precompile(part):
            (folder / "part.h").write_text(part)
            words = ["-x", "c++-header", "-include", all_headers, "-o", compiled.name, "-c", "all.hxx.cxx"]
            return run(LAUNCHER, "ccache", "g++", *flags, *words)

        def uses(function):
            (folder / "user.cc").write_text(f"int use() {{ return {function}(); }}\n")
            return run("g++", *flags, "-include", all_headers, "-c", "user.cc", "-o", "user.o")

        done = precompile("int first();\n")
        check("a header is precompiled", done.returncode == 0 and compiled.exists(), done.stderr)
        before = compiled.read_bytes()
        for function in ("one", "other"):
            compiled.write_bytes(before)
            done = precompile(f"int first();\nint {function}();\n")
            check(f"it is again, for the {function} change", done.returncode == 0, done.stderr)
            done = uses(function)
            check(f"and has the {function} change", done.returncode == 0, done.stderr)
    print(f"{failures} failed" if failures else "precompiled headers are those of their headers")
    sys.exit(failures > 0)


main()
