/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INCAST_OPTIONS_H
#define PHOTONIC_RAILS_INCAST_OPTIONS_H

#include "ns3/data-rate.h"

#include <cstdint>
#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief Many senders to one receiver on a packet-switched rail, as options of a command line.
 *
 * Each member is the default of the option of its name.
 */
struct IncastOptions
{
    static constexpr uint64_t MTU = 4096; //!< the default of RdmaEngine

    uint32_t senders{15};
    uint64_t bytes{4 << 20}; //!< of each sender's message
    DataRate rate{"400Gbps"};
    bool pfc{true};
    std::string congestion{"dcqcn"};
    bool ecn{true};
    uint64_t ecnKmin{0};
    uint64_t ecnKmax{0};
    uint64_t buffer{16'000'000};

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /** Refuses combinations that cannot be. @param options all options */
    void Check(ScenarioOptions& options) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INCAST_OPTIONS_H */
