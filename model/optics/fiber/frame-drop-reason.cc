/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-drop-reason.h"

namespace ns3
{

const char*
ToString(FrameDropReason reason)
{
    switch (reason)
    {
    case FrameDropReason::NO_CIRCUIT:
        return "no-circuit";
    case FrameDropReason::CUT:
        return "cut";
    case FrameDropReason::OTHER_CIRCUIT:
        return "other-circuit";
    case FrameDropReason::NO_ROUTE:
        return "no-route";
    case FrameDropReason::BUFFER_FULL:
        return "buffer-full";
    case FrameDropReason::FIBER_CUT:
        return "fiber-cut";
    case FrameDropReason::TRANSMISSION_ERROR:
        return "transmission-error";
    case FrameDropReason::NO_LOCK:
        return "no-lock";
    case FrameDropReason::WRONG_DESTINATION:
        return "wrong-destination";
    case FrameDropReason::NO_RECEIVER:
        return "no-receiver";
    case FrameDropReason::QUEUE_FULL:
        return "queue-full";
    case FrameDropReason::NO_CARRIER:
        return "no-carrier";
    case FrameDropReason::OVERSIZED:
        return "oversized";
    }
    return "unknown";
}

std::ostream&
operator<<(std::ostream& os, FrameDropReason reason)
{
    return os << ToString(reason);
}

} // namespace ns3
