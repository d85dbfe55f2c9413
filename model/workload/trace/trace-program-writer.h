/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_PROGRAM_WRITER_H
#define PHOTONIC_RAILS_TRACE_PROGRAM_WRITER_H

#include "trace-collection.h"
#include "trace-exchange.h"
#include "trace-order.h"

#include "ns3/job-programs.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the nodes of one rank into a rank program, in the order in which they are added.
 *
 * Each stream of computing, the collectives of each group, and the sends and the receives of each
 * pair of ranks have a stream of the program. A node has a marker before it, which takes no time,
 * if others wait for its beginning.
 */
class TraceProgramWriter
{
  public:
    /**
     * @param collection of the rank
     * @param rank of the nodes
     * @param order of its nodes
     */
    TraceProgramWriter(const TraceCollection& collection, uint32_t rank, const TraceOrder& order);

    /**
     * Adds a node, after all its dependencies.
     * @param exchange the exchange of the node
     * @param group of an exchange: the job's group
     */
    void Add(uint32_t node, const TraceExchange& exchange, uint32_t group);

    /** @return the program, and the job's groups by the program's number */
    JobPrograms::Rank Take();

  private:
    /** @return a stream of the program, for sequential operations */
    uint32_t GetStream(TraceNode::Kind kind, uint32_t number);
    /** Fills in the fields of an exchange. */
    void SetExchange(RankOperation& operation,
                     const TraceNode& node,
                     const TraceExchange& exchange,
                     uint32_t group);

    const TraceCollection& m_collection;
    uint32_t m_rank;
    const TraceOrder& m_order;
    std::shared_ptr<RankProgram> m_program;
    std::vector<uint32_t> m_operationOf;     //!< by node
    std::map<uint32_t, uint32_t> m_markerOf; //!< by node with a marker
    std::map<uint32_t, uint32_t> m_groupOf;  //!< group of the program, by the job's
    std::vector<uint32_t> m_groups;          //!< group of the job, by the program's
    std::map<std::pair<TraceNode::Kind, uint32_t>, uint32_t> m_streams;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_PROGRAM_WRITER_H */
