/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INSTANT_QUEUE_H
#define PHOTONIC_RAILS_INSTANT_QUEUE_H

#include "picoseconds.h"

#include "ns3/event-id.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Actions that reach one object at one instant. They run when the instant is over, by key,
 * not in the order of events.
 *
 * Symmetric ranks act at the same picosecond. The order in which the simulator runs the events of
 * that picosecond is no property of the model, and differs between fidelities. So the queue keeps
 * each action with a key. `after` later (a picosecond by default) it runs all of them by ascending
 * keys, and actions of equal keys in the order in which they were added. The owner must use the
 * same key only for actions that one event, or one wire, brings in order.
 *
 * An action that is added while the queue runs belongs to a later instant: it runs `after` later.
 *
 * @code
 * m_queue.Add({ARRIVAL, peer.address.Get(), peer.port}, [this, packet]() { Take(packet); });
 * @endcode
 */
class InstantQueue
{
  public:
    /** The sort key of the actions of an instant; the first number counts first. */
    using Key = std::array<uint64_t, 3>;

    InstantQueue() = default;
    ~InstantQueue();
    InstantQueue(const InstantQueue&) = delete;
    InstantQueue& operator=(const InstantQueue&) = delete;

    /** @param after the delay from an instant to its actions: 1 ps or more */
    void SetAfter(Picoseconds after);

    /** @param over is called when all actions of an instant have run; may be empty */
    void SetOver(std::function<void()> over);

    /** Adds an action at the present instant. @param key the sort key */
    void Add(const Key& key, std::function<void()> action);

    /** @return whether the actions of an instant, or the callback after them, run now */
    bool IsRunning() const;

    /** Removes all actions that have not run. */
    void Clear();

  private:
    /** An action that waits. */
    struct Item
    {
        Picoseconds when{0};
        Key key{};
        std::function<void()> action;
    };

    /** The instant is over. */
    void Run();
    /** Schedules the run of the actions that wait. */
    void Arm();

    Picoseconds m_after{1};
    std::function<void()> m_over;
    std::vector<Item> m_items; //!< in the order in which they came, so by time
    std::vector<Item> m_spare; //!< empty: memory for the items of another instant
    EventId m_event;
    uint64_t m_cleared{0}; //!< number of calls of Clear()
    bool m_running{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INSTANT_QUEUE_H */
