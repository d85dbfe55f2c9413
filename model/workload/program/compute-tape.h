/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMPUTE_TAPE_H
#define PHOTONIC_RAILS_COMPUTE_TAPE_H

#include "ns3/nstime.h"
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
    static constexpr uint32_t COMPUTE = 0; //!< GPU, and collectives it waits for
    static constexpr uint32_t GATHER = 1;  //!< parameters
    static constexpr uint32_t REDUCE = 2;  //!< gradients
    static constexpr uint32_t SEND_NEXT = 3;
    static constexpr uint32_t RECEIVE_NEXT = 4;
    static constexpr uint32_t SEND_PREVIOUS = 5;
    static constexpr uint32_t RECEIVE_PREVIOUS = 6;
    static constexpr uint32_t SEND_CONTEXT = 7; //!< around the ring of a context
    static constexpr uint32_t RECEIVE_CONTEXT = 8;
    static constexpr uint32_t CHECKPOINT = 9; //!< beside training
};

/**
 * @ingroup photonic-rails
 * @brief Writes the sequential operations of a GPU into a rank program: computing, and collectives
 * that it waits for. Consecutive computing becomes one operation.
 */
class ComputeTape
{
  public:
    /** @param program receives the operations */
    explicit ComputeTape(RankProgram& program);

    /** Adds computing. @param label shown in reports */
    void Compute(Time duration, const std::string& label);

    /**
     * Adds a collective, and waits for it.
     * @param label shown in reports
     * @return its number in the program
     */
    uint32_t Collective(uint32_t group,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::string& label);

    /** Makes later operations wait for this one too. @param operation of any stream */
    void Await(uint32_t operation);

    /**
     * Writes the computing so far.
     * @return the last operation; none if there is none yet and no operation is awaited
     */
    std::optional<uint32_t> Flush();

  private:
    /** Makes an operation depend on the awaited ones. */
    void Settle(uint32_t operation);

    RankProgram& m_program;
    Time m_duration{0};
    std::string m_label{};
    bool m_computing{false};
    std::vector<uint32_t> m_awaited;
    std::optional<uint32_t> m_last;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMPUTE_TAPE_H */
