/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ALGORITHM_PREFERENCE_H
#define PHOTONIC_RAILS_ALGORITHM_PREFERENCE_H

#include "circuit-broker.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The preferences by which an algorithm is chosen, beside the operation itself. */
struct AlgorithmPreference
{
    std::string algorithm; //!< by name; empty: the one with the least time
    bool fallback{true};   //!< use the declared fallback where circuits are missing
    bool inside{true};     //!< servers have a scale-up fabric
    uint64_t bytesPerSecond{50'000'000'000};           //!< rate of a rank on all its ports
    uint64_t intraNodeBytesPerSecond{450'000'000'000}; //!< rate of a rank inside its server
    uint64_t messageSize{1 << 20};                     //!< largest size of a message
    Time hopLatency{MicroSeconds(1)}; //!< latency from a rank to another, beside the bytes
    Time step{0};                     //!< from an arrival over a rail until the data can be sent on
    Time intraNodeStep{0};            //!< the same inside a server
    Time hostStep{0};                 //!< the same over the network of the hosts
    /** Of the messages; none: as NCCL's tuning chooses for the algorithm (ChooseNcclProtocol()). */
    std::optional<CollectiveProtocol> protocol{CollectiveProtocol::SIMPLE};
    bool hostNetwork{true}; //!< the ranks are on the network of the hosts, if the broker has one
    bool mayUseHost{false}; //!< an algorithm chosen by name may also go over that network
    bool onlyHost{false};   //!< it goes over that network, whatever circuits would take
    CostQuestion about;     //!< the operation for which the broker gives its costs
};

/** @return the question for the costs of an operation, which preference.about names */
CostQuestion MakeQuestion(const AlgorithmPreference& preference,
                          const CollectiveParameters& parameters,
                          uint64_t bytes,
                          const std::vector<RankId>& ranks);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ALGORITHM_PREFERENCE_H */
