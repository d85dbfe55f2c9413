/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_INJECTOR_H
#define PHOTONIC_RAILS_FAULT_INJECTOR_H

#include "fault-kind-source.h"
#include "fault-targets.h"

#include "ns3/event-id.h"
#include "ns3/fault-schedule.h"
#include "ns3/fault.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/operation-record.h"
#include "ns3/opus-control-plane.h"
#include "ns3/ptr.h"
#include "ns3/rail.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Makes components of a cluster fail, and repairs them.
 *
 * It gets the parts of the cluster, and faults: by Add(), as a FaultSchedule from a file, a real
 * trace or random draws (ReadFaultSchedule(), ReadFaultTrace(), FaultDraws), before the run or in
 * the course of it. Each fault begins at its instant and ends when its duration is over.
 *
 * **Several faults of a component.** The state of a component follows from the set of faults that
 * hold for it, and from nothing else: a component is repaired when the last of them has ended. So
 * the order of events of one instant makes no difference. Faults that begin at an instant at which
 * others end are there first: a component whose faults follow each other directly is not repaired
 * in between. Losses of frames and packets are independent of each other, further delays add up,
 * factors of a slow GPU multiply, and the longest further time of a slow port holds.
 *
 * **Jobs come and go.** A fault of a GPU hits the ranks that have an application on its node then,
 * and have not ended; FaultTargets finds others. A script that places a rank on a server later
 * calls ApplyTo() for it.
 *
 * **Ranks and failures.** A rank whose peer is gone has messages that fail, or waits. By default it
 * stops the simulation with a report. Set its AbortOnFailure to false, and its StallLimit, for a
 * run that goes on.
 *
 * **Trace sources.** FaultBegan and FaultEnded have all faults. Each kind has a source of its own
 * too, which is named as the kind: FiberCut for fiber-cut, and so on.
 *
 * **The end of a run.** A fault that has not come yet keeps a simulation going. Stop() drops all
 * that is pending; StopAfter() does so when ranks have ended their programs. Shims that are down
 * are restarted even then: controllers wait for the farewell of the ranks.
 *
 * @code
 * Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
 * injector->SetRails(rails);
 * injector->AddControlPlane(plane);
 * Fault cut;
 * cut.kind = FaultKind::FIBER_CUT;
 * cut.at = MilliSeconds(3);
 * cut.server = 1;
 * injector->Add(cut);
 * @endcode
 */
class FaultInjector : public Object, public FaultKindSources
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    FaultInjector();
    ~FaultInjector() override;

    /**
     * Sets the rails: GPU g of server s is GPU s of rail g.
     * @param rails of the cluster, by number
     */
    void SetRails(const std::vector<Rail>& rails);

    /**
     * Adds a control plane. A fault of a controller, an agent, a shim or the management network is
     * one of all control planes.
     */
    void AddControlPlane(const OpusControlPlane& plane);

    /** @param targets finds the ranks and shims of servers, in place of their nodes */
    void SetTargets(Ptr<FaultTargets> targets);

    /** @return the numbers of components that faults may name */
    FaultCluster GetCluster() const;

    /**
     * Adds a fault. Aborts with the mistake if the cluster has no such component, or if its instant
     * is over.
     */
    void Add(const Fault& fault);

    /** Adds all faults of a schedule. Aborts with all mistakes if there are any. */
    void Load(const FaultSchedule& schedule);

    /**
     * Drops all faults and repairs that have not come yet, but for restarts of shims, and the ends
     * of losses and partitions of the management network: without them controllers would wait for
     * the farewells of ranks for ever.
     */
    void Stop();

    /** Calls Stop() when these ranks have ended their programs, or have failed. */
    void StopAfter(const std::vector<Ptr<CollectiveApplication>>& ranks);

    /** @return the faults that hold now, by instant */
    std::vector<Fault> GetActive() const;

    /** @return whether a GPU has failed, or its server is lost */
    bool IsLost(uint32_t server, uint32_t gpu) const;

    /** @return whether a server is lost */
    bool IsServerLost(uint32_t server) const;

    /** @return the factor of the times of a GPU's computations, 1 if it is not slow */
    double GetSlowFactor(uint32_t server, uint32_t gpu) const;

    /** A rank is placed on a GPU, now: the faults of the GPU hold for it. */
    void ApplyTo(uint32_t server, uint32_t gpu, Ptr<CollectiveApplication> rank) const;

    /** Counts of faults. */
    struct Counters
    {
        uint64_t added{0};
        uint64_t begun{0};
        uint64_t ended{0};
        uint64_t dropped{0}; //!< by Stop(): faults that have not come, and repairs
    };

    /** @return the counts of all faults */
    const Counters& GetCounters() const;
    /** @return the faults of a kind that have begun */
    uint64_t GetBegun(FaultKind kind) const;

    /** Signature of FaultBegan and FaultEnded: the fault, and what came of it, in words. */
    typedef void (*FaultCallback)(const Fault& fault, const std::string& outcome);
    /** Signature of the source of each kind, such as FiberCut: the fault, and whether it begins. */
    typedef void (*KindCallback)(const Fault& fault, bool begins);

  protected:
    void DoDispose() override;

  private:
    /** Faults that begin and end at one instant. */
    struct Instant
    {
        std::multiset<Fault> begin;
        std::multiset<Fault> end;
        EventId event;
    };

    /** @return whether faults of a kind may keep the farewells of ranks from the controllers */
    static bool KeepsFarewells(FaultKind kind);
    /** Leaves of an instant the repairs of such faults that hold. @return what it has dropped */
    uint64_t DropAllButNeeded(Instant& instant) const;

    /** A rank that StopAfter() waits for. */
    struct AwaitedRank
    {
        const CollectiveApplication* application; //!< which holds callbacks to this object
        bool isOver{false};
    };

    /** @return the instant, with its event */
    Instant& At(Time when);
    /** Faults begin and end, now. */
    void Run(Time when);
    /** A fault begins, now. */
    void Begin(const Fault& fault);
    /** A fault ends, now. */
    void End(const Fault& fault);
    /** Gives the component of a fault the state that follows from all faults. @return in words */
    std::string Update(const Fault& fault);
    /** @return the faults of a kind that hold, for which `matches` returns true */
    template <typename Matches>
    std::vector<Fault> Find(FaultKind kind, Matches matches) const;
    /** @return whether a fault of a kind holds, for which `matches` returns true */
    template <typename Matches>
    bool Holds(FaultKind kind, Matches matches) const;
    /** @return the number of faults of the same component that hold */
    std::size_t CountLike(const Fault& fault) const;

    /** @return the fiber of a NIC port */
    Ptr<OpticalFiber> GetFiber(const Fault& fault) const;
    /** @return the switch of a fault's rail */
    Ptr<OpticalCircuitSwitch> GetSwitch(const Fault& fault) const;
    /** @return the nodes of ends on the network of a control plane, each once */
    NodeContainer FindNodes(const OpusControlPlane& plane,
                            const std::vector<ManagementEnd>& ends) const;
    /** @return the applications of ranks on a GPU that have not ended their programs */
    std::vector<Ptr<CollectiveApplication>> FindRanks(uint32_t server, uint32_t gpu) const;
    /** @return the shims on a server */
    std::vector<Ptr<OpusShimApp>> FindShims(uint32_t server) const;

    std::string UpdateFiber(const Fault& fault);
    std::string UpdateLoss(const Fault& fault);
    std::string UpdateSwitchPort(const Fault& fault);
    std::string UpdateWiring(const Fault& fault);
    std::string UpdateSwitchPower(const Fault& fault);
    std::string UpdateNic(uint32_t server, uint32_t gpu, uint32_t port);
    std::string UpdateLinks(const std::vector<ManagementEnd>& ends);
    std::string UpdateParts();
    std::string UpdateController(FaultKind kind);
    std::string UpdateAgents(RailId rail);
    std::string UpdateShims(uint32_t server);
    std::string UpdateGpu(uint32_t server, uint32_t gpu);
    std::string UpdateServer(uint32_t server);

    /** Schedules the next change of a flapping port. @param change its number, from 1 */
    void ScheduleFlap(const Fault& fault, uint64_t change);
    /** A flapping port changes, now. */
    void Flap(const Fault& fault, uint64_t change);
    /** @return the instant of a change of a flapping port */
    static Time GetFlap(const Fault& fault, uint64_t change);

    // Called by ranks of StopAfter()
    void ProgramEnded(uint32_t index, RankId rank);
    void OperationFailed(uint32_t index, const OperationRecord& record);
    void Stalled(uint32_t index, const std::string& report);
    /** A rank of StopAfter() is over. */
    void RankIsOver(uint32_t index);

    std::vector<Rail> m_rails;
    std::vector<OpusControlPlane> m_planes;
    Ptr<FaultTargets> m_targets;
    std::map<Time, Instant> m_instants; //!< to come
    std::multiset<Fault> m_active;
    std::set<Fault> m_flappedDown;                   //!< flapping faults whose port is down now
    std::map<Fault, EventId> m_flaps;                //!< next changes of flapping ports
    std::map<const OpticalFiber*, double> m_ownLoss; //!< loss rates without faults, of fibers with
    std::set<FaultKind> m_crashed;                   //!< kinds of controllers that were crashed
    std::vector<AwaitedRank> m_awaited;
    std::size_t m_awaitedLeft{0};
    Counters m_counters;
    std::map<FaultKind, uint64_t> m_begun;
    TracedCallback<const Fault&, const std::string&> m_faultBegan;
    TracedCallback<const Fault&, const std::string&> m_faultEnded;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_INJECTOR_H */
