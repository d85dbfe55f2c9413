/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_LOSS_H
#define PHOTONIC_RAILS_FRAME_LOSS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The transmission errors in one direction of a wire: which frames are lost.
 *
 * The answer is a pure function of (seed, direction of the wire, ordinal of the frame on it): there
 * is no random state. So any part of a run can be computed in any order, every fidelity loses the
 * same frames, and a retransmission, which has another ordinal, has a draw of its own.
 */
class FrameLoss
{
  public:
    /**
     * @param seed of the run
     * @param wire number of this direction of this wire, unique in the run
     * @param rate share of the frames that are lost, 0 to 1
     */
    FrameLoss(uint64_t seed, uint64_t wire, double rate);

    /**
     * @param ordinal of the frame on the wire in this direction, from 0
     * @return whether the frame is lost
     */
    bool IsLost(uint64_t ordinal) const;

  private:
    uint64_t m_key;       //!< mixed from seed and wire
    uint64_t m_threshold; //!< a draw below it is a loss
    bool m_all;           //!< rate 1 has no threshold in 64 bits
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_LOSS_H */
