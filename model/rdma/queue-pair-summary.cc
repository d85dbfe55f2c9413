/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-pair-summary.h"

#include "queue-pair-sender.h"

#include <algorithm>

namespace ns3
{

void
QueuePairSummary::Add(const QueuePairSettings& settings, const CongestionState& congestion)
{
    m_windowed |= congestion.GetWindow() != CongestionState::UNLIMITED ||
                  settings.ackEvery > QueuePairSender::MOST_OUTSTANDING / 2;
    m_answerClasses |= 1U << settings.ackClass | 1U << settings.cnpClass;
    m_leastTimeout = std::min(m_leastTimeout, settings.GetTimeout());
    if (congestion.IsPaced())
    {
        m_noTrains = "a queue pair paces its frames";
    }
    else if (settings.selectiveRepeat)
    {
        m_noTrains = "a queue pair repeats selectively";
    }
}

} // namespace ns3
