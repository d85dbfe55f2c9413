/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULTS_BENCH_H
#define PHOTONIC_RAILS_FAULTS_BENCH_H

#include "../support/photonic-rails-opus-bench.h"

#include "ns3/fault-injector.h"
#include "ns3/fault.h"
#include "ns3/nstime.h"
#include "ns3/opus-controller-app.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * A job of two parallelisms on four servers, with an injector of faults.
 */

namespace ns3
{

/** The job. */
struct FaultsJob
{
    uint32_t iterations{2};
    Time compute{MicroSeconds(30)};
    uint64_t bytes{1 << 18}; //!< of a buffer
};

/** The job as it runs, with faults. */
class FaultsBench : public OpusBench
{
  public:
    /** @return four servers, with a standby; ranks stop at failures, and do not abort */
    static OpusCase MakeCase(const std::string& policy = "on-demand");

    /** @param one setup of the cluster @param job that runs on it, on each rail alike */
    FaultsBench(const OpusCase& one, const FaultsJob& job);

    ~FaultsBench();

    /** @return a fault of a kind, for the injector */
    static Fault MakeFault(FaultKind kind, Time at, Time duration);

    /** @return the mistakes of a run that ends well in spite of its faults */
    std::string RunToTheEnd();

    /** @return the mistakes in what controller, switches and shims believe, at the end */
    std::string CheckLedgers() const;

    Ptr<FaultInjector> injector;
    std::vector<OpusControllerApp::Role> roles[2]; //!< of each controller, as they were taken
    std::vector<uint32_t> terms;                   //!< in which a controller was in charge
    std::vector<std::string> outcomes;             //!< of faults, with the instant

  private:
    void Changed(uint32_t which, OpusControllerApp::Role role, uint32_t term);
    void Began(const Fault& fault, const std::string& outcome);
    void Ended(const Fault& fault, const std::string& outcome);
    void KindChanged(FaultKind kind, const Fault& fault, bool begins);

    std::vector<std::pair<Fault, bool>> m_changes;       //!< from FaultBegan and FaultEnded
    std::vector<std::pair<Fault, bool>> m_changesByKind; //!< from the sources of the kinds
    std::size_t m_operations{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULTS_BENCH_H */
