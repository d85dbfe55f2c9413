/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_CSV_READER_H
#define PHOTONIC_RAILS_PHASE_CSV_READER_H

#include "trace-node.h"

#include <istream>
#include <string>

namespace ns3
{

/**
 * Reads a table of phases: a measurement on a cluster, with one row for each action of a rank, in
 * order.
 * @code{.unparsed}
 * # what each rank did
 * ranks,4
 * group,dp 0,0 2
 * group,dp 1,1 3
 * rank,kind,collective,parallelism,group,bytes,duration_us,peer
 * 0,compute,,forward,,,1250.5,
 * 0,send,,pipeline,,1048576,,1
 * 0,collective,all-reduce,data,dp 0,4194304,,
 * @endcode
 *
 * The number of ranks comes first, then the groups: name and ranks (none: all ranks). Then a line
 * names the columns, in any order; rank and kind are mandatory:
 *
 * | column      | meaning                                                                        |
 * |-------------|--------------------------------------------------------------------------------|
 * | rank        | the rank of the row                                                            |
 * | kind        | compute, collective, send or receive                                           |
 * | collective  | all-reduce, all-gather, reduce-scatter, broadcast, reduce, all-to-all, barrier |
 * | parallelism | a note: the parallelism of the row                                             |
 * | group       | of a collective; empty: all ranks                                              |
 * | bytes       | of a collective: the buffer (CollectiveKind); of a send or receive: all        |
 * | duration_us | of computing: microseconds, with up to six digits after the point              |
 * | peer        | of a send or receive: the other rank                                           |
 * | tag         | of a send or receive; empty: 0                                                 |
 * | root        | of a broadcast or reduce: a rank; empty: the first of the group                |
 * | stream      | empty: 0                                                                       |
 * | name        | a note                                                                         |
 *
 * Rows of one rank and one stream are sequential; streams do not wait for each other. A cell that
 * its row does not use must be empty. Cells hold no commas and no quotes, spaces round them do not
 * count, and # begins a comment.
 *
 * @param name of the file, for errors
 * @param consumer receives the contents
 * @return the first error, if any
 */
TraceResult ReadPhaseCsv(std::istream& in, const std::string& name, TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_CSV_READER_H */
