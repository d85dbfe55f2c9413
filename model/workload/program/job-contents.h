/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_CONTENTS_H
#define PHOTONIC_RAILS_JOB_CONTENTS_H

#include "job-programs.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of all ranks of a job, by kind: their number, the bytes that they name, and
 * their compute time.
 */
struct JobContents
{
    /** The operations of one kind. */
    struct Amount
    {
        uint64_t operations{0};
        uint64_t bytes{0};
        Time computing{0};
    };

    /** Counts the operations of a job. */
    explicit JobContents(const JobPrograms& job);

    std::map<std::string, Amount> kinds; //!< by name: compute, send, receive, all-gather, ...
    uint64_t operations{0};              //!< of all kinds
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_CONTENTS_H */
