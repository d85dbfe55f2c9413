/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recalled-call.h"

#include "recalled-operation.h"

#include <utility>

namespace ns3
{

RecalledCall::RecalledCall(Ptr<RecalledOperation> operation,
                           uint32_t place,
                           RankId rank,
                           Owner& owner)
    : m_operation(operation),
      m_place(place),
      m_rank(rank),
      m_owner(owner)
{
    m_operation->Add(*this);
}

RecalledCall::~RecalledCall()
{
    m_operation->Remove(*this);
}

void
RecalledCall::Activate(bool early)
{
    m_operation->Activate(*this, early);
}

bool
RecalledCall::Enter(const RecalledWays& ways, std::unique_ptr<RecalledPast> past)
{
    m_isHeld = m_operation->Enter(*this, ways, std::move(past));
    return m_isHeld;
}

void
RecalledCall::Refuse()
{
    m_operation->Refuse();
}

void
RecalledCall::End(const MessageTotals& totals)
{
    m_operation->End(*this, totals);
}

} // namespace ns3
