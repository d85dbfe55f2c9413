/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_SETTINGS_H
#define PHOTONIC_RAILS_COLLECTIVE_SETTINGS_H

#include "ns3/collective-protocol.h"
#include "ns3/nstime.h"
#include "ns3/send-rendezvous.h"
#include "ns3/transport-times.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The attributes of a CollectiveApplication that hold for a whole run. They are read when it
 * starts; the attributes' help explains each.
 */
struct CollectiveSettings
{
    uint64_t messageSize{0};             //!< bytes, of collective operations
    uint64_t pointToPointMessageSize{0}; //!< bytes, of sends
    uint64_t intraNodeMessageSize{0};    //!< bytes, of groups in one server
    uint32_t channels{1};
    uint32_t ports{1};
    bool bidirectional{true};
    bool fallback{true};
    bool mayUseHost{false};
    bool weighHost{true};
    bool intraNodeAsOne{true};
    bool intraNodeStretches{true};
    bool memoizeOperations{true};
    bool stragglerAware{false};
    uint32_t latenessWindow{1};
    EagerLimits eager;
    Time bootstrapLatency;
    uint64_t bytesPerSecond{0};
    uint64_t intraNodeBytesPerSecond{0};
    Time hopLatency;
    CollectiveTimes times;                      //!< for the protocol SIMPLE
    std::optional<CollectiveProtocol> protocol; //!< none: as NCCL's tuning chooses
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_SETTINGS_H */
