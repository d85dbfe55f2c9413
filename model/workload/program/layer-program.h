/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LAYER_PROGRAM_H
#define PHOTONIC_RAILS_LAYER_PROGRAM_H

#include "compute-tape.h"
#include "job-groups.h"
#include "training-task.h"

#include "ns3/compute-times.h"
#include "ns3/expert-routing.h"
#include "ns3/model-unit.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** The places of a rank that its program depends on. */
struct ProgramPlace
{
    uint32_t pipeline{0}; //!< its place in its pipeline
    uint32_t context{0};  //!< its place in its context
    uint32_t expert{0};   //!< its place in its expert-parallel group
};

/**
 * @ingroup photonic-rails
 * @brief Writes the passes of one micro-batch through a unit: computing, and the exchanges of
 * tensor-, context- and expert-parallel ranks.
 *
 * Let t be the tokens of a micro-batch on a context-parallel rank, and h the hidden size. Sizes in
 * elements of parameterBytes bytes:
 * - a tensor-parallel collective: t h;
 * - a dispatch or combine: t h activeExperts, with sequence parallelism 1 / tp of it. With routed
 *   tokens that are not even it is the same buffer, and the demand has the bytes of each pair;
 * - keys and values of a rank: 2 t headSize keyHeads / tp, of at least one head; with latent
 *   attention t (keyRank + ropeSize).
 *
 * A reduction of the loss has 4 t bytes (fp32).
 *
 * With routed tokens the computing of routed experts takes as much longer or shorter as the load of
 * the rank's experts is above or below the mean without capacity.
 */
class LayerProgram
{
  public:
    /**
     * @param task of the job
     * @param groups of the job
     * @param place of the rank
     * @param routing of tokens to experts; null: all experts have equal shares
     * @param program receives the operations of CONTEXT streams
     * @param tape receives computing and collectives
     */
    LayerProgram(const TrainingTask& task,
                 const JobGroups& groups,
                 const ProgramPlace& place,
                 ExpertRouting* routing,
                 RankProgram& program,
                 ComputeTape& tape);

    /** Later passes belong to an iteration. @param iteration from 0 */
    void BeginIteration(uint32_t iteration)
    {
        m_iteration = iteration;
    }

    /** Writes a forward pass. @param unit a unit of the model @param label shown in reports */
    void Forward(const ModelUnit& unit, const std::string& label);

    /**
     * Writes a backward pass.
     * @param unit a unit of the model
     * @param input whether gradients of the input are computed, after recomputation if there is any
     * @param weights whether gradients of parameters are computed
     * @param label shown in reports
     */
    void Backward(const ModelUnit& unit, bool input, bool weights, const std::string& label);

    /** @return bytes of a micro-batch's activations between stages, sent by one rank */
    uint64_t GetStageBytes() const;

  private:
    /** Gathers tokens before a part that needs all of them. */
    void Enter(const std::string& label);
    /** Sums the results, or sums and scatters them. */
    void Leave(const std::string& label);
    /** The backward counterpart of Enter(). */
    void EnterBack(const std::string& label);
    /** The backward counterpart of Leave(). */
    void LeaveBack(const std::string& label);
    /** Writes the forward pass of a layer with its exchanges, in a given time. */
    void ForwardLayer(const ModelUnit& unit, Time attention, Time rest, const std::string& label);
    /** Writes the gradients of the input of a layer. */
    void BackwardLayer(const ModelUnit& unit, const UnitTimes& times, const std::string& label);
    /** Writes the gradients of parameters. */
    void BackwardWeights(const ModelUnit& unit, const UnitTimes& times, const std::string& label);
    /** Writes attention, with the exchanges of context-parallel ranks. */
    void Attend(Time duration, const std::string& label);
    /** Writes the gradients of attention. */
    void AttendBack(Time duration, const std::string& label);
    /** Passes data around the context's ring. @return the operation of its arrival */
    uint32_t PassOn(uint64_t bytes, const std::vector<uint32_t>& after, const std::string& label);
    /** Sends tokens, or gradients of results, to experts. */
    void SendToExperts(const ModelUnit& unit, const std::string& label);
    /** Sends results, or gradients of tokens, back from experts. */
    void SendBack(const ModelUnit& unit, const std::string& label);
    /** Writes an exchange of the expert-parallel group. @param demand null: equal parts */
    void Exchange(const ModelUnit& unit,
                  const std::shared_ptr<const DemandMatrix>& demand,
                  const std::string& label);
    /** @return the routed tokens of a layer; null if it has none, or all experts are alike */
    const RoutedLayer* FindRouted(const ModelUnit& unit) const;
    /** @return the time of a pass that includes the routed experts once, by the rank's load */
    Time WithLoad(const ModelUnit& unit, Time pass, Time experts) const;
    /** Writes a collective of the tensor group, if there is one. */
    void Tensor(CollectiveKind kind, uint64_t bytes, const std::string& label);

    const TrainingTask& m_task;
    const JobGroups& m_groups;
    ProgramPlace m_place;
    ExpertRouting* m_routing;
    uint32_t m_iteration{0};
    RankProgram& m_program;
    ComputeTape& m_tape;
    uint64_t m_tokens;        //!< of a micro-batch on a context-parallel rank
    uint64_t m_hiddenBytes;   //!< of their activations
    uint64_t m_keyValueBytes; //!< of their keys and values
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LAYER_PROGRAM_H */
