/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROCESSING_QUEUE_H
#define PHOTONIC_RAILS_PROCESSING_QUEUE_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace ns3
{

/** The load of a ProcessingQueue so far. */
struct ProcessingLoad
{
    uint64_t inputs{0};        //!< processed
    uint64_t longest{0};       //!< most inputs in the queue at once, with the one in processing
    Picoseconds busy{0};       //!< total processing time
    Picoseconds waited{0};     //!< sum of the waits from arrival to processing
    Picoseconds waitedMost{0}; //!< the longest of these waits
};

/**
 * @ingroup photonic-rails
 * @brief A server with one queue: inputs are processed one after another, in the order of arrival.
 * Times are in picoseconds.
 *
 * It models a single thread of an application. The queue is unlimited. The owner has the clock: it
 * begins the next input when IsReady(), and ends it when its processing time is over.
 *
 * Inputs may form groups whose results are sent together: IsWithinGroup() is true between the first
 * and the last input of a group.
 * @code
 * queue.Add(now, action, true);
 * if (queue.IsReady())
 * {
 *     queue.Begin(now, span);
 *     ... at now + span: queue.End()(); // the action
 * }
 * @endcode
 */
class ProcessingQueue
{
  public:
    /** The times of an input that has been processed. */
    struct Times
    {
        Picoseconds arrived{0};
        Picoseconds begun{0};
        Picoseconds ended{0};
    };

    /**
     * An input arrives.
     * @param now not before any earlier call
     * @param action to call when it is processed
     * @param isLast whether it is the last one of its group
     */
    void Add(Picoseconds now, std::function<void()> action, bool isLast);
    /** @return whether the next input can begin: one waits, and none is being processed */
    bool IsReady() const;
    /** Begins the next input. @param span its processing time */
    void Begin(Picoseconds now, Picoseconds span);
    /** Ends the input that is being processed, when its time is over. @return its action */
    std::function<void()> End();
    /** Drops all inputs. The load remains. */
    void Clear();

    /** @return whether the last input that has ended is not the last one of its group */
    bool IsWithinGroup() const;
    /** @return the number of inputs, with the one that is being processed */
    std::size_t GetLength() const;
    /** @return the times of the input that has ended last */
    const Times& GetLast() const;
    /** @return the load so far; an input counts when it has ended */
    const ProcessingLoad& GetLoad() const;

  private:
    /** An input. */
    struct Input
    {
        Picoseconds arrived{0};
        std::function<void()> action;
        bool isLast{true};
    };

    std::deque<Input> m_inputs; //!< the first one is in processing if there is a present one
    std::optional<Times> m_present;
    Times m_last;
    bool m_isWithinGroup{false};
    ProcessingLoad m_load;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROCESSING_QUEUE_H */
