/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What has failed follows from signs: the strongest decides.

#include "ns3/failure-diagnosis.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

const std::set<uint32_t> FOUR{0, 1, 2, 3};

/** @return a report of a message that was given up */
FailureReport
GivenUp(const GpuPlace& at, const GpuPlace& suspect, FailureSign sign = FailureSign::RETRY_LIMIT)
{
    FailureReport report;
    report.sign = sign;
    report.at = at;
    report.suspect = suspect;
    return report;
}

/** @return a report without a suspect */
FailureReport
Plain(FailureSign sign, const GpuPlace& at)
{
    FailureReport report;
    report.sign = sign;
    report.at = at;
    return report;
}

} // namespace

TEST(FailureDiagnosis, ASilentServerIsStrongerThanWhatOthersReport)
{
    const FailureDiagnosis found = Diagnose({GivenUp({0, 0}, {1, 0})}, {2}, FOUR);
    EXPECT_EQ(found.servers, (std::set<uint32_t>{2}));
    EXPECT_TRUE(found.gpus.empty()) << "all of it";
    EXPECT_EQ(found.sign, FailureSign::NO_HEARTBEAT);
}

TEST(FailureDiagnosis, AProcessThatEndedIsStrongerThanMessages)
{
    const FailureDiagnosis found =
        Diagnose({Plain(FailureSign::PROCESS_EXIT, {3, 1}), GivenUp({0, 0}, {1, 0})}, {}, FOUR);
    EXPECT_EQ(found.gpus, (std::set<GpuPlace>{{3, 1}}));
    EXPECT_EQ(found.servers, (std::set<uint32_t>{3}));
}

TEST(FailureDiagnosis, TheGpuThatIsInAllPairsIsFound)
{
    const FailureDiagnosis found =
        Diagnose({GivenUp({0, 0}, {1, 0}), GivenUp({1, 0}, {2, 0}), GivenUp({2, 0}, {1, 0})},
                 {},
                 FOUR);
    EXPECT_EQ(found.gpus, (std::set<GpuPlace>{{1, 0}})) << found.words;
}

TEST(FailureDiagnosis, OfASinglePairTheSilentOneIsFound)
{
    EXPECT_EQ(Diagnose({GivenUp({0, 0}, {1, 0})}, {}, FOUR).gpus, (std::set<GpuPlace>{{1, 0}}));
}

TEST(FailureDiagnosis, OfASinglePairThatBothReportTheFirstIsFoundAndTheOtherTied)
{
    const std::set<FailureReport> both{GivenUp({0, 0}, {1, 0}, FailureSign::NO_CARRIER),
                                       GivenUp({1, 0}, {0, 0})};
    const FailureDiagnosis found = Diagnose(both, {}, FOUR);
    EXPECT_EQ(found.gpus, (std::set<GpuPlace>{{0, 0}}));
    EXPECT_EQ(found.tied, (std::set<GpuPlace>{{1, 0}}));
    EXPECT_EQ(found.sign, FailureSign::NO_CARRIER);
    const FailureDiagnosis again = Diagnose(both, {}, FOUR, {{1, 0}});
    EXPECT_EQ(again.gpus, (std::set<GpuPlace>{{1, 0}}))
        << "it was left in the job, which failed again";
}

TEST(FailureDiagnosis, WithoutLightAQuietEndIsNoMoreSuspectThanTheOther)
{
    // only one end has something to send; the job was left with that one after an earlier tie
    const std::set<FailureReport> one{GivenUp({1, 0}, {4, 0}, FailureSign::NO_CARRIER)};
    EXPECT_EQ(Diagnose(one, {}, FOUR).tied, (std::set<GpuPlace>{{4, 0}}));
    EXPECT_EQ(Diagnose(one, {}, FOUR, {{1, 0}}).gpus, (std::set<GpuPlace>{{1, 0}}));
}

TEST(FailureDiagnosis, OfPairsApartOneIsFoundAtATime)
{
    const FailureDiagnosis found = Diagnose({GivenUp({0, 0}, {1, 0}),
                                             GivenUp({1, 0}, {0, 0}),
                                             GivenUp({2, 0}, {3, 0}),
                                             GivenUp({3, 0}, {2, 0})},
                                            {},
                                            FOUR);
    EXPECT_EQ(found.gpus.size(), 1);
}

TEST(FailureDiagnosis, TheOnlyServerThatDidNotStallIsFound)
{
    std::set<FailureReport> stalled;
    for (const uint32_t server : {0, 1, 3})
    {
        stalled.insert(Plain(FailureSign::TIMEOUT, {server, 0}));
    }
    EXPECT_EQ(Diagnose(stalled, {}, FOUR).servers, (std::set<uint32_t>{2}));
    stalled.insert(Plain(FailureSign::TIMEOUT, {2, 0}));
    const FailureDiagnosis none = Diagnose(stalled, {}, FOUR);
    EXPECT_FALSE(none.IsKnown());
    EXPECT_EQ(none.words, "the signs point to no component");
}
