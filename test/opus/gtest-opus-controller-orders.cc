/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// All orders in which messages can arrive, and a controller against a much simpler one.

#include "opus-controller-bench.h"
#include "opus-fake-switches.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/**
 * Two groups share the ports of a server on two rails. Each run chooses other messages to arrive
 * next, until no choice is left.
 */
class AllOrders
{
  public:
    /** @return how many orders there are */
    uint64_t Run()
    {
        uint64_t runs = 0;
        do
        {
            RunOnce();
            ++runs;
        } while (Advance() && !testing::Test::HasFailure());
        return runs;
    }

  private:
    /** The next choices: the last one that has another alternative. */
    bool Advance()
    {
        while (!m_choices.empty() && m_choices.back().first + 1 == m_choices.back().second)
        {
            m_choices.pop_back();
        }
        if (!m_choices.empty())
        {
            ++m_choices.back().first;
        }
        return !m_choices.empty();
    }

    void RunOnce()
    {
        Bench bench(4, 2, 1);
        RailCircuits switches = MakeDarkRails(bench.GetCabling());
        std::set<RailPort> traffic;
        std::map<OpusPhase, uint32_t> granted;
        std::list<std::function<Bench::Outbox()>> pending;
        const std::map<OpusPhase, std::vector<JoinedRanks>> pairs{
            {Bench::Send(0, 1), bench.Between(0, 1)},
            {Bench::Send(1, 2), bench.Between(1, 2)}};
        const auto isUp = [&](const JoinedRanks& pair) {
            return !FindCircuits(pair, switches, bench.GetCabling()).empty();
        };
        const auto take = [&](const OpusMessage& message) -> Bench::Outbox {
            const CircuitPlan plan = MakePlan(message.Get<OpusProgram>());
            EXPECT_TRUE(switches[message.rail.Get()].Check(plan).IsAccepted());
            for (const PortId port : plan.GetPorts())
            {
                EXPECT_EQ(traffic.count({message.rail, port}), 0);
            }
            switches[message.rail.Get()].Apply(plan);
            return bench.Answer(message);
        };
        const auto start = [&](const OpusGrant& grant) {
            ++granted[grant.phase];
            for (const JoinedRanks& pair : pairs.at(grant.phase))
            {
                EXPECT_TRUE(isUp(pair)) << "a grant is for all rails";
                for (const RankId rank : {pair.first, pair.second})
                {
                    traffic.insert(
                        {bench.GetCabling().GetRail(rank), bench.GetCabling().GetPorts(rank)[0]});
                }
            }
        };
        const auto end = [&](const FlatMessage<OpusGrant>& grant) {
            for (const RankId rank : grant.ranks)
            {
                traffic.erase(
                    {bench.GetCabling().GetRail(rank), bench.GetCabling().GetPorts(rank)[0]});
            }
            return bench.Release(grant.server.Get(), grant.phase, pairs.at(grant.phase));
        };
        for (const auto& [phase, joined] : pairs)
        {
            for (const uint32_t server : {phase.from.Get(), phase.to.Get()})
            {
                pending.emplace_back([&bench, server, phase = phase, joined = joined] {
                    return bench.Request(server, phase, joined);
                });
            }
        }
        for (std::size_t step = 0; !pending.empty(); ++step)
        {
            if (step == m_choices.size())
            {
                m_choices.emplace_back(0, pending.size());
            }
            const auto chosen = std::next(pending.begin(), m_choices[step].first);
            const auto event = *chosen;
            pending.erase(chosen);
            for (const OutgoingMessage& outgoing : event())
            {
                const OpusMessage message = outgoing.message;
                if (outgoing.toAgent)
                {
                    pending.emplace_back([&take, message] { return take(message); });
                    continue;
                }
                ASSERT_EQ(message.GetType(), OpusMessage::Type::GRANT);
                const FlatMessage<OpusGrant> grant(message);
                start(grant);
                pending.emplace_back([&end, grant] { return end(grant); });
            }
        }
        EXPECT_EQ(granted[Bench::Send(0, 1)], 2); // both servers, once each
        EXPECT_EQ(granted[Bench::Send(1, 2)], 2);
        EXPECT_TRUE(bench.Core().GetPhases().empty());
        EXPECT_EQ(bench.Core().GetLedger().GetCircuits()[0].GetCircuits(),
                  switches[0].GetCircuits());
    }

    std::vector<std::pair<std::size_t, std::size_t>> m_choices; //!< made, of how many
};

/** The rules, with no regard to how long they take: all phases are examined again every time. */
class SimpleController
{
  public:
    explicit SimpleController(const Cabling& cabling)
        : m_cabling(cabling),
          m_circuits(MakeDarkRails(cabling))
    {
    }

    void Complete(const OpusPhase& phase, const std::vector<JoinedRanks>& pairs)
    {
        m_waiting.push_back({phase, pairs, false});
        LetGo();
    }

    void Over(const OpusPhase& phase, const std::vector<JoinedRanks>& pairs)
    {
        for (Waiting& waiting : m_waiting)
        {
            const bool shares = PhaseVotes(waiting.pairs).SharesRankWith(PhaseVotes(pairs));
            waiting.reserves = waiting.reserves || shares;
        }
        m_inFlight.erase(phase);
        LetGo();
    }

    /** @return the phases that are granted */
    std::set<OpusPhase> GetGranted() const
    {
        std::set<OpusPhase> granted;
        for (const auto& [phase, ports] : m_inFlight)
        {
            granted.insert(phase);
        }
        return granted;
    }

    const RailCircuits& GetCircuits() const
    {
        return m_circuits;
    }

  private:
    struct Waiting
    {
        OpusPhase phase;
        std::vector<JoinedRanks> pairs;
        bool reserves; //!< an operation of its ranks has ended since
    };

    bool IsInFlight(const RailPort& port) const
    {
        return std::any_of(m_inFlight.begin(), m_inFlight.end(), [&port](const auto& flight) {
            return flight.second.count(port) != 0;
        });
    }

    bool CanGo(const CircuitTarget& target) const
    {
        for (const auto& [rail, plan] : target.changes)
        {
            for (const PortId port : plan.GetPorts())
            {
                if (IsInFlight({rail, port}))
                {
                    return false;
                }
            }
        }
        return true;
    }

    void LetGo()
    {
        std::set<RankId> reserved;
        for (auto waiting = m_waiting.begin(); waiting != m_waiting.end();)
        {
            const std::vector<RankId> ranks = PhaseVotes(waiting->pairs).GetRanks();
            const bool isFree = std::none_of(ranks.begin(), ranks.end(), [&reserved](RankId rank) {
                return reserved.count(rank) != 0;
            });
            const CircuitTarget target =
                PlanCircuits({waiting->phase, waiting->pairs, 0, m_circuits, IdlePorts()},
                             m_cabling);
            if (!isFree || !CanGo(target))
            {
                reserved.insert(ranks.begin(), waiting->reserves ? ranks.end() : ranks.begin());
                ++waiting;
                continue;
            }
            for (const auto& [rail, plan] : target.changes)
            {
                m_circuits[rail.Get()].Apply(plan);
            }
            for (const RankCircuit& circuit : target.circuits)
            {
                const auto [one, other] = GetRailPorts(circuit, m_cabling);
                m_inFlight[waiting->phase].insert({one, other});
            }
            m_waiting.erase(waiting);
            waiting = m_waiting.begin();
            reserved.clear();
        }
    }

    const Cabling& m_cabling;
    RailCircuits m_circuits;
    std::list<Waiting> m_waiting;
    std::map<OpusPhase, std::set<RailPort>> m_inFlight;
};

} // namespace

TEST(OpusControllerOrders, AGrantIsAtomicInEveryOrder)
{
    AllOrders orders;
    EXPECT_GT(orders.Run(), 1000);
}

TEST(OpusControllerOrders, AgreesWithASimpleOne)
{
    constexpr uint32_t SERVERS = 8; // of job 0
    std::mt19937 random(7);
    for (uint32_t round = 0; round < 60 && !testing::Test::HasFailure(); ++round)
    {
        Bench bench(SERVERS + 1, 1, 1 + round % 3);
        SimpleController simple(bench.GetCabling());
        std::map<OpusPhase, std::vector<JoinedRanks>> granted;
        std::map<OpusPhase, std::vector<JoinedRanks>> open;
        for (uint32_t step = 0; step < 60 && !testing::Test::HasFailure(); ++step)
        {
            Bench::Outbox outbox;
            if (granted.empty() || random() % 2 == 0)
            {
                OpusPhase phase;
                phase.pointToPoint = true;
                phase.group = GroupId(step); // a flow of its own
                const uint32_t one = random() % SERVERS;
                const auto pairs =
                    bench.Between(one, (one + 1 + random() % (SERVERS - 1)) % SERVERS);
                open[phase] = pairs;
                bench.Request(pairs[0].first.Get(), phase, pairs);
                outbox = bench.AnswerAll(bench.Request(pairs[0].second.Get(), phase, pairs));
                simple.Complete(phase, pairs);
            }
            else
            {
                const auto over = std::next(granted.begin(), random() % granted.size());
                const JoinedRanks pair = over->second[0];
                const OpusPhase phase = over->first;
                bench.Release(pair.first.Get(), phase, {pair});
                outbox = bench.AnswerAll(bench.Release(pair.second.Get(), phase, {pair}));
                granted.erase(over);
                simple.Over(phase, {pair});
            }
            for (const OutgoingMessage& outgoing : outbox)
            {
                EXPECT_EQ(outgoing.message.GetType(), OpusMessage::Type::GRANT);
                granted[*outgoing.message.FindPhase()] = open.at(*outgoing.message.FindPhase());
            }
            std::set<OpusPhase> phases;
            for (const auto& [phase, pairs] : granted)
            {
                phases.insert(phase);
            }
            EXPECT_TRUE(phases == simple.GetGranted()) << "round " << round << ", step " << step;
            EXPECT_EQ(bench.Core().GetLedger().GetCircuits()[0].GetCircuits(),
                      simple.GetCircuits()[0].GetCircuits());
        }
    }
}
