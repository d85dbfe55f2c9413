/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_CAPTURE_H
#define PHOTONIC_RAILS_RAIL_CAPTURE_H

#include "frame-digest.h"
#include "frame-pcap.h"

#include "ns3/output-stream-wrapper.h"
#include "ns3/rail-net-device.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the frames of a NIC port into a pcap file with nanosecond timestamps (FramePcap).
 *
 * The timestamp of a sent frame is its first bit at the port; that of a received frame is its last.
 * Preamble and frame check sequence are not captured, as on a real host. The file is complete after
 * Simulator::Destroy().
 *
 * @param prefix of the file's name
 * @param promiscuous whether frames to other addresses are captured too
 * @param explicitFilename whether the prefix is the whole name
 * @param snapLength largest number of captured bytes of a frame
 */
void CaptureToPcap(Ptr<RailNetDevice> nic,
                   const std::string& prefix,
                   bool promiscuous,
                   bool explicitFilename,
                   uint32_t snapLength = FramePcap::WHOLE);

/**
 * @ingroup photonic-rails
 * @brief Writes a line for each frame of a NIC port (FrameCsv). The file is complete after
 * Simulator::Destroy().
 * @param filename of the file
 */
void CaptureToCsv(Ptr<RailNetDevice> nic, const std::string& filename);

/**
 * @ingroup photonic-rails
 * @brief Makes a digest of the frames of a NIC port from now on, to compare simulations.
 * @return the digest; complete after Simulator::Destroy()
 */
std::shared_ptr<FrameDigest> CaptureDigest(Ptr<RailNetDevice> nic);

/**
 * @ingroup photonic-rails
 * @brief Writes ns-3's ASCII trace of a NIC port: + queued, - leaves the queue, d dropped,
 * r received.
 * @param stream null: a file of its own
 * @param prefix of the file's name
 * @param explicitFilename whether the prefix is the whole name
 */
void CaptureToAscii(Ptr<RailNetDevice> nic,
                    Ptr<OutputStreamWrapper> stream,
                    const std::string& prefix,
                    bool explicitFilename);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_CAPTURE_H */
