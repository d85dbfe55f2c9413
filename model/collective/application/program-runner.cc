/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-runner.h"

#include <sstream>
#include <utility>

namespace ns3
{

ProgramRunner::ProgramRunner(const NumberedProgram& program, std::function<void(uint32_t)> begin)
    : m_program(program),
      m_begin(std::move(begin))
{
}

void
ProgramRunner::Load()
{
    m_streams.resize(m_program.GetOrder().GetStreams().size());
    m_over.resize(m_program.GetFlows());
}

void
ProgramRunner::Proceed()
{
    if (m_proceeding)
    {
        m_again = true; // the call that is under way continues
        return;
    }
    m_proceeding = true;
    do
    {
        m_again = false;
        while (const std::optional<uint32_t> next = m_stopped ? std::nullopt : FindNext())
        {
            m_streams[m_program.GetOperations()[*next].stream].busy = true;
            m_begin(*next);
        }
    } while (m_again && !m_stopped);
    m_proceeding = false;
}

std::optional<uint32_t>
ProgramRunner::FindNext() const
{
    // in the order of the program, independent of the numbers of streams
    std::optional<uint32_t> first;
    const auto& operations = m_program.GetOrder().GetStreams();
    for (uint32_t s = 0; s < m_streams.size(); ++s)
    {
        const Stream& stream = m_streams[s];
        if (!stream.busy && stream.next < operations[s].size())
        {
            const uint32_t next = operations[s][stream.next];
            first = (!first || next < *first) && CanBegin(next) ? next : first;
        }
    }
    return first;
}

bool
ProgramRunner::CanBegin(uint32_t operation) const
{
    const RankOperation& call = m_program.GetOperations()[operation];
    for (const uint32_t earlier : call.after)
    {
        if (!IsDone(earlier))
        {
            return false;
        }
    }
    return !call.IsExchange() ||
           m_over[m_program.GetFlow(operation)] == m_program.GetNumber(operation);
}

bool
ProgramRunner::IsDone(uint32_t operation) const
{
    const Stream& stream = m_streams[m_program.GetOperations()[operation].stream];
    return m_program.GetOrder().GetIndex(operation) < stream.next;
}

void
ProgramRunner::Resume(uint32_t operation)
{
    m_streams[m_program.GetOperations()[operation].stream].busy = true;
}

void
ProgramRunner::End(uint32_t operation)
{
    const RankOperation& call = m_program.GetOperations()[operation];
    Stream& stream = m_streams[call.stream];
    stream.busy = false;
    ++stream.next;
    if (call.IsExchange())
    {
        ++m_over[m_program.GetFlow(operation)];
    }
}

std::string
ProgramRunner::Describe() const
{
    std::ostringstream words;
    for (uint32_t s = 0; s < m_streams.size(); ++s)
    {
        const Stream& stream = m_streams[s];
        const std::vector<uint32_t>& operations = m_program.GetOrder().GetStreams()[s];
        if (stream.next == operations.size())
        {
            continue;
        }
        const uint32_t next = operations[stream.next];
        if (!stream.busy)
        {
            words << "stream " << s << " waits to start operation " << next << ". ";
        }
        else if (m_program.GetOperations()[next].kind == RankOperation::Kind::CIRCUITS)
        {
            words << "stream " << s << " waits for circuits in operation " << next << ". ";
        }
    }
    return words.str();
}

} // namespace ns3
