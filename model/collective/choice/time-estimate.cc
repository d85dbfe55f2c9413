/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "time-estimate.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/rank-chunk-table.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ns3
{

namespace
{

/** The times of a schedule's transfers on an empty network, one after another. */
class TimeEstimate
{
  public:
    TimeEstimate(const CollectiveSchedule& schedule,
                 uint64_t buffer,
                 const AlgorithmPreference& preference)
        : m_schedule(schedule),
          m_buffer(buffer),
          m_preference(preference),
          m_protocol(preference.protocol.value_or(CollectiveProtocol::SIMPLE)),
          m_messageSize(GetWireBytes(m_protocol, preference.messageSize)),
          m_hop((preference.hopLatency + preference.step).GetTimeStep()),
          m_hopInside((preference.hopLatency + preference.intraNodeStep).GetTimeStep()),
          m_channels(schedule.GetParameters().channels),
          m_out(std::size_t{2} * m_channels * schedule.GetParameters().ranks, 0),
          m_in(m_out)
    {
        m_arrivals.reserve(schedule.GetTransfers().size());
    }

    void Add(const CollectiveTransfer& it)
    {
        const bool inside = it.wires == CollectiveTransfer::Wires::SCALE_UP;
        const uint64_t bytes = GetWireBytes(m_protocol, m_schedule.GetBytes(it.chunk, m_buffer));
        const Picoseconds hop = inside ? m_hopInside : m_hop;
        const Picoseconds span = GetSpan(bytes, inside);
        const Picoseconds message = bytes > m_messageSize ? GetSpan(m_messageSize, inside) : span;
        const Arrival ready = GetArrival(it);
        Picoseconds& free = m_out[GetPlace(it.from, it.channel, inside)];
        Picoseconds& taken = m_in[GetPlace(it.to, it.channel, inside)];
        const Picoseconds start = std::max(free, ready.first);
        free = std::max({start + span, taken + span, ready.last + (it.needs > 0 ? message : 0)});
        taken = free;
        Arrive(it, {start + message + hop, free + hop});
        m_end = std::max(m_end, free + hop);
    }

    Picoseconds GetEnd() const
    {
        return m_end;
    }

  private:
    __extension__ using Wide = unsigned __int128;

    static constexpr uint32_t NONE = UINT32_MAX;

    /** The latest times of a chunk's arrivals so far at a rank. */
    struct Arrival
    {
        Picoseconds first{0};  //!< of the first message
        Picoseconds last{0};   //!< of all of it
        uint32_t before{NONE}; //!< the place of the arrival before
    };

    /** The arrivals of a chunk at a rank. */
    struct Arrivals
    {
        uint32_t latest{NONE}; //!< place
        uint32_t count{0};
    };

    /** @return the time of a channel for bytes; channels share a rail's rate */
    Picoseconds GetSpan(uint64_t bytes, bool inside) const
    {
        const Wide rate =
            inside ? m_preference.intraNodeBytesPerSecond : m_preference.bytesPerSecond;
        const Wide channels = inside ? 1 : m_channels;
        return static_cast<Picoseconds>(bytes * channels * 1'000'000'000'000 / rate);
    }

    std::size_t GetPlace(uint32_t rank, uint32_t channel, bool inside) const
    {
        return (std::size_t{rank} * m_channels + channel) * 2 + inside;
    }

    /** @return the times when all arrivals are there that a transfer needs */
    Arrival GetArrival(const CollectiveTransfer& it) const
    {
        const Arrivals* arrivals = it.needs > 0 ? m_slots.Find(it.from, it.chunk) : nullptr;
        if (arrivals == nullptr)
        {
            return {};
        }
        uint32_t place = arrivals->latest;
        for (uint32_t count = arrivals->count; count > it.needs; --count)
        {
            place = m_arrivals[place].before;
        }
        return m_arrivals[place];
    }

    void Arrive(const CollectiveTransfer& it, Arrival arrival)
    {
        Arrivals& arrivals = m_slots.Get(it.to, it.chunk);
        if (arrivals.count > 0)
        {
            const Arrival& before = m_arrivals[arrivals.latest];
            arrival.first = std::max(arrival.first, before.first);
            arrival.last = std::max(arrival.last, before.last);
        }
        arrival.before = arrivals.latest;
        arrivals.latest = m_arrivals.size();
        ++arrivals.count;
        m_arrivals.push_back(arrival);
    }

    const CollectiveSchedule& m_schedule;
    uint64_t m_buffer;
    const AlgorithmPreference& m_preference;
    CollectiveProtocol m_protocol;
    uint64_t m_messageSize;  //!< of a message on wires, at most
    Picoseconds m_hop;       //!< latency and step, over a rail
    Picoseconds m_hopInside; //!< the same inside a server
    uint32_t m_channels;
    std::vector<Picoseconds> m_out; //!< by GetPlace(): when the sender's channel is free
    std::vector<Picoseconds> m_in;  //!< the same of receivers
    std::vector<Arrival> m_arrivals;
    RankChunkTable<Arrivals> m_slots;
    Picoseconds m_end{0};
};

} // namespace

Time
EstimateTime(const CollectiveSchedule& schedule,
             uint64_t buffer,
             const AlgorithmPreference& preference)
{
    RequirePicoseconds("EstimateTime");
    TimeEstimate estimate(schedule, buffer, preference);
    for (const CollectiveTransfer& transfer : schedule.GetTransfers())
    {
        estimate.Add(transfer);
    }
    return ToTime(estimate.GetEnd());
}

Time
RecallTimeEstimate(const std::shared_ptr<const CollectiveSchedule>& schedule,
                   uint64_t buffer,
                   const AlgorithmPreference& preference)
{
    constexpr std::size_t MOST = 1024; // estimates

    struct Estimate
    {
        std::weak_ptr<const CollectiveSchedule> schedule; //!< gone: its address may be another's
        Picoseconds time{0};
    };

    const auto key = std::make_tuple(schedule.get(),
                                     buffer,
                                     preference.bytesPerSecond,
                                     preference.intraNodeBytesPerSecond,
                                     preference.messageSize,
                                     preference.hopLatency.GetTimeStep(),
                                     preference.step.GetTimeStep(),
                                     preference.intraNodeStep.GetTimeStep(),
                                     preference.protocol);
    static std::map<std::remove_const_t<decltype(key)>, Estimate> known;
    const auto found = known.find(key);
    if (found != known.end() && !found->second.schedule.expired())
    {
        return ToTime(found->second.time);
    }
    const Time time = EstimateTime(*schedule, buffer, preference);
    if (known.size() == MOST)
    {
        known.clear();
    }
    known[key] = {schedule, time.GetTimeStep()};
    return time;
}

} // namespace ns3
