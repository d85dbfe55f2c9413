/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "held-phases.h"

#include "ns3/circuit-planner.h"
#include "ns3/opus-words.h"

#include <algorithm>

namespace ns3
{

HeldPhases::HeldPhases(ReportAdmission& admission,
                       PhaseRanks& phaseRanks,
                       PhaseVoting& voting,
                       PhaseEndings& endings,
                       PhaseGrants& grants,
                       CircuitSetup& setup)
    : m_admission(admission),
      m_phaseRanks(phaseRanks),
      m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_setup(setup)
{
}

void
HeldPhases::TakeHold(ServerId server, const OpusHold& hold)
{
    if (!m_admission.IsAdmitted(server, hold))
    {
        return;
    }
    if (hold.circuits.empty())
    {
        TakeThrough(hold);
        return;
    }
    ControllerPhase& phase = FindOrTakeOver(hold);
    TakeCircuits(phase, hold);
    TakeVotes(phase, hold);
}

void
HeldPhases::TakeThrough(const OpusHold& hold)
{
    for (const RankId rank : hold.ranks)
    {
        m_voting.Raise(hold.phase, rank, hold.phase.operation);
    }
    m_voting.CountFurther(hold.phase, hold.ranks);
}

ControllerPhase&
HeldPhases::FindOrOpen(const OpusHold& hold)
{
    ControllerPhase& phase = m_phaseRanks.Open(hold.phase, hold.whole, hold.digest).first;
    if (phase.named.IsFor(hold.whole, hold.digest))
    {
        return phase;
    }
    // a request for other pairs under its name cannot have been granted
    m_endings.Refuse(phase, ToWords(hold.phase) + " has been granted for other pairs", false);
    return m_phaseRanks.Open(hold.phase, hold.whole, hold.digest).first;
}

ControllerPhase&
HeldPhases::FindOrTakeOver(const OpusHold& hold)
{
    ControllerPhase& phase = FindOrOpen(hold);
    if (phase.pairs.empty()) // unlike a REQUEST, a HOLD names all pairs
    {
        phase.pairs = NormalizePairs(hold.pairs);
        phase.isOverRings = hold.isOverRings;
        m_phaseRanks.Name(phase, hold.ranks, phase.pairs);
    }
    if (phase.state != ControllerPhase::State::GRANTED)
    {
        m_grants.TakeOver(phase, hold.until);
        m_setup.TakeOver(phase);
    }
    return phase;
}

void
HeldPhases::TakeCircuits(ControllerPhase& phase, const OpusHold& hold)
{
    for (const RankCircuit& circuit : hold.circuits)
    {
        if (std::find(phase.circuits.begin(), phase.circuits.end(), circuit) ==
            phase.circuits.end())
        {
            m_setup.Reserve(phase, {circuit});
        }
    }
}

void
HeldPhases::TakeVotes(ControllerPhase& phase, const OpusHold& hold)
{
    phase.until = std::min(phase.until, hold.until);
    PhaseRequest request;
    request.vote = hold.isAhead ? PhaseVote::SPECULATIVE : PhaseVote::REQUESTED;
    request.number = hold.number;
    request.until = hold.until;
    m_voting.CountHolding(phase, hold.ranks, request);
}

} // namespace ns3
