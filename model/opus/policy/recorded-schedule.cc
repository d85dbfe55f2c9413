/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recorded-schedule.h"

#include "ns3/phase-history.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ns3
{

namespace
{

/** @return the same circuit, the lower end first */
RankCircuit
NormalizeEnds(const RankCircuit& circuit)
{
    return std::tie(circuit.one, circuit.onePort) < std::tie(circuit.other, circuit.otherPort)
               ? circuit
               : RankCircuit{circuit.other, circuit.otherPort, circuit.one, circuit.onePort};
}

/** @return all members of a circuit, for comparison */
auto
AsTuple(const RankCircuit& circuit)
{
    return std::tie(circuit.one, circuit.onePort, circuit.other, circuit.otherPort);
}

/** @return whether two circuits have a port in common */
bool
Clash(const RankCircuit& one, const RankCircuit& other)
{
    const auto has = [&other](RankId rank, uint32_t port) {
        return (other.one == rank && other.onePort == port) ||
               (other.other == rank && other.otherPort == port);
    };
    return has(one.one, one.onePort) || has(one.other, one.otherPort);
}

/** Adds circuits to others, and removes those with the same ports. */
void
Merge(std::vector<RankCircuit>& all, const std::vector<RankCircuit>& later)
{
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [&later](const RankCircuit& old) {
                                 return std::any_of(
                                     later.begin(),
                                     later.end(),
                                     [&old](const RankCircuit& one) { return Clash(old, one); });
                             }),
              all.end());
    std::transform(later.begin(), later.end(), std::back_inserter(all), &NormalizeEnds);
    std::sort(all.begin(), all.end(), [](const RankCircuit& one, const RankCircuit& other) {
        return AsTuple(one) < AsTuple(other);
    });
}

/** Writes circuits, with a space before each. */
void
WriteCircuits(std::ostream& out, const std::vector<RankCircuit>& circuits)
{
    for (const RankCircuit& circuit : circuits)
    {
        out << " " << circuit.one << "." << circuit.onePort << "-" << circuit.other << "."
            << circuit.otherPort;
    }
    out << "\n";
}

} // namespace

void
RecordedSchedule::AddStart(const std::vector<RankCircuit>& circuits)
{
    Merge(m_start, circuits);
}

void
RecordedSchedule::Add(const OpusPhase& phase, const std::vector<RankCircuit>& circuits)
{
    OpusPhase key = GetFlowKey(phase); // a group's operations have no sender
    key.operation = phase.operation;
    key.stage = phase.stage;
    Merge(m_phases[key], circuits);
}

const std::vector<RankCircuit>&
RecordedSchedule::GetStart() const
{
    return m_start;
}

const std::map<OpusPhase, std::vector<RankCircuit>>&
RecordedSchedule::GetPhases() const
{
    return m_phases;
}

const std::vector<RankCircuit>*
RecordedSchedule::Find(const OpusPhase& phase) const
{
    const OpusPhase flowKey = GetFlowKey(phase);
    OpusPhase key = flowKey;
    key.operation = phase.operation;
    key.stage = phase.stage;
    for (auto found = m_phases.upper_bound(key); found != m_phases.begin();)
    {
        --found;
        if (!(GetFlowKey(found->first) == flowKey))
        {
            break;
        }
        if (found->first.stage == phase.stage)
        {
            return &found->second;
        }
    }
    return nullptr;
}

void
RecordedSchedule::Write(std::ostream& out) const
{
    out << "# circuits by phase: rank.port-rank.port\n";
    if (!m_start.empty())
    {
        out << "start :";
        WriteCircuits(out, m_start);
    }
    for (const auto& [phase, circuits] : m_phases)
    {
        out << "job " << phase.job;
        if (phase.pointToPoint)
        {
            out << " send " << phase.from << " " << phase.to;
        }
        out << " group " << phase.group << " operation " << phase.operation << " stage "
            << phase.stage << " :";
        WriteCircuits(out, circuits);
    }
}

bool
RecordedSchedule::operator==(const RecordedSchedule& other) const
{
    const auto isSame = [](const std::vector<RankCircuit>& mine,
                           const std::vector<RankCircuit>& its) {
        return std::equal(mine.begin(),
                          mine.end(),
                          its.begin(),
                          its.end(),
                          [](const RankCircuit& one, const RankCircuit& another) {
                              return AsTuple(one) == AsTuple(another);
                          });
    };
    return isSame(m_start, other.m_start) &&
           std::equal(m_phases.begin(),
                      m_phases.end(),
                      other.m_phases.begin(),
                      other.m_phases.end(),
                      [&isSame](const auto& mine, const auto& its) {
                          return mine.first == its.first && isSame(mine.second, its.second);
                      });
}

} // namespace ns3
