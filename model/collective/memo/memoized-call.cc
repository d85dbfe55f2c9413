/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memoized-call.h"

namespace ns3
{

MemoizedCall::MemoizedCall(Ptr<Operation> operation, uint32_t place, RankId rank, Owner& owner)
    : m_operation(operation),
      m_place(place),
      m_rank(rank),
      m_owner(owner)
{
    m_operation->Add(*this);
}

MemoizedCall::MemoizedCall(Sends& sends, const MemoizedSend& send, Owner& owner)
    : m_sends(&sends),
      m_send(send),
      m_rank(send.isSender ? send.from : send.to),
      m_owner(owner)
{
}

MemoizedCall::~MemoizedCall()
{
    if (m_operation)
    {
        m_operation->Remove(*this);
    }
}

void
MemoizedCall::Activate(bool early)
{
    if (!m_send)
    {
        m_operation->Activate(*this, early);
    }
}

bool
MemoizedCall::BeginInside(const MemoizedInside& inside,
                          uint64_t early,
                          std::unique_ptr<MemoizedPast> past)
{
    m_isHeld = m_operation->BeginInside(*this, inside, early, std::move(past));
    return m_isHeld;
}

bool
MemoizedCall::Enter(const MemoizedWays& ways, std::unique_ptr<MemoizedPast> past)
{
    if (m_send)
    {
        m_operation = m_sends->Find(*m_send);
        m_place = m_operation->Join(*this);
    }
    m_isHeld = m_operation->Enter(*this, ways, std::move(past));
    return m_isHeld;
}

void
MemoizedCall::Refuse()
{
    if (m_operation)
    {
        m_operation->Refuse();
    }
}

bool
MemoizedCall::Leave()
{
    if (!m_operation || !m_operation->Leave(*this))
    {
        return false;
    }
    m_operation = nullptr;
    m_isHeld = false;
    return true;
}

void
MemoizedCall::End(const MessageTotals& totals, uint64_t mostEarly)
{
    if (m_operation)
    {
        m_operation->End(*this, totals, mostEarly);
    }
}

} // namespace ns3
