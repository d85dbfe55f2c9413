/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_MARKS_H
#define PHOTONIC_RAILS_OPUS_MARKS_H

#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"
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
 * where each leaves and where it comes in, and arrows from one to another.
 *
 * | arrow              | from, to                                                               |
 * |--------------------|------------------------------------------------------------------------|
 * | "request" and such | a message leaves, and is there                                         |
 * | "leads to"         | at a controller: a REQUEST or DONE of the phase is there, and PROGRAM, |
 * |                    | GRANT or REFUSE leaves, of which it was the last cause                 |
 * | "granted"          | at a shim: its REQUEST leaves, and the GRANT of it is there            |
 * | "refused"          | the same, with REFUSE                                                  |
 *
 * So there is a way from each REQUEST over PROGRAM and DONE to the GRANT, and a short one beside
 * it. Is a grant the answer to several requests of the server, then its arrow begins at the last of
 * them that the controller had. What the channel gave up, and was handed again, has a mark each
 * time, and its arrow begins where it left and got through; if it got through, and only the word of
 * that was lost, an arrow of an equal message may be missing. What a controller and its standby say
 * to each other is not drawn.
 */
class OpusMarks
{
  public:
    /** @param timeline where to draw */
    explicit OpusMarks(std::shared_ptr<Timeline> timeline);

    /** A message leaves, now. @param track of the sender's messages */
    void Sent(TimelineTrack track, const OpusMessage& message);
    /** A message is there, now. @param track of the receiver's messages */
    void Received(TimelineTrack track, const OpusMessage& message);
    /** A message did not get through. */
    void Failed(const OpusMessage& message);
    /** Nothing of a phase is waited for any more. */
    void Forget(const OpusPhase& phase);

    /** @return whether it is drawn */
    static bool IsDrawn(const OpusMessage& message);

  private:
    /** Where and when a message left or came in. */
    struct Mark
    {
        TimelineTrack track;
        Picoseconds when{0};
    };

    /** A message that has left. */
    struct Flight
    {
        Mark from;
        std::optional<Mark> request; //!< that it is the answer to
    };

    /** What a rank has asked for, as the controller knows. */
    struct Ask
    {
        ServerId server;
        Mark request; //!< at the shim
    };

    /** What is known of a phase. */
    struct Phase
    {
        std::map<std::pair<RankId, uint64_t>, Ask> asks; //!< by rank and number
        std::optional<Mark> cause; //!< at the controller: what came in last, and leads to something
    };

    /** What tells a message from others. */
    using Key = std::tuple<uint8_t,
                           uint32_t,
                           uint32_t,
                           uint32_t,
                           decltype(OpusPhase().AsTuple()),
                           bool,
                           uint64_t,
                           uint64_t,
                           std::vector<RankId>>;

    /** @return what tells a message from others */
    static Key KeyOf(const OpusMessage& message);
    /** Draws a mark, now. @return it */
    Mark Draw(TimelineTrack track, const OpusMessage& message);
    /** Draws an arrow. */
    void Arrow(const char* name, const Mark& from, const Mark& to);
    /** @return the last request that a message answers, of those that the controller has */
    std::optional<Mark> FindRequest(const Phase& phase, const OpusMessage& message) const;
    /** A refusal is final for who is at its server. */
    void EndAsks(const OpusMessage& refusal);
    /** What a message at a controller leads to will be drawn from its mark. */
    void Note(const OpusMessage& message, const Mark& mark, const std::optional<Flight>& flight);

    std::shared_ptr<Timeline> m_timeline;
    std::map<Key, std::deque<Flight>> m_flights;
    std::map<OpusPhase, Phase> m_phases;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_MARKS_H */
