/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "standing-policy.h"

#include "ns3/log.h"
#include "ns3/opus-words.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StandingPolicy");

NS_OBJECT_ENSURE_REGISTERED(StandingPolicy);

TypeId
StandingPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StandingPolicy").SetParent<CircuitPolicy>().SetGroupName("PhotonicRails");
    return tid;
}

std::vector<RankCircuit>
StandingPolicy::FindStanding(const JoinedRanks& pair, const CircuitQuestion& question) const
{
    std::vector<RankCircuit> standing;
    for (const RankCircuit& there : FindCircuits(pair, question.circuits, GetCabling()))
    {
        const auto [one, other] = GetRailPorts(there, GetCabling());
        if (!question.use.IsReconfiguring(one) && !question.use.IsReconfiguring(other))
        {
            standing.push_back(there);
        }
    }
    return standing;
}

std::string
StandingPolicy::FindReconfiguring(const JoinedRanks& pair, const CircuitQuestion& question) const
{
    for (const JoinedRanks& route : GetRoutes(pair, GetCabling()))
    {
        for (const RankId rank : {route.first, route.second})
        {
            for (const PortId number : GetCabling().GetPorts(rank))
            {
                const RailPort port{GetCabling().GetRail(rank), number};
                if (question.use.IsReconfiguring(port))
                {
                    return question.use.GetWhyNot(port);
                }
            }
        }
    }
    return "";
}

CircuitTarget
StandingPolicy::GetTarget(const CircuitQuestion& question)
{
    NS_LOG_FUNCTION(this << ToWords(question.phase));
    CircuitTarget target;
    for (const JoinedRanks& pair : NormalizePairs(question.pairs))
    {
        const std::vector<RankCircuit> there = FindStanding(pair, question);
        if (there.empty())
        {
            CircuitTarget none;
            none.waitsFor = FindReconfiguring(pair, question);
            if (none.waitsFor.empty())
            {
                none.refusal = "no circuit joins rank " + std::to_string(pair.first.Get()) +
                               " and rank " + std::to_string(pair.second.Get()) +
                               ", and circuits are not changed";
            }
            return none;
        }
        target.circuits.insert(target.circuits.end(), there.begin(), there.end());
    }
    return target;
}

bool
StandingPolicy::IsForGood() const
{
    return true;
}

} // namespace ns3
