/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-plan-spans.h"

#include "ns3/opus-words.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** @return "5-7 6-8" */
std::string
NamesOf(const std::vector<SwitchCircuit>& circuits)
{
    std::string names;
    for (const SwitchCircuit& circuit : circuits)
    {
        names += (names.empty() ? "" : " ") + std::to_string(circuit.one.Get()) + "-" +
                 std::to_string(circuit.other.Get());
    }
    return names;
}

TimelineArguments
ArgumentsOf(const OpusProgram& program)
{
    TimelineArguments arguments;
    arguments.Add("plan", program.plan);
    arguments.Add("phase", ToWords(program.phase));
    arguments.Add("up", NamesOf(program.up));
    arguments.Add("down", NamesOf(program.down));
    return arguments;
}

} // namespace

OpusPlanSpans::OpusPlanSpans(std::shared_ptr<Timeline> timeline, std::string name)
    : m_timeline(std::move(timeline)),
      m_name(std::move(name))
{
}

void
OpusPlanSpans::Add(RailId rail, const TimelineTracks& tracks)
{
    m_rails.emplace(rail, tracks);
}

void
OpusPlanSpans::Begin(const OpusMessage& program)
{
    const auto tracks = m_rails.find(program.rail);
    const uint64_t number = program.Get<OpusProgram>().plan;
    if (tracks != m_rails.end() && m_plans.count(number) == 0)
    {
        const Time now = Simulator::Now();
        m_plans[number] = {program, tracks->second.Take(now, Time::Max()), now};
    }
}

void
OpusPlanSpans::End(const OpusMessage& answer)
{
    const OpusAlarm* alarm = answer.Find<OpusAlarm>();
    const auto found = m_plans.find(alarm ? alarm->plan : answer.Get<OpusDone>().plan);
    if (found == m_plans.end() || found->second.program.rail != answer.rail)
    {
        return;
    }
    const Plan& plan = found->second;
    const Time now = Simulator::Now();
    TimelineArguments arguments = ArgumentsOf(plan.program.Get<OpusProgram>());
    if (alarm)
    {
        arguments.Add("why", alarm->reason);
    }
    m_timeline->Slice(plan.track, alarm ? m_name + " failed" : m_name, plan.since, now, arguments);
    m_rails.at(answer.rail).Free(plan.track, now);
    m_plans.erase(found);
}

void
OpusPlanSpans::EndAll(Time end, const std::string& why)
{
    for (const auto& [number, plan] : m_plans)
    {
        const Time to = std::max(plan.since, end);
        m_timeline->Slice(plan.track,
                          m_name,
                          plan.since,
                          to,
                          ArgumentsOf(plan.program.Get<OpusProgram>()).Add(why, true));
        m_rails.at(plan.program.rail).Free(plan.track, to);
    }
    m_plans.clear();
}

} // namespace ns3
