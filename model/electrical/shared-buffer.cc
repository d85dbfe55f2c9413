/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shared-buffer.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3
{

SharedBuffer::SharedBuffer(const Settings& settings, std::vector<uint64_t> headroom)
    : m_settings(settings),
      m_headroom(std::move(headroom)),
      m_queues(m_headroom.size() * CLASSES),
      m_inPool(m_headroom.size() * CLASSES),
      m_inHeadroom(m_headroom.size() * CLASSES)
{
    for (const double alpha : {settings.alpha, settings.xoffAlpha})
    {
        NS_ABORT_MSG_UNLESS(alpha >= std::ldexp(1, -FRACTION) && alpha <= 1024,
                            "SharedBuffer: an alpha of " << alpha
                                                         << "; give 1/65536 to 1024, such as 1");
    }
    NS_ABORT_MSG_UNLESS(settings.bytes < uint64_t{1} << 37,
                        "SharedBuffer: a buffer of " << settings.bytes
                                                     << " bytes; give less than 128 GiB");
    m_alpha = std::llround(std::ldexp(settings.alpha, FRACTION));
    m_xoffAlpha = std::llround(std::ldexp(settings.xoffAlpha, FRACTION));
    const uint64_t classes = std::bitset<CLASSES>(settings.lossless).count();
    const uint64_t reserved =
        classes * std::accumulate(m_headroom.begin(), m_headroom.end(), uint64_t{0});
    NS_ABORT_MSG_IF(reserved + settings.largestFrame > settings.bytes,
                    "SharedBuffer: "
                        << m_headroom.size() << " ports with " << classes
                        << " lossless classes need " << reserved
                        << " bytes of headroom, and a frame of " << settings.largestFrame
                        << " bytes must fit beside it; the buffer has " << settings.bytes
                        << ". Use a larger BufferSize, fewer LosslessClasses, shorter fibers or a "
                           "smaller Mtu");
    m_pool = settings.bytes - reserved;
}

bool
SharedBuffer::Admit(uint32_t ingress, uint32_t egress, uint32_t trafficClass, uint32_t bytes)
{
    const bool fits = bytes <= m_pool - m_poolUsed;
    uint64_t& queue = m_queues[egress * CLASSES + trafficClass];
    if (!IsLossless(trafficClass))
    {
        if (!fits || queue + bytes > GetLimit())
        {
            return false;
        }
        m_poolUsed += bytes;
        queue += bytes;
        return true;
    }
    const std::size_t count = ingress * CLASSES + trafficClass;
    // once headroom is in use, frames go there until it is empty: the pause is active
    if (fits && m_inHeadroom[count] == 0 && m_inPool[count] + bytes <= GetXoffLimit())
    {
        m_poolUsed += bytes;
        m_inPool[count] += bytes;
    }
    else if (m_inHeadroom[count] + bytes <= m_headroom[ingress])
    {
        m_headroomUsed += bytes;
        m_inHeadroom[count] += bytes;
    }
    else
    {
        return false;
    }
    queue += bytes;
    return true;
}

void
SharedBuffer::Release(uint32_t ingress, uint32_t egress, uint32_t trafficClass, uint32_t bytes)
{
    NS_ASSERT(GetQueue(egress, trafficClass) >= bytes);
    m_queues[egress * CLASSES + trafficClass] -= bytes;
    if (!IsLossless(trafficClass))
    {
        m_poolUsed -= bytes;
        return;
    }
    const std::size_t count = ingress * CLASSES + trafficClass;
    const uint64_t ofHeadroom = std::min<uint64_t>(bytes, m_inHeadroom[count]);
    m_inHeadroom[count] -= ofHeadroom;
    m_headroomUsed -= ofHeadroom;
    m_inPool[count] -= bytes - ofHeadroom;
    m_poolUsed -= bytes - ofHeadroom;
}

bool
SharedBuffer::MayGoOn(uint32_t ingress, uint32_t trafficClass) const
{
    const std::size_t count = ingress * CLASSES + trafficClass;
    return m_inHeadroom[count] == 0 &&
           (m_inPool[count] == 0 || m_inPool[count] + m_settings.hysteresis <= GetXoffLimit());
}

uint64_t
SharedBuffer::GetIngress(uint32_t ingress, uint32_t trafficClass) const
{
    const std::size_t count = ingress * CLASSES + trafficClass;
    return m_inPool[count] + m_inHeadroom[count];
}

uint64_t
SharedBuffer::GetInHeadroom(uint32_t ingress, uint32_t trafficClass) const
{
    return m_inHeadroom[ingress * CLASSES + trafficClass];
}

uint64_t
SharedBuffer::GetCalmBytes() const
{
    // with x bytes stored each threshold is alpha (pool - x) at least, and x must not be beyond it
    const uint64_t alpha = std::min(m_alpha, m_xoffAlpha);
    const uint64_t bytes = m_pool * alpha / (alpha + (uint64_t{1} << FRACTION));
    return bytes > 0 ? bytes - 1 : 0;
}

uint64_t
SharedBuffer::GetPoolUsed() const
{
    return m_poolUsed;
}

uint64_t
SharedBuffer::GetPool() const
{
    return m_pool;
}

} // namespace ns3
