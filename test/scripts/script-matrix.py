#!/usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Every value of rail-collective --matrix, derived a second time.

script-matrix.py SOURCE_DIR BUILD_DIR: one line a check; exit code 1 if one fails.

Each collective is written here again as rounds of transfers: who sends which part of the buffer to
whom. From these follow, for each kind of rail and number of ports,
- whether it can run: a stage (rounds in a row with the same pairs) joins a rank with as many others
  as it has ports at most, and where circuits stay there is one set of pairs;
- rounds, the bytes of the busiest rank, and reconfigurations: one for each stage;
- the time: no port carries its bytes faster than its rate, and no round takes longer than the bytes
  of its busiest link and the latency of the path. Circuits take the reconfiguration time beside.
"""

import itertools
import json
import pathlib
import subprocess
import sys
from fractions import Fraction

BUILD = pathlib.Path(sys.argv[2]).resolve()
SIZE = 1 << 20
RECONFIGURATION = 10_000_000  # ps
RATE = Fraction(200, 8 * 1000)  # bytes a ps, of a port
MTU = 4096
AROUND = 82  # bytes of headers, preamble and gap of a data frame; the first has 16 more, the last 4
ACK = 86
FIBERS = 200_000  # ps: two of 100 ns
FORWARDING = 1_000_000  # ps: of the packet switch

failed = False


def check(what, problem):
    """Prints a check."""
    global failed
    failed = failed or bool(problem)
    print(f"{'FAIL' if problem else 'ok'}: {what}{': ' + problem if problem else ''}")


class Operation:
    """A collective as rounds: for each channel, a dict from (sender, receiver) to a part of the buffer."""

    def __init__(self, ranks, channels):
        self.ranks = ranks
        self.channels = channels
        self.rounds = []  # a list of dicts (channel, sender, receiver) -> part
        self.joined = False  # all rounds are one stage

    def send(self, number, channel, sender, receiver, part):
        while len(self.rounds) <= number:
            self.rounds.append({})
        key = (channel, sender % self.ranks, receiver % self.ranks)
        self.rounds[number][key] = self.rounds[number].get(key, 0) + Fraction(part) / self.channels

    def stages(self):
        """Rounds in a row with the same pairs: lists of rounds."""
        found = []
        for one in self.rounds:
            pairs = {frozenset(key[1:]) for key in one}
            if self.joined and found:
                found[-1][0].update(pairs)
                found[-1][1].append(one)
            elif found and found[-1][0] == pairs:
                found[-1][1].append(one)
            else:
                found.append((pairs, [one]))
        return found


def direction(channel, channels):
    """The upper half of an even number of channels runs the other way."""
    return -1 if channels % 2 == 0 and channel >= channels // 2 else 1


def log(number, base=2):
    """The least exponent with which the base reaches the number."""
    exponent = 0
    while base**exponent < number:
        exponent += 1
    return exponent


def core_of(ranks):
    return 1 << (ranks.bit_length() - 1)


def doubling(n):
    """Rounds of the gather with one partner: dicts (sender, receiver) -> number of shares."""
    core = core_of(n)
    if n % 2 == 0 and core != n:
        rounds = [{(x, x ^ 1): 1 for x in range(n)}]
        sets, known = n // 2, 1
        while known < sets:
            new = min(known, sets - known)
            one = {}
            for x in range(sets):
                y = (x + known + new - 1) % sets
                one[2 * x, 2 * y + 1] = one[2 * y + 1, 2 * x] = 2 * new
            rounds.append(one)
            known += new
        return rounds
    first = {pair: 1 for x in range(core, n) for pair in ((x, x - core), (x - core, x))}
    rounds = [first] if first else []
    distance = core // 2
    while distance:
        shares = {x: sum(1 for c in range(n) if c % (2 * distance) == x % (2 * distance)) for x in range(core)}
        rounds.append({(x, x ^ distance): shares[x] for x in range(core)})
        distance //= 2
    last = {(x - core, x): n - 2 for x in range(core, n)}
    return rounds + ([last] if last else [])


def multiplying(n, ports):
    """The same with up to as many partners as ports, an even number of them."""
    rounds, reach = [], 0
    while 2 * reach + 1 < n:
        one = {}
        new = min(n // 2 - reach, ports // 2 * (2 * reach + 1))
        blocks = min(ports // 2, new)
        for block in range(blocks):
            first, behind = reach + 1 + new * block // blocks, reach + 1 + new * (block + 1) // blocks
            distance = first + (behind - 1 - first) // 2
            for away in range(first, behind):
                for x in range(n):
                    for side in (1, -1) if 2 * away != n else (1,):
                        key = ((x + side * distance) % n, x)
                        one[key] = one.get(key, 0) + 1
        rounds.append(one)
        reach += new
    return rounds


def tournament(n):
    """Matchings in which each pair is once: of n or, if that is odd, of n + 1, one of whom is missing."""
    last = n - 1 if n % 2 == 0 else n
    for number in range(last):
        pairs = [(x, (2 * number - x) % last) for x in range(last) if x < (2 * number - x) % last]
        yield pairs + ([(number, last)] if n % 2 == 0 else [])


def rings(n, ports):
    """Orders of several rings."""
    best = max(range(2, min(ports, n - 1) + 1, 2 - (n + 1) % 2), key=lambda d: (ports // d * d, d))
    if n % 2:
        for turn in range(best // 2):
            zigzag = [turn + (step + 1) // 2 * (1 if step % 2 else -1) for step in range(n - 1)]
            yield [n - 1] + [x % (n - 1) for x in zigzag]
        return
    matchings = [{x: y for one in pairs for x, y in (one, one[::-1])} for pairs in tournament(n)]
    numbers = [(0, 1), (1, 2), (2, 0)] if best % 2 else []
    for first in range(3 if best % 2 else 0, best, 2):
        numbers += [(first, first + 1)] * (2 if best % 2 else 1)
    for one, other in numbers:
        order = [0]
        while len(order) < n:
            order.append(matchings[one if len(order) % 2 else other][order[-1]])
        yield order


def tree_edges(n, tree):
    """Pairs (child, parent, level): a place's level is how often 2 divides it."""
    for place in range(1, n):
        bit = place & -place
        parent = (place ^ bit) | 2 * bit
        parent = parent if parent < n else place ^ bit
        if tree == 0:
            ranks = place, parent
        else:
            ranks = [n - 1 - x if n % 2 == 0 else (x + 1) % n for x in (place, parent)]
        yield (*ranks, bit.bit_length() - 1)


def straggler_pairs(n):
    """Rounds of pairs of roles after the first phase; the straggler has role n - 1.

    For powers of two: arXiv 2505.23523. A chunk that is finished in round r has age a in round r + a. The ranks that send
    it then are at places, counted from the one that meets the straggler, which form runs of falling ages.
    Of other numbers only the straggler's pairs of the first n - 1 rounds are known.
    """
    m, ages = n - 1, log(n)
    age, partner, free = [0] * m, [0] * m, m

    def add_run(first):
        nonlocal free
        for one in range(first, ages + 1):
            free -= 1
            age[free] = one

    if n == core_of(n):
        add_run(1)
        for place in range(m - 1, 0, -1):
            if age[place] < ages:
                partner[place], partner[free] = free, place
                add_run(age[place] + 1)
    # an odd rank is idle while the straggler meets another: in rounds of two, what n - 2 ranks lack of each chunk
    lacks, senders = m * (n - 2), 0
    for _ in range(m):
        received = min((n - 2) // 2 * 2, senders)
        lacks, senders = lacks - received, min(m, senders + received + 1)
    for r in range(max(n - 2 + log(n), m - -lacks // m)):
        others = [((r + x) % m, (r + partner[x]) % m) for x in range(1, m) if 0 < age[x] <= r]
        yield [(m, r), (r, m)] + others if r < m else [(m, r - m)] + others


def straggling(operation, first_phase):
    """StragglAR: the others reduce and scatter; then in each round all go in pairs with a chunk of n - 1."""
    n = operation.ranks
    chunk = Fraction(1, n - 1)
    for channel in range(operation.channels):
        way = direction(channel, operation.channels)
        rank = lambda role, way=way: (n - 1 + way * (role + 1)) % n
        if first_phase == "ring":
            for r in range(n - 2):
                for role in range(n - 1):
                    operation.send(r, channel, rank(role), rank((role + 1) % (n - 1)), chunk)
            first = n - 2
        else:
            backwards = doubling(n - 1)[::-1]
            for r, pairs in enumerate(backwards):
                for (sender, receiver), shares in pairs.items():
                    operation.send(r, channel, rank(receiver), rank(sender), chunk * shares)
            first = len(backwards)
        for r, pairs in enumerate(straggler_pairs(n)):
            for sender, receiver in pairs:
                operation.send(first + r, channel, rank(sender), rank(receiver), chunk)


def gather(operation, rounds, first=0, backwards=False):
    """Adds rounds of shares on all channels; those of the other direction run the mirror image."""
    n = operation.ranks
    for channel in range(operation.channels):
        for r, pairs in enumerate(rounds[::-1] if backwards else rounds):
            for (sender, receiver), shares in pairs.items():
                ends = (receiver, sender) if backwards else (sender, receiver)
                operation.send(first + r, channel, *ends, Fraction(shares, n))


def write(kind, algorithm, n, ports):
    """The collective as rounds, or None if it does not work for these numbers, and the reason's words."""
    channels = ports if ports % 2 == 0 or ports == 1 else 2 * ports
    op = Operation(n, channels)
    ways = [(c, direction(c, channels)) for c in range(channels)]
    both = channels % 2 == 0
    if kind == "all-to-all-v":
        return None, "there is none; set demand"
    if kind == "send-recv":
        if n != 2:
            return None, f"the group is these 2 ranks, and not {n}"
        for c, _ in ways:
            op.send(0, c, 0, 1, 1)
    elif algorithm.startswith("hierarchical") or algorithm == "rail-rings":
        return None, "a server has 1 ranks of the group"
    elif algorithm in ("straggl-ar", "straggl-ar-halving"):
        if n < 3:
            return None, "fewer than 3 ranks"
        straggling(op, "ring" if algorithm == "straggl-ar" else "halving")
    elif algorithm == "recursive-multiplying":
        if ports == 1:
            return None, "which is recursive doubling"
        for c, way in ways:
            rounds = [
                {(way * s % n, way * r % n): k for (s, r), k in pairs.items()} for pairs in multiplying(n, ports)
            ]
            scatters, gathers = kind != "all-gather", kind != "reduce-scatter"
            plan = [(pairs, True) for pairs in rounds[::-1]] * scatters + [(pairs, False) for pairs in rounds] * gathers
            for r, (pairs, backwards) in enumerate(plan):
                for (s, d), k in pairs.items():
                    op.send(r, c, *((d, s) if backwards else (s, d)), Fraction(k, n))
    elif algorithm == "multi-ring":
        if n < 3:
            return None, "a ring is of 3 ranks or more"
        if ports == 1:
            return None, "a rank on a ring has 2 neighbors, and 1 port"
        orders = list(rings(n, ports))
        for c, way in ways:
            order = orders[c % len(orders)][::way]
            for r in range((n - 1) * (2 if kind == "all-reduce" else 1)):
                for place in range(n):
                    op.send(r, c, order[place], order[(place + 1) % n], Fraction(1, n))
    elif kind == "barrier" and algorithm == "dissemination":
        for c, way in ways:
            for r in range(log(n)):
                for x in range(n):
                    op.send(r, c, x, x + way * (1 << r), 0)
    elif kind == "barrier" and algorithm == "recursive-doubling":
        gather(op, doubling(n))
        op.rounds = [{key: 0 for key in one} for one in op.rounds]
    elif kind == "barrier":
        for c, way in ways:
            for r in range(2 * (n - 1)):
                op.send(r, c, way * r, way * (r + 1), 0)
    elif kind in ("broadcast", "reduce"):
        for c, way in ways:
            for r in range(n - 1):
                first = r if kind == "broadcast" else r + 1
                op.send(r, c, way * first, way * (first + 1), 1)
    elif algorithm == "tree":
        op.joined = True
        for c in range(channels):
            for tree in range(2):
                if channels % 2 == 0 and c % 2 != tree:
                    continue
                for child, parent, level in tree_edges(n, tree):
                    part = Fraction(1, 2) if channels % 2 else 1
                    op.send(level, c, child, parent, part)
                    op.send(2 * log(n) - 1 - level, c, parent, child, part)
    elif algorithm == "halving-doubling":
        core = core_of(n)
        if n % 2 == 0:
            rounds = doubling(n)
            gather(op, rounds, 0, True)
            gather(op, rounds, len(rounds))
        else:
            halves = [(distance, Fraction(1, 2 * distance)) for distance in (1 << e for e in range(log(core)))]
            for c in range(channels):
                for x in range(core, n):
                    op.send(0, c, x, x - core, 1)
                for r, (distance, part) in enumerate(halves + halves[::-1]):
                    for x in range(core):
                        op.send(1 + r, c, x, x ^ distance, part)
                for x in range(core, n):
                    op.send(1 + 2 * len(halves), c, x - core, x, 1)
    elif algorithm == "chain":
        shares = {
            "all-reduce": (lambda up: n, lambda down: n),
            "all-gather": (lambda up: up + 1, lambda down: n - down),
            "reduce-scatter": (lambda up: n - 1 - up, lambda down: down),
        }[kind]
        op.joined = n == 2 and kind != "all-reduce"  # what comes down needs nothing from below
        for c, _ in ways:
            for x in range(n - 1):
                op.send(x, c, x, x + 1, Fraction(shares[0](x), n))
            for x in range(n - 1, 0, -1):
                op.send(2 * n - 2 - x, c, x, x - 1, Fraction(shares[1](x), n))
    elif algorithm == "pairs":
        for c, _ in ways:
            for r, (x, y) in enumerate(itertools.combinations(range(n), 2)):
                op.send(r, c, x, y, Fraction(1, n))
                op.send(r, c, y, x, Fraction(1, n))
    elif algorithm == "recursive-doubling":
        gather(op, doubling(n))
    elif algorithm == "recursive-halving":
        gather(op, doubling(n), 0, True)
    elif algorithm == "pat":
        for c, way in ways:
            for r in range(log(n)):
                distance = 1 << (log(n) - 1 - r if kind == "all-gather" else r)
                shares = len(range(distance, n, 2 * distance))
                for x in range(n):
                    to = x + way * distance * (1 if kind == "all-gather" else -1)
                    op.send(r, c, x, to, Fraction(shares, n))
    elif algorithm == "direct":
        for c, _ in ways:
            for x in range(n):
                for step in range(1, n):
                    op.send(0, c, x, x + step, Fraction(1, n))
    elif algorithm in ("matchings", "multi-matching"):
        for c, _ in ways:
            for r, pairs in enumerate(tournament(n)):
                for x, y in pairs:
                    number = r // (ports if algorithm == "multi-matching" else 1)
                    op.send(number, c, x, y, Fraction(1, n))
                    op.send(number, c, y, x, Fraction(1, n))
    elif kind == "all-to-all" and algorithm == "ring":
        for c, way in ways:
            longest = n // 2 if both else n - 1
            for r in range(longest):
                for steps in range(r + 1, longest + 1):
                    part = Fraction(1, n) * (2 if both and 2 * steps != n else 1)
                    for x in range(n):
                        op.send(r, c, x + way * r, x + way * (r + 1), part)
    elif algorithm == "ring":
        for c, way in ways:
            for r in range((n - 1) * (2 if kind == "all-reduce" else 1)):
                for x in range(n):
                    op.send(r, c, x, x + way, Fraction(1, n))
    else:
        sys.exit(f"script-matrix.py does not know {kind} by {algorithm}: write its rounds here")
    return op, ""


def partners(pairs):
    """The number of others that pairs join each rank with."""
    count = {}
    for pair in pairs:
        for rank in pair:
            count[rank] = count.get(rank, 0) + 1
    return count


def standing(op, ports):
    """The pairs that circuits join where they stay: those of the collective, or a ring."""
    stages = op.stages()
    if len(stages) == 1 and max(partners(stages[0][0]).values()) <= ports:
        return stages[0][0]
    ring = {frozenset((x, (x + 1) % op.ranks)) for x in range(op.ranks)}
    return ring if ports > 1 or op.ranks == 2 else set()


def why_not(op, rail, ports):
    """Words of the reason why circuits do not suit it."""
    stages = op.stages()
    if rail == "reconfiguring" and any(max(partners(pairs).values()) > ports for pairs, _ in stages):
        return "others at once, and has"
    if rail == "standing" and any(pairs - standing(op, ports) for pairs, _ in stages):
        return "no circuit joins rank"
    return ""


def wire(payload, ports):
    """Time of payload on some ports, without acknowledgements, ps."""
    return payload / MTU * (MTU + AROUND) / RATE / ports


def busiest(one, op, rail, ports, counts, rank=None):
    """Bytes of the busiest link of a round. Channel c takes link c of those to a rank, modulo their number."""
    loads = {}
    for (channel, sender, receiver), part in one.items():
        if rail == "electrical":  # channel c takes port c at both ends
            ends = [("out", sender, channel % ports), ("in", receiver, channel % ports)]
        else:
            links = min(ports // counts[sender], ports // counts[receiver])
            ends = [(sender, receiver, channel % links)]
        if rank is None or rank in (sender, receiver):
            for end in ends:
                loads[end] = loads.get(end, 0) + part
    return max(loads.values(), default=0) * SIZE


def bounds(op, rail, ports):
    """The least and the most time, ps."""
    least = most = 0
    path = FIBERS + (FORWARDING + wire(MTU, 1) if rail == "electrical" else 0)
    total = {}
    for pairs, rounds in op.stages():
        counts = partners(standing(op, ports) if rail == "standing" else pairs)
        for one in rounds:
            load = busiest(one, op, rail, ports, counts)
            # acknowledgements go back between data: at most one for each data frame
            most += wire(load, 1) * (1 + Fraction(ACK, MTU)) + 2 * path + wire(2 * MTU, 1)
            for key, part in one.items():
                total[key] = total.get(key, 0) + part
        if rail == "reconfiguring":
            most += RECONFIGURATION
        if op.joined or rail != "reconfiguring":
            continue
        # rank 0 ends a stage before it begins the next
        if 0 in counts:
            least += RECONFIGURATION + wire(sum(busiest(one, op, rail, ports, counts, 0) for one in rounds), 1)
    if rail == "electrical":
        # data of a round that is early may be ahead of data of another at either end
        most *= 2
    if least == 0:
        joined = [standing(op, ports)] if rail == "standing" else [pairs for pairs, _ in op.stages()]
        counts = partners(set().union(*joined))
        least = wire(busiest(total, op, rail, ports, counts), 1)
        least += RECONFIGURATION if rail == "reconfiguring" else 0
        most += least if op.joined else 0
    return least, most


def problem_of(cell):
    """Compares a cell with what is derived here. Returns the first difference."""
    n, ports, rail = cell["ranks"], cell["ports"], cell["rail"]
    op, words = write(cell["collective"], cell["algorithm"], n, ports)
    words = words or why_not(op, rail, ports)
    if bool(words) != bool(cell["why_not"]) or words not in cell["why_not"]:
        return f"the reason is \"{cell['why_not']}\", and not \"{words}\""
    if words:
        return ""
    if cell["rounds"] != len(op.rounds):
        return f"{cell['rounds']} rounds, and not {len(op.rounds)}"
    stages = len(op.stages()) if rail == "reconfiguring" else 0
    is_planned = cell["algorithm"].startswith("straggl") and n != core_of(n)  # pairs that are searched for
    if cell["reconfigurations"] != stages and not (is_planned and cell["reconfigurations"] <= len(op.rounds)):
        return f"{cell['reconfigurations']} reconfigurations, and not {stages}"
    if not cell["algorithm"].startswith("straggl"):  # a rank's bytes depend on its role there
        sent = {}
        for one in op.rounds:
            for (_, sender, _), part in one.items():
                sent[sender] = sent.get(sender, 0) + part
        due = max(sent.values()) * cell["bytes"]
        if abs(cell["bytes_per_rank"] - due) > 4 * len(op.rounds) * op.channels * n:  # chunks differ by a byte
            return f"{cell['bytes_per_rank']} bytes of the busiest rank, and not {float(due)}"
    least, most = bounds(op, rail, ports)
    most += RECONFIGURATION * len(op.rounds) if is_planned else 0
    if not least <= cell["time_ps"] <= most:
        return f"{cell['time_ps']} ps, and not from {float(least):.0f} to {float(most):.0f}"
    factor = {"all-reduce": 2, "all-gather": 1, "reduce-scatter": 1, "all-to-all": 1}.get(cell["collective"])
    factor = factor * (n - 1) / n if factor else 1
    bandwidth = cell["bytes"] / cell["time_ps"] * 1000 * factor
    if abs(cell["busbw_gbytes_s"] - bandwidth) > 1e-6 * bandwidth:
        return f"{cell['busbw_gbytes_s']} GB/s, and not {bandwidth}"
    return ""


def main():
    for ranks in (8, 5, 6, 2):
        command = [str(BUILD / "examples" / "rail-collective"), "--matrix", f"--ranks={ranks}", "--json=-"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        cells = json.loads(printed)["matrix"]
        names = [(c["collective"], c["algorithm"], c["ports"], c["rail"]) for c in cells]
        check(f"{ranks} ranks: each cell is there once", "" if len(set(names)) == len(names) else "not so")
        for cell, name in zip(cells, names):
            check(f"{ranks} ranks: {' '.join(str(word) for word in name)}", problem_of(cell))
    sys.exit(1 if failed else 0)


main()
