/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ALGORITHM_CHOICE_H
#define PHOTONIC_RAILS_ALGORITHM_CHOICE_H

#include "algorithm-preference.h"
#include "circuit-broker.h"
#include "path-choice.h"
#include "traffic-path.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-protocol.h"
#include "ns3/communication-group.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** An algorithm for an operation, with the data that all ranks need of it. */
struct AlgorithmChoice
{
    std::string algorithm; //!< its name; empty: there is none
    std::shared_ptr<const CollectiveSchedule> schedule;
    CollectiveProtocol protocol{CollectiveProtocol::SIMPLE}; //!< of its messages
    /** By stage: the pairs of ranks of the job that must be joined. */
    std::vector<std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>> pairs;
    /** By stage: the pairs that the fabric of a server joins. */
    std::vector<std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>> intraNode;
    bool fellBack{false}; //!< it is the fallback of the requested algorithm
    std::string why;      //!< the reason why there is none, or why it is the fallback
    bool host{false};     //!< it goes over the network of the hosts, and requests no circuits
    TrafficPath trafficPath{TrafficPath::CIRCUITS}; //!< of its schedule, for counts
    /**
     * The path of the operation; none where reconfiguration costs nothing and there is no other
     * path.
     */
    std::optional<OperationPath> operationPath;
    std::string reason; //!< the reason of the choice, in words

    /** @return whether both are equal, with one schedule */
    bool IsSame(const AlgorithmChoice& other) const;
};

/**
 * @ingroup photonic-rails
 * @brief Chooses the algorithm and the path of an operation: by name, or the ones with the least
 * time of all that the circuits allow.
 *
 * An algorithm whose pairs can't be joined is left out; instead of one that is requested by name
 * its fallback is chosen, or none, and the choice has the reason.
 *
 * Where the broker has costs, time includes reconfiguration: once for each stage whose pairs have
 * no circuits, and for each stage after a reconfigured one, as far as it is not hidden (see
 * ChoosePath()). If the broker has a network of the hosts, the times of all algorithms there are
 * compared too.
 *
 * @param parameters of the operation
 * @param bytes of the buffer
 * @param ranks of the group @param broker that decides which pairs can be joined
 * @return the choice
 */
AlgorithmChoice ChooseAlgorithm(const CollectiveParameters& parameters,
                                uint64_t bytes,
                                const std::vector<RankId>& ranks,
                                const CircuitBroker& broker,
                                const AlgorithmPreference& preference);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ALGORITHM_CHOICE_H */
