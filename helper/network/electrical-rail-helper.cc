/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "electrical-rail-helper.h"

#include "leaf-layout.h"
#include "suggestible-factory.h"

#include "ns3/abort.h"
#include "ns3/divide-up.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ElectricalRailHelper");

namespace
{

/** The switches of one rail, during and after its construction. */
class ElectricalFabric : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    NodeContainer leaves;
    NodeContainer spines;   //!< none if there is one leaf
    uint32_t portsALeaf{0}; //!< for NICs
    uint32_t ports{0};      //!< for NICs, used so far

  protected:
    void DoDispose() override;
};

NS_OBJECT_ENSURE_REGISTERED(ElectricalFabric);

TypeId
ElectricalFabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ElectricalFabric").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

void
ElectricalFabric::DoDispose()
{
    NS_LOG_FUNCTION(this);
    leaves = NodeContainer(); // breaks a cycle: this object is aggregated to one of them
    spines = NodeContainer();
    Object::DoDispose();
}

Ptr<ElectricalRailSwitch>
SwitchOf(Ptr<Node> node)
{
    return node->GetObject<ElectricalRailSwitch>();
}

/**
 * Sets the rate of a port to that of the other end of its fiber, unless the user set a rate for all
 * ports.
 */
void
SuggestRate(Ptr<ElectricalSwitchPort> port, DataRate rate)
{
    if (!IsDefaultSet(ElectricalSwitchPort::GetTypeId(), "DataRate"))
    {
        port->SetAttribute("DataRate", DataRateValue(rate));
    }
}

std::vector<Ptr<ElectricalRailSwitch>>
SwitchesOf(const NodeContainer& nodes)
{
    std::vector<Ptr<ElectricalRailSwitch>> switches;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        switches.push_back(SwitchOf(*node));
    }
    return switches;
}

} // namespace

void
ElectricalRailHelper::SetRadix(uint32_t ports)
{
    NS_ABORT_MSG_IF(ports % 2 != 0,
                    "ElectricalRailHelper: a switch of "
                        << ports
                        << " ports cannot have half of them down and half up; give an even number, "
                           "or 0 for one switch that has as many ports as it takes");
    m_radix = ports;
}

std::string
ElectricalRailHelper::FindMisfit(uint32_t ports) const
{
    const uint64_t most = uint64_t{m_radix} * (m_radix / 2);
    std::ostringstream why;
    why << "a rail of packet switches needs " << ports << " ports, and two levels of switches with "
        << m_radix << " ports make at most " << most
        << "; use fewer GPUs or ports a GPU, or SetRadix() with more (--switch-radix)";
    return m_radix == 0 || ports <= std::max<uint64_t>(m_radix, most) ? "" : why.str();
}

Ptr<ElectricalSwitchPort>
ElectricalRailHelper::GetSwitchPort(const Rail& rail, uint32_t gpu, uint32_t port)
{
    const Ptr<OpticalFiber> fiber = rail.GetFiber(gpu, port);
    Ptr<ElectricalSwitchPort> found =
        DynamicCast<ElectricalSwitchPort>(fiber->GetPeer(PeekPointer(rail.GetNic(gpu, port))));
    NS_ABORT_MSG_UNLESS(found,
                        "ElectricalRailHelper: rail "
                            << rail.GetId() << " has another kind of switch in the middle");
    return found;
}

Ptr<Node>
ElectricalRailHelper::CreateOneSwitch(uint32_t process) const
{
    Ptr<ElectricalRailSwitch> railSwitch = CreateObject<ElectricalRailSwitch>();
    SetAttributes(railSwitch, m_switchAttributes);
    Ptr<Node> node = CreateObject<Node>(process);
    node->AggregateObject(railSwitch);
    return node;
}

Ptr<Node>
ElectricalRailHelper::CreateSwitch(const std::vector<uint32_t>& processes) const
{
    const uint32_t ports = processes.size();
    const std::string misfit = FindMisfit(ports);
    NS_ABORT_MSG_UNLESS(misfit.empty(), "ElectricalRailHelper: " << misfit);
    const LeafLayout layout = LeafLayout::Of(ports, m_radix);
    Ptr<ElectricalFabric> fabric = CreateObject<ElectricalFabric>();
    fabric->portsALeaf = layout.portsALeaf;
    for (uint32_t i = 0; i < layout.leaves; ++i)
    {
        const auto first = processes.begin() + i * fabric->portsALeaf;
        const auto last = processes.begin() + std::min(ports, (i + 1) * fabric->portsALeaf);
        fabric->leaves.Add(CreateOneSwitch(FindProcess({first, last})));
    }
    if (layout.leaves > 1)
    {
        // the largest number of fibers from a spine to each leaf, and spines for all uplinks
        const uint32_t spines = DivideUp(m_radix / 2, m_radix / layout.leaves);
        const std::set<uint32_t> places(processes.begin(), processes.end());
        for (uint32_t i = 0; i < spines; ++i)
        {
            fabric->spines.Add(CreateOneSwitch(*std::next(places.begin(), i % places.size())));
        }
    }
    Ptr<Node> first = fabric->leaves.Get(0);
    first->AggregateObject(fabric);
    return first;
}

Ptr<FiberPort>
ElectricalRailHelper::AddSwitchPort(Ptr<Node> railSwitch) const
{
    Ptr<ElectricalFabric> fabric = railSwitch->GetObject<ElectricalFabric>();
    const uint32_t leaf = fabric->ports++ / fabric->portsALeaf;
    return SwitchOf(fabric->leaves.Get(leaf))->AddPort();
}

void
ElectricalRailHelper::FinishSwitch(Rail& rail) const
{
    Ptr<ElectricalFabric> fabric = rail.GetSwitchNode()->GetObject<ElectricalFabric>();
    rail.SetSwitchNodes(NodeContainer(fabric->leaves, fabric->spines));
    const auto leaves = SwitchesOf(fabric->leaves);
    const auto spines = SwitchesOf(fabric->spines);
    uint16_t mtu = 0;
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            const Ptr<RailNetDevice> nic = rail.GetNic(g, p);
            const Ptr<ElectricalSwitchPort> port = GetSwitchPort(rail, g, p);
            SuggestRate(port, nic->GetDataRate());
            ForwardingTable& table = port->GetSwitch()->GetTable();
            table.Add(Mac48Address::ConvertFrom(nic->GetAddress()),
                      table.AddRoute({port->GetPortId()}));
            mtu = std::max(mtu, nic->GetMtu());
        }
    }
    FinishFabric(rail, leaves, spines);
    uint64_t number = 0;
    for (const auto& level : {leaves, spines})
    {
        for (const Ptr<ElectricalRailSwitch>& railSwitch : level)
        {
            UintegerValue seed;
            railSwitch->GetAttribute("HashSeed", seed);
            railSwitch->SetAttribute("HashSeed", UintegerValue(seed.Get() + number++));
            UintegerValue largest;
            railSwitch->GetAttribute("Mtu", largest);
            railSwitch->SetAttribute("Mtu", UintegerValue(std::max<uint64_t>(largest.Get(), mtu)));
        }
    }
}

std::pair<PortId, PortId>
ElectricalRailHelper::Join(Ptr<ElectricalRailSwitch> leaf,
                           Ptr<ElectricalRailSwitch> spine,
                           DataRate rate) const
{
    Ptr<OpticalFiber> fiber = CreateObject<OpticalFiber>();
    SetAttributes(fiber, m_fiberAttributes);
    const Ptr<ElectricalSwitchPort> up = leaf->AddPort();
    const Ptr<ElectricalSwitchPort> down = spine->AddPort();
    SuggestRate(up, rate);
    SuggestRate(down, rate);
    fiber->Attach(up, down);
    return {up->GetPortId(), down->GetPortId()};
}

void
ElectricalRailHelper::FinishFabric(const Rail& rail,
                                   const std::vector<Ptr<ElectricalRailSwitch>>& leaves,
                                   const std::vector<Ptr<ElectricalRailSwitch>>& spines) const
{
    if (spines.empty())
    {
        return;
    }
    // routes by place: up from each leaf, and from each spine down to each leaf
    std::vector<ForwardingTable::Route> up;
    std::vector<std::vector<ForwardingTable::Route>> down(spines.size());
    std::vector<PortId> floodDown; // of the first spine
    const DataRate rate = GetPortRate();
    for (const Ptr<ElectricalRailSwitch>& leaf : leaves)
    {
        std::vector<PortId> flood;
        for (uint32_t p = 0; p < leaf->GetPorts(); ++p)
        {
            flood.emplace_back(p);
        }
        std::vector<PortId> uplinks;
        std::vector<std::vector<PortId>> downlinks(spines.size());
        for (uint32_t u = 0; u < m_radix / 2; ++u)
        {
            const std::size_t spine = u % spines.size();
            const auto [upper, lower] = Join(leaf, spines[spine], rate);
            uplinks.push_back(upper);
            downlinks[spine].push_back(lower);
        }
        flood.push_back(uplinks[0]);
        leaf->SetFloodPorts(flood);
        floodDown.push_back(downlinks[0][0]);
        up.push_back(leaf->GetTable().AddRoute(uplinks));
        for (std::size_t s = 0; s < spines.size(); ++s)
        {
            down[s].push_back(spines[s]->GetTable().AddRoute(downlinks[s]));
        }
    }
    for (std::size_t s = 0; s < spines.size(); ++s)
    {
        spines[s]->SetFloodPorts(s == 0 ? floodDown : std::vector<PortId>());
    }
    const NetDeviceContainer nics = rail.GetNics();
    for (uint32_t n = 0; n < nics.GetN(); ++n)
    {
        const Mac48Address address = Mac48Address::ConvertFrom(nics.Get(n)->GetAddress());
        const std::size_t home = n / (m_radix / 2);
        for (std::size_t l = 0; l < leaves.size(); ++l)
        {
            if (l != home)
            {
                leaves[l]->GetTable().Add(address, up[l]);
            }
        }
        for (std::size_t s = 0; s < spines.size(); ++s)
        {
            spines[s]->GetTable().Add(address, down[s][home]);
        }
    }
}

} // namespace ns3
