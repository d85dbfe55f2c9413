/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "answer-queue.h"

#include <cstddef>

namespace ns3
{

RoceFrame
AnswerQueue::Take(Picoseconds seen)
{
    std::size_t newest = 0;
    std::size_t nak = m_answers.size();
    for (std::size_t i = 0; i < m_answers.size() && m_answers[i].ready <= seen; ++i)
    {
        newest = i;
        nak = m_answers[i].frame.syndrome == RoceSyndrome::NAK_SEQUENCE ? i : nak;
    }
    RoceFrame frame = m_answers[newest].frame;
    // an acknowledgement covers those before it; a NAK still counts if no frame beyond the missing
    // one has been settled since
    if (nak < newest && m_answers[nak].frame.psn == ((frame.psn + 1) & RoceFrame::PSN_MASK))
    {
        frame = m_answers[nak].frame;
    }
    m_answers.erase(m_answers.begin(), m_answers.begin() + newest + 1);
    return frame;
}

RoceFrame
AnswerQueue::TakeReport(Picoseconds seen)
{
    std::size_t newest = 0;
    while (newest + 1 < m_answers.size() && m_answers[newest + 1].ready <= seen)
    {
        ++newest;
    }
    // the newest covers those before it: they are sent only if they name a kept frame that is not
    // settled by then
    const RoceFrame& latest = m_answers[newest].frame;
    const uint32_t settled =
        latest.syndrome == RoceSyndrome::NAK_SEQUENCE ? latest.psn : latest.psn + 1;
    std::size_t first = 0;
    while (first < newest && (m_answers[first].frame.syndrome != RoceSyndrome::NAK_SEQUENCE ||
                              ((m_answers[first].frame.msn - settled) & RoceFrame::PSN_MASK) >
                                  RoceFrame::PSN_MASK / 2))
    {
        ++first;
    }
    const RoceFrame frame = m_answers[first].frame;
    m_answers.erase(m_answers.begin(), m_answers.begin() + first + 1);
    return frame;
}

} // namespace ns3
