/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Checking a value before it is set leaves no trace. The text of a random variable becomes an
// object where it is checked, and each object takes a stream number that others then lack.

#include "ns3/collective-application.h"
#include "ns3/collective-helper.h"
#include "ns3/object-factory.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

const StringValue VARIABLE("ns3::UniformRandomVariable[Min=1|Max=2]");

/** @return stream numbers that something takes */
uint64_t
CountStreams(const std::function<void()>& work)
{
    const uint64_t before = RngSeedManager::GetNextStreamIndex();
    work();
    return RngSeedManager::GetNextStreamIndex() - before - 1;
}

} // namespace

TEST(AttributeCheck, AHelperTakesAsManyStreamsAsTheFactoryItHas)
{
    ObjectFactory factory;
    factory.SetTypeId(CollectiveApplication::GetTypeId());
    const uint64_t plain = CountStreams([&] { factory.Set("ComputeFactor", VARIABLE); });
    CollectiveHelper helper;
    EXPECT_EQ(CountStreams([&] { helper.SetAttribute("ComputeFactor", VARIABLE); }), plain);
}

TEST(AttributeCheck, ANicTakesOneStreamForEachRandomVariable)
{
    UsePicoseconds();
    const auto install = [](bool isSet) {
        PhotonicRailHelper helper;
        if (isSet)
        {
            helper.SetNicAttribute("LinkUpTime", VARIABLE);
        }
        helper.Install(NodeContainer(4));
    };
    const uint64_t without = CountStreams([&] { install(false); });
    EXPECT_EQ(CountStreams([&] { install(true); }), without + 4);
}

TEST(AttributeCheckDeathTest, ARandomVariableThatIsNoneIsRefused)
{
    UsePicoseconds();
    for (const char* const words : {"0.1", "ns3::NoVariable", "ns3::UniformRandomVariable[Mni=1]"})
    {
        const auto install = [words] {
            PhotonicRailHelper helper;
            helper.SetNicAttribute("LinkUpTime", StringValue(words));
            helper.Install(NodeContainer(4));
        };
        EXPECT_DEATH(install(), "LinkUpTime does not take the value|Mni") << words;
    }
}
