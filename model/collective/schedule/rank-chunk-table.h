/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_CHUNK_TABLE_H
#define PHOTONIC_RAILS_RANK_CHUNK_TABLE_H

#include "ns3/mix-bits.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A value for each rank and chunk that is asked for.
 *
 * Schedules of large groups have millions of these, of which each is used a few times, so the table
 * is one array with open addressing: no allocation by value. A reference holds until the next
 * Get().
 */
template <typename Value>
class RankChunkTable
{
  public:
    RankChunkTable()
        : m_slots(SMALLEST)
    {
    }

    /** @return the value, or null if it was never asked for by Get() */
    const Value* Find(uint32_t rank, uint32_t chunk) const
    {
        const Slot& slot = m_slots[FindPlace(m_slots, Key(rank, chunk))];
        return slot.key == EMPTY ? nullptr : &slot.value;
    }

    /** @return the value, which is new if it was never asked for */
    Value& Get(uint32_t rank, uint32_t chunk)
    {
        const uint64_t key = Key(rank, chunk);
        std::size_t place = FindPlace(m_slots, key);
        if (m_slots[place].key == EMPTY)
        {
            if (2 * (m_used + 1) > m_slots.size())
            {
                Grow();
                place = FindPlace(m_slots, key);
            }
            ++m_used;
            m_slots[place].key = key;
        }
        return m_slots[place].value;
    }

  private:
    static constexpr uint64_t EMPTY = UINT64_MAX; //!< no rank and chunk have this key
    static constexpr std::size_t SMALLEST = 16;   //!< a power of two

    struct Slot
    {
        uint64_t key{EMPTY};
        Value value{};
    };

    static uint64_t Key(uint32_t rank, uint32_t chunk)
    {
        return uint64_t{rank} << 32 | chunk;
    }

    /** @return the place of a key, or of the empty slot where it would be */
    static std::size_t FindPlace(const std::vector<Slot>& slots, uint64_t key)
    {
        const std::size_t mask = slots.size() - 1;
        std::size_t place = MixBits(key) & mask;
        while (slots[place].key != key && slots[place].key != EMPTY)
        {
            place = (place + 1) & mask;
        }
        return place;
    }

    void Grow()
    {
        std::vector<Slot> larger(2 * m_slots.size());
        for (const Slot& slot : m_slots)
        {
            if (slot.key != EMPTY)
            {
                larger[FindPlace(larger, slot.key)] = slot;
            }
        }
        m_slots.swap(larger);
    }

    std::vector<Slot> m_slots; //!< at most half of them in use
    std::size_t m_used{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_CHUNK_TABLE_H */
