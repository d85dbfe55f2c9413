/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H
#define PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H

#include "opus-fake-network.h"
#include "opus-fake-rank.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A FakeNetwork with ranks that run programs of operations, guess the next one, ask for it and for
 * more than they will go through, and give back what they do not use, what others wait for and what
 * they are told to.
 */
class FakeCluster : public FakeNetwork
{
  public:
    /** @param guesses percent of operations that are guessed before they are called */
    FakeCluster(uint32_t seed,
                std::shared_ptr<const Cabling> cabling,
                const ControllerSettings& settings,
                FakeFaults faults,
                uint32_t guesses)
        : FakeNetwork(seed, cabling, settings, faults),
          m_guesses(guesses),
          m_limits(settings.limits)
    {
    }

    /**
     * An operation that the ranks in its pairs have next in their programs.
     * @param sender need not wait for the others, if any
     */
    void AddPhase(const OpusPhase& phase,
                  const std::vector<JoinedRanks>& pairs,
                  std::optional<RankId> sender = std::nullopt)
    {
        m_pairs[phase] = pairs;
        m_senders[phase] = sender;
        for (const RankId rank : PhaseVotes(pairs).GetRanks())
        {
            m_ranks[rank].program.push_back(phase);
        }
    }

    void Run()
    {
        for (auto& [rank, state] : m_ranks)
        {
            const RankId mine = rank;
            At(Draw(50 * MICROSECOND), [this, mine] { Call(mine); });
        }
        RunEvents();
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
            const std::size_t done = Count(m_done, phase);
            const std::size_t refused = Count(m_refused, phase);
            EXPECT_TRUE(done == 0 || refused == 0 || m_torn.count(phase) != 0) << ToWords(phase);
            EXPECT_EQ(done + refused, PhaseVotes(pairs).GetRanks().size()) << ToWords(phase);
        }
    }

    std::size_t GetRefused() const
    {
        return m_refused.size();
    }

  private:
    using Rank = FakeRank;

    void HearOfTerm() override
    {
        for (uint32_t rank = 0; m_cabling->IsKnown(RankId(rank)); ++rank)
        {
            const ServerId server = m_cabling->GetServer(RankId(rank));
            At(Draw(100 * MICROSECOND), [this, server] { Hear(server); });
        }
    }

    /** A server hears of the new term, and says what its ranks hold, are through with and want. */
    void Hear(ServerId server)
    {
        const uint32_t term = m_inCharge->GetTerm();
        if (m_terms[server] == term)
        {
            return;
        }
        m_terms[server] = term;
        for (OpusMessage registration : m_registrations)
        {
            registration.term = term;
            if (registration.server == server)
            {
                ToController(registration);
            }
        }
        std::vector<RankId> ranks;
        for (auto& [rank, state] : m_ranks)
        {
            if (m_cabling->GetServer(rank) == server)
            {
                ranks.push_back(rank);
                state.term = term;
                SayHolds(rank);
            }
        }
        for (const RankId rank : ranks)
        {
            SayRefused(rank);
            SayThrough(rank);
        }
        OpusMessage all;
        all.type = OpusMessage::Type::TERM;
        all.term = term;
        all.server = server;
        ToController(all);
        for (const RankId rank : ranks)
        {
            const Rank& state = m_ranks.at(rank);
            if (state.asked)
            {
                Ask(rank, !IsNext(state, *state.asked));
            }
        }
    }

    void SayHolds(RankId rank)
    {
        for (const auto& [phase, hold] : m_ranks.at(rank).holds)
        {
            OpusMessage message = MessageOf(rank, OpusMessage::Type::HOLD, phase);
            message.speculative = !hold.used && !(m_ranks.at(rank).with == phase);
            message.plan = hold.ask;
            message.until = hold.until;
            message.pairs = m_pairs.at(phase);
            message.whole = PhaseVotes(message.pairs).CountWhole();
            message.digest = GetDigest(message.pairs);
            message.circuits = hold.circuits;
            ToController(message);
        }
    }

    void SayRefused(RankId rank)
    {
        for (const auto& [phase, ranks] : m_refused)
        {
            if (ranks.count(rank) != 0)
            {
                OpusMessage message = MessageOf(rank, OpusMessage::Type::REFUSE, phase);
                message.reason = "it was refused";
                ToController(message);
            }
        }
    }

    void SayThrough(RankId rank)
    {
        std::map<OpusPhase, OpusPhase> last; // by flow
        for (const auto& [operation, ranks] : m_done)
        {
            if (ranks.count(rank) != 0)
            {
                last[GetFlowKey(operation)] = operation; // they come in order
            }
        }
        for (const auto& [flowKey, operation] : last)
        {
            ToController(MessageOf(rank, OpusMessage::Type::HOLD, operation));
        }
    }

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

    static std::size_t Count(const std::map<OpusPhase, std::set<RankId>>& ranks,
                             const OpusPhase& phase)
    {
        const auto found = ranks.find(phase);
        return found == ranks.end() ? 0 : found->second.size();
    }

    /** @return whether a phase is for what the rank has called */
    static bool IsNext(const Rank& state, const OpusPhase& phase)
    {
        return state.called && !state.with && state.program.front() == phase;
    }

    void Ask(RankId rank, bool speculative)
    {
        Rank& state = m_ranks.at(rank);
        const OpusPhase phase = *state.asked;
        const uint64_t further = Chance(m_faults.promises) ? m_random() % 8 : 0;
        const auto until = state.untils.try_emplace(phase, phase.operation + further);
        OpusMessage message = MessageOf(rank, OpusMessage::Type::REQUEST, phase);
        // others may be through with what was granted before, or asked for
        const auto granted = state.granted.find(GetFlowKey(phase));
        const bool isAgain =
            !until.second || (granted != state.granted.end() && phase.operation <= granted->second);
        WholePairs whole(m_pairs.at(phase));
        isAgain ? whole.NameAll(message) : whole.Name(message);
        message.speculative = speculative;
        message.until = until.first->second;
        ToController(message);
    }

    void SendRelease(RankId rank, const OpusPhase& phase, const FakeHold& hold)
    {
        OpusMessage message = MessageOf(rank, OpusMessage::Type::RELEASE, phase);
        message.speculative = !hold.used;
        message.until = hold.through;
        message.plan = hold.ask;
        ToController(message);
    }

    /** Gives something back that is idle. */
    void GiveBack(RankId rank, const OpusPhase& phase)
    {
        Rank& state = m_ranks.at(rank);
        const FakeHold hold = state.holds.at(phase);
        state.holds.erase(phase);
        state.asks[phase] = hold.ask + 1;
        SendRelease(rank, phase, hold);
    }

    /** Gives everything back that is idle. */
    void GiveBackIdle(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        const std::map<OpusPhase, FakeHold> holds = state.holds;
        for (const auto& [phase, hold] : holds)
        {
            if (!(state.with == phase))
            {
                GiveBack(rank, phase);
            }
        }
    }

    /** An ask is not wanted any more. */
    void Withdraw(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        if (state.asked)
        {
            FakeHold unused;
            unused.ask = state.asks[*state.asked]++;
            SendRelease(rank, *state.asked, unused);
            state.asked.reset();
        }
    }

    /** The program comes to its next operation, or again to one that was interrupted. */
    void Call(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        if (state.program.empty())
        {
            GiveBackIdle(rank);
            return Withdraw(rank);
        }
        const OpusPhase next = state.program.front();
        state.called = true;
        state.since = m_now;
        if (state.FindHold(next, m_pairs))
        {
            return Begin(rank);
        }
        if (!(state.asked == next))
        {
            Withdraw(rank);
        }
        state.asked = next;
        GiveBackIdle(rank);
        Ask(rank, false);
    }

    void TakeByShim(const OpusMessage& message) override
    {
        if (message.term < m_terms[message.server])
        {
            return;
        }
        if (message.term > m_terms[message.server])
        {
            Hear(message.server);
        }
        for (const RankId rank : message.ranks)
        {
            const bool isAsked = m_ranks.at(rank).asked == message.phase;
            if (message.type == OpusMessage::Type::REFUSE)
            {
                if (isAsked)
                {
                    TakeRefusal(rank, message);
                }
            }
            else if (message.type == OpusMessage::Type::GRANT)
            {
                TakeGrant(rank, message);
            }
            else if (message.speculative)
            {
                TakeRecall(rank, message);
            }
            else
            {
                TakeLimit(rank, message);
            }
        }
    }

    void TakeRefusal(RankId rank, const OpusMessage& message)
    {
        Rank& state = m_ranks.at(rank);
        const bool isNext = IsNext(state, message.phase);
        if (isNext && message.speculative)
        {
            return;
        }
        EXPECT_FALSE(message.reason.empty());
        ++state.asks[message.phase];
        state.asked.reset();
        if (isNext)
        {
            ExpectInTime(state);
            m_refused[message.phase].insert(rank);
            Next(rank);
        }
    }

    void TakeGrant(RankId rank, const OpusMessage& message)
    {
        Rank& state = m_ranks.at(rank);
        EXPECT_GE(message.until, message.phase.operation);
        const auto held = state.holds.find(message.phase);
        if (held != state.holds.end())
        {
            held->second.until = std::min(held->second.until, message.until);
            return; // if it is less than what is under way, a RECALL follows
        }
        FakeHold hold;
        hold.ask = message.plan;
        if (!(state.asked == message.phase))
        {
            return SendRelease(rank, message.phase, hold); // nobody wants it
        }
        if (message.plan != state.asks[message.phase])
        {
            return;
        }
        const auto early = state.recalls.find(message.phase);
        hold.until = message.until;
        hold.circuits = message.circuits;
        if (early != state.recalls.end())
        {
            hold.until = std::min(hold.until, early->second.until);
            hold.leave = early->second.leave && early->second.ask == message.plan;
        }
        state.asked.reset();
        state.holds[message.phase] = hold;
        uint64_t& granted = state.granted[GetFlowKey(message.phase)];
        granted = std::max(granted, message.until);
        if (state.called && !state.with)
        {
            Begin(rank);
        }
        else if (hold.leave)
        {
            GiveBack(rank, message.phase);
        }
    }

    /** All is to be given back. */
    void TakeRecall(RankId rank, const OpusMessage& message)
    {
        Rank& state = m_ranks.at(rank);
        const auto held = state.holds.find(message.phase);
        if (held != state.holds.end() && held->second.ask == message.plan)
        {
            Interrupt(rank, message.phase);
        }
        else if (state.asked == message.phase && message.plan == state.asks[message.phase])
        {
            const bool isNext = IsNext(state, message.phase);
            Withdraw(rank);
            if (isNext)
            {
                Call(rank);
            }
        }
    }

    /** It is only for some operations, or while it is not idle. */
    void TakeLimit(RankId rank, const OpusMessage& message)
    {
        Rank& state = m_ranks.at(rank);
        const bool leave = message.until == UINT64_MAX;
        const auto held = state.holds.find(message.phase);
        if (held == state.holds.end())
        {
            const auto early = state.recalls.try_emplace(message.phase, FakeHold());
            FakeHold& recall = early.first->second;
            recall.until = early.second ? message.until : std::min(recall.until, message.until);
            recall.leave = recall.leave || leave;
            recall.ask = message.plan;
            return;
        }
        FakeHold& hold = held->second;
        hold.until = std::min(hold.until, message.until);
        hold.leave = hold.leave || (leave && hold.ask == message.plan);
        const bool isIdle = !(state.with == message.phase);
        const bool isOver = hold.used && hold.through >= hold.until;
        if (isIdle ? hold.leave || isOver : state.program.front().operation > hold.until)
        {
            Interrupt(rank, message.phase);
        }
    }

    /** Gives something back, under way or not; what was under way is called anew. */
    void Interrupt(RankId rank, const OpusPhase& phase)
    {
        Rank& state = m_ranks.at(rank);
        const bool isUnderWay = state.with == phase;
        if (isUnderWay)
        {
            const OpusPhase operation = state.program.front();
            m_switches.EndTraffic(operation, rank);
            state.with.reset();
            ++state.run;
            if (HaveAllBegun(operation) || Count(m_done, operation) > 0)
            {
                m_torn.insert(operation);
            }
            else
            {
                m_begun[operation].erase(rank);
            }
        }
        GiveBack(rank, phase);
        if (isUnderWay)
        {
            Call(rank);
        }
    }

    void ExpectInTime(const Rank& state) const
    {
        // a phase may be complete, lose a guess and be complete again before it is answered
        EXPECT_LE(m_now - state.since,
                  2 * (m_limits.votes + m_limits.ports + m_limits.program) + 1000 * MICROSECOND);
    }

    bool HaveAllBegun(const OpusPhase& operation) const
    {
        return Count(m_begun, operation) == PhaseVotes(m_pairs.at(operation)).GetRanks().size();
    }

    void Begin(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        const OpusPhase operation = state.program.front();
        state.with = state.FindHold(operation, m_pairs);
        ASSERT_TRUE(state.with) << "the grant does not cover what it was asked for";
        ExpectInTime(state);
        EXPECT_EQ(m_done[operation].count(rank), 0) << "granted twice";
        m_switches.BeginTraffic(operation, rank, state.holds.at(*state.with).circuits);
        ++state.run;
        const bool hadAll = HaveAllBegun(operation);
        m_begun[operation].insert(rank);
        for (const RankId one : PhaseVotes(m_pairs.at(operation)).GetRanks())
        {
            const Rank& other = m_ranks.at(one);
            const bool isIn = other.with && other.program.front() == operation;
            const bool ends = HaveAllBegun(operation) && (one == rank || !hadAll);
            if (isIn && (ends || (one == rank && m_senders.at(operation) == rank)))
            {
                const uint64_t run = other.run;
                At(Draw(100 * MICROSECOND), [this, one, run] { End(one, run); });
            }
        }
        Guess(rank, 1, m_guesses / 2);
    }

    void End(RankId rank, uint64_t run)
    {
        Rank& state = m_ranks.at(rank);
        if (state.run != run)
        {
            return; // it was interrupted, or it was a sender's and is over
        }
        const OpusPhase operation = state.program.front();
        const OpusPhase phase = *state.with;
        FakeHold& hold = state.holds.at(phase);
        m_switches.EndTraffic(operation, rank);
        m_done[operation].insert(rank);
        if (!HaveAllBegun(operation))
        {
            m_torn.insert(operation); // it sent what others may never take
        }
        hold.used = true;
        hold.through = operation.operation;
        state.with.reset();
        ++state.run;
        if (hold.through >= hold.until || hold.leave || state.asked)
        {
            GiveBack(rank, phase);
        }
        Next(rank);
    }

    /** Asks in advance for one of the next operations. */
    void Guess(RankId rank, std::size_t first, uint32_t chance)
    {
        Rank& state = m_ranks.at(rank);
        if (state.asked || state.program.size() <= first || !Chance(chance))
        {
            return;
        }
        const std::size_t others = state.program.size() - first;
        const std::size_t place = Chance(m_faults.wrongGuesses) ? m_random() % others : 0;
        const OpusPhase guess = state.program[first + place];
        if (!state.FindHold(guess, m_pairs) && state.holds.count(guess) == 0)
        {
            state.asked = guess;
            GiveBackIdle(rank);
            Ask(rank, true);
        }
    }

    /** Guesses what comes next, and computes until it does. */
    void Next(RankId rank)
    {
        Rank& state = m_ranks.at(rank);
        state.program.pop_front();
        state.called = false;
        Guess(rank, 0, m_guesses);
        At(Draw(100 * MICROSECOND), [this, rank] { Call(rank); });
    }

    uint32_t m_guesses;
    ControllerLimits m_limits;
    std::map<RankId, Rank> m_ranks;
    std::map<ServerId, uint32_t> m_terms; //!< that each has heard of
    std::map<OpusPhase, std::vector<JoinedRanks>> m_pairs;
    std::map<OpusPhase, std::optional<RankId>> m_senders;
    std::map<OpusPhase, std::set<RankId>> m_begun; //!< or done
    std::map<OpusPhase, std::set<RankId>> m_done;
    std::map<OpusPhase, std::set<RankId>> m_refused;
    std::set<OpusPhase> m_torn; //!< some may be through with it though others never are
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H */
