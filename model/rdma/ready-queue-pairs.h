/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_READY_QUEUE_PAIRS_H
#define PHOTONIC_RAILS_READY_QUEUE_PAIRS_H

#include "queue-pair-settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The queue pairs of a port that have frames to send, by traffic class: those with data, and
 * those with answers.
 *
 * A class is ready if and only if one of its two lists has an entry. Queue pairs take turns by
 * their order (QueuePairSettings::order), and those of equal order by number.
 *
 * Plain C++: no simulator.
 */
class ReadyQueuePairs
{
  public:
    /** Numbers of queue pairs, in the order of their turns. */
    using List = std::vector<uint32_t>;

    /** A new queue pair, without frames. @param id its number, above 0 */
    void Create(uint32_t id, const QueuePairOrder& order)
    {
        const std::pair entry(order, id);
        auto from = std::lower_bound(m_order.begin(), m_order.end(), entry);
        from = m_order.insert(from, entry);
        m_places.resize(std::max<std::size_t>(m_places.size(), id + 1));
        for (; from != m_order.end(); ++from)
        {
            m_places[from->second] = from - m_order.begin() + 1;
        }
    }

    /** @return a bit for each class that is ready */
    uint32_t GetClasses() const
    {
        return m_classes;
    }

    /** @return the queue pairs with data of a class */
    const List& GetData(uint32_t trafficClass) const
    {
        return m_data[trafficClass];
    }

    /** @return the queue pairs with answers of a class */
    const List& GetAnswers(uint32_t trafficClass) const
    {
        return m_answers[trafficClass];
    }

    /** A queue pair has data of a class. */
    void AddData(uint8_t trafficClass, uint32_t id)
    {
        Insert(m_data[trafficClass], trafficClass, id);
    }

    /** A queue pair has no data of a class. */
    void RemoveData(uint8_t trafficClass, uint32_t id)
    {
        Remove(m_data[trafficClass], trafficClass, id);
    }

    /** A queue pair has answers of a class. */
    void AddAnswers(uint8_t trafficClass, uint32_t id)
    {
        Insert(m_answers[trafficClass], trafficClass, id);
    }

    /** A queue pair has no answers of a class. */
    void RemoveAnswers(uint8_t trafficClass, uint32_t id)
    {
        Remove(m_answers[trafficClass], trafficClass, id);
    }

    /**
     * Goes through the queue pairs of a class in turn, from the one after another, with
     * wrap-around, each once.
     * @param after the number that was served last: a queue pair's, 0 (which is before all), or any
     * other (which is after all)
     * @param peek is called with each number, and with whether it is found after wrap-around, until
     * it returns true
     * @return whether it returned true
     */
    template <typename Peek>
    bool FindInTurn(uint8_t trafficClass, uint32_t after, Peek peek) const
    {
        const List& data = m_data[trafficClass];
        const List& answers = m_answers[trafficClass];
        const uint32_t last = PlaceOf(after);
        if (data.size() + answers.size() == 1)
        {
            const uint32_t id = data.empty() ? answers.front() : data.front();
            return peek(id, PlaceOf(id) <= last);
        }
        for (const bool wrapped : {false, true})
        {
            auto d = wrapped ? data.begin() : FindAfter(data, last);
            auto a = wrapped ? answers.begin() : FindAfter(answers, last);
            while (d != data.end() || a != answers.end())
            {
                const bool takeAnswer =
                    d == data.end() || (a != answers.end() && PlaceOf(*a) <= PlaceOf(*d));
                const uint32_t id = takeAnswer ? *a : *d;
                if (wrapped && PlaceOf(id) > last)
                {
                    break;
                }
                if (peek(id, wrapped))
                {
                    return true;
                }
                d += d != data.end() && *d == id ? 1 : 0;
                a += a != answers.end() && *a == id ? 1 : 0;
            }
        }
        return false;
    }

  private:
    static constexpr std::size_t CLASSES = 8;

    /** @return the place of a number in the order of turns, 1 or more; 0 of number 0 */
    uint32_t PlaceOf(uint32_t id) const
    {
        return id < m_places.size() ? m_places[id] : std::numeric_limits<uint32_t>::max();
    }

    /** @return the first entry of a list after a place */
    List::const_iterator FindAfter(const List& list, uint32_t place) const
    {
        return std::upper_bound(list.begin(), list.end(), place, [this](uint32_t a, uint32_t id) {
            return a < PlaceOf(id);
        });
    }

    /** @return where an entry is in a list, or belongs */
    List::iterator Find(List& list, uint32_t id) const
    {
        return std::lower_bound(list.begin(), list.end(), id, [this](uint32_t a, uint32_t b) {
            return PlaceOf(a) < PlaceOf(b);
        });
    }

    /** Adds a queue pair to a list of a class. */
    void Insert(List& list, uint8_t trafficClass, uint32_t id)
    {
        const auto place = Find(list, id);
        if (place == list.end() || *place != id)
        {
            list.insert(place, id);
            m_classes |= 1U << trafficClass;
        }
    }

    /** Removes a queue pair from a list of a class. */
    void Remove(List& list, uint8_t trafficClass, uint32_t id)
    {
        const auto place = Find(list, id);
        if (place != list.end() && *place == id)
        {
            list.erase(place);
        }
        if (m_data[trafficClass].empty() && m_answers[trafficClass].empty())
        {
            m_classes &= ~(1U << trafficClass);
        }
    }

    std::vector<std::pair<QueuePairOrder, uint32_t>> m_order; //!< all queue pairs, by their turns
    std::vector<uint32_t> m_places{0};                        //!< in m_order, from 1 on, by number
    std::array<List, CLASSES> m_data;                         //!< by class
    std::array<List, CLASSES> m_answers;                      //!< by class
    uint32_t m_classes{0}; //!< a bit for each class with an entry in a list
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_READY_QUEUE_PAIRS_H */
