/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_SINKS_H
#define PHOTONIC_RAILS_FRAME_SINKS_H

#include "frame-sink.h"

#include "ns3/picoseconds.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The sinks that receive the frames of one NIC port, in the order in which they were added.
 *
 * A frame that has an event of its own is settled a picosecond late: a decision on an idle wire
 * follows a picosecond after its instant, so a frame may still begin at the instant before.
 *
 * Plain C++: no simulator.
 */
class FrameSinks
{
  public:
    /** Adds a sink. It receives all later frames. */
    void Add(std::shared_ptr<FrameSink> sink);

    /**
     * Settles a sink for good and removes it.
     * @return false if it was not added
     */
    bool Remove(const std::shared_ptr<FrameSink>& sink);

    /** Settles all sinks for good and removes them. */
    void Close();

    /** A frame goes on the wire. @param now the present instant */
    void TakeSent(const WireFrame& frame, Picoseconds now) const;

    /** A frame has come in whole. @param now the present instant */
    void TakeReceived(const WireFrame& frame, Picoseconds now) const;

    /** @return whether all sinks take totals */
    bool TakeTotals() const;

    /** Frames went on the wire. */
    void AddSent(const FrameTotal& total) const;

    /** Frames have come in whole. */
    void AddReceived(const FrameTotal& total) const;

    /** @return whether there is no sink */
    bool IsEmpty() const
    {
        return m_sinks.empty();
    }

    /** @return the sinks, oldest first */
    const std::vector<std::shared_ptr<FrameSink>>& Get() const
    {
        return m_sinks;
    }

  private:
    std::vector<std::shared_ptr<FrameSink>> m_sinks;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_SINKS_H */
