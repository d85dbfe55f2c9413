/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "giant-ring-policy.h"

#include "ns3/log.h"
#include "ns3/opus-words.h"

#include <sstream>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("GiantRingPolicy");

namespace
{

/** @return whether a circuit stands */
bool
Stands(const RankCircuit& circuit, const RailCircuits& circuits, const Cabling& cabling)
{
    const auto [one, other] = GetRailPorts(circuit, cabling);
    return circuits[one.rail.Get()].GetPeer(one.port) == other.port;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(GiantRingPolicy);

TypeId
GiantRingPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GiantRingPolicy")
                            .SetParent<CircuitPolicy>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<GiantRingPolicy>();
    return tid;
}

const GiantRings&
GiantRingPolicy::GetRings(JobId job)
{
    std::unique_ptr<GiantRings>& rings = m_rings[job];
    if (!rings)
    {
        rings = std::make_unique<GiantRings>(job, ShareCabling());
    }
    return *rings;
}

std::set<RailId>
FindRingRails(const std::vector<JoinedRanks>& pairs, const Cabling& cabling)
{
    std::set<RailId> rails;
    for (const JoinedRanks& pair : pairs)
    {
        for (const JoinedRanks& route : GetRoutes(pair, cabling))
        {
            rails.insert(cabling.GetRail(route.first));
        }
    }
    return rails;
}

RingGaps
FindRingGaps(const GiantRings& rings, const std::set<RailId>& rails, const RailCircuits& circuits)
{
    RingGaps gaps;
    for (const RailId rail : rails)
    {
        for (const RankCircuit& circuit : rings.GetCircuits(rail))
        {
            if (!Stands(circuit, circuits, rings.GetCabling()))
            {
                gaps.insert(std::minmax(circuit.one, circuit.other));
            }
        }
    }
    return gaps;
}

CircuitTarget
GetRingTarget(const GiantRings& rings, const CircuitQuestion& question)
{
    const Cabling& cabling = rings.GetCabling();
    CircuitTarget target;
    target.isOverRings = true;
    const std::set<RailId> rails = FindRingRails(question.pairs, cabling);
    for (const RailId rail : rails)
    {
        for (const RankCircuit& circuit : rings.GetCircuits(rail))
        {
            const auto [one, other] = GetRailPorts(circuit, cabling);
            for (const RailPort& port : {one, other})
            {
                if (question.use.IsReconfiguring(port))
                {
                    CircuitTarget wait;
                    wait.waitsFor = question.use.GetWhyNot(port);
                    return wait;
                }
            }
            if (Stands(circuit, question.circuits, cabling))
            {
                target.circuits.push_back(circuit);
            }
        }
    }
    target.gaps = FindRingGaps(rings, rails, question.circuits);
    const RingGaps& gaps = target.gaps;
    for (const JoinedRanks& pair : NormalizePairs(question.pairs))
    {
        if (!cabling.AreIntraNode(pair.first, pair.second) &&
            !rings.FindEnds(pair.first, pair.second, gaps))
        {
            std::ostringstream why;
            why << "no way round a giant ring leads from rank " << pair.first << " to rank "
                << pair.second << ": the ring has " << gaps.size()
                << " gaps, the first between rank " << gaps.begin()->first << " and rank "
                << gaps.begin()->second;
            CircuitTarget none;
            none.refusal = why.str();
            return none;
        }
    }
    return target;
}

CircuitTarget
GiantRingPolicy::GetTarget(const CircuitQuestion& question)
{
    NS_LOG_FUNCTION(this << ToWords(question.phase));
    return GetRingTarget(GetRings(question.phase.job), question);
}

CircuitTarget
GiantRingPolicy::GetInitial(const JobDemand& demand, const RailCircuits& circuits)
{
    NS_LOG_FUNCTION(this << demand.job);
    const GiantRings& rings = GetRings(demand.job);
    CircuitTarget refused;
    refused.refusal = rings.GetWhyNot();
    if (!refused.IsPossible())
    {
        return refused;
    }
    std::vector<RankCircuit> wanted;
    for (uint32_t rail = 0; rail < GetCabling().GetRails(); ++rail)
    {
        const std::vector<RankCircuit> some = rings.GetCircuits(RailId(rail));
        wanted.insert(wanted.end(), some.begin(), some.end());
    }
    NS_LOG_INFO("job " << demand.job << " starts with " << wanted.size() << " circuits of rings");
    return PlanTowards(wanted, circuits, GetCabling());
}

bool
GiantRingPolicy::IsForGood() const
{
    return true;
}

bool
GiantRingPolicy::IsMultiHop() const
{
    return true;
}

} // namespace ns3
