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
 * Reads a table of phases: what was measured on a cluster, one row for what one rank did, in order.
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
 * First how many ranks there are, and the groups: name and ranks (none: all ranks). Then a line
 * that names the columns, in any order; rank and kind must be there:
 *
 * | column      | what                                                                           |
 * |-------------|--------------------------------------------------------------------------------|
 * | rank        | whose row it is                                                                |
 * | kind        | compute, collective, send or receive                                           |
 * | collective  | all-reduce, all-gather, reduce-scatter, broadcast, reduce, all-to-all, barrier |
 * | parallelism | for people: which parallelism it serves                                        |
 * | group       | of a collective; empty: all ranks                                              |
 * | bytes       | of a collective: the buffer as CollectiveKind says; of a send or receive: all |
 * | duration_us | of computing: microseconds, with up to six digits after the point              |
 * | peer        | of a send or receive: the other rank                                           |
 * | tag         | of a send or receive; empty: 0                                                 |
 * | root        | of a broadcast or reduce: a rank; empty: the first of the group                |
 * | stream      | empty: 0                                                                       |
 * | name        | for people                                                                     |
 *
 * Rows of one rank and one stream go one after another; streams do not wait for each other. A cell
 * that its row has no use for must be empty: it would be a mistake. Cells hold no commas and no
 * quotes, spaces round them do not count, and what follows # is for people.
 *
 * @param name of it, for errors
 * @param consumer is given what is found
 * @return the first error, if any
 */
TraceResult ReadPhaseCsv(std::istream& in, const std::string& name, TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_CSV_READER_H */
