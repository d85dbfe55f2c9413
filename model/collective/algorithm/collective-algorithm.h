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
 * @brief An algorithm for a kind of collective operation: a pure function from parameters to a
 * schedule.
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
 * Register() proves it for small groups by the verifier, and aborts with the mistake if there is
 * one.
 */
struct CollectiveAlgorithm
{
    std::string name;
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    std::string help; //!< a line for tables

    /** Writes a channel of the schedule. */
    std::function<void(ScheduleChannel& channel)> write;

    /**
     * The closed form: bytes that a rank sends. The buffer must be a multiple of the number of its
     * parts.
     */
    std::function<uint64_t(const CollectiveParameters& parameters, uint32_t rank, uint64_t buffer)>
        bytesSent;

    /**
     * @return the reason why the algorithm does not work for these parameters; empty if it does.
     * Null: it works for all parameters
     */
    std::function<std::string(const CollectiveParameters& parameters)> whyNot;

    /**
     * The algorithm that runs instead where circuits do not join the pairs that this one needs;
     * empty: none. If they do not join the pairs of that one either, its own fallback comes next.
     */
    std::string fallback;

    /** Whether the schedule depends on CollectiveParameters::ports. */
    bool usesPorts{false};

    /** Whether a choice without a name takes it only where no other algorithm can run. */
    bool isReserve{false};

    /** @return the reason why the algorithm does not work for these parameters; empty if it does */
    std::string GetWhyNot(const CollectiveParameters& parameters) const;

    /**
     * @param parameters for which the algorithm works
     * @return a new schedule
     */
    CollectiveSchedule Make(const CollectiveParameters& parameters) const;

    /**
     * Adds an algorithm, or aborts with the mistake in it.
     * @param algorithm with a name that its kind does not have yet
     */
    static void Register(const CollectiveAlgorithm& algorithm);

    /** @return all algorithms of a kind */
    static std::vector<const CollectiveAlgorithm*> GetAll(CollectiveKind kind);

    /** @return the algorithm, or null */
    static const CollectiveAlgorithm* Find(CollectiveKind kind, const std::string& name);

    /** @return the algorithm; aborts and lists the known ones if there is none */
    static const CollectiveAlgorithm& Get(CollectiveKind kind, const std::string& name);

    /**
     * A schedule that operations share.
     * @param name of an algorithm for the kind in the parameters; aborts if there is none
     * @param parameters for which the algorithm works; aborts with the reason if it does not
     * @return the schedule, which is kept while an operation has it, and for a while after that
     */
    static std::shared_ptr<const CollectiveSchedule> GetSchedule(
        const std::string& name,
        const CollectiveParameters& parameters);
};

/**
 * Makes a schedule by an algorithm and proves it (see collective-verifier.h), and proves that each
 * rank sends as many bytes as the closed form says.
 * @param parameters for which the algorithm works
 * @return the mistake; empty if there is none
 */
std::string GetMistakeOf(const CollectiveAlgorithm& algorithm,
                         const CollectiveParameters& parameters);

/** @return the reason why an operation has no usable demand matrix; empty if it has one */
std::string GetWhyNoDemand(const CollectiveParameters& parameters);

/** @return the algorithms that come with the module, file by file */
std::vector<CollectiveAlgorithm> MakeRingAlgorithms();
std::vector<CollectiveAlgorithm> MakeTreeAlgorithms();
std::vector<CollectiveAlgorithm> MakeHalvingDoublingAlgorithms();
std::vector<CollectiveAlgorithm> MakePatAlgorithms();
std::vector<CollectiveAlgorithm> MakeRecursiveAlgorithms();
std::vector<CollectiveAlgorithm> MakeMultiRingAlgorithms();
std::vector<CollectiveAlgorithm> MakeRailRingsAlgorithms();
std::vector<CollectiveAlgorithm> MakeDirectAlgorithms();
std::vector<CollectiveAlgorithm> MakeHierarchicalAlgorithms();
std::vector<CollectiveAlgorithm> MakeAllToAllAlgorithms();
std::vector<CollectiveAlgorithm> MakeChainAlgorithms();
std::vector<CollectiveAlgorithm> MakeStragglerAlgorithms();

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_ALGORITHM_H */
