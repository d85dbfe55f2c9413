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

/** A pass of a micro-batch through one of the stages of a rank. */
struct PipelineStep
{
    /** The kind of the pass. */
    enum class Kind : uint8_t
    {
        FORWARD,
        BACKWARD,        //!< gradients of the input and of parameters
        BACKWARD_INPUT,  //!< gradients of the input only: the stage before waits for them
        BACKWARD_WEIGHT, //!< gradients of parameters only
    };

    Kind kind{Kind::FORWARD};
    uint32_t microBatch{0};
    uint32_t chunk{0}; //!< index of the stage on its rank: with p ranks, stage chunk x p + place

    /** @return whether the steps are equal */
    bool operator==(const PipelineStep& other) const
    {
        return kind == other.kind && microBatch == other.microBatch && chunk == other.chunk;
    }
};

/** The parameters of a pipeline's schedule. */
struct PipelineShape
{
    std::string schedule{"1f1b"};
    uint32_t ranks{1};  //!< number of ranks
    uint32_t chunks{1}; //!< stages of each rank; > 1 with "interleaved" only
    uint32_t microBatches{1};
};

/**
 * Makes the sequence of steps of a rank in a pipeline. For rank `place` of p:
 *
 * - gpipe: all forward passes, then all backward passes (Huang et al., GPipe, NeurIPS 2019).
 * - 1f1b: p - 1 - place forward passes, then forward and backward passes alternate (Narayanan et
 *   al., PipeDream-2BW, ICML 2021): a rank holds activations of at most p - place micro-batches.
 * - interleaved: each rank has several stages, and computes p micro-batches on one of them before
 *   the next (Narayanan et al., SC 2021, section 2.2); micro-batches are a multiple of p. Bubbles
 *   shrink by the number v of stages, sends grow by it; a rank holds activations of at most 2 (p -
 *   1 - place) + (v - 1) p + 1 stages.
 * - zb-h1: 1f1b with backward passes split, where the gradients of parameters wait for `place` more
 *   backward passes (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024): the first rank holds
 *   as many activations as with 1f1b, the others as many as the first.
 *
 * @param shape of the pipeline; without mistakes
 * @param place of the rank in the pipeline, from 0
 * @return its steps, in order
 */
std::vector<PipelineStep> MakePipelineSchedule(const PipelineShape& shape, uint32_t place);

/** @return the mistake in a pipeline, with the remedy; empty if there is none */
std::string FindMistake(const PipelineShape& shape);

/** @return the names of schedules */
const std::vector<std::string>& GetPipelineSchedules();

/** A message of a stage to another rank after a step. */
struct PipelineMessage
{
    bool forward{true}; //!< whether it has activations; else gradients
    uint32_t stage{0};  //!< the sending stage
    uint32_t microBatch{0};

    /** @return whether this is before the other, in an arbitrary order for containers */
    bool operator<(const PipelineMessage& other) const
    {
        return forward != other.forward ? forward < other.forward
               : stage != other.stage   ? stage < other.stage
                                        : microBatch < other.microBatch;
    }
};

/**
 * @param shape of the pipeline
 * @param from place of the sender
 * @param to place of the receiver
 * @return the messages of an iteration, in the order of the sender's steps
 */
std::vector<PipelineMessage> ListPipelineMessages(const PipelineShape& shape,
                                                  uint32_t from,
                                                  uint32_t to);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PIPELINE_SCHEDULE_H */
