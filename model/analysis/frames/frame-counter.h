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
 * @brief Counts what a NIC port sends and receives: frames and bytes of each kind.
 *
 * A run costs as much as a frame, however long it is. Received is what came in whole, for
 * whomever.
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
    /** How much there was. */
    struct Counts
    {
        uint64_t frames{0};
        uint64_t wireBytes{0};    //!< with preambles and gaps
        uint64_t payloadBytes{0}; //!< see PayloadOf()
    };

    /** @return what was sent of a kind */
    const Counts& GetSent(FrameKind kind) const;

    /** @return what was received of a kind */
    const Counts& GetReceived(FrameKind kind) const;

    /** @return what was sent of all kinds */
    Counts GetSent() const;

    /** @return what was received of all kinds */
    Counts GetReceived() const;

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;

  private:
    /** What there was of each kind. */
    using Table = std::array<Counts, FRAME_KINDS>;

    /** Adds frames to a table. */
    static void Add(Table& table,
                    const WireFrame& head,
                    const RoceFrame& tail,
                    const RunClock& times);
    /** @return what there was of all kinds */
    static Counts Sum(const Table& table);

    Table m_sent;
    Table m_received;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_COUNTER_H */
