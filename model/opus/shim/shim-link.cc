/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-link.h"

#include "ns3/picosecond-resolution.h"

#include <utility>

namespace ns3
{

ShimLink::ShimLink(LocalShim& shim,
                   uint32_t process,
                   Time latency,
                   std::shared_ptr<const Cabling> cabling)
    : m_process(process),
      m_codec(std::move(cabling)),
      m_links(ProcessLinks::Get()),
      // the shim takes calls of an instant when it is over, a picosecond later
      m_listener(m_links->Listen(latency - ToTime(1), [this, &shim](ByteReader& bytes) {
          Methods::Take(m_codec, bytes, shim);
      }))
{
}

void
ShimLink::Clear()
{
    m_links->StopListening(m_listener);
}

} // namespace ns3
