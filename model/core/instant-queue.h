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
 * @brief What comes to one object at one instant, done when the instant is over, in an order that
 * is not that of events.
 *
 * Symmetric ranks do the same at one picosecond. The order in which the simulator happens to run
 * the events of that picosecond is no property of the model, and differs between fidelities. So
 * what comes is kept, with a key, and `after` later (a picosecond, unless something else is said)
 * it is all done, by ascending keys; what has the same key, in the order in which it was added. It
 * is for the owner to see to it that the same key is given only to what one event, or one wire,
 * brings in order.
 *
 * What is added while the queue runs belongs to a later instant: it is done `after` later.
 *
 * @code
 * m_queue.Add({ARRIVAL, peer.address.Get(), peer.port}, [this, packet]() { Take(packet); });
 * @endcode
 */
class InstantQueue
{
  public:
    /** What things of an instant are sorted by, the first number first. */
    using Key = std::array<uint64_t, 3>;

    InstantQueue() = default;
    ~InstantQueue();
    InstantQueue(const InstantQueue&) = delete;
    InstantQueue& operator=(const InstantQueue&) = delete;

    /** @param after an instant, when it is done: 1 ps or more */
    void SetAfter(Picoseconds after);

    /** @param over is called when all that came at an instant has been done; may be empty */
    void SetOver(std::function<void()> over);

    /** Something comes now. @param key sorts it @param action what is to be done */
    void Add(const Key& key, std::function<void()> action);

    /** @return whether it does what an instant brought, or its owner is told that it is over */
    bool IsRunning() const;

    /** Forgets what has not been done. */
    void Clear();

  private:
    /** Something that came. */
    struct Item
    {
        Picoseconds when{0};
        Key key{};
        std::function<void()> action;
    };

    /** The instant is over. */
    void Run();
    /** Sees to it that what is there is done. */
    void Arm();

    Picoseconds m_after{1};
    std::function<void()> m_over;
    std::vector<Item> m_items; //!< in the order in which they came, so by time
    EventId m_event;
    uint64_t m_cleared{0}; //!< how many times everything was forgotten
    bool m_running{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INSTANT_QUEUE_H */
