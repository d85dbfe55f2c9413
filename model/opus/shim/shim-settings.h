/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_SETTINGS_H
#define PHOTONIC_RAILS_SHIM_SETTINGS_H

#include "ns3/cabling.h"
#include "ns3/call-comparison.h"
#include "ns3/circuit-broker.h"
#include "ns3/giant-rings.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** When the shims of a job request circuits. */
enum class ShimMode : uint8_t
{
    ON_DEMAND,    //!< when an operation is called
    PROVISIONED,  //!< in advance too, by the profile of earlier iterations
    CO_SCHEDULED, //!< by the circuit hints of the ranks' programs
};

/** The settings of a shim. */
struct ShimSettings
{
    /** The treatment of a stage without an answer. */
    enum class WhenGivenUp : uint8_t
    {
        SEND, //!< its messages go over the most recent circuits
        HOST, //!< its messages go over the network of the hosts
        FAIL, //!< it fails
        RING, //!< the shim leaves the controller, and agents set up giant rings
    };

    JobId job;
    ServerId server;
    ShimMode mode{ShimMode::ON_DEMAND};
    uint32_t profileIterations{1};           //!< before the first prediction, 1 or more
    bool hostNetwork{false};                 //!< refused stages go over the network of the hosts
    uint32_t ports{1};                       //!< of each NIC, 1 or more
    std::shared_ptr<const Cabling> cabling;  //!< of the ranks; null: there are no relays
    std::shared_ptr<const GiantRings> rings; //!< of the job; null: no grant is over rings
    Picoseconds giveUpAfter{NEVER};
    WhenGivenUp whenGivenUp{WhenGivenUp::SEND};

    /** How long circuits are kept that will be needed again, and for which ports suffice, while the
     * rank waits for others. Below the controller's limit for votes, so that circuits that two
     * ranks keep from each other are released before a phase is refused. */
    Picoseconds keepIdle{1'000'000'000'000};
};

/** An answer to a rank. */
struct ShimAnswer
{
    CircuitRequest request;
    CircuitAnswer answer;
    bool isHint{false}; //!< it is for an ACQUIRE, not for a request
    Time exposed{0};    //!< the time that the rank has waited for circuits
};

/** The sample of an operation, for a rank that chooses algorithms. */
struct ShimSample
{
    RankId to; //!< the rank that gets it
    GroupId group;
    uint64_t operation{0};
    LatenessSample sample;
};

/** The results of a call of a shim. */
struct ShimOutcome
{
    std::vector<OpusMessage> outbox; //!< to the controller; only Flush() has some
    std::vector<ShimAnswer> answers;
    std::vector<ShimSample> samples{};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_SETTINGS_H */
