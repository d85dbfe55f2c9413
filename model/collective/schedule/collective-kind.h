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
 * @brief The kind of a collective operation.
 *
 * "The buffer", whose bytes a call names, is the size of nccl-tests:
 *
 * | kind           | the buffer of B bytes is                       | before            | after             |
 * |----------------|------------------------------------------------|-------------------|-------------------|
 * | ALL_REDUCE     | the data of each rank                          | its own           | the sum of all    |
 * | ALL_GATHER     | the data of each rank afterwards               | its share, B / n  | all shares        |
 * | REDUCE_SCATTER | the data of each rank before                   | its own           | its share, summed |
 * | BROADCAST      | the data of the root                           | the root's        | the root's        |
 * | REDUCE         | the data of each rank                          | its own           | root: sum of all  |
 * | ALL_TO_ALL     | a rank's data, a share for each, its own too   | rows           | columns           |
 * | ALL_TO_ALL_V   | by a demand matrix; B is not used              | rows              | columns           |
 * | SEND_RECV      | the data from rank 0 of two to rank 1          | rank 0's          | rank 0's          |
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

/** @return the name of a kind in scripts: all-reduce, all-gather, ... */
const char* ToString(CollectiveKind kind);

/**
 * @param name such as all-reduce
 * @return the kind of that name, if there is one
 */
std::optional<CollectiveKind> FindCollectiveKind(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_KIND_H */
