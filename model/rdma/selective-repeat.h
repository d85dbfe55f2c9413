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
 * @brief What a sender knows of the frames that it has sent and that are not settled: which of them
 * the receiver keeps, which are lost, which were sent again. For selective repeat. Plain C++.
 *
 * The receiver reports each frame that it keeps because others are missing before it, as in IRN
 * (Mittal et al.: Revisiting network support for RDMA, SIGCOMM 2018). Frames of a queue pair do not
 * overtake one another. So what went on the wire before a frame that is kept, and is not kept
 * itself, is lost: frames that were sent once, and frames that were sent again. IRN leaves the
 * latter to a timeout.
 *
 * A report that is there before the last bit of the frame's latest copy has left is of an earlier
 * copy, and says nothing of what was sent in between.
 *
 * All lost frames are to be sent again, lowest first. A report that is lost does no harm: its frame
 * is taken for lost and goes again.
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

    /** @param frame not settled @return whether it is on its way, for all that is known */
    bool IsOnItsWay(uint64_t frame) const
    {
        return frame >= m_known || m_again.count(frame) > 0;
    }

    /** All frames before one are settled. */
    void Settle(uint64_t frame);

    /** The receiver keeps a frame. @param now when that is known */
    void Keep(uint64_t frame, Picoseconds now);

    /**
     * No answer came in time: what is not known to be kept is lost.
     * @param sent all frames before it have been sent
     */
    void LoseAll(uint64_t sent);

    /**
     * A frame goes on the wire again.
     * @param frame it; nothing happens if it is not lost any more
     * @param sent all frames before it have been sent for the first time
     * @param last when its last bit goes on the wire
     */
    void SendAgain(uint64_t frame, uint64_t sent, Picoseconds last);

  private:
    /** A frame that was sent again. */
    struct Repeated
    {
        uint64_t frame;
        uint64_t next;    //!< the first that was sent for the first time after that
        Picoseconds last; //!< bit, on the wire
    };

    /** Frames are lost. @param begin the first @param end the one behind the last */
    void Lose(uint64_t begin, uint64_t end);
    /** A frame is not lost. @return whether it was thought to be */
    bool Find(uint64_t frame);
    /** The frame that was sent again longest ago is lost, unless it is known to be kept. */
    void LoseOldestRepeated();

    uint64_t m_known{0};                  //!< of frames from there on nothing is known
    std::map<uint64_t, uint64_t> m_lost;  //!< to be sent again: begin and end of each range
    std::map<uint64_t, uint64_t> m_again; //!< sent again, not known to be kept: at which place
    RingQueue<Repeated> m_repeated;       //!< all that were sent again, in that order
    uint64_t m_firstPlace{0};             //!< of the oldest of them
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SELECTIVE_REPEAT_H */
