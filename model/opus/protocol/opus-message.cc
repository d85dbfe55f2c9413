/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-message.h"

namespace ns3
{

const char*
ToString(OpusMessage::Type type)
{
    switch (type)
    {
    case OpusMessage::Type::REGISTER_GROUP:
        return "register-group";
    case OpusMessage::Type::REQUEST:
        return "request";
    case OpusMessage::Type::GRANT:
        return "grant";
    case OpusMessage::Type::REFUSE:
        return "refuse";
    case OpusMessage::Type::RELEASE:
        return "release";
    case OpusMessage::Type::PROGRAM:
        return "program";
    case OpusMessage::Type::DONE:
        return "done";
    case OpusMessage::Type::ALARM:
        return "alarm";
    case OpusMessage::Type::HEARTBEAT:
        return "heartbeat";
    case OpusMessage::Type::CLAIM:
        return "claim";
    case OpusMessage::Type::RECALL:
        return "recall";
    case OpusMessage::Type::LEAVE:
        return "leave";
    case OpusMessage::Type::ACCEPT:
        return "accept";
    case OpusMessage::Type::TERM:
        return "term";
    case OpusMessage::Type::HOLD:
        return "hold";
    case OpusMessage::Type::JOIN:
        return "join";
    }
    return "unknown";
}

} // namespace ns3
