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
    CircuitRequest request;
    CircuitAnswer answer;
    bool isHint{false}; //!< it is for an ACQUIRE, not for a request
};

/** What comes of a call of a shim. */
struct ShimOutcome
{
    std::vector<OpusMessage> outbox; //!< to the controller; only Flush() has some
    std::vector<ShimAnswer> answers;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_SETTINGS_H */
