/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-ledger.h"

#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

/** @return a call in words */
std::string
Describe(const RankOperation& call, bool pointToPoint)
{
    std::ostringstream words;
    words << (pointToPoint ? "a message" : ToString(call.collective)) << " of " << call.bytes
          << " bytes";
    if (!pointToPoint &&
        (call.collective == CollectiveKind::BROADCAST || call.collective == CollectiveKind::REDUCE))
    {
        words << " with root " << call.place;
    }
    if (!call.algorithm.empty())
    {
        words << " by " << call.algorithm;
    }
    if (call.straggler != 0)
    {
        words << " with straggler " << call.straggler;
    }
    if (call.demand)
    {
        words << " with demand " << call.demand->GetKey();
    }
    return words.str();
}

} // namespace

bool
ChoiceInputs::operator==(const ChoiceInputs& other) const
{
    const auto list = [](const ChoiceInputs& one) {
        const AlgorithmPreference& its = one.preference;
        return std::tie(one.parameters,
                        one.bytes,
                        one.at,
                        its.algorithm,
                        its.fallback,
                        its.inside,
                        its.bytesPerSecond,
                        its.intraNodeBytesPerSecond,
                        its.messageSize,
                        its.hopLatency,
                        its.step,
                        its.intraNodeStep,
                        its.hostStep,
                        its.protocol,
                        its.hostNetwork,
                        its.mayUseHost);
    };
    return list(*this) == list(other);
}

std::string
CollectiveLedger::Call(const FlowKey& flowKey,
                       uint64_t number,
                       const CommunicationGroup& group,
                       uint32_t place,
                       const RankOperation& call)
{
    std::vector<uint64_t>& called = m_called[flowKey];
    called.resize(group.GetRanks().size());
    called[place] = number + 1;
    Entry& entry = m_open[{flowKey, number}];
    if (entry.calls++ == 0)
    {
        entry.call = call;
        entry.first = group.GetRanks()[place];
        return "";
    }
    const std::string its = Describe(entry.call, flowKey.pointToPoint);
    const std::string ours = Describe(call, flowKey.pointToPoint);
    if (its == ours)
    {
        return "";
    }
    std::ostringstream why;
    why << "operation " << number << " of group \"" << group.GetName() << "\": rank " << entry.first
        << " called " << its << ", and rank " << group.GetRanks()[place] << " called " << ours
        << "; all ranks of a group must call the same in the same order";
    return why.str();
}

std::shared_ptr<const AlgorithmChoice>
CollectiveLedger::WorkOut(const FlowKey& flowKey,
                          uint64_t number,
                          const ChoiceInputs& inputs,
                          const std::function<AlgorithmChoice()>& choose)
{
    Entry& entry = m_open[{flowKey, number}];
    for (const auto& [known, choice] : entry.choices)
    {
        if (known == inputs)
        {
            return choice;
        }
    }
    entry.choices.emplace_back(inputs, std::make_shared<const AlgorithmChoice>(choose()));
    return entry.choices.back().second;
}

std::string
CollectiveLedger::Begin(const FlowKey& flowKey,
                        uint64_t number,
                        const CommunicationGroup& group,
                        uint32_t place,
                        const AlgorithmChoice& choice)
{
    const auto open = m_open.find({flowKey, number});
    Entry& entry = open->second;
    const std::string protocol = choice.protocol == CollectiveProtocol::SIMPLE
                                     ? ""
                                     : std::string(" with ") + ToString(choice.protocol);
    const std::string ours = "\"" + (choice.algorithm.empty() ? "none" : choice.algorithm) + "\"" +
                             protocol + (choice.host ? " over the network of the hosts" : "");
    std::ostringstream why;
    if (entry.begun == 0)
    {
        entry.way = ours;
        entry.firstToBegin = group.GetRanks()[place];
    }
    else if (entry.way != ours)
    {
        why << "operation " << number << " of group \"" << group.GetName() << "\": rank "
            << entry.firstToBegin << " does it by " << entry.way << ", and rank "
            << group.GetRanks()[place] << " by " << ours
            << "; ranks choose by themselves, from their attributes and the circuits that stand "
               "when they call: give all the same attributes, and change no circuits between calls";
    }
    if (++entry.begun == (flowKey.pointToPoint ? 2 : group.GetRanks().size()))
    {
        m_open.erase(open);
    }
    return why.str();
}

std::vector<RankId>
CollectiveLedger::GetMissing(const FlowKey& flowKey,
                             uint64_t number,
                             const CommunicationGroup& group) const
{
    const auto called = m_called.find(flowKey);
    std::vector<RankId> missing;
    for (uint32_t place = 0; place < group.GetRanks().size(); ++place)
    {
        const bool concerned =
            !flowKey.pointToPoint || place == flowKey.from || place == flowKey.to;
        if (concerned && (called == m_called.end() || called->second[place] <= number))
        {
            missing.push_back(group.GetRanks()[place]);
        }
    }
    return missing;
}

} // namespace ns3
