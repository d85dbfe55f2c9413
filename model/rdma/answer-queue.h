/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANSWER_QUEUE_H
#define PHOTONIC_RAILS_ANSWER_QUEUE_H

#include "ns3/picoseconds.h"
#include "ns3/roce-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The acknowledgements, or the congestion notifications, of one queue pair that wait to be
 * sent, oldest first.
 *
 * One frame answers for all that are ready at its instant. There is nearly always none or one.
 *
 * Plain C++: no simulator.
 */
class AnswerQueue
{
  public:
    /** @return whether no answer waits */
    bool IsEmpty() const
    {
        return m_answers.empty();
    }

    /** @return whether an answer may be sent, by the state at the end of an instant */
    bool IsReady(Picoseconds seen) const
    {
        return !m_answers.empty() && m_answers.front().ready <= seen;
    }

    /** @return the size of the frame to send, with preamble and gap; there must be an answer */
    uint32_t GetWireBytes() const
    {
        return m_answers.front().frame.GetWireBytes();
    }

    /**
     * Adds an answer.
     * @param ready the instant from which it may be sent, not before those of earlier ones
     */
    void Push(const RoceFrame& frame, Picoseconds ready)
    {
        m_answers.push_back(Answer{frame, ready});
    }

    /** Removes all answers. */
    void Clear()
    {
        m_answers.clear();
    }

    /**
     * Removes all answers that are ready. There must be one.
     * @return the newest of them, which covers the others; or a NAK that is not superseded
     */
    RoceFrame Take(Picoseconds seen);

    /**
     * The same with selective repeat, where each NAK names another frame that the receiver keeps:
     * the answers behind the one that is returned stay.
     * @return the oldest NAK that names a kept frame beyond the settled ones, or the newest answer
     */
    RoceFrame TakeReport(Picoseconds seen);

  private:
    /** An answer and the instant from which it may be sent. */
    struct Answer
    {
        RoceFrame frame;
        Picoseconds ready;
    };

    std::vector<Answer> m_answers;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANSWER_QUEUE_H */
