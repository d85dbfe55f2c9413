/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PARALLELISM_SUMMARY_H
#define PHOTONIC_RAILS_PARALLELISM_SUMMARY_H

#include "training-job.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a parallelism of a job divides, and what its ranks exchange for it: a row of table 2
 * of "Photonic Rails in ML Datacenters" (arXiv 2507.08119) for the job at hand.
 *
 * Nothing of it is a rule: divisions are the ratio between a rank's share without that parallelism
 * (its degree is 1, all others and the global batch are equal) and with it; calls and bytes are
 * those of the rank's program in its first iteration.
 */
struct ParallelismSummary
{
    /** A quantity of a rank that the parallelism divides. */
    struct Division
    {
        std::string what;
        double factor{1}; //!< above 1
    };

    /** The calls of one kind in one pass. */
    struct Exchange
    {
        std::string pass;  //!< forward, backward, or end (of the iteration)
        std::string kind;  //!< all-gather, ..., send, receive
        uint64_t calls{0}; //!< of the rank in an iteration
        uint64_t bytes{0}; //!< that the calls name, together: buffers, messages
        double often{0};   //!< calls for each of what follows; those of the embedding and the head
                           //!< are left out if there are some of layers
        std::string frequency; //!< "layer and micro-batch", "layer", "micro-batch", "iteration"
    };

    std::string parallelism; //!< tp, cp, ep, dp, pp
    std::string name;        //!< TP, TP & SP, CP, EP, DP, FSDP, HSDP, PP
    uint32_t degree{1};
    std::string path; //!< "server", "rail", or "mixed" if some groups leave servers
    /**
     * Of the memory of a GPU: sequences (of an iteration), tokens of a sequence, experts,
     * parameters, gradients, optimizer, and activations of a micro-batch, keys and values included.
     */
    std::vector<Division> memory;
    double work{1};                  //!< by how much floating-point operations are divided
    std::vector<Exchange> exchanges; //!< in the order of their first calls
};

/**
 * @param job whose parallelisms are looked at
 * @param rank whose share and program are looked at
 * @return the parallelisms with a degree above 1, fastest varying first by default: tp, cp, ep, dp,
 * pp
 */
std::vector<ParallelismSummary> Summarize(const TrainingJob& job, uint32_t rank);

/** Prints the parallelisms as a table. */
void PrintSummary(std::ostream& os, const std::vector<ParallelismSummary>& rows);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_SUMMARY_H */
