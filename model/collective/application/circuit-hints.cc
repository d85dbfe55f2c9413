/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-hints.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/rank-schedule.h"

#include <memory>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CircuitHints");

CircuitHints::CircuitHints(const NumberedProgram& program,
                           const RankConnections& connections,
                           const ProgramRunner& runner,
                           OperationChoices& choices,
                           std::function<void(uint32_t)> end)
    : m_program(program),
      m_connections(connections),
      m_runner(runner),
      m_choices(choices),
      m_end(std::move(end))
{
}

void
CircuitHints::CheckTargets(uint32_t number) const
{
    const auto& operations = m_program.GetOperations();
    const RankOperation& call = operations[number];
    NS_ABORT_MSG_UNLESS(
        call.first < operations.size() && call.last < operations.size() &&
            operations[call.first].IsExchange() &&
            m_program.GetFlowKey(call.first).IsSame(m_program.GetFlowKey(call.last)) &&
            m_program.GetNumber(call.first) <= m_program.GetNumber(call.last),
        "CollectiveApplication: operation "
            << number << " of rank " << m_connections.rank << " is about circuits for operations "
            << call.first << " to " << call.last
            << "; name two of one group and direction, the earlier first");
}

void
CircuitHints::Give(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    CheckTargets(number);
    const RankOperation& call = m_program.GetOperations()[number];
    if (m_runner.IsDone(call.first)) // its choice is forgotten, and others may not know a new one
    {
        GiveLate(number);
        return;
    }
    const OperationChoices::Choice choice = m_choices.Get(call.first);
    if (!choice)
    {
        m_waiting.push_back(number);
        return;
    }
    const uint32_t own = m_program.GetPlace(call.first);
    if (choice->algorithm.empty() || choice->host ||
        RankSchedule::Get(choice->schedule, own)->stages.empty())
    {
        m_end(number); // it needs no circuits, or reports its mistake itself
        return;
    }
    const uint32_t stage = RankSchedule::Get(choice->schedule, own)->stages.front();
    CircuitHint hint;
    hint.kind = call.hint;
    hint.first = m_program.MakeRequest(call.first, *choice, stage);
    hint.first.place = number;
    hint.until = m_program.GetNumber(call.last);
    hint.due = call.due;
    m_connections.broker->Hint(hint,
                               MakeCallback(&CircuitHints::Answered, this).Bind(uint64_t{number}));
    if (call.hint != CircuitHint::Kind::ACQUIRE)
    {
        m_end(number);
    }
}

void
CircuitHints::GiveLate(uint32_t number)
{
    const RankOperation& call = m_program.GetOperations()[number];
    if (call.hint == CircuitHint::Kind::RELEASE)
    {
        CircuitHint hint;
        hint.kind = call.hint;
        hint.first = m_program.MakeRequest(call.first); // its flow is enough
        hint.first.place = number;
        hint.until = m_program.GetNumber(call.last);
        m_connections.broker->Hint(
            hint,
            MakeCallback(&CircuitHints::Answered, this).Bind(uint64_t{number}));
    }
    m_end(number);
}

void
CircuitHints::GiveWaiting()
{
    std::vector<uint32_t> waiting;
    waiting.swap(m_waiting);
    for (const uint32_t number : waiting)
    {
        Give(number);
    }
}

void
CircuitHints::Answered(uint64_t number, const CircuitAnswer& answer)
{
    NS_LOG_FUNCTION(this << number << answer.why);
    // a refusal or withdrawal is answered again to the operation itself
    if (!m_runner.IsStopped() && !m_runner.IsDone(number) &&
        answer.network != CircuitAnswer::Network::WITHDRAWN)
    {
        m_end(number);
    }
}

} // namespace ns3
