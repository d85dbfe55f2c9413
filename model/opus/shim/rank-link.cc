/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-link.h"

#include <utility>

namespace ns3
{

RankLink::RankLink(Time latency, std::shared_ptr<const Cabling> cabling)
    : m_codec(std::move(cabling)),
      m_links(ProcessLinks::Get()),
      m_listener(m_links->Listen(latency, [this](ByteReader& bytes) { Take(bytes); }))
{
}

void
RankLink::Add(Ptr<OpusBroker> broker)
{
    m_brokers[broker->GetRank()] = broker;
}

void
RankLink::Clear()
{
    m_links->StopListening(m_listener);
    m_brokers.clear();
}

void
RankLink::Take(ByteReader& bytes)
{
    const auto rank = bytes.Take<RankId>();
    Methods::Take(m_codec, bytes, *m_brokers.at(rank));
}

} // namespace ns3
