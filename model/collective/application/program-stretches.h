/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_STRETCHES_H
#define PHOTONIC_RAILS_PROGRAM_STRETCHES_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

class ProgramOrder;
class RankProgram;

/** Operations that follow each other on one stream. */
struct ProgramStretch
{
    std::vector<uint32_t> operations; //!< their numbers, in order
    uint32_t group{0};                //!< of all that are collective, by its number in the program
    std::size_t firstCollective{0};   //!< the first of these, by its place here
    uint32_t shape{0};                //!< the same for stretches that do the same

    /** @return the number of the first collective operation */
    uint32_t GetFirstCollective() const
    {
        return operations[firstCollective];
    }
};

/**
 * @ingroup photonic-rails
 * @brief The stretches of a program: on one stream, computations and collective operations of one
 * group, from the first of which nothing outside depends on any but the last, and which depend on
 * nothing outside but before the first.
 *
 * So what a rank does in one follows from the instant at which it begins and from the other ranks
 * of the group. Stretches are as long as they can be, and have two collective operations or more.
 *
 * Plain C++. It does not change.
 */
class ProgramStretches
{
  public:
    /** The number of no stretch. */
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    ProgramStretches(const RankProgram& program, const ProgramOrder& order);

    /** @return the stretch that begins with an operation; null: none does */
    const ProgramStretch* FindAt(uint32_t operation) const
    {
        const uint32_t stretch = m_at[operation];
        return stretch == NONE ? nullptr : &m_stretches[stretch];
    }

    /** @return all, by stream */
    const std::vector<ProgramStretch>& GetAll() const
    {
        return m_stretches;
    }

    /** @return the number of shapes */
    uint32_t GetShapes() const
    {
        return m_shapes;
    }

  private:
    std::vector<ProgramStretch> m_stretches;
    std::vector<uint32_t> m_at; //!< by operation: the stretch that begins with it
    uint32_t m_shapes{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_STRETCHES_H */
