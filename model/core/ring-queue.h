/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_QUEUE_H
#define PHOTONIC_RAILS_RING_QUEUE_H

#include "ns3/assert.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Gives back what a value holds that is not needed any more. A type that is costly to build has an
 * overload of its own, which leaves the rest as it is.
 * @param value a value that was moved from
 */
template <typename T>
void
Vacate(T& value)
{
    value = T();
}

/**
 * @ingroup photonic-rails
 * @brief A queue in one piece of memory that is none while it has never held anything.
 *
 * A std::deque takes 576 bytes when it is empty; a simulated cluster has a hundred thousand queues
 * that stay so.
 */
template <typename T>
class RingQueue
{
  public:
    /** @return whether it holds nothing */
    bool empty() const
    {
        return m_size == 0;
    }

    /** @return how many it holds */
    std::size_t size() const
    {
        return m_size;
    }

    /** @return one of them, counted from the oldest */
    T& operator[](std::size_t i)
    {
        NS_ASSERT(i < m_size);
        return m_slots[(m_first + i) & (m_slots.size() - 1)];
    }

    /** @return one of them, counted from the oldest */
    const T& operator[](std::size_t i) const
    {
        NS_ASSERT(i < m_size);
        return m_slots[(m_first + i) & (m_slots.size() - 1)];
    }

    /** @return the oldest */
    T& front()
    {
        return (*this)[0];
    }

    /** @return the oldest */
    const T& front() const
    {
        return (*this)[0];
    }

    /** @return the newest */
    T& back()
    {
        return (*this)[m_size - 1];
    }

    /** @return the newest */
    const T& back() const
    {
        return (*this)[m_size - 1];
    }

    /** Adds the newest. */
    void push_back(T&& value)
    {
        Extend() = std::move(value);
    }

    /** Adds the newest. @return it, as one that was vacated: to be set by the caller */
    T& Extend()
    {
        if (m_size == m_slots.size())
        {
            Grow();
        }
        ++m_size;
        return back();
    }

    /** Adds the newest. */
    void push_back(const T& value)
    {
        push_back(T(value));
    }

    /** Takes the oldest away. */
    void pop_front()
    {
        Vacate(front());
        m_first = (m_first + 1) & (m_slots.size() - 1);
        --m_size;
    }

    /** Takes all away, and the memory too. */
    void clear()
    {
        m_slots.clear();
        m_slots.shrink_to_fit();
        m_first = 0;
        m_size = 0;
    }

  private:
    /** Doubles the memory; its size is a power of two. */
    void Grow()
    {
        std::vector<T> larger(m_slots.empty() ? 4 : 2 * m_slots.size());
        for (std::size_t i = 0; i < m_size; ++i)
        {
            larger[i] = std::move((*this)[i]);
        }
        m_slots = std::move(larger);
        m_first = 0;
    }

    std::vector<T> m_slots;
    std::size_t m_first{0};
    std::size_t m_size{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_QUEUE_H */
