/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXPERT_ROUTER_H
#define PHOTONIC_RAILS_EXPERT_ROUTER_H

#include "expert-skew.h"
#include "parallelism-plan.h"
#include "routing-counts.h"

#include "ns3/model-shape.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The routers of a training job: the shares of experts, and the capacity of each.
 *
 * Shares are drawn (ExpertSkew), or are those of a run that was measured (RoutingCounts). They
 * differ by layer and by iteration. Micro-batches of an iteration are routed alike, and so is each
 * rank's part of them.
 *
 * The capacity limits the tokens of a micro-batch that a rank sends to an expert, as in GShard and
 * Megatron-LM: ceil(capacityFactor x tokens x activeExperts / experts), with the tokens of that
 * rank. Tokens beyond it are dropped: that expert does not compute them.
 */
struct ExpertRouter
{
    ExpertSkew skew;
    std::shared_ptr<const RoutingCounts> counts{}; //!< in place of the skew
    double capacityFactor{0};                      //!< to a millionth; 0: no limit

    /**
     * @return whether all experts have equal shares, and all tokens fit: then a dispatch is an
     *         AllToAll of equal parts
     */
    bool IsEven() const;

    /**
     * @param tokens of a micro-batch on a rank
     * @param activeExperts experts that a token visits
     * @param experts of a layer
     * @return the most tokens that a rank sends to an expert
     */
    uint64_t GetCapacity(uint64_t tokens, uint32_t activeExperts, uint32_t experts) const;

    /** @return by expert: its weight; shares are in proportion to weights */
    std::vector<uint64_t> GetWeights(uint32_t experts, uint32_t layer, uint32_t iteration) const;
};

/** @return the mistake in the numbers of a router, with the remedy; empty if there is none */
std::string FindMistake(const ExpertRouter& router);

/**
 * @param router without mistakes, like the shape and the plan
 * @return the reason why a router can't be that of a model; empty if it can
 */
std::string FindMisfit(const ExpertRouter& router,
                       const ModelShape& shape,
                       const ParallelismPlan& plan);

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXPERT_ROUTER_H */
