/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONGESTION_MARK_H
#define PHOTONIC_RAILS_CONGESTION_MARK_H

#include "ns3/wire-frame.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes Congestion Experienced into an ECN-capable frame (RFC 3168).
 *
 * An offload's frame has its headers as fields. A packet gets a new IPv4 header, with its checksum
 * if ns-3 computes checksums; other references to the packet keep the old one. Other packets, IPv6
 * among them, are never marked.
 *
 * @return false if the frame does not change: no IPv4, not ECN-capable, or marked before
 */
bool MarkCongestion(WireFrame& frame);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONGESTION_MARK_H */
