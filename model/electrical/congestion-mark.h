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
 * @brief Writes Congestion Experienced into a frame whose sender understands that (RFC 3168).
 *
 * An offload's frame has its headers at hand. Of a packet the IPv4 header is written anew, with its
 * checksum if ns-3 computes checksums; the packet of whoever else holds it stays as it is. Other
 * packets, IPv6 among them, are never marked.
 *
 * @return false if it stays as it is: no IPv4, not ECN-capable, or marked before
 */
bool MarkCongestion(WireFrame& frame);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONGESTION_MARK_H */
