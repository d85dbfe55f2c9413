/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PIPELINE_SCHEDULE_H
#define PHOTONIC_RAILS_PIPELINE_SCHEDULE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** A pass of a micro-batch through one of the stages that a rank has. */
struct PipelineStep
{
    /** Which pass. */
    enum class Kind : uint8_t
    {
        FORWARD,
        BACKWARD,        //!< gradients of the input and of parameters
        BACKWARD_INPUT,  //!< of the input only: what the stage before waits for
        BACKWARD_WEIGHT, //!< of parameters only
    };

    Kind kind{Kind::FORWARD};
    uint32_t microBatch{0};
    uint32_t chunk{0}; //!< which of the rank's stages: with p ranks, stage chunk x p + place

    /** @return whether they are the same */
    bool operator==(const PipelineStep& other) const
    {
        return kind == other.kind && microBatch == other.microBatch && chunk == other.chunk;
    }
};

/** A pipeline, as far as its order goes. */
struct PipelineShape
{
    std::string schedule{"1f1b"};
    uint32_t ranks{1};  //!< of the pipeline
    uint32_t chunks{1}; //!< stages of each rank; > 1 with "interleaved" only
    uint32_t microBatches{1};
};

/**
 * The order in which a rank of a pipeline takes its steps. Rank `place` of p:
 *
 * - gpipe: all forward passes, then all backward passes (Huang et al., GPipe, NeurIPS 2019).
 * - 1f1b: p - 1 - place forward passes, then forward and backward passes alternate (Narayanan et
 *   al., PipeDream-2BW, ICML 2021): at most p - place micro-batches' activations are held.
 * - interleaved: each rank has several stages, and takes p micro-batches through one of them before
 *   it passes to the next (Narayanan et al., SC 2021, section 2.2); micro-batches are a multiple of
 *   p. Bubbles shrink by the number v of stages, sends grow by it; at most
 *   2 (p - 1 - place) + (v - 1) p + 1 stages' activations are held.
 * - zb-h1: 1f1b with backward passes split, where the gradients of parameters wait for `place`
 *   backward passes more (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024): the first rank
 *   holds as much as with 1f1b, the others as much as the first.
 *
 * @param shape of the pipeline; without mistakes
 * @param place of the rank
 * @return its steps, in order
 */
std::vector<PipelineStep> MakePipelineSchedule(const PipelineShape& shape, uint32_t place);

/** @return what is wrong with it, with the remedy; empty: nothing */
std::string FindMistake(const PipelineShape& shape);

/** @return the names of schedules */
const std::vector<std::string>& GetPipelineSchedules();

/** What a stage sends to another rank after a step, as messages between two ranks are counted. */
struct PipelineMessage
{
    bool forward{true}; //!< activations; else gradients
    uint32_t stage{0};  //!< that sends it
    uint32_t microBatch{0};

    /** @return whether this is before the other, in no order that matters */
    bool operator<(const PipelineMessage& other) const
    {
        return forward != other.forward ? forward < other.forward
               : stage != other.stage   ? stage < other.stage
                                        : microBatch < other.microBatch;
    }
};

/**
 * @param shape of the pipeline
 * @param from a rank's place
 * @param to another's
 * @return what one sends to the other in an iteration, in the order of its steps
 */
std::vector<PipelineMessage> ListPipelineMessages(const PipelineShape& shape,
                                                  uint32_t from,
                                                  uint32_t to);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PIPELINE_SCHEDULE_H */
