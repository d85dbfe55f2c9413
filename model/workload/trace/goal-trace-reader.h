/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GOAL_TRACE_READER_H
#define PHOTONIC_RAILS_GOAL_TRACE_READER_H

#include "trace-node.h"

#include <istream>
#include <string>

namespace ns3
{

/**
 * Reads GOAL text (group operation assembly language): the output of Schedgen and ATLAHS and the
 * input of LogGOPSim's txt2bin.
 * @code{.unparsed}
 * num_ranks 2
 * rank 0 {
 *   l1: calc 100 cpu 0
 *   l2: send 10b to 1 tag 5 cpu 0 nic 0
 *   l2 requires l1
 * }
 * rank 1 {
 *   l1: recv 10b from 0 tag 5
 *   l2: calc 7
 *   l2 irequires l1
 * }
 * @endcode
 *
 * The grammar is that of txt2bin.re in spcl/LogGOPSim, with its comments; in addition, `;` ends an
 * operation, and cpu, nic and tag may have any order. calc is in nanoseconds. Operations without a
 * dependency between them are independent, but calc operations of one cpu are sequential (the cpu
 * is a TraceNode::stream). `a irequires b`: a follows the beginning of b.
 *
 * Input that txt2bin accepts and this reader refuses: a receive from any rank (-1) or of any tag
 * (-1), since NCCL has no such call; a label used twice; a rank described twice or not at all. The
 * cpu and the nic of a send or receive are read and not used: the time of a GPU for a message is
 * not modelled, and the transport chooses the NIC port.
 *
 * Dependencies may follow their operations, so the reader keeps one rank at a time in memory.
 *
 * @param name of the file, for errors
 * @param consumer receives the contents
 * @return the first error, if any
 */
TraceResult ReadGoalTrace(std::istream& in, const std::string& name, TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GOAL_TRACE_READER_H */
