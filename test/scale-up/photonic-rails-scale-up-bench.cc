/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-scale-up-bench.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace ns3
{

namespace scaleup
{

Picoseconds
Span(uint64_t bytes)
{
    return (bytes * 20 + 8) / 9;
}

ScaleUpHelper
MakeHelper()
{
    ScaleUpHelper helper;
    helper.SetAttribute("Generation", StringValue("nvlink4"));
    helper.SetAttribute("Latency", TimeValue(ToTime(LATENCY)));
    return helper;
}

TransportMessage
MakeMessage(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes)
{
    TransportMessage message;
    message.from = RankId(from);
    message.to = RankId(to);
    message.group = GroupId(7);
    message.channel = 3;
    message.tag = tag;
    message.bytes = bytes;
    return message;
}

void
Witness::Watch(RankId rank, Ptr<Transport> transport)
{
    transport->SetArrivedCallback(MakeCallback(&Witness::Arrived, this).Bind(rank));
    transport->SetSettledCallback(MakeCallback(&Witness::Settled, this).Bind(rank));
    transport->SetFailedCallback(MakeCallback(&Witness::Failed, this).Bind(rank));
}

std::vector<Report>
Witness::Get(char what, uint32_t rank) const
{
    std::vector<Report> found;
    for (const Report& one : reports)
    {
        if (one.what == what && one.rank == rank)
        {
            found.push_back(one);
        }
    }
    return found;
}

void
Witness::Put(char what, RankId rank, const TransportMessage& message, const std::string& why)
{
    reports.push_back({what,
                       rank.Get(),
                       message.tag,
                       NowPicoseconds(),
                       message.from.Get(),
                       Simulator::GetContext(),
                       why});
}

void
Witness::Arrived(RankId rank, const TransportMessage& message)
{
    Put('a', rank, message, "");
}

void
Witness::Settled(RankId rank, const TransportMessage& message)
{
    Put('s', rank, message, "");
}

void
Witness::Failed(RankId rank, const TransportMessage& message, const std::string& why)
{
    Put('f', rank, message, why);
}

} // namespace scaleup

} // namespace ns3
