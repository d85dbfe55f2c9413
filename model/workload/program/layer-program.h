/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LAYER_PROGRAM_H
#define PHOTONIC_RAILS_LAYER_PROGRAM_H

#include "compute-tape.h"
#include "job-groups.h"
#include "training-task.h"

#include "ns3/compute-times.h"
#include "ns3/model-unit.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the passes of one micro-batch through a unit: what is computed, and what tensor-,
 * context- and expert-parallel ranks send each other meanwhile.
 *
 * With t tokens of a micro-batch on a context-parallel rank and h the hidden size, in bytes of
 * parameterBytes each: a tensor-parallel collective has t h, or 4 t (fp32) in the loss; a dispatch
 * or combine t h activeExperts, 1 / tp of it with sequence parallelism; keys and values have
 * 2 keyHeads headSize / tp (latent: keyRank + ropeSize) for each token.
 */
class LayerProgram
{
  public:
    /**
     * @param task of the job
     * @param groups of the job
     * @param contextPlace the rank's place in its context
     * @param program is written to, on CONTEXT streams
     * @param tape is written to
     */
    LayerProgram(const TrainingTask& task,
                 const JobGroups& groups,
                 uint32_t contextPlace,
                 RankProgram& program,
                 ComputeTape& tape);

    /** Writes a forward pass. @param unit through it @param label for people */
    void Forward(const ModelUnit& unit, const std::string& label);

    /**
     * Writes a backward pass.
     * @param unit through it
     * @param input whether gradients of the input are computed: first recomputation, if any
     * @param weights whether gradients of parameters are computed
     * @param label for people
     */
    void Backward(const ModelUnit& unit, bool input, bool weights, const std::string& label);

    /** @return bytes of a micro-batch's activations between stages, as one rank sends them */
    uint64_t GetStageBytes() const;

  private:
    /** Tokens are needed whole. */
    void Enter(const std::string& label);
    /** What was made is summed, or summed and scattered. */
    void Leave(const std::string& label);
    /** The gradients' way back through Enter(). */
    void EnterBack(const std::string& label);
    /** The gradients' way back through Leave(). */
    void LeaveBack(const std::string& label);
    /** A layer, with all it sends, in a given time. */
    void ForwardLayer(const ModelUnit& unit,
                      Picoseconds attention,
                      Picoseconds rest,
                      const std::string& label);
    /** A layer's gradients of the input. */
    void BackwardLayer(const ModelUnit& unit, const UnitTimes& times, const std::string& label);
    /** Gradients of parameters. */
    void BackwardWeights(const ModelUnit& unit, const UnitTimes& times, const std::string& label);
    /** Attention, with what context-parallel ranks send. */
    void Attend(Picoseconds duration, const std::string& label);
    /** Its gradients. */
    void AttendBack(Picoseconds duration, const std::string& label);
    /** Passes something around the context's ring. @return the operation in which it comes */
    uint32_t PassOn(uint64_t bytes, const std::vector<uint32_t>& after, const std::string& label);
    /** Tokens go to experts, or come back. */
    void Dispatch(const ModelUnit& unit, const std::string& label);
    /** A collective of the tensor group, if there is one. */
    void Tensor(CollectiveKind kind, uint64_t bytes, const std::string& label);

    const TrainingTask& m_task;
    const JobGroups& m_groups;
    uint32_t m_contextPlace;
    RankProgram& m_program;
    ComputeTape& m_tape;
    uint64_t m_tokens;        //!< of a micro-batch on a context-parallel rank
    uint64_t m_hiddenBytes;   //!< of their activations
    uint64_t m_keyValueBytes; //!< of their keys and values
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LAYER_PROGRAM_H */
