/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_WORDS_H
#define PHOTONIC_RAILS_OPUS_WORDS_H

#include "opus-contents.h"

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <string>
#include <vector>

namespace ns3
{

// The formats of refusals and reports.

/** @return "operation 3, stage 0 of group 2 of job 0", or a send */
std::string ToWords(const OpusPhase& phase);

/** @return "rank 1", or "ranks 1 3 5" */
std::string ToWords(const std::vector<RankId>& ranks);

/** @return "30 ms" */
std::string ToMilliseconds(Picoseconds span);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_WORDS_H */
