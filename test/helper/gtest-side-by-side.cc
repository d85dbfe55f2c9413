/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/side-by-side.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// Processes that run side by side: which of them is a child, how many there are at a time, and the
// result of one that does not end well. Children and the test communicate in shared memory.

using namespace ns3;

namespace
{

constexpr uint32_t LIMIT_S = 30; //!< a process that waits longer hangs

} // namespace

/** A test with a board, which is stopped if it hangs. */
class SideBySideTest : public testing::Test
{
  protected:
    /** The state that all processes share. */
    struct Board
    {
        std::atomic<uint32_t> begun{0};
        std::atomic<uint32_t> running{0};
        std::atomic<uint32_t> most{0}; //!< that ran at once
        std::atomic<uint32_t> order[16]{};
    };

    void SetUp() override
    {
        void* shared =
            mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(shared, MAP_FAILED);
        board = new (shared) Board;
        alarm(LIMIT_S); // children have none: fork() does not hand it on
    }

    void TearDown() override
    {
        alarm(0);
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
        munmap(board, sizeof(Board));
    }

    /** A child has begun. @return as which of all */
    uint32_t Begin(uint32_t name) const
    {
        const uint32_t now = ++board->running;
        uint32_t most = board->most;
        while (now > most && !board->most.compare_exchange_weak(most, now))
        {
        }
        const uint32_t place = board->begun++;
        board->order[place] = name;
        return place;
    }

    /** Waits until so many children have begun. @return whether they have */
    bool WaitForBegun(uint32_t many) const
    {
        for (uint32_t ms = 0; board->begun < many; ++ms)
        {
            if (ms > 1000 * LIMIT_S / 3)
            {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }

    Board* board{nullptr};
};

namespace
{

/** A child that is to die prints nothing on the terminal, and leaves no core. */
void
BeQuiet()
{
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
}

std::string
Succeed(const SideBySide::Progress&)
{
    return "fine";
}

} // namespace

TEST_F(SideBySideTest, OutcomesAreInTheOrderOfAdding)
{
    SideBySide sweep(3);
    for (uint32_t i = 0; i < 7; ++i)
    {
        // the first takes longest, so they end in another order
        sweep.Add("number " + std::to_string(i), [i](const SideBySide::Progress&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(40 - 6 * i));
            return "result " + std::to_string(i);
        });
    }
    const std::vector<SideBySide::Outcome> outcomes = sweep.Run();
    ASSERT_EQ(outcomes.size(), 7U);
    for (uint32_t i = 0; i < 7; ++i)
    {
        EXPECT_EQ(outcomes[i].name, "number " + std::to_string(i));
        EXPECT_EQ(outcomes[i].result, "result " + std::to_string(i));
        EXPECT_EQ(outcomes[i].error, "");
        EXPECT_TRUE(outcomes[i].isOver);
        EXPECT_EQ(outcomes[i].share, 1);
        EXPECT_GE(outcomes[i].seconds, (40 - 6 * i) / 1e3);
    }
}

TEST_F(SideBySideTest, AsManyAtATimeAsConfigured)
{
    for (const uint32_t processes : {1U, 2U, 3U})
    {
        new (board) Board;
        SideBySide sweep(processes);
        EXPECT_EQ(sweep.GetProcesses(), processes);
        for (uint32_t i = 0; i < 6; ++i)
        {
            sweep.Add("", [this, i, processes](const SideBySide::Progress&) {
                Begin(i);
                // as many as may run at once do: each of the first ones waits for all of them
                const bool met = WaitForBegun(processes);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                --board->running;
                return std::string(met ? "met" : "alone");
            });
        }
        for (const SideBySide::Outcome& outcome : sweep.Run())
        {
            EXPECT_EQ(outcome.result, "met") << processes;
        }
        EXPECT_EQ(board->most, processes);
        EXPECT_EQ(board->begun, 6U);
    }
}

TEST_F(SideBySideTest, OneAtATimeBeginsInOrder)
{
    SideBySide sweep(1);
    for (uint32_t i = 0; i < 5; ++i)
    {
        sweep.Add("", [this, i](const SideBySide::Progress&) { return std::to_string(Begin(i)); });
    }
    const std::vector<SideBySide::Outcome> outcomes = sweep.Run();
    for (uint32_t i = 0; i < 5; ++i)
    {
        EXPECT_EQ(board->order[i], i);
        EXPECT_EQ(outcomes[i].result, std::to_string(i));
    }
}

TEST_F(SideBySideTest, ByDefaultThereIsAProcessForEachCore)
{
    EXPECT_EQ(SideBySide().GetProcesses(), std::max(1U, std::thread::hardware_concurrency()));
    EXPECT_EQ(SideBySide(0).GetProcesses(), SideBySide().GetProcesses());
}

TEST_F(SideBySideTest, NothingToDoIsDone)
{
    EXPECT_TRUE(SideBySide(2).Run().empty());
}

TEST_F(SideBySideTest, WhatAChildChangesIsGone)
{
    uint32_t value = 1;
    SideBySide sweep(2);
    for (uint32_t i = 0; i < 3; ++i)
    {
        sweep.Add("", [&value](const SideBySide::Progress&) { return std::to_string(++value); });
    }
    for (const SideBySide::Outcome& outcome : sweep.Run())
    {
        EXPECT_EQ(outcome.result, "2");
    }
    EXPECT_EQ(value, 1U);
}

TEST_F(SideBySideTest, AnAbortedOneHarmsNoOther)
{
    SideBySide sweep(2);
    sweep.Add("good", Succeed);
    sweep.Add("aborts", [](const SideBySide::Progress&) -> std::string {
        BeQuiet();
        std::abort();
    });
    sweep.Add("is killed", [](const SideBySide::Progress& progress) -> std::string {
        progress(0.5);
        std::raise(SIGKILL);
        return "a ghost";
    });
    sweep.Add("exits", [](const SideBySide::Progress&) -> std::string { _exit(3); });
    sweep.Add("exits as if all were well",
              [](const SideBySide::Progress&) -> std::string { _exit(0); });
    sweep.Add("good again", Succeed);
    const std::vector<SideBySide::Outcome> outcomes = sweep.Run();
    ASSERT_EQ(outcomes.size(), 6U);
    for (const std::size_t good : {0, 5})
    {
        EXPECT_EQ(outcomes[good].result, "fine");
        EXPECT_EQ(outcomes[good].error, "");
    }
    for (std::size_t i = 1; i < 5; ++i)
    {
        EXPECT_EQ(outcomes[i].result, "") << i;
        EXPECT_TRUE(outcomes[i].isOver) << i;
        EXPECT_LT(outcomes[i].share, 1) << i;
        EXPECT_EQ(outcomes[i].error.find(outcomes[i].name + ":"), 0U) << outcomes[i].error;
    }
    EXPECT_NE(outcomes[1].error.find("signal " + std::to_string(SIGABRT)), std::string::npos);
    EXPECT_NE(outcomes[2].error.find("signal " + std::to_string(SIGKILL)), std::string::npos);
    EXPECT_NE(outcomes[3].error.find("exit code 3"), std::string::npos);
    EXPECT_NE(outcomes[4].error.find("exit code 0"), std::string::npos);
}

TEST_F(SideBySideTest, AnExceptionStaysInItsProcess)
{
    const pid_t self = getpid();
    SideBySide sweep(1);
    sweep.Add("throws", [](const SideBySide::Progress&) -> std::string {
        BeQuiet();
        throw std::runtime_error("too much");
    });
    sweep.Add("good", Succeed);
    std::vector<SideBySide::Outcome> outcomes;
    try
    {
        outcomes = sweep.Run();
    }
    catch (const std::runtime_error&)
    {
        if (getpid() != self)
        {
            _exit(99); // a second copy of this test would go on
        }
    }
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_NE(outcomes[0].error, "");
    EXPECT_EQ(outcomes[0].error.find("99"), std::string::npos) << "it came out of Run()";
    EXPECT_EQ(outcomes[1].result, "fine");
}

TEST_F(SideBySideTest, AllThatBeganTogetherMayDie)
{
    SideBySide sweep(4);
    for (uint32_t i = 0; i < 12; ++i)
    {
        sweep.Add("", [](const SideBySide::Progress&) -> std::string { _exit(1); });
    }
    const std::vector<SideBySide::Outcome> outcomes = sweep.Run();
    EXPECT_EQ(std::count_if(outcomes.begin(),
                            outcomes.end(),
                            [](const auto& one) { return !one.error.empty(); }),
              12);
}

TEST_F(SideBySideTest, ResultsOfMegabytesAndOfNothing)
{
    // more than any pipe holds, from several at once, with all bytes there are: also those that
    // mark progress and results
    const auto make = [](uint32_t seed) {
        std::string bytes((5 << 20) + seed, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            bytes[i] = static_cast<char>((i * 131 + seed + (i >> 8)) & 0xff);
        }
        return bytes;
    };
    SideBySide sweep(3);
    for (uint32_t i = 0; i < 3; ++i)
    {
        sweep.Add("", [i, &make](const SideBySide::Progress& progress) {
            progress(0.25);
            return make(i);
        });
    }
    sweep.Add("", [](const SideBySide::Progress&) { return std::string(); });
    sweep.Add("", [](const SideBySide::Progress&) { return std::string("p\x32p\x32rr"); });
    const std::vector<SideBySide::Outcome> outcomes = sweep.Run();
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_TRUE(outcomes[i].result == make(i)) << i; // not EXPECT_EQ: it would print them
        EXPECT_EQ(outcomes[i].error, "");
    }
    EXPECT_EQ(outcomes[3].result, "");
    EXPECT_EQ(outcomes[3].error, "");
    EXPECT_EQ(outcomes[4].result, "p\x32p\x32rr");
}

TEST_F(SideBySideTest, EachResultIsTakenOnce)
{
    SideBySide sweep(2);
    sweep.Add("good", Succeed);
    sweep.Add("bad", [](const SideBySide::Progress&) -> std::string { _exit(3); });
    sweep.Add("good", Succeed);
    std::vector<uint32_t> taken(3, 0);
    const auto taker = [&taken](std::size_t which, const SideBySide::Outcome& outcome) {
        ++taken[which];
        EXPECT_TRUE(outcome.isOver);
        EXPECT_EQ(outcome.error.empty(), which != 1);
        EXPECT_EQ(outcome.result, which != 1 ? "fine" : "");
    };
    sweep.Run({}, taker);
    EXPECT_EQ(taken, (std::vector<uint32_t>{1, 1, 1}));
}

TEST_F(SideBySideTest, ProgressIsReported)
{
    SideBySide sweep(2);
    // it goes on only when the test has seen each step
    for (uint32_t i = 0; i < 2; ++i)
    {
        sweep.Add("", [this, i](const SideBySide::Progress& progress) {
            for (uint32_t step = 1; step < 4; ++step)
            {
                progress(step / 4.0);
                for (uint32_t ms = 0; board->order[i] < step && ms < 1000 * LIMIT_S / 3; ++ms)
                {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
            }
            return std::to_string(board->order[i]);
        });
    }
    uint32_t reports = 0;
    const auto watcher = [this, &reports](const std::vector<SideBySide::Outcome>& outcomes) {
        ++reports;
        ASSERT_EQ(outcomes.size(), 2U);
        for (uint32_t i = 0; i < 2; ++i)
        {
            if (!outcomes[i].isOver && outcomes[i].share > board->order[i] / 4.0)
            {
                ++board->order[i];
                EXPECT_EQ(outcomes[i].share, board->order[i] / 4.0);
            }
        }
    };
    for (const SideBySide::Outcome& outcome : sweep.Run(watcher))
    {
        EXPECT_EQ(outcome.result, "3");
        EXPECT_EQ(outcome.share, 1);
    }
    EXPECT_GE(reports, 5U);
}

TEST_F(SideBySideTest, ProgressMayBeNonsenseAndOften)
{
    SideBySide sweep(2);
    sweep.Add("", [](const SideBySide::Progress& progress) {
        for (const double share : {-1.0, 2.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
        {
            progress(share);
        }
        return std::string("fine");
    });
    sweep.Add("", [](const SideBySide::Progress& progress) {
        for (uint32_t i = 0; i < 100'000; ++i) // 200 kB: more than a pipe holds
        {
            progress(i / 1e5);
        }
        return std::string("fine");
    });
    const auto watcher = [](const std::vector<SideBySide::Outcome>& outcomes) {
        for (const SideBySide::Outcome& outcome : outcomes)
        {
            EXPECT_GE(outcome.share, 0);
            EXPECT_LE(outcome.share, 1);
        }
    };
    for (const SideBySide::Outcome& outcome : sweep.Run(watcher))
    {
        EXPECT_EQ(outcome.result, "fine") << outcome.error;
    }
}

TEST_F(SideBySideTest, ItRunsAgain)
{
    SideBySide sweep(2);
    sweep.Add("a", Succeed);
    EXPECT_EQ(sweep.Run().at(0).result, "fine");
    sweep.Add("b", Succeed);
    const std::vector<SideBySide::Outcome> outcomes = sweep.Run();
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[0].result + outcomes[1].result, "finefine");
}
