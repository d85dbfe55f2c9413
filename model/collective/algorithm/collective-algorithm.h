/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_ALGORITHM_H
#define PHOTONIC_RAILS_COLLECTIVE_ALGORITHM_H

#include "ns3/collective-schedule.h"
#include "ns3/schedule-channel.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A way to do a kind of collective operation: a pure function from parameters to a schedule.
 *
 * The known ones are in a registry, by kind and name. A user adds one in a dozen lines:
 * @code
 * CollectiveAlgorithm star;
 * star.name = "star";
 * star.kind = CollectiveKind::BROADCAST;
 * star.write = [](ScheduleChannel& channel) {
 *     const uint32_t root = channel.GetParameters().root;
 *     const uint32_t all = channel.AddChunk(root, 0, 1);
 *     for (uint32_t rank = 0; rank < channel.GetRanks(); ++rank)
 *     {
 *         if (rank != root) channel.Copy(0, root, rank, all);
 *     }
 * };
 * star.bytesSent = [](const CollectiveParameters& p, uint32_t rank, uint64_t buffer) {
 *     return rank == p.root ? (p.ranks - 1) * buffer : 0;
 * };
 * CollectiveAlgorithm::Register(star);
 * @endcode
 * Register() has the verifier prove it for small groups, and refuses it with what is wrong.
 */
struct CollectiveAlgorithm
{
    std::string name;
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    std::string help; //!< a line for tables

    /** Writes a channel of the schedule. */
    std::function<void(ScheduleChannel& channel)> write;

    /** The closed form: bytes that a rank sends of a buffer that all its parts divide. */
    std::function<uint64_t(const CollectiveParameters& parameters, uint32_t rank, uint64_t buffer)>
        bytesSent;

    /** @return why it is not made for these parameters; empty if it is. Null: for all it is */
    std::function<std::string(const CollectiveParameters& parameters)> whyNot;

    /** What to run instead where circuits do not join the pairs it needs; empty: nothing. */
    std::string fallback;

    /** @return why it is not made for these parameters, or nothing */
    std::string GetWhyNot(const CollectiveParameters& parameters) const;

    /**
     * @param parameters that it is made for
     * @return the schedule, made anew
     */
    CollectiveSchedule Make(const CollectiveParameters& parameters) const;

    /**
     * Adds an algorithm, or aborts with what is wrong with it.
     * @param algorithm with a name that its kind does not have yet
     */
    static void Register(const CollectiveAlgorithm& algorithm);

    /** @return all algorithms of a kind @param kind a kind */
    static std::vector<const CollectiveAlgorithm*> GetAll(CollectiveKind kind);

    /** @return the algorithm, or null @param kind of it @param name of it */
    static const CollectiveAlgorithm* Find(CollectiveKind kind, const std::string& name);

    /** @return the algorithm; aborts and lists those there are @param kind of it @param name */
    static const CollectiveAlgorithm& Get(CollectiveKind kind, const std::string& name);

    /**
     * A schedule that operations share.
     * @param name of an algorithm for the kind in the parameters; aborts if there is none
     * @param parameters that it is made for; aborts with the reason if it is not
     * @return the schedule, which is kept while an operation has it
     */
    static std::shared_ptr<const CollectiveSchedule> GetSchedule(
        const std::string& name,
        const CollectiveParameters& parameters);
};

/**
 * Makes a schedule by an algorithm and proves it (see collective-verifier.h), and proves that each
 * rank sends as many bytes as the closed form says.
 * @param algorithm the one to check
 * @param parameters that the algorithm is made for
 * @return what is wrong; empty if nothing is
 */
std::string GetMistakeOf(const CollectiveAlgorithm& algorithm,
                         const CollectiveParameters& parameters);

/** @return the algorithms that come with the module, file by file */
std::vector<CollectiveAlgorithm> MakeRingAlgorithms();
std::vector<CollectiveAlgorithm> MakeTreeAlgorithms();
std::vector<CollectiveAlgorithm> MakeHalvingDoublingAlgorithms();
std::vector<CollectiveAlgorithm> MakePatAlgorithms();
std::vector<CollectiveAlgorithm> MakeDirectAlgorithms();
std::vector<CollectiveAlgorithm> MakeHierarchicalAlgorithms();
std::vector<CollectiveAlgorithm> MakeAllToAllAlgorithms();
std::vector<CollectiveAlgorithm> MakeStragglerAlgorithms();

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_ALGORITHM_H */
