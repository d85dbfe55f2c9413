/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H
#define PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H

#include "opus-fake-switches.h"

#include "ns3/controller-core.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** What goes wrong in a FakeCluster. */
struct FakeFaults
{
    uint32_t duplicates{0};   //!< percent of messages that come twice
    uint32_t losses{0};       //!< percent of messages that come late, by a repetition
    uint32_t wrongGuesses{0}; //!< percent of the guesses
    uint32_t alarms{0};       //!< percent of plans
    uint32_t silences{0};     //!< percent of plans that are carried out, or not, without an answer
    bool takeover{false};
};

/**
 * A cluster around a ControllerCore: ranks that run programs of phases, guess the next one, ask and
 * release; agents with switches that turn; messages that take their time, come twice or late; and a
 * standby. It fails the test as soon as a switch is told to turn a port with traffic, a circuit is
 * used that is not there, or a plan does not fit the switch.
 */
class FakeCluster
{
  public:
    FakeCluster(uint32_t seed,
                std::shared_ptr<const Cabling> cabling,
                ControllerSettings settings,
                FakeFaults faults,
                uint32_t guesses)
        : m_random(seed),
          m_cabling(cabling),
          m_faults(faults),
          m_guesses(guesses),
          m_limits(settings.limits),
          m_inCharge(std::make_unique<ControllerCore>(cabling, settings)),
          m_standby(std::make_unique<ControllerCore>(cabling, settings)),
          m_switches(cabling)
    {
    }

    /** A phase that the ranks in its pairs have next in their programs. */
    void AddPhase(const OpusPhase& phase, const std::vector<JoinedRanks>& pairs)
    {
        m_pairs[phase] = pairs;
        for (const RankId rank : PhaseVotes(pairs).GetRanks())
        {
            m_ranks[rank].program.push_back(phase);
        }
    }

    /** All servers register a group of all ranks, before anything is lost or late. */
    void Register(GroupId group, const std::vector<RankId>& ranks, const std::string& name)
    {
        std::set<ServerId> servers;
        for (const RankId rank : ranks)
        {
            servers.insert(m_cabling->GetServer(rank));
        }
        for (const ServerId server : servers)
        {
            OpusMessage message;
            message.type = OpusMessage::Type::REGISTER_GROUP;
            message.server = server;
            message.phase.group = group;
            message.ranks = ranks;
            message.reason = name;
            EXPECT_TRUE(m_inCharge->Take(message, 0).empty());
            EXPECT_TRUE(m_standby->Take(message, 0).empty());
        }
    }

    void Run()
    {
        for (auto& [rank, state] : m_ranks)
        {
            const RankId mine = rank;
            At(Draw(50 * MICROSECOND), [this, mine] { Call(mine); });
        }
        if (m_faults.takeover)
        {
            At(Draw(2000 * MICROSECOND), [this] { Crash(); });
        }
        while (!testing::Test::HasFailure())
        {
            const Picoseconds deadline = m_inCharge->GetNextDeadline();
            if (m_events.empty() && deadline == NEVER)
            {
                break;
            }
            if (m_events.empty() || deadline < m_events.begin()->first)
            {
                m_now = std::max(m_now, deadline);
                m_standby->TimePassed(m_now);
                Post(m_inCharge->TimePassed(m_now));
                continue;
            }
            const auto event = m_events.extract(m_events.begin());
            m_now = event.key();
            event.mapped()();
        }
    }

    /** Fails if a rank is not through, or a phase was granted to some and refused to others. */
    void ExpectAllEnded() const
    {
        for (const auto& [rank, state] : m_ranks)
        {
            EXPECT_TRUE(state.program.empty())
                << "rank " << rank << " is stuck in " << ToWords(state.program.front());
        }
        for (const auto& [phase, pairs] : m_pairs)
        {
            const auto granted = m_granted.find(phase);
            const auto refused = m_refused.find(phase);
            EXPECT_NE(granted == m_granted.end(), refused == m_refused.end()) << ToWords(phase);
            const auto& ended = granted == m_granted.end() ? refused->second : granted->second;
            EXPECT_EQ(ended.size(), PhaseVotes(pairs).GetRanks().size()) << ToWords(phase);
        }
        EXPECT_EQ(m_inCharge->Describe(), m_standby->Describe());
    }

    std::size_t GetRefused() const
    {
        return m_refused.size();
    }

    const ControllerCore& GetController() const
    {
        return *m_inCharge;
    }

  private:
    static constexpr Picoseconds MICROSECOND = 1'000'000;

    struct Rank
    {
        std::deque<OpusPhase> program; //!< the first is the next, or under way
        bool called{false};            //!< the first
        bool holds{false};             //!< circuits for `asked`
        std::optional<OpusPhase> asked;
        Picoseconds since{0};               //!< it waits
        std::map<OpusPhase, uint64_t> asks; //!< numbers
        std::vector<RankCircuit> circuits;  //!< granted
        std::vector<OpusMessage> releases;  //!< all so far
        uint32_t term{0};
    };

    struct Agent
    {
        uint32_t term{0};
        std::map<uint64_t, std::optional<OpusMessage>> answers; //!< none: it is still turning
    };

    bool Chance(uint32_t percent)
    {
        return m_random() % 100 < percent;
    }

    Picoseconds Draw(Picoseconds limit)
    {
        return m_random() % limit + 1;
    }

    void At(Picoseconds delay, std::function<void()> event)
    {
        m_events.emplace(m_now + delay, std::move(event));
    }

    /** A message on its way, by which it may be lost and repeated, or doubled. */
    void Carry(const std::function<void()>& arrive)
    {
        At(Draw(20 * MICROSECOND) + (Chance(m_faults.losses) ? 100 * MICROSECOND : 0), arrive);
        if (Chance(m_faults.duplicates))
        {
            At(Draw(300 * MICROSECOND), arrive);
        }
    }

    void ToController(const OpusMessage& message)
    {
        Carry([this, message] {
            if (m_crashed)
            {
                return;
            }
            m_standby->Take(message, m_now);
            Post(m_inCharge->Take(message, m_now));
        });
    }

    void Post(const ControllerCore::Letters& letters)
    {
        for (const OpusLetter& letter : letters)
        {
            const uint32_t age = m_age;
            const bool survives = Chance(50);
            Carry([this, letter, age, survives] {
                if (age != m_age && !survives)
                {
                    return; // it was in the one that crashed
                }
                letter.toAgent ? TakeByAgent(letter.message) : TakeByShim(letter.message);
            });
        }
    }

    // ---- the standby

    void Crash()
    {
        m_crashed = true;
        EXPECT_EQ(m_inCharge->Describe(), m_standby->Describe());
        ++m_age;
        At(200 * MICROSECOND, [this] {
            m_crashed = false;
            std::swap(m_inCharge, m_standby);
            m_standby->Takeover(1, m_now);
            Post(m_inCharge->Takeover(1, m_now));
            for (auto& [rank, state] : m_ranks)
            {
                const RankId mine = rank;
                At(Draw(100 * MICROSECOND), [this, mine] { Hear(mine); });
            }
        });
    }

    /** A rank hears of the new term, and says again what may not have arrived. */
    void Hear(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        if (state.term == m_inCharge->GetTerm())
        {
            return;
        }
        state.term = m_inCharge->GetTerm();
        for (OpusMessage release : state.releases)
        {
            release.term = state.term;
            ToController(release);
        }
        if (state.asked && !state.holds)
        {
            Ask(rank, !state.called);
        }
    }

    // ---- agents

    void TakeByAgent(const OpusMessage& program)
    {
        Agent& agent = m_agents[program.rail];
        agent.term = std::max(agent.term, program.term);
        const auto [known, isNew] = agent.answers.try_emplace(program.plan);
        if (!isNew)
        {
            if (known->second)
            {
                Answer(program.rail, program.plan);
            }
            return;
        }
        OpusMessage answer;
        answer.type = OpusMessage::Type::DONE;
        answer.rail = program.rail;
        answer.plan = program.plan;
        const bool silent = Chance(m_faults.silences);
        if (Chance(m_faults.alarms))
        {
            answer.type = OpusMessage::Type::ALARM;
            answer.reason = "the mirrors are stuck";
            known->second = answer;
            return Answer(program.rail, program.plan, silent);
        }
        const CircuitPlan plan = MakePlan(program);
        m_switches.Start(program.rail, plan);
        At(Draw(50 * MICROSECOND), [this, plan, answer, silent] {
            m_switches.End(answer.rail, plan);
            m_agents[answer.rail].answers[answer.plan] = answer;
            Answer(answer.rail, answer.plan, silent);
        });
    }

    void Answer(RailId rail, uint64_t plan, bool silent = false)
    {
        Agent& agent = m_agents[rail];
        OpusMessage answer = *agent.answers.at(plan);
        answer.term = agent.term;
        if (!silent)
        {
            ToController(answer);
        }
    }

    // ---- ranks and their shims

    OpusMessage MessageOf(RankId rank, OpusMessage::Type type, const OpusPhase& phase)
    {
        OpusMessage message;
        message.type = type;
        message.term = m_ranks.at(rank).term;
        message.server = m_cabling->GetServer(rank);
        message.phase = phase;
        message.ranks = {rank};
        message.plan = m_ranks.at(rank).asks[phase];
        return message;
    }

    void Ask(RankId rank, bool speculative)
    {
        const OpusPhase phase = *m_ranks.at(rank).asked;
        OpusMessage message = MessageOf(rank, OpusMessage::Type::REQUEST, phase);
        message.pairs = m_pairs.at(phase);
        message.speculative = speculative;
        ToController(message);
    }

    void SendRelease(RankId rank, const OpusPhase& phase, uint64_t ask, bool unused)
    {
        OpusMessage message = MessageOf(rank, OpusMessage::Type::RELEASE, phase);
        message.speculative = unused;
        message.plan = ask;
        m_ranks.at(rank).releases.push_back(message);
        ToController(message);
    }

    /** The program comes to its next phase. */
    void Call(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        if (state.program.empty())
        {
            return Withdraw(rank);
        }
        state.called = true;
        state.since = m_now;
        if (state.asked && !(*state.asked == state.program.front()))
        {
            Withdraw(rank);
        }
        if (state.holds)
        {
            return Begin(rank);
        }
        state.asked = state.program.front();
        Ask(rank, false);
    }

    /** A guess was wrong. */
    void Withdraw(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        if (state.asked)
        {
            SendRelease(rank, *state.asked, state.asks[*state.asked]++, true);
            state.asked.reset();
            state.holds = false;
        }
    }

    void TakeByShim(const OpusMessage& message)
    {
        for (const RankId rank : message.ranks)
        {
            Rank& state = m_ranks.at(rank);
            const bool isAsked = state.asked && *state.asked == message.phase && !state.holds;
            if (message.type == OpusMessage::Type::REFUSE)
            {
                if (isAsked && !(state.called && message.speculative))
                {
                    EXPECT_FALSE(message.reason.empty());
                    Refused(rank);
                }
                continue;
            }
            if (isAsked && message.plan == state.asks[message.phase])
            {
                state.holds = true;
                state.circuits = message.circuits;
                if (state.called)
                {
                    Begin(rank);
                }
            }
            else if (!(state.asked && *state.asked == message.phase))
            {
                SendRelease(rank, message.phase, message.plan, true); // nobody wants it
            }
        }
    }

    void Refused(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        const OpusPhase phase = *state.asked;
        ++state.asks[phase];
        state.asked.reset();
        if (state.called)
        {
            ExpectInTime(state);
            m_refused[phase].insert(rank);
            Next(rank);
        }
    }

    void ExpectInTime(const Rank& state) const
    {
        // a phase may be complete, lose a guess and be complete again before it is answered
        EXPECT_LE(m_now - state.since,
                  2 * (m_limits.votes + m_limits.ports + m_limits.program) + 1000 * MICROSECOND);
    }

    void Begin(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        const OpusPhase phase = *state.asked;
        ExpectInTime(state);
        EXPECT_TRUE(m_granted[phase].insert(rank).second) << "granted twice";
        m_switches.BeginTraffic(phase, rank, state.circuits);
        if (m_granted[phase].size() == PhaseVotes(m_pairs.at(phase)).GetRanks().size())
        {
            for (const RankId one : m_granted[phase])
            {
                At(Draw(100 * MICROSECOND), [this, one] { End(one); });
            }
        }
    }

    void End(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        const OpusPhase phase = *state.asked;
        m_switches.EndTraffic(phase, rank);
        SendRelease(rank, phase, state.asks[phase], false);
        state.asked.reset();
        state.holds = false;
        Next(rank);
    }

    /** Guesses what comes next, and computes until it does. */
    void Next(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        state.program.pop_front();
        state.called = false;
        if (!state.program.empty() && Chance(m_guesses))
        {
            const std::size_t place =
                Chance(m_faults.wrongGuesses) ? m_random() % state.program.size() : 0;
            state.asked = state.program[place];
            Ask(rank, true);
        }
        At(Draw(100 * MICROSECOND), [this, rank] { Call(rank); });
    }

    std::mt19937 m_random;
    std::shared_ptr<const Cabling> m_cabling;
    FakeFaults m_faults;
    uint32_t m_guesses; //!< percent of phases
    ControllerLimits m_limits;
    std::unique_ptr<ControllerCore> m_inCharge;
    std::unique_ptr<ControllerCore> m_standby;
    bool m_crashed{false};
    uint32_t m_age{0};
    FakeSwitches m_switches;
    std::map<RailId, Agent> m_agents;
    std::map<RankId, Rank> m_ranks;
    std::map<OpusPhase, std::vector<JoinedRanks>> m_pairs;
    std::map<OpusPhase, std::set<RankId>> m_granted;
    std::map<OpusPhase, std::set<RankId>> m_refused;
    Picoseconds m_now{0};
    std::multimap<Picoseconds, std::function<void()>> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H */
