/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_BENCH_H
#define PHOTONIC_RAILS_SCALE_UP_BENCH_H

#include "photonic-rails-host-bench.h"

#include "ns3/scale-up-helper.h"
#include "ns3/string.h"

#include <string>
#include <vector>

/**
 * @file
 * What tests of the fabric inside a server share: its figures, a message, and who writes down what
 * transports tell.
 */

namespace ns3
{

namespace scaleup
{

/** NVLink 4, one way: 20/9 ps a byte. */
constexpr uint64_t RATE = 3'600'000'000'000;
/** Of the fabric. */
constexpr Picoseconds LATENCY = 300'000;

/** How long so many bytes last in a port. */
inline Picoseconds
Span(uint64_t bytes)
{
    return (bytes * 20 + 8) / 9;
}

/** @return a helper with that rate and latency */
inline ScaleUpHelper
MakeHelper()
{
    ScaleUpHelper helper;
    helper.SetAttribute("Generation", StringValue("nvlink4"));
    helper.SetAttribute("Latency", TimeValue(ToTime(LATENCY)));
    return helper;
}

/** @return a message */
inline TransportMessage
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

/** What a transport told its rank. */
struct Told
{
    char what; //!< arrived, settled, failed
    uint32_t rank;
    uint32_t tag;
    Picoseconds at;
    uint32_t from;
    uint32_t node; //!< in whose context
    std::string why;
};

/** Writes down what transports tell. */
class Witness
{
  public:
    void Watch(RankId rank, Ptr<Transport> transport)
    {
        transport->SetArrivedCallback(MakeCallback(&Witness::Arrived, this).Bind(rank));
        transport->SetSettledCallback(MakeCallback(&Witness::Settled, this).Bind(rank));
        transport->SetFailedCallback(MakeCallback(&Witness::Failed, this).Bind(rank));
    }

    /** @return what was told of one kind to one rank, in order */
    std::vector<Told> Get(char what, uint32_t rank) const
    {
        std::vector<Told> found;
        for (const Told& one : told)
        {
            if (one.what == what && one.rank == rank)
            {
                found.push_back(one);
            }
        }
        return found;
    }

    std::vector<Told> told;

  private:
    void Put(char what, RankId rank, const TransportMessage& message, const std::string& why)
    {
        told.push_back({what,
                        rank.Get(),
                        message.tag,
                        NowPicoseconds(),
                        message.from.Get(),
                        Simulator::GetContext(),
                        why});
    }

    void Arrived(RankId rank, const TransportMessage& message)
    {
        Put('a', rank, message, "");
    }

    void Settled(RankId rank, const TransportMessage& message)
    {
        Put('s', rank, message, "");
    }

    void Failed(RankId rank, const TransportMessage& message, const std::string& why)
    {
        Put('f', rank, message, why);
    }
};

} // namespace scaleup

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_BENCH_H */
