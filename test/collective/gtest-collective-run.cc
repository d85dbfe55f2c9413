/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs of all ranks of a group, over a toy network that keeps the order of each path and no other.
// The test computes the content of each message from the schedule alone, with sets of
// contributions.

#include "ns3/algorithm-samples.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-run.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <tuple>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;
using Wires = CollectiveTransfer::Wires;
using Set = uint32_t; //!< a bit a rank

/** The messages of a chunk: at least one, and all full but the last. */
std::vector<uint64_t>
CutIntoMessages(uint64_t bytes, uint64_t most)
{
    std::vector<uint64_t> sizes;
    for (; bytes > most; bytes -= most)
    {
        sizes.push_back(most);
    }
    sizes.push_back(bytes);
    return sizes;
}

/** @return the contributions that a rank has to a chunk in the beginning */
Set
BeforeOf(const CollectiveParameters& parameters, const CollectiveChunk& chunk, uint32_t rank)
{
    const Set own = Set{1} << rank;
    switch (parameters.kind)
    {
    case Kind::ALL_REDUCE:
    case Kind::REDUCE_SCATTER:
    case Kind::REDUCE:
    case Kind::BARRIER:
        return own;
    case Kind::BROADCAST:
        return rank == parameters.root ? own : 0;
    case Kind::SEND_RECV:
        return rank == 0 ? own : 0;
    default:
        return rank == chunk.home ? own : 0;
    }
}

/** @return the contributions that a rank must have to a chunk in the end; 0: any */
Set
AfterOf(const CollectiveParameters& parameters, const CollectiveChunk& chunk, uint32_t rank)
{
    const Set all = (Set{1} << parameters.ranks) - 1;
    switch (parameters.kind)
    {
    case Kind::ALL_REDUCE:
    case Kind::BARRIER:
        return all;
    case Kind::REDUCE_SCATTER:
        return rank == chunk.home ? all : 0;
    case Kind::REDUCE:
        return rank == parameters.root ? all : 0;
    case Kind::BROADCAST:
        return Set{1} << parameters.root;
    case Kind::SEND_RECV:
        return 1;
    case Kind::ALL_GATHER:
        return Set{1} << chunk.home;
    default:
        return rank == chunk.to ? Set{1} << chunk.home : 0;
    }
}

/** The runs of all ranks, the network, and the contents of all buffers. */
class ToyJob : public CollectiveRun::Owner
{
  public:
    ToyJob(std::shared_ptr<const CollectiveSchedule> schedule,
           uint64_t buffer,
           uint64_t messageSize,
           uint64_t seed)
        : m_schedule(std::move(schedule)),
          m_buffer(buffer),
          m_messageSize(messageSize),
          m_random(seed)
    {
        const uint32_t n = m_schedule->GetParameters().ranks;
        const auto& transfers = m_schedule->GetTransfers();
        m_stageOf.resize(m_schedule->GetRounds());
        for (uint32_t s = 0; s < m_schedule->GetStages().size(); ++s)
        {
            const CollectiveSchedule::Stage& stage = m_schedule->GetStages()[s];
            std::fill(m_stageOf.begin() + stage.firstRound,
                      m_stageOf.begin() + stage.lastRound + 1,
                      s);
        }
        m_ranks.resize(n);
        m_bringing.resize(n * m_schedule->GetChunks().size());
        for (uint32_t t = 0; t < transfers.size(); ++t)
        {
            const CollectiveTransfer& it = transfers[t];
            m_bringing[it.to * m_schedule->GetChunks().size() + it.chunk].push_back(t);
            Way& way = WayOf(it.from, it.to, it.channel);
            EXPECT_TRUE(way.messages.empty() || way.wires == it.wires) << "one kind of wires a way";
            way.wires = it.wires;
            const auto sizes =
                CutIntoMessages(m_schedule->GetBytes(it.chunk, m_buffer), m_messageSize);
            m_arrived.emplace_back(sizes.size());
            for (uint32_t p = 0; p < sizes.size(); ++p)
            {
                way.messages.push_back({t, p, sizes[p]});
                for (const uint32_t rank : {it.from, it.to})
                {
                    ++m_ranks[rank].left[m_stageOf[it.round]];
                }
                ++m_ranks[it.from].messagesOut;
                m_ranks[it.from].bytesOut += sizes[p];
                ++m_ranks[it.to].messagesIn;
                m_ranks[it.to].bytesIn += sizes[p];
            }
        }
        for (uint32_t r = 0; r < n; ++r)
        {
            m_ranks[r].run = std::make_unique<CollectiveRun>(RankSchedule::Get(m_schedule, r),
                                                             buffer,
                                                             messageSize,
                                                             *this);
            m_rankOf[m_ranks[r].run.get()] = r;
            m_todo.push_back({What::START, r, 0, nullptr, 0});
            for (const uint32_t stage : m_ranks[r].run->GetPart().stages)
            {
                m_todo.push_back({What::OPEN, r, stage, nullptr, 0});
            }
        }
    }

    /** A rank's stages stay closed. @param rank which */
    void KeepClosed(uint32_t rank)
    {
        m_todo.erase(std::remove_if(m_todo.begin(),
                                    m_todo.end(),
                                    [rank](const Todo& one) {
                                        return one.what == What::OPEN && one.rank == rank;
                                    }),
                     m_todo.end());
    }

    /** Takes possible steps in random order, until none is left. */
    void Run()
    {
        while (!m_todo.empty())
        {
            const std::size_t place = m_random() % m_todo.size();
            const Todo one = m_todo[place];
            Rank& rank = m_ranks[one.rank];
            if (one.what == What::DELIVER && !rank.started)
            {
                continue; // starts are among them, and each is chosen in the end
            }
            m_todo[place] = m_todo.back();
            m_todo.pop_back();
            switch (one.what)
            {
            case What::START:
                rank.started = true;
                rank.run->Start();
                break;
            case What::OPEN:
                rank.open[one.stage] = true;
                rank.run->OpenStage(one.stage);
                break;
            case What::DELIVER:
                Deliver(*one.way, one.rank);
                break;
            case What::SETTLE:
                Settle(*one.way, one.ordinal, one.rank);
                break;
            }
            if (m_random() % 256 == 0)
            {
                CheckMissing(one.rank);
            }
        }
    }

    /** @return a rank's run */
    CollectiveRun& GetRun(uint32_t rank)
    {
        return *m_ranks[rank].run;
    }

    /** All is over, and every rank has what the kind promises. */
    void CheckEnd()
    {
        for (uint32_t r = 0; r < m_ranks.size(); ++r)
        {
            const Rank& rank = m_ranks[r];
            ASSERT_TRUE(rank.run->IsOver()) << "rank " << r;
            EXPECT_EQ(rank.run->GetMessagesSent(), rank.messagesOut);
            EXPECT_EQ(rank.run->GetBytesSent(), rank.bytesOut);
            EXPECT_EQ(rank.run->GetBytesSent(), m_schedule->GetBytesSent(r, m_buffer));
            EXPECT_EQ(rank.run->GetMessagesReceived(), rank.messagesIn);
            EXPECT_EQ(rank.run->GetBytesReceived(), rank.bytesIn);
            EXPECT_EQ(rank.run->GetUnsettled(), 0U);
            EXPECT_EQ(rank.run->GetWaiting(), 0U);
            EXPECT_TRUE(rank.run->GetMissing().empty());
            for (uint32_t c = 0; c < m_schedule->GetChunks().size(); ++c)
            {
                const CollectiveChunk& chunk = m_schedule->GetChunks()[c];
                const Set due = AfterOf(m_schedule->GetParameters(), chunk, r);
                const auto pieces =
                    CutIntoMessages(m_schedule->GetBytes(c, m_buffer), m_messageSize).size();
                for (uint32_t p = 0; due != 0 && p < pieces; ++p)
                {
                    const auto arrivals = BringingTo(r, c).size();
                    ASSERT_EQ(WhatIs(r, c, p, arrivals), due) << "chunk " << c << " at rank " << r;
                }
            }
        }
    }

    /** The missing data of one rank, from the list of data to receive. */
    void CheckMissing(uint32_t rank)
    {
        std::map<std::pair<uint32_t, uint16_t>, std::tuple<uint32_t, uint32_t, uint64_t>> due;
        for (const auto& [key, way] : m_ways)
        {
            if (std::get<1>(key) == rank && way.delivered < way.messages.size())
            {
                const uint32_t transfer = way.messages[way.delivered].transfer;
                due[{std::get<0>(key), std::get<2>(key)}] = {
                    way.delivered,
                    m_schedule->GetTransfers()[transfer].chunk,
                    way.messages.size() - std::count(way.came.begin(), way.came.end(), true)};
            }
        }
        const auto missing = m_ranks[rank].run->GetMissing();
        EXPECT_EQ(missing.size(), due.size());
        for (const CollectiveRun::Missing& one : missing)
        {
            const auto found = due.find({one.peer, one.channel});
            ASSERT_NE(found, due.end());
            EXPECT_EQ(found->second, std::make_tuple(one.ordinal, one.chunk, one.messages));
        }
    }

    void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override
    {
        const uint32_t rank = m_rankOf.at(&run);
        const auto found = m_ways.find({rank, message.peer, message.channel});
        ASSERT_NE(found, m_ways.end());
        Way& way = found->second;
        ASSERT_LT(message.ordinal, way.messages.size());
        const Piece& piece = way.messages[message.ordinal];
        const CollectiveTransfer& it = m_schedule->GetTransfers()[piece.transfer];
        EXPECT_EQ(message.bytes, piece.bytes);
        EXPECT_EQ(message.wires, it.wires);
        EXPECT_EQ(message.stage, m_stageOf[it.round]);
        EXPECT_TRUE(m_ranks[rank].started);
        EXPECT_TRUE(it.wires == Wires::SCALE_UP || m_ranks[rank].open[message.stage])
            << "a closed stage sends nothing on the rail";
        const Set what = WhatIs(rank, it.chunk, piece.index, it.needs);
        EXPECT_NE(what, 0U) << "rank " << rank << " sends what it has not got";
        way.inFlight.emplace_back(message.ordinal, what);
        m_todo.push_back({What::DELIVER, message.peer, 0, &way, 0});
    }

  private:
    /** A message. */
    struct Piece
    {
        uint32_t transfer;
        uint32_t index; //!< of the chunk's messages
        uint64_t bytes;
    };

    /** From a rank to another, on a channel. */
    struct Way
    {
        uint32_t from{0};
        uint32_t to{0};
        uint16_t channel{0};
        Wires wires{Wires::RAIL};
        std::vector<Piece> messages; //!< all that will go, in order of the schedule
        std::deque<std::pair<uint32_t, Set>> inFlight;
        std::vector<bool> came;
        uint32_t delivered{0}; //!< the first that has not come
    };

    struct Rank
    {
        std::unique_ptr<CollectiveRun> run;
        bool started{false};
        std::map<uint32_t, bool> open;     //!< by stage
        std::map<uint32_t, uint64_t> left; //!< by stage: to come or to be settled
        uint64_t messagesOut{0};
        uint64_t bytesOut{0};
        uint64_t messagesIn{0};
        uint64_t bytesIn{0};
    };

    enum class What
    {
        START,
        OPEN,
        DELIVER,
        SETTLE
    };

    struct Todo
    {
        What what;
        uint32_t rank;
        uint32_t stage;
        Way* way;
        uint32_t ordinal;
    };

    Way& WayOf(uint32_t from, uint32_t to, uint16_t channel)
    {
        Way& way = m_ways[{from, to, channel}];
        way.from = from;
        way.to = to;
        way.channel = channel;
        return way;
    }

    const std::vector<uint32_t>& BringingTo(uint32_t rank, uint32_t chunk) const
    {
        return m_bringing[rank * m_schedule->GetChunks().size() + chunk];
    }

    /** @return the content of a piece of a chunk after so many arrivals; they must have come */
    Set WhatIs(uint32_t rank, uint32_t chunk, uint32_t piece, uint64_t arrivals) const
    {
        Set set = BeforeOf(m_schedule->GetParameters(), m_schedule->GetChunks()[chunk], rank);
        for (uint64_t a = 0; a < arrivals; ++a)
        {
            const uint32_t t = BringingTo(rank, chunk)[a];
            const Set came = m_arrived[t][piece];
            EXPECT_NE(came, 0U) << "arrival " << a << " of chunk " << chunk << " at rank " << rank
                                << " has not come";
            const bool reduces =
                m_schedule->GetTransfers()[t].action == CollectiveTransfer::Action::REDUCE;
            // a contribution that has arrived may arrive twice
            EXPECT_TRUE(!reduces || (set & came) == 0 ||
                        m_schedule->GetParameters().kind == Kind::BARRIER)
                << "added twice";
            set = reduces ? set | came : came;
        }
        return set;
    }

    void CountDown(uint32_t rank, uint32_t stage)
    {
        const uint64_t left = --m_ranks[rank].left[stage];
        EXPECT_EQ(m_ranks[rank].run->IsStageOver(stage), left == 0);
    }

    void Deliver(Way& way, uint32_t rank)
    {
        const auto [ordinal, what] = way.inFlight.front();
        way.inFlight.pop_front();
        const Piece& piece = way.messages[ordinal];
        m_arrived[piece.transfer][piece.index] = what;
        way.came.resize(way.messages.size());
        way.came[ordinal] = true;
        // chunks that are ready go ahead of those that are not
        while (way.delivered < way.came.size() && way.came[way.delivered])
        {
            ++way.delivered;
        }
        ASSERT_EQ(m_ranks[rank].run->Arrived(way.from, way.channel, ordinal, piece.bytes), "");
        CountDown(rank, m_stageOf[m_schedule->GetTransfers()[piece.transfer].round]);
        m_todo.push_back({What::SETTLE, way.from, 0, &way, ordinal});
    }

    void Settle(const Way& way, uint32_t ordinal, uint32_t rank)
    {
        m_ranks[rank].run->Settled(way.to, way.channel, ordinal);
        const CollectiveTransfer& it = m_schedule->GetTransfers()[way.messages[ordinal].transfer];
        CountDown(rank, m_stageOf[it.round]);
    }

    std::shared_ptr<const CollectiveSchedule> m_schedule;
    uint64_t m_buffer;
    uint64_t m_messageSize;
    std::mt19937_64 m_random;
    std::vector<uint32_t> m_stageOf; //!< by round
    std::vector<Rank> m_ranks;
    std::map<const CollectiveRun*, uint32_t> m_rankOf;
    std::map<std::tuple<uint32_t, uint32_t, uint16_t>, Way> m_ways;
    std::vector<std::vector<uint32_t>> m_bringing; //!< by rank and chunk: transfers
    std::vector<std::vector<Set>> m_arrived;       //!< by transfer and piece; 0: not yet
    std::vector<Todo> m_todo;
};

/** @return parameters of a group of four for a ring that goes one way, on one channel */
CollectiveParameters
RingOfFour(Kind kind)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    parameters.ranks = 4;
    return parameters;
}

} // namespace

TEST(CollectiveRun, EveryAlgorithmEndsAndEveryRankHasWhatItsKindPromises)
{
    uint64_t seed = 0;
    for (const Kind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            for (const uint32_t n : {2, 3, 4, 5, 8, 16})
            {
                for (const CollectiveParameters& parameters : MakeSamples(kind, n))
                {
                    if (!algorithm->GetWhyNot(parameters).empty())
                    {
                        continue;
                    }
                    const auto schedule =
                        CollectiveAlgorithm::GetSchedule(algorithm->name, parameters);
                    const bool small = schedule->GetTransfers().size() <= 400;
                    // nothing, a byte, shares that differ by a byte, some messages a chunk
                    std::vector<std::pair<uint64_t, uint64_t>> sizes{{1'000'003, 400'000}};
                    if (small)
                    {
                        sizes.insert(sizes.end(), {{0, 1000}, {1, 1}, {n * 4 * 3 - 1, 1}});
                    }
                    for (const auto& [buffer, messageSize] : sizes)
                    {
                        SCOPED_TRACE(algorithm->name + ", " + parameters.GetKey() + ", buffer " +
                                     std::to_string(buffer));
                        ToyJob job(schedule, buffer, messageSize, ++seed);
                        job.Run();
                        job.CheckEnd();
                        if (::testing::Test::HasFailure())
                        {
                            return; // one failure is enough
                        }
                    }
                }
            }
        }
    }
}

TEST(CollectiveRun, ALargeBufferGoesInMessagesThatOvertakeNone)
{
    for (const Kind kind : {Kind::ALL_REDUCE, Kind::ALL_GATHER, Kind::REDUCE_SCATTER})
    {
        // shares of 256 GiB, in messages of 4 GiB and a last one of what is left
        const uint64_t buffer = (uint64_t{1} << 40) + 3;
        ToyJob job(CollectiveAlgorithm::GetSchedule("ring", RingOfFour(kind)),
                   buffer,
                   uint64_t{1} << 32,
                   7);
        job.Run();
        job.CheckEnd();
    }
}

TEST(CollectiveRun, WhatOneRankHoldsBackAllRanksMiss)
{
    ToyJob job(CollectiveAlgorithm::GetSchedule("ring", RingOfFour(Kind::ALL_GATHER)),
               4000,
               1000,
               1);
    job.KeepClosed(2);
    job.Run();
    // rank 0 has all data, and would pass on its own share and two others
    EXPECT_EQ(job.GetRun(2).GetMessagesSent(), 0U);
    EXPECT_EQ(job.GetRun(2).GetBytesSent(), 0U);
    EXPECT_EQ(job.GetRun(2).GetWaiting(), 3U);
    EXPECT_TRUE(job.GetRun(2).GetMissing().empty());
    for (const uint32_t rank : {0, 1, 2, 3})
    {
        EXPECT_FALSE(job.GetRun(rank).IsOver());
        EXPECT_FALSE(job.GetRun(rank).IsStageOver(0));
        job.CheckMissing(rank);
    }
    // rank 3 has received nothing, and passes on its own share only; rank 1 lacks that of rank 2
    const auto missing = job.GetRun(3).GetMissing();
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].peer, 2U);
    EXPECT_EQ(missing[0].messages, 3U);
    EXPECT_EQ(job.GetRun(0).GetMissing().at(0).messages, 2U);
    EXPECT_EQ(job.GetRun(1).GetMissing().at(0).messages, 1U);
    EXPECT_EQ(job.GetRun(0).GetUnsettled(), 0U);
}

TEST(CollectiveRun, BytesOfAStageAreThoseOnTheRail)
{
    CollectiveParameters parameters = RingOfFour(Kind::ALL_GATHER);
    parameters.ranks = 8;
    parameters.perServer = 4;
    const auto schedule = CollectiveAlgorithm::GetSchedule("hierarchical", parameters);
    ToyJob job(schedule, 8000, 1000, 1);
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (uint32_t s = 0; s < schedule->GetStages().size(); ++s)
        {
            uint64_t bytes = 0;
            for (const CollectiveTransfer& it : schedule->GetTransfers())
            {
                const CollectiveSchedule::Stage& stage = schedule->GetStages()[s];
                const bool inIt = it.round >= stage.firstRound && it.round <= stage.lastRound;
                bytes += it.from == rank && inIt && it.wires == Wires::RAIL
                             ? schedule->GetBytes(it.chunk, 8000)
                             : 0;
            }
            EXPECT_EQ(job.GetRun(rank).GetBytesOut(s), bytes);
        }
        EXPECT_GT(schedule->GetBytesSent(rank, 8000), job.GetRun(rank).GetBytesOut(0));
    }
}

namespace
{

/** A transport that sends nothing. */
struct Silence : public CollectiveRun::Owner
{
    void SendMessage(CollectiveRun&, const CollectiveRun::Message&) override
    {
        ++messages;
    }

    uint64_t messages{0};
};

} // namespace

TEST(CollectiveRun, RefusesWhatItDoesNotExpectAndNamesIt)
{
    Silence silence;
    const auto schedule = CollectiveAlgorithm::GetSchedule("ring", RingOfFour(Kind::ALL_GATHER));
    CollectiveRun run(RankSchedule::Get(schedule, 1), 4 * 2500, 1000, silence);
    run.OpenStage(0);
    run.Start();
    EXPECT_EQ(silence.messages, 3U); // its own share, in 1000, 1000 and 500
    EXPECT_EQ(run.Arrived(0, 0, 0, 1000), "");
    EXPECT_EQ(silence.messages, 4U) << "it goes on by itself";

    struct Wrong
    {
        const char* what;
        uint32_t peer;
        uint16_t channel;
        uint32_t ordinal;
        uint64_t bytes;
    };

    for (const Wrong& wrong : {Wrong{"a second time", 0, 0, 0, 1000},
                               Wrong{"from a rank that sends nothing", 2, 0, 1, 1000},
                               Wrong{"from a rank that there is not", 9, 0, 1, 1000},
                               Wrong{"from itself", 1, 0, 1, 1000},
                               Wrong{"on another channel", 0, 1, 1, 1000},
                               Wrong{"one beyond the end", 0, 0, 9, 1000},
                               Wrong{"far beyond the end", 0, 0, 0xffffffff, 1000},
                               Wrong{"too small", 0, 0, 1, 999},
                               Wrong{"too large", 0, 0, 1, 1001},
                               Wrong{"the last of a chunk at full size", 0, 0, 2, 1000},
                               Wrong{"nothing", 0, 0, 1, 0}})
    {
        const std::string why = run.Arrived(wrong.peer, wrong.channel, wrong.ordinal, wrong.bytes);
        for (const std::string& word : {"number " + std::to_string(wrong.ordinal) + " of " +
                                            std::to_string(wrong.bytes) + " bytes",
                                        "channel " + std::to_string(wrong.channel),
                                        "place " + std::to_string(wrong.peer),
                                        std::string("bytes, algorithm, protocol or message size")})
        {
            EXPECT_NE(why.find(word), std::string::npos) << wrong.what << ": " << why;
        }
        EXPECT_EQ(run.GetMessagesReceived(), 1U) << wrong.what;
        EXPECT_EQ(run.GetBytesReceived(), 1000U) << wrong.what;
        EXPECT_EQ(silence.messages, 4U) << wrong.what;
    }
    // none of them has changed anything
    for (uint32_t ordinal = 1; ordinal < 9; ++ordinal)
    {
        EXPECT_EQ(run.Arrived(0, 0, ordinal, ordinal % 3 == 2 ? 500 : 1000), "");
    }
    EXPECT_TRUE(run.GetMissing().empty());
    EXPECT_FALSE(run.IsOver()) << "nothing is settled";
    EXPECT_EQ(run.GetUnsettled(), 9U);
    for (uint32_t ordinal = 0; ordinal < 9; ++ordinal)
    {
        run.Settled(2, 0, ordinal);
    }
    EXPECT_TRUE(run.IsOver());
}

TEST(CollectiveRun, BeforeItStartsAllIsMissingAndWhatComesIsKept)
{
    Silence silence;
    const auto schedule = CollectiveAlgorithm::GetSchedule("ring", RingOfFour(Kind::ALL_GATHER));
    CollectiveRun run(RankSchedule::Get(schedule, 1), 4 * 2500, 1000, silence);
    ASSERT_EQ(run.GetMissing().size(), 1U) << "it receives from one rank";
    EXPECT_EQ(run.GetMissing()[0].messages, 9U);
    EXPECT_EQ(run.Arrived(0, 0, 0, 1000), "");
    EXPECT_NE(run.Arrived(0, 0, 0, 1000), "") << "a second time";
    EXPECT_EQ(run.GetMissing()[0].messages, 8U);
    EXPECT_EQ(run.GetMissing()[0].ordinal, 1U);
    run.Start();
    EXPECT_EQ(silence.messages, 0U) << "there is no circuit";
    run.OpenStage(0);
    EXPECT_EQ(silence.messages, 4U) << "its own share of 3, and what has come";
}
