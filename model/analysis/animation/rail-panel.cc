/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-panel.h"

#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr double FULL_TURN = 6.283185307179586;
constexpr double SPACING = 4; //!< from a port of the switch to the next
constexpr double LEAST_RING = 10;
constexpr double NIC_DISTANCE = 5; //!< from the port of the switch
constexpr double GPU_DISTANCE = 6; //!< from the NIC port
constexpr double PORT_DIAMETER = 1.8;
constexpr double NIC_DIAMETER = 1.5;
constexpr double GPU_DIAMETER = 2.8;
constexpr double SWITCH_DIAMETER = 4;
constexpr double NUMBER_DISTANCE = 2.4; //!< from the port of the switch to its number
constexpr double NAME_DISTANCE = 2;     //!< from the GPU to its name
constexpr uint32_t MOST_NUMBERS = 32;   //!< more would lie on each other

AnimationPoint
GetPoint(double angle, double radius)
{
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/** @return where the name of a GPU stands that is in a direction */
AnimationSide
GetSide(double angle)
{
    const double right = std::cos(angle);
    if (std::abs(right) < 0.3)
    {
        return std::sin(angle) < 0 ? AnimationSide::ABOVE : AnimationSide::BELOW;
    }
    return right > 0 ? AnimationSide::RIGHT : AnimationSide::LEFT;
}

/** @return the name of a NIC port */
std::string
NameNic(uint32_t gpu, uint32_t port)
{
    return "GPU " + std::to_string(gpu) + " port " + std::to_string(port);
}

/** @return the name of a port of a switch */
std::string
NameSwitchPort(PortId port)
{
    return "switch port " + std::to_string(port.Get());
}

/** @return whether a fiber joins two nodes */
bool
AreJoined(const Ptr<Node>& one, const Ptr<Node>& other)
{
    for (uint32_t d = 0; d < one->GetNDevices(); ++d)
    {
        const Ptr<Channel> fiber = one->GetDevice(d)->GetChannel();
        for (std::size_t end = 0; fiber && end < fiber->GetNDevices(); ++end)
        {
            const Ptr<NetDevice> device = fiber->GetDevice(end);
            if (device && device->GetNode() == other)
            {
                return true;
            }
        }
    }
    return false;
}

} // namespace

RailPanel::RailPanel(Time when, AnimationScene& scene, const Rail& rail)
    : m_gpus(rail.GetGpus()),
      m_portsPerGpu(rail.GetPortsPerGpu()),
      m_ring(std::max(LEAST_RING, m_gpus * m_portsPerGpu * SPACING / FULL_TURN))
{
    const double radius = m_ring + NIC_DISTANCE + GPU_DISTANCE;
    m_panel = scene.AddPanel(when, radius);
    m_title = scene.AddText(m_panel,
                            {-1.3 * radius, -1.2 * radius},
                            AnimationSide::RIGHT,
                            "rail " + std::to_string(rail.GetId().Get()));
    for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
    {
        AddGpu(scene, rail, gpu);
    }
    if (!rail.GetOpticalSwitch())
    {
        AddPacketSwitches(scene, rail);
    }
    AddKeys(scene, rail);
}

double
RailPanel::GetAngle(uint32_t gpu, double port) const
{
    const double middle = (m_portsPerGpu - 1) / 2.0;
    return FULL_TURN / 2 +
           FULL_TURN * (gpu * m_portsPerGpu + port - middle) / (m_gpus * m_portsPerGpu);
}

void
RailPanel::AddGpu(AnimationScene& scene, const Rail& rail, uint32_t gpu)
{
    const double radius = m_ring + NIC_DISTANCE + GPU_DISTANCE;
    const double angle = GetAngle(gpu, (m_portsPerGpu - 1) / 2.0);
    Gpu nodes;
    nodes.node = scene.AddNode(m_panel, GetPoint(angle, radius), GPU_DIAMETER, IDLE);
    nodes.text = scene.AddText(m_panel,
                               GetPoint(angle, radius + NAME_DISTANCE),
                               GetSide(angle),
                               "GPU " + std::to_string(gpu));
    m_gpuNodes.push_back(nodes);
    for (uint32_t port = 0; port < m_portsPerGpu; ++port)
    {
        AddPort(scene, rail, gpu, port);
        scene.AddLink(nodes.node, m_nics.back());
    }
}

void
RailPanel::AddPort(AnimationScene& scene, const Rail& rail, uint32_t gpu, uint32_t port)
{
    const double angle = GetAngle(gpu, port);
    m_nics.push_back(
        scene.AddNode(m_panel, GetPoint(angle, m_ring + NIC_DISTANCE), NIC_DIAMETER, DARK));
    if (!rail.GetOpticalSwitch())
    {
        return;
    }
    const PortId id = rail.GetSwitchPort(gpu, port);
    const uint32_t node = scene.AddNode(m_panel, GetPoint(angle, m_ring), PORT_DIAMETER, FREE);
    m_ports[id] = node;
    scene.AddBeam(node);
    scene.AddLink(m_nics.back(), node, NameNic(gpu, port), NameSwitchPort(id));
    const uint32_t step = (m_gpus * m_portsPerGpu + MOST_NUMBERS - 1) / MOST_NUMBERS;
    if ((gpu * m_portsPerGpu + port) % step == 0)
    {
        scene.AddText(m_panel,
                      GetPoint(angle, m_ring - NUMBER_DISTANCE),
                      AnimationSide::MIDDLE,
                      std::to_string(id.Get()));
    }
}

std::vector<std::vector<uint32_t>>
RailPanel::ListPortsOfSwitches(const Rail& rail) const
{
    const NodeContainer switches = rail.GetSwitchNodes();
    std::vector<std::vector<uint32_t>> ports(switches.GetN());
    for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
    {
        for (uint32_t port = 0; port < m_portsPerGpu; ++port)
        {
            const Ptr<OpticalFiber> fiber = rail.GetFiber(gpu, port);
            for (uint32_t s = 0; s < switches.GetN(); ++s)
            {
                if (fiber->GetDevice(0)->GetNode() == switches.Get(s) ||
                    fiber->GetDevice(1)->GetNode() == switches.Get(s))
                {
                    ports[s].push_back(gpu * m_portsPerGpu + port);
                }
            }
        }
    }
    return ports;
}

void
RailPanel::AddPacketSwitches(AnimationScene& scene, const Rail& rail)
{
    const NodeContainer switches = rail.GetSwitchNodes();
    const std::vector<std::vector<uint32_t>> ports = ListPortsOfSwitches(rail);
    const auto isSpine = [](const std::vector<uint32_t>& of) { return of.empty(); };
    const auto spines = std::count_if(ports.begin(), ports.end(), isSpine);
    std::vector<uint32_t> nodes;
    uint32_t spine = 0;
    for (uint32_t s = 0; s < switches.GetN(); ++s)
    {
        AnimationPoint at; // the only switch, or the only spine, is in the middle
        if (isSpine(ports[s]) && spines > 1)
        {
            at = GetPoint(FULL_TURN * spine++ / spines, 0.3 * m_ring);
        }
        else if (!isSpine(ports[s]) && switches.GetN() > 1)
        {
            const double middle = (ports[s].front() + ports[s].back()) / 2.0;
            at = GetPoint(GetAngle(0, middle), 0.75 * m_ring);
        }
        nodes.push_back(scene.AddNode(m_panel, at, SWITCH_DIAMETER, SWITCH));
        for (const uint32_t port : ports[s])
        {
            const uint32_t gpu = port / m_portsPerGpu;
            const PortId id = rail.GetSwitchPort(gpu, port % m_portsPerGpu);
            scene.AddLink(m_nics[port],
                          nodes[s],
                          NameNic(gpu, port % m_portsPerGpu),
                          NameSwitchPort(id));
        }
        for (uint32_t other = 0; other < s; ++other)
        {
            if (AreJoined(switches.Get(s), switches.Get(other)))
            {
                scene.AddLink(nodes[other], nodes[s]);
            }
        }
    }
}

void
RailPanel::AddKeys(AnimationScene& scene, const Rail& rail)
{
    if (rail.GetOpticalSwitch())
    {
        scene.AddKey(LIT, "switch port: its circuit has light");
        scene.AddKey(RECONFIGURING, "switch port: reconfigures");
        scene.AddKey(FREE, "switch port: no circuit");
        scene.AddKey(DARK, "switch port: dark by a fault");
    }
    else
    {
        scene.AddKey(SWITCH, "packet switch");
    }
    scene.AddKey(CARRIER, "NIC port: carrier");
    scene.AddKey(DARK, "NIC port: no carrier");
    scene.AddKey(IDLE, "GPU");
}

std::optional<uint32_t>
RailPanel::FindPort(PortId port) const
{
    const auto found = m_ports.find(port);
    return found == m_ports.end() ? std::nullopt : std::make_optional(found->second);
}

uint32_t
RailPanel::GetNic(uint32_t gpu, uint32_t port) const
{
    return m_nics.at(gpu * m_portsPerGpu + port);
}

const RailPanel::Gpu&
RailPanel::GetGpu(uint32_t gpu) const
{
    return m_gpuNodes.at(gpu);
}

uint32_t
RailPanel::GetTitle() const
{
    return m_title;
}

} // namespace ns3
