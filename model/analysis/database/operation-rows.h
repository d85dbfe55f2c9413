/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_ROWS_H
#define PHOTONIC_RAILS_OPERATION_ROWS_H

#include "result-source.h"

#include "ns3/application-container.h"
#include "ns3/operation-record.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the operations of ranks that have ended or failed: the table `operations`.
 *
 * Most operations of a training job are inside servers, or compute. They are as cheap to simulate
 * as to write, so they are left out unless a program wants them.
 */
class OperationRows : public ResultSource
{
  public:
    /** Returns the iteration of an operation, from 0. */
    using IterationOf = std::function<uint32_t(const OperationRecord& record)>;

    OperationRows(std::shared_ptr<ResultWriter> writer,
                  const IterationOf& iterationOf,
                  bool inside,
                  uint32_t job);

    /**
     * Records ranks.
     * @param applications those of another type are skipped
     * @param iterationOf returns the iteration of an operation, from 0
     * @param inside whether also computing and operations inside servers
     * @param job its number in the run
     */
    static void Record(const ApplicationContainer& applications,
                       const std::shared_ptr<ResultWriter>& writer,
                       const IterationOf& iterationOf,
                       bool inside,
                       uint32_t job);

  private:
    void Ended(const OperationRecord& record);
    void Failed(const OperationRecord& record);
    /** Writes a row. @param end of the operation @param failure its reason; empty: it ended */
    void Write(const OperationRecord& record, Time end, const std::string& failure);

    IterationOf m_iterationOf;
    bool m_inside;
    uint32_t m_job;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_ROWS_H */
