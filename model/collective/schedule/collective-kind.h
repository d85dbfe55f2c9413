/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_KIND_H
#define PHOTONIC_RAILS_COLLECTIVE_KIND_H

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

// clang-format off
/**
 * @ingroup photonic-rails
 * @brief What the ranks of a group do together.
 *
 * "The buffer", whose bytes a call names, is what nccl-tests calls size:
 *
 * | kind           | the buffer of B bytes is                       | before            | after             |
 * |----------------|------------------------------------------------|-------------------|-------------------|
 * | ALL_REDUCE     | what each rank has                             | its own           | the sum of all    |
 * | ALL_GATHER     | what each rank has afterwards                  | its share, B / n  | all shares        |
 * | REDUCE_SCATTER | what each rank has before                      | its own           | its share, summed |
 * | BROADCAST      | what the root has                              | the root's        | the root's        |
 * | REDUCE         | what each rank has                             | its own           | root: sum of all  |
 * | ALL_TO_ALL     | what each rank has, a share for each, its own too | rows           | columns           |
 * | ALL_TO_ALL_V   | by a demand matrix; B is not used              | rows              | columns           |
 * | SEND_RECV      | what rank 0 of two sends to rank 1             | rank 0's          | rank 0's          |
 * | BARRIER        | nothing; B is 0                                |                   | all have come     |
 */
// clang-format on
enum class CollectiveKind
{
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    BROADCAST,
    REDUCE,
    ALL_TO_ALL,
    ALL_TO_ALL_V,
    SEND_RECV,
    BARRIER,
};

/** @return all kinds, in order */
const std::vector<CollectiveKind>& GetCollectiveKinds();

/** @return a kind's name as scripts write it: all-reduce, all-gather, ... */
const char* ToString(CollectiveKind kind);

/**
 * @param name such as all-reduce
 * @return the kind of that name, or none
 */
std::optional<CollectiveKind> FindCollectiveKind(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_KIND_H */
