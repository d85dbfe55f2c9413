/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-stretches.h"

#include "ns3/past-events.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/** @return the time that a rank computes before it calls the first operation */
Picoseconds
TimeToFirstCall(const StretchSteps& steps)
{
    Picoseconds time = 0;
    for (const StretchStep& step : steps)
    {
        if (step.IsCollective())
        {
            break;
        }
        time += step.duration;
    }
    return time;
}

} // namespace

IntraNodeStretches::IntraNodeStretches(Ptr<ScaleUpDomain> domain,
                                       Ptr<IntraNodeMemory> memory,
                                       Owner& owner)
    : m_domain(std::move(domain)),
      m_memory(std::move(memory)),
      m_owner(owner),
      m_of(m_domain->GetMembers())
{
}

bool
IntraNodeStretches::Enter(const StretchEntry& entry)
{
    const std::shared_ptr<const IntraNodeRanks> ranks = m_owner.FindRanks(*entry.group);
    if (PastEvents::AreOn() || !ranks)
    {
        return false;
    }
    const Picoseconds call = NowPicoseconds() + TimeToFirstCall(*entry.steps);
    const std::shared_ptr<IntraNodeStretch> before = MakeRoom(entry, *ranks, call);
    if (!m_owner.MayEnter(entry, call))
    {
        return false;
    }
    std::shared_ptr<IntraNodeStretch> stretch = m_of[ranks->members[entry.place].Get()];
    if (!stretch || stretch == before)
    {
        stretch = std::make_shared<IntraNodeStretch>(entry, ranks, m_domain, m_memory);
        if (!stretch->NeedsAll())
        {
            return false;
        }
        stretch->before = before;
        for (const MemberId member : ranks->members)
        {
            m_of[member.Get()] = stretch;
        }
    }
    stretch->Enter(entry, NowPicoseconds());
    if (!stretch->IsWhole())
    {
        return true;
    }
    if (before)
    {
        Leave(before); // it is over everywhere
    }
    stretch->before = nullptr;
    if (!stretch->WorkOut())
    {
        stretch->GetParties()[entry.place].library = nullptr; // it begins by itself
        Leave(ranks->members[entry.place]);
        return false;
    }
    for (uint32_t place = 0; place < stretch->GetParties().size(); ++place)
    {
        IntraNodeStretch::Party& party = stretch->GetParties()[place];
        Simulator::ScheduleWithContext(m_domain->GetNodeId(ranks->members[place]),
                                       ToTime(party.times.back().end - NowPicoseconds()),
                                       &IntraNodeStretches::End,
                                       Ptr<IntraNodeStretches>(this),
                                       stretch,
                                       place);
    }
    return true;
}

std::shared_ptr<IntraNodeStretch>
IntraNodeStretches::MakeRoom(const StretchEntry& entry,
                             const IntraNodeRanks& ranks,
                             Picoseconds call)
{
    for (const MemberId member : ranks.members)
    {
        const std::shared_ptr<IntraNodeStretch> its = m_of[member.Get()];
        if (!its)
        {
            continue;
        }
        const std::shared_ptr<IntraNodeStretch> before = its->Fits(entry) ? its->before : its;
        const bool isAlike = before && before->GetRanks().group == ranks.group;
        if (before && (!isAlike || before->GetLastEnd() > call || before->before))
        {
            Leave(its);
        }
    }
    const std::shared_ptr<IntraNodeStretch> its = m_of[ranks.members[entry.place].Get()];
    return its && its->Fits(entry) ? its->before : its;
}

void
IntraNodeStretches::End(std::shared_ptr<IntraNodeStretch> stretch, uint32_t place)
{
    IntraNodeStretch::Party& party = stretch->GetParties()[place];
    if (party.isOver || party.library == nullptr)
    {
        return; // it was over before in this instant, or its ranks have gone on one by one
    }
    party.isOver = true;
    if (stretch->GetLastEnd() <= NowPicoseconds())
    {
        Close(stretch);
    }
    StretchRank& library = *party.library;
    library.StretchHadEarly(stretch->GetEarly(place, stretch->GetSteps().size()));
    library.StretchIsOver(party.times);
}

void
IntraNodeStretches::Close(const std::shared_ptr<IntraNodeStretch>& stretch)
{
    const auto isOver = [](const IntraNodeStretch::Party& one) { return one.isOver; };
    const std::vector<IntraNodeStretch::Party>& parties = stretch->GetParties();
    if (!std::exchange(stretch->isClosed, true))
    {
        Count(*stretch, stretch->GetSteps().size());
        Remove(*stretch);
        m_ending.push_back(stretch);
    }
    if (std::all_of(parties.begin(), parties.end(), isOver))
    {
        m_ending.erase(std::remove(m_ending.begin(), m_ending.end(), stretch), m_ending.end());
    }
}

void
IntraNodeStretches::Remove(const IntraNodeStretch& stretch)
{
    for (std::shared_ptr<IntraNodeStretch>& its : m_of)
    {
        its = its.get() == &stretch ? nullptr : its;
    }
}

void
IntraNodeStretches::Count(const IntraNodeStretch& stretch, std::size_t steps)
{
    const std::vector<MemberId>& members = stretch.GetRanks().members;
    for (std::size_t place = 0; place < members.size(); ++place)
    {
        m_domain->AddCount(members[place], stretch.GetCount(place, steps));
    }
    stretch.SetBusy(*m_domain, steps);
}

// -------------------------------------------------------------- operation by operation

void
IntraNodeStretches::Leave(MemberId member)
{
    if (const std::shared_ptr<IntraNodeStretch> stretch = m_of[member.Get()])
    {
        Leave(stretch);
    }
}

void
IntraNodeStretches::Leave(const std::shared_ptr<IntraNodeStretch>& stretch)
{
    Remove(*stretch);
    if (const std::shared_ptr<IntraNodeStretch> before = std::exchange(stretch->before, nullptr))
    {
        Leave(before);
    }
    if (stretch->GetLastEnd() <= NowPicoseconds())
    {
        Close(stretch);
    }
    else
    {
        GoOn(*stretch);
    }
}

void
IntraNodeStretches::LeaveWholly(MemberId member)
{
    Leave(member);
    const std::vector<std::shared_ptr<IntraNodeStretch>> ending = m_ending;
    for (const std::shared_ptr<IntraNodeStretch>& stretch : ending)
    {
        const std::vector<MemberId>& members = stretch->GetRanks().members;
        const auto found = std::find(members.begin(), members.end(), member);
        if (found != members.end())
        {
            End(stretch, found - members.begin());
        }
    }
}

void
IntraNodeStretches::LeaveAll()
{
    for (uint32_t member = 0; member < m_of.size(); ++member)
    {
        Leave(MemberId(member));
    }
}

void
IntraNodeStretches::Drop(MemberId member)
{
    std::vector<std::shared_ptr<IntraNodeStretch>> dropped = m_ending;
    for (std::shared_ptr<IntraNodeStretch> its = m_of[member.Get()]; its; its = its->before)
    {
        dropped.push_back(its);
    }
    for (const std::shared_ptr<IntraNodeStretch>& stretch : dropped)
    {
        const std::vector<MemberId>& members = stretch->GetRanks().members;
        if (std::find(members.begin(), members.end(), member) != members.end())
        {
            for (IntraNodeStretch::Party& party : stretch->GetParties())
            {
                party.library = nullptr;
            }
            Remove(*stretch);
        }
    }
}

void
IntraNodeStretches::GoOn(IntraNodeStretch& stretch)
{
    const Picoseconds now = NowPicoseconds();
    const std::size_t shared = stretch.CountShared(now);
    Count(stretch, shared);
    std::vector<std::size_t> reached; // by place: the step that is under way
    std::vector<StretchRank*> libraries;
    for (uint32_t place = 0; place < stretch.GetParties().size(); ++place)
    {
        IntraNodeStretch::Party& party = stretch.GetParties()[place];
        reached.push_back(stretch.GetStep(party, now));
        libraries.push_back(party.isOver ? nullptr : party.library);
    }
    for (uint32_t place = 0; place < libraries.size(); ++place)
    {
        if (libraries[place] != nullptr)
        {
            std::vector<StretchTime> over = stretch.GetParties()[place].times;
            over.resize(reached[place]);
            libraries[place]->StretchHadEarly(stretch.GetEarly(place, shared));
            libraries[place]->StretchIsOver(over);
        }
    }
    CallAgain(stretch, shared, libraries, reached);
    for (IntraNodeStretch::Party& party : stretch.GetParties())
    {
        party.library = nullptr; // its event has no effect
    }
    for (uint32_t place = 0; place < libraries.size(); ++place)
    {
        const std::size_t step = reached[place];
        if (libraries[place] != nullptr && !stretch.GetSteps()[step].IsCollective())
        {
            libraries[place]->ComputeOn(step, stretch.GetParties()[place].times[step].start);
        }
    }
}

void
IntraNodeStretches::CallAgain(IntraNodeStretch& stretch,
                              std::size_t shared,
                              const std::vector<StretchRank*>& libraries,
                              const std::vector<std::size_t>& reached)
{
    const StretchSteps& steps = stretch.GetSteps();
    std::vector<std::tuple<Picoseconds, std::size_t, uint32_t>> calls; // instant, step, place
    for (uint32_t place = 0; place < libraries.size(); ++place)
    {
        const IntraNodeStretch::Party& party = stretch.GetParties()[place];
        const bool isThere = party.isOver || libraries[place] != nullptr;
        for (std::size_t step = shared; isThere && step < party.times.size(); ++step)
        {
            if (steps[step].IsCollective() && reached[place] >= step)
            {
                calls.emplace_back(party.times[step].start, step, place);
            }
        }
    }
    if (calls.empty())
    {
        return;
    }
    std::sort(calls.begin(), calls.end());
    {
        PastEvents past;
        for (const auto& [at, step, place] : calls)
        {
            past.AdvanceTo(at);
            if (reached[place] == step)
            {
                libraries[place]->CallAgain(step);
                continue;
            }
            const StretchStep& its = steps[step];
            IntraNodeCall call;
            call.rank = stretch.GetRanks().ranks[place];
            call.group = &stretch.GetGroup();
            call.number = stretch.GetNumber(step);
            call.place = place;
            call.schedule = its.choice->schedule;
            call.bytes = its.bytes;
            call.messageSize = its.messageSize;
            call.protocol = its.choice->protocol;
            call.mayBeOne = true;
            m_owner.CallOver(call);
        }
        past.AdvanceTo(Simulator::Now().GetTimeStep());
    }
    m_owner.CatchUp(stretch.GetRanks().members);
}

} // namespace ns3
