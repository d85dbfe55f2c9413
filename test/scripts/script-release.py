#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""What a release needs is there, and says the same everywhere.

script-release.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.
"""

import pathlib
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib

SOURCE = pathlib.Path(sys.argv[1]).resolve()
STORE = SOURCE / "doc/appstore"
LARGEST = 500_000  # bytes of a file

failures = 0


def check(what, problem):
    """Prints one line for a check, and what is wrong if anything is."""
    global failures
    failures += bool(problem)
    print(f"{'FAILED' if problem else 'ok'}: {what}" + (f"\n{problem}" if problem else ""), flush=True)


def first(pattern, name):
    """What the group of a pattern matches in a file."""
    found = re.search(pattern, (SOURCE / name).read_text(), re.MULTILINE)
    return found.group(1) if found else f"none in {name}"


def check_version():
    """The release has one number."""
    release = first(r"^version: (\S+)$", "CITATION.cff")
    others = {
        "CHANGES.md": first(r"^## \[(\S+)\] - ", "CHANGES.md"),
        "rails-extension.h": first(r'^#define PHOTONIC_RAILS_RELEASE "(\S+)"$', "helper/scenario/rails-extension.h"),
    }
    check(f"the release is {release} everywhere", "\n".join(f"{where}: {other}" for where, other in others.items() if other != release))


def check_citation():
    """The fields that a citation needs."""
    text = (SOURCE / "CITATION.cff").read_text()
    fields = ("cff-version", "message", "title", "type", "version", "license", "abstract", "keywords", "authors", "references")
    check("CITATION.cff is complete", "\n".join(name for name in fields if not re.search(rf"^{name}:", text, re.MULTILINE)))


def alphas(data):
    """The alpha values of the pixels of a PNG of 8 bits with alpha, row by row."""
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    if (depth, colour) != (8, 6):
        raise ValueError(f"depth {depth}, colour type {colour}: it has no alpha of 8 bits")
    packed = b""
    place = 8
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        packed += data[place + 8 : place + 8 + length] if kind == b"IDAT" else b""
        place += 12 + length
    raw = zlib.decompress(packed)
    above = bytes(4 * width)
    rows = []
    for row in range(height):
        kind, *line = raw[row * (4 * width + 1) : (row + 1) * (4 * width + 1)]
        for i, value in enumerate(line):
            left, up, corner = (line[i - 4] if i > 3 else 0), above[i], (above[i - 4] if i > 3 else 0)
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[i] = (value + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        above = bytes(line)
        rows.append(above[3::4])
    return rows


def check_icon():
    """100 x 100 pixels, with a transparent background, and something on it."""
    data = (STORE / "icon.png").read_bytes()
    size = struct.unpack(">II", data[16:24])
    problem = "" if size == (100, 100) else f"it has {size} pixels"
    try:
        rows = alphas(data)
        if any(rows[y][x] for y in (0, -1) for x in (0, -1)):
            problem += "its corners are not transparent"
        if not any(255 in row for row in rows):
            problem += "nothing is on it"
    except ValueError as error:
        problem += str(error)
    check("the icon has 100 x 100 pixels, and is transparent", problem)


def check_store():
    """The page names what the store asks for; the file for bake names the module."""
    page = (STORE / "page.md").read_text()
    fields = ("Name", "Title", "Summary", "Licence", "Maintainer", "Icon", "ns-3 releases", "Install")
    check("the page of the app store has its fields", "\n".join(name for name in fields if not re.search(rf"^\| {name} \| \S", page, re.MULTILINE)))
    module = xml.etree.ElementTree.parse(STORE / "photonic-rails.xml").getroot().find("modules/module")
    folder = module.find("source/attribute[@name='module_directory']").get("value")
    right = module.get("type") == "ns-contrib" and module.get("name") == folder == "photonic-rails"
    check("the file for bake has the module", "" if right else "its name, type or folder is another one")


def check_containers():
    """Each container runs the command of the README, on its release."""
    for name, release in (("debian", "debian:12"), ("ubuntu", "ubuntu:24.04")):
        text = (SOURCE / f"containers/Dockerfile.{name}").read_text()
        lines = (f"FROM {release}", 'ENTRYPOINT ["./rails"]')
        problem = "\n".join(line for line in lines if line not in text.splitlines())
        problem += "" if re.search(r"^RUN \./rails run\b", text, re.MULTILINE) else "it does not run ./rails run"
        check(f"the container of {release} runs ./rails run", problem)


def check_files():
    """What git would pack is text and pictures, none of them large."""
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode or not (SOURCE / ".git").exists():
        print("skipped: git lists no files, in a tarball for instance")
        return
    names = listed.stdout.split("\0")
    large = [f"{name} has {(SOURCE / name).stat().st_size} bytes, and at most {LARGEST} are expected"
             for name in names if (SOURCE / name).is_file() and (SOURCE / name).stat().st_size > LARGEST]
    check(f"{len(names)} files, none of them large", "\n".join(large))


check_files()
check_version()
check_citation()
check_icon()
check_store()
check_containers()
sys.exit(failures > 0)
