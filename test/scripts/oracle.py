# SPDX-License-Identifier: GPL-2.0-only

"""RDMA (RoCEv2, go-back-N) over one optical circuit, worked out again from the rules.

solve(scenario) says which frames both ends put on their wires, and which messages are settled, arrive, fail
or are refused, each to the picosecond. It shares no code with the module, counts in Python's integers, and takes one
frame and one instant after another. self_check() holds it against cases that are worked out by hand.

Rules. They are those of doc/light.rst and doc/rdma.rst and of the headers' comments. [code]: only the code says so.

Sizes. 82 bytes around a payload that is padded to four; RETH 16 in the first frame of each wire message of
a WRITE; ImmDt 4 in the last frame of a WRITE_WITH_IMMEDIATE; an acknowledgement 86; no frame below 84. All
of that with the preamble (8) and the gap (12). A wire message holds 1 GiB at most.

Wire. The anchor A is when it turned busy. With C bytes since A the next frame may start at
A + ceil(8 C 10^12 / rate). A last bit is at A + ceil(8 (C - 12) 10^12 / rate), with that frame in C.

Choice. At the boundary T of a busy wire, by what was the case at the end of T - 1. On an idle wire at the
instant R at which something became ready, by what is the case at the end of R, and the frame starts at R.
Classes from 7 down to 0; in a class queue pairs in turn by their number at that end; of one queue pair an
answer before data. If the wire was idle the turns begin with the lowest number, in every class [code].

Asking. Every n-th frame of a message, its last, and the last that the window allows. The window is in whole
frames, one at the least and 2^22 at the most, from the first frame that is not settled.

Answers. A frame in its turn is taken, and acknowledged if it asks. An early one is dropped; the first gives
a NAK of the frame that is missing, and no other follows until that frame is in. One that came before is
dropped, and acknowledged if it asks. Answers that wait are merged into the newest; but a NAK outlives an
ACK of the frame before the missing one [code].

Settling. An ACK settles its frame and all before it. A NAK settles all before its frame, and the sender goes
back to it: what had asked from there on has to ask again before the timer runs [code]. What is about frames
that are settled already changes nothing [code].

Timer. 4.096 us * 2^e from the last bit of the oldest frame that asked and is out, or from the latest
progress, if that is later. An acknowledgement at that instant counts. A picosecond later, whatever comes in
then, the sender goes back to the oldest frame that is not settled. One timeout in a row more than the retry
limit fails the queue pair, and with it all messages that are open, those posted at that instant too [code].
From then on it refuses messages and heeds no answers, but it still takes the other end's frames and answers
them [code].

Loss. A frame that the first fiber loses does not enter the second.
"""

import heapq

PICOSECONDS = 10**12  # a second
GAP = 12
ACK_BYTES = 86
LEAST_BYTES = 84
SEGMENT = 1 << 30
MOST_OUT = 1 << 22
PSN_MASK = (1 << 24) - 1
TIMEOUT = 4_096_000  # ps, times 2^exponent

ACK, NAK, DATA = "ack", "nak", "data"


class Message:
    """A message and its place among the frames of its queue pair."""

    def __init__(self, number, verb, size, mtu, begin):
        self.number, self.verb, self.size, self.mtu, self.begin = number, verb, size, mtu, begin
        self.count = max(1, -(-size // mtu))
        self.end = begin + self.count

    def wire_bytes(self, frame):
        """Sizes: the bytes on the wire of a frame, by its index in the queue pair."""
        offset = (frame - self.begin) * self.mtu
        payload = min(self.mtu, self.size - offset)
        size = 82 + -(-payload // 4) * 4
        if self.verb != "send" and offset % SEGMENT == 0:
            size += 16
        if self.verb == "write-with-immediate" and frame + 1 == self.end:
            size += 4
        return max(size, LEAST_BYTES)


class Sender:
    """The sending half of a queue pair. Frames are counted through all messages."""

    def __init__(self, mtu, settings):
        self.mtu = mtu
        self.ack_every = settings["ack_every"]
        self.timeout = TIMEOUT << settings["timeout_exponent"]
        self.retry_limit = settings["retry_limit"]
        window = settings["window_bytes"]
        self.window = min(max(window // mtu, 1), MOST_OUT) if window else MOST_OUT
        self.messages = []
        self.open = 0  # messages before this one are settled
        self.next = 0  # the frame to send next
        self.settled = 0  # frames before this one are acknowledged
        self.sent = 0  # frames before this one were on the wire
        self.asked = []  # (frame, its last bit): those out that asked, oldest first
        self.progress = 0
        self.retries = 0
        self.failed = False

    def post(self, verb, size):
        """Takes a message, unless the queue pair has failed. Returns what is refused."""
        begin = self.messages[-1].end if self.messages else 0
        if self.failed:
            return [Message(0, verb, size, self.mtu, begin)]
        self.messages.append(Message(len(self.messages), verb, size, self.mtu, begin))
        return []

    def message_of(self, frame):
        """The message of a frame that is not settled."""
        return next(x for x in self.messages[self.open :] if x.end > frame)

    def ready(self):
        """Whether a frame may go: one was posted, and the window is open."""
        end = self.messages[-1].end if self.messages else 0
        return not self.failed and self.next < min(end, self.settled + self.window)

    def asks(self, message, frame):
        """Asking: every n-th of the message, its last, the last that the window allows."""
        place = frame - message.begin + 1
        return place % self.ack_every == 0 or place == message.count or frame + 1 == self.settled + self.window

    def take(self):
        """The next frame goes on the wire. Returns (index, bytes, whether it asks)."""
        frame = self.next
        message = self.message_of(frame)
        self.next += 1
        self.sent = max(self.sent, self.next)
        return frame, message.wire_bytes(frame), self.asks(message, frame)

    def settle(self, frame, now):
        """Settling: all frames before this one. Returns the messages that are whole by it."""
        if not self.settled < frame <= self.sent:
            return []
        self.settled = frame
        self.next = max(self.next, frame)
        self.asked = [x for x in self.asked if x[0] >= frame]
        self.progress = now
        self.retries = 0
        first = self.open
        while self.open < len(self.messages) and self.messages[self.open].end <= frame:
            self.open += 1
        return self.messages[first : self.open]

    def go_back(self, frame):
        """Sends again from a frame on. What had asked from there on is out no more, and will ask again."""
        self.next = frame
        self.asked = [x for x in self.asked if x[0] < frame]

    def deadline(self):
        """Timer: when it runs out, or None while it does not run."""
        if self.failed or not self.asked:
            return None
        return max(self.asked[0][1], self.progress) + self.timeout

    def time_out(self):
        """The timer ran out. Returns the messages that fail by it."""
        self.retries += 1
        if self.retries <= self.retry_limit:
            self.go_back(self.settled)
            return []
        self.failed = True
        return self.messages[self.open :]


class Receiver:
    """The receiving half of a queue pair: takes frames in their turn, and says what to answer."""

    def __init__(self):
        self.expected = 0  # the frame whose turn it is
        self.nak_sent = False  # for that frame
        self.answer = None  # Answers: the one that waits, as (kind, frame)

    def receive(self, frame, asks):
        """A data frame came in whole. Returns whether it was taken."""
        taken = frame == self.expected
        if taken:
            self.expected += 1
            self.nak_sent = False
        elif frame > self.expected:
            if not self.nak_sent:
                self.nak_sent = True
                self.answer = (NAK, self.expected)
            return False
        if asks and self.answer != (NAK, self.expected):
            self.answer = (ACK, self.expected - 1)
        return taken


class End:
    """One end of the circuit: its queue pairs, its wire, and the frames that it has sent."""

    def __init__(self, scenario, number):
        self.rate = scenario["rate_bps"]
        self.pairs = scenario["queue_pairs"]
        self.numbers = [pair["number"][number] for pair in self.pairs]
        self.peers = [pair["number"][1 - number] for pair in self.pairs]
        self.initial_psn = scenario["initial_psn"]
        self.senders = [Sender(scenario["mtu"], pair) for pair in self.pairs]
        self.receivers = [Receiver() for _ in self.pairs]
        self.anchor = 0
        self.bytes = 0  # C
        self.busy_until = None  # the next boundary; None: the wire is idle
        self.served = {}  # class: the number of the queue pair that it served last
        self.rows = []

    def after(self, count):
        """Wire: when so many bytes will have gone since the anchor."""
        return self.anchor + -(-8 * count * PICOSECONDS // self.rate)

    def choose(self, idle):
        """Choice: what goes next, as (queue pair, whether it is an answer), or None."""
        if idle:
            self.served = {}
        for traffic_class in range(7, -1, -1):
            candidates = []
            for index, pair in enumerate(self.pairs):
                answers = pair["ack_class"] == traffic_class and self.receivers[index].answer is not None
                sends = pair["data_class"] == traffic_class and self.senders[index].ready()
                if answers or sends:
                    candidates.append((self.numbers[index], index, answers))
            if candidates:
                served = self.served.get(traffic_class, -1)
                # the next number in turn, and behind the highest the lowest
                number, index, answers = min(candidates, key=lambda x: (x[0] <= served, x[0]))
                self.served[traffic_class] = number
                return index, answers
        return None

    def put(self, choice):
        """The chosen frame goes on the wire. Returns what its other end is to be told."""
        index, answers = choice
        sender, receiver = self.senders[index], self.receivers[index]
        if answers:
            (kind, frame), receiver.answer = receiver.answer, None
            size, asks = ACK_BYTES, False
        else:
            kind = DATA
            frame, size, asks = sender.take()
        first = self.after(self.bytes)
        self.bytes += size
        last = self.after(self.bytes - GAP)
        self.busy_until = self.after(self.bytes)
        if asks:
            sender.asked.append((frame, last))
        psn = (self.initial_psn + frame) & PSN_MASK
        self.rows.append([first, last, kind, psn, size, int(asks), self.peers[index]])
        return last, index, kind, frame, asks


class Fiber:
    """One direction of a fiber: it loses the frames with these ordinals."""

    def __init__(self, lost):
        self.lost = set(lost)
        self.ordinal = -1

    def passes(self):
        """The next frame enters. Returns whether it comes out whole."""
        self.ordinal += 1
        return self.ordinal not in self.lost


class Circuit:
    """Two ends and the way between them; one instant after another."""

    def __init__(self, scenario):
        self.ends = [End(scenario, 0), End(scenario, 1)]
        self.way = sum(scenario["delay_ps"]) + scenario["propagation_ps"]
        lost = scenario["lost"]
        self.fibers = [
            [Fiber(lost["first_fiber"][e]), Fiber(lost["second_fiber"][e])] for e in range(2)
        ]
        self.instants = []  # a heap of those at which something may happen
        self.noted = set()  # the same, and those that are over
        self.posts = {}
        self.arrivals = {}
        self.completions = []
        for post in scenario["posts"]:
            self.posts.setdefault(post["at_ps"], []).append(post)
            self.note(post["at_ps"])

    def note(self, instant):
        """Something may happen at an instant."""
        if instant not in self.noted:
            self.noted.add(instant)
            heapq.heappush(self.instants, instant)

    def run(self):
        """Goes from instant to instant until nothing is left."""
        while self.instants:
            self.at(heapq.heappop(self.instants))

    def at(self, now):
        """All that happens at one instant."""
        # what depends on the end of the instant before: boundaries of busy wires, and timers
        due = [
            (e, index)
            for e, end in enumerate(self.ends)
            for index, sender in enumerate(end.senders)
            if sender.deadline() is not None and sender.deadline() < now
        ]
        for e, end in enumerate(self.ends):
            if end.busy_until == now:
                choice = end.choose(idle=False)
                end.busy_until = None
                if choice is not None:
                    self.send(e, choice)
        # what happens at this instant
        for post in self.posts.pop(now, []):
            e, index = post["end"], post["queue_pair"]
            refused = self.ends[e].senders[index].post(post["verb"], post["bytes"])
            self.report(e, "refused", now, index, refused)
        for e, index in due:
            self.report(e, "failed", now, index, self.ends[e].senders[index].time_out())
        for arrival in self.arrivals.pop(now, []):
            self.arrive(now, *arrival)
        # what depends on the end of this instant: idle wires, and when timers run out
        for e, end in enumerate(self.ends):
            if end.busy_until is None:
                choice = end.choose(idle=True)
                if choice is not None:
                    end.anchor, end.bytes = now, 0
                    self.send(e, choice)
            for sender in end.senders:
                if sender.deadline() is not None:
                    self.note(sender.deadline() + 1)

    def send(self, e, choice):
        """A frame goes on the wire of an end, and comes out at the other if no fiber loses it."""
        last, *what = self.ends[e].put(choice)
        self.note(self.ends[e].busy_until)
        if all(fiber.passes() for fiber in self.fibers[e]):  # a lost one does not enter the second
            self.arrivals.setdefault(last + self.way, []).append((1 - e, *what))
            self.note(last + self.way)

    def arrive(self, now, e, index, kind, frame, asks):
        """A frame has come in whole."""
        sender, receiver = self.ends[e].senders[index], self.ends[e].receivers[index]
        if kind == DATA:
            if receiver.receive(frame, asks):
                other = self.ends[1 - e].senders[index]
                whole = [x for x in other.messages if x.end == frame + 1]
                self.report(e, "arrived", now, index, whole)
            return
        if sender.failed or not sender.settled <= frame < sender.sent:
            return
        if kind == ACK:
            self.report(e, "settled", now, index, sender.settle(frame + 1, now))
        else:
            self.report(e, "settled", now, index, sender.settle(frame, now))
            sender.go_back(frame)

    def report(self, e, what, now, index, messages):
        """Notes what has become of messages."""
        for message in messages:
            self.completions.append(
                {
                    "end": e,
                    "what": what,
                    "at_ps": now,
                    "queue_pair": index,
                    "id": message.number,
                    "bytes": message.size,
                }
            )


def solve(scenario):
    """Returns the frames that each end sends, as in the scenario's own rows, and the completions."""
    circuit = Circuit(scenario)
    circuit.run()
    return [end.rows for end in circuit.ends], circuit.completions


# ---- by hand: at 400 Gb/s a byte lasts 20 ps, and the way is 1000 + 500 + 2000 = 3500 ps


def example(posts, lost=(), pairs=1, back=(), **settings):
    """A scenario at 400 Gb/s with an MTU of 4096. Posts are (instant, end, queue pair, verb, bytes)."""
    pair = {
        "ack_every": 64,
        "timeout_exponent": 0,
        "retry_limit": 1,
        "window_bytes": 0,
        "data_class": 3,
        "ack_class": 7,
        **settings,
    }
    return {
        "rate_bps": 400 * 10**9,
        "delay_ps": [1000, 2000],
        "propagation_ps": 500,
        "mtu": 4096,
        "initial_psn": 0xFFFFFF,
        "queue_pairs": [{**pair, "number": [2 + q, 12 + q]} for q in range(pairs)],
        "posts": [
            dict(zip(("at_ps", "end", "queue_pair", "verb", "bytes"), post)) for post in posts
        ],
        "lost": {"first_fiber": [list(lost), list(back)], "second_fiber": [[], []]},
    }


def told(completions):
    return [(x["end"], x["what"], x["at_ps"], x["queue_pair"], x["id"], x["bytes"]) for x in completions]


def check_three_frames():
    # 4096 + 82 + 16 = 4194 bytes, 4178, 4178: boundaries 83,880 and 167,440 ps behind the first bit; last
    # bits 12 bytes, 240 ps, before 83,880, 167,440 and 251,000. The ACK lasts 86 - 12 bytes, 1480 ps. PSNs
    # begin with the last there is.
    frames, completions = solve(example([(1000, 0, 0, "write", 3 * 4096)]))
    assert frames == [
        [
            [1000, 84640, DATA, 0xFFFFFF, 4194, 0, 12],
            [84880, 168200, DATA, 0, 4178, 0, 12],
            [168440, 251760, DATA, 1, 4178, 1, 12],
        ],
        [[255260, 256740, ACK, 1, 86, 0, 2]],
    ]
    assert told(completions) == [
        (1, "arrived", 255260, 0, 0, 3 * 4096),
        (0, "settled", 260240, 0, 0, 3 * 4096),
    ]


def check_sizes():
    message = Message(0, "write-with-immediate", SEGMENT + 1, 4096, 0)
    # 2^18 frames a wire message: a RETH in each one's first; the ImmDt in the very last
    assert [message.wire_bytes(x) for x in (0, 1, (1 << 18) - 1, 1 << 18)] == [4194, 4178, 4178, 82 + 4 + 16 + 4]
    assert [Message(0, "send", x, 256, 0).wire_bytes(0) for x in (0, 1, 5)] == [84, 86, 90]
    assert Message(0, "write", 0, 256, 0).wire_bytes(0) == 98


def check_boundary():
    # A SEND of 4096 bytes keeps the wire busy for 83,560 ps. What is posted to queue pair 3 a picosecond
    # before that is there at the boundary; what is posted to queue pair 2 at the boundary is not, and waits
    # for the end of that frame of 182 bytes, 3640 ps.
    posts = [(0, 0, 0, "send", 4096), (83559, 0, 1, "send", 100), (83560, 0, 0, "send", 4)]
    frames, _ = solve(example(posts, pairs=2))
    assert [(row[0], row[4]) for row in frames[0]] == [(0, 4178), (83560, 182), (87200, 86)]
    # posted at the boundary both: the wire falls idle there and begins with the lowest number
    posts = [(0, 0, 0, "send", 4096), (83560, 0, 1, "send", 99), (83560, 0, 0, "send", 4)]
    frames, _ = solve(example(posts, pairs=2))
    assert [(row[0], row[4]) for row in frames[0]] == [(0, 4178), (83560, 86), (85280, 182)]


def check_turns():
    # two queue pairs with two frames each take turns from the lowest number on
    frames, _ = solve(example([(0, 0, 1, "send", 4100), (0, 0, 0, "send", 4104)], pairs=2))
    assert [row[4] for row in frames[0]] == [4178, 4178, 90, 86]


def check_gap():
    # The second of a SEND's four frames is lost (ordinal 1). The third is whole at the other end at
    # 250,680 - 240 + 3500: a NAK of frame 1 leaves, and comes in 1480 + 3500 later, at 258,920. The fourth
    # frame is on the wire until 3 * 83,560 + 3640 = 254,320 (100 bytes, 182 on the wire), so the wire is idle.
    frames, completions = solve(example([(0, 0, 0, "send", 3 * 4096 + 100)], lost=[1]))
    assert frames[1][0] == [253940, 255420, NAK, 0, 86, 0, 2]
    assert [row[0] for row in frames[0]] == [
        0, 83560, 167120, 250680, 258920, 258920 + 83560, 258920 + 167120
    ]
    # the fourth is early too: no second NAK. Its repetition asks, and is whole at the other end at
    # 258,920 + 2 * 83,560 + 170 * 20 + 3500
    assert frames[1][1:] == [[432940, 434420, ACK, 2, 86, 0, 2]]
    assert [x[1:3] for x in told(completions)] == [("arrived", 432940), ("settled", 437920)]


def check_timer():
    # a SEND of 100 bytes, 182 on the wire, has its last bit at 170 * 20 = 3400 ps, always lost. A timeout is
    # 4,096,000 ps later, and acts a picosecond after that.
    frames, completions = solve(example([(0, 0, 0, "send", 100)], lost=range(9)))
    assert [row[0] for row in frames[0]] == [0, 4099401]
    assert told(completions) == [(0, "failed", 4099401 + 3400 + 4096001, 0, 0, 100)]


def check_deadline():
    # The ACK of the same SEND, if nothing is lost, comes in two ways and 1480 ps behind its last bit: with a
    # way of 2,047,260 ps at the instant of the timeout, which counts. With a picosecond more each way it is
    # late: the frame goes again at 4,099,401 ps, and is acknowledged as a duplicate.
    for more, starts in ((0, [0]), (1, [0, 4099401])):
        scenario = example([(0, 0, 0, "send", 100)], retry_limit=more)
        scenario["propagation_ps"] = 2047260 - 3000 + more
        frames, completions = solve(scenario)
        assert [row[0] for row in frames[0]] == starts
        assert len(frames[1]) == len(starts)
        assert told(completions)[1] == (0, "settled", 4099400 + 2 * more, 0, 0, 100)


def check_at_the_timeout():
    # At 425 Gb/s 170 bytes last 3200 ps and 74 last 1392.9, so that an ACK that comes in two ways and 1393 ps
    # behind the last bit can come at the very instant at which a timeout acts. Nothing is borne here: it fails.
    for way, what, at in ((2047303, "settled", 4099199), (2047304, "failed", 4099201)):
        scenario = example([(0, 0, 0, "send", 100)], retry_limit=0)
        scenario["rate_bps"] = 425 * 10**9
        scenario["propagation_ps"] = way - 3000
        assert told(solve(scenario)[1])[1] == (0, what, at, 0, 0, 100)


def check_late_answer():
    # The third frame asks, with its last bit at 3 * 83,560 - 240 = 250,440 ps. Its ACK comes 2 ps behind the
    # timeout: one frame goes again before it comes, and no more.
    scenario = example([(0, 0, 0, "send", 3 * 4096)])
    scenario["propagation_ps"] = 2047261 - 3000
    frames, completions = solve(scenario)
    assert [row[0] for row in frames[0]] == [0, 83560, 167120, 250440 + 4096001]
    assert told(completions)[1] == (0, "settled", 250440 + 4096002, 0, 0, 3 * 4096)


def check_failed_end():
    # What fails at 4099401 + 3400 + 4096001 ps, as above, takes no more, but takes and answers what comes in.
    posts = [(0, 0, 0, "send", 100), (9000000, 0, 0, "send", 4), (9000000, 1, 0, "send", 100)]
    _, completions = solve(example(posts, lost=[0, 1]))
    assert told(completions) == [
        (0, "failed", 8198802, 0, 0, 100),
        (0, "refused", 9000000, 0, 0, 4),
        (0, "arrived", 9006900, 0, 0, 100),
        (1, "settled", 9011880, 0, 0, 100),
    ]


def check_second_fiber():
    # SENDs of 4 bytes: 86 on the wire, 1720 ps; last bits 1480 ps behind the first. Number 0 is lost in the
    # first fiber, so number 1 is ordinal 0 in the second and passes, and number 2 is ordinal 1 and is lost.
    scenario = example([(0, 0, 0, "send", 4)] * 3, lost=[0])
    scenario["lost"]["second_fiber"][0] = [1]
    frames, _ = solve(scenario)
    assert [row[0] for row in frames[0]] == [0, 1720, 3440, 11680, 13400, 15120]
    assert [(row[0], row[2]) for row in frames[1]] == [(6700, NAK), (16660, ACK), (18380, ACK), (20100, ACK)]


def check_answers_that_wait():
    receiver = Receiver()
    for frame, answer in ((0, (ACK, 0)), (2, (NAK, 1)), (0, (NAK, 1)), (1, (ACK, 1))):
        receiver.receive(frame, asks=True)
        assert receiver.answer == answer


def check_window():
    # Two frames of 4178 bytes, the second asks as the window's last, is whole at the other end at
    # 2 * 83,560 - 240 + 3500 = 170,380, and is settled 1480 + 3500 later. Then two more may go.
    frames, _ = solve(example([(0, 0, 0, "send", 5 * 4096)], window_bytes=2 * 4096 + 4095))
    assert [(row[0], row[5]) for row in frames[0]] == [
        (0, 0), (83560, 1), (175360, 0), (258920, 1), (350720, 1)
    ]


def check_merge():
    # End 1 is busy with a SEND of its own, 4178 bytes, until 83,560 ps. Of the three ACKs for SENDs of 4
    # bytes, 86 on the wire, that wait meanwhile only the newest goes.
    posts = [(0, 1, 0, "send", 4096), *((0, 0, 0, "send", 4) for _ in range(3))]
    frames, _ = solve(example(posts, ack_every=1))
    assert [row[2:4] for row in frames[1]] == [[DATA, 0xFFFFFF], [ACK, 1]]
    assert frames[1][1][0] == 83560


def self_check():
    """Runs the cases that are worked out by hand; an AssertionError is a mistake in here."""
    for name, case in list(globals().items()):
        if name.startswith("check_"):
            case()


if __name__ == "__main__":
    self_check()
    print("ok")
