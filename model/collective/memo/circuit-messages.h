/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MESSAGES_H
#define PHOTONIC_RAILS_CIRCUIT_MESSAGES_H

#include "circuit-wires.h"
#include "operation-on-circuits.h"

#include "ns3/collective-run.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of an operation on circuits (OperationOnCircuits), as they go through its
 * wires.
 *
 * Plain C++: no simulator.
 */
class CircuitMessages : private CircuitWires::Owner
{
  public:
    /** @param operation all of whose ranks have entered; it must outlive this */
    explicit CircuitMessages(const OperationOnCircuits& operation);

    /** Goes through all messages. @return what becomes of the ranks, by place */
    std::vector<OperationOnCircuits::Outcome> Run();

  private:
    using Message = CircuitWires::Message;

    /** A rank: its run, and where its ways lead. */
    class Rank : private CollectiveRun::Owner
    {
      public:
        Rank(CircuitMessages& messages, uint32_t place);

        /** It enters: its messages that depend on no arrival are ready. */
        void Enter();
        /** Takes a message. @param from place of its sender */
        void Take(uint32_t from, uint16_t channel, const Message& message, Picoseconds at);
        /** The other end has a message. */
        void Settle(Picoseconds at);
        /** Sums up. */
        void End();

        std::vector<uint32_t> queuePairs; //!< by way out
        OperationOnCircuits::Outcome outcome;

      private:
        // CollectiveRun::Owner
        void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override;

        CircuitMessages& m_messages;
        const OperationOnCircuits::Rank& m_rank;
        uint32_t m_place;
        CollectiveRun m_run;
        Picoseconds m_now{0};
    };

    /** Makes the circuits and their queue pairs. */
    void MakeWires();
    // CircuitWires::Owner
    void MessageArrived(uint32_t queuePair, const Message& message, Picoseconds at) override;
    void MessageSettled(const Message& message, Picoseconds at) override;

    const OperationOnCircuits& m_operation;
    CircuitWires m_wires;
    std::deque<Rank> m_ranks;                           //!< by place; they don't move
    std::vector<std::pair<uint32_t, uint32_t>> m_whose; //!< by queue pair: place, and way out
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MESSAGES_H */
