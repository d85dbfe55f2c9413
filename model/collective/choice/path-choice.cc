/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "path-choice.h"

#include "ns3/abort.h"
#include "ns3/exact-span.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

using Kind = CollectiveKind;
using Wide = ExactSpan::Wide;

/** The load of an operation on a path, from which its time follows. */
struct Load
{
    Wide hops{0};     //!< one after another
    Wide messages{0}; //!< one after another, each of which must have arrived before the next
    Wide bytes{0};    //!< one after another
    Wide parts{1};    //!< divisor of the bytes
};

/** @return whether each rank has separate bytes for each other */
bool
IsAllToAll(Kind kind)
{
    return kind == Kind::ALL_TO_ALL || kind == Kind::ALL_TO_ALL_V;
}

/** @return the most ranks that a rank communicates with */
uint32_t
GetDegree(const PathQuestion& question)
{
    if (question.degree > 0)
    {
        return question.degree;
    }
    const uint32_t others = question.ranks - 1;
    return IsAllToAll(question.kind) ? others : std::min<uint32_t>(others, 2);
}

/** @return the load where all ranks that communicate are joined */
Load
GetStraightLoad(const PathQuestion& question)
{
    const Wide others = question.ranks - 1;
    switch (question.kind)
    {
    case Kind::ALL_REDUCE:
        return {2 * others, 0, question.bytes, 1};
    case Kind::ALL_GATHER:
    case Kind::REDUCE_SCATTER:
        return {others, 0, question.bytes, 1};
    case Kind::BROADCAST:
    case Kind::REDUCE:
        return {others, others - 1, question.bytes, 1}; // a pipeline
    case Kind::BARRIER:
        return {2 * others, 0, 0, 1};
    case Kind::ALL_TO_ALL:
    case Kind::ALL_TO_ALL_V:
    case Kind::SEND_RECV:
        break;
    }
    return {1, 0, question.bytes, 1};
}

/**
 * An all-to-all on a ring: data for the rank s places ahead loads s links. A rank has bytes / (n -
 * 1) for each, so its links carry n / 2 times its bytes in one direction, and floor(n^2 / 4) / (n -
 * 1) times in both directions together.
 */
Load
GetRingLoad(const PathQuestion& question)
{
    const Wide n = question.ranks;
    if (question.kind == Kind::SEND_RECV)
    {
        return {question.steps, Wide{question.steps} - 1, question.bytes, 1};
    }
    if (question.bidirectional)
    {
        // each direction at its own rate; without one, both together at the rate of the rank
        const Wide ways = question.ringBytesPerSecond > 0 ? 2 : 1;
        return {n / 2, 0, question.bytes * (n * n / 4), ways * (n - 1)};
    }
    return {n - 1, 0, question.bytes * n, 2};
}

/** @return rounds in each of which a rank has one partner */
uint32_t
GetMatchings(const PathQuestion& question)
{
    const uint32_t tournament = question.ranks - 1 + question.ranks % 2;
    return std::min(tournament, GetDegree(question) + 1); // Vizing
}

/** @return a time of 0 or more in picoseconds */
Wide
ToWide(Time time)
{
    return time.GetTimeStep();
}

/** @return a load's time at a rate, for all operations in a row */
ExactSpan
GetSpan(const PathQuestion& question, const Load& load, uint64_t rate, Time hopLatency)
{
    const Wide message =
        ExactSpan::Of(std::min(question.bytes, question.messageSize), rate).RoundUp();
    const Wide operations = question.costs.operations;
    return ExactSpan::Of(load.bytes * operations, load.parts * rate)
        .Plus(operations * (load.hops * ToWide(hopLatency) + load.messages * message));
}

/** @return the reconfiguration time of a path that is not hidden */
Wide
GetExposed(const PathCosts& costs, const PathEstimate& way)
{
    if (way.reconfigurations == 0)
    {
        return 0;
    }
    const Wide reconfiguration = ToWide(costs.reconfiguration);
    const Wide before =
        way.reconfiguresBeforehand ? std::min(reconfiguration, ToWide(costs.window)) : 0;
    const Wide after = std::min(reconfiguration, ToWide(costs.windowAfter));
    const Wide reconfigurations =
        way.reconfigurations + Wide{costs.operations - 1} * way.reconfigurationsOfNext;
    return reconfigurations * reconfiguration - before +
           costs.reconfigurationsBack * (reconfiguration - after);
}

/** A path's estimate, and the exact time without reconfiguration. */
struct Estimate
{
    bool possible{false};
    PathEstimate way;
    ExactSpan span{0};
};

/** @return the estimate of a possible path */
Estimate
Make(const ExactSpan& span, const PathEstimate& way)
{
    return {true, way, span};
}

Estimate
EstimateStanding(const PathQuestion& question)
{
    // a pattern that uses a ring needs no more than its links
    if (!question.joined &&
        (!question.ring || IsAllToAll(question.kind) || question.kind == Kind::SEND_RECV))
    {
        return {};
    }
    return Make(
        GetSpan(question, GetStraightLoad(question), question.bytesPerSecond, question.hopLatency),
        {});
}

/** @return the estimate for a ring, if the kind allows it; the ring itself is not checked */
Estimate
EstimateRing(const PathQuestion& question)
{
    if (!IsAllToAll(question.kind) && (question.kind != Kind::SEND_RECV || question.steps == 0))
    {
        return {};
    }
    const uint64_t rate =
        question.ringBytesPerSecond > 0 ? question.ringBytesPerSecond : question.bytesPerSecond;
    return Make(GetSpan(question, GetRingLoad(question), rate, question.hopLatency), {});
}

Estimate
EstimateIntraNode(const PathQuestion& question)
{
    if (!question.otherRails)
    {
        return {};
    }
    // the slower of the two wires is always busy, and each hop on it follows one inside a server
    const auto [slow, fast] =
        std::minmax(question.bytesPerSecond, question.intraNodeBytesPerSecond);
    Load load = GetStraightLoad(question);
    load.hops *= 2;
    const Wide message =
        ExactSpan::Of(std::min(question.bytes, question.messageSize), fast).RoundUp();
    return Make(GetSpan(question, load, slow, question.hopLatency)
                    .Plus(question.costs.operations * message),
                {});
}

Estimate
EstimateReconfigured(const PathQuestion& question)
{
    const PathEstimate once{Time::Max(), 1, 0, true};
    Estimate best;
    if (question.ports >= GetDegree(question))
    {
        best = Make(GetSpan(question,
                            GetStraightLoad(question),
                            question.bytesPerSecond,
                            question.hopLatency),
                    once);
    }
    if (question.ports >= 2 && IsAllToAll(question.kind))
    {
        Estimate ring = EstimateRing(question); // a ring that is set up for it
        ring.way = once;
        if (!best.possible || ring.span < best.span)
        {
            best = ring;
        }
    }
    return best;
}

Estimate
EstimateMatchings(const PathQuestion& question)
{
    const uint32_t degree = GetDegree(question);
    if (!IsAllToAll(question.kind) || degree < 2 || question.ports == 0)
    {
        return {};
    }
    const uint32_t rounds = GetMatchings(question);
    // in each round, all data of a rank for one other
    const Load load{rounds, 0, Wide{question.bytes} * rounds, degree};
    return Make(GetSpan(question, load, question.bytesPerSecond, question.hopLatency),
                {Time::Max(), rounds, rounds, true});
}

Estimate
EstimateHosts(const PathQuestion& question)
{
    const PathCosts& costs = question.costs;
    if (costs.hostBytesPerSecond == 0)
    {
        return {};
    }
    return Make(GetSpan(question,
                        GetStraightLoad(question),
                        costs.hostBytesPerSecond,
                        costs.hostHopLatency),
                {});
}

/** @return the estimate of a path: from the question, or else by its closed form */
Estimate
EstimatePath(const PathQuestion& question, OperationPath operationPath)
{
    if (const auto& known = question.ways[static_cast<std::size_t>(operationPath)])
    {
        if (known->time == Time::Max())
        {
            return {};
        }
        return Make(ExactSpan(Wide{question.costs.operations} * ToWide(known->time)), *known);
    }
    switch (operationPath)
    {
    case OperationPath::STANDING:
        return EstimateStanding(question);
    case OperationPath::FORWARD_ON_RING:
        return question.ring ? EstimateRing(question) : Estimate();
    case OperationPath::FORWARD_INTRA_NODE:
        return EstimateIntraNode(question);
    case OperationPath::RECONFIGURE:
        return EstimateReconfigured(question);
    case OperationPath::MATCHINGS:
        return EstimateMatchings(question);
    case OperationPath::HOST_NETWORK:
        break;
    }
    return EstimateHosts(question);
}

/** Aborts on a question that is not consistent. */
void
Check(const PathQuestion& question)
{
    constexpr uint64_t MOST_COUNT = uint64_t{1} << 20;
    constexpr uint64_t MOST_RATE = uint64_t{1} << 56;
    const PathCosts& costs = question.costs;
    RequirePicoseconds("ChoosePath");
    NS_ABORT_MSG_IF(question.ranks < 2 || question.ranks > MOST_COUNT,
                    "ChoosePath: ranks is " << question.ranks << "; set it to 2 to " << MOST_COUNT);
    NS_ABORT_MSG_IF(question.degree >= question.ranks,
                    "ChoosePath: degree is " << question.degree << "; a rank has "
                                             << question.ranks - 1
                                             << " others to exchange with; set no more");
    NS_ABORT_MSG_IF(costs.operations < 1 || costs.operations > MOST_COUNT,
                    "ChoosePath: operations is " << costs.operations << "; set it to 1 to "
                                                 << MOST_COUNT);
    for (const uint64_t rate : {question.bytesPerSecond, question.intraNodeBytesPerSecond})
    {
        NS_ABORT_MSG_IF(rate < 1 || rate > MOST_RATE,
                        "ChoosePath: a rate is " << rate << " bytes a second; set it to 1 to "
                                                 << MOST_RATE);
    }
    for (const uint64_t rate : {question.ringBytesPerSecond, costs.hostBytesPerSecond})
    {
        NS_ABORT_MSG_IF(rate > MOST_RATE,
                        "ChoosePath: a rate is " << rate << " bytes a second; set it to at most "
                                                 << MOST_RATE);
    }
    for (const Time& span : {question.hopLatency,
                             costs.reconfiguration,
                             costs.window,
                             costs.windowAfter,
                             costs.hostHopLatency})
    {
        NS_ABORT_MSG_IF(span.IsStrictlyNegative(),
                        "ChoosePath: a span is " << span.GetTimeStep()
                                                 << " ps; set it to 0 or more");
    }
    for (const std::optional<PathEstimate>& way : question.ways)
    {
        NS_ABORT_MSG_IF(way && way->time.IsStrictlyNegative(),
                        "ChoosePath: a way takes " << way->time.GetTimeStep()
                                                   << " ps; set it to 0 or more");
    }
}

/** @return a span in words, cut off to four digits or more */
std::string
Describe(Time time)
{
    const Picoseconds span = time.GetTimeStep();
    std::ostringstream words;
    Picoseconds unit = 1;
    const char* const names[] = {"ps", "ns", "us", "ms", "s"};
    std::size_t name = 0;
    while (name < 4 && span / unit >= 1000)
    {
        unit *= 1000;
        ++name;
    }
    words << span / unit;
    if (unit > 1 && span / unit < 1000)
    {
        words << '.' << std::setw(2) << std::setfill('0') << span % unit / (unit / 100);
    }
    words << ' ' << names[name];
    return words.str();
}

/** @return the path of a choice, and the next best one, in words */
std::string
Describe(const PathChoice& choice, std::size_t next)
{
    const auto describe = [&choice](std::size_t c) {
        return Describe(choice.times[c]) +
               (choice.reconfiguration[c].IsStrictlyPositive()
                    ? ", " + Describe(choice.reconfiguration[c]) + " of it reconfiguration"
                    : "");
    };
    const auto chosen = static_cast<std::size_t>(*choice.operationPath);
    return std::string(ToString(*choice.operationPath)) + ": " + describe(chosen) +
           (next == PATHS ? "; nothing else can carry it"
                          : std::string("; ") + ToString(static_cast<OperationPath>(next)) + ": " +
                                describe(next));
}

} // namespace

const char*
ToString(OperationPath operationPath)
{
    const char* const names[] = {"standing",
                                 "forward-on-ring",
                                 "forward-intra-node",
                                 "reconfigure",
                                 "matchings",
                                 "host-network"};
    return names[static_cast<std::size_t>(operationPath)];
}

PathChoice
ChoosePath(const PathQuestion& question)
{
    Check(question);
    PathChoice choice;
    std::size_t best = PATHS;
    std::size_t next = PATHS;
    std::vector<ExactSpan> spans(PATHS, ExactSpan(0));
    for (std::size_t c = 0; c < PATHS; ++c)
    {
        choice.times[c] = Time::Max();
        choice.reconfiguration[c] = Time(0);
        const Estimate estimate = EstimatePath(question, static_cast<OperationPath>(c));
        if (!estimate.possible)
        {
            continue;
        }
        const Wide exposed = GetExposed(question.costs, estimate.way);
        spans[c] = estimate.span.Plus(exposed);
        choice.times[c] = ToTime(spans[c].RoundUp());
        choice.reconfiguration[c] = ToTime(ExactSpan(exposed).RoundUp());
        if (best == PATHS || spans[c] < spans[best])
        {
            next = best;
            best = c;
        }
        else if (next == PATHS || spans[c] < spans[next])
        {
            next = c;
        }
    }
    if (best == PATHS)
    {
        choice.reason = "nothing can carry it: no circuits join its ranks or can be set up, and "
                        "there is no network of the hosts";
        return choice;
    }
    choice.operationPath = static_cast<OperationPath>(best);
    choice.reason = Describe(choice, next);
    return choice;
}

Time
GetTimeOf(const PathEstimate& way, const PathCosts& costs)
{
    return ToTime(ExactSpan(Wide{costs.operations} * ToWide(way.time))
                      .Plus(GetExposed(costs, way))
                      .RoundUp());
}

std::optional<uint64_t>
GetCrossover(Time reconfiguration, uint64_t bytesPerSecond, uint64_t hostBytesPerSecond)
{
    PathQuestion question;
    question.kind = Kind::SEND_RECV;
    question.hopLatency = Time(0);
    question.bytesPerSecond = bytesPerSecond;
    question.costs.reconfiguration = reconfiguration;
    question.costs.hostBytesPerSecond = hostBytesPerSecond;
    const auto pays = [&question](uint64_t bytes) {
        question.bytes = bytes;
        return ChoosePath(question).operationPath == OperationPath::RECONFIGURE;
    };
    uint64_t most = std::numeric_limits<uint64_t>::max();
    if (!pays(most))
    {
        return std::nullopt;
    }
    uint64_t least = 0; // it pays with `most` bytes, and not with less than `least`
    while (least < most)
    {
        const uint64_t middle = least + (most - least) / 2;
        if (pays(middle))
        {
            most = middle;
        }
        else
        {
            least = middle + 1;
        }
    }
    return least;
}

} // namespace ns3
