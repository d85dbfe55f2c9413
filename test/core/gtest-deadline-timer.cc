/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Timers that leave no events in the queue. Each case is a process of its own: ns-3's resolution
// and simulator belong to the process.

#include "ns3/deadline-timer.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/saturating-sum.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/** Something that has a deadline. */
class Owner
{
  public:
    Owner()
        : timer(std::make_unique<DeadlineTimer>(MakeCallback(&Owner::Expired, this)))
    {
    }

    /** Sets the deadline. */
    void Set(Picoseconds when)
    {
        deadline = when;
        timer->Set(when);
    }

    /** Sets it at an instant, in a context. */
    void SetAt(Picoseconds at, Picoseconds when, uint32_t context = 7)
    {
        Simulator::ScheduleWithContext(context, ToTime(at), &Owner::Set, this, when);
    }

    void Expired()
    {
        calls.push_back(NowPicoseconds());
        contexts.push_back(Simulator::GetContext());
        if (destroys)
        {
            timer.reset();
        }
        else if (deadline > NowPicoseconds())
        {
            timer->Set(deadline); // it was put off
        }
    }

    std::unique_ptr<DeadlineTimer> timer;
    Picoseconds deadline{NEVER};
    bool destroys{false};
    std::vector<Picoseconds> calls;
    std::vector<uint32_t> contexts;
};

/** Runs to the end, and ends the process well if something holds then. */
void
RunAndExitIf(const std::function<bool()>& holds)
{
    Simulator::Run();
    const bool good = holds();
    Simulator::Destroy();
    std::_Exit(good ? 0 : 1);
}

/** A case in a process. */
void
Expect(const std::function<bool(std::deque<Owner>&)>& holds,
       const std::function<void(std::deque<Owner>&)>& prepare)
{
    EXPECT_EXIT(
        {
            UsePicoseconds();
            std::deque<Owner> owners(3);
            prepare(owners);
            RunAndExitIf([&] { return holds(owners); });
        },
        testing::ExitedWithCode(0),
        "");
}

} // namespace

TEST(SaturatingSum, EndsAtNever)
{
    static_assert(AddSaturating(2, 3) == 5);
    static_assert(AddSaturating(NEVER - 3, 3) == NEVER);
    static_assert(AddSaturating(NEVER - 2, 3) == NEVER);
    static_assert(AddSaturating(NEVER, NEVER) == NEVER);
    static_assert(AddSaturating(ALWAYS_BEFORE, NEVER) == -1);
    static_assert(MultiplySaturating(2, 3) == 6);
    static_assert(MultiplySaturating(NEVER, 1) == NEVER);
    static_assert(MultiplySaturating(NEVER / 2 + 1, 2) == NEVER);
}

TEST(DeadlineTimerDeathTest, CallsItsOwnerInTheContextInWhichItWasSet)
{
    Expect(
        [](auto& owners) {
            return owners[0].calls == std::vector<Picoseconds>{50} &&
                   owners[0].contexts == std::vector<uint32_t>{7} &&
                   owners[1].calls == std::vector<Picoseconds>{50} &&
                   owners[1].contexts == std::vector<uint32_t>{8} && NowPicoseconds() == 50;
        },
        [](auto& owners) {
            owners[0].SetAt(10, 50, 7);
            owners[1].SetAt(20, 50, 8);
        });
}

TEST(DeadlineTimerDeathTest, WhatIsLiftedDoesNotProlongARun)
{
    Expect([](auto& owners) { return owners[0].calls.empty() && NowPicoseconds() == 30; },
           [](auto& owners) {
               owners[0].SetAt(10, 1'000'000);
               owners[1].SetAt(20, 500); // an event before
               owners[0].SetAt(25, NEVER);
               owners[1].SetAt(30, NEVER);
           });
}

TEST(DeadlineTimerDeathTest, WhatIsPutOffComesThen)
{
    Expect(
        [](auto& owners) {
            return !owners[0].calls.empty() && owners[0].calls.back() == 900 &&
                   NowPicoseconds() == 900;
        },
        [](auto& owners) {
            owners[0].SetAt(10, 50);
            owners[0].SetAt(20, 900);
        });
}

TEST(DeadlineTimerDeathTest, WhatIsBroughtForwardComesThen)
{
    Expect(
        [](auto& owners) {
            return owners[0].calls == std::vector<Picoseconds>{60} && NowPicoseconds() == 60;
        },
        [](auto& owners) {
            owners[0].SetAt(10, 900);
            owners[0].SetAt(20, 60);
        });
}

TEST(DeadlineTimerDeathTest, AnEntryOfThePastIsNoDeadline)
{
    Expect(
        [](auto& owners) {
            return owners[0].calls == std::vector<Picoseconds>{300} && NowPicoseconds() == 300;
        },
        [](auto& owners) {
            owners[0].SetAt(10, 50);
            owners[0].SetAt(20, NEVER);
            owners[0].SetAt(100, 300); // 50 is over, and no event was there
        });
}

TEST(DeadlineTimerDeathTest, AnOwnerMayDestroyItsTimer)
{
    Expect(
        [](auto& owners) {
            return owners[0].calls == std::vector<Picoseconds>{50} &&
                   owners[1].calls == std::vector<Picoseconds>{70};
        },
        [](auto& owners) {
            owners[0].destroys = true;
            owners[0].SetAt(10, 50);
            owners[1].SetAt(10, 70);
        });
}

TEST(DeadlineTimerDeathTest, ASimulationDoesNotKnowTimersOfTheOneBefore)
{
    EXPECT_EXIT(
        {
            UsePicoseconds();
            Owner owner;
            owner.Set(1'000'000);
            Simulator::Stop(PicoSeconds(10));
            Simulator::Run();
            Simulator::Destroy();
            Owner other;
            other.SetAt(1, 5);
            RunAndExitIf([&] {
                return owner.calls.empty() && other.calls == std::vector<Picoseconds>{5} &&
                       NowPicoseconds() == 5;
            });
        },
        testing::ExitedWithCode(0),
        "");
}
