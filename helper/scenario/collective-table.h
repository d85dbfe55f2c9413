/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_TABLE_H
#define PHOTONIC_RAILS_COLLECTIVE_TABLE_H

#include "collective-measurement.h"
#include "collective-options.h"

#include "ns3/curve-plot.h"
#include "ns3/json-writer.h"

#include <ostream>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The results of collective operations, size by size: the table of nccl-tests.
 */
class CollectiveTable
{
  public:
    /** @param options of all rows */
    explicit CollectiveTable(const CollectiveOptions& options);

    /** Prints what runs and the names of the columns. */
    void PrintHead(std::ostream& os) const;

    /** Prints the row of a size. */
    void Print(std::ostream& os, const CollectiveMeasurement& measurement) const;

    /** Adds the bandwidths of a size to a plot over sizes. */
    void Plot(CurvePlot& plot, const CollectiveMeasurement& measurement) const;

    /** Writes the members of a size, except for the counts of frames. */
    void Write(JsonWriter& json, const CollectiveMeasurement& measurement) const;

  private:
    /** @return GB/s */
    double GetBusBandwidth(const CollectiveMeasurement& measurement) const;

    CollectiveOptions m_options;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_TABLE_H */
