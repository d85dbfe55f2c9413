/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_OCTETS_H
#define PHOTONIC_RAILS_OPUS_OCTETS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** Writes numbers, most significant byte first. */
class OctetWriter
{
  public:
    /** Appends a number in as many bytes as its type has. */
    template <typename Number>
    void Put(Number number)
    {
        std::array<uint8_t, sizeof(Number)> octets;
        for (std::size_t i = 0; i < sizeof(Number); ++i)
        {
            octets[i] = static_cast<uint8_t>(number >> 8 * (sizeof(Number) - 1 - i));
        }
        PutAll(octets);
    }

    /** Appends bytes, such as those of a string. */
    template <typename Bytes>
    void PutAll(const Bytes& bytes)
    {
        m_octets.insert(m_octets.end(), bytes.begin(), bytes.end());
    }

    /** @return the bytes written so far */
    std::vector<uint8_t>& Get()
    {
        return m_octets;
    }

  private:
    std::vector<uint8_t> m_octets;
};

/** Reads numbers, most significant byte first. Bytes past the end are zeros. */
class OctetReader
{
  public:
    /**
     * @param octets the bytes, which must outlive the reader
     * @param size their number
     */
    OctetReader(const uint8_t* octets, std::size_t size)
        : m_octets(octets),
          m_size(size)
    {
    }

    /** @return the next number, of as many bytes as its type has */
    template <typename Number>
    Number Take()
    {
        const std::size_t end = m_at + sizeof(Number);
        uint64_t number = 0;
        if (end <= m_size)
        {
            for (; m_at < end; ++m_at)
            {
                number = number << 8 | m_octets[m_at];
            }
            return static_cast<Number>(number);
        }
        for (; m_at < end; ++m_at)
        {
            number = number << 8 | (m_at < m_size ? m_octets[m_at] : 0);
        }
        return static_cast<Number>(number);
    }

  private:
    const uint8_t* m_octets;
    std::size_t m_size;
    std::size_t m_at{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_OCTETS_H */
