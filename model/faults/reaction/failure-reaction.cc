/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "failure-reaction.h"

#include <numeric>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FailureReaction);

TypeId
FailureReaction::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FailureReaction").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

FailureReaction::InPlace
FailureReaction::GetInPlace() const
{
    return InPlace::NOTHING;
}

Time
FailureReaction::GetDetection() const
{
    return Time(0);
}

Time
FailureReaction::GetReceiptLatency() const
{
    return Time(0);
}

Recovery
FailureReaction::Keep(const FailureCase& failure)
{
    Recovery recovery;
    recovery.goesOn = true;
    recovery.plan = failure.plan;
    recovery.servers = failure.servers;
    recovery.formerPlace.resize(failure.servers.size());
    std::iota(recovery.formerPlace.begin(), recovery.formerPlace.end(), 0);
    return recovery;
}

Recovery
FailureReaction::End(const std::string& why)
{
    Recovery recovery;
    recovery.why = why;
    return recovery;
}

void
FailureReaction::Replace(Recovery& recovery,
                         const FailureCase& failure,
                         const std::vector<uint32_t>& spares)
{
    if (spares.size() < failure.lost.size())
    {
        std::ostringstream words;
        words << failure.lost.size() << (failure.lost.size() == 1 ? " server is" : " servers are")
              << " lost, and there " << (spares.size() == 1 ? "is" : "are") << " " << spares.size()
              << (spares.size() == 1 ? " spare" : " spares") << " for it";
        recovery = End(words.str());
        return;
    }
    std::ostringstream words;
    std::size_t next = 0;
    for (uint32_t& server : recovery.servers)
    {
        if (failure.lost.count(server) > 0)
        {
            words << (next == 0 ? "" : ", ") << "server " << spares[next] << " takes the place of "
                  << "server " << server;
            server = spares[next++];
        }
    }
    recovery.why = words.str();
}

} // namespace ns3
