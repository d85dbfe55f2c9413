/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMPUTE_TAPE_H
#define PHOTONIC_RAILS_COMPUTE_TAPE_H

#include "ns3/picoseconds.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The streams of a rank of a training job. */
struct TrainingStream
{
    static constexpr uint32_t COMPUTE = 0; //!< the GPU, and what it waits for in a layer
    static constexpr uint32_t GATHER = 1;  //!< parameters
    static constexpr uint32_t REDUCE = 2;  //!< gradients
    static constexpr uint32_t SEND_NEXT = 3;
    static constexpr uint32_t RECEIVE_NEXT = 4;
    static constexpr uint32_t SEND_PREVIOUS = 5;
    static constexpr uint32_t RECEIVE_PREVIOUS = 6;
    static constexpr uint32_t SEND_CONTEXT = 7; //!< around the ring
    static constexpr uint32_t RECEIVE_CONTEXT = 8;
};

/**
 * @ingroup photonic-rails
 * @brief Writes what a GPU does one after another into a rank program: computing, and collectives
 * that it waits for. Computing with nothing between it becomes one operation.
 */
class ComputeTape
{
  public:
    /** @param program is written to */
    explicit ComputeTape(RankProgram& program);

    /** Computes. @param label for people */
    void Compute(Picoseconds duration, const std::string& label);

    /**
     * Takes part in a collective, and waits for it.
     * @param label for people
     */
    void Collective(uint32_t group, CollectiveKind kind, uint64_t bytes, const std::string& label);

    /** What is written next comes after this too. @param operation of any stream */
    void Await(uint32_t operation);

    /**
     * Writes what has been computed so far.
     * @return the last operation; none if there is none yet, and nothing is awaited
     */
    std::optional<uint32_t> Flush();

  private:
    /** What was awaited comes before an operation. */
    void Settle(uint32_t operation);

    RankProgram& m_program;
    Picoseconds m_duration{0};
    std::string m_label{};
    bool m_computing{false};
    std::vector<uint32_t> m_awaited;
    std::optional<uint32_t> m_last;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMPUTE_TAPE_H */
