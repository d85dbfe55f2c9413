/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PAUSE_FRAME_HEADER_H
#define PHOTONIC_RAILS_PAUSE_FRAME_HEADER_H

#include "ns3/header.h"
#include "ns3/mac48-address.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The body of a MAC control frame that pauses traffic classes (IEEE 802.1Qbb) or the whole
 * port (IEEE 802.3 annex 31B).
 *
 * It follows an Ethernet header with type 0x8808 and destination 01:80:c2:00:00:01. A class is
 * paused for a number of quanta of 512 bit times at the rate of the port; 0 quanta let it go on.
 */
class PauseFrameHeader : public Header
{
  public:
    static constexpr uint16_t ETHER_TYPE = 0x8808;      //!< MAC control
    static constexpr uint16_t PER_CLASS_PAUSE = 0x0101; //!< opcode of 802.1Qbb
    static constexpr uint16_t PORT_PAUSE = 0x0001;      //!< opcode of 802.3
    static constexpr uint32_t CLASSES = 8;              //!< traffic classes of a port
    static constexpr uint32_t QUANTUM_BITS = 512;       //!< bit times in a quantum

    /** @return the address that no bridge forwards */
    static Mac48Address GetDestination();

    /** @return the type */
    static TypeId GetTypeId();

    /**
     * Pauses one class, or lets it go on, and makes this an 802.1Qbb frame.
     * @param trafficClass 0 to 7
     * @param quanta length of the pause, 0 to 65535
     */
    void SetClass(uint32_t trafficClass, uint16_t quanta);

    /**
     * Pauses the whole port and makes this an 802.3 frame.
     * @param quanta length of the pause, 0 to 65535
     */
    void SetPort(uint16_t quanta);

    /**
     * @param trafficClass 0 to 7
     * @return whether the frame applies to this class
     */
    bool Concerns(uint32_t trafficClass) const;

    /**
     * @param trafficClass a class that the frame applies to
     * @return its quanta
     */
    uint16_t GetQuanta(uint32_t trafficClass) const;

    /** @return whether this is one of the two opcodes above */
    bool IsPause() const;

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_opcode{PER_CLASS_PAUSE};
    uint16_t m_enabled{0};                    //!< one bit a class
    std::array<uint16_t, CLASSES> m_quanta{}; //!< all equal in an 802.3 frame
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PAUSE_FRAME_HEADER_H */
