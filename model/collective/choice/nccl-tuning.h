/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NCCL_TUNING_H
#define PHOTONIC_RAILS_NCCL_TUNING_H

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/nstime.h"
#include "ns3/picoseconds.h"
#include "ns3/transport-times.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @file
 * The part of NCCL's tuning that chooses protocols, with its constants: src/graph/tuning.cc of
 * NCCL 2.30 (ncclTunerConstantsDefaults, ncclTopoTuneModel, ncclTopoGetAlgoTime), for GPUs of the
 * H100 generation and hosts with Intel processors; NCCL 2.29 has the same. NCCL estimates the time
 * of an operation as a base latency, a latency for each step of the algorithm, and its bytes at a
 * bandwidth that depends on the protocol, and takes the protocol with the least estimate.
 */

/** An operation, as the tuning weighs it. */
struct NcclOperation
{
    std::string algorithm;                   //!< its name
    const CollectiveSchedule* schedule{};    //!< of the algorithm, with the kind and the ranks
    uint64_t bytes{0};                       //!< of the buffer
    uint64_t bytesPerSecond{50'000'000'000}; //!< rate of a rank on all its NIC ports
    uint64_t intraNodeBytesPerSecond{450'000'000'000}; //!< rate of a rank inside its server
};

/** @return the steps of an operation between servers, as NCCL counts them */
uint32_t CountNcclNetworkSteps(const NcclOperation& operation);

/**
 * @return NCCL's estimate of an operation with a protocol. For rings it is NCCL's own; for
 * algorithms that NCCL does not have, a step is a round, and the bytes are those of the busiest NIC
 */
Picoseconds EstimateNcclTime(const NcclOperation& operation, CollectiveProtocol protocol);

/**
 * @return the protocol that NCCL takes: of sends and all-to-alls LL up to 16 KiB to a rank on each
 * channel (NCCL_P2P_LL_THRESHOLD), and else SIMPLE; of others the one with the least estimate, of
 * equal ones the first
 */
CollectiveProtocol ChooseNcclProtocol(const NcclOperation& operation);

/**
 * A step of a protocol takes as much of a step of SIMPLE as the latencies of NCCL's tuning are to
 * each other: on a rail or the network of the hosts 5.0 (LL), 8.5 (LL128) and 14 us, in a server
 * 0.6, 1.9 and 3.4 us.
 * @param step of SIMPLE
 * @return the step of the protocol
 */
Time ScaleNcclStep(Time step, CollectiveProtocol protocol, TransportKind kind);

/**
 * @return the times of SIMPLE in NCCL's tuning: start-up 8.4 us (base latency of a ring); steps of
 * 14 us between servers and 3.4 us inside; 1 us to post a message to a network (NCCL_NET_OVERHEAD).
 * NCCL uses them to choose; they are no measurement of a cluster
 */
CollectiveTimes GetNcclTimes();

} // namespace ns3

#endif /* PHOTONIC_RAILS_NCCL_TUNING_H */
