/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The ends of a queue pair that two processes make by themselves, each without the number of the
// other, carry the messages of one that is made at once, at the same instants.

#include "ns3/electrical-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** The instants of arrivals and settlements. */
struct EndsRecord
{
    std::vector<std::pair<uint64_t, Picoseconds>> arrived; //!< bytes, instant
    std::vector<Picoseconds> settled;

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage& message)
    {
        arrived.emplace_back(message.bytes, NowPicoseconds());
    }

    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        settled.push_back(NowPicoseconds());
    }
};

/** Two messages from host 2 to host 0, whose engines have other queue pairs. */
EndsRecord
SendTwo(bool areMadeAtOnce)
{
    const Rail rail = ElectricalRailHelper().Install(NodeContainer(3));
    RdmaHelper().Install(NodeContainer(rail.GetGpu(0), rail.GetGpu(1), rail.GetGpu(2)));
    const Ptr<Node> to = rail.GetGpu(0);
    const Ptr<Node> from = rail.GetGpu(2);
    // the numbers of the two ends differ
    RdmaEngine::Connect(to, rail.GetGpu(1));
    RdmaEngine::Connect(to, rail.GetGpu(1));
    const QueuePairOrder order{1, 2, 3};
    RdmaEngine::Ends ends;
    if (areMadeAtOnce)
    {
        ends = RdmaEngine::Connect(from, to, {{0, 0}}, order);
    }
    else
    {
        ends.first = RdmaEngine::Open(from, to, {0, 0}, order);
        const uint32_t number = ends.first->GetSubQueuePairs().front().queuePair;
        ends.second = RdmaEngine::Accept(to, from, {0, 0}, order, number);
        EXPECT_NE(ends.second->GetSubQueuePairs().front().queuePair, number);
    }
    EndsRecord record;
    ends.first->SetSettledCallback(MakeCallback(&EndsRecord::Settled, &record));
    ends.second->SetArrivedCallback(MakeCallback(&EndsRecord::Arrived, &record));
    for (const uint64_t bytes : {100'000, 1})
    {
        ends.first->Post(RdmaVerb::WRITE_WITH_IMMEDIATE, bytes);
    }
    Simulator::Run();
    EXPECT_EQ(ends.second->GetTotals().arrived, 2U);
    EXPECT_EQ(ends.first->GetTotals().settled, 2U);
    Simulator::Destroy();
    return record;
}

} // namespace

TEST(QueuePairEnds, MadeApartTheyCarryWhatOneQueuePairDoes)
{
    // in a process of its own: ns-3's resolution and simulator are the process's
    EXPECT_EXIT(
        {
            UsePicoseconds();
            const EndsRecord atOnce = SendTwo(true);
            const EndsRecord apart = SendTwo(false);
            const bool good = atOnce.arrived.size() == 2 && atOnce.settled.size() == 2 &&
                              apart.arrived == atOnce.arrived && apart.settled == atOnce.settled;
            std::_Exit(good && !testing::Test::HasFailure() ? 0 : 1);
        },
        testing::ExitedWithCode(0),
        "");
}
