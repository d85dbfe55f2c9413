/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-ledger.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

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

/** @return whether calls match; if not, their words may still be the same */
bool
AreEqual(const RankOperation& one, const RankOperation& other, bool pointToPoint)
{
    return (pointToPoint || (one.collective == other.collective && one.place == other.place)) &&
           one.bytes == other.bytes && one.algorithm == other.algorithm &&
           one.straggler == other.straggler && one.demand == other.demand;
}

/** @return a choice in words */
std::string
DescribeChoice(const std::string& algorithm, CollectiveProtocol protocol, bool host)
{
    const std::string with =
        protocol == CollectiveProtocol::SIMPLE ? "" : std::string(" with ") + ToString(protocol);
    return "\"" + (algorithm.empty() ? "none" : algorithm) + "\"" + with +
           (host ? " over the network of the hosts" : "");
}

/** The most choices that are kept of a flow, of each sort; it has few kinds of operations. */
constexpr std::size_t MOST_LASTING = 16;

/** @return what is known of equal inputs, or null */
template <typename Inputs>
std::shared_ptr<const AlgorithmChoice>
FindEqual(const std::vector<std::pair<Inputs, std::shared_ptr<const AlgorithmChoice>>>& known,
          const Inputs& inputs)
{
    const auto place = std::find_if(known.begin(), known.end(), [&inputs](const auto& one) {
        return one.first == inputs;
    });
    return place == known.end() ? nullptr : place->second;
}

/** Makes room for one more choice that is kept: the earliest goes. */
template <typename Choices>
void
MakeRoom(Choices& kept)
{
    if (kept.size() == MOST_LASTING)
    {
        kept.erase(kept.begin());
    }
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
                        its.mayUseHost,
                        its.onlyHost);
    };
    return list(*this) == list(other);
}

bool
LastingInputs::operator==(const LastingInputs& other) const
{
    return inputs == other.inputs && costs == other.costs;
}

void
CollectiveLedger::SetHere(std::vector<bool> here)
{
    m_here = std::move(here);
}

bool
CollectiveLedger::IsHere(RankId rank) const
{
    return m_here.empty() || m_here[rank.Get()];
}

std::size_t
CollectiveLedger::CountHere(const FlowKey& flowKey, const CommunicationGroup& group) const
{
    const std::vector<RankId>& ranks = group.GetRanks();
    if (m_here.empty())
    {
        return flowKey.pointToPoint ? 2 : ranks.size();
    }
    if (flowKey.pointToPoint)
    {
        return (IsHere(ranks[flowKey.from]) ? 1 : 0) + (IsHere(ranks[flowKey.to]) ? 1 : 0);
    }
    return std::count_if(ranks.begin(), ranks.end(), [this](RankId rank) { return IsHere(rank); });
}

std::string
CollectiveLedger::Call(const FlowKey& flowKey,
                       uint64_t number,
                       const CommunicationGroup& group,
                       uint32_t place,
                       const RankOperation& call)
{
    Flow& flow = m_flows[flowKey];
    flow.called.resize(group.GetRanks().size());
    Entry& entry = flow.open[number];
    if (entry.calls++ == 0)
    {
        entry.call = call;
        entry.first = group.GetRanks()[place];
        if (!flowKey.pointToPoint)
        {
            entry.alike = std::count_if(flow.called.begin(),
                                        flow.called.end(),
                                        [number](uint64_t called) { return called > number; });
        }
        flow.called[place] = number + 1;
        return "";
    }
    flow.called[place] = number + 1;
    if (AreEqual(entry.call, call, flowKey.pointToPoint))
    {
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

void
CollectiveLedger::CallAlike(const FlowKey& flowKey,
                            uint64_t number,
                            const CommunicationGroup& group,
                            uint32_t place)
{
    Flow& flow = m_flows[flowKey];
    flow.called.resize(group.GetRanks().size());
    flow.called[place] = number + 1;
    const auto open = flow.open.find(number);
    if (open != flow.open.end() && open->second.calls == 0)
    {
        flow.open.erase(open); // a choice that was kept
    }
}

std::shared_ptr<const AlgorithmChoice>
CollectiveLedger::FindChoice(const FlowKey& flowKey,
                             uint64_t number,
                             const ChoiceInputs& inputs) const
{
    const auto flow = m_flows.find(flowKey);
    if (flow == m_flows.end())
    {
        return nullptr;
    }
    const auto entry = flow->second.open.find(number);
    if (entry == flow->second.open.end())
    {
        return nullptr;
    }
    return FindEqual(entry->second.choices, inputs);
}

void
CollectiveLedger::KeepChoice(const FlowKey& flowKey,
                             uint64_t number,
                             const ChoiceInputs& inputs,
                             const std::shared_ptr<const AlgorithmChoice>& choice)
{
    m_flows[flowKey].open[number].choices.emplace_back(inputs, choice);
}

std::shared_ptr<const AlgorithmChoice>
CollectiveLedger::FindLasting(const FlowKey& flowKey, const LastingInputs& inputs) const
{
    const auto flow = m_flows.find(flowKey);
    return flow == m_flows.end() ? nullptr : FindEqual(flow->second.lasting, inputs);
}

void
CollectiveLedger::KeepLasting(const FlowKey& flowKey,
                              const LastingInputs& inputs,
                              const std::shared_ptr<const AlgorithmChoice>& choice)
{
    auto& lasting = m_flows[flowKey].lasting;
    MakeRoom(lasting);
    lasting.emplace_back(inputs, choice);
}

std::shared_ptr<const AlgorithmChoice>
CollectiveLedger::Unify(const FlowKey& flowKey, AlgorithmChoice&& choice)
{
    auto& earlier = m_flows[flowKey].earlier;
    for (const auto& one : earlier)
    {
        if (one->IsSame(choice))
        {
            return one;
        }
    }
    MakeRoom(earlier);
    earlier.push_back(std::make_shared<const AlgorithmChoice>(std::move(choice)));
    return earlier.back();
}

std::string
CollectiveLedger::Begin(const FlowKey& flowKey,
                        uint64_t number,
                        const CommunicationGroup& group,
                        uint32_t place,
                        const AlgorithmChoice& choice)
{
    Flow& flow = m_flows[flowKey];
    const auto open = flow.open.find(number);
    Entry& entry = open->second;
    std::string mistake;
    if (entry.begun == 0)
    {
        entry.algorithm = choice.algorithm;
        entry.protocol = choice.protocol;
        entry.host = choice.host;
        entry.firstToBegin = group.GetRanks()[place];
    }
    else if (std::tie(entry.algorithm, entry.protocol, entry.host) !=
             std::tie(choice.algorithm, choice.protocol, choice.host))
    {
        std::ostringstream why;
        why << "operation " << number << " of group \"" << group.GetName() << "\": rank "
            << entry.firstToBegin << " does it by "
            << DescribeChoice(entry.algorithm, entry.protocol, entry.host) << ", and rank "
            << group.GetRanks()[place] << " by "
            << DescribeChoice(choice.algorithm, choice.protocol, choice.host)
            << "; ranks choose by themselves, from their attributes and the circuits that stand "
               "when they call: give all the same attributes, and change no circuits between calls";
        mistake = why.str();
    }
    if (++entry.begun + entry.alike == CountHere(flowKey, group))
    {
        flow.open.erase(open);
    }
    return mistake;
}

std::vector<RankId>
CollectiveLedger::GetMissing(const FlowKey& flowKey,
                             uint64_t number,
                             const CommunicationGroup& group) const
{
    const auto flow = m_flows.find(flowKey);
    std::vector<RankId> missing;
    for (uint32_t place = 0; place < group.GetRanks().size(); ++place)
    {
        const bool concerned =
            !flowKey.pointToPoint || place == flowKey.from || place == flowKey.to;
        if (concerned && IsHere(group.GetRanks()[place]) &&
            (flow == m_flows.end() || place >= flow->second.called.size() ||
             flow->second.called[place] <= number))
        {
            missing.push_back(group.GetRanks()[place]);
        }
    }
    return missing;
}

} // namespace ns3
