/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-feasibility.h"

#include "job-rank-parts.h"

#include "ns3/algorithm-choice.h"
#include "ns3/circuit-broker.h"
#include "ns3/job-demand.h"
#include "ns3/on-demand-policy.h"
#include "ns3/one-shot-policy.h"
#include "ns3/operation-parameters.h"

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** The ports of rails, before there are any rails. */
class PlannedPorts : public CircuitBroker
{
  public:
    explicit PlannedPorts(const FeasibilityInputs& inputs)
        : m_inputs(inputs),
          m_planner(inputs.cabling)
    {
    }

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>&,
                          const std::vector<JoinedRanks>& pairs) const override
    {
        if (m_inputs.policy->NeedsControlPlane())
        {
            const std::string why = m_planner.GetWhyNot(JobId(0), pairs);
            return why.empty() ? m_inputs.policy->GetWhyNever(pairs) : why;
        }
        RouteInputs anyPorts;
        anyPorts.portsOf = [](RankId) { return std::numeric_limits<uint32_t>::max(); };
        return ChooseRoutes(pairs, *m_inputs.cabling, anyPorts).why;
    }

    bool AreIntraNode(RankId one, RankId other) const override
    {
        return m_inputs.cabling->AreIntraNode(one, other);
    }

    PathCosts GetCosts(const CostQuestion&) const override
    {
        PathCosts costs;
        costs.hostBytesPerSecond = m_inputs.hasHosts ? 1 : 0; // slower than any circuit
        return costs;
    }

    void Request(const CircuitRequest&, AnswerCallback) override
    {
    }

    void Finished(const CircuitRequest&) override
    {
    }

  private:
    const FeasibilityInputs& m_inputs;
    CircuitPlanner m_planner;
};

/** Checks the exchanges of a job. */
class ExchangeChecks
{
  public:
    ExchangeChecks(const JobPrograms& job, const FeasibilityInputs& inputs)
        : m_job(job),
          m_inputs(inputs),
          m_broker(CreateObject<PlannedPorts>(inputs)),
          m_groups(MakeGroupsOf(job, inputs.perServer)),
          m_shapeOf(m_groups.size())
    {
    }

    /** @return the first thing that can't run */
    std::string Find()
    {
        const std::string whyNot = m_inputs.policy->NeedsControlPlane() ? FindAtStart() : "";
        if (!whyNot.empty())
        {
            return whyNot;
        }
        for (uint32_t rank = 0; rank < m_job.ranks.size(); ++rank)
        {
            if (!IsNew(rank))
            {
                continue;
            }
            for (const RankOperation* const call : ListExchanges(*m_job.ranks[rank].program))
            {
                if (IsNew(rank, *call))
                {
                    const std::string why = FindAt(rank, *call);
                    if (!why.empty())
                    {
                        return Describe(rank, *call) + why;
                    }
                }
            }
        }
        return "";
    }

  private:
    /** @return the exchanges of a program, of those that are alike the first */
    const std::vector<const RankOperation*>& ListExchanges(const RankProgram& program)
    {
        const auto [its, isNew] = m_exchanges.try_emplace(&program);
        if (isNew)
        {
            const auto before = [](const RankOperation* one, const RankOperation* other) {
                const auto list = [](const RankOperation& call) {
                    return std::tie(call.kind,
                                    call.collective,
                                    call.place,
                                    call.straggler,
                                    call.group,
                                    call.bytes,
                                    call.demand,
                                    call.algorithm);
                };
                return list(*one) < list(*other);
            };
            std::set<const RankOperation*, decltype(before)> known(before);
            for (const RankOperation& call : program.GetOperations())
            {
                if (call.IsExchange() && known.insert(&call).second)
                {
                    its->second.push_back(&call);
                }
            }
        }
        return its->second;
    }

    /** @return the group of a call */
    const CommunicationGroup& GroupOf(uint32_t rank, const RankOperation& call) const
    {
        return *m_groups[m_job.ranks[rank].groups[call.group]];
    }

    /** @return the reason why the policy can't start the job; empty if it can */
    std::string FindAtStart()
    {
        m_circuits = MakeDarkRails(*m_inputs.cabling);
        const JobDemand demand =
            MakeJobDemand(JobId(0), MakeRankParts(m_job, m_groups), *m_inputs.cabling);
        const CircuitTarget start = m_inputs.policy->GetInitial(demand, m_circuits);
        for (const auto& [rail, plan] : start.changes)
        {
            m_circuits[rail.Get()].Apply(plan);
        }
        // any pairs that the ports can join are joined on demand; one-shot depends on the order
        m_dependsOnPolicy = !DynamicCast<OnDemandPolicy>(m_inputs.policy) &&
                            !DynamicCast<OneShotPolicy>(m_inputs.policy);
        return start.refusal;
    }

    /** @return the rank from which members of a group count, so that groups elsewhere are alike */
    uint32_t BaseOf(const CommunicationGroup& group) const
    {
        const uint32_t first = group.GetRanks().front().Get();
        // the policy's circuits may differ from server to server
        return m_dependsOnPolicy ? 0 : first - first % m_inputs.perServer;
    }

    /** @return a number that groups have in common whose members are as far from their base */
    uint32_t ShapeOf(uint32_t group)
    {
        if (!m_shapeOf[group])
        {
            const uint32_t base = BaseOf(*m_groups[group]);
            std::vector<uint32_t> members;
            for (const RankId member : m_groups[group]->GetRanks())
            {
                members.push_back(member.Get() - base);
            }
            m_shapeOf[group] = m_shapes.try_emplace(members, m_shapes.size()).first->second;
        }
        return *m_shapeOf[group];
    }

    /** @return whether no rank of the same program had such places in such groups */
    bool IsNew(uint32_t rank)
    {
        std::vector<uint32_t> places;
        for (const uint32_t group : m_job.ranks[rank].groups)
        {
            places.push_back(ShapeOf(group));
            places.push_back(rank - BaseOf(*m_groups[group]));
        }
        return m_ranks.emplace(m_job.ranks[rank].program.get(), places).second;
    }

    /** @return whether no exchange of as many bytes between ranks of equal places was like this */
    bool IsNew(uint32_t rank, const RankOperation& call)
    {
        const bool isCollective = call.kind == RankOperation::Kind::COLLECTIVE;
        const std::array<uint32_t, 6> key{static_cast<uint32_t>(call.kind),
                                          static_cast<uint32_t>(call.collective),
                                          call.place,
                                          call.straggler,
                                          isCollective ? 0 : rank - BaseOf(GroupOf(rank, call)),
                                          ShapeOf(m_job.ranks[rank].groups[call.group])};
        const DemandMatrix* const demand = call.demand.get();
        const auto its = std::tie(key, call.bytes, demand, call.algorithm);
        return m_known.find(its) == m_known.end() && m_known.emplace(its).second;
    }

    /** @return the reason why an exchange can't run; empty if it can */
    std::string FindAt(uint32_t rank, const RankOperation& call) const
    {
        const CommunicationGroup& group = GroupOf(rank, call);
        const CollectiveParameters parameters = MakeOperationParameters(RankId(rank),
                                                                        call,
                                                                        group,
                                                                        m_inputs.settings,
                                                                        m_inputs.hasScaleUp);
        std::vector<RankId> ranks = group.GetRanks();
        if (call.kind != RankOperation::Kind::COLLECTIVE)
        {
            const RankId other = ranks.at(call.place);
            const bool sends = call.kind == RankOperation::Kind::SEND;
            ranks = {sends ? RankId(rank) : other, sends ? other : RankId(rank)};
        }
        AlgorithmPreference preference;
        preference.algorithm = call.algorithm;
        preference.fallback = m_inputs.settings.fallback;
        preference.inside = m_inputs.hasScaleUp;
        preference.mayUseHost = m_inputs.hasHosts;
        const AlgorithmChoice choice =
            ChooseAlgorithm(parameters, call.bytes, ranks, *m_broker, preference);
        return choice.algorithm.empty() ? choice.why : m_inputs.hasHosts ? "" : FindGap(choice);
    }

    /** @return the reason why the policy never joins the pairs of an algorithm; empty if it may */
    std::string FindGap(const AlgorithmChoice& choice) const
    {
        const OpusPhase phase; // of job 0
        const IdlePorts idle;
        for (const auto& pairs : choice.pairs)
        {
            const CircuitTarget target =
                m_dependsOnPolicy && !pairs->empty()
                    ? m_inputs.policy->GetTarget({phase, *pairs, 0, m_circuits, idle})
                    : CircuitTarget();
            if (!target.refusal.empty())
            {
                return "\"" + choice.algorithm + "\": " + target.refusal;
            }
        }
        return "";
    }

    std::string Describe(uint32_t rank, const RankOperation& call) const
    {
        std::ostringstream words;
        if (call.kind == RankOperation::Kind::COLLECTIVE)
        {
            words << ToString(call.collective) << " in group \"" << GroupOf(rank, call).GetName()
                  << "\"";
        }
        else
        {
            const RankId other = GroupOf(rank, call).GetRanks().at(call.place);
            const bool sends = call.kind == RankOperation::Kind::SEND;
            words << "the send from rank " << (sends ? RankId(rank) : other) << " to rank "
                  << (sends ? other : RankId(rank));
        }
        words << (call.label.empty() ? "" : ", " + call.label) << ": ";
        return words.str();
    }

    const JobPrograms& m_job;
    const FeasibilityInputs& m_inputs;
    Ptr<PlannedPorts> m_broker;
    std::vector<std::shared_ptr<const CommunicationGroup>> m_groups;
    RailCircuits m_circuits;                        //!< at the start
    bool m_dependsOnPolicy{false};                  //!< its circuits depend on more than ports
    std::vector<std::optional<uint32_t>> m_shapeOf; //!< by group
    std::map<std::vector<uint32_t>, uint32_t> m_shapes;
    std::map<const RankProgram*, std::vector<const RankOperation*>> m_exchanges;
    std::set<std::pair<const RankProgram*, std::vector<uint32_t>>> m_ranks;
    std::set<std::tuple<std::array<uint32_t, 6>, uint64_t, const DemandMatrix*, std::string>,
             std::less<>>
        m_known;
};

} // namespace

std::string
FindInfeasible(const JobPrograms& job, const FeasibilityInputs& inputs)
{
    return ExchangeChecks(job, inputs).Find();
}

} // namespace ns3
