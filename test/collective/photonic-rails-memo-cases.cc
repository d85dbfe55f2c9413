/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-memo-cases.h"

#include "ns3/picosecond-resolution.h"

#include <string>

namespace ns3
{

MemoCase::MemoCase(uint64_t first, uint64_t count, MemoSort sort)
    : TestCase("Programs on circuits from " + std::to_string(first) +
               (sort == MemoSort::SERVERS ? ", of servers"
                : sort == MemoSort::RAILS ? ", of several rails"
                                          : "")),
      m_first(first),
      m_count(count),
      m_sort(sort)
{
}

void
MemoCase::DoRun()
{
    UsePicoseconds();
    MemoCounts counts;
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const MemoDraw drawn = MemoDraw::Of(m_sort, seed);
        const std::string difference = CompareMemo(drawn, seed % 8 == 0, counts);
        NS_TEST_EXPECT_MSG_EQ(difference, "", "memo-one-seed " << seed);
    }
    NS_TEST_EXPECT_MSG_GT(counts.memoized, counts.operations / 8, "of " << counts.operations);
    NS_TEST_EXPECT_MSG_GT(counts.madeUp, 0, "some are disturbed");
    if (m_sort != MemoSort::SERVERS)
    {
        NS_TEST_EXPECT_MSG_GT(counts.workedOut, 0, "those without messages inside servers");
    }
}

MemoSendsCase::MemoSendsCase()
    : TestCase("Sends that overlap are memoized as one")
{
}

void
MemoSendsCase::DoRun()
{
    UsePicoseconds();
    constexpr Picoseconds MICROSECOND = 1'000'000;
    constexpr uint64_t STEPS = 5;
    MemoDraw drawn(1);
    drawn.ranks = 4;
    drawn.ports = 2;
    drawn.messageSize = 65536;
    drawn.reconfigures = false;
    drawn.disturbances.clear();
    MemoStep step;
    for (const uint32_t first : {0, 2})
    {
        step.sends.push_back({first, first + 1, 1 << 20, 0, 2 * MICROSECOND});
        step.sends.push_back({first + 1, first, 1 << 20, 6 * MICROSECOND, 4 * MICROSECOND});
        const Picoseconds computed = (200 + 5 * first) * MICROSECOND;
        step.compute.insert(step.compute.end(), 2, computed);
    }
    drawn.steps.assign(STEPS, step);
    MemoCounts counts;
    NS_TEST_EXPECT_MSG_EQ(CompareMemo(drawn, true, counts), "", "equal to messages");
    NS_TEST_EXPECT_MSG_EQ(counts.memoized, 2 * STEPS, "none goes by messages");
    // the ranks of a pair do not end the first exchange at one instant, so the next begins
    // otherwise; the second pair is like the first
    NS_TEST_EXPECT_MSG_EQ(counts.workedOut, 2, "each sort once");
    NS_TEST_EXPECT_MSG_EQ(counts.madeUp, 0, "none is disturbed");
}

MemoServersCase::MemoServersCase()
    : TestCase("Operations of several servers are memoized")
{
}

void
MemoServersCase::DoRun()
{
    UsePicoseconds();
    constexpr Picoseconds MICROSECOND = 1'000'000;
    constexpr uint64_t STEPS = 6;
    for (const std::string algorithm : {"hierarchical", "hierarchical-rings"})
    {
        MemoDraw drawn = MemoDraw::Of(MemoSort::SERVERS, 1);
        drawn.perServer = 2;
        drawn.ranks = 6;
        drawn.ports = 2;
        drawn.messageSize = 65536;
        drawn.reconfigures = false;
        drawn.byClock = true;
        drawn.disturbances.clear();
        MemoStep step;
        step.kind =
            algorithm == "hierarchical" ? CollectiveKind::ALL_REDUCE : CollectiveKind::ALL_TO_ALL;
        step.algorithm = algorithm;
        step.bytes = 6 << 20;
        for (uint32_t rank = 0; rank < drawn.ranks; ++rank)
        {
            // messages inside a server take 10 us and less
            step.compute.push_back((200 + 20 * (rank % 2)) * MICROSECOND);
        }
        drawn.steps.assign(STEPS, step);
        MemoCounts counts;
        NS_TEST_EXPECT_MSG_EQ(CompareMemo(drawn, true, counts), "", algorithm);
        NS_TEST_EXPECT_MSG_EQ(counts.memoized, STEPS - 1, algorithm);
        NS_TEST_EXPECT_MSG_EQ(counts.madeUp, 0, algorithm);

        // in the last step a server has another operation meanwhile
        MemoCounts disturbed;
        drawn.steps[STEPS - 1].inside.push_back({1 << 20, 5 * MICROSECOND});
        NS_TEST_EXPECT_MSG_EQ(CompareMemo(drawn, true, disturbed), "", algorithm << ", disturbed");
        NS_TEST_EXPECT_MSG_EQ(disturbed.memoized, STEPS - 2, algorithm);
        NS_TEST_EXPECT_MSG_EQ(disturbed.madeUp, 1, algorithm);
    }
}

MemoRailsCase::MemoRailsCase()
    : TestCase("Of operations that begin alike at once one goes by messages")
{
}

void
MemoRailsCase::DoRun()
{
    UsePicoseconds();
    constexpr Picoseconds MICROSECOND = 1'000'000;
    constexpr uint32_t RAILS = 4;
    constexpr uint32_t RANKS = 3; // of a rail
    constexpr uint64_t STEPS = 3;
    MemoDraw drawn = MemoDraw::Of(MemoSort::RAILS, 1);
    drawn.perServer = RAILS;
    drawn.ranks = RAILS * RANKS;
    drawn.ports = 2;
    drawn.messageSize = 65536;
    drawn.reconfigures = false;
    drawn.disturbances.clear();
    drawn.answersFirst = false;
    MemoStep step;
    step.bytes = 6 << 20;
    const auto compare = [this, &drawn, &step](uint64_t steps, Picoseconds lag) {
        step.compute.clear();
        for (uint32_t rank = 0; rank < drawn.ranks; ++rank)
        {
            const Picoseconds later = rank % RAILS == 0 ? 0 : lag;
            step.compute.push_back(200 * MICROSECOND + rank / RAILS * MICROSECOND + later);
        }
        drawn.steps.assign(steps, step);
        MemoCounts counts;
        NS_TEST_EXPECT_MSG_EQ(CompareMemo(drawn, true, counts), "", "a lag of " << lag);
        return counts;
    };
    // the ranks of a rail do not end the first operation at one instant, so the second begins
    // otherwise: one of the rails holds it like the first for a while, and the others wait for that
    for (const Picoseconds lag : {0, 1, 700, 20'000'000})
    {
        const MemoCounts counts = compare(STEPS, lag);
        NS_TEST_EXPECT_MSG_EQ(counts.memoized, RAILS * STEPS - 2, "a lag of " << lag);
        NS_TEST_EXPECT_MSG_EQ(counts.madeUp, 1, "a lag of " << lag);
        NS_TEST_EXPECT_MSG_EQ(counts.workedOut, 0, "answers don't go first");
    }

    // another message comes to a rail during its first operation
    uint64_t disturbed = 0;
    for (uint32_t rail = 0; rail < RAILS; ++rail)
    {
        drawn.disturbances = {{MemoDisturbance::MESSAGE, 250 * MICROSECOND, rail, 0}};
        const MemoCounts counts = compare(1, 0);
        NS_TEST_EXPECT_MSG_EQ(counts.memoized + counts.madeUp, RAILS - 1, "a message to " << rail);
        disturbed += counts.madeUp;
    }
    // one rail goes by messages; if it is disturbed, all others have waited in vain
    NS_TEST_EXPECT_MSG_EQ(disturbed, 2 * (RAILS - 1), "one of those that wait, or all of them");

    // if answers go first none needs messages: the first and the second are worked out, once
    drawn.answersFirst = true;
    drawn.disturbances.clear();
    for (const Picoseconds lag : {0, 1, 700, 20'000'000})
    {
        const MemoCounts counts = compare(STEPS, lag);
        NS_TEST_EXPECT_MSG_EQ(counts.memoized, RAILS * STEPS, "a lag of " << lag);
        NS_TEST_EXPECT_MSG_EQ(counts.madeUp, 0, "a lag of " << lag);
        NS_TEST_EXPECT_MSG_EQ(counts.workedOut, 2, "a lag of " << lag);
    }
    for (uint32_t rail = 0; rail < RAILS; ++rail)
    {
        drawn.disturbances = {{MemoDisturbance::MESSAGE, 250 * MICROSECOND, rail, 0}};
        const MemoCounts counts = compare(1, 0);
        NS_TEST_EXPECT_MSG_EQ(counts.memoized, RAILS - 1, "a message to " << rail);
        NS_TEST_EXPECT_MSG_EQ(counts.madeUp, 1, "only that one");
    }
}

} // namespace ns3
