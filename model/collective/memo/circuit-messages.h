/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MESSAGES_H
#define PHOTONIC_RAILS_CIRCUIT_MESSAGES_H

#include "operation-on-circuits.h"

#include "ns3/collective-run.h"
#include "ns3/frame-clock.h"
#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
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
class CircuitMessages
{
  public:
    /** @param operation all of whose ranks have entered; it must outlive this */
    explicit CircuitMessages(const OperationOnCircuits& operation);

    /** Goes through all messages. @return what becomes of the ranks, by place */
    std::vector<OperationOnCircuits::Outcome> Run();

  private:
    using Size = OperationOnCircuits::Size;

    /** A message that is ready. */
    struct Message
    {
        Picoseconds ready;
        const Size* size;
        uint32_t ordinal;
        uint64_t bytes;
    };

    /** One direction of a circuit. */
    struct Wire
    {
        FrameClock clock; //!< behind the frames that have begun
        bool isUsed{false};
        Picoseconds way{0};
        std::size_t back{0};          //!< the wire in the other direction
        uint32_t from{0};             //!< place of the rank whose data it carries
        uint32_t out{0};              //!< its way
        std::deque<Message> messages; //!< that are not over, in order
        uint64_t frame{0};            //!< of the first of them, the next to begin
        uint32_t version{0};          //!< of what is to begin
        Picoseconds decided{0};  //!< what the latest answer covers is ready before this instant
        Picoseconds answered{0}; //!< the latest answer is at the other end
    };

    /** A rank: its run, and where its ways lead. */
    class Rank : private CollectiveRun::Owner
    {
      public:
        Rank(CircuitMessages& messages, uint32_t place);

        /** It enters: its messages that depend on no arrival are ready. */
        void Enter();
        /** Takes a message. @param from place of its sender */
        void Take(uint32_t from, uint16_t channel, const Message& message, Picoseconds at);

        std::vector<std::size_t> wires; //!< by way out
        OperationOnCircuits::Outcome outcome;

        /** @return what was sent and has come */
        MessageTotals GetTotals() const
        {
            return m_run.GetTotals();
        }

      private:
        // CollectiveRun::Owner
        void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override;

        CircuitMessages& m_messages;
        const OperationOnCircuits::Rank& m_rank;
        CollectiveRun m_run;
        Picoseconds m_now{0};
    };

    /** What happens at an instant. Of one instant the first kind is first. */
    enum class What : uint8_t
    {
        BEGINS,  //!< a frame that requests an answer: nothing can delay it any more
        ARRIVES, //!< such a frame
    };

    /** Something that is to happen. */
    struct Event
    {
        Picoseconds at;
        What what;
        bool isEnd; //!< of what arrives: it ends the message
        uint32_t wire;
        uint32_t version; //!< of what begins
        Message message;  //!< that arrives

        /** @return whether the other one is before it */
        bool operator<(const Event& other) const
        {
            return at != other.at ? at > other.at : what > other.what;
        }
    };

    /** Makes the wires. */
    void MakeWires();
    /** @return the next frame of a wire's first message that requests an answer */
    uint64_t GetRequest(const Wire& wire) const;
    /** @return bytes of the frames of a wire's first message before the next such frame */
    uint64_t GetBytesBefore(const Wire& wire, uint64_t request) const;
    /** @return whether the next frame of a wire finds it idle */
    bool FindsIdle(const Wire& wire) const;
    /** Schedules the begin of the next such frame. */
    void Schedule(uint32_t wire);
    /** That frame begins. */
    void Begin(uint32_t wire);
    /** Frames that begin before an answer that is ready now are before it. */
    void BeginThose(Wire& wire, Picoseconds ready);
    /** Sends an answer on a wire, ready at an instant. @return whether it is one more */
    bool Answer(uint32_t wire, Picoseconds ready);
    /** A frame arrives that requests an answer. */
    void Arrive(const Event& event);

    const OperationOnCircuits& m_operation;
    uint32_t m_answerBytes; //!< on a wire, with preamble and gap
    std::vector<Wire> m_wires;
    std::deque<Rank> m_ranks; //!< by place; they don't move
    std::priority_queue<Event> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MESSAGES_H */
