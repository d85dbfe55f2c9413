/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_FEASIBILITY_H
#define PHOTONIC_RAILS_JOB_FEASIBILITY_H

#include "ns3/cabling.h"
#include "ns3/circuit-policy.h"
#include "ns3/collective-settings.h"
#include "ns3/job-programs.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/** The rails that a job is to run on, and its settings. */
struct FeasibilityInputs
{
    uint32_t perServer{1};                  //!< GPUs of each server
    bool hasScaleUp{false};                 //!< a fabric joins them
    std::shared_ptr<const Cabling> cabling; //!< of all ranks, whose ports job 0 owns
    Ptr<CircuitPolicy> policy;              //!< with that cabling
    CollectiveSettings settings;            //!< of all ranks
    bool hasHosts{false};                   //!< the network of the hosts carries what is refused
};

/**
 * Finds an exchange of a job that can't run on some rails, before anything is built.
 *
 * An exchange can run if there is an algorithm for it whose pairs of ranks the ports can join,
 * stage by stage: the one that its program names, or a fallback of it. On electrical rails ports
 * are no limit. With a policy that sets up only some circuits, these must join the pairs, except
 * for the policy one-shot, which makes circuits in the order of requests. The network of the hosts
 * can carry all.
 * @return what can't run, why, and the remedy; empty if all exchanges can run
 */
std::string FindInfeasible(const JobPrograms& job, const FeasibilityInputs& inputs);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_FEASIBILITY_H */
