/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_STREAM_OWNER_H
#define PHOTONIC_RAILS_HOST_STREAM_OWNER_H

#include "collective-transport.h"
#include "host-record.h"

#include <string>

namespace ns3
{

class HostIncomingStream;
class HostOutgoingStream;

/** The end of a server to which its streams report the outcomes of messages. */
class HostStreamOwner
{
  public:
    virtual ~HostStreamOwner() = default;

    /** The GPU of the other server has a message of this server. */
    virtual void MessageSettled(const TransportMessage& message) = 0;
    /** A message of this server has failed. @param why the reason, for the sender */
    virtual void MessageFailed(const TransportMessage& message, const std::string& why) = 0;
    /** Takes a complete message. @return the outcome for the receipt */
    virtual HostReceipt::Outcome MessageArrived(const TransportMessage& message) = 0;
    /** A stream has ended. It is inside a call, so it must not be destroyed now. */
    virtual void OutgoingEnded(HostOutgoingStream* stream) = 0;
    /** A stream has ended. It is inside a call, so it must not be destroyed now. */
    virtual void IncomingEnded(HostIncomingStream* stream) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_STREAM_OWNER_H */
