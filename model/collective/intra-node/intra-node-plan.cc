/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-plan.h"

#include "ns3/collective-run.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/** Numbers that are given to keys in the order in which these first occur. */
class Numbers
{
  public:
    /** @return the number of a key, and whether it is new */
    std::pair<uint32_t, bool> Get(uint64_t key)
    {
        const auto [place, isNew] = m_numbers.try_emplace(key, m_numbers.size());
        return {place->second, isNew};
    }

  private:
    std::unordered_map<uint64_t, uint32_t> m_numbers;
};

/** The cell of the rounds of a place's channel, while the schedule is read. */
struct RoundCell
{
    uint32_t cell;
    uint32_t round;   //!< of the last transfer
    uint32_t earlier; //!< messages before that round
    uint32_t awaited; //!< of these, those for which a later one is known to wait
};

/** Sets of places. */
class PlaceSets
{
  public:
    PlaceSets(std::size_t sets, std::size_t places)
        : m_words((places + 63) / 64),
          m_bits(sets * m_words)
    {
    }

    void Add(std::size_t set, uint32_t place)
    {
        m_bits[set * m_words + place / 64] |= uint64_t{1} << place % 64;
    }

    void Unite(std::size_t set, std::size_t other)
    {
        for (std::size_t word = 0; word < m_words; ++word)
        {
            m_bits[set * m_words + word] |= m_bits[other * m_words + word];
        }
    }

    bool IsFull(std::size_t set, std::size_t places) const
    {
        for (std::size_t place = 0; place < places; ++place)
        {
            if ((m_bits[set * m_words + place / 64] >> place % 64 & 1) == 0)
            {
                return false;
            }
        }
        return true;
    }

  private:
    std::size_t m_words;
    std::vector<uint64_t> m_bits;
};

} // namespace

IntraNodePlan::IntraNodePlan(const CollectiveSchedule& schedule,
                             uint64_t buffer,
                             uint64_t messageSize,
                             CollectiveProtocol protocol)
    : m_places(schedule.GetParameters().ranks),
      m_keepsRounds(schedule.KeepsRounds())
{
    Numbers turns;
    std::vector<RoundCell> roundOf; // by turn
    Numbers slots;
    Numbers ways;
    std::vector<uint32_t> cellOf;   // by slot: its first cell
    std::vector<uint32_t> behindOf; // by way: the next ordinal
    std::vector<CollectiveTransfer::Wires> wiresOf;
    const auto findCells = [&](uint32_t place, uint32_t chunk, uint64_t pieces) {
        const auto [slot, isNew] = slots.Get(uint64_t{place} << 32 | chunk);
        if (isNew)
        {
            cellOf.push_back(m_cells.size());
            m_cells.resize(m_cells.size() + pieces);
        }
        return cellOf[slot];
    };
    const auto findTurn =
        [&](uint32_t place, const CollectiveTransfer& transfer, bool isOut) -> RoundCell& {
        const auto [turn, isNew] =
            turns.Get(uint64_t{isOut} << 48 | uint64_t{place} << 16 | transfer.channel);
        if (isNew)
        {
            roundOf.push_back({static_cast<uint32_t>(m_cells.size()), 0, 0, 0});
            m_cells.emplace_back();
        }
        RoundCell& its = roundOf[turn];
        if (its.round != transfer.round)
        {
            its.round = transfer.round;
            its.earlier = m_cells[its.cell].incoming.size();
        }
        return its;
    };
    const auto keepRounds = [&](const CollectiveTransfer& transfer, Message& message) {
        const uint32_t number = m_messages.size();
        message.turnIn = findTurn(transfer.to, transfer, false).cell;
        m_cells[message.turnIn].incoming.push_back(number);
        message.turnOut = findTurn(transfer.from, transfer, true).cell;
        for (const bool isOut : {false, true})
        {
            const RoundCell turn = findTurn(transfer.from, transfer, isOut);
            if (turn.earlier > 0)
            {
                m_cells[turn.cell].outgoing.push_back({number, turn.earlier});
                ++message.waits;
            }
        }
        RoundCell& own = findTurn(transfer.from, transfer, true);
        for (; own.awaited < own.earlier; ++own.awaited)
        {
            m_messages[m_cells[own.cell].incoming[own.awaited]].isAwaited = true;
        }
        m_cells[message.turnOut].incoming.push_back(number);
    };
    for (const CollectiveTransfer& transfer : schedule.GetTransfers())
    {
        const uint64_t bytes = schedule.GetBytes(transfer.chunk, buffer);
        const uint64_t pieces = bytes == 0 ? 1 : (bytes - 1) / messageSize + 1;
        // ranks find the way of an arrival by its sender and channel alone
        const auto [way, isNew] = ways.Get(uint64_t{transfer.from} << 49 |
                                           uint64_t{transfer.to} << 17 | transfer.channel);
        if (isNew)
        {
            behindOf.push_back(0);
            wiresOf.push_back(transfer.wires);
        }
        if (pieces > CollectiveRun::MOST_MESSAGES - behindOf[way] || wiresOf[way] != transfer.wires)
        {
            m_isSpecial = true;
            return;
        }
        const uint32_t cellsFrom = findCells(transfer.from, transfer.chunk, pieces);
        const uint32_t cellsTo = findCells(transfer.to, transfer.chunk, pieces);
        const uint32_t placeOut = m_places[transfer.from].transfersOut++;
        for (uint64_t piece = 0; piece < pieces; ++piece)
        {
            const uint32_t number = m_messages.size();
            Message message;
            message.place = placeOut;
            message.from = transfer.from;
            message.to = transfer.to;
            message.channel = transfer.channel;
            message.ordinal = behindOf[way]++;
            message.cell = cellsTo + piece;
            message.data = std::min(messageSize, bytes - piece * messageSize);
            message.bytes = GetWireBytes(protocol, message.data);
            if (m_keepsRounds)
            {
                keepRounds(transfer, message);
            }
            message.waits += transfer.needs > 0 ? 1 : 0;
            m_messages.push_back(message);
            m_cells[cellsTo + piece].incoming.push_back(number);
            Place& from = m_places[transfer.from];
            Place& to = m_places[transfer.to];
            if (message.waits == 0)
            {
                from.starts.push_back(number);
            }
            if (transfer.needs > 0)
            {
                m_cells[cellsFrom + piece].outgoing.push_back({number, transfer.needs});
            }
            ++from.messagesOut;
            from.bytesOut += message.bytes;
            from.dataOut += message.data;
            ++to.messagesIn;
            to.bytesIn += message.bytes;
            to.dataIn += message.data;
        }
    }
    m_isSpecial = std::any_of(m_places.begin(), m_places.end(), [](const Place& place) {
        return place.messagesOut + place.messagesIn == 0;
    });
    m_needsAll = !m_isSpecial && FindNeedsAll();
}

bool
IntraNodePlan::FindNeedsAll() const
{
    // the calls that a message needs to be sent: by its sender, and those of what it waits for
    using Waits = std::array<std::pair<uint32_t, uint32_t>, 3>; // cell, needs
    std::vector<Waits> waits(m_messages.size());
    for (uint32_t cell = 0; cell < m_cells.size(); ++cell)
    {
        for (const Release& release : m_cells[cell].outgoing)
        {
            Waits& its = waits[release.message];
            its[its[0].second == 0 ? 0 : its[1].second == 0 ? 1 : 2] = {cell, release.needs};
        }
    }
    PlaceSets callsOf(m_messages.size() + m_places.size(), m_places.size());
    for (uint32_t number = 0; number < m_messages.size(); ++number)
    {
        const Message& message = m_messages[number];
        callsOf.Add(number, message.from);
        for (const auto& [cell, needs] : waits[number])
        {
            for (uint32_t one = 0; one < needs && one < m_cells[cell].incoming.size(); ++one)
            {
                callsOf.Unite(number, m_cells[cell].incoming[one]);
            }
        }
    }
    for (uint32_t number = 0; number < m_messages.size(); ++number)
    {
        callsOf.Unite(m_messages.size() + m_messages[number].from, number);
        callsOf.Unite(m_messages.size() + m_messages[number].to, number);
    }
    for (uint32_t place = 0; place < m_places.size(); ++place)
    {
        callsOf.Add(m_messages.size() + place, place);
        if (m_places[place].messagesOut == 0 ||
            !callsOf.IsFull(m_messages.size() + place, m_places.size()))
        {
            return false;
        }
    }
    return true;
}

} // namespace ns3
