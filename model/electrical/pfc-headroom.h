/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PFC_HEADROOM_H
#define PHOTONIC_RAILS_PFC_HEADROOM_H

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The headroom of a lossless class at a port of a packet switch, in bytes.
 *
 * It holds the frames that arrive between the crossing of a threshold and the effect of the pause:
 * - the frame that crosses it;
 * - the bytes that the peer sends at its full rate while the pause frame waits for the frame that
 *   has just begun at this port, is sent behind pause frames for the other classes, and passes the
 *   fiber;
 * - the bytes within the reaction time of the peer, and the frame it has just begun;
 * - the bytes in the fiber, or in the switch before their queue;
 * - one frame because frames arrive whole.
 *
 * Plain C++: no simulator.
 */
class PfcHeadroom
{
  public:
    /**
     * @param largestFrame in bytes, without preamble and gap
     * @param losslessClasses a bit for each class whose senders are paused
     */
    PfcHeadroom(uint32_t largestFrame, uint8_t losslessClasses);

    /**
     * @param bitsPerSecond rate of the port and of its peer
     * @param wait the time for which the peer goes on and its bytes are under way: both ways
     *        through the fiber, the switching delay, and the reaction of the peer
     * @return the bytes for each lossless class
     */
    uint64_t GetBytes(uint64_t bitsPerSecond, Picoseconds wait) const;

    /**
     * A pause is repeated at half of its span. The repetition has to leave before the pause ends,
     * behind a frame and the pause frames of all classes.
     * @param quanta of the pause
     * @return whether it does
     */
    bool CanRepeat(uint16_t quanta) const;

    /** @return quanta that are enough for that */
    uint64_t GetEnoughQuanta() const;

  private:
    /** @return the bits that may leave before the repetition */
    uint64_t GetBitsAhead() const;

    uint64_t m_frame;   //!< bytes of the largest frame, with preamble and gap
    uint32_t m_classes; //!< number of lossless classes
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PFC_HEADROOM_H */
