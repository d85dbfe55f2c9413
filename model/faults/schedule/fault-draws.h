/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_DRAWS_H
#define PHOTONIC_RAILS_FAULT_DRAWS_H

#include "fault-schedule.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * The faults of all components of a kind: each fails on its own, is repaired, and may fail again.
 */
struct ComponentFaults
{
    Fault fault{};   //!< its kind and parameters; targets and times are drawn
    Time mtbf{0};    //!< mean time from the beginning, or a repair, to the next failure
    double shape{1}; //!< of its Weibull distribution; 1: exponential, above: wear, below: infancy
    Time mttr{0};    //!< mean time of a repair; 0: a fault lasts for good
    double repairShape{1}; //!< of its Weibull distribution
};

/** Faults that several components have at one instant. */
struct CommonFaults
{
    /** The components that an event may hit together. */
    enum class Group : uint8_t
    {
        SERVER, //!< those of a server
        RAIL,   //!< those of a rail and its switch
        RACK,   //!< those of consecutive servers
    };

    ComponentFaults each{}; //!< of events of one group: `mtbf` and `mttr` are the group's
    Group group{Group::RACK};
    uint32_t serversPerRack{1};
    double probability{1}; //!< that an event hits a component of the group
};

/**
 * @ingroup photonic-rails
 * @brief Random faults by rate: mean times between failures of classes of components, and events
 * that hit several of them.
 *
 * Times are of Weibull distributions with the given mean: the failure time has the distribution
 * 1 - exp(-(t / s)^shape), where s = mean / Gamma(1 + 1 / shape). A component that has failed fails
 * again only after its repair. Each draw is a function of the seed, the class of faults, the
 * component and its number of the draw: so the faults of a component do not depend on how many
 * others there are, and a longer schedule begins as a shorter one.
 *
 * Events of a group follow each other without regard to repairs: with shape 1 they are a Poisson
 * process. Each component of the group is hit with a probability, independently. All that one event
 * hits is repaired together.
 *
 * Plain C++: no simulator.
 *
 * @code
 * FaultDraws draws(injector->GetCluster(), 7);
 * ComponentFaults fibers;
 * fibers.fault.kind = FaultKind::FIBER_CUT;
 * fibers.mtbf = Hours(1000);
 * fibers.mttr = Hours(4);
 * draws.Add(fibers);
 * injector->Load(draws.Draw(Hours(24)));
 * @endcode
 */
class FaultDraws
{
  public:
    /**
     * @param cluster its components
     * @param seed of all draws
     */
    FaultDraws(const FaultCluster& cluster, uint64_t seed);

    /** Adds a class of faults. Aborts if a value is out of its range. */
    void Add(const ComponentFaults& faults);
    /** Adds events of groups. Aborts if a value is out of its range. */
    void Add(const CommonFaults& faults);

    /** @return the faults that begin before an instant */
    FaultSchedule Draw(Time until) const;

    /** @return a fault for each component of its kind in the cluster */
    std::vector<Fault> GetComponents(const Fault& fault) const;

  private:
    void DrawEach(const ComponentFaults& faults,
                  uint64_t number,
                  Time until,
                  FaultSchedule& schedule) const;
    void DrawCommon(const CommonFaults& faults,
                    uint64_t number,
                    Time until,
                    FaultSchedule& schedule) const;

    FaultCluster m_cluster;
    uint64_t m_seed;
    std::vector<ComponentFaults> m_each;
    std::vector<CommonFaults> m_common;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_DRAWS_H */
