/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Plants mistakes into the schedules of all algorithms, one at a time, and expects each to be
// found: by the verifier, or because a rank no longer sends the bytes of the closed form.

#include "ns3/algorithm-samples.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-verifier.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

using namespace ns3;

namespace
{

using Transfers = std::vector<CollectiveTransfer>;

enum class Mistake
{
    DROPPED,
    DUPLICATED,
    REPEATED_LAST,
    ONE_LESS_NEEDED,
    ROUND_TOO_EARLY,
    RANKS_SWAPPED,
    TO_ANOTHER_RANK,
    FROM_ANOTHER_RANK,
    OTHER_ACTION,
    ANOTHER_CHUNK,
};

/** A schedule in which mistakes are planted, one after the other. */
class MistakeBed
{
  public:
    MistakeBed(const CollectiveAlgorithm& algorithm, const CollectiveParameters& parameters)
        : m_algorithm(algorithm),
          m_right(algorithm.Make(parameters))
    {
        m_buffer = parameters.kind == CollectiveKind::BARRIER ? 0 : 1;
        for (const CollectiveChunk& chunk : m_right.GetChunks())
        {
            m_buffer = std::lcm(m_buffer, chunk.ofBuffer ? chunk.parts : 1);
        }
    }

    /** Plants all mistakes into each transfer, or into a sample where there are many of them. */
    void PlantAll()
    {
        // each costs an execution of all, so as many as cost about the same for all schedules
        constexpr std::size_t WORK = 24 * 24;
        const std::size_t count = m_right.GetTransfers().size();
        const std::size_t sample = std::min(count, std::max<std::size_t>(WORK / count, 3));
        for (std::size_t s = 0; s < sample; ++s)
        {
            // the sample has the first and the last
            PlantInto(sample > 1 ? s * (count - 1) / (sample - 1) : 0, sample == count);
        }
    }

    /** @return how many of each were planted */
    const std::map<Mistake, uint32_t>& GetPlanted() const
    {
        return m_planted;
    }

  private:
    /** Plants all mistakes into a transfer. @param thorough with all other ranks and chunks */
    void PlantInto(std::size_t at, bool thorough)
    {
        const Transfers& right = m_right.GetTransfers();
        const CollectiveTransfer& it = right[at];

        Transfers wrong = right;
        wrong.erase(wrong.begin() + at);
        Expect(Mistake::DROPPED, at, wrong);
        wrong = right;
        wrong.insert(wrong.begin() + at, it);
        Expect(Mistake::DUPLICATED, at, wrong);
        wrong = right;
        wrong.push_back(it);
        wrong.back().round = m_right.GetRounds();
        Expect(Mistake::REPEATED_LAST, at, wrong);

        CollectiveTransfer other = it;
        std::swap(other.from, other.to);
        Replace(Mistake::RANKS_SWAPPED, at, other);
        other = it;
        other.action = it.action == CollectiveTransfer::Action::COPY
                           ? CollectiveTransfer::Action::REDUCE
                           : CollectiveTransfer::Action::COPY;
        Replace(Mistake::OTHER_ACTION, at, other);
        if (it.needs > 0)
        {
            other = it;
            --other.needs;
            Replace(Mistake::ONE_LESS_NEEDED, at, other);
            other = it;
            other.round = GetArrival(it).round;
            Replace(Mistake::ROUND_TOO_EARLY, at, other);
        }
        PlantOthers(at, thorough);
    }

    /** Plants another rank or chunk. */
    void PlantOthers(std::size_t at, bool thorough)
    {
        const CollectiveTransfer& it = m_right.GetTransfers()[at];
        const uint32_t ranks = m_right.GetParameters().ranks;
        const uint32_t chunks = m_right.GetChunks().size();
        for (uint32_t by = 1; by < (thorough ? ranks : 2); ++by)
        {
            CollectiveTransfer other = it;
            other.to = (it.to + by) % ranks;
            if (other.to != it.from)
            {
                Replace(Mistake::TO_ANOTHER_RANK, at, other);
            }
            other = it;
            other.from = (it.from + by) % ranks;
            if (other.from != it.to)
            {
                Replace(Mistake::FROM_ANOTHER_RANK, at, other);
            }
        }
        for (uint32_t by = 1; by < (thorough ? chunks : std::min(chunks, 2U)); ++by)
        {
            CollectiveTransfer other = it;
            other.chunk = (it.chunk + by) % chunks;
            Replace(Mistake::ANOTHER_CHUNK, at, other);
        }
    }

    /** @return the last that a transfer needs */
    CollectiveTransfer GetArrival(const CollectiveTransfer& it) const
    {
        uint32_t come = 0;
        for (const CollectiveTransfer& one : m_right.GetTransfers())
        {
            if (one.to == it.from && one.chunk == it.chunk && ++come == it.needs)
            {
                return one;
            }
        }
        ADD_FAILURE() << "there is no arrival " << it.needs;
        return it;
    }

    void Replace(Mistake mistake, std::size_t at, const CollectiveTransfer& by)
    {
        Transfers wrong = m_right.GetTransfers();
        wrong[at] = by;
        Expect(mistake, at, wrong);
    }

    /** Expects that the mistake is found. */
    void Expect(Mistake mistake, std::size_t at, const Transfers& transfers)
    {
        CollectiveSchedule wrong(m_right.GetParameters());
        for (const CollectiveChunk& chunk : m_right.GetChunks())
        {
            wrong.Add(chunk);
        }
        for (const CollectiveTransfer& transfer : transfers)
        {
            wrong.Add(transfer);
        }
        ++m_planted[mistake];
        if (GetMistakeOf(wrong).empty() && SendsAsMuch(wrong) && !IsEqual(mistake, wrong))
        {
            const CollectiveTransfer& it = m_right.GetTransfers()[at];
            ADD_FAILURE() << m_algorithm.name << " for " << m_right.GetParameters().GetKey()
                          << ": mistake " << static_cast<int>(mistake) << " in transfer " << at
                          << " (round " << it.round << ", chunk " << it.chunk << ", rank "
                          << it.from << " to " << it.to << ", needs " << it.needs
                          << ") is not found";
        }
    }

    bool SendsAsMuch(const CollectiveSchedule& wrong) const
    {
        const CollectiveParameters& parameters = wrong.GetParameters();
        for (uint32_t rank = 0; rank < parameters.ranks; ++rank)
        {
            if (wrong.GetBytesSent(rank, m_buffer) !=
                m_algorithm.bytesSent(parameters, rank, m_buffer))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * A barrier has no bytes, and a contribution may arrive twice. So if as many messages on other
     * paths still carry every contribution to every rank, the schedule is another barrier, and as
     * good: in the last round of 5 ranks, for example, a rank needs to send its own contribution
     * only, and not those of the round before.
     */
    static bool IsEqual(Mistake mistake, const CollectiveSchedule& wrong)
    {
        const CollectiveParameters& all = wrong.GetParameters();
        const bool asMany = mistake != Mistake::DROPPED && mistake != Mistake::DUPLICATED &&
                            mistake != Mistake::REPEATED_LAST;
        if (all.kind != CollectiveKind::BARRIER || !asMany)
        {
            return false;
        }
        for (uint32_t chunk = 0; chunk < wrong.GetChunks().size(); ++chunk)
        {
            std::vector<std::vector<std::set<uint32_t>>> received(all.ranks);
            for (uint32_t rank = 0; rank < all.ranks; ++rank)
            {
                received[rank].push_back({rank});
            }
            for (const CollectiveTransfer& it : wrong.GetTransfers())
            {
                if (it.chunk == chunk)
                {
                    std::set<uint32_t> now = received[it.to].back();
                    const std::set<uint32_t>& word = received[it.from].at(it.needs);
                    now.insert(word.begin(), word.end());
                    received[it.to].push_back(now);
                }
            }
            for (const auto& its : received)
            {
                if (its.back().size() != all.ranks)
                {
                    return false;
                }
            }
        }
        return true;
    }

    const CollectiveAlgorithm& m_algorithm;
    CollectiveSchedule m_right;
    uint64_t m_buffer{1}; //!< bytes that all parts divide
    std::map<Mistake, uint32_t> m_planted;
};

/**
 * @return the sizes that the verifier's samples leave out: servers and several channels, and an odd
 * number
 */
std::vector<CollectiveParameters>
MakeMoreSamples(CollectiveKind kind, uint32_t ranks, uint32_t ports)
{
    std::vector<CollectiveParameters> samples = MakeSamples(kind, ranks, ports);
    for (const uint32_t channels : {2, 3})
    {
        CollectiveParameters sample = samples.front();
        sample.channels = channels;
        sample.bidirectional = channels == 2;
        sample.perServer = ranks % 2 == 0 ? 2 : 1;
        samples.push_back(sample);
    }
    return samples;
}

} // namespace

TEST(CollectiveMistakes, EachIsFoundInEveryAlgorithm)
{
    for (const CollectiveKind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            std::map<Mistake, uint32_t> planted;
            for (const uint32_t ranks : {2, 3, 4, 5, 6, 7, 8, 9, 16})
            {
                for (const CollectiveParameters& parameters :
                     MakeMoreSamples(kind, ranks, algorithm->usesPorts ? 3 : 1))
                {
                    if (algorithm->GetWhyNot(parameters).empty())
                    {
                        MistakeBed bed(*algorithm, parameters);
                        bed.PlantAll();
                        for (const auto& [mistake, count] : bed.GetPlanted())
                        {
                            planted[mistake] += count;
                        }
                    }
                }
            }
            EXPECT_GT(planted[Mistake::DROPPED], 0U)
                << algorithm->name << " for " << ToString(kind);
        }
    }
}
