/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-schedule.h"

#include <algorithm>
#include <map>

namespace ns3
{

RankSchedule::RankSchedule(std::shared_ptr<const CollectiveSchedule> all, uint32_t rank)
    : schedule(std::move(all)),
      m_slotOf(schedule->GetChunks().size())
{
    const auto& stagesOfAll = schedule->GetStages();
    std::vector<uint32_t> stageOf(schedule->GetRounds());
    for (uint32_t s = 0; s < stagesOfAll.size(); ++s)
    {
        for (uint32_t r = stagesOfAll[s].firstRound; r <= stagesOfAll[s].lastRound; ++r)
        {
            stageOf[r] = s;
        }
    }
    for (const CollectiveTransfer& it : schedule->GetTransfers())
    {
        if (it.from != rank && it.to != rank)
        {
            continue;
        }
        Transfer transfer;
        transfer.chunk = it.chunk;
        transfer.slot = SlotOf(it.chunk);
        transfer.needs = it.needs;
        transfer.stage = stageOf[it.round];
        const bool out = it.from == rank;
        std::vector<Way>& ways = out ? waysOut : waysIn;
        std::vector<Transfer>& transfers = out ? outgoing : incoming;
        transfer.way = WayOf(ways, out ? it.to : it.from, it.lane, it.wires);
        ways[transfer.way].transfers.push_back(transfers.size());
        Slot& slot = slots[transfer.slot];
        (out ? slot.outgoing : slot.incoming).push_back(transfers.size());
        transfers.push_back(transfer);
        if (it.wires == Wires::RAIL && (stages.empty() || stages.back() != transfer.stage))
        {
            stages.push_back(transfer.stage);
        }
    }
    std::sort(stages.begin(), stages.end()); // lanes are written one after another
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    m_slotOf = {};
}

std::shared_ptr<const RankSchedule>
RankSchedule::Get(const std::shared_ptr<const CollectiveSchedule>& schedule, uint32_t rank)
{
    static std::map<std::pair<const CollectiveSchedule*, uint32_t>, std::weak_ptr<RankSchedule>>
        kept;
    // a part keeps its schedule, so the address is not another's while it lives
    std::weak_ptr<RankSchedule>& place = kept[{schedule.get(), rank}];
    std::shared_ptr<RankSchedule> part = place.lock();
    if (!part)
    {
        part = std::make_shared<RankSchedule>(schedule, rank);
        place = part;
    }
    return part;
}

uint32_t
RankSchedule::SlotOf(uint32_t chunk)
{
    if (m_slotOf[chunk] == 0)
    {
        slots.push_back({chunk, {}, {}});
        m_slotOf[chunk] = slots.size();
    }
    return m_slotOf[chunk] - 1;
}

uint32_t
RankSchedule::WayOf(std::vector<Way>& ways, uint32_t peer, uint16_t lane, Wires wires)
{
    for (uint32_t w = ways.size(); w-- > 0;)
    {
        if (ways[w].peer == peer && ways[w].lane == lane && ways[w].wires == wires)
        {
            return w;
        }
    }
    ways.push_back({peer, lane, wires, {}});
    return ways.size() - 1;
}

} // namespace ns3
