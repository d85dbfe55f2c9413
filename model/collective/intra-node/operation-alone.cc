/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-alone.h"

#include <utility>

namespace ns3
{

namespace
{

/** @return all that the result depends on */
IntraNodeMemory::Key
MakeKey(const ScaleUpDomain& domain,
        const IntraNodePlan& plan,
        const IntraNodeRanks& ranks,
        const std::vector<Picoseconds>& calls)
{
    IntraNodeMemory::Key key;
    key.reserve(3 + ranks.distances.size() + calls.size());
    key.push_back(reinterpret_cast<intptr_t>(&plan));
    key.push_back(static_cast<int64_t>(domain.GetClock().GetRate()));
    key.push_back(domain.GetLatency().GetTimeStep());
    key.insert(key.end(), ranks.distances.begin(), ranks.distances.end());
    key.insert(key.end(), calls.begin(), calls.end());
    return key;
}

} // namespace

std::shared_ptr<const IntraNodeResult>
WorkOutAlone(IntraNodeMemory& memory,
             const ScaleUpDomain& domain,
             const std::shared_ptr<const IntraNodePlan>& plan,
             const std::shared_ptr<const IntraNodeRanks>& ranks,
             const std::vector<Picoseconds>& calls)
{
    const IntraNodeMemory::Key key = MakeKey(domain, *plan, *ranks, calls);
    if (auto known = memory.GetResults().Find(key))
    {
        return known;
    }
    IntraNodeRun run(domain.GetClock(), domain.GetLatency().GetTimeStep(), domain.GetMembers());
    const uint32_t operation = run.Add(plan, ranks);
    for (uint32_t place = 0; place < calls.size(); ++place)
    {
        run.Call(operation, place, calls[place]);
    }
    run.Finish();
    auto result = std::make_shared<IntraNodeResult>();
    for (uint32_t place = 0; place < calls.size(); ++place)
    {
        result->ends.push_back(run.GetEnd(operation, place));
        result->busy.push_back(run.GetBusy(ranks->members[place]));
        result->waited.push_back(run.GetEarly(operation, place));
    }
    memory.GetResults().Add(key, result);
    return result;
}

} // namespace ns3
