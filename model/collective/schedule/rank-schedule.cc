/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-schedule.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ns3
{

namespace
{

/** Numbers the slots and ways of a part in the order in which they first occur. */
class PartNumbers
{
  public:
    using Slots = std::vector<RankSchedule::Slot>;
    using Ways = std::vector<RankSchedule::Way>;

    /** @return the number of the slot of a chunk, which is created if it is new */
    uint32_t SlotOf(Slots& slots, uint32_t chunk)
    {
        const auto [place, isNew] = m_slots.try_emplace(chunk, slots.size());
        if (isNew)
        {
            slots.push_back({chunk, {}, {}});
        }
        return place->second;
    }

    /** @return the number of a way, which is created if it is new */
    uint32_t WayOf(Ways& ways, bool out, uint32_t peer, uint16_t channel, RankSchedule::Wires wires)
    {
        const auto [place, isNew] = m_ways.try_emplace({out, peer, channel, wires}, ways.size());
        if (isNew)
        {
            ways.push_back({peer, channel, wires, {}});
        }
        return place->second;
    }

  private:
    std::unordered_map<uint32_t, uint32_t> m_slots; //!< by chunk
    std::map<std::tuple<bool, uint32_t, uint16_t, RankSchedule::Wires>, uint32_t> m_ways;
};

} // namespace

RankSchedule::RankSchedule(std::shared_ptr<const CollectiveSchedule> all, uint32_t rank)
    : schedule(std::move(all))
{
    PartNumbers numbers;
    for (const uint32_t place : schedule->GetTransfersOf(rank))
    {
        const CollectiveTransfer& it = schedule->GetTransfers()[place];
        Transfer transfer;
        transfer.chunk = it.chunk;
        transfer.slot = numbers.SlotOf(slots, it.chunk);
        transfer.needs = it.needs;
        transfer.stage = schedule->GetStageOf(it.round);
        const bool out = it.from == rank;
        std::vector<Way>& ways = out ? waysOut : waysIn;
        std::vector<Transfer>& transfers = out ? outgoing : incoming;
        transfer.way = numbers.WayOf(ways, out, out ? it.to : it.from, it.channel, it.wires);
        ways[transfer.way].transfers.push_back(transfers.size());
        Slot& slot = slots[transfer.slot];
        (out ? slot.outgoing : slot.incoming).push_back(transfers.size());
        transfers.push_back(transfer);
        if (it.wires == Wires::RAIL && (stages.empty() || stages.back() != transfer.stage))
        {
            stages.push_back(transfer.stage);
        }
    }
    std::sort(stages.begin(), stages.end()); // channels are added one after another
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    if (schedule->KeepsRounds())
    {
        FindTurns(rank);
    }
}

void
RankSchedule::FindTurns(uint32_t rank)
{
    /** What there is of a turn in rounds before the present one. */
    struct Earlier
    {
        uint32_t round{0};
        uint32_t in{0};
        uint32_t out{0};
    };

    std::map<uint16_t, uint32_t> turnOf; // by channel
    std::vector<Earlier> earlier;        // by turn
    uint32_t out = 0;
    uint32_t in = 0;
    for (const uint32_t place : schedule->GetTransfersOf(rank))
    {
        const CollectiveTransfer& it = schedule->GetTransfers()[place];
        const auto [found, isNew] = turnOf.try_emplace(it.channel, turns.size());
        const uint32_t turn = found->second;
        if (isNew)
        {
            turns.push_back({it.channel, {}, {}});
            earlier.emplace_back();
        }
        Earlier& before = earlier[turn];
        if (it.round != before.round) // a channel's rounds come in order
        {
            before.round = it.round;
            before.in = turns[turn].incoming.size();
            before.out = turns[turn].outgoing.size();
        }
        const bool isOut = it.from == rank;
        Transfer& transfer = isOut ? outgoing[out] : incoming[in];
        transfer.turn = turn;
        transfer.afterIn = isOut ? before.in : 0;
        transfer.afterOut = isOut ? before.out : 0;
        (isOut ? turns[turn].outgoing : turns[turn].incoming).push_back(isOut ? out : in);
        ++(isOut ? out : in);
    }
}

std::shared_ptr<const RankSchedule>
RankSchedule::Get(const std::shared_ptr<const CollectiveSchedule>& schedule, uint32_t rank)
{
    schedule->m_parts.resize(schedule->GetParameters().ranks);
    std::weak_ptr<const RankSchedule>& place = schedule->m_parts.at(rank);
    std::shared_ptr<const RankSchedule> part = place.lock();
    if (!part)
    {
        part = std::make_shared<const RankSchedule>(schedule, rank);
        place = part;
    }
    return part;
}

} // namespace ns3
