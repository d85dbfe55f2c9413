/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PATH_CHOICE_H
#define PHOTONIC_RAILS_PATH_CHOICE_H

#include "path-costs.h"

#include "ns3/collective-kind.h"
#include "ns3/picoseconds.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/** How an operation travels. Of two that take equally long, the one that comes first here. */
enum class OperationPath : uint8_t
{
    STANDING,           //!< over circuits that join all who talk to each other, and stand already
    FORWARD_ON_RING,    //!< over a ring that stands, from rank to rank
    FORWARD_INTRA_NODE, //!< over the fabric inside servers, and circuits of other rails that stand
    RECONFIGURE,        //!< over circuits that are reconfigured for it, once
    MATCHINGS,          //!< over circuits that are reconfigured between its rounds
    HOST_NETWORK,       //!< over the network of the hosts
};

/** The number of carriers. */
constexpr std::size_t PATHS = 6;

/** @return a carrier's name: standing, forward-on-ring, ... @param carrier it */
const char* ToString(OperationPath operationPath);

/** What an operation takes on a carrier. */
struct PathEstimate
{
    Picoseconds time{NEVER};            //!< beside reconfiguration; NEVER: it can't travel so
    uint32_t reconfigurations{0};       //!< of circuits, one after another
    uint32_t reconfigurationsOfNext{0}; //!< the same for another such operation right behind it
    bool reconfiguresBeforehand{false}; //!< the first of them is before anything is sent
};

/** What a carrier is chosen by. Rates are those of a rank. */
struct PathQuestion
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0};  //!< that a rank sends, if no rank forwards
    uint32_t ranks{2};  //!< that take part
    uint32_t degree{0}; //!< most others that a rank talks to, equally much; 0: as the kind has it
    uint32_t steps{0};  //!< of a send: places on the ring from one to the other; 0: not on one ring
    bool bidirectional{false}; //!< a ring is used both ways round

    bool joined{false};     //!< circuits stand between all who talk to each other
    bool ring{false};       //!< circuits stand that make a ring of the ranks
    bool otherRails{false}; //!< circuits of other rails stand that lead to all, by way of servers
    uint32_t ports{2};      //!< of a rank, that may be reconfigured; 0: none are

    uint64_t bytesPerSecond{50'000'000'000}; //!< on all its ports
    uint64_t ringBytesPerSecond{0}; //!< one way round a ring; 0: all, or half of it if two ways
    uint64_t intraNodeBytesPerSecond{450'000'000'000}; //!< inside its server
    uint64_t messageSize{1 << 20};                     //!< bytes of a message at most
    Picoseconds hopLatency{1'000'000};                 //!< from a rank to another, beside the bytes
    PathCosts costs; //!< what reconfiguration costs, and the hosts' network

    /** By carrier: what it takes, for who knows better than the closed forms. */
    std::array<std::optional<PathEstimate>, PATHS> ways;
};

/** How an operation is to travel. */
struct PathChoice
{
    std::optional<OperationPath> operationPath; //!< none: it can't
    /** By carrier: from its beginning to the end of the last in a row; NEVER: it can't so. */
    std::array<Picoseconds, PATHS> times;
    /** By carrier: how much of that is for reconfiguration, and is not hidden. */
    std::array<Picoseconds, PATHS> reconfiguration;
    std::string reason; //!< in words

    /** @return the time of a carrier @param one it */
    Picoseconds GetTime(OperationPath one) const
    {
        return times[static_cast<std::size_t>(one)];
    }
};

/**
 * @ingroup photonic-rails
 * @brief Chooses how an operation travels: weighs its volume and fan-out, the idle time before it
 * and how often circuits would have to be reconfigured.
 *
 * Whatever takes least time is chosen, all operations in a row together. Times are those of an
 * empty network: hops, bytes at a rate, and reconfigurations, of which the first hides in the idle
 * time before the operation. They are compared without being rounded, so that the choice changes at
 * the very byte at which it should; only what is told of them is rounded up to a picosecond.
 *
 * Closed forms serve where the question does not tell a carrier's way. They take it that a rank has
 * equally much for each that it talks to, that what is sent at once shares one hop, and that
 * reductions, gathers and broadcasts go round a ring.
 *
 * @code
 * PathQuestion question;
 * question.kind = CollectiveKind::ALL_REDUCE;
 * question.bytes = 8; // the norm of a gradient
 * question.costs.reconfiguration = 25'000'000'000;
 * question.costs.hostBytesPerSecond = 1'250'000'000;
 * ChoosePath(question).carrier; // HOST_NETWORK
 * @endcode
 *
 * @param question what there is to weigh; one that makes no sense aborts
 * @return the choice
 */
PathChoice ChoosePath(const PathQuestion& question);

/**
 * @param way one that is possible
 * @param costs what reconfiguration costs
 * @return what all operations in a row take, reconfiguration included as far as it shows
 */
Picoseconds GetTimeOf(const PathEstimate& way, const PathCosts& costs);

/**
 * From how much on it pays to reconfigure circuits for a transfer that the hosts' network could
 * carry.
 * @param reconfiguration that is not hidden
 * @param bytesPerSecond over circuits
 * @param hostBytesPerSecond over the hosts' network
 * @return fewest bytes from which on reconfiguration + S / bytesPerSecond <= S /
 * hostBytesPerSecond; none if the hosts' network is the quicker with any number
 */
std::optional<uint64_t> GetCrossover(Picoseconds reconfiguration,
                                     uint64_t bytesPerSecond,
                                     uint64_t hostBytesPerSecond);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PATH_CHOICE_H */
