/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-bytes.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

void
PutOperation(ByteWriter& bytes, const FinishedOperation& operation)
{
    bytes.Put(operation.rank);
    bytes.Put(operation.rail);
    bytes.Put(operation.server);
    bytes.Put(operation.iteration);
    bytes.Put(operation.sequence);
    bytes.PutText(operation.parallelism);
    bytes.PutText(operation.group);
    bytes.Put(operation.number);
    bytes.Put(operation.kind);
    bytes.Put(operation.from);
    bytes.Put(operation.to);
    bytes.Put(operation.start.GetTimeStep());
    bytes.Put(operation.end.GetTimeStep());
    bytes.Put(operation.bytes);
    bytes.Put(operation.scaleOut);
}

FinishedOperation
TakeOperation(ByteReader& bytes)
{
    FinishedOperation operation;
    operation.rank = bytes.Take<RankId>();
    operation.rail = bytes.Take<RailId>();
    operation.server = bytes.Take<uint32_t>();
    operation.iteration = bytes.Take<uint32_t>();
    operation.sequence = bytes.Take<uint32_t>();
    operation.parallelism = bytes.TakeText();
    operation.group = bytes.TakeText();
    operation.number = bytes.Take<uint64_t>();
    operation.kind = bytes.Take<FinishedOperation::Kind>();
    operation.from = bytes.Take<RankId>();
    operation.to = bytes.Take<RankId>();
    operation.start = ToTime(bytes.Take<int64_t>());
    operation.end = ToTime(bytes.Take<int64_t>());
    operation.bytes = bytes.Take<uint64_t>();
    operation.scaleOut = bytes.Take<bool>();
    return operation;
}

} // namespace ns3
