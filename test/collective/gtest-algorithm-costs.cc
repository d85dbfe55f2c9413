/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How an algorithm is chosen where reconfiguring circuits takes time, or where there is a network
// of the hosts.

#include "algorithm-questions.h"

#include "ns3/algorithm-choice.h"
#include "ns3/algorithm-samples.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/time-estimate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;
using Pairs = std::vector<std::pair<RankId, RankId>>;

/** A broker with a number of ports a rank; the test sets its costs, if there are any. */
class CostlyBroker : public CircuitBroker
{
  public:
    uint32_t m_ports{2};
    std::set<std::pair<RankId, RankId>> m_standing; //!< pairs that are joined
    PathCosts m_costs;
    mutable CostQuestion m_questions; //!< the latest

    std::string GetWhyNot(const std::vector<RankId>&, const Pairs& pairs) const override
    {
        std::map<uint32_t, uint32_t> degrees;
        for (const auto& [one, other] : pairs)
        {
            if (++degrees[one.Get()] > m_ports || ++degrees[other.Get()] > m_ports)
            {
                return "too few ports";
            }
        }
        return "";
    }

    PathCosts GetCosts(const CostQuestion& question) const override
    {
        m_questions = question;
        return m_costs;
    }

    bool Stands(const Pairs& pairs) const override
    {
        EXPECT_FALSE(pairs.empty()) << "nothing is needed, so nothing is asked";
        return std::all_of(pairs.begin(), pairs.end(), [this](const auto& pair) {
            return m_standing.count(pair) != 0;
        });
    }

    void Request(const CircuitRequest&, AnswerCallback) override
    {
    }

    void Finished(const CircuitRequest&) override
    {
    }

    /** Joins each rank and the next. @param ranks in order */
    void JoinRing(const std::vector<RankId>& ranks)
    {
        for (std::size_t r = 0; r < ranks.size(); ++r)
        {
            m_standing.insert(std::minmax(ranks[r], ranks[(r + 1) % ranks.size()]));
        }
    }
};

/** The same broker; only the pairs that can be joined are known. */
class PlainBroker : public CostlyBroker
{
  public:
    PathCosts GetCosts(const CostQuestion& question) const override
    {
        return CircuitBroker::GetCosts(question);
    }

    bool Stands(const Pairs& pairs) const override
    {
        ADD_FAILURE() << "nobody asks where turning costs nothing";
        return CircuitBroker::Stands(pairs);
    }
};

AlgorithmChoice
Choose(const CollectiveParameters& parameters,
       uint64_t bytes,
       const Ptr<CostlyBroker>& broker,
       const AlgorithmPreference& preference = {})
{
    return ChooseAlgorithm(parameters, bytes, RanksOf(parameters.ranks), *broker, preference);
}

/** The time of an algorithm, computed step by step. */
struct Expected
{
    Picoseconds time;
    bool turns;
};

/** @return pairs of a stage as ranks of the job */
Pairs
PairsOf(const CollectiveSchedule::Stage& stage)
{
    Pairs pairs;
    for (const auto& [one, other] : stage.pairs)
    {
        pairs.emplace_back(10 + one, 10 + other);
    }
    return pairs;
}

/** @return time of an algorithm over circuits, each reconfiguration one by one, for so many
 * operations */
Expected
GetExpected(const CollectiveSchedule& schedule,
            uint64_t bytes,
            const CostlyBroker& broker,
            const AlgorithmPreference& preference)
{
    const PathCosts& costs = broker.m_costs;
    const Picoseconds reconfiguration = costs.reconfiguration.GetTimeStep();
    const Picoseconds window = costs.window.GetTimeStep();
    const Picoseconds windowAfter = costs.windowAfter.GetTimeStep();
    const auto& stages = schedule.GetStages();
    Picoseconds time = 0;
    bool turned = false;
    for (uint32_t operation = 0; operation < costs.operations; ++operation)
    {
        time += EstimateTime(schedule, bytes, preference).GetTimeStep();
        for (std::size_t s = 0; s < stages.size(); ++s)
        {
            const bool same = operation > 0 && stages.size() == 1;
            if (same || (!turned && broker.Stands(PairsOf(stages[s]))))
            {
                continue;
            }
            const bool first = operation == 0 && s == 0;
            turned = true;
            time += reconfiguration - (first ? std::min(reconfiguration, window) : 0);
        }
    }
    if (turned)
    {
        time +=
            costs.reconfigurationsBack * (reconfiguration - std::min(reconfiguration, windowAfter));
    }
    return {time, turned};
}

constexpr uint64_t SLOW = 1'250'000'000; // bytes a second on the hosts' network

/** @return the algorithms of a kind, those that are taken only without others behind the others */
std::vector<const CollectiveAlgorithm*>
GetReservesLast(Kind kind)
{
    std::vector<const CollectiveAlgorithm*> all = CollectiveAlgorithm::GetAll(kind);
    std::stable_partition(all.begin(), all.end(), [](const auto* one) { return !one->isReserve; });
    return all;
}

} // namespace

TEST(AlgorithmCosts, WithoutAnyTheFirstOfLeastTimeIsTakenAndAReserveOnlyWithoutOthers)
{
    UsePicoseconds();
    const Ptr<PlainBroker> broker = CreateObject<PlainBroker>();
    AlgorithmPreference preference;
    preference.mayUseHost = true; // there is none
    uint32_t several = 0;
    for (const Kind kind : GetCollectiveKinds())
    {
        for (const uint32_t n : {2, 3, 4, 8})
        {
            for (const CollectiveParameters& parameters : MakeSamples(kind, n))
            {
                for (const uint32_t ports : {0, 1, 2, 8})
                {
                    for (const uint64_t bytes : {0, 64, 1 << 16, 1 << 24})
                    {
                        broker->m_ports = ports;
                        const AlgorithmChoice choice =
                            Choose(parameters, bytes, broker, preference);
                        std::string first;
                        Time least = Time::Max();
                        uint32_t equal = 0;
                        for (const CollectiveAlgorithm* one : GetReservesLast(kind))
                        {
                            if (!one->GetWhyNot(parameters).empty())
                            {
                                continue;
                            }
                            if (one->isReserve && !first.empty() &&
                                !CollectiveAlgorithm::Get(kind, first).isReserve)
                            {
                                break;
                            }
                            const auto schedule =
                                CollectiveAlgorithm::GetSchedule(one->name, parameters);
                            const auto& stages = schedule->GetStages();
                            const bool joined =
                                std::all_of(stages.begin(), stages.end(), [&](const auto& stage) {
                                    return broker->GetWhyNot({}, PairsOf(stage)).empty();
                                });
                            const Time time = EstimateTime(*schedule, bytes, preference);
                            equal += joined && time == least ? 1 : 0;
                            if (joined && time < least)
                            {
                                least = time;
                                first = one->name;
                                equal = 0;
                            }
                        }
                        several += equal;
                        ASSERT_EQ(choice.algorithm, first) << parameters.GetKey() << " " << bytes;
                        ASSERT_EQ(choice.why.empty(), !first.empty());
                        ASSERT_EQ(choice.reason.empty(), first.empty());
                        ASSERT_FALSE(choice.host);
                        ASSERT_FALSE(choice.operationPath);
                        ASSERT_FALSE(choice.fellBack);
                    }
                }
            }
        }
    }
    EXPECT_GT(several, 100U) << "it matters which one is the first";
    EXPECT_NE(Choose(Parameters(Kind::ALL_REDUCE, 1), 8, broker).why, "") << "nobody to talk to";
}

TEST(AlgorithmCosts, TheChoiceIsWhatTakesLeastWithAllReconfigurations)
{
    UsePicoseconds();
    std::mt19937 random(5);
    std::map<OperationPath, uint32_t> chosen;
    for (const Kind kind : {Kind::ALL_REDUCE, Kind::ALL_GATHER, Kind::ALL_TO_ALL})
    {
        for (const uint32_t n : {4, 8})
        {
            for (uint32_t variant = 0; variant < 600; ++variant)
            {
                const Ptr<CostlyBroker> broker = CreateObject<CostlyBroker>();
                broker->m_ports = random() % 2 == 0 ? 2 : 8;
                if (random() % 2 == 0)
                {
                    broker->JoinRing(RanksOf(n));
                }
                else if (random() % 2 == 0)
                {
                    broker->JoinRing(RanksOf(n, 2)); // of servers of two ranks, on each rail
                    broker->JoinRing(RanksOf(n, 2, 1));
                }
                PathCosts& costs = broker->m_costs;
                const auto reconfiguration =
                    std::vector<Picoseconds>{1, 2'000'000, 1'000'000'000}[random() % 3];
                costs.reconfiguration = ToTime(reconfiguration);
                costs.window = ToTime(random() % 3 == 0 ? reconfiguration / 2 : 0);
                costs.reconfigurationsBack = random() % 2;
                costs.windowAfter = ToTime(random() % 3 == 0 ? 3 * reconfiguration : 0);
                costs.operations = 1 + random() % 3;
                costs.hostBytesPerSecond = random() % 3 == 0 ? 0 : SLOW;
                costs.hostHopLatency = MicroSeconds(20);
                CollectiveParameters parameters = Parameters(kind, n);
                parameters.perServer = random() % 2 == 0 ? 2 : 1;
                const uint64_t bytes =
                    std::vector<uint64_t>{64, 1 << 16, 1 << 20, 1 << 26}[random() % 4];
                AlgorithmPreference preference;
                preference.inside = random() % 2 == 0;
                AlgorithmPreference hosts = preference;
                hosts.bytesPerSecond = SLOW;
                hosts.hopLatency = costs.hostHopLatency;

                Picoseconds least = NEVER;
                std::map<std::string, Expected> circuits;
                std::map<std::string, Picoseconds> onHosts;
                bool isJoined = false; // another than a reserve
                for (const CollectiveAlgorithm* one : GetReservesLast(kind))
                {
                    if (one->isReserve && isJoined)
                    {
                        break;
                    }
                    if (!one->GetWhyNot(parameters).empty() ||
                        (one->name.rfind("hierarchical", 0) == 0 && !preference.inside) ||
                        (one->name == "direct" && parameters.perServer > 1 && !preference.inside &&
                         kind == Kind::ALL_GATHER))
                    {
                        continue;
                    }
                    const auto schedule = CollectiveAlgorithm::GetSchedule(one->name, parameters);
                    bool joined = true;
                    for (const auto& stage : schedule->GetStages())
                    {
                        joined = joined && broker->GetWhyNot({}, PairsOf(stage)).empty();
                    }
                    if (joined)
                    {
                        isJoined = isJoined || !one->isReserve;
                        circuits[one->name] = GetExpected(*schedule, bytes, *broker, preference);
                        least = std::min(least, circuits[one->name].time);
                    }
                    if (costs.hostBytesPerSecond > 0)
                    {
                        onHosts[one->name] =
                            costs.operations * EstimateTime(*schedule, bytes, hosts).GetTimeStep();
                        least = std::min(least, onHosts[one->name]);
                    }
                }
                const AlgorithmChoice choice = Choose(parameters, bytes, broker, preference);
                ASSERT_TRUE(choice.operationPath) << choice.why;
                ++chosen[*choice.operationPath];
                EXPECT_EQ(choice.host, choice.operationPath == OperationPath::HOST_NETWORK);
                if (choice.host)
                {
                    EXPECT_EQ(onHosts.at(choice.algorithm), least) << choice.reason;
                    continue;
                }
                EXPECT_EQ(circuits.at(choice.algorithm).time, least) << choice.reason;
                EXPECT_EQ(circuits.at(choice.algorithm).turns,
                          choice.operationPath == OperationPath::RECONFIGURE ||
                              choice.operationPath == OperationPath::MATCHINGS);
                EXPECT_EQ(choice.schedule->GetStages().size() > 1 &&
                              circuits.at(choice.algorithm).turns,
                          choice.operationPath == OperationPath::MATCHINGS);
                EXPECT_EQ(choice.pairs.size(), choice.schedule->GetStages().size());
            }
        }
    }
    for (std::size_t c = 0; c < PATHS; ++c)
    {
        EXPECT_GT(chosen[static_cast<OperationPath>(c)], 20U)
            << ToString(static_cast<OperationPath>(c));
    }
}

TEST(AlgorithmCosts, ShortAllReducesGoOverTheHostsNetworkUnlessARingStands)
{
    UsePicoseconds();
    const uint32_t n = 8;
    const CollectiveParameters parameters = Parameters(Kind::ALL_REDUCE, n);
    const Ptr<CostlyBroker> broker = CreateObject<CostlyBroker>();
    broker->m_costs.reconfiguration = MilliSeconds(25);
    broker->m_costs.reconfigurationsBack = 1;
    broker->m_costs.hostBytesPerSecond = SLOW;
    broker->m_costs.hostHopLatency = MicroSeconds(20);
    const AlgorithmChoice norm = Choose(parameters, 8, broker);
    EXPECT_TRUE(norm.host);
    EXPECT_EQ(norm.why, "");
    for (const std::string words :
         {"host-network: ", "; reconfigure: ", "50.00 ms of it reconfiguration"})
    {
        EXPECT_NE(norm.reason.find(words), std::string::npos) << norm.reason;
    }
    // a gradient: 2 S (n - 1) / n at 1.25 GB/s against 50 ms of reconfiguration, so S > 36 MB
    EXPECT_FALSE(Choose(parameters, 1 << 27, broker).host);
    EXPECT_EQ(Choose(parameters, 1 << 27, broker).operationPath, OperationPath::RECONFIGURE);
    EXPECT_TRUE(Choose(parameters, 1 << 25, broker).host);
    // with nothing else to take, circuits are reconfigured for 8 bytes
    broker->m_costs.hostBytesPerSecond = 0;
    EXPECT_EQ(Choose(parameters, 8, broker).operationPath, OperationPath::RECONFIGURE);
    // and not if they stand
    broker->JoinRing(RanksOf(n));
    EXPECT_EQ(Choose(parameters, 8, broker).operationPath, OperationPath::STANDING);
    broker->m_costs.hostBytesPerSecond = SLOW;
    EXPECT_EQ(Choose(parameters, 8, broker).operationPath, OperationPath::STANDING)
        << "14 hops of 1 us are less than 6 of 20 us";
}

TEST(AlgorithmCosts, AnAllToAllReconfiguresUntilForwardingIsTheQuicker)
{
    UsePicoseconds();
    for (const uint32_t n : {4, 8, 16})
    {
        for (const bool ring : {false, true})
        {
            // S = n chunks; a chunk takes c. Forwarded one way n (n - 1) / 2 chunks
            const Picoseconds chunk = 100'000'000;
            AlgorithmPreference preference;
            preference.bytesPerSecond = 1'000'000'000; // a byte takes 1000 ps
            preference.hopLatency = Time(0);
            preference.messageSize = 1;
            const CollectiveParameters parameters = Parameters(Kind::ALL_TO_ALL, n);
            const uint64_t bytes = n * (chunk / 1000);
            const Ptr<CostlyBroker> broker = CreateObject<CostlyBroker>();
            if (ring)
            {
                broker->JoinRing(RanksOf(n));
            }
            // reconfigurations that matchings have and the ring has not. If the ring stands, the
            // tournament may begin with matchings that are part of it
            const auto matchings = CollectiveAlgorithm::GetSchedule("matchings", parameters);
            const auto& stages = matchings->GetStages();
            const auto turned =
                std::find_if_not(stages.begin(), stages.end(), [&](const auto& one) {
                    return broker->Stands(PairsOf(one));
                });
            const Picoseconds more = (stages.end() - turned) - (ring ? 0 : 1);
            const Picoseconds forwarded = n * (n - 1) / 2 * chunk;
            const Picoseconds saved = forwarded - (n - 1) * chunk;
            const Picoseconds least = (saved + more - 1) / more; // d from which on it forwards
            for (const auto& [reconfiguration, name] :
                 std::map<Picoseconds, std::string>{{1, "matchings"},
                                                    {least - 1, "matchings"},
                                                    {least + 1, "ring"},
                                                    {100 * least, "ring"}})
            {
                broker->m_costs.reconfiguration = ToTime(reconfiguration);
                const AlgorithmChoice choice = Choose(parameters, bytes, broker, preference);
                EXPECT_EQ(choice.algorithm, name)
                    << n << " " << reconfiguration << " " << choice.reason;
                EXPECT_EQ(choice.operationPath,
                          name == "matchings" ? OperationPath::MATCHINGS
                          : ring              ? OperationPath::FORWARD_ON_RING
                                              : OperationPath::RECONFIGURE);
            }
        }
    }
}

TEST(AlgorithmCosts, WhatNeedsNoReconfigurationIsReported)
{
    UsePicoseconds();
    const Ptr<CostlyBroker> broker = CreateObject<CostlyBroker>();
    broker->m_costs.reconfiguration = MilliSeconds(25);
    // within one server it needs no circuits
    CollectiveParameters parameters = Parameters(Kind::ALL_GATHER, 4);
    parameters.perServer = 4;
    AlgorithmChoice choice = Choose(parameters, 4096, broker);
    EXPECT_EQ(choice.algorithm, "direct");
    EXPECT_EQ(choice.operationPath, OperationPath::FORWARD_INTRA_NODE);
    // on circuits between all ranks no message is forwarded; on a ring all algorithms forward
    broker->m_ports = 3;
    broker->JoinRing(RanksOf(4));
    parameters = Parameters(Kind::ALL_TO_ALL, 4);
    choice = Choose(parameters, 4096, broker);
    EXPECT_EQ(choice.algorithm, "ring");
    EXPECT_EQ(choice.operationPath, OperationPath::FORWARD_ON_RING);
    broker->JoinRing({RankId(10), RankId(12)});
    broker->JoinRing({RankId(11), RankId(13)});
    choice = Choose(parameters, 4096, broker);
    EXPECT_EQ(choice.algorithm, "direct");
    EXPECT_EQ(choice.operationPath, OperationPath::STANDING);
}

TEST(AlgorithmCosts, WhatIsRequestedByNameIsKept)
{
    UsePicoseconds();
    const CollectiveParameters parameters = Parameters(Kind::ALL_REDUCE, 8);
    const Ptr<CostlyBroker> broker = CreateObject<CostlyBroker>();
    broker->m_costs.reconfiguration = MilliSeconds(25);
    broker->m_costs.hostBytesPerSecond = SLOW;
    AlgorithmPreference preference;
    preference.algorithm = "halving-doubling"; // of 6 reconfigurations
    AlgorithmChoice choice = Choose(parameters, 8, broker, preference);
    EXPECT_EQ(choice.algorithm, "halving-doubling");
    EXPECT_FALSE(choice.host) << "it was not allowed to";
    EXPECT_EQ(choice.reason, "asked for by name");
    preference.mayUseHost = true;
    choice = Choose(parameters, 8, broker, preference);
    EXPECT_EQ(choice.algorithm, "halving-doubling");
    EXPECT_TRUE(choice.host);
    EXPECT_EQ(choice.pairs.size(), choice.schedule->GetStages().size());
    choice = Choose(parameters, uint64_t{1} << 32, broker, preference);
    EXPECT_EQ(choice.algorithm, "halving-doubling");
    EXPECT_FALSE(choice.host) << "6 s against 150 ms of turning";
    EXPECT_EQ(choice.operationPath, OperationPath::MATCHINGS);
    preference.hostNetwork = false;
    EXPECT_FALSE(Choose(parameters, 8, broker, preference).host) << "the ranks are not on it";
    preference.algorithm = "";
    EXPECT_FALSE(Choose(parameters, 8, broker, preference).host) << "nor now";

    // where circuits can't be, the fallback is weighed against the hosts' network
    preference.hostNetwork = true;
    preference.algorithm = "tree";
    choice = Choose(parameters, 8, broker, preference);
    EXPECT_EQ(choice.algorithm, "tree");
    EXPECT_TRUE(choice.host);
    EXPECT_FALSE(choice.fellBack);
    EXPECT_EQ(choice.why, "");
    choice = Choose(parameters, uint64_t{1} << 32, broker, preference);
    EXPECT_EQ(choice.algorithm, "ring");
    EXPECT_TRUE(choice.fellBack);
    EXPECT_FALSE(choice.host);
    preference.fallback = false; // then there is only one
    choice = Choose(parameters, uint64_t{1} << 32, broker, preference);
    EXPECT_EQ(choice.algorithm, "tree");
    EXPECT_TRUE(choice.host);
    preference.algorithm = "hierarchical"; // is not made for these ranks, wherever they are
    choice = Choose(parameters, 8, broker, preference);
    EXPECT_EQ(choice.algorithm, "");
    EXPECT_NE(choice.why, "");
}

TEST(AlgorithmCosts, TheBrokerReceivesThePurpose)
{
    UsePicoseconds();
    const Ptr<CostlyBroker> broker = CreateObject<CostlyBroker>();
    AlgorithmPreference preference;
    preference.about.rank = RankId(12);
    preference.about.group = GroupId(3);
    preference.about.operation = 17;
    Choose(Parameters(Kind::ALL_GATHER, 4), 4096, broker, preference);
    EXPECT_EQ(broker->m_questions.rank, RankId(12));
    EXPECT_EQ(broker->m_questions.group, GroupId(3));
    EXPECT_EQ(broker->m_questions.operation, 17U);
    EXPECT_EQ(broker->m_questions.kind, Kind::ALL_GATHER);
    EXPECT_EQ(broker->m_questions.bytes, 4096U);
    EXPECT_EQ(broker->m_questions.ranks, RanksOf(4));
}
