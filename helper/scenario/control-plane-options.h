/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROL_PLANE_OPTIONS_H
#define PHOTONIC_RAILS_CONTROL_PLANE_OPTIONS_H

#include "host-network-option.h"
#include "noise-option.h"

#include "ns3/nstime.h"
#include "ns3/opus-helper.h"

#include <string>
#include <vector>

namespace ns3
{

class Scenario;

/**
 * @ingroup photonic-rails
 * @brief A control plane as options of a command line: policies to compare, switches, management
 * network and standby.
 *
 * Each member is the default of the option of its name.
 * @code
 * ControlPlaneOptions options;
 * options.Add(scenario);
 * return scenario.Run(argc, argv, [&] {
 *     options.Check(scenario);
 *     OpusHelper opus;
 *     opus.SetPolicy(options.policies.front());
 *     options.SetUp(opus);
 *     ...
 * });
 * @endcode
 */
struct ControlPlaneOptions
{
    std::vector<std::string> policies{"electrical", "on-demand", "provisioned"};
    Time reconfiguration{MilliSeconds(10)};
    Time managementLatency{MicroSeconds(10)};
    Time hostLatency{MicroSeconds(1)};
    double loss{0}; //!< of each management link, a share of its packets
    std::string granularity{"Group"};
    Time processing{0}; //!< of a message at the controllers
    Time linkUp{0};     //!< from light to carrier
    std::string doneWhen{"Reconfigured"};
    NoiseOption noise;
    HostNetworkOption hostNetwork;
    bool standby{false};
    Time crash{0}; //!< of the first controller; 0: never

    /** Adds the options. */
    void Add(Scenario& scenario);

    /** Refuses values that do not go together. */
    void Check(const Scenario& scenario) const;

    /** Sets up a helper, except for the policy. */
    void SetUp(OpusHelper& opus) const;

    /** Schedules the crash of the first controller, if there is one. */
    void ScheduleCrash(const OpusControlPlane& plane) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROL_PLANE_OPTIONS_H */
