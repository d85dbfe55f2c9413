/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_MARKS_H
#define PHOTONIC_RAILS_OPUS_MARKS_H

#include "ns3/nstime.h"
#include "ns3/opus-message.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of a control plane on a timeline: a mark, which is a slice of no length,
 * where each leaves and where it arrives, and arrows from one mark to another.
 *
 * | arrow              | from, to                                                               |
 * |--------------------|------------------------------------------------------------------------|
 * | "request" and such | a message leaves, and is there                                         |
 * | "leads to"         | at a controller: a REQUEST or DONE of the phase is there, and PROGRAM, |
 * |                    | GRANT or REFUSE leaves, of which it was the last cause                 |
 * | "granted"          | at a shim: its REQUEST leaves, and the GRANT of it is there            |
 * | "refused"          | the same, with REFUSE                                                  |
 *
 * So a chain of arrows leads from each REQUEST over PROGRAM and DONE to the GRANT, and a direct
 * arrow beside it. If a grant answers several requests of the server, its arrow begins at the last
 * of them that the controller had received. A message that the channel gave up, and that was sent
 * again, has a mark each time, and its arrow begins at the transmission that arrived; if a message
 * arrived and only its acknowledgement was lost, an arrow of an equal message may be missing.
 * Messages between a controller and its standby are not drawn.
 */
class OpusMarks
{
  public:
    explicit OpusMarks(std::shared_ptr<Timeline> timeline);

    /** A message leaves, now. @param track of the sender's messages */
    void Sent(TimelineTrack track, const OpusMessage& message);
    /** A message arrives, now. @param track of the receiver's messages */
    void Received(TimelineTrack track, const OpusMessage& message);
    /** A message was not delivered. */
    void Failed(const OpusMessage& message);
    /** No message of a phase is expected any more. */
    void Forget(const OpusPhase& phase);

    /** @return whether a message is drawn */
    static bool IsDrawn(const OpusMessage& message);

  private:
    /** The place and instant at which a message left or arrived. */
    struct Mark
    {
        TimelineTrack track;
        Time when{0};
    };

    /** A message that has left. */
    struct Flight
    {
        Mark from;
        std::optional<Mark> request; //!< that it answers
    };

    /** A request of a rank at the controller. */
    struct Request
    {
        ServerId server;
        Mark request; //!< at the shim
    };

    /** The state of a phase. */
    struct Phase
    {
        std::map<std::pair<RankId, uint64_t>, Request> requests; //!< by rank and number
        std::optional<Mark> cause; //!< at the controller: the latest message with an effect
    };

    /** The identity of a message. */
    using Key = std::tuple<uint8_t,
                           uint32_t,
                           uint32_t,
                           uint32_t,
                           OpusPhase::Tuple,
                           bool,
                           uint64_t,
                           uint64_t,
                           std::vector<RankId>>;

    /** @return the identity of a message */
    static Key KeyOf(const OpusMessage& message);
    /** Draws a mark, now. @return it */
    Mark Draw(TimelineTrack track, const OpusMessage& message);
    /** Draws an arrow. */
    void Arrow(const char* name, const Mark& from, const Mark& to);
    /** @return the last request that a message answers, of those at the controller */
    std::optional<Mark> FindRequest(const Phase& phase, const OpusMessage& message) const;
    /** Ends the requests of a server for a phase, after a refusal. */
    void EndRequests(ServerId server, const OpusPhase& phase);
    /** Records the mark of a message at a controller, for arrows to its effects. */
    void Note(const OpusMessage& message, const Mark& mark, const std::optional<Flight>& flight);

    std::shared_ptr<Timeline> m_timeline;
    std::map<Key, std::deque<Flight>> m_flights;
    std::map<OpusPhase, Phase> m_phases;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_MARKS_H */
