/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULTS_RANDOM_H
#define PHOTONIC_RAILS_FAULTS_RANDOM_H

#include "photonic-rails-faults-bench.h"

#include "ns3/fault-schedule.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * Random faults of random jobs, in both fidelities and with events of an instant in another order.
 */

namespace ns3
{

/** A job and its faults. */
struct FaultsDraw
{
    /** @param seed of all draws */
    explicit FaultsDraw(uint64_t seed);

    /** @return job and faults, in words */
    std::string Describe() const;

    OpusCase cluster;
    FaultsJob job;
    FaultSchedule schedule;
};

/** The variant of a run. */
struct FaultsMode
{
    std::string fidelity{"PacketEvents"};
    uint64_t salt{0}; //!< of the order of events; 0: that of ns-3
};

/** The events of a run, and what does not add up. */
struct FaultsOutcome
{
    std::vector<std::string> lines; //!< sorted
    std::string findings;
    bool isWhole{false}; //!< all operations have ended
    uint64_t begun{0};   //!< faults
};

/** @return the outcome of a run */
FaultsOutcome RunFaults(const FaultsDraw& drawn, const FaultsMode& mode);

/** The counts of many runs. */
struct FaultsCounts
{
    uint64_t whole{0};
    uint64_t begun{0};
};

/** @return the first difference between all modes, or the findings; empty if there are none */
std::string CompareFaults(const FaultsDraw& drawn, FaultsCounts& counts);

/** Draws from a seed on. */
class FaultsCase : public TestCase
{
  public:
    FaultsCase(uint64_t first, uint64_t count);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULTS_RANDOM_H */
