/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GOAL_BINARY_READER_H
#define PHOTONIC_RAILS_GOAL_BINARY_READER_H

#include "trace-node.h"

#include <istream>
#include <string>

namespace ns3
{

/**
 * Reads GOAL in its binary form: the output of txt2bin, which LogGOPSim and ATLAHS simulate.
 *
 * All numbers are little-endian and packed (Graph::serialize_mmap() in Parser.hpp of
 * spcl/LogGOPSim and spcl/atlahs):
 *
 * | at                        | what                                                           |
 * |---------------------------|----------------------------------------------------------------|
 * | 0                         | 8 bytes: 4223; 2342 if a simulation has used the file up       |
 * | 8                         | 4: number of ranks R; 1: largest cpu; 1: largest nic           |
 * | 14                        | 16 R: first byte and end of each rank's part, counted from 8   |
 * | of a rank                 | 4: number of nodes N; 4: number of nodes that wait for none, S |
 * | + 8                       | 4 S: these nodes                                               |
 * | + 8 + 4 S                 | 39 N: the nodes                                                |
 * | + 8 + 4 S + 39 N          | 4 each: nodes that wait for others                             |
 * | of a node                 | 4: number of nodes that it waits for; 1: 1 send, 2 recv, 3     |
 * |                           | calc; 4: peer; 8: bytes or nanoseconds; 4: tag; 1: cpu; 1: nic |
 * | + 23                      | 4 + 4: how many nodes wait for its end, and the first in the   |
 * |                           | list behind the nodes                                          |
 * | + 31                      | 4 + 4: the same for its beginning                              |
 *
 * The meaning of nodes, and what is refused, is that of ReadGoalTrace(). A file is read rank by
 * rank; memory is that of one rank's nodes and dependencies, whatever lengths the file announces.
 *
 * @param in the file, opened as binary; it can be rewound
 * @param name of the file, for errors
 * @param consumer receives the contents
 * @return the first error, if any, with the offset of its byte
 */
TraceResult ReadGoalBinary(std::istream& in, const std::string& name, TraceConsumer& consumer);

/**
 * @param in a file at its first byte, where it is again afterwards
 * @return whether a GOAL file is in binary form
 */
bool IsGoalBinary(std::istream& in);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GOAL_BINARY_READER_H */
