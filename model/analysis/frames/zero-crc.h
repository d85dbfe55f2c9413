/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ZERO_CRC_H
#define PHOTONIC_RAILS_ZERO_CRC_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The effect of a number of zero bytes on the register of a CRC-32 (IEEE 802.3), without a
 * pass over them.
 *
 * The register is a polynomial over GF(2), and a zero byte multiplies it by x^8, modulo the
 * generator. So n of them are one product with x^(8 n), which takes as many products as n has one
 * bits.
 */
class ZeroCrc
{
  public:
    /** @param bytes number of zero bytes */
    explicit ZeroCrc(uint64_t bytes);

    /**
     * @param crc the register, not complemented, lowest power of x in the highest bit
     * @return the register after the zero bytes
     */
    uint32_t Advance(uint32_t crc) const;

  private:
    uint32_t m_power; //!< x^(8 bytes), modulo the generator
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ZERO_CRC_H */
