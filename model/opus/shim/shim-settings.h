/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_SETTINGS_H
#define PHOTONIC_RAILS_SHIM_SETTINGS_H

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** When the shims of a job ask for circuits. */
enum class ShimMode : uint8_t
{
    ON_DEMAND,    //!< when an operation is called
    PROVISIONED,  //!< in advance too, as they have learned what comes next
    CO_SCHEDULED, //!< when the ranks' programs say so
};

/** What a shim is given at set-up. */
struct ShimSettings
{
    /** What becomes of a stage for which no answer comes. */
    enum class WhenGivenUp : uint8_t
    {
        SEND, //!< its messages go over the circuits that there were last
        HOST, //!< they go over the network of the hosts
        FAIL, //!< it fails
    };

    JobId job;
    ServerId server;
    ShimMode mode{ShimMode::ON_DEMAND};
    uint32_t profileIterations{1}; //!< before anything is predicted, 1 or more
    bool hostNetwork{false};       //!< what is refused goes over the network of the hosts
    uint32_t ports{1};             //!< of each NIC, 1 or more
    Picoseconds giveUpAfter{NEVER};
    WhenGivenUp whenGivenUp{WhenGivenUp::SEND};

    /** For circuits that will be needed again, and do not seem to be in the way, while the rank
     * waits for others. Below the controller's limit for votes, so that what two ranks keep from
     * each other is given back before anything is refused. */
    Picoseconds keepIdle{1'000'000'000'000};
};

/** An answer to a rank. */
struct ShimAnswer
{
    CircuitRequest ask;
    CircuitAnswer answer;
    bool isHint{false}; //!< it is for an ACQUIRE, not for an ask
};

/** What comes of a call of a shim. */
struct ShimOutcome
{
    std::vector<OpusMessage> outbox; //!< to the controller; only Flush() has some
    std::vector<ShimAnswer> answers;
};

/** What asks of a parallelism came to. */
struct ParallelismTimes
{
    uint64_t answers{0};
    Picoseconds exposed{0}; //!< waited for circuits
    Picoseconds hidden{0};  //!< for which circuits turned, and nobody waited
};

/** What a shim has done so far. */
struct ShimCounters
{
    uint64_t requests{0};         //!< outgoing messages that ask
    uint64_t coalesced{0};        //!< ranks that went along in another's
    uint64_t guesses{0};          //!< asks in advance
    uint64_t rightGuesses{0};     //!< of them, those that were called then
    uint64_t withdrawnGuesses{0}; //!< of them, those that were taken back or refused
    uint64_t wrongPredictions{0}; //!< calls that came as a surprise, and iterations cut short
    uint64_t brokenPromises{0};   //!< circuits given back although more was announced
    uint64_t covered{0};          //!< asks answered at once, for the rank had the circuits
    uint64_t unusedGrants{0};     //!< that were given back without any use
    uint64_t withdrawn{0};        //!< answers
    uint64_t refused{0};          //!< asks
    uint64_t givenUp{0};          //!< asks that no answer came to
    uint64_t stale{0};            //!< messages of an earlier term, or for an earlier ask
    uint64_t unknown{0};          //!< messages that make no sense here
    std::map<std::string, ParallelismTimes> parallelisms;
};

/** An ask that has been answered. */
struct ShimNote
{
    RankId rank;
    std::string parallelism; //!< the parallelism
    OpusPhase phase;         //!< what was asked for
    Picoseconds asked{0};
    Picoseconds answered{0};
    bool covered{false};            //!< the rank had the circuits
    Picoseconds others{0};          //!< waited for other ranks
    Picoseconds reconfiguration{0}; //!< that circuits took to turn
    Picoseconds exposed{0};         //!< waited for circuits: all that it did not wait for others
    Picoseconds hidden{0};          //!< of reconfiguration, what nobody waited for
    CircuitAnswer::Network network{CircuitAnswer::Network::RAIL};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_SETTINGS_H */
