/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DIVIDE_UP_H
#define PHOTONIC_RAILS_DIVIDE_UP_H

#include <cstdint>

namespace ns3
{

/** @return the quotient, rounded up; the dividend is less than 2^64 - divisor */
constexpr uint64_t
DivideUp(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_DIVIDE_UP_H */
