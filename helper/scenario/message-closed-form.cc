/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-closed-form.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

MessageClosedForm::Wide
MessageClosedForm::GetWireBytes() const
{
    // preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, check sequence 4, gap 12
    const uint64_t around = 82;
    const uint64_t reth = 16;
    const uint64_t immediate = 4;
    const uint64_t shortest = 84; // of an Ethernet frame, preamble and gap included
    const uint64_t wireMessage = uint64_t{1} << 30; // longer messages are several to the peer
    const uint64_t frames = bytes == 0 ? 1 : (bytes - 1) / mtu + 1;
    const uint64_t wireMessages = bytes == 0 ? 1 : (bytes - 1) / wireMessage + 1;
    Wide sum = Wide{frames} * around + (bytes + 3) / 4 * 4; // only the last payload is padded
    if (verb != RdmaVerb::SEND)
    {
        sum += Wide{wireMessages} * reth;
    }
    if (verb == RdmaVerb::WRITE_WITH_IMMEDIATE)
    {
        sum += immediate;
    }
    return frames == 1 ? std::max<Wide>(sum, shortest) : sum;
}

Time
MessageClosedForm::GetTime() const
{
    const uint64_t gap = 12;
    const Wide bits = 8 * (GetWireBytes() - gap);
    const Wide bitRate = rate.GetBitRate();
    const Wide picoseconds = (bits * 1'000'000'000'000 + bitRate - 1) / bitRate +
                             2 * static_cast<uint64_t>(fiberDelay.GetTimeStep());
    return ToTime(static_cast<Picoseconds>(std::min<Wide>(picoseconds, NEVER)));
}

} // namespace ns3
