/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHUNK_COVERAGE_H
#define PHOTONIC_RAILS_CHUNK_COVERAGE_H

#include "collective-schedule.h"

#include <string>

namespace ns3
{

/**
 * Proves that the chunks of a schedule cover each byte of the buffer once, and that the shares of
 * the ranks are equal, or of ALL_TO_ALL_V as large as the demand.
 * @return the mistake; empty if there is none
 */
std::string GetMistakeOfChunks(const CollectiveSchedule& schedule);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHUNK_COVERAGE_H */
