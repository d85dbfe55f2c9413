/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-table.h"

#include "bus-bandwidth.h"

#include <iomanip>

namespace ns3
{

CollectiveTable::CollectiveTable(const CollectiveOptions& options)
    : m_options(options)
{
}

void
CollectiveTable::PrintHead(std::ostream& os) const
{
    os << m_options.collective << " of " << m_options.ranks << " ranks"
       << (m_options.scaleUpSize > 1 ? " in servers of " + std::to_string(m_options.scaleUpSize)
                                     : "")
       << ", " << m_options.railKind << (m_options.scaleUpSize > 1 ? " rails, " : " rail, ")
       << m_options.ports << (m_options.ports == 1 ? " port of " : " ports of ")
       << m_options.portRate.GetBitRate() / 1e9 << " Gb/s a GPU" << std::endl
       << std::endl
       << "        size         count        time    algbw    busbw  algorithm" << std::endl
       << "         (B)      (floats)        (us)   (GB/s)   (GB/s)" << std::endl;
}

void
CollectiveTable::Print(std::ostream& os, const CollectiveMeasurement& measurement) const
{
    const OperationRecord& record = measurement.GetRecord();
    os << std::fixed << std::setw(12) << measurement.GetSize() << std::setw(14)
       << measurement.GetSize() / 4 << std::setprecision(2) << std::setw(12)
       << measurement.GetSeconds() * 1e6 << std::setw(9) << measurement.GetAlgorithmBandwidth()
       << std::setw(9) << GetBusBandwidth(measurement) << "  " << record.algorithm
       << (m_options.times.AreSet() ? std::string(", ") + ToString(record.protocol) : "")
       << (record.fellBack ? " (fallback: " + record.why + ")" : "") << std::endl;
}

void
CollectiveTable::Plot(CurvePlot& plot, const CollectiveMeasurement& measurement) const
{
    const auto size = static_cast<double>(measurement.GetSize());
    plot.AddPoint("bus bandwidth", size, GetBusBandwidth(measurement));
    plot.AddPoint("algorithm bandwidth", size, measurement.GetAlgorithmBandwidth());
}

void
CollectiveTable::Write(JsonWriter& json, const CollectiveMeasurement& measurement) const
{
    const OperationRecord& record = measurement.GetRecord();
    json.Field("collective", m_options.collective);
    json.Field("algorithm", record.algorithm);
    json.Field("protocol", ToString(record.protocol));
    json.Field("fallback", record.fellBack);
    json.Field("ranks", m_options.ranks);
    json.Field("bytes", measurement.GetSize());
    json.Field("time_s", measurement.GetSeconds());
    json.Field("time_ps", measurement.GetTime().GetTimeStep());
    json.Field("since_first_call_s", measurement.GetSecondsSinceBegin());
    json.Field("algbw_gbytes_s", measurement.GetAlgorithmBandwidth());
    json.Field("busbw_gbytes_s", GetBusBandwidth(measurement));
    json.Field("rounds", record.rounds);
    json.Field("messages_per_rank", measurement.GetMessages());
    json.Field("bytes_per_rank", measurement.GetBytes());
}

double
CollectiveTable::GetBusBandwidth(const CollectiveMeasurement& measurement) const
{
    return measurement.GetAlgorithmBandwidth() * GetBusFactor(m_options.kind, m_options.ranks);
}

} // namespace ns3
