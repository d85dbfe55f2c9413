/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_SUMMARY_H
#define PHOTONIC_RAILS_QUEUE_PAIR_SUMMARY_H

#include "congestion-state.h"
#include "queue-pair-settings.h"

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The properties of all queue pairs of a port together, as far as packet trains depend on
 * them.
 *
 * Plain C++: no simulator.
 */
class QueuePairSummary
{
  public:
    /** The port has another queue pair. */
    void Add(const QueuePairSettings& settings, const CongestionState& congestion);

    /** @return whether a queue pair may wait for its window */
    bool IsWindowed() const
    {
        return m_windowed;
    }

    /** @return whether answers may go in a class */
    bool HasAnswersIn(uint32_t trafficClass) const
    {
        return (m_answerClasses >> trafficClass & 1U) != 0;
    }

    /** @return the shortest timeout */
    Picoseconds GetLeastTimeout() const
    {
        return m_leastTimeout;
    }

    /** @return the reason for which the port never sends in trains, or null */
    const char* GetWhyNoTrains() const
    {
        return m_noTrains;
    }

  private:
    bool m_windowed{false};
    uint32_t m_answerClasses{0}; //!< a bit for each class of answers
    Picoseconds m_leastTimeout{NEVER};
    const char* m_noTrains{nullptr};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_SUMMARY_H */
