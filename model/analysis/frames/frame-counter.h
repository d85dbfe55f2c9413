/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_COUNTER_H
#define PHOTONIC_RAILS_FRAME_COUNTER_H

#include "frame-kind.h"

#include "ns3/frame-sink.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Counts the sent and received frames and bytes of a NIC port, by kind.
 *
 * The cost of a run does not depend on its length. Received frames are those that came in whole,
 * for any destination.
 *
 * @code
 * auto counter = std::make_shared<FrameCounter>();
 * nic->AddSink(counter);
 * Simulator::Run();
 * std::cout << counter->GetSent(FrameKind::ACKNOWLEDGE).frames;
 * @endcode
 */
class FrameCounter : public FrameSink
{
  public:
    /** Numbers of frames and bytes. */
    struct Counts
    {
        uint64_t frames{0};
        uint64_t wireBytes{0};    //!< with preambles and gaps
        uint64_t payloadBytes{0}; //!< see PayloadOf()
    };

    /** @return the sent frames of a kind */
    const Counts& GetSent(FrameKind kind) const;

    /** @return the received frames of a kind */
    const Counts& GetReceived(FrameKind kind) const;

    /** @return the sent frames of all kinds */
    Counts GetSent() const;

    /** @return the received frames of all kinds */
    Counts GetReceived() const;

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;
    bool IsInAnyOrder() const override;
    bool TakesTotals() const override;
    void AddSent(const FrameTotal& total) override;
    void AddReceived(const FrameTotal& total) override;

  private:
    /** The counts of each kind. */
    using Table = std::array<Counts, FRAME_KINDS>;

    /** Adds frames to a table. */
    static void Add(Table& table,
                    const WireFrame& head,
                    const RoceFrame& tail,
                    const RunClock& times);
    /** The same of frames that are alike. */
    static void Add(Table& table, const FrameTotal& total);
    /** @return the sum of all kinds */
    static Counts Sum(const Table& table);

    Table m_sent;
    Table m_received;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_COUNTER_H */
