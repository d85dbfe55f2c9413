/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_RUN_H
#define PHOTONIC_RAILS_FRAME_RUN_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Consecutive frames of one queue pair, equal in size but for the last.
 *
 * An offload and a NIC exchange runs. A single frame is a run with a count of 1.
 */
struct FrameRun
{
    uint32_t id{0};            //!< the queue pair, 1 or more (0 is the host stack)
    uint64_t first{0};         //!< ordinal, in that queue pair, of the run's first frame
    uint64_t count{0};         //!< number of frames
    uint32_t wireBytes{0};     //!< size of each frame but the last, with preamble and gap
    uint32_t lastWireBytes{0}; //!< size of the last frame, with preamble and gap
    bool alone{false};         //!< no other queue pair of that class has anything to send
    bool wrapped{false};       //!< its turn comes before that of the number served last

    /** @return the run's size on the wire, preambles and gaps included */
    uint64_t GetWireBytes() const
    {
        return count == 0 ? 0 : (count - 1) * wireBytes + lastWireBytes;
    }

    /**
     * @param frames a number of frames, at most the count
     * @return the run of the first frames
     */
    FrameRun Head(uint64_t frames) const
    {
        FrameRun head = *this;
        head.count = frames;
        head.lastWireBytes = frames == count ? lastWireBytes : wireBytes;
        return head;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_RUN_H */
