/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECOVERY_BENCH_H
#define PHOTONIC_RAILS_RECOVERY_BENCH_H

#include "ns3/checkpoint-network.h"
#include "ns3/nstime.h"
#include "ns3/parallelism-plan.h"
#include "ns3/recovering-job.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/** A component that fails at an instant. */
struct RecoveryFault
{
    Time at{0};
    uint32_t server{0};
    uint32_t gpu{0};
    enum class What : uint8_t
    {
        GPU,    //!< the process of its rank ends
        SERVER, //!< all of it
        FIBERS, //!< of the GPU: its ports lose their light for good
        PORT,   //!< of the GPU's NIC
        NIC,    //!< both ports of the GPU
        SWITCH, //!< of the GPU's rail
    } what{What::GPU};
    uint32_t port{0}; //!< of PORT
    Time duration{0}; //!< of PORT, NIC and SWITCH; 0: for good
};

/** A small job of four servers with two GPUs each, and what fails. */
struct RecoveryCase
{
    ParallelismPlan plan;
    uint32_t spares{1};
    uint32_t serversPerRack{0};
    std::string policy{"on-demand"};
    std::string reaction{"splice"};
    uint32_t iterations{8};
    uint32_t checkpoints{2};
    CheckpointNetwork network{CheckpointNetwork::RAILS}; //!< of checkpoints
    uint64_t hostRate{0};                                //!< bit/s; 0: no network of the hosts
    bool weighsHost{false};                              //!< operations may go over it too
    Time reconfiguration{MicroSeconds(100)};
    Time linkUp{0};
    std::vector<RecoveryFault> faults{};
    bool events{false}; //!< packet events, else trains
    uint64_t salt{0};   //!< not 0: events of an instant come in an order of its choice
    bool memoizes{true};
    double efficiency{0.01}; //!< of the GPUs

    /** @return with a plan of tp 2, dp 2, pp 2 */
    static RecoveryCase Small();

    /** Runs it. @param look is called at its end, before the simulation is taken apart */
    void Run(const std::function<void(RecoveringJob&)>& look) const;

    /** Runs it. @return all that was observed, sorted lines */
    std::vector<std::string> Observe() const;

    /** @return it in words */
    std::string Describe() const;
};

/** @return a random case @param seed the same for the same seed */
RecoveryCase DrawRecovery(uint64_t seed);

/** @return a random case of the reaction `other-rail` @param seed the same for the same seed */
RecoveryCase DrawOtherRail(uint64_t seed);

/**
 * Runs a case in both fidelities, with the events of an instant in another order, and without
 * operations that are like earlier ones.
 * @param salt of the order
 * @return the first differences in words, or what is wrong; empty if there is nothing
 */
std::string CompareRuns(const RecoveryCase& drawn, uint64_t salt);

/**
 * Compares the runs of a random case of the reaction `other-rail`, which has to end without a
 * failure.
 * @return what is wrong; empty if there is nothing
 */
std::string CompareOtherRails(uint64_t seed);

/**
 * Runs a random case in both fidelities, with the events of an instant in another order, and
 * without operations that are like earlier ones.
 * @return the first differences in words, or what is wrong; empty if there is nothing
 */
std::string CompareRecoveries(uint64_t seed);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECOVERY_BENCH_H */
