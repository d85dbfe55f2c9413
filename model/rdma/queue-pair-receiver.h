/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_RECEIVER_H
#define PHOTONIC_RAILS_QUEUE_PAIR_RECEIVER_H

#include "queue-pair-progress.h"
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
 * @brief The receiving half of a queue pair of a reliable connection: accepts frames in order, once
 * each, and makes the answers. Plain C++ without a simulator.
 *
 * An early frame shows that others are missing: the receiver drops it and sends one NAK for each
 * gap. With selective repeat it keeps the frame and sends a NAK for each: the NAK names the first
 * missing frame, and has the PSN of the kept frame in place of the MSN. When the missing frames
 * have arrived, one acknowledgement covers them and the kept frames behind them. A duplicate is
 * acknowledged again if it requests an acknowledgement.
 *
 * There is always a receive buffer: receive work requests and the receiver-not-ready NAK are not
 * modelled.
 */
class QueuePairReceiver
{
  public:
    /** A message that has arrived whole. */
    struct Arrived
    {
        RdmaMessage message; //!< its id is its ordinal among the arrived messages
        Picoseconds at;      //!< instant of its last bit
    };

    /** The results of a frame or a run. */
    struct Outcome
    {
        std::optional<RoceFrame> answer; //!< an acknowledgement: opcode, PSN, syndrome, MSN
        std::optional<Arrived> arrived;
    };

    /** Counts of the receiver. */
    struct Counters
    {
        uint64_t frames{0};     //!< came in
        uint64_t accepted{0};   //!< frames in order or kept
        uint64_t early{0};      //!< frames dropped because others were missing
        uint64_t duplicates{0}; //!< frames that had come before
        uint64_t naks{0};       //!< sent
        uint64_t messages{0};   //!< messages that arrived whole
        uint64_t payload{0};    //!< bytes accepted in order
    };

    /** @param settings of the queue pair, which must outlive this object */
    explicit QueuePairReceiver(const QueuePairSettings& settings);

    /**
     * A frame has arrived whole.
     * @param frame its headers
     * @param last the instant of its last bit
     * @return the results; with selective repeat more messages may be complete: call TakeKept()
     *         until it returns false
     */
    Outcome Receive(const RoceFrame& frame, Picoseconds last);

    /**
     * @param psn of the first frame of a run that comes in next
     * @param count number of frames
     * @return the place in the run, from 0, of the first frame that may cause an answer or end a
     *         message
     */
    uint64_t GetFirstAnswered(uint32_t psn, uint64_t count) const;

    /**
     * Frames of one run have arrived whole.
     * @param head the headers of the first frame
     * @param tail those of the last frame, the only one that may request an acknowledgement
     * @param count number of frames, 2 or more
     * @param times the instants of their arrival
     * @return the results
     */
    Outcome ReceiveRun(const RoceFrame& head,
                       const RoceFrame& tail,
                       uint64_t count,
                       const RunClock& times);

    /**
     * With selective repeat: accepts the kept frame that is next in order.
     * @param [out] outcome the results
     * @return whether there was one
     */
    bool TakeKept(Picoseconds at, Outcome& outcome);

    /** @return the index of the expected frame; all 1s if one is missing */
    uint64_t GetDue() const
    {
        return m_nakSent || !m_kept.empty() ? ~uint64_t{0} : m_expected;
    }

    /** @return an acknowledgement of all frames before an index */
    RoceFrame MakeAcknowledgement(uint64_t upTo) const;

    /** @return whether Skip() may be called: no message is on its way */
    bool MaySkip() const
    {
        return GetDue() == m_expected && m_bytes == 0;
    }

    /** Goes on behind messages that came in without frames. */
    void Skip(const QueuePairProgress& progress);

    /** @return the number of messages as the receiver counts them, for acknowledgements */
    uint64_t GetWireMessages() const
    {
        return m_messages;
    }

    /** @return its counts */
    const Counters& GetCounters() const;

  private:
    /** Accepts the expected frame. */
    void Accept(const RoceFrame& frame, Picoseconds last, Outcome& outcome);
    /** @return an acknowledgement of all frames so far, or a NAK of the next one */
    RoceFrame Answer(uint8_t syndrome) const;

    const QueuePairSettings& m_settings;
    uint64_t m_expected{0}; //!< index of the expected frame
    bool m_nakSent{false};  //!< a NAK of that frame was sent; not with selective repeat
    std::map<uint64_t, RoceFrame> m_kept; //!< with selective repeat, early frames
    uint64_t m_bytes{0};                  //!< received so far, of the incoming message
    uint64_t m_messages{0};               //!< complete wire messages, for the MSN
    Counters m_counters;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_RECEIVER_H */
