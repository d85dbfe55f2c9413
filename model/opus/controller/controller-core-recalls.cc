/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

// How far a grant goes, and how it ends before that.

namespace ns3
{

uint64_t
ControllerCore::AgreeOn(const ControllerPhase& phase) const
{
    if (m_policy->IsForGood())
    {
        return std::numeric_limits<uint64_t>::max();
    }
    uint64_t until = phase.votes.GetUntil();
    for (const RankId rank : phase.votes.GetRanks(PhaseVote::FINISHED))
    {
        until = std::min(until, m_progress.GetOperation(phase.phase, rank));
    }
    return until;
}

uint64_t
ControllerCore::BeforeAsked(const OpusPhase& phase, RankId rank, uint64_t until) const
{
    const auto open = m_byFlow.find(GetFlowKey(phase));
    for (const OpusPhase& key : open == m_byFlow.end() ? std::set<OpusPhase>() : open->second)
    {
        const PhaseVotes& votes = m_phases.at(key).votes;
        const bool isAsked = votes.Has(rank) && votes.Get(rank) == PhaseVote::ASKED &&
                             phase.operation < key.operation;
        until = isAsked ? std::min(until, key.operation - 1) : until;
    }
    return until;
}

bool
ControllerCore::CountFurther(ControllerPhase& phase, const std::vector<RankId>& ranks) const
{
    bool isNews = false;
    for (const RankId rank : ranks)
    {
        if (m_progress.IsThrough(phase.phase, rank))
        {
            isNews = phase.votes.Finish(rank) || isNews;
        }
    }
    return isNews;
}

void
ControllerCore::CountFurther(const OpusPhase& flowKey, const std::vector<RankId>& ranks)
{
    const auto open = m_byFlow.find(flowKey);
    if (open == m_byFlow.end())
    {
        return;
    }
    const std::set<OpusPhase> keys = open->second; // some may be forgotten
    for (const OpusPhase& key : keys)
    {
        const auto phase = m_phases.find(key);
        if (phase != m_phases.end() && CountFurther(phase->second, ranks))
        {
            Update(phase->second);
        }
    }
}

void
ControllerCore::Shorten(ControllerPhase& phase, uint64_t until)
{
    if (until >= phase.until)
    {
        return;
    }
    phase.until = until;
    phase.shortened = true;
    if (!phase.recalled && !phase.votes.GetHolding().empty())
    {
        ++m_counters.recalls;
        Note(ControllerNote::Kind::RECALLED,
             phase.phase,
             "a rank gave it back after operation " + std::to_string(until));
        SendRecall(phase, until, false);
    }
}

void
ControllerCore::CallBack(ControllerPhase& phase, const std::string& why)
{
    if (!phase.recalled)
    {
        phase.recalled = true;
        ++m_counters.recalls;
        Note(ControllerNote::Kind::RECALLED, phase.phase, why);
        SendRecall(phase, 0, true);
    }
}

void
ControllerCore::CallBackUntold()
{
    std::set<OpusPhase> untold;
    untold.swap(m_untold);
    for (const OpusPhase& key : untold)
    {
        const auto found = m_phases.find(key);
        if (found != m_phases.end() && found->second.state == State::GRANTED)
        {
            CallBack(found->second, "a server of its ranks can't be told of the grant");
        }
    }
}

bool
ControllerCore::IsInTheWay(const ControllerPhase& granted, const ControllerPhase& waiting) const
{
    const bool sharesRails = !HasWholeRails() || granted.parallelism == waiting.parallelism;
    return std::any_of(granted.rails.begin(), granted.rails.end(), [&](RailId rail) {
        return waiting.rails.count(rail) != 0 &&
               (!sharesRails || m_settings.wholeSwitch.count(rail) != 0);
    });
}

void
ControllerCore::MakeWay(const ControllerPhase& waiting)
{
    if (Rotates() || !IsFirm(waiting) || !m_waiting.IsFirst(waiting.turn))
    {
        return;
    }
    // its ranks give back what they do not use, but not what waits for one of them
    for (const RankId rank : waiting.votes.GetRanks())
    {
        for (const PortId port : m_cabling->GetPorts(rank))
        {
            for (const OpusPhase& key : m_ledger.GetPhases({m_cabling->GetRail(rank), port}))
            {
                CallBackIfTorn(m_phases.at(key));
            }
        }
    }
    // others on its rails do not know that it waits
    if (HasWholeRails() || !m_settings.wholeSwitch.empty())
    {
        for (auto& [key, phase] : m_phases)
        {
            if (phase.state == State::GRANTED && IsInTheWay(phase, waiting))
            {
                CallBackIfTorn(phase);
                CallIn(phase);
            }
        }
    }
}

void
ControllerCore::CallBackIfTorn(ControllerPhase& phase)
{
    if (phase.state == State::GRANTED && !phase.isResumed && phase.votes.Count(PhaseVote::NONE) > 0)
    {
        CallBack(phase, "a rank gave it back unused, and others wait for its ports");
    }
}

void
ControllerCore::CallIn(ControllerPhase& phase)
{
    if (!phase.recalled && !phase.calledIn)
    {
        phase.calledIn = true;
        ++m_counters.recalls;
        Note(ControllerNote::Kind::RECALLED, phase.phase, "others wait for its rails");
        SendRecall(phase, std::numeric_limits<uint64_t>::max(), false);
    }
}

} // namespace ns3
