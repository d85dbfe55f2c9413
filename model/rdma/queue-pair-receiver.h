/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_RECEIVER_H
#define PHOTONIC_RAILS_QUEUE_PAIR_RECEIVER_H

#include "queue-pair-settings.h"
#include "rdma-message.h"

#include "ns3/roce-frame.h"
#include "ns3/run-clock.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The receiving half of a queue pair of a reliable connection: takes frames in order, once
 * each, and says what to answer. Plain C++ without a simulator.
 *
 * A frame that comes too early means that others are missing: it is dropped, and one NAK is sent
 * for each gap. With selective repeat it is kept, and a NAK is sent for each: it names the frame
 * that is missing first, and has the PSN of the one that is kept in place of the MSN. When the
 * frames that were missing are in, they and those kept behind them are acknowledged at once. A
 * frame that came before is acknowledged again if it asks for that.
 *
 * There is always a buffer for what comes in: receive work requests are not modelled, and so no
 * receiver-not-ready NAK.
 */
class QueuePairReceiver
{
  public:
    /** A message that has arrived whole. */
    struct Arrived
    {
        RdmaMessage message; //!< its id is its ordinal among those that arrived
        Picoseconds at;      //!< its last bit
    };

    /** What follows from a frame or a run. */
    struct Outcome
    {
        std::optional<RoceFrame> answer; //!< an acknowledgement: opcode, PSN, syndrome, MSN
        std::optional<Arrived> arrived;
    };

    /** What a queue pair has counted. */
    struct Counters
    {
        uint64_t frames{0};     //!< came in
        uint64_t accepted{0};   //!< of them, in order or kept
        uint64_t early{0};      //!< of them, dropped because others were missing
        uint64_t duplicates{0}; //!< of them, that had come before
        uint64_t naks{0};       //!< sent
        uint64_t messages{0};   //!< that arrived whole
        uint64_t payload{0};    //!< bytes accepted in order
    };

    /** @param settings of the queue pair */
    explicit QueuePairReceiver(const QueuePairSettings& settings);

    /**
     * A frame has arrived whole.
     * @param frame its headers
     * @param last when its last bit came
     * @return what follows; with selective repeat more messages may have come whole: ask again with
     *         TakeKept() until there is nothing
     */
    Outcome Receive(const RoceFrame& frame, Picoseconds last);

    /**
     * @param psn of the first frame of a run that comes in next
     * @param count how many there are
     * @return the place in the run, from 0, of the first that may be answered or end a message
     */
    uint64_t GetFirstAnswered(uint32_t psn, uint64_t count) const;

    /**
     * Frames of one run have arrived whole.
     * @param head the headers of the first
     * @param tail those of the last, the only one that may ask for an acknowledgement
     * @param count how many, 2 or more
     * @param times when they came
     * @return what follows
     */
    Outcome ReceiveRun(const RoceFrame& head,
                       const RoceFrame& tail,
                       uint64_t count,
                       const RunClock& times);

    /**
     * With selective repeat: takes the next frame that was kept and whose turn has come.
     * @param [out] outcome what follows
     * @return whether there was one
     */
    bool TakeKept(Picoseconds at, Outcome& outcome);

    /** @return the frame whose turn it is; all 1s if one is missing */
    uint64_t GetDue() const
    {
        return m_nakSent || !m_kept.empty() ? ~uint64_t{0} : m_expected;
    }

    /** @return an acknowledgement of all before that */
    RoceFrame MakeAcknowledgement(uint64_t upTo) const;

    /** @return what it has counted */
    const Counters& GetCounters() const;

  private:
    /** Takes the frame whose turn it is. */
    void Accept(const RoceFrame& frame, Picoseconds last, Outcome& outcome);
    /** @return an acknowledgement of all so far, or a NAK of the next */
    RoceFrame Answer(uint8_t syndrome) const;

    QueuePairSettings m_settings;
    uint64_t m_expected{0};               //!< index of the frame whose turn it is
    bool m_nakSent{false};                //!< for that frame; not with selective repeat
    std::map<uint64_t, RoceFrame> m_kept; //!< with selective repeat, what came early
    uint64_t m_bytes{0};                  //!< of the message that is coming in
    uint64_t m_messages{0};               //!< taken whole, wire messages, for the MSN
    Counters m_counters;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_RECEIVER_H */
