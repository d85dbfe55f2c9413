/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animated-operations.h"

#include "ns3/job-groups.h"
#include "ns3/node.h"
#include "ns3/operation-name.h"
#include "ns3/simulator.h"

#include <set>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_OPERATIONS = 2; //!< in a text

} // namespace

AnimatedOperations::AnimatedOperations(std::shared_ptr<AnimationScene> scene,
                                       std::shared_ptr<GpuTexts> texts,
                                       uint32_t gpu)
    : AnimationSource(std::move(scene)),
      m_texts(std::move(texts)),
      m_gpu(gpu)
{
}

void
AnimatedOperations::Animate(const Ptr<CollectiveApplication>& rank,
                            const std::shared_ptr<GpuTexts>& texts,
                            const std::shared_ptr<AnimationScene>& scene)
{
    const uint32_t gpu = rank->GetNode()->GetId();
    texts->Rename(Simulator::Now(), gpu, "rank " + std::to_string(rank->GetRank().Get()));
    const auto source = Create<AnimatedOperations>(scene, texts, gpu);
    Listen(*rank, "OperationStarted", MakeCallback(&AnimatedOperations::Started, source));
    Listen(*rank, "OperationEnded", MakeCallback(&AnimatedOperations::Ended, source));
    Listen(*rank, "OperationFailed", MakeCallback(&AnimatedOperations::Failed, source));
}

void
AnimatedOperations::Started(const OperationRecord& record)
{
    if (record.call.IsExchange() && record.trafficPath != TrafficPath::INSIDE)
    {
        const std::string name = GetOperationName(record.call);
        const std::string group = record.group.empty() ? "" : ParallelismNameOf(record.group);
        m_open[record.operation] = {group.empty() ? name : group + " " + name,
                                    group.empty() ? name : group};
        Draw();
    }
}

void
AnimatedOperations::Ended(const OperationRecord& record)
{
    if (m_open.erase(record.operation) > 0)
    {
        ++m_ended;
        m_texts->Count(Simulator::Now(), m_gpu, m_ended);
        Draw();
    }
}

void
AnimatedOperations::Failed(const OperationRecord& record)
{
    m_open.erase(record.operation);
    Draw();
    m_scene->Note(Simulator::Now(),
                  "rank " + std::to_string(record.rank.Get()) + ": " +
                      GetOperationName(record.call) + " failed: " + record.why);
}

void
AnimatedOperations::Draw()
{
    std::string text;
    std::set<std::string> briefs;
    std::size_t lines = 0;
    for (const auto& [number, operation] : m_open)
    {
        briefs.insert(operation.brief);
        if (++lines <= MOST_OPERATIONS)
        {
            text += (text.empty() ? "" : "\n") + operation.name;
        }
    }
    if (lines > MOST_OPERATIONS)
    {
        text += ", and " + std::to_string(lines - MOST_OPERATIONS) + " more";
    }
    std::string brief;
    for (const std::string& one : briefs)
    {
        brief += (brief.empty() ? "" : ", ") + one;
    }
    m_texts->Show(Simulator::Now(), m_gpu, text, brief);
}

} // namespace ns3
