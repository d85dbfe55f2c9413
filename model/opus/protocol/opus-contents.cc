/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-contents.h"

namespace ns3
{

const char*
ToString(OpusMessageType type)
{
    switch (type)
    {
    case OpusMessageType::REGISTER_GROUP:
        return "register-group";
    case OpusMessageType::REQUEST:
        return "request";
    case OpusMessageType::GRANT:
        return "grant";
    case OpusMessageType::REFUSE:
        return "refuse";
    case OpusMessageType::RELEASE:
        return "release";
    case OpusMessageType::PROGRAM:
        return "program";
    case OpusMessageType::DONE:
        return "done";
    case OpusMessageType::ALARM:
        return "alarm";
    case OpusMessageType::HEARTBEAT:
        return "heartbeat";
    case OpusMessageType::CLAIM:
        return "claim";
    case OpusMessageType::RECALL:
        return "recall";
    case OpusMessageType::LEAVE:
        return "leave";
    case OpusMessageType::ACCEPT:
        return "accept";
    case OpusMessageType::TERM:
        return "term";
    case OpusMessageType::HOLD:
        return "hold";
    case OpusMessageType::JOIN:
        return "join";
    case OpusMessageType::WATCH:
        return "watch";
    case OpusMessageType::CARRIER:
        return "carrier";
    case OpusMessageType::FALLBACK:
        return "fallback";
    case OpusMessageType::CALLED:
        return "called";
    case OpusMessageType::LATENESS:
        return "lateness";
    case OpusMessageType::OUTAGE:
        return "outage";
    }
    return "unknown";
}

} // namespace ns3
