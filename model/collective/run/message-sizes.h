/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_SIZES_H
#define PHOTONIC_RAILS_MESSAGE_SIZES_H

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"

#include <cstdint>
#include <map>

namespace ns3
{

/**
 * Lists the messages of a chunk, of which all but the last have the message size.
 * @param buffer bytes of the buffer
 * @param messageSize the largest size of a message, in bytes of data
 * @return their sizes on wires, and how many have each
 */
std::map<uint64_t, uint64_t> ListMessageSizes(const CollectiveSchedule& schedule,
                                              uint32_t chunk,
                                              uint64_t buffer,
                                              uint64_t messageSize,
                                              CollectiveProtocol protocol);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_SIZES_H */
