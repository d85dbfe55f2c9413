/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_OPTIONS_H
#define PHOTONIC_RAILS_COLLECTIVE_OPTIONS_H

#include "collective-times-options.h"
#include "noise-option.h"

#include "ns3/collective-kind.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief A collective operation of several sizes, and the rail that it runs on, as options of a
 * command line.
 *
 * Each member is the default of the option of its name, which may be shorter.
 * @code
 * CollectiveOptions options;
 * options.Add(scenario.GetOptions());
 * return scenario.Run(argc, argv, [&] {
 *     options.Complete(scenario.GetOptions());
 *     for (const uint64_t size : options.sizes) { ... }
 * });
 * @endcode
 */
struct CollectiveOptions
{
    std::string collective{"all-reduce"};
    std::string algorithm{"auto"}; //!< after Complete(): empty for the fastest
    uint32_t ranks{8};
    uint32_t scaleUpSize{1}; //!< GPUs of a server, each on a rail of its own
    uint32_t ports{2};
    uint32_t channels{0}; //!< of an operation; 0: as ports have it
    DataRate portRate{"200Gbps"};
    std::string railKind{"optical"};
    std::string reconfigurationWords{"none"}; //!< a time, or none: circuits stay
    uint64_t messageSize{1 << 20};
    uint32_t mtu{4096};
    Time stragglerDelay{0};
    bool fallback{true};
    bool multiHop{false}; //!< ranks forward along circuits that stay
    bool matrix{false};   //!< all algorithms, ports and rails in place of one
    CollectiveTimesOptions times;
    NoiseOption noise;
    uint64_t least{1 << 20};
    uint64_t most{1 << 30};
    uint32_t factor{2};

    // derived by Complete()
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    Time reconfiguration{0}; //!< of a circuit, if circuits reconfigure
    std::vector<uint64_t> sizes;

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /** Derives settings, or refuses what cannot be. @param options all options */
    void Complete(ScenarioOptions& options);

    /** @return servers, one GPU of each on a rail */
    uint32_t GetServers() const;

    /** @return whether each rank sends to the next and receives from the one before */
    bool IsSendReceive() const;

    /** @return the channels of an operation: those given, or those of rings on all rails; 0: as
     * the ports of a rank have it */
    uint32_t GetChannels() const;

    /** @return whether the rail has an optical switch */
    bool IsOptical() const;

    /** @return whether circuits are set up for each stage of the operation */
    bool Reconfigures() const;

    /** @return the reason why no circuits can stay; empty if they can */
    std::string GetWhyNoStandingCircuits() const;

  private:
    /** Finds the collective and its algorithm. */
    void CompleteNames(const ScenarioOptions& options);
    /** Refuses options that the matrix replaces, and derives the others. */
    void CompleteMatrix(const ScenarioOptions& options);
    /** Refuses servers that ranks do not fill. */
    void CheckServers(const ScenarioOptions& options) const;
    /** Derives the switch and its ports. */
    void CompleteRail(const ScenarioOptions& options);
    /** Lists the sizes. */
    void CompleteSizes(const ScenarioOptions& options);
    /** Refuses delays that ranks would take for a deadlock. */
    void CheckWaits(const ScenarioOptions& options) const;
    /** Refuses what takes days, or longer than a picosecond clock can count. */
    void CheckEffort(const ScenarioOptions& options) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_OPTIONS_H */
