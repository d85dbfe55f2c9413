/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-matrix.h"

#include "bus-bandwidth.h"
#include "collective-measurement.h"

#include "ns3/collective-algorithm.h"

#include <iomanip>

namespace ns3
{

namespace
{

/** @return GB/s */
double
GetBusBandwidthOf(const CollectiveMatrix::Cell& cell, const CollectiveMeasurement& measurement)
{
    return measurement.GetAlgorithmBandwidth() *
           GetBusFactor(cell.options.kind, cell.options.ranks);
}

} // namespace

std::vector<CollectiveMatrix::Cell>
CollectiveMatrix::GetCells(const CollectiveOptions& options)
{
    std::vector<Cell> cells;
    for (const CollectiveKind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            for (const uint32_t ports : {1, 2, 4})
            {
                for (const char* rail : {"electrical", "standing", "reconfiguring"})
                {
                    Cell cell{rail, options};
                    cell.options.kind = kind;
                    cell.options.collective = ToString(kind);
                    cell.options.algorithm = algorithm->name;
                    cell.options.ports = ports;
                    cell.options.fallback = false;
                    cell.options.railKind = cell.rail == "electrical" ? "electrical" : "optical";
                    if (cell.rail != "reconfiguring")
                    {
                        cell.options.reconfigurationWords = "none";
                    }
                    const bool isWord = kind == CollectiveKind::BARRIER;
                    cell.options.sizes = {isWord ? 0 : options.least};
                    cells.push_back(cell);
                }
            }
        }
    }
    return cells;
}

void
CollectiveMatrix::PrintHead(std::ostream& os, const CollectiveOptions& options)
{
    os << options.least << " bytes of " << options.ranks << " ranks, ports of "
       << options.portRate.GetBitRate() / 1e9 << " Gb/s, reconfiguration in "
       << options.reconfigurationWords << std::endl
       << std::endl
       << "collective      algorithm              ports  rail            busbw  rounds  reconfig."
       << std::endl
       << "                                                             (GB/s)" << std::endl;
}

void
CollectiveMatrix::Print(std::ostream& os, const Cell& cell, const Outcome& outcome)
{
    os << std::left << std::setw(16) << cell.options.collective << std::setw(23)
       << cell.options.algorithm << std::right << std::setw(5) << cell.options.ports << "  "
       << std::left << std::setw(13) << cell.rail << std::right;
    if (!outcome.whyNot.empty())
    {
        os << "       - " << outcome.whyNot << std::endl;
        return;
    }
    os << std::fixed << std::setprecision(2) << std::setw(8)
       << GetBusBandwidthOf(cell, *outcome.measurement) << std::setw(8)
       << outcome.measurement->GetRecord().rounds << std::setw(11) << outcome.reconfigurations
       << std::endl;
}

void
CollectiveMatrix::Write(JsonWriter& json, const Cell& cell, const Outcome& outcome)
{
    json.Field("collective", cell.options.collective);
    json.Field("algorithm", cell.options.algorithm);
    json.Field("ports", cell.options.ports);
    json.Field("rail", cell.rail);
    json.Field("ranks", cell.options.ranks);
    json.Field("bytes", cell.options.sizes.front());
    json.Field("why_not", outcome.whyNot);
    if (outcome.whyNot.empty())
    {
        const CollectiveMeasurement& measurement = *outcome.measurement;
        json.Field("time_ps", measurement.GetTime().GetTimeStep());
        json.Field("busbw_gbytes_s", GetBusBandwidthOf(cell, measurement));
        json.Field("rounds", measurement.GetRecord().rounds);
        json.Field("reconfigurations", outcome.reconfigurations);
        json.Field("bytes_per_rank", measurement.GetBytes());
    }
}

} // namespace ns3
