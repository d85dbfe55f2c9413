/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recorded-policy.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/opus-words.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RecordedPolicy");

NS_OBJECT_ENSURE_REGISTERED(RecordedPolicy);

TypeId
RecordedPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RecordedPolicy")
            .SetParent<CircuitPolicy>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RecordedPolicy>()
            .AddAttribute("File",
                          "The circuits of each phase, as RecordedSchedule writes them.",
                          StringValue(""),
                          MakeStringAccessor(&RecordedPolicy::m_file),
                          MakeStringChecker());
    return tid;
}

void
RecordedPolicy::NotifyCabling()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_file.empty(),
                    "RecordedPolicy: it needs a plan; name a file: recorded:plan.txt");
    const std::string mistake = RecordedSchedule::ReadFile(m_file, m_plan);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "RecordedPolicy: " << mistake);
    NS_LOG_INFO(m_file << " has circuits of " << m_plan.GetPhases().size() << " phases");
    CheckCircuits(m_plan.GetStart(), "start");
    for (const auto& [phase, circuits] : m_plan.GetPhases())
    {
        CheckCircuits(circuits, ToWords(phase));
    }
}

void
RecordedPolicy::CheckCircuits(const std::vector<RankCircuit>& circuits, const std::string& of) const
{
    for (const RankCircuit& circuit : circuits)
    {
        for (const auto& [rank, port] : {std::make_pair(circuit.one, circuit.onePort),
                                         std::make_pair(circuit.other, circuit.otherPort)})
        {
            const std::size_t ports =
                GetCabling().IsKnown(rank) ? GetCabling().GetPorts(rank).size() : 0;
            NS_ABORT_MSG_UNLESS(port < ports,
                                "RecordedPolicy: " << m_file << ", " << of << ": port " << port
                                                   << " of rank " << rank << ", which has " << ports
                                                   << "; the file is for other cabling");
        }
        NS_ABORT_MSG_UNLESS(GetCabling().GetRail(circuit.one) ==
                                GetCabling().GetRail(circuit.other),
                            "RecordedPolicy: " << m_file << ", " << of << ": ranks " << circuit.one
                                               << " and " << circuit.other
                                               << " are on two rails, which no circuit joins; the "
                                                  "file is for other cabling");
    }
}

std::string
RecordedPolicy::FindObstacle(const RankCircuit& circuit, const CircuitQuestion& question) const
{
    const auto [one, other] = GetRailPorts(circuit, GetCabling());
    const bool stands = question.circuits[one.rail.Get()].GetPeer(one.port) == other.port;
    for (const RailPort& port : {one, other})
    {
        if (!stands || question.use.IsReconfiguring(port))
        {
            const std::string whyNot = question.use.GetWhyNot(port);
            if (!whyNot.empty())
            {
                return whyNot;
            }
        }
    }
    return "";
}

CircuitTarget
RecordedPolicy::GetTarget(const CircuitQuestion& question)
{
    NS_LOG_FUNCTION(this << ToWords(question.phase));
    const std::vector<RankCircuit>* ofPhase = m_plan.Find(question.phase);
    const std::vector<RankCircuit>& all = ofPhase ? *ofPhase : m_plan.GetStart();
    std::map<JoinedRanks, bool> isJoined;
    std::map<JoinedRanks, std::vector<JoinedRanks>> routed; // the pairs of each route
    for (const JoinedRanks& pair : NormalizePairs(question.pairs))
    {
        isJoined[pair] = false;
        for (const JoinedRanks& route : GetRoutes(pair, GetCabling()))
        {
            routed[std::minmax(route.first, route.second)].push_back(pair);
        }
    }
    std::vector<RankCircuit> wanted;
    CircuitTarget none;
    for (const RankCircuit& circuit : all)
    {
        const auto route = routed.find(std::minmax(circuit.one, circuit.other));
        if (route != routed.end())
        {
            for (const JoinedRanks& pair : route->second)
            {
                isJoined[pair] = true;
            }
            wanted.push_back(circuit);
            const std::string obstacle = FindObstacle(circuit, question);
            none.waitsFor = none.waitsFor.empty() ? obstacle : none.waitsFor;
        }
    }
    for (const auto& [pair, joined] : isJoined)
    {
        if (!joined)
        {
            std::ostringstream why;
            why << m_file << " does not join ranks " << pair.first << " and " << pair.second
                << " for " << ToWords(question.phase)
                << (ofPhase ? "" : ", of which it has no line");
            none.refusal = why.str();
            none.waitsFor.clear();
            return none;
        }
    }
    return none.waitsFor.empty() ? PlanTowards(wanted, question.circuits, GetCabling()) : none;
}

CircuitTarget
RecordedPolicy::GetInitial(const JobDemand& demand, const RailCircuits& circuits)
{
    NS_LOG_FUNCTION(this << demand.job);
    std::vector<RankCircuit> wanted;
    for (const RankCircuit& circuit : m_plan.GetStart())
    {
        const auto [one, other] = GetRailPorts(circuit, GetCabling());
        if (GetCabling().FindOwner(one) == demand.job ||
            GetCabling().FindOwner(other) == demand.job)
        {
            wanted.push_back(circuit); // the controller refuses a port of another job
        }
    }
    NS_LOG_INFO("job " << demand.job << " starts with " << wanted.size() << " circuits");
    return PlanTowards(wanted, circuits, GetCabling());
}

bool
RecordedPolicy::IsForGood() const
{
    return m_plan.GetPhases().empty();
}

} // namespace ns3
