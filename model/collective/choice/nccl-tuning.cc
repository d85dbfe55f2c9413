/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-tuning.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

namespace
{

__extension__ using Wide = unsigned __int128;

constexpr Picoseconds NANOSECOND = 1'000;
constexpr uint64_t GIGABYTE = 1'000'000'000;
constexpr Picoseconds POST = 1'000 * NANOSECOND; // NCCL_NET_OVERHEAD of Intel processors

/** The constants of a protocol on rings. */
struct ProtocolConstants
{
    Picoseconds base;      //!< baseLatencies, Ring
    Picoseconds scaleUp;   //!< hwLatencies, NVLINK, Ring
    Picoseconds least;     //!< of a step inside a server on a ring that leaves it: getNetOverhead()
    Picoseconds exposed;   //!< hwLatencies, NET, Tree: for rings with one rank a server
    Picoseconds network;   //!< hwLatencies, NET, Ring
    uint64_t numerator;    //!< of the share of the bandwidth
    uint64_t denominator;  //!< of the share of the bandwidth
    uint64_t mostInServer; //!< bytes a second at most in one server
    uint64_t mostOfTwo;    //!< bytes a second at most with two servers
    uint64_t mostOfMany;   //!< bytes a second at most with more servers
    uint64_t mostChannel;  //!< bytes a second of a channel at most; 0: no limit
};

constexpr ProtocolConstants SIMPLE{8'400 * NANOSECOND,
                                   3'400 * NANOSECOND,
                                   3 * POST,
                                   14'000 * NANOSECOND,
                                   14'000 * NANOSECOND,
                                   1,
                                   1,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   0};
/** The share is 0.92; perChMaxRingLL128Bws of Hopper. */
constexpr ProtocolConstants LL128{14'000 * NANOSECOND,
                                  1'900 * NANOSECOND,
                                  POST,
                                  8'500 * NANOSECOND,
                                  4'000 * NANOSECOND,
                                  23,
                                  25,
                                  UINT64_MAX,
                                  UINT64_MAX,
                                  UINT64_MAX,
                                  36'700'000'000};
/** llMaxBws: of Hopper in one server, of Intel processors beyond. */
constexpr ProtocolConstants LL{6'600 * NANOSECOND,
                               600 * NANOSECOND,
                               POST,
                               5'000 * NANOSECOND,
                               2'700 * NANOSECOND,
                               1,
                               2,
                               141 * GIGABYTE,
                               39 * GIGABYTE,
                               20'400'000'000,
                               0};

/** "Plateau effect of ring": the latency of SIMPLE in an all-reduce between servers, times 1.4. */
constexpr Picoseconds PLATEAU_NUMERATOR = 7;
constexpr Picoseconds PLATEAU_DENOMINATOR = 5;
/** That holds from 64 bytes on for each channel and rank. */
constexpr uint64_t PLATEAU_BYTES = 64;

/** NCCL_P2P_LL_THRESHOLD, src/enqueue.cc. */
constexpr uint64_t SEND_LL_BYTES = 16 << 10;

const ProtocolConstants&
GetConstants(CollectiveProtocol protocol)
{
    switch (protocol)
    {
    case CollectiveProtocol::LL128:
        return LL128;
    case CollectiveProtocol::LL:
        return LL;
    default:
        return SIMPLE;
    }
}

uint32_t
CountServers(const CollectiveParameters& all)
{
    return std::max(1U, all.ranks / all.perServer);
}

/** @return whether all ranks are passed one after another */
bool
IsRing(const NcclOperation& operation)
{
    return operation.algorithm == "ring" || operation.algorithm == "multi-ring" ||
           operation.algorithm == "rail-rings";
}

/** @return bytes that the rank sends that sends most of them @param onRails those only */
uint64_t
GetMostBytesSent(const NcclOperation& operation, bool onRails)
{
    const CollectiveSchedule& schedule = *operation.schedule;
    uint64_t most = 0;
    for (uint32_t rank = 0; rank < schedule.GetParameters().ranks; ++rank)
    {
        uint64_t bytes = 0;
        for (const uint32_t place : schedule.GetTransfersOf(rank))
        {
            const CollectiveTransfer& it = schedule.GetTransfers()[place];
            const bool counts =
                it.from == rank && !(onRails && it.wires == CollectiveTransfer::Wires::SCALE_UP);
            bytes += counts ? schedule.GetBytes(it.chunk, operation.bytes) : 0;
        }
        most = std::max(most, bytes);
    }
    return most;
}

/** @return bytes of the largest chunk */
uint64_t
GetLargestChunk(const NcclOperation& operation)
{
    uint64_t largest = 0;
    for (uint32_t chunk = 0; chunk < operation.schedule->GetChunks().size(); ++chunk)
    {
        largest = std::max(largest, operation.schedule->GetBytes(chunk, operation.bytes));
    }
    return largest;
}

/**
 * @return the bytes that count for the time: on the NICs of a server, if there are several, each of
 *         which has as many as the busiest; else those that a rank sends
 */
uint64_t
GetBusBytes(const NcclOperation& operation)
{
    const CollectiveParameters& all = operation.schedule->GetParameters();
    const bool leaves = CountServers(all) > 1;
    return GetMostBytesSent(operation, leaves) * (leaves ? all.perServer : 1);
}

/** @return bytes a second that a protocol can carry: of all NICs of a server, or inside it */
uint64_t
GetBandwidth(const NcclOperation& operation, const ProtocolConstants& its)
{
    const CollectiveParameters& all = operation.schedule->GetParameters();
    const uint32_t servers = CountServers(all);
    const uint64_t most = servers == 1   ? its.mostInServer
                          : servers == 2 ? its.mostOfTwo
                                         : its.mostOfMany;
    const uint64_t ofChannels = its.mostChannel == 0 ? UINT64_MAX : its.mostChannel * all.channels;
    const Wide rate = servers == 1 ? Wide{operation.intraNodeBytesPerSecond}
                                   : Wide{operation.bytesPerSecond} * all.perServer;
    const auto share = static_cast<uint64_t>(rate * its.numerator / its.denominator);
    return std::max<uint64_t>(1, std::min({share, most, ofChannels}));
}

} // namespace

uint32_t
CountNcclNetworkSteps(const NcclOperation& operation)
{
    const CollectiveSchedule& schedule = *operation.schedule;
    const CollectiveParameters& all = schedule.GetParameters();
    const uint32_t servers = CountServers(all);
    if (servers == 1)
    {
        return 0;
    }
    if (IsRing(operation))
    {
        return schedule.GetRounds() * (servers - 1) / (all.ranks - 1);
    }
    uint32_t rounds = 0;
    for (const CollectiveSchedule::Stage& stage : schedule.GetStages())
    {
        rounds += stage.pairs.empty() ? 0 : stage.lastRound - stage.firstRound + 1;
    }
    return rounds;
}

Picoseconds
EstimateNcclTime(const NcclOperation& operation, CollectiveProtocol protocol)
{
    const CollectiveSchedule& schedule = *operation.schedule;
    const CollectiveParameters& all = schedule.GetParameters();
    const ProtocolConstants& its = GetConstants(protocol);
    const uint32_t between = CountNcclNetworkSteps(operation);
    // "With ppn=1 latencies are fully exposed, use the Tree network latency"
    const Picoseconds network = all.perServer == 1 ? its.exposed : its.network;
    const Picoseconds inside = between > 0 ? std::max(its.scaleUp, its.least) : its.scaleUp;
    Picoseconds latency = its.base + between * network + (schedule.GetRounds() - between) * inside;
    if (protocol == CollectiveProtocol::SIMPLE && IsRing(operation) && between > 0 &&
        all.kind == CollectiveKind::ALL_REDUCE &&
        operation.bytes / (uint64_t{all.channels} * all.ranks) >= PLATEAU_BYTES)
    {
        latency = latency * PLATEAU_NUMERATOR / PLATEAU_DENOMINATOR;
    }
    const Wide bytes = GetBusBytes(operation);
    return latency +
           static_cast<Picoseconds>(bytes * 1'000'000'000'000 / GetBandwidth(operation, its));
}

CollectiveProtocol
ChooseNcclProtocol(const NcclOperation& operation)
{
    const CollectiveParameters& all = operation.schedule->GetParameters();
    switch (all.kind)
    {
    case CollectiveKind::SEND_RECV:
    case CollectiveKind::ALL_TO_ALL:
    case CollectiveKind::ALL_TO_ALL_V:
        return GetLargestChunk(operation) <= SEND_LL_BYTES ? CollectiveProtocol::LL
                                                           : CollectiveProtocol::SIMPLE;
    default:
        break;
    }
    CollectiveProtocol best = CollectiveProtocol::SIMPLE;
    for (const CollectiveProtocol one : GetCollectiveProtocols())
    {
        if (EstimateNcclTime(operation, one) < EstimateNcclTime(operation, best))
        {
            best = one;
        }
    }
    return best;
}

Time
ScaleNcclStep(Time step, CollectiveProtocol protocol, TransportKind kind)
{
    const bool isInside = kind == TransportKind::SCALE_UP;
    const ProtocolConstants& its = GetConstants(protocol);
    const Wide part = isInside ? its.scaleUp : its.exposed;
    const Wide whole = isInside ? SIMPLE.scaleUp : SIMPLE.exposed;
    return ToTime(static_cast<Picoseconds>(step.GetTimeStep() * part / whole));
}

CollectiveTimes
GetNcclTimes()
{
    CollectiveTimes times;
    times.Edit(TransportKind::RAIL) = {ToTime(SIMPLE.base), ToTime(SIMPLE.exposed), ToTime(POST)};
    times.Edit(TransportKind::SCALE_UP) = {ToTime(SIMPLE.base), ToTime(SIMPLE.scaleUp), Time(0)};
    times.Edit(TransportKind::HOST) = {ToTime(SIMPLE.base), ToTime(SIMPLE.exposed), ToTime(POST)};
    return times;
}

} // namespace ns3
