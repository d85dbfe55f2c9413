/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROCE_RUN_BYTES_H
#define PHOTONIC_RAILS_ROCE_RUN_BYTES_H

#include "ns3/roce-frame.h"

#include <array>
#include <cstdint>
#include <list>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The bytes of the RoCE frames of a run, which differ only in the fields that count. They
 * equal those of RoceFrame::Serialize(), without a pass over the payload.
 *
 * The fields that change from frame to frame are the PSN, IPv4's identification (which is its lower
 * half), IPv4's checksum and the ICRC. A CRC is linear, so the ICRC is that of PSN 0 plus a number
 * for each byte of the PSN, from three tables. The payload is zeros.
 *
 * @code
 * RoceRunBytes::Tables tables;
 * RoceRunBytes bytes(head.roce, head.source, head.destination);
 * bytes.CountOn(tables);
 * bytes.SetPsn(head.roce.psn + 1);
 * bytes.CopyTo(buffer, bytes.GetSize());
 * @endcode
 */
class RoceRunBytes
{
  public:
    /** The contributions of the bytes of a PSN to the ICRC, for frames of different sizes. */
    class Tables
    {
      public:
        /** For each value of a byte of the PSN: the lowest byte first. */
        using Three = std::array<std::array<uint32_t, 256>, 3>;

        /**
         * @param behind bytes between the PSN and the ICRC
         * @return the tables, made at the first call
         */
        const Three& Get(uint32_t behind);

      private:
        struct OfSize
        {
            uint32_t behind;
            Three three;
        };

        std::list<OfSize> m_tables; //!< few: one for each size of payload
    };

    RoceRunBytes() = default;

    /**
     * @param source MAC address
     * @param destination MAC address
     */
    RoceRunBytes(const RoceFrame& roce, Mac48Address source, Mac48Address destination);

    /**
     * Prepares for SetPsn().
     * @param tables must outlive this object
     */
    void CountOn(Tables& tables);

    /**
     * Changes to another frame of the run: sets the PSN and the identification that belongs to it.
     * @param psn 24 bits
     */
    void SetPsn(uint32_t psn);

    /** @return the size from the Ethernet header to the padding, in bytes */
    uint32_t GetSize() const
    {
        return m_size;
    }

    /**
     * @param bytes number of bytes, from the Ethernet header on; at most the size
     */
    void CopyTo(char* to, uint32_t bytes) const;

  private:
    /** Ethernet, IPv4, UDP, BTH, and RETH with ImmDt, the longest headers behind the BTH. */
    static constexpr uint32_t LONGEST = 14 + 20 + 8 + 12 + 20;

    std::array<uint8_t, LONGEST> m_headers{};
    uint32_t m_headerBytes{0};
    uint32_t m_zeros{0}; //!< bytes of payload and of the padding that the BTH counts
    uint32_t m_size{0};
    uint32_t m_icrc{0};
    uint32_t m_sum{0};                      //!< of IPv4's header, without the identification
    uint32_t m_icrcOfZero{0};               //!< with PSN 0
    const Tables::Three* m_tables{nullptr}; //!< for a frame of this size
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROCE_RUN_BYTES_H */
