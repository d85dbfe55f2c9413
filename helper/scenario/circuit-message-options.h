/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MESSAGE_OPTIONS_H
#define PHOTONIC_RAILS_CIRCUIT_MESSAGE_OPTIONS_H

#include "capture-option.h"
#include "message-closed-form.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rdma-message.h"

#include <cstdint>
#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief A message over a circuit, and what disturbs it, as options of a command line.
 *
 * Each member is the default of the option of its name.
 */
struct CircuitMessageOptions
{
    uint64_t bytes{1 << 20};
    uint32_t mtu{4096};
    DataRate rate{"400Gbps"};
    Time fiberDelay{NanoSeconds(100)};
    uint32_t ackEvery{64};
    Time cutAt{0};   //!< 0: the circuit stays up
    Time cutFor{0};  //!< 0: for good
    Time traceAt{0}; //!< when a trace source of each frame is connected; 0: never
    Time traceFor{0};
    uint32_t timeoutExponent{14};
    std::string verb{"write"};
    CaptureOption capture;

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /** Refuses combinations that cannot be. @param options all options */
    void Check(ScenarioOptions& options) const;

    /** @return the RDMA operation */
    RdmaVerb GetVerb() const;

    /** @return the duration of the message by a formula, without cuts */
    MessageClosedForm GetClosedForm() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MESSAGE_OPTIONS_H */
