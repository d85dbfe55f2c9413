/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mesh-description.h"

#include "regular-meshes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr double METRES_A_SECOND_IN_VACUUM = 299792458.0;

/** The most answers that are remembered. */
constexpr std::size_t REMEMBERED_ANSWERS = 1 << 12;

/** @return circuits in words: "0-5, 2-3" */
template <typename Circuits, typename Project>
std::string
ListCircuits(const Circuits& circuits, const Project& circuitOf)
{
    std::ostringstream words;
    const char* comma = "";
    for (const auto& one : circuits)
    {
        words << std::exchange(comma, ", ") << circuitOf(one);
    }
    return words.str();
}

} // namespace

MeshDescription::MeshDescription(Kind kind,
                                 MeshGraph mesh,
                                 uint32_t ports,
                                 const MeshOptics& optics,
                                 const MeshEffort& effort)
    : m_kind(kind),
      m_mesh(std::move(mesh)),
      m_ports(ports),
      m_optics(optics),
      m_effort(effort)
{
}

const MeshGraph&
MeshDescription::GetMesh() const
{
    return m_mesh;
}

std::string
MeshDescription::GetName() const
{
    const char* kind = m_kind == HEXAGONAL ? "hexagonal mesh"
                       : m_kind == BENES   ? "Benes network"
                                           : "crossbar";
    return std::string(kind) + " of " + std::to_string(GetCells()) + " cells";
}

uint32_t
MeshDescription::GetPorts() const
{
    return m_ports;
}

uint32_t
MeshDescription::GetCells() const
{
    return m_mesh.GetCells();
}

bool
MeshDescription::IsNonBlocking() const
{
    return m_kind == CROSSBAR;
}

std::vector<MeshDemand>
MeshDescription::GetDemands(const std::vector<Circuit>& circuits) const
{
    const uint32_t inputs = m_mesh.GetEnds() / 2;
    std::vector<MeshDemand> demands;
    for (const Circuit& circuit : circuits)
    {
        const uint32_t low = circuit.low.Get();
        const uint32_t high = circuit.high.Get();
        if (m_kind == HEXAGONAL)
        {
            demands.push_back({low, high});
            continue;
        }
        demands.push_back({low, inputs + high});
        demands.push_back({high, inputs + low});
    }
    return demands;
}

MeshAnswer
MeshDescription::Search(const std::vector<MeshRoute>& kept,
                        const std::vector<MeshDemand>& demands) const
{
    if (m_kind == HEXAGONAL || (m_kind == BENES && !kept.empty()))
    {
        return FindMeshRoutes(m_mesh, kept, demands, m_effort);
    }
    MeshAnswer answer;
    answer.outcome = MeshAnswer::FOUND;
    answer.steps = 1;
    answer.routes =
        m_kind == BENES ? SetBenesMesh(m_mesh, demands) : SetCrossbarMesh(m_mesh, demands);
    return answer;
}

std::string
MeshDescription::Explain(const MeshAnswer& answer,
                         const std::vector<FabricRoute>& kept,
                         const std::vector<Circuit>& added) const
{
    std::ostringstream words;
    words << "the " << GetName() << " has no routes for "
          << ListCircuits(added, [](const Circuit& circuit) { return circuit; });
    if (!kept.empty())
    {
        words << " beside those of "
              << ListCircuits(kept, [](const FabricRoute& route) { return route.circuit; });
    }
    if (answer.outcome == MeshAnswer::IMPOSSIBLE)
    {
        words << ": no setting of its cells joins all these ports";
    }
    else
    {
        words << ": none was found in " << m_effort.rounds
              << " rounds of negotiation; more SearchRounds may find some";
    }
    return words.str();
}

FabricAnswer
MeshDescription::Answer(const std::vector<FabricRoute>& kept,
                        const std::vector<Circuit>& added) const
{
    std::vector<MeshRoute> ways;
    for (const FabricRoute& route : kept)
    {
        ways.insert(ways.end(), route.ways.begin(), route.ways.end());
    }
    const MeshAnswer found = Search(ways, GetDemands(added));
    FabricAnswer answer;
    answer.steps = found.steps;
    if (found.outcome != MeshAnswer::FOUND)
    {
        answer.why = Explain(found, kept, added);
        return answer;
    }
    const std::size_t each = m_kind == HEXAGONAL ? 1 : 2;
    for (std::size_t i = 0; i < added.size(); ++i)
    {
        const auto first = found.routes.begin() + i * each;
        answer.routes.push_back({added[i], std::vector<MeshRoute>(first, first + each)});
    }
    return answer;
}

FabricAnswer
MeshDescription::FindRoutes(const std::vector<FabricRoute>& kept,
                            const std::vector<Circuit>& added) const
{
    if (added.empty())
    {
        return {};
    }
    if (!std::is_sorted(added.begin(), added.end()))
    {
        // the same circuits have the same routes, in whichever order they are named
        std::vector<Circuit> sorted = added;
        std::sort(sorted.begin(), sorted.end());
        FabricAnswer answer = FindRoutes(kept, sorted);
        std::vector<FabricRoute> routes;
        for (std::size_t i = 0; i < added.size() && answer.why.empty(); ++i)
        {
            const auto place = std::lower_bound(sorted.begin(), sorted.end(), added[i]);
            routes.push_back(answer.routes[place - sorted.begin()]);
        }
        answer.routes = std::move(routes);
        return answer;
    }
    std::vector<uint32_t> question;
    for (const Circuit& circuit : added)
    {
        question.insert(question.end(), {circuit.low.Get(), circuit.high.Get()});
    }
    for (const FabricRoute& route : kept)
    {
        question.insert(question.end(), {MeshGraph::NOWHERE, route.circuit.low.Get()});
        for (const MeshRoute& way : route.ways)
        {
            question.push_back(way.demand.to);
            for (const MeshStep& step : way.steps)
            {
                question.push_back(4 * step.arm + static_cast<uint32_t>(step.state));
            }
        }
    }
    const auto known = m_answers.find(question);
    if (known != m_answers.end())
    {
        return known->second;
    }
    if (m_answers.size() >= REMEMBERED_ANSWERS)
    {
        m_answers.clear();
    }
    return m_answers.emplace(std::move(question), Answer(kept, added)).first->second;
}

FabricPath
MeshDescription::MakePath(uint32_t cells, uint32_t shared) const
{
    FabricPath path;
    path.cells = cells;
    const double metres =
        (cells * m_optics.cellLengthMicrons + m_optics.accessLengthMicrons) * 1e-6;
    path.delay = std::llround(metres * m_optics.groupIndex / METRES_A_SECOND_IN_VACUUM * 1e12);
    path.lossDb = cells * m_optics.cellLossDb + 2 * m_optics.portLossDb;
    path.crosstalkDb = shared == 0 ? std::numeric_limits<double>::infinity()
                                   : m_optics.cellCrosstalkDb - 10 * std::log10(shared);
    return path;
}

FabricPath
MeshDescription::GetPath(const FabricRoute& route, const std::vector<FabricRoute>& all) const
{
    std::vector<uint32_t> passes(GetCells()); // of routes through each cell
    for (const FabricRoute& one : all)
    {
        for (const MeshRoute& way : one.ways)
        {
            for (const MeshStep& step : way.steps)
            {
                ++passes[MeshGraph::GetCell(step.arm)];
            }
        }
    }
    uint32_t cells = 0;
    uint32_t shared = 0;
    for (const MeshRoute& way : route.ways)
    {
        const auto isShared = [&passes](const MeshStep& step) {
            return passes[MeshGraph::GetCell(step.arm)] > 1;
        };
        cells = std::max<uint32_t>(cells, way.steps.size());
        shared =
            std::max<uint32_t>(shared, std::count_if(way.steps.begin(), way.steps.end(), isShared));
    }
    return MakePath(cells, shared);
}

Picoseconds
MeshDescription::GetDelay(const FabricRoute& route, uint32_t way) const
{
    const MeshRoute& taken = route.ways[std::min<std::size_t>(way, route.ways.size() - 1)];
    return MakePath(taken.steps.size(), 0).delay;
}

} // namespace ns3
