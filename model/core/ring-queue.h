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
 * Releases the resources of a value that is no longer needed. A type that is costly to build has an
 * overload of its own, which keeps the rest.
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
 * @brief A queue in one block of memory. It allocates the block with the first element.
 *
 * A std::deque takes 576 bytes when it is empty; a simulated cluster has a hundred thousand queues
 * that stay empty.
 */
template <typename T>
class RingQueue
{
  public:
    /** @return whether the queue is empty */
    bool empty() const
    {
        return m_size == 0;
    }

    /** @return the number of elements */
    std::size_t size() const
    {
        return m_size;
    }

    /** @return the element at a place, counted from the oldest */
    T& operator[](std::size_t i)
    {
        NS_ASSERT(i < m_size);
        return m_slots[(m_first + i) & (m_slots.size() - 1)];
    }

    /** @return the element at a place, counted from the oldest */
    const T& operator[](std::size_t i) const
    {
        NS_ASSERT(i < m_size);
        return m_slots[(m_first + i) & (m_slots.size() - 1)];
    }

    /** @return the oldest element */
    T& front()
    {
        return (*this)[0];
    }

    /** @return the oldest element */
    const T& front() const
    {
        return (*this)[0];
    }

    /** @return the newest element */
    T& back()
    {
        return (*this)[m_size - 1];
    }

    /** @return the newest element */
    const T& back() const
    {
        return (*this)[m_size - 1];
    }

    /** Adds an element as the newest. */
    void push_back(T&& value)
    {
        Extend() = std::move(value);
    }

    /**
     * Adds an element as the newest.
     * @return that element in its vacated state; the caller sets it
     */
    T& Extend()
    {
        if (m_size == m_slots.size())
        {
            Grow();
        }
        ++m_size;
        return back();
    }

    /** Adds an element as the newest. */
    void push_back(const T& value)
    {
        push_back(T(value));
    }

    /** Removes the oldest element. */
    void pop_front()
    {
        Vacate(front());
        m_first = (m_first + 1) & (m_slots.size() - 1);
        --m_size;
    }

    /** Removes the newest element. */
    void pop_back()
    {
        Vacate(back());
        --m_size;
    }

    /** Removes all elements, and frees the memory. */
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
        std::vector<T> larger(m_slots.empty() ? 1 : 2 * m_slots.size());
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
