/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NAMED_PAIRS_H
#define PHOTONIC_RAILS_NAMED_PAIRS_H

#include "circuit-planner.h"

#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @param pairs any; neither their order nor that of the two in a pair matters, and each counts once
 * @return a number that two lists share only if they are equal, but for a chance of 2^-64
 */
uint64_t GetDigest(const std::vector<JoinedRanks>& pairs);

/** @return the same of ranks, whose order matters @param ranks any */
uint64_t GetDigest(const std::vector<RankId>& ranks);

/** @return a digest as it stands in reasons @param digest it */
std::string DigestToWords(uint64_t digest);

/**
 * All pairs of a phase, to be named rank by rank. It remembers what it found, of the ranks that it
 * named: a shim asks for the same few lists again and again.
 */
class WholePairs
{
  public:
    /** @param pairs all of a phase */
    explicit WholePairs(std::shared_ptr<const std::vector<JoinedRanks>> pairs);
    /** @param pairs the same */
    explicit WholePairs(const std::vector<JoinedRanks>& pairs);

    /** Names the pairs that a request's ranks are in. @param request gets pairs, whole, digest */
    void Name(OpusMessage& request);

    /**
     * Names all pairs: others may be through with the phase, and name nothing any more, such as
     * where circuits are asked for again.
     * @param request gets pairs, whole, digest
     */
    void NameAll(OpusMessage& request) const;

  private:
    /** @return the pairs that a rank is in */
    const std::vector<JoinedRanks>& PairsOf(RankId rank);

    std::shared_ptr<const std::vector<JoinedRanks>> m_pairs;
    uint32_t m_whole; //!< ranks in them
    uint64_t m_digest;
    std::map<RankId, std::vector<JoinedRanks>> m_named; //!< by rank
};

/**
 * @ingroup photonic-rails
 * @brief The pairs of a phase, put together from what its ranks name: each names those that it is
 * in, and says how many ranks take part and the digest of the whole list.
 *
 * So what a rank sends does not grow with its group, and the list is whole when all have asked.
 */
class NamedPairs
{
  public:
    /** @param ranks that take part @param digest of all pairs */
    NamedPairs(uint32_t ranks, uint64_t digest);

    /** @return how many ranks take part */
    uint32_t GetRanks() const;
    /** @return the digest of all pairs */
    uint64_t GetDigest() const;
    /** @return whether a request is for the same pairs @param request any */
    bool IsFor(const OpusMessage& request) const;

    /** Takes what a request names. @param request for the same pairs */
    void Add(const OpusMessage& request);

    /** @return whether these are all pairs */
    bool IsWhole() const;
    /** @return whether all ranks have named theirs, and the digest is another */
    bool IsWrong() const;
    /** @return whether pairs are among those that were named @param pairs any */
    bool Has(const std::vector<JoinedRanks>& pairs) const;
    /** @return what was named so far, in order, the lower rank of each pair first */
    std::vector<JoinedRanks> Get() const;
    /** @return the digest of what was named so far */
    uint64_t GetNamedDigest() const;

  private:
    uint32_t m_ranks;
    uint64_t m_digest;
    std::set<RankId> m_by; //!< ranks that have named theirs
    std::set<JoinedRanks> m_pairs;
    uint64_t m_named{0}; //!< their digest
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NAMED_PAIRS_H */
