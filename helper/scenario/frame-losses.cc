/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-losses.h"

#include <utility>

namespace ns3
{

void
FrameLosses::Add(Time at, const std::string& place, const RoceFrame& frame, FrameDropReason reason)
{
    for (Loss& loss : m_losses)
    {
        if (loss.place == place && loss.reason == reason && loss.isData == frame.IsData() &&
            loss.lastPsn + 1 == frame.psn)
        {
            loss.last = at;
            ++loss.lastPsn;
            ++loss.frames;
            return;
        }
    }
    m_losses.push_back({place, reason, frame.IsData(), at, at, frame.psn, frame.psn, 1});
}

std::vector<FrameLosses::Loss>
FrameLosses::Take()
{
    return std::exchange(m_losses, {});
}

} // namespace ns3
