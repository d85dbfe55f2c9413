/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PATH_CHOICE_H
#define PHOTONIC_RAILS_PATH_CHOICE_H

#include "path-costs.h"

#include "ns3/collective-kind.h"
#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/** The path of an operation. Of two with equal times, the first in this order is chosen. */
enum class OperationPath : uint8_t
{
    STANDING,           //!< circuits that join all ranks that communicate, and exist already
    FORWARD_ON_RING,    //!< a ring of existing circuits, forwarded from rank to rank
    FORWARD_INTRA_NODE, //!< the scale-up fabric of servers, and existing circuits of other rails
    RECONFIGURE,        //!< circuits that are reconfigured for it, once
    MATCHINGS,          //!< circuits that are reconfigured between its rounds
    HOST_NETWORK,       //!< the network of the hosts
};

/** The number of paths. */
constexpr std::size_t PATHS = 6;

/** @return the name of a path: standing, forward-on-ring, ... */
const char* ToString(OperationPath operationPath);

/** The time and the reconfigurations of an operation on a path. */
struct PathEstimate
{
    Time time{Time::Max()};       //!< without reconfiguration; Time::Max(): the path is impossible
    uint32_t reconfigurations{0}; //!< reconfigurations of circuits, one after another
    uint32_t reconfigurationsOfNext{0}; //!< the same for another such operation directly after it
    bool reconfiguresBeforehand{false}; //!< the first reconfiguration is before anything is sent
};

/** The inputs of the choice of a path. Rates are those of a rank. */
struct PathQuestion
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0};  //!< that a rank sends, if no rank forwards
    uint32_t ranks{2};  //!< that take part, in all
    uint32_t degree{0}; //!< most ranks that a rank sends to, equally much; 0: as the kind has it
    uint32_t steps{0};  //!< of a send: distance of the two ranks on the ring; 0: no ring has both
    bool bidirectional{false}; //!< a ring is used in both directions

    bool joined{false};     //!< circuits exist between all ranks that communicate
    bool ring{false};       //!< circuits exist that make a ring of the ranks
    bool otherRails{false}; //!< circuits of other rails lead to all ranks, through servers
    uint32_t ports{2};      //!< of a rank that may be reconfigured; 0: none

    uint64_t bytesPerSecond{50'000'000'000}; //!< rate on all ports of the rank
    uint64_t ringBytesPerSecond{0}; //!< rate in one direction of a ring; 0: the rate on all ports,
                                    //!< or half of it if bidirectional
    uint64_t intraNodeBytesPerSecond{450'000'000'000}; //!< rate inside its server
    uint64_t messageSize{1 << 20};                     //!< largest size of a message
    Time hopLatency{MicroSeconds(1)};                  //!< from a rank to another, beside the bytes
    PathCosts costs; //!< of reconfiguration, and the network of the hosts

    /** By path: an estimate that replaces the closed form. */
    std::array<std::optional<PathEstimate>, PATHS> ways;
};

/** The path of an operation. */
struct PathChoice
{
    std::optional<OperationPath> operationPath; //!< empty: no path is possible
    /**
     * By path: from the beginning of the operation to the end of the last one in a row;
     * Time::Max(): the path is impossible.
     */
    std::array<Time, PATHS> times;
    /** By path: the part of that time which is reconfiguration that is not hidden. */
    std::array<Time, PATHS> reconfiguration;
    std::string reason; //!< in words

    /** @return the time of a path */
    Time GetTime(OperationPath one) const
    {
        return times[static_cast<std::size_t>(one)];
    }
};

/**
 * @ingroup photonic-rails
 * @brief Chooses the path of an operation by its bytes and fan-out, the idle time before it and the
 * number of reconfigurations.
 *
 * It chooses the path with the least time for all operations in a row together. Times are those of
 * an empty network: hop latencies, bytes at a rate, and reconfigurations, of which the first is
 * hidden in the idle time before the operation. They are compared without rounding, so that the
 * choice changes at the exact byte; reported times are rounded up to a picosecond.
 *
 * Closed forms serve for paths without an estimate in the question. They assume that a rank sends
 * equally much to each of its peers, that messages sent at once share one hop latency, and that
 * reductions, gathers and broadcasts use a ring.
 *
 * @code
 * PathQuestion question;
 * question.kind = CollectiveKind::ALL_REDUCE;
 * question.bytes = 8; // the norm of a gradient
 * question.costs.reconfiguration = MilliSeconds(25);
 * question.costs.hostBytesPerSecond = 1'250'000'000;
 * ChoosePath(question).operationPath; // HOST_NETWORK
 * @endcode
 *
 * @param question must be consistent; else the function aborts
 * @return the choice
 */
PathChoice ChoosePath(const PathQuestion& question);

/**
 * @param way a possible path's estimate
 * @return the time of all operations in a row, with reconfiguration as far as it is not hidden
 */
Time GetTimeOf(const PathEstimate& way, const PathCosts& costs);

/**
 * The size from which a transfer over reconfigured circuits takes no more time than over the
 * network of the hosts.
 * @param reconfiguration the time that is not hidden
 * @param bytesPerSecond over circuits
 * @param hostBytesPerSecond over the network of the hosts
 * @return the fewest bytes with reconfiguration + S / bytesPerSecond <= S / hostBytesPerSecond;
 * empty if the network of the hosts is faster for any size
 */
std::optional<uint64_t> GetCrossover(Time reconfiguration,
                                     uint64_t bytesPerSecond,
                                     uint64_t hostBytesPerSecond);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PATH_CHOICE_H */
