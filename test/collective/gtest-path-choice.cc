/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The path of an operation: closed forms, and the least of all paths.

#include "wide-times.h"

#include "ns3/path-choice.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;

constexpr uint64_t GIGABYTE = 1'000'000'000;

/** @return the question of an all-to-all of a buffer of n shares, for n - 1 others */
PathQuestion
MakeAllToAll(uint32_t n, uint64_t share, Picoseconds reconfiguration)
{
    PathQuestion question;
    question.kind = Kind::ALL_TO_ALL;
    question.ranks = n;
    question.bytes = share * (n - 1);
    question.bytesPerSecond = GIGABYTE; // a byte takes 1000 ps
    question.hopLatency = MicroSeconds(5);
    question.costs.reconfiguration = ToTime(reconfiguration);
    return question;
}

/** @return the time of a path, in picoseconds */
Picoseconds
GetTime(const PathChoice& choice, OperationPath operationPath)
{
    return choice.GetTime(operationPath).GetTimeStep();
}

} // namespace

TEST(PathChoice, AWindowHidesTheFirstOfSeveralReconfigurations)
{
    UsePicoseconds();
    const Picoseconds reconfiguration = 40'000'000;
    PathQuestion many = MakeAllToAll(8, 1000, reconfiguration);
    const Picoseconds shown = GetTime(ChoosePath(many), OperationPath::MATCHINGS);
    for (const Picoseconds window : {Picoseconds{1}, reconfiguration, 5 * reconfiguration})
    {
        many.costs.window = ToTime(window);
        EXPECT_EQ(GetTime(ChoosePath(many), OperationPath::MATCHINGS),
                  shown - std::min(window, reconfiguration));
    }
}

TEST(PathChoice, TimesAreThoseOfTheClosedForms)
{
    UsePicoseconds();
    const uint64_t share = 1000;                    // S / n
    const Picoseconds part = 1'000'000;             // S / (n B)
    const Picoseconds hopLatency = 5'000'000;       // a
    const Picoseconds reconfiguration = 40'000'000; // d
    for (const uint32_t n : {2, 3, 4, 5, 8, 16, 64})
    {
        PathQuestion question = MakeAllToAll(n, share, reconfiguration);
        question.ring = true;
        question.ports = n - 1;
        question.costs.hostBytesPerSecond = GIGABYTE / 10;
        question.costs.hostHopLatency = ToTime(3 * hopLatency);
        PathChoice choice = ChoosePath(question);
        EXPECT_EQ(GetTime(choice, OperationPath::STANDING), NEVER);
        EXPECT_EQ(GetTime(choice, OperationPath::FORWARD_INTRA_NODE), NEVER);
        // with circuits between all: S (n - 1) / (n B)
        EXPECT_EQ(GetTime(choice, OperationPath::RECONFIGURE),
                  reconfiguration + hopLatency + (n - 1) * part);
        EXPECT_EQ(GetTime(choice, OperationPath::HOST_NETWORK),
                  3 * hopLatency + 10 * (n - 1) * part);
        // on a one-way ring S (n - 1) / (2 B) = (n - 1) n / 2 parts
        EXPECT_EQ(GetTime(choice, OperationPath::FORWARD_ON_RING),
                  (n - 1) * hopLatency + n * (n - 1) / 2 * part);
        // a tournament has n - 1 rounds, or n
        const uint32_t rounds = n % 2 == 0 ? n - 1 : n;
        EXPECT_EQ(GetTime(choice, OperationPath::MATCHINGS),
                  n == 2 ? NEVER : rounds * (reconfiguration + hopLatency + part));
        // two ways round S n / (8 B) = n^2 / 8 parts, a little less if n is odd
        question.bidirectional = true;
        question.ringBytesPerSecond = GIGABYTE; // each way
        choice = ChoosePath(question);
        EXPECT_EQ(GetTime(choice, OperationPath::FORWARD_ON_RING),
                  n / 2 * hopLatency + n * n / 4 * part / 2);
        // both ways together at the rank's rate: twice the time
        question.ringBytesPerSecond = 0;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_ON_RING),
                  n / 2 * hopLatency + n * n / 4 * part);
        // too few ports for circuits between all: they make a ring
        question.ports = 2;
        if (n > 3)
        {
            EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::RECONFIGURE),
                      reconfiguration + n / 2 * hopLatency + n * n / 4 * part);
        }
        question.ports = 0;
        choice = ChoosePath(question);
        EXPECT_EQ(GetTime(choice, OperationPath::RECONFIGURE), NEVER);
        EXPECT_EQ(GetTime(choice, OperationPath::MATCHINGS), NEVER);
        question.joined = true;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::STANDING),
                  hopLatency + (n - 1) * part);
        // few partners: no more rounds than one more than them, each with more in it
        question = MakeAllToAll(n, share, reconfiguration);
        question.degree = 2;
        if (n > 3)
        {
            EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::MATCHINGS),
                      3 * (reconfiguration + hopLatency) + 3 * ((n - 1) * part / 2))
                << n;
        }
    }
}

TEST(PathChoice, RingsAndPipelinesTakeTheirClosedFormsToo)
{
    UsePicoseconds();
    const Picoseconds hopLatency = 5'000'000;
    for (const uint32_t n : {2, 3, 8, 17})
    {
        PathQuestion question = MakeAllToAll(n, 1000, 0);
        question.ring = true; // of whose circuits they need no more
        question.messageSize = 250;
        const Picoseconds bytes = (n - 1) * 1'000'000;
        const std::map<Kind, Picoseconds> times{
            {Kind::ALL_REDUCE, 2 * (n - 1) * hopLatency + bytes},
            {Kind::ALL_GATHER, (n - 1) * hopLatency + bytes},
            {Kind::REDUCE_SCATTER, (n - 1) * hopLatency + bytes},
            // the root's bytes once, and a message and a hop more at each that passes them on
            {Kind::BROADCAST, (n - 1) * hopLatency + bytes + (n - 2) * 250'000},
            {Kind::REDUCE, (n - 1) * hopLatency + bytes + (n - 2) * 250'000},
            {Kind::BARRIER, 2 * (n - 1) * hopLatency},
        };
        for (const auto& [kind, time] : times)
        {
            question.kind = kind;
            const PathChoice choice = ChoosePath(question);
            EXPECT_EQ(GetTime(choice, OperationPath::STANDING), time) << ToString(kind);
            EXPECT_EQ(GetTime(choice, OperationPath::RECONFIGURE), time) << ToString(kind);
            EXPECT_EQ(choice.operationPath, OperationPath::STANDING)
                << "of equal ones what turns nothing";
            EXPECT_EQ(GetTime(choice, OperationPath::FORWARD_ON_RING), NEVER);
            EXPECT_EQ(GetTime(choice, OperationPath::MATCHINGS), NEVER);
        }
        // a send to the third ahead: three hops, and two ranks wait for a message
        question.kind = Kind::SEND_RECV;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_ON_RING), NEVER);
        question.steps = 3;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_ON_RING),
                  3 * hopLatency + bytes + 2 * 250'000);
        question.ringBytesPerSecond = 2 * GIGABYTE; // which is none between the two themselves
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_ON_RING),
                  3 * hopLatency + bytes / 2 + 2 * 125'000);
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::RECONFIGURE), hopLatency + bytes);
        // by way of a server: a hop inside, and a message on the wire that is the quicker
        question.otherRails = true;
        question.intraNodeBytesPerSecond = 10 * GIGABYTE;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_INTRA_NODE),
                  2 * hopLatency + bytes + 25'000);
        question.intraNodeBytesPerSecond = GIGABYTE / 10;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_INTRA_NODE),
                  2 * hopLatency + 10 * bytes + 250'000);
        // less than a message is a message, too
        question.kind = Kind::BROADCAST;
        question.bytes = 100;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::STANDING),
                  (n - 1) * hopLatency + 100'000 + (n - 2) * 100'000);
        question.kind = Kind::SEND_RECV;
        EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::FORWARD_INTRA_NODE),
                  2 * hopLatency + 1'000'000 + 100'000);
    }
}

TEST(PathChoice, AnAllToAllReconfiguresForMatchingsAsLongAsTheyTakeLessThanForwarding)
{
    UsePicoseconds();
    for (const uint32_t n : {4, 6, 8, 16, 64})
    {
        for (const bool bidirectional : {false, true})
        {
            for (const bool ring : {false, true})
            {
                // in parts of S / (n B) and hops; the ring is made by one reconfiguration if need
                // be
                const int64_t part = 100'000'000'000;
                const int64_t hopLatency = 5'000'000;
                const int64_t forwarded = bidirectional
                                              ? n / 2 * hopLatency + n * n * part / 8
                                              : (n - 1) * hopLatency + n * (n - 1) / 2 * part;
                const int64_t matched = (n - 1) * (hopLatency + part);
                const int64_t reconfigurations = ring ? n - 1 : n - 2; // more than forwarding has
                // matchings only if they are the quicker: reconfigurations * d < forwarded -
                // matched
                const int64_t least =
                    (forwarded - matched + reconfigurations - 1) / reconfigurations;
                if (least <= 0)
                {
                    EXPECT_TRUE(bidirectional && n <= 6) << "it forwards less than n - 1 parts";
                    continue;
                }
                const auto choose = [&](Picoseconds reconfiguration) {
                    PathQuestion question = MakeAllToAll(n, part / 1000, reconfiguration);
                    question.hopLatency = ToTime(hopLatency);
                    question.bidirectional = bidirectional;
                    question.ringBytesPerSecond = GIGABYTE; // each way
                    question.ring = ring;
                    return ChoosePath(question).operationPath;
                };
                const OperationPath instead =
                    ring ? OperationPath::FORWARD_ON_RING : OperationPath::RECONFIGURE;
                for (const Picoseconds reconfiguration : {Picoseconds{0}, least / 2, least - 1})
                {
                    EXPECT_EQ(choose(reconfiguration), OperationPath::MATCHINGS)
                        << n << " " << reconfiguration;
                }
                for (const Picoseconds reconfiguration : {least, least + 1, 1000 * least})
                {
                    EXPECT_EQ(choose(reconfiguration), instead) << n << " " << reconfiguration;
                }
                if (!bidirectional && ring)
                {
                    EXPECT_EQ(least, (n - 2) * part / 2) << "d = S (n - 2) / (2 n B)";
                }
            }
        }
    }
}

namespace
{

/** A time as a fraction of picoseconds. */
struct Fraction
{
    Wide over{0};
    Wide under{1}; //!< 0: it is no time
};

/** @return the time of a path, from first principles and multiplied out; numbers are small */
Fraction
GetExpected(const PathQuestion& q, OperationPath operationPath)
{
    const PathCosts& costs = q.costs;
    const Picoseconds hopLatency = q.hopLatency.GetTimeStep();
    const Picoseconds reconfiguration = costs.reconfiguration.GetTimeStep();
    const Picoseconds window = costs.window.GetTimeStep();
    const Picoseconds windowAfter = costs.windowAfter.GetTimeStep();
    const uint32_t n = q.ranks;
    const bool all = q.kind == Kind::ALL_TO_ALL;
    const uint32_t rounds = all ? 1 : q.kind == Kind::SEND_RECV ? 1 : 2 * (n - 1);
    const uint32_t degree = all ? n - 1 : std::min<uint32_t>(n - 1, 2);
    const auto fraction = [&](Wide whole, Wide bytes, Wide rate) {
        return Fraction{(whole * rate + bytes * SECOND) * costs.operations, rate};
    };
    const auto plus = [&](Fraction one, uint32_t reconfigurations) {
        const Wide shown =
            reconfigurations * reconfiguration - std::min(reconfiguration, window) +
            costs.reconfigurationsBack * (reconfiguration - std::min(reconfiguration, windowAfter));
        return Fraction{one.over + shown * one.under, one.under};
    };
    const Fraction straight = fraction(Wide{rounds} * hopLatency, q.bytes, q.bytesPerSecond);
    const Fraction round =
        q.bidirectional
            ? fraction(Wide{n / 2} * hopLatency,
                       Wide{q.bytes} * (n * n / 4),
                       Wide{n - 1} * q.bytesPerSecond)
            : fraction(Wide{n - 1} * hopLatency, Wide{q.bytes} * n, Wide{2} * q.bytesPerSecond);
    switch (operationPath)
    {
    case OperationPath::STANDING:
        return q.joined || (q.ring && q.kind == Kind::ALL_REDUCE) ? straight : Fraction{0, 0};
    case OperationPath::FORWARD_ON_RING:
        return q.ring && all ? round : Fraction{0, 0};
    case OperationPath::FORWARD_INTRA_NODE: {
        // a message as long as the operation, on the wire that is the quicker, rounded up
        const uint64_t slow = std::min(q.bytesPerSecond, q.intraNodeBytesPerSecond);
        const uint64_t fast = std::max(q.bytesPerSecond, q.intraNodeBytesPerSecond);
        const Wide message = (q.bytes * SECOND + fast - 1) / fast;
        return q.otherRails ? fraction(Wide{2} * rounds * hopLatency + message, q.bytes, slow)
                            : Fraction{0, 0};
    }
    case OperationPath::RECONFIGURE: {
        const bool quicker = straight.over * round.under <= round.over * straight.under;
        if (q.ports >= degree && (!all || quicker))
        {
            return plus(straight, 1);
        }
        return all && q.ports >= std::min<uint32_t>(n - 1, 2) ? plus(round, 1) : Fraction{0, 0};
    }
    case OperationPath::MATCHINGS: {
        const uint32_t matchings = n % 2 == 0 ? n - 1 : n;
        return all && q.ports > 0 && n > 2 ? plus(fraction(Wide{matchings} * hopLatency,
                                                           Wide{q.bytes} * matchings,
                                                           Wide{q.bytesPerSecond} * (n - 1)),
                                                  matchings * costs.operations)
                                           : Fraction{0, 0};
    }
    case OperationPath::HOST_NETWORK:
        return costs.hostBytesPerSecond > 0
                   ? fraction(Wide(rounds) * costs.hostHopLatency.GetTimeStep(),
                              q.bytes,
                              costs.hostBytesPerSecond)
                   : Fraction{0, 0};
    }
    return {0, 0};
}

/** @return a question with numbers so small that fractions of it can be multiplied out */
PathQuestion
Draw(std::mt19937& random)
{
    const auto one = [&random](std::vector<uint64_t> of) { return of[random() % of.size()]; };
    PathQuestion q;
    q.kind = std::vector<Kind>{Kind::ALL_TO_ALL, Kind::SEND_RECV, Kind::ALL_REDUCE}[random() % 3];
    q.ranks = q.kind == Kind::SEND_RECV ? 2 : one({2, 3, 4, 8, 9});
    q.bytes = random() % one({2, 1000, 1'000'000});
    q.messageSize = uint64_t{1} << 40;
    q.bidirectional = random() % 2 == 0;
    q.joined = random() % 8 == 0;
    q.ring = random() % 3 == 0;
    q.otherRails = random() % 3 == 0;
    q.ports = one({0, 1, 2, 8});
    q.bytesPerSecond = 1 + random() % 1'000'000'000;
    q.intraNodeBytesPerSecond = 1 + random() % 4'000'000'000;
    q.hopLatency = ToTime(random() % 1'000'000);
    q.costs.reconfiguration = ToTime(one({0, 1, 1'000'000, 1'000'000'000}));
    q.costs.window = ToTime(one({0, 0, 500'000, 2'000'000'000}));
    q.costs.windowAfter = ToTime(one({0, 0, 700'000}));
    q.costs.reconfigurationsBack = random() % 3;
    q.costs.operations = one({1, 1, 2, 5});
    q.costs.hostBytesPerSecond = one({0, 1, 10'000'000, 500'000'000});
    q.costs.hostHopLatency = ToTime(random() % 20'000'000);
    return q;
}

} // namespace

TEST(PathChoice, IsWhateverTakesLeastOfAllThatIsPossible)
{
    UsePicoseconds();
    std::mt19937 random(11);
    std::map<std::optional<OperationPath>, uint32_t> chosen;
    for (int i = 0; i < 100'000; ++i)
    {
        const PathQuestion question = Draw(random);
        const PathChoice choice = ChoosePath(question);
        std::optional<OperationPath> best;
        Fraction least;
        for (std::size_t c = 0; c < PATHS; ++c)
        {
            const auto operationPath = static_cast<OperationPath>(c);
            const Fraction time = GetExpected(question, operationPath);
            if (time.under == 0)
            {
                ASSERT_EQ(choice.times[c], Time::Max()) << ToString(operationPath);
                continue;
            }
            const Wide rounded = (time.over + time.under - 1) / time.under;
            ASSERT_EQ(choice.times[c].GetTimeStep(), static_cast<Picoseconds>(rounded))
                << ToString(operationPath);
            if (!best || time.over * least.under < least.over * time.under)
            {
                best = operationPath;
                least = time;
            }
        }
        ASSERT_EQ(choice.operationPath, best) << choice.reason;
        ++chosen[best];
    }
    EXPECT_EQ(chosen.size(), PATHS + 1) << "each, and none";
    for (const auto& [operationPath, times] : chosen)
    {
        EXPECT_GT(times, 300U) << (operationPath ? ToString(*operationPath) : "none");
    }
}

TEST(PathChoice, AWayThatIsKnownTakesThePlaceOfItsClosedForm)
{
    UsePicoseconds();
    PathQuestion question = MakeAllToAll(8, 1000, 40'000'000);
    question.costs.operations = 3;
    question.costs.window = MicroSeconds(15);
    const auto way = [&question](OperationPath one) -> std::optional<PathEstimate>& {
        return question.ways[static_cast<std::size_t>(one)];
    };
    way(OperationPath::STANDING) = PathEstimate{MilliSeconds(1), 0, 0, false};
    way(OperationPath::MATCHINGS) = PathEstimate{MicroSeconds(10), 4, 5, true};
    way(OperationPath::RECONFIGURE) = PathEstimate{Time::Max(), 1, 0, true};
    PathChoice choice = ChoosePath(question);
    EXPECT_EQ(GetTime(choice, OperationPath::STANDING), 3'000'000'000);
    // 4 reconfigurations, then 5 and 5; the first begins early
    EXPECT_EQ(GetTime(choice, OperationPath::MATCHINGS),
              3 * 10'000'000 + 14 * 40'000'000 - 15'000'000);
    EXPECT_EQ(GetTime(choice, OperationPath::MATCHINGS),
              GetTimeOf(*way(OperationPath::MATCHINGS), question.costs).GetTimeStep());
    EXPECT_EQ(GetTime(choice, OperationPath::RECONFIGURE), NEVER);
    EXPECT_EQ(choice.operationPath, OperationPath::MATCHINGS);
    // it is known where all ports reconfigure between rounds
    way(OperationPath::MATCHINGS)->reconfiguresBeforehand = false;
    choice = ChoosePath(question);
    EXPECT_EQ(GetTime(choice, OperationPath::MATCHINGS), 3 * 10'000'000 + 14 * 40'000'000);
}

TEST(PathChoice, GivesTheReasonOfTheChoice)
{
    UsePicoseconds();
    PathQuestion question;
    question.kind = Kind::SEND_RECV;
    question.bytes = 1'000'000;
    question.hopLatency = Time(0);
    question.bytesPerSecond = 50 * GIGABYTE;
    question.costs.reconfiguration = MilliSeconds(25);
    question.costs.hostBytesPerSecond = GIGABYTE;
    EXPECT_EQ(ChoosePath(question).reason,
              "host-network: 1.00 ms; reconfigure: 25.02 ms, 25.00 ms of it reconfiguration");
    question.costs.hostBytesPerSecond = 0;
    EXPECT_EQ(ChoosePath(question).reason,
              "reconfigure: 25.02 ms, 25.00 ms of it reconfiguration; nothing else can carry it");
    question.costs.window = PicoSeconds(24'999'999'877);
    EXPECT_EQ(ChoosePath(question).reason,
              "reconfigure: 20.00 us, 123 ps of it reconfiguration; nothing else can carry it");
    question.ports = 0;
    const PathChoice none = ChoosePath(question);
    EXPECT_FALSE(none.operationPath);
    EXPECT_EQ(none.reason.rfind("nothing can carry it", 0), 0U) << none.reason;
    // of several the next best
    for (std::size_t c = 0; c < PATHS; ++c)
    {
        question.ways[c] =
            PathEstimate{ToTime(std::vector<Picoseconds>{7, 5, 9, 6, 8, 10}[c]), 0, 0, false};
    }
    EXPECT_EQ(ChoosePath(question).reason, "forward-on-ring: 5 ps; reconfigure: 6 ps");
    std::set<std::string> names;
    for (std::size_t c = 0; c < PATHS; ++c)
    {
        names.insert(ToString(static_cast<OperationPath>(c)));
    }
    EXPECT_EQ(names.size(), PATHS);
}

TEST(PathChoice, TheLargestNumbersDoNotOverflow)
{
    UsePicoseconds();
    PathQuestion question;
    question.kind = Kind::ALL_TO_ALL;
    question.ranks = 1 << 20;
    question.ring = question.joined = question.otherRails = true;
    question.bytes = std::numeric_limits<uint64_t>::max();
    question.messageSize = question.bytes;
    question.bytesPerSecond = question.intraNodeBytesPerSecond = 1;
    question.hopLatency = Time::Max();
    question.costs = {Time::Max(), Time(0), Time(0), ~uint32_t{0}, 1 << 20, 1, Time::Max()};
    for (const bool bidirectional : {false, true})
    {
        question.bidirectional = bidirectional;
        const PathChoice choice = ChoosePath(question);
        for (const Time& time : choice.times)
        {
            EXPECT_EQ(time, ToTime(NEVER - 1));
        }
        EXPECT_EQ(choice.operationPath, OperationPath::STANDING);
    }
    question.bytesPerSecond = question.intraNodeBytesPerSecond = uint64_t{1} << 56;
    question.hopLatency = Time(0);
    question.costs.operations = 1;
    // 2^64 - 1 bytes at 2^56 a second: 2^-56 of a second less than 256 s
    EXPECT_EQ(GetTime(ChoosePath(question), OperationPath::STANDING), 256'000'000'000'000);
}

TEST(PathChoiceDeathTest, AQuestionThatMakesNoSenseIsRefused)
{
    UsePicoseconds();
    const auto refused = [](const char* words, void (*spoil)(PathQuestion&)) {
        PathQuestion question;
        EXPECT_TRUE(ChoosePath(question).operationPath);
        spoil(question);
        EXPECT_DEATH(ChoosePath(question), words);
    };
    refused("ranks is 1; set it to 2", [](PathQuestion& q) { q.ranks = 1; });
    refused("ranks is 1048577", [](PathQuestion& q) { q.ranks = (1 << 20) + 1; });
    refused("degree is 2; a rank has 1", [](PathQuestion& q) { q.degree = 2; });
    refused("operations is 0; set it to 1", [](PathQuestion& q) { q.costs.operations = 0; });
    refused("a rate is 0 bytes", [](PathQuestion& q) { q.bytesPerSecond = 0; });
    refused("a rate is 0 bytes", [](PathQuestion& q) { q.intraNodeBytesPerSecond = 0; });
    refused("set it to at most", [](PathQuestion& q) { q.ringBytesPerSecond = NEVER; });
    refused("set it to at most", [](PathQuestion& q) { q.costs.hostBytesPerSecond = NEVER; });
    refused("a span is -1 ps", [](PathQuestion& q) { q.costs.reconfiguration = ToTime(-1); });
    refused("a span is -1 ps", [](PathQuestion& q) { q.costs.window = ToTime(-1); });
    refused("a span is -1 ps", [](PathQuestion& q) { q.costs.windowAfter = ToTime(-1); });
    refused("a span is -1 ps", [](PathQuestion& q) { q.costs.hostHopLatency = ToTime(-1); });
    refused("a span is -1 ps", [](PathQuestion& q) { q.hopLatency = ToTime(-1); });
    refused("a way takes -1 ps", [](PathQuestion& q) {
        q.ways[0] = PathEstimate{ToTime(-1), 0, 0, false};
    });
}
