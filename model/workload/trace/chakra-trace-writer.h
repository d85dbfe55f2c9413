/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHAKRA_TRACE_WRITER_H
#define PHOTONIC_RAILS_CHAKRA_TRACE_WRITER_H

#include "ns3/job-programs.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes a job as Chakra execution traces (MLCommons, schema 0.0.4 and later), one for each
 * rank.
 *
 * An operation is a node, in the order of the program, with data dependencies on the operations
 * that it follows, those on its stream included. The process groups of the rank are in a first node
 * "## process_group:init ##", as PyTorch writes it and ASTRA-sim reads it: pg_name is a number,
 * pg_desc the group's name.
 *
 * What the schema has no field for is in attributes that other tools do not use, so that
 * ReadChakraTrace() makes the same programs of the traces (MakeWholePrograms()):
 *
 * | attribute           | meaning                                                             |
 * |---------------------|---------------------------------------------------------------------|
 * | whole_program       | of GlobalMetadata: the nodes are a whole program                    |
 * | stream              | of the program, also of communication                               |
 * | duration_ps         | of computing, where duration_micros is rounded up                   |
 * | pg_name             | of a send or receive too                                            |
 * | comm_buffer         | of an ALL_GATHER whose buffer is no multiple of the ranks, and of a |
 * |                     | ALL_TO_ALL with comm_matrix: bytes of the call                      |
 * | comm_algorithm      | by name                                                             |
 * | comm_straggler      | place in the group of the rank that is late                         |
 * | comm_matrix         | of an ALL_TO_ALL: bytes from each place to each, row by row         |
 * | comm_matrix_of      | the id of an earlier node that has the same matrix                  |
 * | iteration           | of a METADATA_NODE: another iteration begins                        |
 *
 * Circuit hints can't be written, nor a SEND_RECV that is called as a collective: FindWhyNot().
 * @code
 * const ChakraTraceWriter writer(job);
 * for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
 * {
 *     std::ofstream file("run." + std::to_string(rank) + ".et", std::ios::binary);
 *     writer.Write(rank, [&file](const std::string& piece) { file << piece; });
 * }
 * @endcode
 */
class ChakraTraceWriter
{
  public:
    /** Gets the bytes of a file, piece by piece. */
    using Sink = std::function<void(const std::string& piece)>;

    /** @param job that must outlive it */
    explicit ChakraTraceWriter(const JobPrograms& job);

    /** @return the reason why the job can't be written; empty if it can */
    std::string FindWhyNot() const;

    /** Writes the file of a rank. */
    void Write(uint32_t rank, const Sink& sink) const;

  private:
    const JobPrograms& m_job;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_TRACE_WRITER_H */
