/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-exchange.h"

#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Wires = CollectiveTransfer::Wires;

constexpr uint32_t NONE = UINT32_MAX;

/** The exchange on one channel. */
class RingExchange
{
  public:
    RingExchange(ScheduleChannel& channel, uint32_t perServer)
        : m_channel(channel),
          m_all(channel.GetParameters()),
          m_perServer(perServer),
          m_servers(m_all.ranks / perServer),
          m_longest(m_all.bidirectional ? m_servers / 2 : m_servers - 1),
          m_chunks((m_longest + 1) * m_perServer * m_all.ranks, NONE)
    {
    }

    void Write()
    {
        for (uint32_t steps = m_longest; steps > 0; --steps)
        {
            AddData(steps);
        }
        const uint32_t first = m_perServer > 1 ? 1 : 0;
        if (first > 0)
        {
            AddData(0);
            SendInside();
        }
        for (uint32_t round = 0; round < m_longest; ++round)
        {
            for (uint32_t steps = m_longest; steps > round; --steps)
            {
                Forward(first + round, round, steps);
            }
        }
    }

  private:
    /** @return the place of a chunk: the data of a rank for a local rank, some servers ahead */
    uint32_t& At(uint32_t steps, uint32_t from, uint32_t local)
    {
        return m_chunks[(steps * m_all.ranks + from) * m_perServer + local];
    }

    /** @return the rank of a number in the server that is a number of places ahead */
    uint32_t GetRank(uint32_t from, uint32_t steps, uint32_t local) const
    {
        return m_channel.Ahead(from - from % m_perServer + local, steps * m_perServer);
    }

    /** Adds the data for the servers that are a number of steps ahead. */
    void AddData(uint32_t steps)
    {
        // the own server, or both directions are equally short, so each takes its part
        const bool bothWays = !m_all.bidirectional || steps == 0 || 2 * steps == m_servers;
        for (uint32_t from = 0; from < m_all.ranks; ++from)
        {
            for (uint32_t local = 0; local < m_perServer; ++local)
            {
                const uint32_t to = GetRank(from, steps, local);
                if (from == to || !HasDemand(m_all, from, to))
                {
                    continue;
                }
                const uint32_t ways = m_all.channels / 2; // channels in this direction
                At(steps, from, local) =
                    bothWays ? m_channel.AddChunkFor(from, to)
                             : m_channel.AddPartFor(from, to, m_channel.GetChannel() % ways, ways);
            }
        }
    }

    /** Sends all data to the rails of its destinations. */
    void SendInside()
    {
        for (uint32_t from = 0; from < m_all.ranks; ++from)
        {
            // beginning with the next, so that not all send to the first at once
            for (uint32_t other = 1; other < m_perServer; ++other)
            {
                const uint32_t local = (from + other) % m_perServer;
                for (uint32_t steps = 0; steps <= m_longest; ++steps)
                {
                    const uint32_t chunk = At(steps, from, local);
                    if (chunk != NONE)
                    {
                        m_channel.Copy(0, from, GetRank(from, 0, local), chunk, Wires::SCALE_UP);
                    }
                }
            }
        }
    }

    /** Forwards the data with a number of steps in all to the next server. */
    void Forward(uint32_t round, uint32_t done, uint32_t steps)
    {
        for (uint32_t from = 0; from < m_all.ranks; ++from)
        {
            for (uint32_t local = 0; local < m_perServer; ++local)
            {
                const uint32_t chunk = At(steps, from, local);
                if (chunk != NONE)
                {
                    m_channel.Copy(round,
                                   GetRank(from, done, local),
                                   GetRank(from, done + 1, local),
                                   chunk);
                }
            }
        }
    }

    ScheduleChannel& m_channel;
    const CollectiveParameters& m_all;
    uint32_t m_perServer;
    uint32_t m_servers;
    uint32_t m_longest;             //!< way, in servers
    std::vector<uint32_t> m_chunks; //!< by steps, sender and receiver's local rank
};

/** @return how much of the data from a server to another a server sends to its neighbors */
uint64_t
GetForwarded(const CollectiveParameters& all,
             uint32_t servers,
             uint32_t server,
             const std::pair<uint32_t, uint32_t>& fromTo,
             uint64_t bytes)
{
    const auto& [from, to] = fromTo;
    const uint32_t up = (to + servers - from) % servers;
    const uint32_t down = (servers - up) % servers;
    const bool isOnWayUp = (server + servers - from) % servers < up;
    const bool isOnWayDown = (from + servers - server) % servers < down;
    const uint64_t goesUp = !all.bidirectional || up < down ? bytes : up == down ? bytes / 2 : 0;
    return (isOnWayUp ? goesUp : 0) + (isOnWayDown ? bytes - goesUp : 0);
}

} // namespace

bool
HasDemand(const CollectiveParameters& parameters, uint32_t from, uint32_t to)
{
    return !parameters.demand || parameters.demand->Get(from, to) > 0;
}

void
WriteRingExchange(ScheduleChannel& channel, uint32_t perServer)
{
    RingExchange(channel, perServer).Write();
}

uint64_t
GetRingExchangeBytes(const CollectiveParameters& parameters,
                     uint32_t perServer,
                     uint32_t rank,
                     uint64_t buffer)
{
    const uint32_t servers = parameters.ranks / perServer;
    const uint32_t server = rank / perServer;
    const auto demand = [&](uint32_t from, uint32_t to) {
        return from == to          ? 0
               : parameters.demand ? parameters.demand->Get(from, to)
                                   : buffer / parameters.ranks;
    };
    uint64_t bytes = 0;
    for (uint32_t to = 0; to < parameters.ranks; ++to)
    {
        if (to % perServer != rank % perServer)
        {
            bytes += demand(rank, to); // inside
            continue;
        }
        for (uint32_t from = 0; from < parameters.ranks; ++from)
        {
            bytes += GetForwarded(parameters,
                                  servers,
                                  server,
                                  {from / perServer, to / perServer},
                                  demand(from, to));
        }
    }
    return bytes;
}

} // namespace ns3
