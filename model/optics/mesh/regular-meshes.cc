/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "regular-meshes.h"

#include "ns3/assert.h"

#include <array>

// Meshes whose routes follow from a rule: the Benes network and the crossbar.

namespace ns3
{

namespace
{

/** Sets the cells of a Benes network, half by half, in the order in which MakeBenesMesh() adds
 * them.
 */
class Looping
{
  public:
    explicit Looping(uint32_t cells)
        : m_states(cells, CellState::NONE)
    {
    }

    /** @param outputs by input */
    std::vector<CellState> Set(const std::vector<uint32_t>& outputs)
    {
        SetPart(outputs);
        return m_states;
    }

  private:
    /** @return by input the half of the network that its light takes: the other input of its first
     * cell, and the other output of its last cell, take the other half */
    static std::vector<uint32_t> Halve(const std::vector<uint32_t>& outputs,
                                       const std::vector<uint32_t>& inputs)
    {
        constexpr uint32_t OPEN = 2;
        std::vector<uint32_t> halves(outputs.size(), OPEN);
        for (uint32_t begin = 0; begin < outputs.size(); ++begin)
        {
            for (uint32_t input = begin; halves[input] == OPEN; input ^= 1U)
            {
                halves[input] = 0;
                input = inputs[outputs[input] ^ 1U];
                halves[input] = 1;
            }
        }
        return halves;
    }

    /** Sets the cells of a part of the network. */
    void SetPart(const std::vector<uint32_t>& outputs)
    {
        const auto stateOf = [](bool isBar) { return isBar ? CellState::BAR : CellState::CROSS; };
        if (outputs.size() == 2)
        {
            m_states[m_next++] = stateOf(outputs[0] == 0);
            return;
        }
        std::vector<uint32_t> inputs(outputs.size()); // by output
        for (uint32_t input = 0; input < outputs.size(); ++input)
        {
            inputs[outputs[input]] = input;
        }
        const std::vector<uint32_t> halves = Halve(outputs, inputs);
        std::array<std::vector<uint32_t>, 2> parts;
        for (uint32_t input = 0; input < outputs.size(); ++input)
        {
            parts[halves[input]].push_back(outputs[input] / 2);
            if (input % 2 == 0)
            {
                m_states[m_next++] = stateOf(halves[input] == 0);
            }
        }
        SetPart(parts[0]);
        SetPart(parts[1]);
        for (uint32_t output = 0; output < outputs.size(); output += 2)
        {
            m_states[m_next++] = stateOf(halves[inputs[output]] == 0);
        }
    }

    std::vector<CellState> m_states;
    uint32_t m_next{0};
};

} // namespace

std::vector<MeshRoute>
SetBenesMesh(const MeshGraph& mesh, const std::vector<MeshDemand>& demands)
{
    const uint32_t inputs = mesh.GetEnds() / 2;
    std::vector<uint32_t> outputs(inputs, MeshGraph::NOWHERE);
    std::vector<bool> isTaken(inputs);
    for (const MeshDemand& demand : demands)
    {
        outputs[demand.from] = demand.to - inputs;
        isTaken[demand.to - inputs] = true;
    }
    uint32_t free = 0;
    for (uint32_t& output : outputs)
    {
        if (output == MeshGraph::NOWHERE)
        {
            while (isTaken[free])
            {
                ++free;
            }
            output = free++;
        }
    }
    const std::vector<CellState> states = Looping(mesh.GetCells()).Set(outputs);
    std::vector<MeshRoute> routes;
    for (const MeshDemand& demand : demands)
    {
        routes.push_back(FollowLight(mesh, states, demand.from));
        NS_ASSERT(routes.back().demand == demand);
    }
    return routes;
}

std::vector<MeshRoute>
SetCrossbarMesh(const MeshGraph& mesh, const std::vector<MeshDemand>& demands)
{
    const uint32_t inputs = mesh.GetEnds() / 2;
    std::vector<CellState> states(mesh.GetCells(), CellState::CROSS);
    std::vector<MeshRoute> routes;
    for (const MeshDemand& demand : demands)
    {
        CellState& crossing = states[demand.from * inputs + demand.to - inputs];
        crossing = CellState::BAR;
        routes.push_back(FollowLight(mesh, states, demand.from));
        crossing = CellState::CROSS;
        NS_ASSERT(routes.back().demand == demand);
    }
    return routes;
}

} // namespace ns3
