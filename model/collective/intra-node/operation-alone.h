/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_ALONE_H
#define PHOTONIC_RAILS_OPERATION_ALONE_H

#include "intra-node-memory.h"
#include "intra-node-plan.h"
#include "intra-node-run.h"

#include "ns3/picoseconds.h"
#include "ns3/scale-up-domain.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * Works out an operation of one group on ports that are idle from its first call on, or takes what
 * was worked out before.
 * @param memory of the job
 * @param calls by place: their instants, from the first one on
 */
std::shared_ptr<const IntraNodeResult> WorkOutAlone(
    IntraNodeMemory& memory,
    const ScaleUpDomain& domain,
    const std::shared_ptr<const IntraNodePlan>& plan,
    const std::shared_ptr<const IntraNodeRanks>& ranks,
    const std::vector<Picoseconds>& calls);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_ALONE_H */
