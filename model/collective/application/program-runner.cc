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
    const auto& operations = m_program.GetOperations();
    m_streams.resize(m_program.GetProgram().GetStreams());
    m_done.resize(operations.size());
    for (uint32_t o = 0; o < operations.size(); ++o)
    {
        m_streams[operations[o].stream].operations.push_back(o);
        if (operations[o].IsExchange())
        {
            m_over[m_program.GetFlowKey(o)] = 0;
        }
    }
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
    for (const Stream& stream : m_streams)
    {
        if (!stream.busy && stream.next < stream.operations.size())
        {
            const uint32_t next = stream.operations[stream.next];
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
        if (!m_done[earlier])
        {
            return false;
        }
    }
    return !call.IsExchange() ||
           m_over.at(m_program.GetFlowKey(operation)) == m_program.GetNumber(operation);
}

void
ProgramRunner::End(uint32_t operation)
{
    const RankOperation& call = m_program.GetOperations()[operation];
    Stream& stream = m_streams[call.stream];
    m_done[operation] = true;
    stream.busy = false;
    ++stream.next;
    if (call.IsExchange())
    {
        ++m_over.at(m_program.GetFlowKey(operation));
    }
}

std::string
ProgramRunner::Describe() const
{
    std::ostringstream words;
    for (uint32_t s = 0; s < m_streams.size(); ++s)
    {
        const Stream& stream = m_streams[s];
        if (stream.next == stream.operations.size())
        {
            continue;
        }
        const uint32_t next = stream.operations[stream.next];
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
