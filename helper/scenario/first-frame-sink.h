/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIRST_FRAME_SINK_H
#define PHOTONIC_RAILS_FIRST_FRAME_SINK_H

#include "ns3/frame-sink.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Records the instant at which a NIC port sends its first bit, without an event for each
 * frame.
 */
class FirstFrameSink : public FrameSink
{
  public:
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;

    /** @return the instant of the first bit; Time::Max(): no frame was sent */
    Time GetFirst() const;

  private:
    Picoseconds m_first{NEVER};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIRST_FRAME_SINK_H */
