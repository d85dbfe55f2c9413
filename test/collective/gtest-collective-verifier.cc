/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/algorithm-samples.h"
#include "ns3/collective-algorithm.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** Every algorithm for all numbers of ranks from one to another. */
void
ExpectProved(uint32_t first, uint32_t last)
{
    for (const CollectiveKind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            uint32_t made = 0;
            for (uint32_t ranks = first; ranks <= last; ++ranks)
            {
                for (const CollectiveParameters& parameters :
                     MakeSamples(kind, ranks, algorithm->usesPorts && ranks <= 17 ? 4 : 1))
                {
                    if (algorithm->GetWhyNot(parameters).empty())
                    {
                        EXPECT_EQ(GetMistakeOf(*algorithm, parameters), "")
                            << algorithm->name << " for " << parameters.GetKey();
                        ++made;
                    }
                }
            }
            EXPECT_GT(made, 0U) << algorithm->name << " for " << ToString(kind);
        }
    }
}

} // namespace

TEST(CollectiveVerifier, EveryAlgorithmForAllSizesFrom2To17)
{
    ExpectProved(2, 17);
}

TEST(CollectiveVerifierAtLength, EveryAlgorithmForAllSizesFrom2To33)
{
    ExpectProved(2, 33);
}
