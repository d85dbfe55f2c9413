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
 * Reads GOAL text (group operation assembly language): what Schedgen and ATLAHS write and what
 * LogGOPSim's txt2bin reads.
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
 * The grammar is that of txt2bin.re in spcl/LogGOPSim, with its comments; besides, `;` ends an
 * operation, and cpu, nic and tag come in any order. calc is in nanoseconds. Operations without a
 * dependency between them are independent, but calc of one cpu goes one after another (it is a
 * TraceNode::stream). `a irequires b`: a comes after the beginning of b.
 *
 * What txt2bin takes and this refuses: a receive from anybody (-1) or of any tag (-1), since NCCL
 * has no such call; a label used twice; a rank described twice or not at all. The cpu and the nic
 * of a send or receive are read and not used: what a GPU spends on a message is not modelled, and
 * which NIC port it takes is the transport's choice.
 *
 * Dependencies may stand behind what they are about, so one rank at a time is kept in memory.
 *
 * @param name of it, for errors
 * @param consumer is given what is found
 * @return the first error, if any
 */
TraceResult ReadGoalTrace(std::istream& in, const std::string& name, TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GOAL_TRACE_READER_H */
