/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-kind.h"

#include "ns3/ethernet-frame.h"
#include "ns3/pause-frame-header.h"

namespace ns3
{

FrameKind
KindOf(RoceOpcode opcode)
{
    switch (opcode)
    {
    case RoceOpcode::SEND_FIRST:
        return FrameKind::SEND_FIRST;
    case RoceOpcode::SEND_MIDDLE:
        return FrameKind::SEND_MIDDLE;
    case RoceOpcode::SEND_LAST:
        return FrameKind::SEND_LAST;
    case RoceOpcode::SEND_ONLY:
        return FrameKind::SEND_ONLY;
    case RoceOpcode::WRITE_FIRST:
        return FrameKind::WRITE_FIRST;
    case RoceOpcode::WRITE_MIDDLE:
        return FrameKind::WRITE_MIDDLE;
    case RoceOpcode::WRITE_LAST:
        return FrameKind::WRITE_LAST;
    case RoceOpcode::WRITE_LAST_WITH_IMMEDIATE:
        return FrameKind::WRITE_LAST_WITH_IMMEDIATE;
    case RoceOpcode::WRITE_ONLY:
        return FrameKind::WRITE_ONLY;
    case RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE:
        return FrameKind::WRITE_ONLY_WITH_IMMEDIATE;
    case RoceOpcode::ACKNOWLEDGE:
        return FrameKind::ACKNOWLEDGE;
    case RoceOpcode::CNP:
        return FrameKind::CNP;
    }
    return FrameKind::HOST;
}

FrameKind
KindOf(const WireFrame& frame, const RoceFrame& roce)
{
    if (!frame.packet)
    {
        return KindOf(roce.opcode);
    }
    return frame.destination == PauseFrameHeader::GetDestination() ? FrameKind::PAUSE
                                                                   : FrameKind::HOST;
}

uint32_t
PayloadOf(const WireFrame& frame, const RoceFrame& roce)
{
    return frame.packet ? frame.packet->GetSize() - EthernetFrame::HEADER : roce.payload;
}

const char*
ToString(FrameKind kind)
{
    switch (kind)
    {
    case FrameKind::SEND_FIRST:
        return "send-first";
    case FrameKind::SEND_MIDDLE:
        return "send-middle";
    case FrameKind::SEND_LAST:
        return "send-last";
    case FrameKind::SEND_ONLY:
        return "send-only";
    case FrameKind::WRITE_FIRST:
        return "write-first";
    case FrameKind::WRITE_MIDDLE:
        return "write-middle";
    case FrameKind::WRITE_LAST:
        return "write-last";
    case FrameKind::WRITE_LAST_WITH_IMMEDIATE:
        return "write-last-with-immediate";
    case FrameKind::WRITE_ONLY:
        return "write-only";
    case FrameKind::WRITE_ONLY_WITH_IMMEDIATE:
        return "write-only-with-immediate";
    case FrameKind::ACKNOWLEDGE:
        return "acknowledge";
    case FrameKind::CNP:
        return "cnp";
    case FrameKind::PAUSE:
        return "pause";
    case FrameKind::HOST:
        return "host";
    }
    return "unknown";
}

} // namespace ns3
