/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_DICE_H
#define PHOTONIC_RAILS_TRAINS_DICE_H

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace ns3
{

/** Random numbers that are the same with every C++ library. */
class Dice
{
  public:
    explicit Dice(uint64_t seed)
        : m_random(seed)
    {
    }

    /** @return a number from 0 to one less than the limit */
    uint64_t Below(uint64_t limit)
    {
        return m_random() % limit;
    }

    /** @return a number from one to another, both included */
    uint64_t From(uint64_t least, uint64_t most)
    {
        return least + Below(most - least + 1);
    }

    /** @return true once in so many times */
    bool OneIn(uint64_t times)
    {
        return Below(times) == 0;
    }

    template <typename T>
    T Pick(std::initializer_list<T> values)
    {
        return *(values.begin() + Below(values.size()));
    }

    template <typename T>
    const T& Pick(const std::vector<T>& values)
    {
        return values[Below(values.size())];
    }

    /** Small ones as often as large ones. @return a number from 1 to a limit */
    uint64_t Sized(uint64_t limit);

  private:
    std::mt19937_64 m_random;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_DICE_H */
