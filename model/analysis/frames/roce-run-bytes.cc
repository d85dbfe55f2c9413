/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-run-bytes.h"

#include "zero-crc.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ns3
{

namespace
{

// places in a frame
constexpr uint32_t IPV4 = 14;
constexpr uint32_t UDP = IPV4 + 20;
constexpr uint32_t BTH = UDP + 8;
constexpr uint32_t IP_LENGTH = IPV4 + 2;
constexpr uint32_t IDENTIFICATION = IPV4 + 4;
constexpr uint32_t CHECKSUM = IPV4 + 10;
constexpr uint32_t UDP_LENGTH = UDP + 4;
constexpr uint32_t PSN = BTH + 9;
constexpr uint32_t BEHIND_PSN = BTH + 12;

constexpr uint32_t ICRC = 4; // bytes

uint32_t
Get16(const uint8_t* from)
{
    return from[0] << 8 | from[1];
}

void
Put16(uint8_t* to, uint32_t value)
{
    to[0] = value >> 8 & 0xff;
    to[1] = value & 0xff;
}

/** Computes IPv4's checksum from the sum of its words. */
uint32_t
ChecksumOf(uint32_t sum)
{
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
}

} // namespace

const RoceRunBytes::Tables::Three&
RoceRunBytes::Tables::Get(uint32_t behind)
{
    for (const OfSize& tables : m_tables)
    {
        if (tables.behind == behind)
        {
            return tables.three;
        }
    }
    m_tables.push_back({behind, {}});
    Three& three = m_tables.back().three;
    for (uint32_t place = 0; place < three.size(); ++place)
    {
        // a byte goes into the lowest 8 bits of the register and is shifted out with those behind
        const ZeroCrc psn(1 + place + behind);
        const ZeroCrc identification(1 + place + (BEHIND_PSN - IDENTIFICATION - 2) + behind);
        for (uint32_t bit = 1; bit < 256; bit <<= 1)
        {
            // the highest byte of the PSN is not in the identification
            const uint32_t one = psn.Advance(bit) ^ (place < 2 ? identification.Advance(bit) : 0);
            for (uint32_t byte = 0; byte < bit; ++byte)
            {
                three[place][bit | byte] = three[place][byte] ^ one;
            }
        }
    }
    return three;
}

RoceRunBytes::RoceRunBytes(const RoceFrame& roce, Mac48Address source, Mac48Address destination)
{
    // the same with the least payload that needs the same padding: only the lengths differ
    RoceFrame lesser = roce;
    lesser.payload &= 3;
    const uint32_t less = roce.payload - lesser.payload;
    const std::vector<uint8_t> bytes = lesser.Serialize(source, destination);
    const uint32_t icrc = IPV4 + Get16(&bytes[IP_LENGTH]) - ICRC;
    m_zeros = (roce.payload + 3) / 4 * 4;
    m_headerBytes = icrc - (m_zeros - less);
    NS_ASSERT(m_headerBytes <= LONGEST);
    // Ethernet's own padding follows the ICRC
    m_size = std::max<uint32_t>(icrc + ICRC + less, static_cast<uint32_t>(bytes.size()));
    std::copy_n(bytes.begin(), m_headerBytes, m_headers.begin());
    uint8_t* const headers = m_headers.data();
    Put16(headers + IP_LENGTH, Get16(headers + IP_LENGTH) + less);
    Put16(headers + UDP_LENGTH, Get16(headers + UDP_LENGTH) + less);
    for (uint32_t at = IPV4; at < UDP; at += 2)
    {
        m_sum += at == CHECKSUM || at == IDENTIFICATION ? 0 : Get16(headers + at);
    }
    Put16(headers + CHECKSUM, ChecksumOf(m_sum + roce.identification));
    // the lengths are in the ICRC: its register before the payload must be computed again
    const uint32_t crc = ~RoceInvariantCrc(headers + IPV4, m_headerBytes - IPV4);
    m_icrc = ~(m_zeros == 0 ? crc : ZeroCrc(m_zeros).Advance(crc));
}

void
RoceRunBytes::CountOn(Tables& tables)
{
    const uint32_t psn = Get16(&m_headers[PSN + 1]);
    NS_ASSERT_MSG(Get16(&m_headers[IDENTIFICATION]) == psn,
                  "the identification of a run's frames is the lower half of their PSN");
    m_tables = &tables.Get(m_headerBytes - BEHIND_PSN + m_zeros);
    m_icrcOfZero = m_icrc ^ (*m_tables)[0][psn & 0xff] ^ (*m_tables)[1][psn >> 8] ^
                   (*m_tables)[2][m_headers[PSN]];
}

void
RoceRunBytes::SetPsn(uint32_t psn)
{
    const uint32_t low = psn & 0xffff;
    Put16(&m_headers[IDENTIFICATION], low);
    Put16(&m_headers[CHECKSUM], ChecksumOf(m_sum + low));
    m_headers[PSN] = psn >> 16 & 0xff;
    Put16(&m_headers[PSN + 1], low);
    m_icrc = m_icrcOfZero ^ (*m_tables)[0][psn & 0xff] ^ (*m_tables)[1][psn >> 8 & 0xff] ^
             (*m_tables)[2][psn >> 16 & 0xff];
}

void
RoceRunBytes::CopyTo(char* to, uint32_t bytes) const
{
    const uint32_t headers = std::min(bytes, m_headerBytes);
    std::memcpy(to, m_headers.data(), headers);
    std::memset(to + headers, 0, bytes - headers);
    const uint32_t icrc = m_headerBytes + m_zeros;
    for (uint32_t i = 0; i < ICRC && icrc + i < bytes; ++i)
    {
        to[icrc + i] = static_cast<char>(m_icrc >> (8 * i) & 0xff);
    }
}

} // namespace ns3
