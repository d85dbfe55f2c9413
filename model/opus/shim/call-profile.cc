/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "call-profile.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/phase-history.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

bool
IsSamePairs(const CallPairs& one, const CallPairs& other)
{
    return one == other || (one && other && *one == *other);
}

CallProfile::CallProfile(RankId rank, uint32_t iterations, uint32_t ports)
    : m_rank(rank),
      m_iterations(iterations),
      m_ports(ports)
{
    NS_ABORT_MSG_IF(iterations == 0,
                    "CallProfile: 0 iterations are to be recorded; record 1 or more");
    NS_ABORT_MSG_IF(ports == 0, "CallProfile: rank " << rank << " has 0 ports; give it 1 or more");
}

bool
CallProfile::IsPredicting() const
{
    return m_inIteration && m_hasProfile && !m_mispredicted;
}

uint64_t
CallProfile::GetBase(const OpusPhase& phase) const
{
    const auto base = m_bases.find(GetFlowKey(phase));
    return base == m_bases.end() ? phase.operation : base->second;
}

bool
CallProfile::BeginIteration()
{
    bool isShort = false;
    if (m_inIteration)
    {
        ++m_complete;
        isShort = IsPredicting() && m_next < m_profile.size();
        const bool isOther =
            m_hasProfile ? isShort || m_mispredicted || m_overtaken : m_complete >= m_iterations;
        m_runBase += m_runs.size() - (m_isCycle && !isOther ? 1 : 0);
        if (isOther)
        {
            Adopt();
        }
    }
    m_inIteration = true;
    m_mispredicted = false;
    m_overtaken = false;
    ForgetRecording();
    m_bases = m_following;
    m_open.clear();
    Rewind();
    return isShort;
}

bool
CallProfile::End()
{
    const bool isShort = IsPredicting() && CountRecorded() > 0 && m_next < m_profile.size();
    m_inIteration = false;
    m_open.clear();
    ForgetRecording();
    return isShort;
}

void
CallProfile::Rewind()
{
    m_called.assign(m_profile.size(), false);
    m_next = 0;
    for (Run& run : m_runs)
    {
        run.finished = 0;
        run.begun.clear();
    }
}

bool
CallProfile::IsEntry(const Entry& entry, const ProfiledCall& call) const
{
    return entry.call.phase.stage == call.phase.stage && entry.call.stages == call.stages &&
           entry.index == call.phase.operation - GetBase(call.phase) &&
           GetFlowKey(entry.call.phase) == GetFlowKey(call.phase) &&
           entry.call.parallelism == call.parallelism && IsSamePairs(entry.call.pairs, call.pairs);
}

CallForecast
CallProfile::Called(const ProfiledCall& call)
{
    CallForecast forecast;
    forecast.until = call.phase.operation;
    const OpusPhase flowKey = GetFlowKey(call.phase);
    NotePartners(call);
    uint64_t& following = m_following[flowKey];
    following = std::max(following, call.phase.operation + 1);
    if (!m_inIteration)
    {
        return forecast;
    }
    const uint64_t base = m_bases.try_emplace(flowKey, call.phase.operation).first->second;
    Entry entry;
    entry.call = call;
    entry.index = call.phase.operation - base;
    if (!IsPredicting())
    {
        Record(entry, std::nullopt);
        return forecast;
    }
    const std::size_t current = m_next < m_profile.size() ? m_profile[m_next].run : m_runs.size();
    for (std::size_t i = m_next; i < m_profile.size() && m_profile[i].run <= current + 1; ++i)
    {
        if (m_called[i] || !IsEntry(m_profile[i], call))
        {
            continue;
        }
        Record(entry, i);
        const std::size_t run = m_profile[i].run;
        m_called[i] = true;
        m_overtaken = m_overtaken || run != current;
        while (m_next < m_profile.size() && m_called[m_next])
        {
            ++m_next;
        }
        m_open[call.phase] = run;
        m_runs[run].begun.insert(flowKey);
        forecast.hit = true;
        forecast.until = base + m_profile[i].last;
        forecast.run = m_runBase + run + 1;
        return forecast;
    }
    Record(entry, std::nullopt);
    m_mispredicted = true;
    m_open.clear();
    forecast.misprediction = true;
    return forecast;
}

std::vector<ForeseenCall>
CallProfile::Finish(const OpusPhase& phase)
{
    const auto open = m_open.find(phase);
    if (open == m_open.end())
    {
        return {};
    }
    const std::size_t number = open->second;
    m_open.erase(open);
    Run& run = m_runs[number];
    ++run.finished;
    const bool isOver = run.finished == run.end - run.begin;
    return isOver && IsPredicting() ? Foresee(number + 1) : std::vector<ForeseenCall>();
}

std::vector<ForeseenCall>
CallProfile::ForeseeFirst() const
{
    const bool isFresh = IsPredicting() && CountRecorded() == 0;
    return isFresh ? Foresee(0) : std::vector<ForeseenCall>();
}

std::vector<ForeseenCall>
CallProfile::Foresee(std::size_t number) const
{
    if (m_runs.empty())
    {
        return {};
    }
    const bool isLater = number == m_runs.size(); // in the next iteration
    const Run& run = m_runs[isLater ? 0 : number];
    std::set<OpusPhase> seen = isLater ? std::set<OpusPhase>() : run.begun;
    std::vector<const Entry*> entries;
    std::vector<ForeseenCall> calls;
    for (std::size_t i = run.begin; i < run.end; ++i)
    {
        const Entry& entry = m_profile[i];
        const OpusPhase flowKey = GetFlowKey(entry.call.phase);
        if (!seen.insert(flowKey).second)
        {
            continue;
        }
        const auto fits = [&](const Entry* other) { return Fits(entry, *other); };
        const auto base = m_bases.find(flowKey);
        if (base == m_bases.end() || !std::all_of(entries.begin(), entries.end(), fits))
        {
            continue;
        }
        entries.push_back(&entry);
        const uint64_t first = base->second + (isLater ? m_counts.at(flowKey) : 0);
        ForeseenCall call;
        call.call = entry.call;
        call.call.phase.operation = first + entry.index;
        call.until = first + entry.last;
        call.run = m_runBase + number + (isLater && m_isCycle ? 0 : 1);
        calls.push_back(call);
    }
    return calls;
}

bool
CallProfile::Fits(const Entry& one, const Entry& other) const
{
    const OpusPhase& a = one.call.phase;
    const OpusPhase& b = other.call.phase;
    if (IsSamePairs(one.call.pairs, other.call.pairs))
    {
        return true;
    }
    if (!a.pointToPoint || !b.pointToPoint)
    {
        return false;
    }
    const bool isAnswer = a.from == b.to && a.to == b.from;
    const auto partners = m_partners.find(a.group);
    return isAnswer || (a.group == b.group && partners != m_partners.end() &&
                        partners->second.size() <= m_ports);
}

void
CallProfile::Record(const Entry& call, std::optional<std::size_t> entry)
{
    if (entry && m_recording.empty() && *entry == m_alike &&
        m_profile[*entry].call.bytes == call.call.bytes)
    {
        ++m_alike;
        return;
    }
    RecordAll();
    m_recording.push_back(call);
}

std::size_t
CallProfile::CountRecorded() const
{
    return m_recording.empty() ? m_alike : m_recording.size();
}

void
CallProfile::RecordAll()
{
    for (std::size_t i = 0; i < m_alike; ++i)
    {
        Entry entry;
        entry.call = m_profile[i].call;
        entry.call.phase.operation = GetBase(entry.call.phase) + m_profile[i].index;
        entry.index = m_profile[i].index;
        m_recording.push_back(entry);
    }
    m_alike = 0;
}

void
CallProfile::ForgetRecording()
{
    m_recording = {}; // with its memory: another one is rare
    m_alike = 0;
}

void
CallProfile::Adopt()
{
    RecordAll();
    m_profile.swap(m_recording);
    m_profile.shrink_to_fit();
    m_hasProfile = true;
    m_runs.clear();
    m_counts.clear();
    m_partners.clear();
    for (std::size_t i = 0; i < m_profile.size(); ++i)
    {
        Entry& entry = m_profile[i];
        if (i == 0 || m_profile[i - 1].call.parallelism != entry.call.parallelism)
        {
            m_runs.emplace_back();
            m_runs.back().begin = i;
        }
        m_runs.back().end = i + 1;
        entry.run = m_runs.size() - 1;
        entry.last = entry.index;
        uint64_t& count = m_counts[GetFlowKey(entry.call.phase)];
        count = std::max(count, entry.index + 1);
        NotePartners(entry.call);
    }
    m_isCycle =
        !m_runs.empty() && m_profile.front().call.parallelism == m_profile.back().call.parallelism;
    ShareWithin();
    ShareBeyond();
}

bool
CallProfile::CanFollow(const Entry& entry, const Entry& follower)
{
    return entry.call.stages == 1 && follower.call.stages == 1 &&
           IsSamePairs(entry.call.pairs, follower.call.pairs);
}

bool
CallProfile::Fit(const Entry& entry, std::size_t begin, std::size_t end) const
{
    return std::all_of(m_profile.begin() + begin,
                       m_profile.begin() + end,
                       [&](const Entry& between) { return Fits(entry, between); });
}

void
CallProfile::ShareWithin()
{
    std::map<OpusPhase, std::size_t> next; // entry of each flow
    for (std::size_t i = m_profile.size(); i-- > 0;)
    {
        Entry& entry = m_profile[i];
        const auto [later, isLast] = next.try_emplace(GetFlowKey(entry.call.phase), i);
        const std::size_t end = later->second;
        later->second = i;
        const Entry& follower = m_profile[end];
        if (!isLast && follower.run == entry.run && follower.index == entry.index + 1 &&
            CanFollow(entry, follower) && Fit(entry, i + 1, end))
        {
            entry.last = follower.last;
        }
    }
}

void
CallProfile::ShareBeyond()
{
    if (!m_isCycle)
    {
        return;
    }
    // by flow: index of the last operation of the next iteration that shares the circuits of the
    // last one of this, if the first of the next can
    std::map<OpusPhase, std::size_t> last;
    for (std::size_t i = m_runs.back().begin; i < m_profile.size(); ++i)
    {
        last[GetFlowKey(m_profile[i].call.phase)] = i;
    }
    std::map<OpusPhase, uint64_t> beyond;
    for (std::size_t i = 0; i < m_runs.front().end; ++i)
    {
        const Entry& first = m_profile[i];
        const OpusPhase flowKey = GetFlowKey(first.call.phase);
        const auto end = last.find(flowKey);
        if (first.index != 0 || end == last.end())
        {
            continue;
        }
        const Entry& entry = m_profile[end->second];
        const uint64_t count = m_counts.at(flowKey);
        if (CanFollow(entry, first) && Fit(entry, end->second + 1, m_profile.size()) &&
            Fit(entry, 0, i))
        {
            beyond[flowKey] = count + first.last;
        }
    }
    for (std::size_t i = m_runs.back().begin; i < m_profile.size(); ++i)
    {
        Entry& entry = m_profile[i];
        const OpusPhase flowKey = GetFlowKey(entry.call.phase);
        const auto further = beyond.find(flowKey);
        if (further != beyond.end() && entry.last + 1 == m_counts.at(flowKey))
        {
            entry.last = further->second;
        }
    }
}

void
CallProfile::NotePartners(const ProfiledCall& call)
{
    if (call.phase.pointToPoint)
    {
        m_partners[call.phase.group].insert(call.phase.from == m_rank ? call.phase.to
                                                                      : call.phase.from);
    }
}

uint32_t
CallProfile::GetLinks(GroupId group) const
{
    const auto partners = m_partners.find(group);
    const uint32_t count = partners == m_partners.end() ? 1 : partners->second.size();
    return std::max(1U, m_ports / count);
}

std::string
CallProfile::Describe() const
{
    std::ostringstream words;
    words << "rank " << m_rank << ": " << m_complete << " whole iterations, "
          << (IsPredicting() ? "predicts" : "does not predict") << ", " << m_next << " of "
          << m_profile.size() << " calls in " << m_runs.size() << " runs\n";
    for (const Run& run : m_runs)
    {
        const Entry& first = m_profile[run.begin];
        words << "  " << first.call.parallelism << ": " << run.end - run.begin << " calls from "
              << ToWords(first.call.phase) << "\n";
    }
    return words.str();
}

} // namespace ns3
