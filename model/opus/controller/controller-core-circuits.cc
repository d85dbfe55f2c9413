/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

// Circuits for phases whose votes are complete, in the order in which it happens.

namespace ns3
{

std::string
ControllerCore::FindObstacle(const ControllerPhase& phase) const
{
    if (!m_waiting.MayGo(phase.turn))
    {
        return "phases whose votes were complete earlier wait for its ports";
    }
    if (m_isLearning && m_policy->IsForGood())
    {
        return "not all agents and shims have said yet what stands and what is held";
    }
    if (Rotates() && m_rotation.state != Rotation::State::STANDING)
    {
        return "the rotation is reconfiguring its circuits";
    }
    if (HasWholeRails())
    {
        for (const RailId rail : phase.rails)
        {
            if (m_ledger.MayBeUsed(rail))
            {
                return "rail " + std::to_string(rail.Get()) +
                       " may have traffic of shims that "
                       "have not said in this term what they hold";
            }
            const auto flights = m_railFlights.find(rail);
            const bool isFree = flights == m_railFlights.end() || flights->second.empty() ||
                                (flights->second.size() == 1 &&
                                 flights->second.begin()->first == phase.parallelism);
            if (!isFree)
            {
                return "rail " + std::to_string(rail.Get()) + " has traffic of another parallelism";
            }
        }
    }
    return "";
}

std::string
ControllerCore::FindObstacle(const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        const std::string whyNot = m_ledger.GetWhyNot(rail, plan);
        if (!whyNot.empty())
        {
            return whyNot;
        }
    }
    for (const RankCircuit& circuit : target.circuits)
    {
        const auto [one, other] = GetRailPorts(circuit, *m_cabling);
        for (const RailPort& port : {one, other})
        {
            if (m_ledger.IsReconfiguring(port))
            {
                return m_ledger.GetWhyNot(port);
            }
        }
    }
    return "";
}

std::string
ControllerCore::FindForeignPort(const OpusPhase& phase, const CircuitTarget& target) const
{
    for (const auto& [rail, plan] : target.changes)
    {
        for (const PortId port : plan.GetPorts())
        {
            if (m_ledger.FindOwner({rail, port}) != phase.job)
            {
                std::ostringstream words;
                words << "job " << phase.job << " does not own " << RailPort{rail, port};
                return words.str();
            }
        }
    }
    return "";
}

void
ControllerCore::Delay(ControllerPhase& phase, const std::string& why)
{
    phase.waitsFor = why;
    if (!phase.delayed)
    {
        phase.delayed = true;
        ++m_counters.conflicts;
        Note(ControllerNote::Kind::CONFLICT, phase.phase, why);
    }
}

void
ControllerCore::Attempt(ControllerPhase& phase)
{
    const std::string obstacle = FindObstacle(phase);
    if (!obstacle.empty())
    {
        Delay(phase, obstacle);
        MakeWay(phase);
        return;
    }
    const CircuitTarget target = m_policy->GetTarget(
        {phase.phase, phase.pairs, phase.votes.GetLinks(), m_ledger.GetCircuits(), m_ledger});
    const std::string refusal =
        target.IsPossible() ? FindForeignPort(phase.phase, target) : target.refusal;
    if (!refusal.empty())
    {
        Refuse(phase, refusal);
        return;
    }
    const std::string inTheWay = target.waitsFor.empty() ? FindObstacle(target) : target.waitsFor;
    if (!inTheWay.empty())
    {
        Delay(phase, inTheWay);
        MakeWay(phase);
        return;
    }
    LeaveQueues(phase);
    Program(phase, target);
}

void
ControllerCore::Program(ControllerPhase& phase, const CircuitTarget& target)
{
    phase.state = State::PROGRAMMING;
    phase.circuits = target.circuits;
    phase.programmed = m_now;
    phase.changes = !target.changes.empty();
    SetDeadline(phase, AddSaturating(m_now, m_settings.limits.program));
    for (const auto& [rail, plan] : target.changes)
    {
        Change(phase, rail, plan);
    }
    m_ledger.EndPrepared(phase.phase);
    m_ledger.Begin(phase.phase, phase.circuits);
    for (const RailId rail : phase.rails)
    {
        ++m_railFlights[rail][phase.parallelism];
    }
    if (phase.changes)
    {
        ++m_counters.reconfigurations;
    }
    else
    {
        m_counters.noOpGrants += IsFirm(phase) ? 1 : 0;
        Programmed(phase);
    }
}

void
ControllerCore::Change(ControllerPhase& phase, RailId rail, const CircuitPlan& plan)
{
    const auto shared = phase.alone ? m_shared.end() : m_shared.find(rail);
    uint64_t number = 0;
    if (shared != m_shared.end())
    {
        number = shared->second;
        m_ledger.Extend(number, plan);
    }
    else
    {
        number = uint64_t{m_term} << 32 | ++m_planNumbers;
        m_ledger.Start(number, rail, plan, phase.deadline);
        m_unsent.insert(number);
        if (!phase.alone)
        {
            m_shared.emplace(rail, number);
        }
        ++m_counters.programs;
        Note(ControllerNote::Kind::PROGRAM, phase.phase);
        m_notes.back().plan = number;
        m_notes.back().rail = rail;
    }
    phase.plans.insert(number);
    m_plans[number].push_back(phase.phase);
}

void
ControllerCore::TryAlone(ControllerPhase& phase)
{
    EndFlight(phase);
    phase.plans.clear(); // those on other rails are done or not, and nothing waits for them
    phase.alone = true;
    phase.state = State::VOTING;
    Update(phase);
}

void
ControllerCore::NoteReconfigured(const ControllerPhase& phase)
{
    // a rotation turns for all that wait
    Picoseconds firm = phase.firm;
    for (const auto& [key, waiting] : m_phases)
    {
        if (IsRotation(phase.phase) && waiting.state == State::WAITING)
        {
            firm = std::min(firm, waiting.firm);
        }
    }
    Note(ControllerNote::Kind::RECONFIGURED, phase.phase);
    m_notes.back().dark = m_now - phase.programmed;
    m_notes.back().exposed = firm == NEVER ? 0 : m_now - std::max(firm, phase.programmed);
}

void
ControllerCore::Programmed(ControllerPhase& phase)
{
    if (phase.changes)
    {
        phase.reconfiguration = m_now - phase.programmed;
        NoteReconfigured(phase);
    }
    if (IsRotation(phase.phase))
    {
        EndRotation(phase);
        return;
    }
    if (phase.votes.IsComplete() && IsFirm(phase))
    {
        Grant(phase);
        return;
    }
    if (phase.votes.IsComplete())
    {
        m_ledger.Prepare(phase.phase, phase.circuits);
    }
    EndFlight(phase);
    if (phase.votes.IsComplete())
    {
        phase.state = State::PREPARED;
        SetDeadline(phase, GetVoteDeadline(phase));
        Note(ControllerNote::Kind::PREPARED, phase.phase);
        return;
    }
    phase.state = State::VOTING; // a guess was withdrawn meanwhile
    Update(phase);
}

void
ControllerCore::Grant(ControllerPhase& phase)
{
    phase.state = State::GRANTED;
    phase.alone = false;
    phase.until = AgreeOn(phase);
    phase.shortened = false;
    phase.recalled = false;
    phase.calledIn = false;
    SetDeadline(phase,
                m_policy->IsForGood() ? NEVER : AddSaturating(m_now, m_settings.limits.traffic));
    ++m_counters.grants;
    Note(ControllerNote::Kind::GRANTED, phase.phase);
    SendGrant(phase, phase.votes.GetRanks(), false);
    Review(GetFlowKey(phase.phase));
}

void
ControllerCore::EndFlight(ControllerPhase& phase)
{
    if (phase.state != State::PROGRAMMING && phase.state != State::GRANTED)
    {
        return;
    }
    for (const RailId rail : phase.rails)
    {
        std::map<std::string, uint32_t>& flights = m_railFlights[rail];
        if (--flights[phase.parallelism] == 0)
        {
            flights.erase(phase.parallelism);
        }
    }
    const std::vector<RankId> ranks = phase.votes.GetRanks();
    m_waiting.Reserve({ranks.begin(), ranks.end()}, phase.rails);
    m_waiting.LookAt(m_ledger.End(phase.phase));
    LookAtRails(phase.rails);
    phase.circuits.clear();
    phase.reconfiguration = phase.state == State::GRANTED ? 0 : phase.reconfiguration;
}

void
ControllerCore::LookAtRails(const std::set<RailId>& rails)
{
    for (const RailId rail : rails)
    {
        if (HasWholeRails() || m_settings.wholeSwitch.count(rail) != 0)
        {
            m_waiting.LookAtRails({rail});
        }
    }
}

} // namespace ns3
