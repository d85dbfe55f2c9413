/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EQUAL_RAILS_H
#define PHOTONIC_RAILS_EQUAL_RAILS_H

#include "ns3/job-programs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Whether the programs of a job make all rails do the same, and which groups correspond.
 *
 * Rank k is on rail k modulo the GPUs of a server. Rails do the same if the ranks of each server
 * have one program, if each of its groups is inside the server or on the rail of the rank, and if
 * groups on a rail are those of rail 0, moved to this rail, in the same order.
 *
 * Plain C++.
 */
struct EqualRails
{
    /** A group with all ranks on one rail. */
    struct OnRail
    {
        uint32_t rail{0};
        uint32_t leading{0}; //!< index of the group of rail 0 that does the same
    };

    std::string why;                           //!< what differs; empty: nothing
    std::vector<std::optional<OnRail>> groups; //!< by index; none: it is inside a server

    /** @param perServer GPUs of a server */
    static EqualRails Find(const JobPrograms& job, uint32_t perServer);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EQUAL_RAILS_H */
