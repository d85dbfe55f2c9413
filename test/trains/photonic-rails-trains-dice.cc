/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-dice.h"

#include <algorithm>

namespace ns3
{

uint64_t
Dice::Sized(uint64_t limit)
{
    uint64_t bits = 1;
    while (bits < 63 && limit >> bits != 0)
    {
        ++bits;
    }
    return std::clamp<uint64_t>(Below(uint64_t{1} << From(1, bits)), 1, limit);
}

} // namespace ns3
