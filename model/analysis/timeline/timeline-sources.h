/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_SOURCES_H
#define PHOTONIC_RAILS_TIMELINE_SOURCES_H

#include "timeline-recorder.h"

#include "ns3/collective-application.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of a rank: a process, with a track for each stream.
 */
class RankTimeline : public TimelineSource
{
  public:
    /** @param timeline where to draw @param rank whose */
    RankTimeline(std::shared_ptr<Timeline> timeline, RankId rank);

    /** @param application the rank's @param timeline where to draw @return its source */
    static Ptr<TimelineSource> Connect(Ptr<CollectiveApplication> application,
                                       std::shared_ptr<Timeline> timeline);

    void Close(Picoseconds end) override;
    bool IsIdle() const override;

  private:
    void Started(const OperationRecord& record);
    void Ended(const OperationRecord& record);
    void Failed(const OperationRecord& record);
    /** @return the track of a stream, which is made if it is not there */
    TimelineTrack TrackOf(uint32_t stream);

    std::shared_ptr<Timeline> m_timeline;
    TimelineProcess m_process;
    std::map<uint32_t, TimelineTrack> m_streams;
    std::map<uint32_t, OperationRecord> m_open; //!< by number
};

/**
 * @ingroup photonic-rails
 * @brief The circuits of an optical switch: a process, with a track for each port.
 */
class SwitchTimeline : public TimelineSource
{
  public:
    /** @param timeline where to draw @param rail whose switch it is */
    SwitchTimeline(std::shared_ptr<Timeline> timeline, const Rail& rail);

    /** @param rail whose switch it is @param timeline where to draw @return its source */
    static Ptr<TimelineSource> Connect(const Rail& rail, std::shared_ptr<Timeline> timeline);

    void Close(Picoseconds end) override;

  private:
    /** What a port does. */
    enum class State
    {
        FREE,          //!< nothing
        LIT,           //!< it has a circuit
        RECONFIGURING, //!< its mirror turns
        DARK,          //!< its circuit carries no light, by a fault
    };

    /** A port, and since when it does what it does. */
    struct Port
    {
        TimelineTrack track;
        State state{State::FREE};
        Picoseconds since{0};
        std::string circuit{}; //!< of a port that is lit
        uint64_t epoch{0};     //!< the same
    };

    void CircuitUp(PortId low, PortId high, uint64_t epoch);
    void CircuitDown(PortId low, PortId high, uint64_t epoch);
    void PlanAccepted(uint64_t plan, const CircuitPlan& what);
    void PlanQueued(uint64_t plan, const CircuitPlan& what);
    void PlanRefused(const CircuitPlanReport& report);
    void PlanEnded(const CircuitPlanReport& report);
    /** A plan has come. */
    void Note(const char* name, uint64_t plan, const CircuitPlan& what);
    /** @return a port */
    Port& At(PortId port);
    /** A port does something else from now on: what it did is drawn. */
    void Turn(PortId port, State state);
    /** Draws what a port does, up to an instant. */
    void Draw(const Port& port, Picoseconds end);

    std::shared_ptr<Timeline> m_timeline;
    OpticalCircuitSwitch* m_switch; //!< which holds the callbacks to this
    TimelineProcess m_process;
    std::vector<Port> m_ports;
    TimelineTrack m_plans;
    std::set<PortId> m_reconfiguring;
    std::set<PortId> m_joined;             //!< ports that the last plan gives a circuit
    std::optional<Picoseconds> m_accepted; //!< when the last plan was
};

/**
 * @ingroup photonic-rails
 * @brief The carrier of a NIC port: a track.
 */
class CarrierTimeline : public TimelineSource
{
  public:
    /** @param timeline where to draw @param track of the port @param nic the port */
    CarrierTimeline(std::shared_ptr<Timeline> timeline,
                    TimelineTrack track,
                    const Ptr<RailNetDevice>& nic);

    /** @param nic a port @param timeline where to draw @param track of it @return its source */
    static Ptr<TimelineSource> Connect(Ptr<RailNetDevice> nic,
                                       std::shared_ptr<Timeline> timeline,
                                       TimelineTrack track);

    void Close(Picoseconds end) override;

  private:
    /** The simulation goes on: circuits that were there before it are there now. */
    void Look();
    void Changed(bool carrier);

    std::shared_ptr<Timeline> m_timeline;
    TimelineTrack m_track;
    RailNetDevice* m_nic;               //!< which holds the callbacks to this
    std::optional<Picoseconds> m_since; //!< when carrier came, if there is any
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_SOURCES_H */
