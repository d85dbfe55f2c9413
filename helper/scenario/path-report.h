/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PATH_REPORT_H
#define PHOTONIC_RAILS_PATH_REPORT_H

#include "ns3/job-tally.h"
#include "ns3/json-writer.h"

#include <string>

namespace ns3
{

/** Writes operations and bytes by path as the object "paths". */
void WritePaths(JsonWriter& json, const PathTallies& paths);

/**
 * @return the bytes that NICs send on rails for each byte that operations send on them: 1 unless
 * GPUs forward for others of their rail (multi-hop)
 */
double GetBandwidthTax(const PathTallies& paths);

/**
 * @return the shares of all operations, and of their bytes, by path, in words; and the bandwidth
 * tax if it is more than 1
 */
std::string DescribePaths(const PathTallies& paths);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PATH_REPORT_H */
