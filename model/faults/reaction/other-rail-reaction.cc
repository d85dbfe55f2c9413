/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "other-rail-reaction.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OtherRailReaction);

TypeId
OtherRailReaction::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::OtherRailReaction")
            .SetParent<FailureReaction>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<OtherRailReaction>()
            .AddAttribute("DetectAfter",
                          "How long a queue pair with something to send waits for carrier before "
                          "another rail is used, 1 ps or more. Give more than the delay of the "
                          "fibers.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&OtherRailReaction::m_detectAfter),
                          MakeTimeChecker(PicoSeconds(1)))
            .AddAttribute("ReceiptLatency",
                          "From a rank to another over the network of the hosts, for the messages "
                          "that were under way: 2 ps or more.",
                          TimeValue(MicroSeconds(30)),
                          MakeTimeAccessor(&OtherRailReaction::m_receiptLatency),
                          MakeTimeChecker(PicoSeconds(2)));
    return tid;
}

Recovery
OtherRailReaction::Decide(const FailureCase&) const
{
    return End("another rail replaces NIC ports and switches, not a GPU");
}

FailureReaction::InPlace
OtherRailReaction::GetInPlace() const
{
    return InPlace::OTHER_RAILS;
}

Time
OtherRailReaction::GetDetection() const
{
    return m_detectAfter;
}

Time
OtherRailReaction::GetReceiptLatency() const
{
    return m_receiptLatency;
}

} // namespace ns3
