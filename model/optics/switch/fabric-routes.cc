/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-routes.h"

#include <limits>

namespace ns3
{

FabricRoutes::FabricRoutes(std::shared_ptr<const FabricDescription> fabric)
    : m_fabric(std::move(fabric))
{
}

const std::shared_ptr<const FabricDescription>&
FabricRoutes::GetFabric() const
{
    return m_fabric;
}

std::vector<FabricRoute>
FabricRoutes::List(const Routes& routes)
{
    std::vector<FabricRoute> list;
    for (const auto& [circuit, route] : routes)
    {
        list.push_back(route);
    }
    return list;
}

RouteChange
FabricRoutes::Change(const CircuitChange& change, const std::vector<Circuit>& movable)
{
    RouteChange result;
    if (!m_fabric)
    {
        return result;
    }
    Routes routes = m_routes;
    for (const Circuit& circuit : change.removed)
    {
        routes.erase(circuit);
    }
    FabricAnswer answer = m_fabric->FindRoutes(List(routes), change.added);
    if (!answer.why.empty() && !movable.empty())
    {
        std::vector<Circuit> all = change.added;
        for (const Circuit& circuit : movable)
        {
            routes.erase(circuit);
            all.push_back(circuit);
        }
        answer = m_fabric->FindRoutes(List(routes), all);
    }
    if (!answer.why.empty())
    {
        result.why = answer.why;
        return result;
    }
    for (std::size_t i = 0; i < answer.routes.size(); ++i)
    {
        const FabricRoute& route = answer.routes[i];
        routes[route.circuit] = route;
        if (i >= change.added.size() && !(Find(route.circuit)->ways == route.ways))
        {
            result.moved.push_back(route.circuit);
        }
    }
    m_routes = std::move(routes);
    return result;
}

const FabricRoute*
FabricRoutes::Find(const Circuit& circuit) const
{
    const auto found = m_routes.find(circuit);
    return found == m_routes.end() ? nullptr : &found->second;
}

FabricPath
FabricRoutes::GetPath(const Circuit& circuit) const
{
    const FabricRoute* route = Find(circuit);
    if (route == nullptr)
    {
        FabricPath free;
        free.crosstalkDb = std::numeric_limits<double>::infinity();
        return free;
    }
    return m_fabric->GetPath(*route, List(m_routes));
}

std::pair<Picoseconds, Picoseconds>
FabricRoutes::GetDelays(const Circuit& circuit) const
{
    const FabricRoute* route = Find(circuit);
    return route == nullptr
               ? std::pair<Picoseconds, Picoseconds>()
               : std::pair(m_fabric->GetDelay(*route, 0), m_fabric->GetDelay(*route, 1));
}

} // namespace ns3
