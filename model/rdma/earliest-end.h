/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EARLIEST_END_H
#define PHOTONIC_RAILS_EARLIEST_END_H

#include "queue-pair-sender.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A lower bound of the bytes that a port sends until a message ends, of queue pairs of one
 * class that are served in turn.
 *
 * Between two frames of one queue pair, each other queue pair with work sends once, at least an
 * answer. The bound counts these frames for a few queue pairs; among more it is the bytes of the
 * queue pair that has the least to send.
 *
 * Plain C++: no simulator.
 */
class EarliestEnd
{
  public:
    static constexpr std::size_t FEW = 16; //!< few enough to compare all pairs

    /** Adds a queue pair with data to send. */
    void Add(const QueuePairSender::Ahead& ahead);

    /**
     * @param answers whether answers go in the class of the data, in place of data
     * @return bytes on the wire, or BatchOffload::Outlook::NOTHING without a queue pair
     */
    uint64_t GetBytes(bool answers) const;

  private:
    std::array<QueuePairSender::Ahead, FEW> m_few;
    std::size_t m_count{0};
    uint64_t m_least{BatchOffload::Outlook::NOTHING}; //!< bytes of the one with the least
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EARLIEST_END_H */
