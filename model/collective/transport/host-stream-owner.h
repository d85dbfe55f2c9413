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

    /** The other server has had a message of ours for its GPU. @param message it */
    virtual void MessageSettled(const TransportMessage& message) = 0;
    /** A message of ours is given up. @param why for the sender */
    virtual void MessageFailed(const TransportMessage& message, const std::string& why) = 0;
    /** A message is here, whole. @return what to answer @param message it */
    virtual HostReceipt::Outcome MessageArrived(const TransportMessage& message) = 0;
    /** A stream has come to its end; it is in the middle of a call. @param stream it */
    virtual void OutgoingEnded(HostOutgoingStream* stream) = 0;
    /** A stream has come to its end; it is in the middle of a call. @param stream it */
    virtual void IncomingEnded(HostIncomingStream* stream) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_STREAM_OWNER_H */
