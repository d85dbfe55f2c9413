/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_PROTOCOL_H
#define PHOTONIC_RAILS_COLLECTIVE_PROTOCOL_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The protocol of the messages of a collective operation, as NCCL has them: how a receiving
 * GPU finds that data is there, and what that adds to the bytes on wires.
 *
 * | protocol | the receiver waits for          | of a line          | data of a message, at most |
 * |----------|---------------------------------|--------------------|----------------------------|
 * | SIMPLE   | a flag of the whole message     | all is data        | MessageSize                |
 * | LL128    | a flag of each line of 128 bytes| 120 bytes are data | 576,000 bytes              |
 * | LL       | a flag beside each 4 bytes      | 8 of 16 bytes      | 32 KiB                     |
 *
 * Sources, of NCCL 2.30: src/include/device.h for lines (ncclLLFifoLine, NCCL_LL128_LINESIZE and
 * NCCL_LL128_DATAELEMS) and for threads and steps, src/init.cc for buffers. A message is one of the
 * NCCL_STEPS (8) parts of a channel's buffer: LL has 8 lines of 16 bytes for each of 512 threads,
 * LL128 has 120 words of 8 bytes for each of 640 threads.
 */
enum class CollectiveProtocol : uint8_t
{
    SIMPLE,
    LL128,
    LL,
};

/** @return all protocols, in order */
const std::vector<CollectiveProtocol>& GetCollectiveProtocols();

/** @return the name that NCCL_PROTO has for a protocol: Simple, LL128, LL */
const char* ToString(CollectiveProtocol protocol);

/** @return the protocol of a name, if there is one */
std::optional<CollectiveProtocol> FindCollectiveProtocol(const std::string& name);

/**
 * @param bytes of data
 * @return bytes of the message that carries them: whole lines, with their flags
 */
uint64_t GetWireBytes(CollectiveProtocol protocol, uint64_t bytes);

/**
 * @param messageSize bytes of data of a message of SIMPLE, at most
 * @return bytes of data of a message of the protocol, at most
 */
uint64_t GetLargestMessage(CollectiveProtocol protocol, uint64_t messageSize);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_PROTOCOL_H */
