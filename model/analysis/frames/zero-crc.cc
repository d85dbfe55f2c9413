/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "zero-crc.h"

#include <array>
#include <cstddef>

namespace ns3
{

namespace
{

constexpr uint32_t GENERATOR = 0xedb88320; // of CRC-32, lowest power of x in the highest bit
constexpr uint32_t ONE = 0x80000000;

/** @return the product of two polynomials, modulo the generator */
constexpr uint32_t
Product(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a != 0; a <<= 1)
    {
        product ^= (a & ONE) != 0 ? b : 0;
        b = b >> 1 ^ ((b & 1) != 0 ? GENERATOR : 0); // times x
    }
    return product;
}

constexpr std::size_t POWERS = 32;

/** @return x^8, x^16, x^32 and so on: each the square of the one before */
constexpr std::array<uint32_t, POWERS>
MakePowers()
{
    std::array<uint32_t, POWERS> powers{};
    powers[0] = ONE >> 8;
    for (std::size_t i = 1; i < POWERS; ++i)
    {
        powers[i] = Product(powers[i - 1], powers[i - 1]);
    }
    return powers;
}

constexpr std::array<uint32_t, POWERS> g_powers = MakePowers();

} // namespace

ZeroCrc::ZeroCrc(uint64_t bytes)
    : m_power(ONE)
{
    // x^(2^32 - 1) is 1, so the powers are periodic
    for (std::size_t i = 0; bytes != 0; bytes >>= 1, i = (i + 1) % POWERS)
    {
        if ((bytes & 1) != 0)
        {
            m_power = m_power == ONE ? g_powers[i] : Product(m_power, g_powers[i]);
        }
    }
}

uint32_t
ZeroCrc::Advance(uint32_t crc) const
{
    return Product(m_power, crc);
}

} // namespace ns3
