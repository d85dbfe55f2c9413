/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pause-frame-header.h"

#include "ns3/abort.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PauseFrameHeader);

Mac48Address
PauseFrameHeader::GetDestination()
{
    static const Mac48Address address("01:80:c2:00:00:01");
    return address;
}

TypeId
PauseFrameHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PauseFrameHeader")
                            .SetParent<Header>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<PauseFrameHeader>();
    return tid;
}

TypeId
PauseFrameHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
PauseFrameHeader::SetClass(uint32_t trafficClass, uint16_t quanta)
{
    NS_ABORT_MSG_UNLESS(trafficClass < CLASSES,
                        "PauseFrameHeader: traffic class " << trafficClass
                                                           << " is not one of 0 to 7");
    m_opcode = PER_CLASS_PAUSE;
    m_enabled |= 1U << trafficClass;
    m_quanta[trafficClass] = quanta;
}

void
PauseFrameHeader::SetPort(uint16_t quanta)
{
    m_opcode = PORT_PAUSE;
    m_enabled = 0xff;
    m_quanta.fill(quanta);
}

bool
PauseFrameHeader::Concerns(uint32_t trafficClass) const
{
    return trafficClass < CLASSES && (m_enabled >> trafficClass & 1U) != 0;
}

uint16_t
PauseFrameHeader::GetQuanta(uint32_t trafficClass) const
{
    return Concerns(trafficClass) ? m_quanta[trafficClass] : 0;
}

bool
PauseFrameHeader::IsPause() const
{
    return m_opcode == PER_CLASS_PAUSE || m_opcode == PORT_PAUSE;
}

uint32_t
PauseFrameHeader::GetSerializedSize() const
{
    return m_opcode == PER_CLASS_PAUSE ? 2 + 2 + 2 * CLASSES : 2 + 2;
}

void
PauseFrameHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(m_opcode);
    if (m_opcode == PER_CLASS_PAUSE)
    {
        start.WriteHtonU16(m_enabled);
        for (uint16_t quanta : m_quanta)
        {
            start.WriteHtonU16(quanta);
        }
        return;
    }
    start.WriteHtonU16(m_quanta[0]);
}

uint32_t
PauseFrameHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < 4)
    {
        m_opcode = 0; // too short to be a pause
        return start.GetRemainingSize();
    }
    m_opcode = start.ReadNtohU16();
    if (m_opcode == PORT_PAUSE)
    {
        SetPort(start.ReadNtohU16());
        return 4;
    }
    if (m_opcode != PER_CLASS_PAUSE || start.GetRemainingSize() < 2 + 2 * CLASSES)
    {
        m_opcode = 0;
        return 2;
    }
    m_enabled = start.ReadNtohU16() & 0xff;
    for (uint16_t& quanta : m_quanta)
    {
        quanta = start.ReadNtohU16();
    }
    return 2 + 2 + 2 * CLASSES;
}

void
PauseFrameHeader::Print(std::ostream& os) const
{
    os << (m_opcode == PER_CLASS_PAUSE ? "PFC" : "PAUSE");
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        if (Concerns(c))
        {
            os << " " << c << ":" << m_quanta[c];
        }
    }
}

} // namespace ns3
