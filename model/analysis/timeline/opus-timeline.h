/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_TIMELINE_H
#define PHOTONIC_RAILS_OPUS_TIMELINE_H

#include "opus-marks.h"
#include "opus-plan-spans.h"
#include "timeline-recorder.h"
#include "timeline-tracks.h"

#include "ns3/ocs-agent.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-shim-app.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @param plane a control plane
 * @param timeline where to draw
 * @return what draws it: its controllers, shims and agents; nothing if it has no controller
 */
std::vector<Ptr<TimelineSource>> DrawControlPlane(const OpusControlPlane& plane,
                                                  std::shared_ptr<Timeline> timeline);

/**
 * @ingroup photonic-rails
 * @brief Somebody in a control plane: a process, with a track for messages.
 */
class EndpointTimeline : public TimelineSource
{
  protected:
    /**
     * @param timeline where to draw
     * @param marks of all messages
     * @param name of the process
     */
    EndpointTimeline(std::shared_ptr<Timeline> timeline,
                     std::shared_ptr<OpusMarks> marks,
                     const std::string& name);

    virtual void Sent(const OpusMessage& message, const OpusPeer& peer);
    virtual void Received(const OpusMessage& message, const OpusPeer& peer);
    void Failed(const OpusMessage& message, const OpusPeer& peer, const std::string& why);

    /** Listens to messages. @param endpoint whose @param source what draws it */
    static void ConnectMessages(OpusEndpoint& endpoint, const Ptr<EndpointTimeline>& source);

    std::shared_ptr<Timeline> m_timeline;
    std::shared_ptr<OpusMarks> m_marks;
    TimelineProcess m_process;
    TimelineTrack m_messages;
};

/**
 * @ingroup photonic-rails
 * @brief A controller: its decisions, and on a track for each rail its plans, from PROGRAM to DONE
 * or ALARM.
 */
class ControllerTimeline : public EndpointTimeline
{
  public:
    /**
     * @param timeline where to draw
     * @param marks of all messages
     * @param name "controller" or "standby"
     * @param rails how many there are
     */
    ControllerTimeline(std::shared_ptr<Timeline> timeline,
                       std::shared_ptr<OpusMarks> marks,
                       const std::string& name,
                       uint32_t rails);

    /** Listens. @param controller to whom @param source what draws it @param other, or null */
    static void Connect(OpusControllerApp& controller,
                        const Ptr<ControllerTimeline>& source,
                        OpusControllerApp* other);

    void Close(Picoseconds end) override;

  private:
    void Sent(const OpusMessage& message, const OpusPeer& peer) override;
    void Received(const OpusMessage& message, const OpusPeer& peer) override;
    void Decided(const ControllerNote& note);
    void RoleChanged(OpusControllerApp::Role role, uint32_t term);
    /** The other one of the pair takes over, or retires. */
    void OtherRoleChanged(OpusControllerApp::Role role, uint32_t term);

    TimelineTrack m_decisions;
    OpusPlanSpans m_plans;
};

/**
 * @ingroup photonic-rails
 * @brief A shim: what its ranks wait for, on a track each.
 *
 * What a rank asked for, and had at once, is not drawn. What it still waits for at the end is drawn
 * from the request on.
 */
class ShimTimeline : public EndpointTimeline
{
  public:
    /**
     * @param timeline where to draw
     * @param marks of all messages
     * @param name of the process
     */
    ShimTimeline(std::shared_ptr<Timeline> timeline,
                 std::shared_ptr<OpusMarks> marks,
                 const std::string& name);

    /** Listens. @param shim to whom @param source what draws it */
    static void Connect(OpusShimApp& shim, const Ptr<ShimTimeline>& source);

    void Close(Picoseconds end) override;

  private:
    void Sent(const OpusMessage& message, const OpusPeer& peer) override;
    void Received(const OpusMessage& message, const OpusPeer& peer) override;
    void Answered(const ShimNote& note);
    /** Draws a wait of a rank. */
    void Draw(RankId rank,
              const std::string& name,
              Picoseconds from,
              Picoseconds to,
              const TimelineArguments& arguments);

    std::map<RankId, TimelineTracks> m_ranks;
    std::map<GroupId, std::string> m_parallelisms;                 //!< of groups, the parallelism
    std::map<std::pair<RankId, OpusPhase>, Picoseconds> m_waiting; //!< since when
};

/**
 * @ingroup photonic-rails
 * @brief The agent of a switch: from when to when it had a plan carried out.
 */
class AgentTimeline : public EndpointTimeline
{
  public:
    /** @param timeline where to draw @param marks of all messages @param rail whose switch it is */
    AgentTimeline(std::shared_ptr<Timeline> timeline,
                  std::shared_ptr<OpusMarks> marks,
                  RailId rail);

    /** Listens. @param agent to whom @param source what draws it */
    static void Connect(OcsAgent& agent, const Ptr<AgentTimeline>& source);

    void Close(Picoseconds end) override;

  private:
    void Begun(const OpusMessage& program);
    void Ended(const OpusMessage& program, const OpusMessage& answer);

    OpusPlanSpans m_plans;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_TIMELINE_H */
