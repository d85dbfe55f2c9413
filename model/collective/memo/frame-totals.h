/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_TOTALS_H
#define PHOTONIC_RAILS_FRAME_TOTALS_H

#include "ns3/frame-total.h"
#include "ns3/rdma-message.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The frames of messages, by what sinks that need no instants tell apart.
 *
 * Plain C++.
 */
class FrameTotals
{
  public:
    /** Adds messages of one size. @param mtu bytes of payload of a frame */
    void AddMessages(RdmaVerb verb, uint64_t bytes, uint32_t mtu, uint64_t messages);

    /** Adds acknowledgements. */
    void AddAcknowledgements(uint64_t frames);

    /** @return the totals */
    const std::vector<FrameTotal>& Get() const
    {
        return m_totals;
    }

    /** @return the number of frames */
    uint64_t GetFrames() const;

  private:
    /** Adds frames. */
    void Add(const FrameTotal& total);

    std::vector<FrameTotal> m_totals;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_TOTALS_H */
