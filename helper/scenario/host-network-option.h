/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_NETWORK_OPTION_H
#define PHOTONIC_RAILS_HOST_NETWORK_OPTION_H

#include "ns3/data-rate.h"

#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The network of the hosts as the option `--host-network` of a command line.
 */
struct HostNetworkOption
{
    std::string rate{"none"}; //!< of the link of each server, or none

    /** Adds the option. */
    void Add(ScenarioOptions& options);
    /** @return the mistake in it; empty if there is none */
    std::string FindMistake() const;
    /** @return the rate; 0: there is no such network */
    DataRate Get() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_NETWORK_OPTION_H */
