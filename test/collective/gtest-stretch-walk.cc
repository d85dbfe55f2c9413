/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parts of stretches: the instants of all steps of all ranks against those that follow from
// themselves, when each call is set to where the ends of the rank before it are.

#include "ns3/algorithm-choice.h"
#include "ns3/collective-algorithm.h"
#include "ns3/intra-node-plan.h"
#include "ns3/intra-node-run.h"
#include "ns3/stretch-walk.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** A stretch, and the calls of its first step. */
struct Stretch
{
    uint64_t rate{0};
    Picoseconds latency{0};
    StretchSteps steps;
    StretchWalk::Plans plans;
    std::shared_ptr<const IntraNodeRanks> ranks;
    std::vector<Picoseconds> calls;

    IntraNodeRun MakeRun() const
    {
        return IntraNodeRun(ScaleUpClock(rate), latency, calls.size());
    }
};

/** What becomes of it. */
struct Instants
{
    std::vector<std::vector<StretchPart::Span>> spans; //!< by place and step
    std::vector<std::vector<uint64_t>> early;          //!< by place and step
};

std::shared_ptr<const IntraNodePlan>
DrawPlan(std::mt19937_64& draw, uint32_t ranks)
{
    static const std::vector<std::pair<CollectiveKind, std::string>> KINDS{
        {CollectiveKind::ALL_GATHER, "ring"},
        {CollectiveKind::ALL_GATHER, "direct"},
        {CollectiveKind::REDUCE_SCATTER, "ring"},
        {CollectiveKind::ALL_REDUCE, "ring"},
        {CollectiveKind::ALL_TO_ALL, "direct"},
    };
    CollectiveParameters parameters;
    const auto& [kind, algorithm] = KINDS[draw() % KINDS.size()];
    parameters.kind = kind;
    parameters.ranks = parameters.perServer = ranks;
    const uint64_t share = 1 + draw() % 3 * 499;
    return std::make_shared<const IntraNodePlan>(
        *CollectiveAlgorithm::GetSchedule(algorithm, parameters),
        share * ranks,
        draw() % 4 == 0 ? 300 : uint64_t{1} << 40,
        CollectiveProtocol::SIMPLE);
}

/** @return few different instants, so that many are equal, or any */
Picoseconds
DrawSpan(std::mt19937_64& draw)
{
    switch (draw() % 3)
    {
    case 0:
        return 0;
    case 1:
        return draw() % 4 * 500;
    default:
        return draw() % 6000;
    }
}

Stretch
Draw(uint64_t seed)
{
    std::mt19937_64 draw(seed);
    Stretch stretch;
    stretch.rate = draw() % 2 == 0 ? 8'000'000'000'000 : 7'000'000'000'000;
    stretch.latency = 1 + draw() % 3 * 350;
    const uint32_t ranks = 2 + draw() % 8;
    auto all = std::make_shared<IntraNodeRanks>();
    all->group = GroupId(0);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        all->ranks.emplace_back(rank);
        all->members.emplace_back(rank);
        stretch.calls.push_back(DrawSpan(draw));
    }
    stretch.ranks = all;
    const Picoseconds first = *std::min_element(stretch.calls.begin(), stretch.calls.end());
    for (Picoseconds& call : stretch.calls)
    {
        call -= first;
    }
    const std::size_t steps = 1 + draw() % 6;
    for (std::size_t s = 0; s < steps; ++s)
    {
        const bool isCollective = s == 0 || draw() % 3 > 0;
        StretchStep step;
        step.duration = isCollective ? 0 : DrawSpan(draw);
        step.choice = isCollective ? std::make_shared<AlgorithmChoice>() : nullptr;
        stretch.steps.push_back(step);
        stretch.plans.push_back(isCollective ? DrawPlan(draw, ranks) : nullptr);
    }
    return stretch;
}

/** Sets spans to what follows from the ends of operations. @return whether anything changes */
bool
SetCalls(const Stretch& stretch, const std::vector<std::vector<Picoseconds>>& ends, Instants& its)
{
    bool isNew = false;
    for (uint32_t place = 0; place < stretch.calls.size(); ++place)
    {
        Picoseconds at = stretch.calls[place];
        for (std::size_t s = 0; s < stretch.steps.size(); ++s)
        {
            StretchPart::Span& span = its.spans[place][s];
            const Picoseconds end = at == NEVER        ? NEVER
                                    : stretch.plans[s] ? ends[place][s]
                                                       : at + stretch.steps[s].duration;
            isNew = isNew || span.start != at || span.end != end;
            span = {at, end};
            at = end;
        }
    }
    return isNew;
}

/** @return the instants that follow from themselves: each round has some more right */
Instants
FindInstants(const Stretch& stretch)
{
    const std::size_t places = stretch.calls.size();
    const std::size_t steps = stretch.steps.size();
    Instants its;
    its.spans.assign(places, std::vector<StretchPart::Span>(steps, {NEVER, NEVER}));
    its.early.assign(places, std::vector<uint64_t>(steps, 0));
    std::vector<std::vector<Picoseconds>> ends(places, std::vector<Picoseconds>(steps, NEVER));
    while (SetCalls(stretch, ends, its))
    {
        IntraNodeRun run = stretch.MakeRun();
        for (std::size_t s = 0; s < steps; ++s)
        {
            if (stretch.plans[s])
            {
                const uint32_t operation = run.Add(stretch.plans[s], stretch.ranks);
                EXPECT_EQ(operation,
                          std::count_if(stretch.plans.begin(),
                                        stretch.plans.begin() + s,
                                        [](const auto& plan) { return plan != nullptr; }));
                for (std::size_t place = 0; place < places; ++place)
                {
                    const Picoseconds call = its.spans[place][s].start;
                    if (call != NEVER)
                    {
                        run.Call(operation, place, call);
                    }
                }
            }
        }
        run.Finish();
        uint32_t operation = 0;
        for (std::size_t s = 0; s < steps; ++s)
        {
            for (std::size_t place = 0; stretch.plans[s] && place < places; ++place)
            {
                ends[place][s] = run.GetEnd(operation, place);
                its.early[place][s] = run.GetEarly(operation, place);
            }
            operation += stretch.plans[s] ? 1 : 0;
        }
    }
    return its;
}

} // namespace

TEST(StretchWalk, StepsOfRanksFollowFromTheirEnds)
{
    uint32_t apart = 0; // parts of more than one step
    uint32_t split = 0; // stretches that a part does not reach the end of
    for (uint64_t seed = 1; seed <= 3000; ++seed)
    {
        const Stretch stretch = Draw(seed);
        const StretchPart part = StretchWalk(stretch.MakeRun(),
                                             stretch.steps,
                                             stretch.plans,
                                             stretch.ranks,
                                             0,
                                             stretch.calls)
                                     .Go();
        const Instants expected = FindInstants(stretch);
        ASSERT_GE(part.steps, 1U) << "seed " << seed;
        ASSERT_LE(part.steps, stretch.steps.size()) << "seed " << seed;
        Picoseconds last = 0;
        for (uint32_t place = 0; place < stretch.calls.size(); ++place)
        {
            ASSERT_EQ(part.spans[place].size(), part.steps) << "seed " << seed;
            uint64_t early = 0;
            for (std::size_t s = 0; s < part.steps; ++s)
            {
                const StretchPart::Span& span = expected.spans[place][s];
                EXPECT_EQ(part.spans[place][s].start, span.start) << "seed " << seed;
                EXPECT_EQ(part.spans[place][s].end, span.end) << "seed " << seed;
                early = std::max(early, expected.early[place][s]);
                last = stretch.plans[s] ? std::max(last, span.end) : last;
            }
            EXPECT_EQ(part.waited[place], early) << "seed " << seed;
        }
        EXPECT_EQ(part.last, last) << "seed " << seed;
        for (uint32_t place = 0; part.steps < stretch.steps.size() && place < stretch.calls.size();
             ++place)
        {
            EXPECT_GE(expected.spans[place][part.steps].start, last) << "seed " << seed;
        }
        apart += part.steps > 1 ? 1 : 0;
        split += part.steps < stretch.steps.size() ? 1 : 0;
    }
    EXPECT_GT(apart, 500U);
    EXPECT_GT(split, 500U);
}
