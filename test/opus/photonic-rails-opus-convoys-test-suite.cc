/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ranks that all send requests at one instant, for circuits that cannot all stand at once.

#include "../support/photonic-rails-opus-bench.h"

#include "ns3/test.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/** @return instants at which circuits came up, those of one reconfiguration counted once */
std::vector<Picoseconds>
GetRounds(const OpusBench& bench, Picoseconds reconfiguration)
{
    std::set<Picoseconds> ups;
    for (const LightChange& change : bench.changes)
    {
        if (change.up)
        {
            ups.insert(change.when);
        }
    }
    std::vector<Picoseconds> rounds;
    for (const Picoseconds up : ups)
    {
        // the requests of one instant take much less time than the switch
        if (rounds.empty() || up - rounds.back() > reconfiguration / 2)
        {
            rounds.push_back(up);
        }
    }
    return rounds;
}

/**
 * @return the most that all messages take: 4 L + 2 H, and the bits of all outgoing messages twice
 */
Picoseconds
GetMessageTime(const OpusBench& bench, const OpusCase& one)
{
    Picoseconds bits = 0;
    for (const SentMessage& sent : bench.sent)
    {
        bits += OpusBench::BitsOf(sent.message);
    }
    return (4 * one.latency + 2 * one.hostLatency).GetTimeStep() + 2 * bits;
}

/** @return the longest operation, waiting for circuits left out */
Picoseconds
GetLongest(const OpusBench& bench)
{
    Picoseconds longest = 0;
    for (const OperationRecord& record : bench.ended)
    {
        longest = std::max(longest,
                           record.end.GetTimeStep() - record.start.GetTimeStep() -
                               record.waited.GetTimeStep());
    }
    return longest;
}

/** Neighbours that send to each other, each pair by a send of its own. */
class NeighboursTestCase : public TestCase
{
  public:
    /** @param isRing whether the last one sends to the first @param ports of a rank */
    NeighboursTestCase(bool isRing, uint32_t ports, uint32_t rounds)
        : TestCase(std::string(isRing ? "A ring" : "A chain") + " of neighbours with " +
                   std::to_string(ports) + " ports a rank takes " + std::to_string(rounds) +
                   " reconfigurations"),
          m_isRing(isRing),
          m_ports(ports),
          m_rounds(rounds)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RANKS = 8;
        OpusCase one;
        one.servers = RANKS;
        one.ports = m_ports;
        one.reconfiguration = MilliSeconds(1);
        OpusBench bench(one);
        std::vector<uint32_t> ranks;
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            ranks.push_back(rank);
        }
        const auto group = bench.MakeGroup("pp 0", ranks);
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            auto program = std::make_shared<RankProgram>();
            if (m_isRing || rank + 1 < RANKS)
            {
                program->Send(0, 0, (rank + 1) % RANKS, 1 << 16);
            }
            if (m_isRing || rank > 0)
            {
                program->Receive(1, 0, (rank + RANKS - 1) % RANKS, 1 << 16);
            }
            bench.SetProgram(rank, program, {group});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "all is done");
        const Picoseconds reconfiguration = one.reconfiguration.GetTimeStep();
        NS_TEST_EXPECT_MSG_EQ(GetRounds(bench, reconfiguration).size(), m_rounds, "not one a pair");
        const Picoseconds messages = GetMessageTime(bench, one);
        NS_TEST_EXPECT_MSG_LT(bench.end,
                              m_rounds * (GetLongest(bench) + reconfiguration + messages),
                              "nor longer");
        NS_TEST_EXPECT_MSG_LT(m_rounds * messages,
                              reconfiguration,
                              "another round would be noticed");
    }

    bool m_isRing;
    uint32_t m_ports;
    uint32_t m_rounds;
};

/** Rings of two parallelisms, side by side. */
class SideBySideTestCase : public TestCase
{
  public:
    SideBySideTestCase()
        : TestCase("Rings of two parallelisms that ask at once take as long as one after the other")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SIDE = 3;
        for (const bool atOnce : {false, true})
        {
            OpusCase one;
            one.servers = SIDE * SIDE;
            one.ports = 4;
            one.reconfiguration = MilliSeconds(1);
            OpusBench bench(one);
            std::vector<std::shared_ptr<const CommunicationGroup>> rows;
            std::vector<std::shared_ptr<const CommunicationGroup>> columns;
            for (uint32_t i = 0; i < SIDE; ++i)
            {
                rows.push_back(bench.MakeGroup("dp " + std::to_string(i),
                                               {SIDE * i, SIDE * i + 1, SIDE * i + 2}));
                columns.push_back(
                    bench.MakeGroup("pp " + std::to_string(i), {i, i + SIDE, i + 2 * SIDE}));
            }
            auto program = std::make_shared<RankProgram>();
            program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 4 << 20, "ring");
            program->Collective(atOnce ? 1 : 0, 1, CollectiveKind::ALL_REDUCE, 4 << 20, "ring");
            for (uint32_t rank = 0; rank < SIDE * SIDE; ++rank)
            {
                bench.SetProgram(rank, program, {rows[rank / SIDE], columns[rank % SIDE]});
            }
            NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
            NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "all is done");
            // all rows can have circuits at once, and all columns: two rounds, of which each takes
            // the longest all-reduce, a reconfiguration, and the messages
            const Picoseconds reconfiguration = one.reconfiguration.GetTimeStep();
            const Picoseconds messages = GetMessageTime(bench, one);
            NS_TEST_EXPECT_MSG_LT(bench.end,
                                  2 * (GetLongest(bench) + reconfiguration + messages),
                                  (atOnce ? "at once" : "in turn"));
            NS_TEST_EXPECT_MSG_LT(2 * messages, reconfiguration, "a third round would be noticed");
            NS_TEST_EXPECT_MSG_EQ(GetRounds(bench, reconfiguration).size(),
                                  2,
                                  "one for rows, one for columns");
        }
    }
};

/** The suite. */
class OpusConvoysTestSuite : public TestSuite
{
  public:
    OpusConvoysTestSuite()
        : TestSuite("photonic-rails-opus-convoys", TestSuite::Type::UNIT)
    {
        AddTestCase(new NeighboursTestCase(false, 1, 2));
        AddTestCase(new NeighboursTestCase(true, 2, 1));
        AddTestCase(new SideBySideTestCase);
    }
};

static OpusConvoysTestSuite g_opusConvoysTestSuite;

} // namespace
