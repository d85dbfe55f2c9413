/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_CAPTURE_H
#define PHOTONIC_RAILS_RAIL_CAPTURE_H

#include "ns3/output-stream-wrapper.h"
#include "ns3/rail-net-device.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes what passes a NIC port into a pcap file with nanosecond timestamps.
 *
 * A frame that is sent is stamped with its first bit, one that is received with its last, as the
 * port sees them. Preamble and frame check sequence are not captured, as on a real host.
 *
 * @param nic the port
 * @param prefix of the file's name
 * @param promiscuous whether frames addressed to others are captured too
 * @param explicitFilename whether the prefix is the whole name
 */
void CaptureToPcap(Ptr<RailNetDevice> nic,
                   const std::string& prefix,
                   bool promiscuous,
                   bool explicitFilename);

/**
 * @ingroup photonic-rails
 * @brief Writes ns-3's ASCII trace of a NIC port: + queued, - leaves the queue, d dropped,
 * r received.
 * @param nic the port
 * @param stream where to; null: a file of its own
 * @param prefix of the file's name
 * @param explicitFilename whether the prefix is the whole name
 */
void CaptureToAscii(Ptr<RailNetDevice> nic,
                    Ptr<OutputStreamWrapper> stream,
                    const std::string& prefix,
                    bool explicitFilename);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_CAPTURE_H */
