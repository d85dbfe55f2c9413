/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-animation.h"

#include "animated-carrier.h"
#include "animated-control-plane.h"
#include "animated-faults.h"
#include "animated-operations.h"
#include "animated-switch.h"
#include "animation-scene.h"
#include "gpu-texts.h"
#include "rail-panel.h"

#include "ns3/abort.h"
#include "ns3/collective-application.h"
#include "ns3/fault-injector.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{

std::string
RailAnimation::GetWhyNot(uint64_t rails, uint64_t gpus, uint64_t ports)
{
    std::ostringstream why;
    if (gpus * ports > MOST_PORTS)
    {
        why << "a rail of " << gpus << " GPUs with " << ports << " NIC ports each has "
            << gpus * ports << " ports, and an animation shows " << MOST_PORTS
            << " a rail at most; give fewer GPUs or ports";
    }
    else if (rails * gpus * ports > MOST_PORTS_ALL)
    {
        why << rails << " rails of " << gpus * ports << " NIC ports have " << rails * gpus * ports
            << " ports, and an animation shows " << MOST_PORTS_ALL
            << " at most; give fewer rails, GPUs or ports";
    }
    return why.str();
}

RailAnimation::RailAnimation(const std::string& filename)
    : m_file(filename)
{
    NS_ABORT_MSG_IF(filename.empty(), "RailAnimation: give the name of a file");
    Check();
}

RailAnimation::~RailAnimation()
{
    Finish();
}

void
RailAnimation::Check()
{
    if (!m_file.empty() && !m_scene && !m_finished)
    {
        m_scene = std::make_shared<AnimationScene>(m_file);
        m_texts = std::make_shared<GpuTexts>(m_scene);
    }
}

bool
RailAnimation::IsOn() const
{
    return !m_file.empty() && !m_finished;
}

void
RailAnimation::Begin()
{
    Check();
    if (m_destroy.IsExpired())
    {
        m_destroy = Simulator::ScheduleDestroy(&RailAnimation::Finish, this);
    }
}

void
RailAnimation::Add(const Rail& rail)
{
    if (!IsOn())
    {
        return;
    }
    Begin();
    std::string why = GetWhyNot(1, rail.GetGpus(), rail.GetPortsPerGpu());
    m_ports += rail.GetGpus() * rail.GetPortsPerGpu();
    if (why.empty() && m_ports > MOST_PORTS_ALL)
    {
        why = "the rails have " + std::to_string(m_ports) + " NIC ports up to rail " +
              std::to_string(rail.GetId().Get()) + ", and an animation shows " +
              std::to_string(MOST_PORTS_ALL) + " at most; add fewer rails";
    }
    NS_ABORT_MSG_UNLESS(why.empty(),
                        "RailAnimation: " << why << ", or add a part of it (Rail::Select())");
    if (m_rails++ > 0)
    {
        m_texts->SetBrief();
    }
    const RailPanel panel(Simulator::Now(), *m_scene, rail);
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        m_texts->Add(Simulator::Now(),
                     rail.GetGpu(gpu)->GetId(),
                     panel.GetGpu(gpu),
                     "GPU " + std::to_string(gpu));
    }
    if (rail.GetOpticalSwitch())
    {
        AnimatedSwitch::Animate(rail, panel, m_scene);
    }
    AnimatedCarrier::Animate(rail, panel, m_scene);
}

void
RailAnimation::Add(const std::vector<Rail>& rails)
{
    for (const Rail& rail : rails)
    {
        Add(rail);
    }
}

void
RailAnimation::Add(const ApplicationContainer& applications)
{
    if (!IsOn())
    {
        return;
    }
    Begin();
    for (auto one = applications.Begin(); one != applications.End(); ++one)
    {
        if (const auto rank = DynamicCast<CollectiveApplication>(*one))
        {
            m_scene->AddKey(RailPanel::BUSY, "GPU: operations over rails");
            AnimatedOperations::Animate(rank, m_texts, m_scene);
        }
    }
}

void
RailAnimation::Add(const OpusControlPlane& plane)
{
    if (IsOn())
    {
        Begin();
        AnimatedControlPlane::Animate(plane, m_scene);
    }
}

void
RailAnimation::Add(const Ptr<FaultInjector>& injector)
{
    if (IsOn() && injector)
    {
        Begin();
        AnimatedFaults::Animate(*injector, m_scene);
    }
}

void
RailAnimation::Finish()
{
    if (m_scene)
    {
        Simulator::Cancel(m_destroy);
        m_scene->Finish();
        m_scene.reset();
        m_texts.reset();
        m_finished = true;
    }
}

} // namespace ns3
