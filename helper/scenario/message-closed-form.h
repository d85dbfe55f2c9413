/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_CLOSED_FORM_H
#define PHOTONIC_RAILS_MESSAGE_CLOSED_FORM_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rdma-message.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The duration of a RoCEv2 message over an idle circuit, by a formula from the standards
 * alone: it shares no code with the transport, so it checks the simulation.
 *
 *     8 (wire bytes - 12) / rate + 2 fiber delays
 *
 * Wire bytes are those of all frames, preambles and gaps included. The gap behind the last frame
 * (12) does not count.
 */
struct MessageClosedForm
{
    __extension__ using Wide = unsigned __int128;

    uint64_t bytes{0}; //!< of payload
    uint64_t mtu{4096};
    RdmaVerb verb{RdmaVerb::WRITE};
    DataRate rate{"400Gbps"};
    Time fiberDelay{0}; //!< from a NIC to the switch

    /** @return bytes on the wire, preambles and gaps included */
    Wide GetWireBytes() const;

    /**
     * @return the time from the first bit at the sender to the last bit at the receiver;
     *         Time::Max() if it is longer
     */
    Time GetTime() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_CLOSED_FORM_H */
