/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHOICE_BYTES_H
#define PHOTONIC_RAILS_CHOICE_BYTES_H

#include "algorithm-choice.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <memory>

namespace ns3
{

/**
 * Puts a choice, for another process of a distributed simulation. Of its schedule only the
 * parameters are put, from which the other process makes it, or has it.
 */
void PutChoice(ByteWriter& bytes, const AlgorithmChoice& choice);

/** @return the choice of PutChoice() */
std::shared_ptr<const AlgorithmChoice> TakeChoice(ByteReader& bytes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHOICE_BYTES_H */
