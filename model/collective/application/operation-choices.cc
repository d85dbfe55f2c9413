/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-choices.h"

#include "operation-parameters.h"
#include "operation-timing.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/time-estimate.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

OperationChoices::OperationChoices(const NumberedProgram& program,
                                   const RankConnections& connections,
                                   const CollectiveSettings& settings,
                                   StragglerAwareness& stragglers)
    : m_program(program),
      m_connections(connections),
      m_settings(settings),
      m_stragglers(stragglers)
{
}

void
OperationChoices::BeginIteration(uint32_t operation)
{
    for (const uint32_t chosen : m_stragglers.FindChosen(operation))
    {
        Get(chosen);
    }
}

void
OperationChoices::Call(uint32_t operation)
{
    if (m_stragglers.Covers(operation))
    {
        m_stragglers.Call(operation);
    }
}

OperationChoices::Place
OperationChoices::GetPlace(uint32_t operation) const
{
    return {m_program.GetFlow(operation), m_program.GetNumber(operation)};
}

OperationChoices::Choice
OperationChoices::Get(uint32_t operation)
{
    const FlowKey& flowKey = m_program.GetFlowKey(operation);
    const uint64_t number = m_program.GetNumber(operation);
    Choice& known = m_choices[GetPlace(operation)];
    if (known)
    {
        return known;
    }
    if (m_stragglers.Covers(operation))
    {
        if (m_stragglers.Chooses(operation))
        {
            known = ChooseAware(operation);
            Announce(operation, known);
        }
        return known;
    }
    const RankOperation& call = m_program.GetOperations()[operation];
    const bool hasCosts = m_connections.broker->HasOwnCosts() && HasAlternatives(call);
    ChoiceInputs inputs{MakeParameters(call), call.bytes, MakePreference(operation), Time(0)};
    if (!hasCosts)
    {
        CollectiveLedger& ledger = *m_connections.ledger;
        inputs.at = m_connections.broker->CanChange() ? Simulator::Now() : Time(0);
        known = ledger.FindChoice(flowKey, number, inputs);
        if (!known)
        {
            known = Make(operation, inputs);
            ledger.KeepChoice(flowKey, number, inputs, known);
        }
        return known;
    }
    if (m_connections.rank != m_program.GetRanks(operation).front())
    {
        return nullptr;
    }
    known = Make(operation, inputs);
    Announce(operation, known);
    return known;
}

void
OperationChoices::Announce(uint32_t operation, const Choice& choice)
{
    for (const RankId rank : m_program.GetRanks(operation))
    {
        if (rank != m_connections.rank)
        {
            m_connections.bootstrap->Send(rank,
                                          m_settings.bootstrapLatency,
                                          m_program.GetFlowKey(operation),
                                          m_program.GetNumber(operation),
                                          choice);
        }
    }
}

OperationChoices::Choice
OperationChoices::ChooseAware(uint32_t operation) const
{
    const RankOperation& call = m_program.GetOperations()[operation];
    const ChoiceInputs inputs{MakeParameters(call), call.bytes, MakePreference(operation), Time(0)};
    const Choice other = Make(operation, inputs);
    const std::optional<LatenessSample> expected = m_stragglers.GetExpected(operation);
    const bool hasOther = !other->algorithm.empty() && !other->host;
    const Choice stragglAr =
        expected && hasOther ? ChooseStragglAr(operation, inputs, *other, *expected) : nullptr;
    return stragglAr ? stragglAr : other;
}

OperationChoices::Choice
OperationChoices::ChooseStragglAr(uint32_t operation,
                                  const ChoiceInputs& inputs,
                                  const AlgorithmChoice& other,
                                  const LatenessSample& expected) const
{
    const std::vector<RankId> ranks = m_program.GetRanks(operation);
    CollectiveParameters parameters = inputs.parameters;
    parameters.straggler = std::find(ranks.begin(), ranks.end(), expected.rank) - ranks.begin();
    AlgorithmPreference preference = inputs.preference;
    preference.algorithm = "straggl-ar";
    preference.mayUseHost = false;
    AlgorithmChoice choice =
        ChooseAlgorithm(parameters, inputs.bytes, ranks, *m_connections.broker, preference);
    if (choice.algorithm.rfind(preference.algorithm, 0) != 0)
    {
        return nullptr;
    }
    const StragglerCosts costs = MakeCosts(operation, inputs, choice);
    const Time lateness = ToTime(expected.lateness);
    AlgorithmPreference atSameRate = inputs.preference;
    atSameRate.intraNodeBytesPerSecond = m_settings.intraNodeBytesPerSecond;
    const Time usual = other.algorithm == "ring"
                           ? costs.GetRing()
                           : EstimateTime(*other.schedule, inputs.bytes, atSameRate);
    if (!costs.IsSureToPay(lateness, usual))
    {
        return nullptr;
    }
    std::ostringstream reason;
    reason << "rank " << expected.rank << " is expected " << lateness.As(Time::US)
           << " late: " << choice.algorithm << " "
           << costs.GetStragglArSettled(lateness).As(Time::US) << ", " << other.algorithm << " "
           << (lateness + usual).As(Time::US);
    choice.reason = reason.str();
    return m_connections.ledger->Unify(m_program.GetFlowKey(operation), std::move(choice));
}

StragglerCosts
OperationChoices::MakeCosts(uint32_t operation,
                            const ChoiceInputs& inputs,
                            const AlgorithmChoice& choice) const
{
    const bool isInside = IsInside(m_program.GetOperations()[operation]);
    StragglerCosts costs = StragglerCosts::OfFabric(
        inputs.parameters.ranks,
        inputs.bytes,
        isInside ? m_settings.intraNodeBytesPerSecond : m_settings.bytesPerSecond,
        m_settings.hopLatency +
            (isInside ? inputs.preference.intraNodeStep : inputs.preference.step));
    costs.scatterRounds = choice.schedule->GetRounds() - costs.rounds;
    costs.settling = costs.hop; // what a rank sends is settled a hop after it has come
    costs.reconfiguration = m_connections.broker
                                ->GetCosts(MakeQuestion(inputs.preference,
                                                        inputs.parameters,
                                                        inputs.bytes,
                                                        m_program.GetRanks(operation)))
                                .reconfiguration;
    for (std::size_t s = 0; s < choice.pairs.size(); ++s)
    {
        if (!choice.pairs[s]->empty())
        {
            const bool isScatter = choice.schedule->GetStages()[s].firstRound < costs.scatterRounds;
            ++(isScatter ? costs.scatterChanges : costs.changes);
        }
    }
    const bool isOdd = inputs.parameters.ranks % 2 == 1;
    for (uint32_t ranks = 1; isOdd && costs.changes == 0 && ranks < inputs.parameters.ranks;
         ranks *= 2)
    {
        // the rank that is idle in a round runs ahead where no circuits hold it back, and disturbs
        // others; with 5 to 63 ranks that took fewer rounds than the logarithm of their number
        ++costs.rounds;
    }
    return costs;
}

OperationChoices::Choice
OperationChoices::Make(uint32_t operation, const ChoiceInputs& inputs) const
{
    return IsInside(m_program.GetOperations()[operation]) ? ChooseInside(operation, inputs)
                                                          : Choose(operation, inputs);
}

OperationChoices::Choice
OperationChoices::Choose(uint32_t operation, const ChoiceInputs& inputs) const
{
    return m_connections.ledger->Unify(m_program.GetFlowKey(operation),
                                       ChooseAlgorithm(inputs.parameters,
                                                       inputs.bytes,
                                                       m_program.GetRanks(operation),
                                                       *m_connections.broker,
                                                       inputs.preference));
}

OperationChoices::Choice
OperationChoices::ChooseInside(uint32_t operation, const ChoiceInputs& inputs) const
{
    const std::optional<PathCosts> costs = FindInsideCosts(operation, inputs);
    LastingInputs lasting{inputs, costs.value_or(PathCosts())};
    lasting.inputs.at = Time(0);
    const FlowKey& flowKey = m_program.GetFlowKey(operation);
    Choice choice = costs ? m_connections.ledger->FindLasting(flowKey, lasting) : nullptr;
    if (choice)
    {
        return choice;
    }
    choice = Choose(operation, inputs);
    const auto isEmpty = [](const auto& pairs) { return pairs->empty(); };
    if (costs && std::all_of(choice->pairs.begin(), choice->pairs.end(), isEmpty))
    {
        m_connections.ledger->KeepLasting(flowKey, lasting, choice);
    }
    return choice;
}

std::optional<PathCosts>
OperationChoices::FindInsideCosts(uint32_t operation) const
{
    const RankOperation& call = m_program.GetOperations()[operation];
    return FindInsideCosts(operation,
                           {MakeParameters(call), call.bytes, MakePreference(operation), Time(0)});
}

std::optional<PathCosts>
OperationChoices::FindInsideCosts(uint32_t operation, const ChoiceInputs& inputs) const
{
    const CircuitBroker& broker = *m_connections.broker;
    const std::vector<RankId> ranks = m_program.GetRanks(operation);
    if (!broker.GetWhyNot(ranks, {}).empty())
    {
        return std::nullopt;
    }
    return broker.GetCosts(MakeQuestion(inputs.preference, inputs.parameters, inputs.bytes, ranks));
}

void
OperationChoices::Learn(const FlowKey& flowKey, uint64_t number, Choice choice)
{
    m_choices[{m_program.FindFlow(flowKey).value(), number}] = std::move(choice);
}

void
OperationChoices::Forget(uint32_t operation)
{
    m_choices.erase(GetPlace(operation));
}

void
OperationChoices::Clear()
{
    m_choices.clear();
}

bool
OperationChoices::IsInside(const RankOperation& call) const
{
    return m_connections.scaleUp && IsIntraNodeGroup(m_program.GetGroup(call.group));
}

bool
OperationChoices::MayUseHost(const RankOperation& call) const
{
    return m_connections.host && !IsInside(call) && (call.isOverHosts || m_settings.weighHost);
}

bool
OperationChoices::HasAlternatives(const RankOperation& call) const
{
    if (IsInside(call) || call.isOverHosts)
    {
        return false; // no circuits
    }
    if (!call.algorithm.empty())
    {
        return m_settings.mayUseHost && MayUseHost(call);
    }
    const CollectiveKind kind =
        call.kind == RankOperation::Kind::COLLECTIVE ? call.collective : CollectiveKind::SEND_RECV;
    return MayUseHost(call) || CollectiveAlgorithm::GetAll(kind).size() > 1;
}

CollectiveParameters
OperationChoices::MakeParameters(const RankOperation& call) const
{
    return MakeOperationParameters(m_connections.rank,
                                   call,
                                   m_program.GetGroup(call.group),
                                   m_settings,
                                   m_connections.scaleUp != nullptr);
}

AlgorithmPreference
OperationChoices::MakePreference(uint32_t operation) const
{
    const RankOperation& call = m_program.GetOperations()[operation];
    const FlowKey& flowKey = m_program.GetFlowKey(operation);
    AlgorithmPreference preference;
    preference.algorithm = call.algorithm;
    preference.fallback = m_settings.fallback;
    preference.inside = m_connections.scaleUp != nullptr;
    preference.bytesPerSecond = m_settings.bytesPerSecond;
    preference.hopLatency = m_settings.hopLatency;
    AddTimes(preference);
    preference.messageSize =
        GetMessageSize(call, preference.protocol.value_or(CollectiveProtocol::SIMPLE));
    preference.hostNetwork = MayUseHost(call);
    preference.mayUseHost = m_settings.mayUseHost;
    preference.onlyHost = call.isOverHosts;
    preference.about.rank = m_connections.rank;
    preference.about.group = flowKey.group;
    preference.about.operation = m_program.GetNumber(operation);
    preference.about.pointToPoint = flowKey.pointToPoint;
    return preference;
}

void
OperationChoices::AddTimes(AlgorithmPreference& preference) const
{
    preference.protocol = m_settings.protocol;
    const OperationTiming timing(m_settings.times,
                                 m_settings.protocol.value_or(CollectiveProtocol::SIMPLE));
    preference.step = timing.GetStep(TransportKind::RAIL);
    preference.intraNodeStep = timing.GetStep(TransportKind::SCALE_UP);
    preference.hostStep = timing.GetStep(TransportKind::HOST);
}

uint64_t
OperationChoices::GetMessageSize(const RankOperation& call, CollectiveProtocol protocol) const
{
    if (IsInside(call))
    {
        return m_settings.intraNodeMessageSize;
    }
    return GetLargestMessage(protocol,
                             call.kind == RankOperation::Kind::COLLECTIVE
                                 ? m_settings.messageSize
                                 : m_settings.pointToPointMessageSize);
}

} // namespace ns3
