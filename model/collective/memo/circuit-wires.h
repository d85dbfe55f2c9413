/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_WIRES_H
#define PHOTONIC_RAILS_CIRCUIT_WIRES_H

#include "framed-size.h"
#include "way-on-circuit.h"

#include "ns3/frame-clock.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Queue pairs on circuits that nothing else uses, worked out without a simulator: when their
 * messages arrive, and when the last one is acknowledged.
 *
 * **The promise.** Instants and counts are those of packet events (RdmaPort), to the picosecond,
 * for queue pairs without window and rate, whose answers have a class above that of data.
 *
 * **How.** A frame begins at a boundary, when the wire is through with the one before it, or at
 * once if the wire is idle. At a boundary those count that have been ready before it, and queue
 * pairs take turns; on an idle wire those that are ready in the same instant, from the first in
 * turn on. Answers go before data, and one answers for all frames of its queue pair that have come
 * by then. Only frames that request answers matter, as long as one queue pair alone has data: it
 * needs two steps for each of them, one when it begins and nothing can delay it any more, and one
 * when it arrives.
 *
 * Plain C++.
 *
 * @code
 * CircuitWires wires(owner);
 * const uint32_t queuePair = wires.AddQueuePair(way); // from the end at which the way begins
 * wires.Send(queuePair, {0, &size});
 * wires.Run(); // calls owner.MessageArrived(), and owner.MessageSettled()
 * @endcode
 */
class CircuitWires
{
  public:
    /** A message. */
    struct Message
    {
        Picoseconds ready{0};            //!< not before those of earlier ones of its queue pair
        const FramedSize* size{nullptr}; //!< must outlive it
        uint32_t ordinal{0};             //!< for the owner, as the following
        uint64_t bytes{0};
        uint32_t label{0};
    };

    /** Gets the messages. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /** A message has arrived, whole. More may be sent meanwhile, ready now or later. */
        virtual void MessageArrived(uint32_t queuePair, const Message& message, Picoseconds at) = 0;

        /** The sender has the answer to a message that has arrived. @param at then */
        virtual void MessageSettled(const Message& message, Picoseconds at) = 0;
    };

    /** @param owner must outlive this object */
    explicit CircuitWires(Owner& owner);

    /**
     * Adds the queue pair of a way, behind those before it in turn, and its circuit, if it is the
     * first there. @return its number, from 0
     */
    uint32_t AddQueuePair(const WayOnCircuit& way);

    /** Sends a message, behind earlier ones of the queue pair. */
    void Send(uint32_t queuePair, const Message& message);

    /** Goes on until nothing is under way. */
    void Run();

    /** @return what a queue pair has carried */
    const QueuePairProgress& GetProgress(uint32_t queuePair) const
    {
        return m_queuePairs[queuePair].progress;
    }

    /** @return when nothing is sent any more on the circuit of a queue pair, by end */
    std::array<Picoseconds, 2> GetQuiet(uint32_t queuePair) const;

  private:
    static constexpr uint32_t NONE = ~uint32_t{0};

    /** A queue pair. */
    struct QueuePair
    {
        uint32_t wire{0}; //!< of its data
        uint64_t ackEvery{0};
        std::deque<Message> messages;    //!< whose last frame has not begun, in order
        uint64_t frame{0};               //!< of the first of them, the next to begin
        uint32_t place{0};               //!< in turn, from 0
        bool owes{false};                //!< an answer, which is ready and has not begun
        std::deque<Message> underWay;    //!< whose last frame has begun and not arrived
        std::vector<Message> unanswered; //!< that have arrived
        QueuePairProgress progress{};
    };

    /** One direction of a circuit: data of queue pairs, and answers to those of the others. */
    struct Wire
    {
        FrameClock clock; //!< behind the frames that have begun
        bool isUsed{false};
        Picoseconds way{0};
        std::vector<uint32_t> queuePairs; //!< of the circuit, in turn
        uint32_t current{NONE};           //!< that alone has data, and sends frame after frame
        bool isDeciding{false};           //!< a decision is scheduled, at a boundary or idle
        uint32_t servedData{0};           //!< 1 + the last one's place in turn; 0: was idle
        uint32_t servedAnswers{0};        //!< the same
        uint32_t version{0};              //!< of what is scheduled
    };

    /** What waits for a wire. */
    struct Waiting
    {
        bool areAnswers{false};
        uint32_t data{0};   //!< queue pairs that have data
        uint32_t one{NONE}; //!< of these
    };

    /** What happens at an instant. Of one instant the first kind is first. */
    enum class What : uint8_t
    {
        BEGINS,  //!< a frame of the current queue pair that requests an answer
        DECIDES, //!< a frame ends: who is next, of those that were ready before
        ARRIVES, //!< a frame that requests an answer
        READY,   //!< a message
        STARTS,  //!< an idle wire begins with what is ready
    };

    /** Something that is to happen. */
    struct Event
    {
        Picoseconds at;
        What what;
        bool isEnd;       //!< of what arrives: it ends the message
        uint32_t number;  //!< of a queue pair that arrives or is ready; else of a wire
        uint32_t version; //!< of what was scheduled

        /** @return whether the other one is before it */
        bool operator<(const Event& other) const
        {
            return at != other.at ? at > other.at : what > other.what;
        }
    };

    /** @return whether a queue pair has data that was ready before an instant */
    static bool HasData(const QueuePair& pair, Picoseconds before)
    {
        return !pair.messages.empty() && pair.messages.front().ready < before;
    }

    /** @return the next frame of a queue pair's first message that requests an answer */
    static uint64_t GetRequest(const QueuePair& pair);
    /** @return bytes of the frames of a queue pair's first message before the next such frame */
    static uint64_t GetBytesBefore(const QueuePair& pair, uint64_t request);
    /** Schedules something on a wire, in place of what was scheduled. */
    void Schedule(uint32_t wire, What what, Picoseconds at);
    /** Data of a queue pair, or an answer, is ready on a wire. */
    void BecomesReady(uint32_t wire, uint32_t queuePair);
    /** The current queue pair is not alone any more: what has begun by now goes. */
    void Interrupt(uint32_t wire);
    /** A boundary, or an idle wire: who is next, of those that were ready before an instant? */
    void Decide(uint32_t wire, Picoseconds before);
    /** @return whether a queue pair has data on a wire that was ready before an instant */
    bool HasDataOn(uint32_t wire, uint32_t queuePair, Picoseconds before) const;
    /** @return whether a queue pair owes an answer that goes by a wire */
    bool OwesOn(uint32_t wire, uint32_t queuePair) const;
    /** @return what waits for a wire. @param before an instant: data that was ready before it */
    Waiting Look(uint32_t wire, Picoseconds before) const;
    /** A queue pair that alone has data sends frame after frame. */
    void BeginRun(uint32_t wire, uint32_t queuePair);
    /** A frame has begun: what is to happen behind it? */
    void GoOn(uint32_t wire);
    /** An answer begins. */
    void Answer(uint32_t wire, uint32_t queuePair);
    /** The next frame of a queue pair begins. */
    void BeginFrame(uint32_t wire, uint32_t queuePair);
    /** Something happens. */
    void Happen(const Event& event);

    /**
     * @param served 1 + the place of the last one in turn; 0: none
     * @return the next queue pair of a wire in turn for which a condition holds; NONE: there is
     * none
     */
    template <typename Condition>
    static uint32_t FindNext(const Wire& wire, uint32_t served, Condition condition);

    Owner& m_owner;
    uint32_t m_answerBytes; //!< on a wire, with preamble and gap
    Picoseconds m_now{ALWAYS_BEFORE};
    std::vector<Wire> m_wires;                  //!< two of a circuit
    std::map<std::size_t, uint32_t> m_circuits; //!< by number: the first wire
    std::deque<QueuePair> m_queuePairs;
    std::priority_queue<Event> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_WIRES_H */
