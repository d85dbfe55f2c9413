/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_BATCH_H
#define PHOTONIC_RAILS_FRAME_BATCH_H

#include "ns3/frame-sink.h"
#include "ns3/run-stepper.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Frames that a sink has received and not written yet: a place in a run.
 *
 * All members refer to the next frame. It holds a copy of a packet, because a switch may yet mark
 * the original.
 */
class FrameBatch
{
  public:
    /**
     * @param sent whether the port sent them; else it received them
     * @param head see FrameSink::TakeSent()
     * @param tail see FrameSink::TakeSent()
     * @param times their instants at the port
     */
    FrameBatch(bool sent, const WireFrame& head, const RoceFrame& tail, const RunClock& times)
        : m_sent(sent),
          m_step(times),
          m_head(head),
          m_tail(tail),
          m_psn(m_step.GetLeft() > 1 ? head.roce.psn : tail.psn)
    {
        if (head.packet)
        {
            m_head.packet = head.packet->Copy();
        }
    }

    /** @return whether the port sent it */
    bool IsSent() const
    {
        return m_sent;
    }

    /**
     * @return the instant of its order: the first bit of a sent frame, the last bit of a received
     *         one
     */
    Picoseconds GetInstant() const
    {
        return m_sent ? m_step.GetFirst() : m_step.GetLast();
    }

    /** @return when its first bit was at the port */
    Picoseconds GetFirst() const
    {
        return m_step.GetFirst();
    }

    /** @return when its last bit was at the port */
    Picoseconds GetLast() const
    {
        return m_step.GetLast();
    }

    /** @return whether it is the last of the run, whose headers are its own */
    bool IsTail() const
    {
        return m_step.GetLeft() == 1;
    }

    /** @return the common part of all frames of the run: packet and addresses */
    const WireFrame& GetFrame() const
    {
        return m_head;
    }

    /** @return its headers, except for GetPsn() and the fields that depend on it */
    const RoceFrame& GetRoce() const
    {
        return IsTail() ? m_tail : m_head.roce;
    }

    /** @return its packet sequence number, if it is an offload's */
    uint32_t GetPsn() const
    {
        return m_psn;
    }

    /** @return its size with preamble and gap */
    uint32_t GetWireBytes() const
    {
        return m_head.packet ? m_head.wireBytes
               : IsTail()    ? m_head.run.lastWireBytes
                             : m_head.run.wireBytes;
    }

    /** Goes to the next frame. @return false if there is none */
    bool Next()
    {
        if (IsTail())
        {
            return false;
        }
        m_step.Next();
        m_psn = IsTail() ? m_tail.psn : (m_psn + 1) & RoceFrame::PSN_MASK;
        return true;
    }

  private:
    bool m_sent;
    RunStepper m_step;
    WireFrame m_head;
    RoceFrame m_tail;
    uint32_t m_psn;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_BATCH_H */
