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
 * messages, each after its length, by schema/protobuf/et_def.proto of mlcommons/chakra from version
 * 0.0.4 on. The schemas before that have other fields and numbers of collectives, times in the
 * attribute runtime (microseconds), and perhaps no GlobalMetadata; the reader detects them by texts
 * in fields 6, 7 or 11.
 *
 * The meaning of a node is that of ASTRA-sim 2.0 (astra-sim/workload/Workload.cc):
 *
 * - COMP_NODE: computing of duration_micros; on a stream of its own if is_cpu_op
 * - MEM_LOAD_NODE, MEM_STORE_NODE: computing of duration_micros; no network carries their bytes
 * - METADATA_NODE, INVALID_NODE: computing that takes no time
 * - COMM_COLL_NODE: a collective, by comm_type, comm_size and pg_name
 * - COMM_SEND_NODE: a send of comm_size bytes to comm_dst with comm_tag
 * - COMM_RECV_NODE: a receive of comm_size bytes from comm_src with comm_tag
 *
 * Data dependencies are TraceNode::after, control dependencies TraceNode::control: the PyTorch
 * converter writes circular ones. A node of the host (is_cpu_op) that communicates and has no
 * comm_type, comm_dst or comm_src is a call, and computing: a node of the GPU after it has the
 * communication. What can't be simulated takes no time, and is counted (TraceConsumer::Skip()):
 * other types of nodes, other collectives, and nodes of the GPU without these attributes.
 *
 * comm_size is the input of a rank (ASTRA-sim's Ring.cc;
 * the PyTorch converter adds up the inputs): for an ALL_GATHER it is the rank's share, and the
 * buffer is the sum of the shares of all ranks; for all others it is the buffer.
 * REDUCE_SCATTER_BLOCK is a REDUCE_SCATTER. The root of a BROADCAST is comm_src if there is one,
 * that of a REDUCE comm_dst; else the first rank of the group. GATHER and SCATTER can't be
 * simulated: the module has no such collective (nor has ASTRA-sim). pg_name may be a number. The
 * measured time of a collective is not used: it is simulated. involved_dim, the parallelisms of
 * ASTRA-sim's topology, is not used either: groups list the ranks that take part.
 *
 * Numbers may be of any integer type of AttributeProto. Fields outside the schema are ignored.
 * Memory: one message, of up to MAX_CHAKRA_MESSAGE bytes.
 *
 * It needs protozero when this module is built (Debian: libprotozero-dev); without it every call
 * returns an error that names the package.
 *
 * @param in the file, opened as binary
 * @param name of the file, for errors
 * @param rank of the trace
 * @param consumer receives the contents; it has the number of ranks already
 * @return the first error, if any, with the offset of its byte
 */
TraceResult ReadChakraTrace(std::istream& in,
                            const std::string& name,
                            uint32_t rank,
                            TraceConsumer& consumer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_TRACE_READER_H */
