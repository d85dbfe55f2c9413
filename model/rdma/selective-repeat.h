/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SELECTIVE_REPEAT_H
#define PHOTONIC_RAILS_SELECTIVE_REPEAT_H

#include "ns3/picoseconds.h"
#include "ns3/ring-queue.h"

#include <cstdint>
#include <map>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The sender's state of selective repeat: of the frames that are sent and not settled, those
 * that the receiver keeps, the lost ones and the repeated ones. Plain C++.
 *
 * The receiver reports each frame that it keeps because others are missing before it, as in IRN
 * (Mittal et al.: Revisiting network support for RDMA, SIGCOMM 2018). Frames of a queue pair do not
 * overtake one another. So a frame that went on the wire before a kept frame, and is not kept
 * itself, is lost. This holds for frames that were sent once and for repeated frames. IRN leaves
 * the latter to a timeout.
 *
 * A report that arrives before the last bit of the frame's latest copy has left refers to an
 * earlier copy, and gives no information on the frames in between.
 *
 * All lost frames are sent again, lowest first. A lost report does no harm: its frame counts as
 * lost and is sent again.
 */
class SelectiveRepeat
{
  public:
    static constexpr uint64_t NO_FRAME = ~uint64_t{0};

    /** @return the lowest frame that is lost and was not sent again since; NO_FRAME if none is */
    uint64_t GetFirstLost() const
    {
        return m_lost.empty() ? NO_FRAME : m_lost.begin()->first;
    }

    /** @param frame not settled @return whether the receiver is known to keep it */
    bool IsKept(uint64_t frame) const;

    /**
     * @param frame not settled
     * @return whether it is in flight, as far as the sender can determine
     */
    bool IsOnItsWay(uint64_t frame) const
    {
        return frame >= m_known || m_again.count(frame) > 0;
    }

    /** All frames before one are settled. */
    void Settle(uint64_t frame);

    /** The receiver keeps a frame. @param now the instant of the report */
    void Keep(uint64_t frame, Picoseconds now);

    /**
     * A timeout has expired: all frames that are not known to be kept are lost.
     * @param sent all frames before it have been sent
     */
    void LoseAll(uint64_t sent);

    /**
     * A frame goes on the wire again.
     * @param frame no effect if it is not lost any more
     * @param sent all frames before it have been sent for the first time
     * @param last the instant of its last bit
     */
    void SendAgain(uint64_t frame, uint64_t sent, Picoseconds last);

  private:
    /** A frame that was sent again. */
    struct Repeated
    {
        uint64_t frame;
        uint64_t next;    //!< the first new frame sent after it
        Picoseconds last; //!< its last bit on the wire
    };

    /** Frames are lost. @param begin the first @param end the frame after the last */
    void Lose(uint64_t begin, uint64_t end);
    /** A frame does not count as lost any more. @return whether it did */
    bool Recover(uint64_t frame);
    /** The oldest repeated frame is lost, unless it is known to be kept. */
    void LoseOldestRepeated();

    uint64_t m_known{0};                  //!< frames from there on have no report
    std::map<uint64_t, uint64_t> m_lost;  //!< to be sent again: begin and end of each range
    std::map<uint64_t, uint64_t> m_again; //!< repeated, not known to be kept: place in m_repeated
    RingQueue<Repeated> m_repeated;       //!< all repeated frames, in the order of sending
    uint64_t m_firstPlace{0};             //!< place of the oldest of them
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SELECTIVE_REPEAT_H */
