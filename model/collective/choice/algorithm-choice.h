/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ALGORITHM_CHOICE_H
#define PHOTONIC_RAILS_ALGORITHM_CHOICE_H

#include "circuit-broker.h"
#include "path-choice.h"

#include "ns3/collective-algorithm.h"
#include "ns3/communication-group.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** What an algorithm is chosen by, beside what is to be done. */
struct AlgorithmPreference
{
    std::string algorithm; //!< by name; empty: the one that takes least time
    bool fallback{true};   //!< run the declared fallback where circuits are not there
    bool inside{true};     //!< there is a fabric inside servers
    uint64_t bytesPerSecond{50'000'000'000};           //!< that a rank can send on all its ports
    uint64_t intraNodeBytesPerSecond{450'000'000'000}; //!< the same, inside a server
    uint64_t messageSize{1 << 20};                     //!< bytes of a message at most
    Picoseconds hopLatency{1'000'000};                 //!< from a rank to another, beside the bytes
    bool hostNetwork{true}; //!< the ranks are on the hosts' network, if the broker tells of one
    bool mayUseHost{false}; //!< what is asked for by name may go over it, too
    CostQuestion about;     //!< who is about to do it: the broker's costs are for that operation
};

/** An algorithm for an operation, with what all ranks need of it. */
struct AlgorithmChoice
{
    std::string algorithm; //!< its name; empty: there is none
    std::shared_ptr<const CollectiveSchedule> schedule;
    /** By stage: the pairs that must be joined, as ranks of the job. */
    std::vector<std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>> pairs;
    bool fellBack{false}; //!< it is the fallback of the one that was asked for
    std::string why;      //!< why there is none, or why it is the fallback
    bool host{false};     //!< it goes over the hosts' network, and asks for no circuits
    /** How it travels; none where reconfiguration costs nothing and there is nothing else to
     * choose. */
    std::optional<OperationPath> operationPath;
    std::string reason; //!< why this one, in words
};

/**
 * @ingroup photonic-rails
 * @brief Chooses how an operation is done: by name, or by what takes least time of all that the
 * circuits allow.
 *
 * An algorithm whose pairs can't be joined is left out; one that was asked for by name gives way to
 * its fallback, or there is none and the choice says why.
 *
 * Where the broker has costs, time includes reconfiguration: once for each stage whose pairs do not
 * stand, and for each one after a stage that was reconfigured, as far as it does not hide (see
 * ChoosePath()). The network of the hosts, if it tells of one, is weighed with what all algorithms
 * take there.
 *
 * @param parameters of the operation
 * @param bytes the buffer
 * @param ranks the group's
 * @param broker who knows what can be joined
 * @param preference the rest
 * @return the choice
 */
AlgorithmChoice ChooseAlgorithm(const CollectiveParameters& parameters,
                                uint64_t bytes,
                                const std::vector<RankId>& ranks,
                                const CircuitBroker& broker,
                                const AlgorithmPreference& preference);

/**
 * How long a schedule takes at least on an empty network: each channel of a rank sends one chunk
 * after another at its part of the rank's rate, and takes in no more than that; a chunk arrives a
 * hop later, and goes on message by message. Fast enough to ask for every algorithm.
 * @param schedule any
 * @param bytes the buffer
 * @param preference rates, the message size and the hop
 * @return the time
 */
Picoseconds EstimateTime(const CollectiveSchedule& schedule,
                         uint64_t bytes,
                         const AlgorithmPreference& preference);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ALGORITHM_CHOICE_H */
