/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-contents.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

namespace
{

/** @return the kind of an operation; a collective has its own name */
std::string
NameOf(const RankOperation& one)
{
    return one.kind == RankOperation::Kind::COLLECTIVE ? ToString(one.collective)
           : one.kind == RankOperation::Kind::SEND     ? "send"
           : one.kind == RankOperation::Kind::RECEIVE  ? "receive"
                                                       : "compute";
}

} // namespace

JobContents::JobContents(const JobPrograms& job)
{
    for (const JobPrograms::Rank& rank : job.ranks)
    {
        for (const RankOperation& one : rank.program->GetOperations())
        {
            Amount& amount = kinds[NameOf(one)];
            ++operations;
            ++amount.operations;
            amount.bytes += one.bytes;
            amount.computing += one.duration;
        }
    }
}

} // namespace ns3
