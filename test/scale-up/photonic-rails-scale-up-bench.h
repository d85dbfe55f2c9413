/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_BENCH_H
#define PHOTONIC_RAILS_SCALE_UP_BENCH_H

#include "ns3/collective-transport.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"
#include "ns3/scale-up-helper.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * The common parts of tests of the fabric inside a server: its figures, a message, and a recorder
 * of the reports of transports.
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
Picoseconds Span(uint64_t bytes);

/** @return a helper with that rate and latency */
ScaleUpHelper MakeHelper();

/** @return a message */
TransportMessage MakeMessage(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes);

/** A report of a transport to its rank. */
struct Report
{
    char what; //!< arrived, settled, failed
    uint32_t rank;
    uint32_t tag;
    Picoseconds at;
    uint32_t from;
    uint32_t node; //!< the context of the call
    std::string why;
};

/** Records the reports of transports. */
class Witness
{
  public:
    void Watch(RankId rank, Ptr<Transport> transport);

    /** @return the reports of one kind to one rank, in order */
    std::vector<Report> Get(char what, uint32_t rank) const;

    std::vector<Report> reports;

  private:
    void Put(char what, RankId rank, const TransportMessage& message, const std::string& why);
    void Arrived(RankId rank, const TransportMessage& message);
    void Settled(RankId rank, const TransportMessage& message);
    void Failed(RankId rank, const TransportMessage& message, const std::string& why);
};

} // namespace scaleup

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_BENCH_H */
