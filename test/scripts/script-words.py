#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""One thing has one word, the field's: what is not to be called otherwise.

script-words.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

Words are looked for in names (of files, classes, functions, variables), in texts that users read (attributes, options,
messages and JSON keys), and in comments of tests.
"""

import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1]).resolve()
SOURCES = [
    path
    for folder in ("model", "helper", "examples", "tools", "test", "bench")
    for path in sorted((SOURCE / folder).rglob("*"))
    if path.suffix in (".h", ".cc")
]

# word: (what to say, regular expression of the files where it means something else)
BANNED = {
    "astray": ("other circuit", None),
    "axes": ("parallelisms", None),
    "axis": ("parallelism", None),
    "box": ("switch", r"svg-chart|circuit-map-picture|circuit-map-figure"),
    "boxes": ("switches", None),
    "bury": ("remove", None),
    "carrier": ("path, or carrier of a NIC port", r"optics|faults|failure|rdma|toy-wire|timeline|circuit|nic-|rdma-|light|trains|rail-bench|instants|link-up|shim|ocs-agent|opus-contents|opus-encoding|opus-message|opus-record|control-plane-options|training-options|folded-|rail-fold|rail-differences|other-rail|controller-core|carrier-record|port-rows|result-schema|port-plot|rail-panel|rail-animation|animated-carrier|no-offload"),
    "carriers": ("paths", r"optics"),
    "conversation": ("flow key, or channel state", None),
    "conversations": ("flows, or channels", None),
    "dimension": ("parallelism", None),
    "dimensions": ("parallelisms", None),
    "doubt": ("uncertain", None),
    "doubted": ("uncertain", None),
    "doubtful": ("uncertain", None),
    "doubts": ("uncertain", None),
    "families": ("parallelisms", None),
    "family": ("parallelism", None),
    "judge": ("check", None),
    "judges": ("checks", None),
    "lane": ("channel", None),
    "lanes": ("channels", None),
    "latecomer": ("straggler", None),
    "letter": ("outgoing message", r"known-names|scenario|trace|error-line|json|sequence-chart|option|timeline|model-shape|csv|random-variable|progress|svg-chart"),
    "letters": ("outgoing messages", r"known-names|trace|error-line|json|compute-times|option|side-by-side|scenario|sequence-chart|model-shape|random-variable|progress|svg-chart"),
    "mirrors": ("optics", r"ocs-technology|cost"),
    "patience": ("timeout, retry limit or lookahead", None),
    "plea": ("circuit hint", None),
    "plead": ("hint", None),
    "pleads": ("hints", None),
    "pleas": ("circuit hints", None),
    "strand": ("sub queue pair", None),
    "strands": ("sub queue pairs", None),
    "stranger": ("wrong destination", None),
    "substitute": ("spare", None),
    "surprise": ("misprediction", None),
    "surprised": ("mispredicted", None),
    "surroundings": ("environment", None),
    "talk": ("exchange", None),
    "talks": ("exchanges", None),
    "turner": ("reconfigurer", None),
    "turning": ("reconfiguration", None),
    "turnings": ("reconfigurations", None),
    "uneasy": ("loss possible", None),
    "verdict": ("check", None),
}

# names of several words that mean too much or too little
BANNED_NAMES = {
    "InTheDark": "NoCarrierAction",
    "TwoWay": "Bidirectional",
    "twoWay": "bidirectional",
    "OneWay": "Unidirectional",
    "IsTerminalForPeople": "PrintsTables",
    "IsForPeople": "PrintsTables",
    "InsideMessageSize": "IntraNodeMessageSize",
    "messagesCome": "messagesReceived",
    "Heard": "NoteContact",
    "Lend": "EnterBatchMode",
}

# words of persons, in names of objects that send messages
BANNED_OF_PERSONS = {
    "anybody": "any rank",
    "ask": "request",
    "asked": "requested",
    "asking": "requesting",
    "asks": "requests",
    "boarded": "entered",
    "everybody": "every rank",
    "hear": "receive",
    "heard": "received",
    "hears": "receives",
    "nobody": "none",
    "said": "sent, reported or printed",
    "say": "send, report or print",
    "saying": "sending",
    "says": "sends, reports or prints",
    "somebody": "a rank",
    "speak": "send",
    "speaks": "sends",
    "spoken": "reported",
    "tell": "send, report or describe",
    "telling": "reporting",
    "tells": "sends, reports or describes",
    "told": "sent, reported or recorded",
    "untold": "undelivered",
}

# the same and others, in comments of tests
BANNED_IN_TEST_COMMENTS = set(BANNED_OF_PERSONS) | {
    "alive",
    "astray",
    "bystander",
    "dead",
    "mirrors",
    "stranger",
    "who",
    "whoever",
    "whom",
}

TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)|#include[^\n]*|(?P<text>\"(?:\\.|[^\"\\\n])*\")|'(?:\\.|[^'\\\n])*'|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(name):
    return [word.lower() for word in WORDS.findall(name)]


def faults_of(where, words):
    """What is wrong with words that stand in a file."""
    for word in words:
        better, elsewhere = BANNED.get(word, (None, None))
        if better and not (elsewhere and re.search(elsewhere, where)):
            yield f"{word}: say {better}"


def faults(path):
    where = str(path.relative_to(SOURCE))
    for fault in faults_of(where, words_of(path.stem)):
        yield f"{where}: the name of the file: {fault}"
    text = path.read_text()
    is_test = where.startswith(("test/", "bench/"))
    seen = set()
    for found in TOKENS.finditer(text):
        name, literal = found.group("name"), found.group("text")
        line = text.count("\n", 0, found.start()) + 1
        comment = found.group("comment")
        if comment and where.startswith("test/"):
            for word in sorted(set(re.findall(r"[a-z]+", comment)) & BANNED_IN_TEST_COMMENTS):
                yield f"{where}:{line}: {word}: a comment names what acts, in a plain sentence"
        if not name and (not literal or is_test):
            continue
        what = name or literal
        if what in seen:
            continue
        seen.add(what)
        for word in words_of(name or ""):
            if word in BANNED_OF_PERSONS:
                yield f"{where}:{line}: {what}: {word}: say {BANNED_OF_PERSONS[word]}"
        for fault in faults_of(where, words_of(what)):
            yield f"{where}:{line}: {what}: {fault}"
        if name in BANNED_NAMES:
            yield f"{where}:{line}: {name}: say {BANNED_NAMES[name]}"


def main():
    # what finds nothing would find nothing in vain
    assert words_of("m_hasTurningTime") == ["m", "has", "turning", "time"], words_of("m_hasTurningTime")
    assert words_of("FORWARD_INSIDE") == ["forward", "inside"]
    assert list(faults_of("model/x.h", ["talk"])) == ["talk: say exchange"]
    assert not list(faults_of("model/optics/x.h", ["carrier"]))
    assert words_of("MustTellAll") == ["must", "tell", "all"]
    found = [fault for path in SOURCES for fault in faults(path)]
    for fault in found:
        print(fault)
    print(f"{'FAILED' if found else 'ok'}: {len(SOURCES)} files, {len(found)} words that the field does not use")
    return 1 if found or len(SOURCES) < 100 else 0


sys.exit(main())
