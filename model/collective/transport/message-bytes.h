/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_BYTES_H
#define PHOTONIC_RAILS_MESSAGE_BYTES_H

#include "collective-transport.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

namespace ns3
{

/** Puts what is known of a message, for another process of a distributed simulation. */
void PutMessage(ByteWriter& bytes, const TransportMessage& message);

/** @return the message of PutMessage() */
TransportMessage TakeMessage(ByteReader& bytes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_BYTES_H */
