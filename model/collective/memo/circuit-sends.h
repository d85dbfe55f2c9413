/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_SENDS_H
#define PHOTONIC_RAILS_CIRCUIT_SENDS_H

#include "circuit-wires.h"
#include "framed-size.h"
#include "sends-on-circuits.h"

#include "ns3/collective-run.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of sends on circuits (SendsOnCircuits), as they go through its wires: the
 * receiver reports its call when it enters, and the sender sends when it has entered and has that
 * report.
 *
 * Plain C++: no simulator.
 */
class CircuitSends : private CircuitWires::Owner
{
  public:
    /** @param sends must outlive this */
    explicit CircuitSends(const SendsOnCircuits& sends);

    /** Goes through all messages. @return what becomes of the ends, in the order of entries */
    std::vector<SendsOnCircuits::Outcome> Run();

  private:
    using Message = CircuitWires::Message;

    /** One end of a send, and where its ways lead. */
    class Half : private CollectiveRun::Owner
    {
      public:
        Half(CircuitSends& sends, uint32_t place);

        /** A receiver enters. */
        void Report();
        /** A sender has the report. */
        void Begin(Picoseconds at);
        /** Takes a message of the sender. */
        void Take(const Message& message, uint16_t channel, Picoseconds at);
        /** The other end has a message. */
        void Settle(Picoseconds at);

        std::vector<uint32_t> queuePairs; //!< by way out
        SendsOnCircuits::Outcome outcome;

        /** Sums up. */
        void End();

      private:
        // CollectiveRun::Owner
        void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override;
        /** Sends a message by a way. */
        void Send(std::size_t out, uint32_t ordinal, uint64_t bytes);

        CircuitSends& m_sends;
        const SendsOnCircuits::Half& m_half;
        uint32_t m_place;
        CollectiveRun m_run;
        Picoseconds m_now;
    };

    /** Makes the circuits and their queue pairs. */
    void MakeWires();
    /** @return the frames of messages of a size */
    const FramedSize& GetSize(uint64_t bytes, uint32_t mtu);
    // CircuitWires::Owner
    void MessageArrived(uint32_t queuePair, const Message& message, Picoseconds at) override;
    void MessageSettled(const Message& message, Picoseconds at) override;

    const SendsOnCircuits& m_known;
    CircuitWires m_wires;
    std::map<std::pair<uint64_t, uint32_t>, FramedSize> m_sizes; //!< by bytes on wires, and MTU
    std::deque<Half> m_halves;                                   //!< by place; they don't move
    std::size_t m_queuePairs{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_SENDS_H */
