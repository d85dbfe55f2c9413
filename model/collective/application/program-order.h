/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_ORDER_H
#define PHOTONIC_RAILS_PROGRAM_ORDER_H

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{

class ProgramStretches;
class RankProgram;

/**
 * @ingroup photonic-rails
 * @brief The order of a program's operations on their streams and in their flows, which all ranks
 * that run the program have in common.
 *
 * Flows are numbered in the order of their first operations. A flow is all collective operations of
 * a group, all sends to a place of it, or all receives from one. Ranks differ in the groups and in
 * their own places, which are not in here (NumberedProgram).
 *
 * Plain C++. It does not change.
 */
class ProgramOrder
{
  public:
    /** The number of no flow: the operation is no exchange. */
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /**
     * @param program with all its operations
     * @param same by number of a group: the first number that names the same group; empty: all
     *        groups differ
     */
    explicit ProgramOrder(const RankProgram& program, const std::vector<uint32_t>& same = {});

    /** @return the order of a program all of whose groups differ: one for all ranks that have it */
    static std::shared_ptr<const ProgramOrder> Share(
        const std::shared_ptr<const RankProgram>& program);

    /** @return by flow: its first operation */
    const std::vector<uint32_t>& GetFlows() const
    {
        return m_flows;
    }

    /** @return exchanges that name each group, kind and place once, in the order of the program */
    const std::vector<uint32_t>& GetDistinct() const
    {
        return m_distinct;
    }

    /** @return the flow of an operation, or NONE */
    uint32_t GetFlow(uint32_t operation) const
    {
        return m_places[operation].flow;
    }

    /** @return the number of an exchange in its flow */
    uint32_t GetNumber(uint32_t operation) const
    {
        return m_places[operation].number;
    }

    /** @return the place of an operation on its stream */
    uint32_t GetIndex(uint32_t operation) const
    {
        return m_places[operation].index;
    }

    /** @return the stretches of the program */
    const ProgramStretches& GetStretches() const
    {
        return *m_stretches;
    }

    /** @return by stream: its operations, in order */
    const std::vector<std::vector<uint32_t>>& GetStreams() const
    {
        return m_streams;
    }

  private:
    /** Where an operation stands. */
    struct Place
    {
        uint32_t flow{NONE};
        uint32_t number{0}; //!< in the flow
        uint32_t index{0};  //!< on the stream
    };

    std::shared_ptr<const RankProgram> m_program; //!< of one that ranks share, so that it is kept
    std::vector<Place> m_places;                  //!< by operation
    std::vector<uint32_t> m_flows;
    std::vector<uint32_t> m_distinct;
    std::vector<std::vector<uint32_t>> m_streams;
    std::shared_ptr<const ProgramStretches> m_stretches;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_ORDER_H */
