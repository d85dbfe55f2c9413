/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-memo-bench.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <sstream>

namespace ns3
{

namespace
{

constexpr Picoseconds MICROSECOND = 1'000'000;

/** Random numbers, the same with every library. */
class MemoDice
{
  public:
    explicit MemoDice(uint64_t seed)
        : m_random(seed)
    {
    }

    /** @return a number below a limit */
    uint64_t Draw(uint64_t below)
    {
        return m_random() % below;
    }

    /** @return one of some values */
    template <typename... Values>
    uint64_t DrawOf(Values... values)
    {
        const std::vector<uint64_t> all{static_cast<uint64_t>(values)...};
        return all[Draw(all.size())];
    }

  private:
    std::mt19937_64 m_random;
};

} // namespace

MemoDraw::MemoDraw(uint64_t theSeed)
    : seed(theSeed)
{
    MemoDice dice(theSeed);
    ranks = 2 + dice.Draw(5);
    ports = dice.DrawOf(2, 2, 4);
    messageSize = dice.DrawOf(16384, 65536, 1 << 20);
    ackEvery = dice.DrawOf(1, 8, 64, 64);
    answersFirst = theSeed % 4 != 0;
    reconfigures = dice.Draw(4) == 0;
    grantsLate = !reconfigures && theSeed % 5 == 3;
    const CollectiveKind kinds[]{CollectiveKind::ALL_REDUCE,
                                 CollectiveKind::ALL_GATHER,
                                 CollectiveKind::REDUCE_SCATTER,
                                 CollectiveKind::BROADCAST,
                                 CollectiveKind::ALL_TO_ALL};
    const auto drawSends = [&](MemoStep& step) {
        for (uint32_t r = 0; r < ranks; ++r)
        {
            const uint32_t next = (r + 1) % ranks;
            const uint64_t bytes = dice.DrawOf(100, 16 << 10, 20'000, 1 << 20, 3'000'007);
            const auto wait = [&dice]() -> Picoseconds {
                return dice.DrawOf(0, 0, 1, 700'000, 2 * MICROSECOND, 30 * MICROSECOND);
            };
            const auto draw = [&](uint32_t from, uint32_t to, uint64_t size) {
                step.sends.push_back({from, to, size, wait(), wait()});
                if (dice.Draw(3) == 0)
                {
                    // one more, which joins the first at once, in its midst or as it ends
                    const Picoseconds later = dice.DrawOf(0, 50'000, 10'000'000, 100'000'000) +
                                              static_cast<Picoseconds>(dice.Draw(500'000));
                    step.sends.push_back({from, to, 30'000 + dice.Draw(1 << 20), later, later});
                    step.sends.back().receives = dice.Draw(3) == 0 ? wait() : later;
                }
            };
            const uint64_t ways = r > next && ranks == 2 ? 0 : dice.Draw(5);
            if (ways == 1 || ways > 2)
            {
                draw(r, next, bytes);
            }
            if (ways >= 2)
            {
                draw(next, r, dice.Draw(2) == 0 ? bytes : 50'000);
            }
        }
    };
    std::vector<MemoStep> variants(1 + dice.Draw(3));
    for (MemoStep& step : variants)
    {
        // the first request of an instant gets circuits first, so the order of events counts
        if (dice.Draw(2) == 0 && !reconfigures)
        {
            drawSends(step);
        }
        step.kind = kinds[dice.Draw(std::size(kinds))];
        step.bytes = dice.DrawOf(4, 100'000, 1 << 20, 3'000'007);
        const Picoseconds apart =
            dice.DrawOf(0, 1, 700, MICROSECOND, 10 * MICROSECOND, 60 * MICROSECOND);
        for (uint32_t r = 0; r < ranks; ++r)
        {
            step.compute.push_back(200 * MICROSECOND + dice.Draw(3) * apart);
        }
    }
    const uint64_t count = 6 + dice.Draw(10);
    for (uint64_t i = 0; i < count; ++i)
    {
        MemoStep step = variants[dice.Draw(variants.size())];
        if (dice.Draw(4) == 0)
        {
            step.compute[dice.Draw(ranks)] +=
                dice.DrawOf(1, 1000, MICROSECOND, 20 * MICROSECOND, 0);
        }
        if (!step.sends.empty() && dice.Draw(8) == 0)
        {
            step.sends.erase(step.sends.begin() + dice.Draw(step.sends.size()));
        }
        if (i > 0 && dice.Draw(2) == 0)
        {
            std::fill(step.compute.begin(), step.compute.end(), 0); // it follows at once
        }
        steps.push_back(step);
    }
    for (uint64_t d = dice.Draw(4); d > 0; --d)
    {
        MemoDisturbance its;
        its.what = static_cast<MemoDisturbance::What>(dice.Draw(7));
        its.at = dice.Draw(count * 400) * MICROSECOND + dice.Draw(MICROSECOND);
        its.rank = dice.Draw(ranks);
        its.port = dice.Draw(ports);
        if (dice.Draw(2) == 0)
        {
            // as ranks go from one operation to the next
            its.ends = 1 + dice.Draw(count * ranks);
            its.at = 1 + dice.Draw(3 * MICROSECOND);
        }
        disturbances.push_back(its);
    }
}

std::string
MemoDraw::Describe() const
{
    std::ostringstream words;
    words << "program " << seed << ": " << ranks << " ranks, " << perServer << " a server, "
          << ports << " ports, messages of " << messageSize << ", acknowledgements every "
          << ackEvery << (answersFirst ? "" : ", answers with data")
          << (reconfigures ? ", reconfiguring" : "") << (grantsLate ? ", late grants" : "")
          << (apart ? ", a group for each rail" : "") << (byClock ? ", by the clock" : "")
          << (asOne ? "" : ", servers by messages") << "\n";
    for (const MemoStep& step : steps)
    {
        if (step.sends.empty())
        {
            words << "  " << ToString(step.kind) << " by " << step.algorithm << " " << step.bytes
                  << ":";
        }
        for (const MemoSend& send : step.sends)
        {
            words << "  " << send.from << " to " << send.to << ": " << send.bytes << " at "
                  << send.sends << ", " << send.receives << "\n";
        }
        for (const Picoseconds time : step.compute)
        {
            words << " " << time;
        }
        for (const MemoInside& one : step.inside)
        {
            words << ", inside " << one.bytes << " after " << one.after;
        }
        words << (step.later > 0 ? ", all later" : "");
        words << "\n";
    }
    for (const MemoDisturbance& its : disturbances)
    {
        words << "  disturbance " << its.what << " at " << its.at << " behind " << its.ends
              << " ends, rank " << its.rank << ", port " << its.port << "\n";
    }
    return words.str();
}

MemoDraw
MemoDraw::Of(MemoSort sort, uint64_t theSeed)
{
    return sort == MemoSort::SERVERS ? OfServers(theSeed)
           : sort == MemoSort::RAILS ? OfRails(theSeed)
                                     : MemoDraw(theSeed);
}

MemoDraw
MemoDraw::OfServers(uint64_t theSeed)
{
    MemoDice dice(theSeed);
    MemoDraw drawn(theSeed);
    drawn.perServer = 2 + dice.Draw(3);
    drawn.ranks = drawn.perServer * (2 + dice.Draw(3));
    drawn.ports = dice.DrawOf(2, 2, 4);
    drawn.messageSize = dice.DrawOf(16384, 65536, 1 << 20);
    drawn.asOne = dice.Draw(2) == 0;
    drawn.byClock = dice.Draw(2) == 0;
    drawn.steps.clear();
    drawn.disturbances.clear();
    const uint32_t servers = drawn.ranks / drawn.perServer;
    const CollectiveKind kinds[]{CollectiveKind::ALL_REDUCE,
                                 CollectiveKind::ALL_GATHER,
                                 CollectiveKind::REDUCE_SCATTER,
                                 CollectiveKind::ALL_TO_ALL,
                                 CollectiveKind::ALL_TO_ALL};
    std::vector<MemoStep> variants(1 + dice.Draw(3));
    for (MemoStep& step : variants)
    {
        step.kind = kinds[dice.Draw(5)];
        step.algorithm =
            step.kind == CollectiveKind::ALL_TO_ALL ? "hierarchical-rings" : "hierarchical";
        step.bytes = dice.DrawOf(4, 100'000, 1 << 20, 3'000'007);
        // some ranks begin when messages of others have come
        const Picoseconds apart = dice.DrawOf(0, 1, 700, MICROSECOND, 10 * MICROSECOND);
        for (uint32_t r = 0; r < drawn.ranks; ++r)
        {
            step.compute.push_back(200 * MICROSECOND + dice.Draw(3) * apart);
        }
        for (uint32_t s = 0; s < servers && dice.Draw(3) == 0; ++s)
        {
            step.inside.push_back(
                {dice.DrawOf(0, 1000, 1 << 20),
                 static_cast<Picoseconds>(dice.DrawOf(0, 1, MICROSECOND, 100 * MICROSECOND))});
        }
    }
    const uint64_t count = 6 + dice.Draw(10);
    for (uint64_t i = 0; i < count; ++i)
    {
        MemoStep step = variants[dice.Draw(variants.size())];
        if (dice.Draw(4) == 0)
        {
            step.compute[dice.Draw(drawn.ranks)] +=
                dice.DrawOf(1, 1000, MICROSECOND, 20 * MICROSECOND, 0);
        }
        if (dice.Draw(4) == 0)
        {
            step.inside.clear();
        }
        step.later = step.inside.empty() ? 0 : dice.DrawOf(0, 700, MICROSECOND, 50 * MICROSECOND);
        if (i > 0 && dice.Draw(2) == 0)
        {
            std::fill(step.compute.begin(), step.compute.end(), 0); // it follows at once
        }
        drawn.steps.push_back(step);
    }
    for (uint64_t d = dice.Draw(4); d > 0; --d)
    {
        MemoDisturbance its;
        its.what = static_cast<MemoDisturbance::What>(dice.Draw(9));
        its.at = dice.Draw(count * 400) * MICROSECOND + dice.Draw(MICROSECOND);
        its.rank = dice.Draw(drawn.ranks);
        its.port = dice.Draw(drawn.ports);
        drawn.disturbances.push_back(its);
    }
    return drawn;
}

MemoDraw
MemoDraw::OfRails(uint64_t theSeed)
{
    MemoDice dice(theSeed);
    const MemoDraw one(theSeed);
    MemoDraw drawn = one;
    const uint32_t rails = 2 + dice.Draw(3);
    drawn.apart = true;
    drawn.perServer = rails;
    drawn.ranks = one.ranks * rails;
    for (MemoStep& step : drawn.steps)
    {
        step.sends.clear();
        std::vector<Picoseconds> compute(drawn.ranks);
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const Picoseconds lag =
                dice.DrawOf(0, 0, 0, 0, 0, 1, 700, MICROSECOND, 10 * MICROSECOND);
            for (uint32_t place = 0; place < one.ranks; ++place)
            {
                compute[place * rails + rail] = step.compute[place] + lag;
            }
        }
        if (dice.Draw(4) == 0)
        {
            compute[dice.Draw(drawn.ranks)] += dice.DrawOf(1, 1000, MICROSECOND, 20 * MICROSECOND);
        }
        step.compute = compute;
    }
    for (MemoDisturbance& its : drawn.disturbances)
    {
        its.rank = its.rank * rails + dice.Draw(rails);
    }
    return drawn;
}

} // namespace ns3
