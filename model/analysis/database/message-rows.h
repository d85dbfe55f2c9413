/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_ROWS_H
#define PHOTONIC_RAILS_MESSAGE_ROWS_H

#include "result-source.h"

#include "ns3/rail.h"
#include "ns3/rdma-queue-pair.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the messages of a GPU on its rail, as they arrive, are settled or fail: the table
 * `messages`.
 *
 * Operations that are worked out as others (rails that follow, operations like earlier ones) have
 * no messages, so none is while this is connected.
 */
class MessageRows : public ResultSource
{
  public:
    /** @param server place of the GPU on its rail */
    MessageRows(std::shared_ptr<ResultWriter> writer, RailId rail, uint32_t server);

    /** Records the messages of all GPUs of a rail. */
    static void Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer);

  private:
    void Arrived(const RdmaQueuePair& queuePair, const RdmaMessage& message);
    void Settled(const RdmaQueuePair& queuePair, const RdmaMessage& message);
    void Failed(const RdmaQueuePair& queuePair, const RdmaMessage& message, const std::string& why);
    /** Writes a row. */
    void Write(const char* event,
               const RdmaQueuePair& queuePair,
               const RdmaMessage& message,
               const std::string& why);

    RailId m_rail;
    uint32_t m_server;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_ROWS_H */
