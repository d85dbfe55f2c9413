/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXPERT_ROUTING_H
#define PHOTONIC_RAILS_EXPERT_ROUTING_H

#include "expert-router.h"
#include "training-recipe.h"

#include "ns3/demand-matrix.h"
#include "ns3/model-shape.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/** Visits of tokens to routed experts: a token counts once for each expert that it is routed to. */
struct ExpertVisits
{
    uint64_t routed{0};  //!< all: sent, local and dropped
    uint64_t sent{0};    //!< to experts of another rank
    uint64_t local{0};   //!< to experts of the token's own rank
    uint64_t dropped{0}; //!< beyond the capacity of the expert

    /** Adds visits. @param times so often */
    void Add(const ExpertVisits& other, uint64_t times = 1);
};

/**
 * Divides visits over experts in proportion to weights. Counts are whole and add up exactly (the
 * method of largest remainders; of equal remainders the first expert has it). A token visits an
 * expert once, so no expert has more visits than there are tokens; the rest goes to the others, in
 * proportion to their weights.
 * @param weights by expert, each below 2^44; tokens x as many experts with a weight above 0 are
 *                visits or more
 * @param visits of all tokens to all experts
 * @param tokens the most visits of an expert
 * @return by expert: its visits
 */
std::vector<uint64_t> DivideVisits(const std::vector<uint64_t>& weights,
                                   uint64_t visits,
                                   uint64_t tokens);

/** The tokens of a layer in an iteration, of one micro-batch and one expert-parallel group. */
struct RoutedLayer
{
    std::shared_ptr<const DemandMatrix> dispatch; //!< bytes from ranks with tokens to experts
    std::shared_ptr<const DemandMatrix> combine;  //!< bytes back: its transpose
    std::vector<uint64_t> load;                   //!< by rank: visits that its experts compute
    ExpertVisits visits;                          //!< of all ranks together
};

/**
 * @ingroup photonic-rails
 * @brief Routes the tokens of expert-parallel ranks to experts, layer by layer and iteration by
 * iteration.
 *
 * Expert e is on rank e / (experts / ep). A rank's tokens are divided over experts by the shares of
 * the router, to a visit: every rank has the same number of tokens, and visits of an expert are
 * dealt to ranks in turn. What exceeds the capacity is dropped. The rest is sent, or stays if the
 * expert is on the token's rank: demands have nothing on the diagonal. Shared experts are on every
 * rank, and nothing is sent to them.
 *
 * Gradients go the same ways backwards: to experts by `dispatch`, from them by `combine`.
 * @code
 * ExpertRouting routing(shape, plan, recipe);
 * const RoutedLayer& routed = routing.Get(3, 0);
 * program.Edit(operation).demand = routed.dispatch;
 * @endcode
 */
class ExpertRouting
{
  public:
    /** @param shape has experts @param plan of the job @param recipe has the router */
    ExpertRouting(const ModelShape& shape,
                  const ParallelismPlan& plan,
                  const TrainingRecipe& recipe);

    /** @return the visits of the tokens of a rank in a micro-batch: its load if all are alike */
    uint64_t GetVisitsOfRank() const
    {
        return m_tokens * m_activeExperts;
    }

    /** @return the routed tokens of a layer with experts, which are computed once */
    const RoutedLayer& Get(uint32_t layer, uint32_t iteration);

  private:
    /** @return the routed tokens of a layer */
    RoutedLayer Route(uint32_t layer, uint32_t iteration) const;

    ExpertRouter m_router;
    uint32_t m_experts;
    uint32_t m_activeExperts;
    uint32_t m_ranks;                                             //!< of an expert-parallel group
    uint64_t m_tokens;                                            //!< of a micro-batch on a rank
    uint64_t m_tokenBytes;                                        //!< of a token's activations
    std::map<std::pair<uint32_t, uint32_t>, RoutedLayer> m_known; //!< by layer and iteration
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXPERT_ROUTING_H */
