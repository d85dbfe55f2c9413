/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHAKRA_TRACE_READER_H
#define PHOTONIC_RAILS_CHAKRA_TRACE_READER_H

#include "trace-node.h"

#include <cstdint>
#include <istream>
#include <string>

namespace ns3
{

/**
 * Reads the Chakra execution trace of one rank (MLCommons): a GlobalMetadata message, then Node
 * messages, each behind its length, as schema/protobuf/et_def.proto of mlcommons/chakra has them
 * from version 0.0.4 on. The schema before that numbers its fields and its collectives in another
 * way; a file of that kind is refused, with its sign (attributes in field 11).
 *
 * What becomes of a node, as ASTRA-sim 2.0 reads it (astra-sim/workload/Workload.cc):
 *
 * - COMP_NODE: computing of duration_micros; on a stream of its own if is_cpu_op
 * - MEM_LOAD_NODE, MEM_STORE_NODE: computing of duration_micros; no network carries their bytes
 * - METADATA_NODE, INVALID_NODE: computing that takes no time
 * - COMM_COLL_NODE: a collective, by comm_type, comm_size and pg_name
 * - COMM_SEND_NODE: a send of comm_size bytes to comm_dst with comm_tag
 * - COMM_RECV_NODE: a receive of comm_size bytes from comm_src with comm_tag
 *
 * Control and data dependencies count alike. comm_size is what a rank puts in (ASTRA-sim's
 * Ring.cc; the PyTorch converter adds up the inputs): of an ALL_GATHER that is its share, and the
 * buffer is the share of every rank together; of all others it is the buffer. REDUCE_SCATTER_BLOCK
 * is a REDUCE_SCATTER. The root of a BROADCAST is comm_src if there is one, that of a REDUCE
 * comm_dst; else the first rank of the group. GATHER and SCATTER are refused: there is no such
 * collective here (nor in ASTRA-sim). pg_name may be a number. The measured time of a collective is
 * not used: it is simulated. involved_dim, the parallelisms of ASTRA-sim's topology, is not used
 * either: groups say which ranks take part.
 *
 * Numbers may be of any integer type of AttributeProto. Fields that the schema does not know are
 * passed over. Memory: one message, of up to MAX_CHAKRA_MESSAGE bytes.
 *
 * It needs protozero when this module is built (Debian: libprotozero-dev); without it every call
 * returns an error that says so.
 *
 * @param in the file, opened as binary
 * @param name of it, for errors
 * @param rank whose it is
 * @param consumer is given what is found; it knows how many ranks there are
 * @return the first error, if any, with the offset of its byte
 */
TraceResult ReadChakraTrace(std::istream& in,
                            const std::string& name,
                            uint32_t rank,
                            TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_TRACE_READER_H */
