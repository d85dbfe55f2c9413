/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hexagonal-mesh-fabric.h"

#include "ns3/abort.h"
#include "ns3/divide-up.h"
#include "ns3/mesh-layouts.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HexagonalMeshFabric);

TypeId
HexagonalMeshFabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HexagonalMeshFabric")
            .SetParent<MeshFabric>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<HexagonalMeshFabric>()
            .AddAttribute("Rows",
                          "Rows of hexagons. 0: as many as the number of ports needs.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HexagonalMeshFabric::m_rows),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("Columns",
                          "Hexagons in a row. 0: as many as the number of ports needs.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HexagonalMeshFabric::m_columns),
                          MakeUintegerChecker<uint32_t>(0, 1000));
    return tid;
}

uint32_t
HexagonalMeshFabric::GetSide(uint32_t ports)
{
    constexpr uint32_t FEW = 32;
    const uint32_t more = ports > FEW ? DivideUp(ports, 16) - 1 : 0;
    const uint32_t side = DivideUp(ports, 4) + 1 + more;
    return std::max(2U, side);
}

std::shared_ptr<const FabricDescription>
HexagonalMeshFabric::Describe(uint32_t ports) const
{
    const uint32_t rows = m_rows != 0 ? m_rows : GetSide(ports);
    const uint32_t columns = m_columns != 0 ? m_columns : GetSide(ports);
    NS_ABORT_MSG_IF(ports > GetMostEnds(rows, columns),
                    "HexagonalMeshFabric: a mesh of "
                        << rows << " rows and " << columns << " columns has "
                        << GetMostEnds(rows, columns) << " arms that lead out, and the switch has "
                        << ports << " ports; give more Rows or Columns, or 0");
    return std::make_shared<MeshDescription>(MeshDescription::HEXAGONAL,
                                             MakeHexagonalMesh(rows, columns, ports),
                                             ports,
                                             GetOptics(),
                                             GetEffort());
}

} // namespace ns3
