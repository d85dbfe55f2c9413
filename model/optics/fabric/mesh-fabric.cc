/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mesh-fabric.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MeshFabric);

TypeId
MeshFabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MeshFabric")
            .SetParent<SwitchFabric>()
            .SetGroupName("PhotonicRails")
            .AddAttribute("CellLoss",
                          "Loss of light in a cell, in dB.",
                          DoubleValue(0.48),
                          MakeDoubleAccessor(&MeshFabric::m_cellLoss),
                          MakeDoubleChecker<double>(0, 100))
            .AddAttribute("CellCrosstalk",
                          "How far the light that leaks into the other arm of a cell is below the "
                          "light there, in dB.",
                          DoubleValue(25),
                          MakeDoubleAccessor(&MeshFabric::m_cellCrosstalk),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("CellLength",
                          "Length of the way through a cell and its waveguide, in micrometres.",
                          DoubleValue(811.41),
                          MakeDoubleAccessor(&MeshFabric::m_cellLength),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("GroupIndex",
                          "Group index of the waveguides: light is slower by this factor.",
                          DoubleValue(4.157),
                          MakeDoubleAccessor(&MeshFabric::m_groupIndex),
                          MakeDoubleChecker<double>(1, 100))
            .AddAttribute("PortLoss",
                          "Loss of light between a fiber and the chip, at each port, in dB.",
                          DoubleValue(1.8),
                          MakeDoubleAccessor(&MeshFabric::m_portLoss),
                          MakeDoubleChecker<double>(0, 100))
            .AddAttribute("AccessLength",
                          "Length of the way between the fibers and the mesh, at both ports "
                          "together, in micrometres.",
                          DoubleValue(3461.7), // 48 ps
                          MakeDoubleAccessor(&MeshFabric::m_accessLength),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("TuningTime",
                          "Time that phase shifters take to settle: the reconfiguration time of a "
                          "switch without a ReconfigurationTime of its own.",
                          TimeValue(MicroSeconds(30)),
                          MakeTimeAccessor(&MeshFabric::m_tuningTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SearchRounds",
                          "The most rounds of negotiation in the search for routes.",
                          UintegerValue(200),
                          MakeUintegerAccessor(&MeshFabric::m_searchRounds),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::optional<Time>
MeshFabric::GetTuningTime() const
{
    return m_tuningTime;
}

MeshOptics
MeshFabric::GetOptics() const
{
    MeshOptics optics;
    optics.cellLossDb = m_cellLoss;
    optics.cellCrosstalkDb = m_cellCrosstalk;
    optics.cellLengthMicrons = m_cellLength;
    optics.groupIndex = m_groupIndex;
    optics.portLossDb = m_portLoss;
    optics.accessLengthMicrons = m_accessLength;
    return optics;
}

MeshEffort
MeshFabric::GetEffort() const
{
    MeshEffort effort;
    effort.rounds = m_searchRounds;
    return effort;
}

} // namespace ns3
