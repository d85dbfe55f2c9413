/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_READY_QUEUE_PAIRS_H
#define PHOTONIC_RAILS_READY_QUEUE_PAIRS_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The queue pairs of a port that have frames to send, by traffic class and number: those
 * with data, and those with answers.
 *
 * A class is ready if and only if one of its two lists has an entry.
 *
 * Plain C++: no simulator.
 */
class ReadyQueuePairs
{
  public:
    /** Numbers of queue pairs, in ascending order. */
    using List = std::vector<uint32_t>;

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
     * Goes through the queue pairs of a class in turn: by number, from the one after another, with
     * wrap-around, each once.
     * @param after the number of the queue pair that was served last
     * @param peek is called with each number until it returns true
     * @return whether it returned true
     */
    template <typename Peek>
    bool FindInTurn(uint8_t trafficClass, uint32_t after, Peek peek) const
    {
        const List& data = m_data[trafficClass];
        const List& answers = m_answers[trafficClass];
        if (data.size() + answers.size() == 1)
        {
            return peek(data.empty() ? answers.front() : data.front());
        }
        for (const bool wrapped : {false, true})
        {
            auto d = wrapped ? data.begin() : std::upper_bound(data.begin(), data.end(), after);
            auto a =
                wrapped ? answers.begin() : std::upper_bound(answers.begin(), answers.end(), after);
            while (d != data.end() || a != answers.end())
            {
                const bool takeAnswer = d == data.end() || (a != answers.end() && *a <= *d);
                const uint32_t id = takeAnswer ? *a : *d;
                if (wrapped && id > after)
                {
                    break;
                }
                if (peek(id))
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

    /** Adds a queue pair to a list of a class. */
    void Insert(List& list, uint8_t trafficClass, uint32_t id)
    {
        const auto place = std::lower_bound(list.begin(), list.end(), id);
        if (place == list.end() || *place != id)
        {
            list.insert(place, id);
            m_classes |= 1U << trafficClass;
        }
    }

    /** Removes a queue pair from a list of a class. */
    void Remove(List& list, uint8_t trafficClass, uint32_t id)
    {
        const auto place = std::lower_bound(list.begin(), list.end(), id);
        if (place != list.end() && *place == id)
        {
            list.erase(place);
        }
        if (m_data[trafficClass].empty() && m_answers[trafficClass].empty())
        {
            m_classes &= ~(1U << trafficClass);
        }
    }

    std::array<List, CLASSES> m_data;    //!< by class
    std::array<List, CLASSES> m_answers; //!< by class
    uint32_t m_classes{0};               //!< a bit for each class with an entry in a list
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_READY_QUEUE_PAIRS_H */
