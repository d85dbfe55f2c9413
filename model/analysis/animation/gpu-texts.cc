/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpu-texts.h"

#include <utility>

namespace ns3
{

GpuTexts::GpuTexts(std::shared_ptr<AnimationScene> scene)
    : m_scene(std::move(scene))
{
}

void
GpuTexts::SetBrief()
{
    m_isBrief = true;
}

void
GpuTexts::Add(Time when, uint32_t gpu, const RailPanel::Gpu& place, const std::string& name)
{
    Gpu& one = m_gpus[gpu];
    one.places.push_back(place);
    one.name = one.name.empty() ? name : one.name;
    Show(when, gpu, "", "");
}

void
GpuTexts::Rename(Time when, uint32_t gpu, const std::string& name)
{
    m_gpus[gpu].name = name;
    m_counter = m_scene->AddCounter("operations over rails");
    Show(when, gpu, "", "");
}

void
GpuTexts::Show(Time when, uint32_t gpu, const std::string& what, const std::string& brief)
{
    const auto found = m_gpus.find(gpu);
    if (found == m_gpus.end())
    {
        return;
    }
    const std::string& text = m_isBrief ? brief : what;
    for (const RailPanel::Gpu& place : found->second.places)
    {
        m_scene->Describe(when, place.text, found->second.name + (text.empty() ? "" : "\n" + text));
        m_scene->Paint(when, place.node, what.empty() ? RailPanel::IDLE : RailPanel::BUSY);
    }
}

void
GpuTexts::Count(Time when, uint32_t gpu, uint64_t operations)
{
    const auto found = m_gpus.find(gpu);
    if (found != m_gpus.end())
    {
        for (const RailPanel::Gpu& place : found->second.places)
        {
            m_scene->Count(when, m_counter, place.node, operations);
        }
    }
}

} // namespace ns3
