/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-measurement.h"

#include "ns3/application.h"
#include "ns3/callback.h"

#include <algorithm>

namespace ns3
{

CollectiveMeasurement::CollectiveMeasurement(uint64_t size)
    : m_size(size)
{
}

void
CollectiveMeasurement::Observe(const ApplicationContainer& applications)
{
    for (uint32_t a = 0; a < applications.GetN(); ++a)
    {
        applications.Get(a)->TraceConnectWithoutContext(
            "OperationStarted",
            MakeCallback(&CollectiveMeasurement::TakeStart, this));
        applications.Get(a)->TraceConnectWithoutContext(
            "OperationEnded",
            MakeCallback(&CollectiveMeasurement::TakeEnd, this));
    }
}

void
CollectiveMeasurement::TakeStart(const OperationRecord& record)
{
    if (record.call.kind != RankOperation::Kind::COMPUTE)
    {
        m_lastCall = std::max(m_lastCall, record.start);
    }
}

void
CollectiveMeasurement::TakeEnd(const OperationRecord& record)
{
    if (record.call.kind == RankOperation::Kind::COMPUTE)
    {
        return;
    }
    m_lastEnd = std::max(m_lastEnd, record.end);
    m_record = record;
    m_messages = std::max(m_messages, record.messagesSent);
    m_bytes = std::max(m_bytes, record.bytesSent);
}

uint64_t
CollectiveMeasurement::GetSize() const
{
    return m_size;
}

Time
CollectiveMeasurement::GetTime() const
{
    return m_lastEnd - m_lastCall;
}

double
CollectiveMeasurement::GetSeconds() const
{
    return GetTime().GetTimeStep() / 1e12;
}

double
CollectiveMeasurement::GetSecondsSinceBegin() const
{
    return m_lastEnd.GetTimeStep() / 1e12;
}

double
CollectiveMeasurement::GetAlgorithmBandwidth() const
{
    return GetTime().IsZero() ? 0 : m_size / GetSeconds() / 1e9;
}

uint64_t
CollectiveMeasurement::GetMessages() const
{
    return m_messages;
}

uint64_t
CollectiveMeasurement::GetBytes() const
{
    return m_bytes;
}

const OperationRecord&
CollectiveMeasurement::GetRecord() const
{
    return m_record;
}

} // namespace ns3
