/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_BYTES_H
#define PHOTONIC_RAILS_OPERATION_BYTES_H

#include "finished-operation.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

namespace ns3
{

/** Puts an operation that has ended, for another process of a distributed simulation. */
void PutOperation(ByteWriter& bytes, const FinishedOperation& operation);

/** @return the operation of PutOperation() */
FinishedOperation TakeOperation(ByteReader& bytes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_BYTES_H */
