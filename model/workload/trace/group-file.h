/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GROUP_FILE_H
#define PHOTONIC_RAILS_GROUP_FILE_H

#include "trace-node.h"

#include <istream>
#include <string>

namespace ns3
{

/**
 * Reads the groups of a trace from JSON, in one of two forms:
 * - ASTRA-sim's, the ranks by name: `{"1": [0, 1], "2": [2, 3]}`
 * - PyTorch's, from the process groups of its execution traces: `[{"pg_name": "1", "ranks": [0,
 *   1]}, {"pg_name": "0", "ranks": []}]`; no ranks mean all ranks, and other members of these
 *   objects are ignored.
 *
 * It needs nlohmann-json when this module is built (Debian: nlohmann-json3-dev); without it every
 * call returns an error that names the package.
 *
 * @param name of the file, for errors
 * @param consumer receives the groups
 * @return the first error, if any; its offset is the position of the reader
 */
TraceResult ReadGroupFile(std::istream& in, const std::string& name, TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GROUP_FILE_H */
