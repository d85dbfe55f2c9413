/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-phase.h"

#include <sstream>

namespace ns3
{

const char*
ToString(ControllerPhase::State state)
{
    switch (state)
    {
    case ControllerPhase::State::VOTING:
        return "voting";
    case ControllerPhase::State::WAITING:
        return "waiting";
    case ControllerPhase::State::PREPARED:
        return "prepared";
    case ControllerPhase::State::PROGRAMMING:
        return "programming";
    case ControllerPhase::State::GRANTED:
        return "granted";
    }
    return "unknown";
}

std::vector<RankId>
ControllerPhase::GetPortRanks() const
{
    std::vector<RankId> ranks = votes.GetRanks();
    if (!relays.empty())
    {
        std::set<RankId> all(ranks.begin(), ranks.end());
        all.insert(relays.begin(), relays.end());
        ranks.assign(all.begin(), all.end());
    }
    return ranks;
}

std::string
ControllerPhase::Describe() const
{
    std::ostringstream words;
    words << ToString(state) << ", turn " << turn.guess << " " << turn.number << " due " << turn.due
          << " " << due << (queued ? ", queued" : "") << (alone ? ", alone" : "")
          << (delayed ? ", delayed" : "") << (shortened ? ", shortened" : "")
          << (recalled ? ", recalled" : "") << (calledIn ? ", called in" : "")
          << (isResumed ? ", resumed" : "") << ", until " << until << ", votes from " << firstVote
          << " " << firstRequested << " firm " << firm << ", programmed " << programmed << " for "
          << reconfiguration << ", deadline " << deadline << ", votes";
    for (const RankId rank : votes.GetRanks())
    {
        const PhaseRequest& request = votes.GetRequest(rank);
        words << " " << rank << ":" << static_cast<int>(votes.Get(rank)) << ":" << request.number
              << ":" << request.until << ":" << request.links << ":" << request.when << ":"
              << (!votes.IsHolding(rank)  ? "-"
                  : votes.HasJoined(rank) ? "joined"
                                          : "holds");
    }
    words << (isOverRings ? ", ring circuits" : ", circuits");
    for (const RankCircuit& circuit : circuits)
    {
        words << " " << circuit.one << "." << circuit.onePort << "-" << circuit.other << "."
              << circuit.otherPort;
    }
    return words.str();
}

} // namespace ns3
