/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "schedule-channel.h"

#include "ns3/assert.h"

namespace ns3
{

ScheduleChannel::ScheduleChannel(CollectiveSchedule& schedule, uint32_t channel)
    : m_schedule(schedule),
      m_channel(channel)
{
}

uint32_t
ScheduleChannel::Ahead(uint32_t rank, uint32_t steps) const
{
    const CollectiveParameters& all = GetParameters();
    const bool backward = all.bidirectional && m_channel >= all.channels / 2;
    const uint32_t by = steps % all.ranks;
    return (rank + (backward ? all.ranks - by : by)) % all.ranks;
}

uint32_t
ScheduleChannel::Back(uint32_t rank, uint32_t steps) const
{
    return Ahead(rank, GetRanks() - steps % GetRanks());
}

uint32_t
ScheduleChannel::AddChunk(uint32_t home, uint64_t place, uint64_t parts)
{
    const uint32_t channels = GetParameters().channels;
    CollectiveChunk chunk;
    chunk.home = home;
    chunk.to = home;
    chunk.place = place * channels + m_channel;
    chunk.parts = parts * channels;
    return m_schedule.Add(chunk);
}

uint32_t
ScheduleChannel::AddChunkFor(uint32_t from, uint32_t to, uint64_t place, uint64_t parts)
{
    const uint32_t channels = GetParameters().channels;
    return AddPartFor(from, to, place * channels + m_channel, parts * channels);
}

uint32_t
ScheduleChannel::AddPartFor(uint32_t from,
                            uint32_t to,
                            uint64_t place,
                            uint64_t parts,
                            uint64_t span)
{
    const CollectiveParameters& all = GetParameters();
    CollectiveChunk chunk;
    chunk.home = from;
    chunk.to = to;
    chunk.place = place;
    chunk.parts = parts;
    chunk.span = span;
    if (all.demand)
    {
        chunk.ofBuffer = false;
        chunk.whole = all.demand->Get(from, to);
    }
    else
    {
        chunk.place += to * parts;
        chunk.parts *= all.ranks;
    }
    return m_schedule.Add(chunk);
}

std::vector<uint32_t>
ScheduleChannel::AddShares()
{
    std::vector<uint32_t> shares;
    for (uint32_t rank = 0; rank < GetRanks(); ++rank)
    {
        shares.push_back(AddChunk(rank, rank, GetRanks()));
    }
    return shares;
}

void
ScheduleChannel::Copy(uint32_t round,
                      uint32_t from,
                      uint32_t to,
                      uint32_t chunk,
                      CollectiveTransfer::Wires wires)
{
    Send(round, from, to, chunk, CollectiveTransfer::Action::COPY, wires);
}

void
ScheduleChannel::Reduce(uint32_t round,
                        uint32_t from,
                        uint32_t to,
                        uint32_t chunk,
                        CollectiveTransfer::Wires wires)
{
    Send(round, from, to, chunk, CollectiveTransfer::Action::REDUCE, wires);
}

void
ScheduleChannel::Send(uint32_t round,
                      uint32_t from,
                      uint32_t to,
                      uint32_t chunk,
                      CollectiveTransfer::Action action,
                      CollectiveTransfer::Wires wires)
{
    if (GetParameters().perServer == GetRanks()) // the whole group is in a server
    {
        wires = CollectiveTransfer::Wires::SCALE_UP;
    }
    CollectiveTransfer
        transfer{from, to, chunk, 0, round, static_cast<uint16_t>(m_channel), action, wires};
    if (const Arrivals* its = m_arrivals.Find(from, chunk))
    {
        transfer.needs = its->before + (its->round < round ? its->latest : 0);
    }
    Arrivals& there = m_arrivals.Get(to, chunk);
    NS_ASSERT_MSG(transfer.round >= there.round, "rounds come in order");
    if (there.round < transfer.round)
    {
        there.before += there.latest;
        there.latest = 0;
        there.round = transfer.round;
    }
    ++there.latest;
    m_schedule.Add(transfer);
}

} // namespace ns3
