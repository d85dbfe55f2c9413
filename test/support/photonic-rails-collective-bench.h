/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_BENCH_H
#define PHOTONIC_RAILS_COLLECTIVE_BENCH_H

#include "ns3/collective-kind.h"
#include "ns3/demand-matrix.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"
#include "ns3/picoseconds.h"
#include "ns3/rail.h"
#include "ns3/transport-times.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * A rail with a collective on it, for tests: its setup, and its results.
 */

namespace ns3
{

/** One operation of all ranks of a rail. */
struct CollectiveCase
{
    /** The switch in the middle. */
    enum RailKind
    {
        ELECTRICAL,
        RING,         //!< circuits that stay: half of the ports to the next, half to the one before
        RECONFIGURING //!< circuits that InstantCircuits reconfigures
    };

    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{1 << 20};
    std::string algorithm{"ring"};
    uint32_t ranks{4};
    uint32_t ports{2};
    RailKind railSwitch{RING};
    std::string fabric{"crossbar"}; //!< of the switch, without packet switch
    bool bidirectional{true};
    uint64_t messageSize{1 << 16};
    Time reconfiguration{MicroSeconds(10)};
    std::string fidelity{"trains"};
    Time late{0};        //!< how much later the last rank calls
    uint32_t repeats{1}; //!< times that all of that happens
    std::shared_ptr<const DemandMatrix> demand{};
    CollectiveTimes times{}; //!< of the library
    std::string protocol{"Simple"};

    static constexpr uint64_t RATE = 200'000'000'000; //!< of a port, bits a second
};

/** The results of a run. */
struct CollectiveOutcome
{
    Picoseconds lastCall{0};
    Picoseconds lastEnd{0};
    std::vector<OperationRecord> records; //!< of the collective, in the order in which they ended
    uint64_t frames{0};
    std::vector<std::string> findings; //!< of the audit
    uint64_t reconfigurations{0};

    void Started(const OperationRecord& record);

    void Ended(const OperationRecord& record);

    /** @return from the last call to the last end, picoseconds */
    Picoseconds GetTime() const
    {
        return lastEnd - lastCall;
    }
};

/** Joins the GPUs of a rail into a ring. */
void JoinRing(const Rail& rail);

/** Builds a rail and RDMA on it. */
Rail MakeCollectiveRail(const CollectiveCase& one);

/** Builds the rails of servers of some GPUs each, and RDMA on them. */
std::vector<Rail> MakeCollectiveRails(const CollectiveCase& one, uint32_t perServer);

/** @return the ranks 0 to n - 1 */
std::vector<uint32_t> FirstRanks(uint32_t n);

/** Runs it to its end. */
CollectiveOutcome RunCollective(const CollectiveCase& one);

/**
 * How long payload takes on a wire, in picoseconds: 4096 bytes of it take 4178 there.
 */
double OnTheWire(double payload, double bitsPerSecond);

/** From a NIC to another through one switch: two fibers of 100 ns, and a frame once more at a
 * packet switch. */
double PathDelay(const CollectiveCase& one);

std::string NameOf(const CollectiveCase& one);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_BENCH_H */
