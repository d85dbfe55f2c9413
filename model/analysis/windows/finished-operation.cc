/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "finished-operation.h"

#include "ns3/abort.h"
#include "ns3/collective-application.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

FinishedOperation
MakeFinishedOperation(const OperationRecord& record,
                      const std::vector<RankId>& ranks,
                      uint32_t perServer,
                      uint32_t iteration)
{
    NS_ABORT_MSG_UNLESS(perServer > 0,
                        "MakeFinishedOperation(): a server has 0 GPUs; give 1 or more");
    NS_ABORT_MSG_UNLESS(record.call.IsExchange(),
                        "MakeFinishedOperation(): operation "
                            << record.operation << " of rank " << record.rank
                            << " is no collective, send or receive; leave out the others");
    const bool sends = record.call.kind == RankOperation::Kind::SEND;
    const bool alone = sends || record.call.kind == RankOperation::Kind::RECEIVE;
    NS_ABORT_MSG_IF(alone && record.call.place >= ranks.size(),
                    "MakeFinishedOperation(): group \""
                        << record.group << "\" was given with " << ranks.size()
                        << " ranks, and operation " << record.operation << " of rank "
                        << record.rank << " is with place " << record.call.place
                        << "; give all ranks of the group");

    FinishedOperation made;
    made.rank = record.rank;
    made.rail = RailId(record.rank.Get() % perServer);
    made.server = record.rank.Get() / perServer;
    made.iteration = iteration;
    made.sequence = record.operation;
    made.group = record.group;
    made.parallelism = record.group.substr(0, record.group.find(' '));
    made.number = record.number;
    made.start = record.start;
    made.end = record.end;
    made.bytes = record.bytesSent;
    const auto elsewhere = [&](RankId rank) { return rank.Get() / perServer != made.server; };
    if (alone)
    {
        const RankId other = ranks[record.call.place];
        made.kind = sends ? FinishedOperation::Kind::SEND : FinishedOperation::Kind::RECEIVE;
        made.from = sends ? record.rank : other;
        made.to = sends ? other : record.rank;
        made.scaleOut = elsewhere(other) && !record.host;
        return made;
    }
    made.scaleOut = std::any_of(ranks.begin(), ranks.end(), elsewhere) && !record.host;
    return made;
}

} // namespace ns3
