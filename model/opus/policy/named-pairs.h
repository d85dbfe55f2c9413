/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NAMED_PAIRS_H
#define PHOTONIC_RAILS_NAMED_PAIRS_H

#include "circuit-planner.h"

#include "ns3/identifier-table.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @param pairs whose order, and the order in each, has no effect; each pair counts once
 * @return a number that two different lists share with a probability of 2^-64 only
 */
uint64_t GetDigest(const std::vector<JoinedRanks>& pairs);

/** @return such a number for a list of ranks, whose order has an effect */
uint64_t GetDigest(const std::vector<RankId>& ranks);

/** @return a digest in the format of reasons */
std::string DigestToWords(uint64_t digest);

/** All pairs of a phase, to be named rank by rank. */
class WholePairs
{
  public:
    /** @param pairs all pairs of a phase */
    explicit WholePairs(std::shared_ptr<const std::vector<JoinedRanks>> pairs);
    /** @param pairs all pairs of a phase */
    explicit WholePairs(const std::vector<JoinedRanks>& pairs);

    /** Names the pairs of a request's ranks. @param request gets pairs, whole, digest */
    void Name(OpusRequest& request) const;

    /**
     * Names all pairs, where other ranks may be through with the phase and name none, such as in a
     * repeated request.
     * @param request gets pairs, whole, digest
     */
    void NameAll(OpusRequest& request) const;

  private:
    /** A rank of a pair, and the index of the pair. */
    using End = std::pair<RankId, uint32_t>;

    std::shared_ptr<const std::vector<JoinedRanks>> m_pairs;
    uint32_t m_whole; //!< ranks in them
    uint64_t m_digest;
    std::vector<End> m_ends; //!< in order, so that the pairs of a rank are found at once
};

/**
 * @ingroup photonic-rails
 * @brief The pairs of a phase, combined from the requests of its ranks.
 *
 * Each rank names its own pairs, the number of ranks that take part, and the digest of the whole
 * list.
 *
 * So the size of a request does not grow with the group, and the list is complete when all ranks
 * have requested.
 */
class NamedPairs
{
  public:
    /**
     * @param ranks number of ranks that take part
     * @param digest of all pairs
     */
    NamedPairs(uint32_t ranks, uint64_t digest);

    /** @return the number of ranks that take part */
    uint32_t GetRanks() const;
    /** @return the digest of all pairs */
    uint64_t GetDigest() const;
    /** @return whether a request that has these is for the same pairs */
    bool IsFor(uint32_t ranks, uint64_t digest) const;

    /** Adds the pairs that some ranks name. */
    void Add(const std::vector<RankId>& ranks, const std::vector<JoinedRanks>& pairs);

    /** @return whether all pairs are named */
    bool IsWhole() const;
    /** @return whether all ranks have named their pairs, and the digest differs */
    bool IsWrong() const;
    /** @return whether all of these pairs have been named */
    bool Has(const std::vector<JoinedRanks>& pairs) const;
    /** @return the pairs named so far, in order, the lower rank of each first */
    const std::vector<JoinedRanks>& Get() const;
    /** @return the digest of the pairs named so far */
    uint64_t GetNamedDigest() const;

  private:
    uint32_t m_ranks;
    uint64_t m_digest;
    IdentifierSet<RankId> m_by;       //!< ranks that have named their pairs
    std::vector<JoinedRanks> m_pairs; //!< in order, the lower rank of each first
    uint64_t m_named{0};              //!< digest of the pairs named so far
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NAMED_PAIRS_H */
