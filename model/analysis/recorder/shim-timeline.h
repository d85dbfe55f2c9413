/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_TIMELINE_H
#define PHOTONIC_RAILS_SHIM_TIMELINE_H

#include "endpoint-timeline.h"

#include "ns3/opus-message.h"
#include "ns3/opus-shim-app.h"
#include "ns3/shim-statistics.h"
#include "ns3/timeline-tracks.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A shim: the waits of its ranks, on a track each.
 *
 * A wait for the link of granted circuits follows that for the circuits. A request that was granted
 * at once is not drawn. A wait that lasts at the end is drawn from its
 * request on.
 */
class ShimTimeline : public EndpointTimeline
{
  public:
    /**
     * @param marks of all messages
     * @param name of the process
     */
    ShimTimeline(std::shared_ptr<Timeline> timeline,
                 std::shared_ptr<OpusMarks> marks,
                 const std::string& name);

    /** Connects to the trace sources of a shim. @param source receives the calls */
    static void Connect(OpusShimApp& shim, const Ptr<ShimTimeline>& source);

    void Close(Time end) override;

  private:
    void Sent(const OpusMessage& message, const OpusPeer& peer) override;
    void Received(const OpusMessage& message, const OpusPeer& peer) override;
    void Answered(const ShimNote& note);
    void LinkUp(const LinkUpNote& note);
    /** Draws a wait of a rank. */
    void Draw(RankId rank,
              const std::string& name,
              Time from,
              Time to,
              const TimelineArguments& arguments);

    std::map<RankId, TimelineTracks> m_ranks;
    std::map<GroupId, std::string> m_parallelisms;          //!< of groups, the parallelism
    std::map<std::pair<RankId, OpusPhase>, Time> m_waiting; //!< begin of each wait
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_TIMELINE_H */
