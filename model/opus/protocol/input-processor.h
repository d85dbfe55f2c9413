/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INPUT_PROCESSOR_H
#define PHOTONIC_RAILS_INPUT_PROCESSOR_H

#include "processing-queue.h"

#include "ns3/event-id.h"
#include "ns3/instant-queue.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The processing of an application's inputs, which takes a random time for each: a
 * ProcessingQueue on the clock of the simulation.
 *
 * Inputs of one instant join the queue when the instant is over, by their turns, so that the order
 * of events has no influence. The action of an input is called when its processing has ended, in an
 * instant of the InstantQueue, before other actions of the owner there. Without a processing time
 * it takes no part.
 */
class InputProcessor
{
  public:
    /** The sort key of inputs of one instant; the first number counts first. */
    using Turn = std::array<uint64_t, 3>;

    /**
     * @param instant receives the ends of processing
     * @param key of these ends in the instant: the first sort key
     * @param ended is called after each action, with the times of its input
     */
    InputProcessor(InstantQueue& instant,
                   uint64_t key,
                   std::function<void(const ProcessingQueue::Times&)> ended);
    ~InputProcessor();
    InputProcessor(const InputProcessor&) = delete;
    InputProcessor& operator=(const InputProcessor&) = delete;

    /** @param seconds of processing for each input; null, or the constant 0: none */
    void SetTime(Ptr<RandomVariableStream> seconds);
    /** @return the seconds of processing for each input; null: none */
    Ptr<RandomVariableStream> GetTime() const;
    /** Fixes the random draws. @return the number of streams used */
    int64_t AssignStreams(int64_t stream);

    /** @return whether inputs go through the queue */
    bool IsOn() const;
    /** An input arrives in the present instant. @param action to call when it is processed */
    void Add(const Turn& turn, std::function<void()> action);
    /**
     * All inputs of an instant have arrived.
     * @param isGroup whether the results of inputs of one instant are sent together
     * @param send is called if results may be sent now
     */
    void InstantOver(bool isGroup, const std::function<void()>& send);
    /** Drops all inputs. */
    void Clear();

    /** @return the number of inputs in the queue, with the one that is being processed */
    std::size_t GetLength() const;
    /** @return the load so far */
    const ProcessingLoad& GetLoad() const;

  private:
    /** An input of the present instant. */
    struct Arrival
    {
        Turn turn{};
        std::function<void()> action;
    };

    /** Moves the inputs of the instant into the queue. */
    void Accept(bool isGroup);
    /** The processing time of an input is over, at the end of this instant. */
    void TimeOver();
    /** Ends the processing of an input. */
    void End();

    InstantQueue& m_instant;
    uint64_t m_key;
    std::function<void(const ProcessingQueue::Times&)> m_ended;
    Ptr<RandomVariableStream> m_time;
    bool m_isOn{false};
    std::vector<Arrival> m_arrivals;
    ProcessingQueue m_queue;
    uint64_t m_cleared{0}; //!< number of calls of Clear()
    EventId m_event;       //!< the end of processing
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INPUT_PROCESSOR_H */
