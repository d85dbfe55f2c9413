/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animated-carrier.h"

#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{

AnimatedCarrier::AnimatedCarrier(std::shared_ptr<AnimationScene> scene,
                                 uint32_t node,
                                 const std::string& name,
                                 const Ptr<RailNetDevice>& nic)
    : AnimationSource(std::move(scene)),
      m_node(node),
      m_name(name),
      m_nic(PeekPointer(nic))
{
}

void
AnimatedCarrier::Animate(const Rail& rail,
                         const RailPanel& panel,
                         const std::shared_ptr<AnimationScene>& scene)
{
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            std::ostringstream name;
            name << "rail " << rail.GetId() << ": GPU " << gpu << " port " << port;
            const Ptr<RailNetDevice> nic = rail.GetNic(gpu, port);
            const auto source =
                Create<AnimatedCarrier>(scene, panel.GetNic(gpu, port), name.str(), nic);
            Listen(*nic, "Carrier", MakeCallback(&AnimatedCarrier::Changed, source));
            Simulator::ScheduleNow(&AnimatedCarrier::Look, source);
        }
    }
}

void
AnimatedCarrier::Look()
{
    Draw(m_nic->HasCarrier());
}

void
AnimatedCarrier::Changed(bool carrier)
{
    Draw(carrier);
    m_scene->Note(Simulator::Now(), m_name + (carrier ? " has carrier" : " has no carrier"));
}

void
AnimatedCarrier::Draw(bool carrier)
{
    m_scene->Paint(Simulator::Now(), m_node, carrier ? RailPanel::CARRIER : RailPanel::DARK);
}

} // namespace ns3
