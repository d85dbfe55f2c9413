/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GROUP_FILE_H
#define PHOTONIC_RAILS_GROUP_FILE_H

#include "trace-node.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

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

/** A process group of PyTorch. */
struct ProcessGroup
{
    std::string name{};            //!< pg_name
    std::string description{};     //!< pg_desc
    std::vector<uint32_t> ranks{}; //!< none: all ranks
};

/**
 * Finds the process groups in the inputs of a node "## process_group:init ##", as the PyTorch
 * converter writes it: a Python list with their JSON, as a string or as it is.
 * @param values the inputs
 * @return the groups; none if the text is no JSON of groups, or if there is no nlohmann-json
 */
std::vector<ProcessGroup> FindProcessGroups(const std::string& values);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GROUP_FILE_H */
