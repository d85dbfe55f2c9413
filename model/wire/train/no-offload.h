/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NO_OFFLOAD_H
#define PHOTONIC_RAILS_NO_OFFLOAD_H

#include "batch-offload.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief In trains, the offload of a port that has none: it sends nothing, and takes no frames.
 *
 * So a switch with ports that nothing uses yet goes in trains. Frames to such a port do not
 * (WhyNoTrains() of their sender): the NIC has to count them.
 */
class NoOffload final : public BatchOffload
{
  public:
    // NicOffload

    uint32_t GetReadyClasses() const override
    {
        return 0;
    }

    bool PeekRun(uint8_t, uint32_t, Picoseconds, FrameRun&) override
    {
        return false;
    }

    void CommitRun(const FrameRun&, Picoseconds, const RunClock&, WireFrame&, RoceFrame*) override
    {
    }

    bool ReceiveFrame(const WireFrame&) override
    {
        return false;
    }

    bool ReceiveRun(const WireFrame&, const RoceFrame&, const RunClock&) override
    {
        return false;
    }

    void NotifyCarrier(bool) override
    {
    }

    // BatchOffload

    const char* WhyNoTrains(const std::vector<Mac48Address>&) const override
    {
        return nullptr;
    }

    Mac48Address GetPeer(uint32_t) const override
    {
        return {};
    }

    bool TakesTurns(uint8_t) const override
    {
        return true;
    }

    bool GetProspect(Prospect& prospect) const override
    {
        prospect = {};
        return true;
    }

    uint64_t GetFirstAnswered(const WireFrame&) const override
    {
        return 0;
    }

    void BeginTrains() override
    {
    }

    Outlook GetOutlook(bool) const override
    {
        return {};
    }

    bool MaySettle(const RoceFrame&) const override
    {
        return false;
    }

    Work GetStream(Stream&) const override
    {
        return Work::NONE;
    }

    uint64_t GetDue(uint32_t) const override
    {
        return 0;
    }

    void DescribeAnswer(uint32_t, uint64_t, WireFrame&) const override
    {
    }

    void ReceiveAnswers(const WireFrame&, uint64_t) override
    {
    }

    bool ChangesWhatIsSent(const RoceFrame&) const override
    {
        return false;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NO_OFFLOAD_H */
