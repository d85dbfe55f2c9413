/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "compute-tape.h"

namespace ns3
{

ComputeTape::ComputeTape(RankProgram& program)
    : m_program(program)
{
}

void
ComputeTape::Compute(Time duration, const std::string& label)
{
    if (!m_computing)
    {
        m_label = label;
        m_computing = true;
    }
    m_duration += duration;
}

uint32_t
ComputeTape::Collective(uint32_t group,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::string& label)
{
    if (m_computing)
    {
        Flush();
    }
    m_last = m_program.Collective(TrainingStream::COMPUTE, group, kind, bytes);
    m_program.Edit(*m_last).label = label;
    Settle(*m_last);
    return *m_last;
}

void
ComputeTape::Await(uint32_t operation)
{
    if (m_computing)
    {
        Flush();
    }
    m_awaited.push_back(operation);
}

std::optional<uint32_t>
ComputeTape::Flush()
{
    if (m_computing || !m_awaited.empty())
    {
        m_last = m_program.Compute(TrainingStream::COMPUTE, m_duration, m_label);
        Settle(*m_last);
        m_computing = false;
        m_duration = Time(0);
        m_label.clear();
    }
    return m_last;
}

void
ComputeTape::Settle(uint32_t operation)
{
    for (const uint32_t earlier : m_awaited)
    {
        m_program.After(operation, earlier);
    }
    m_awaited.clear();
}

} // namespace ns3
