/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_LOSSES_H
#define PHOTONIC_RAILS_FRAME_LOSSES_H

#include "ns3/frame-drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/roce-frame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Combines lost RoCEv2 frames that follow each other: of one place, for one reason, with
 * ascending sequence numbers.
 */
class FrameLosses
{
  public:
    /** Frames in a row that were lost at one place and for one reason. */
    struct Loss
    {
        std::string place;
        FrameDropReason reason;
        bool isData; //!< else ACKs and NAKs
        Time first;  //!< instant of the first loss
        Time last;   //!< instant of the last loss
        uint32_t firstPsn;
        uint32_t lastPsn;
        uint64_t frames;
    };

    /** Adds a lost frame. */
    void Add(Time at, const std::string& place, const RoceFrame& frame, FrameDropReason reason);

    /** Removes all losses. @return them, in the order of their first frames */
    std::vector<Loss> Take();

  private:
    std::vector<Loss> m_losses;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_LOSSES_H */
