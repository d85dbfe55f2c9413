/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-kinds.h"

#include <cstddef>
#include <set>

namespace ns3
{

CircuitKinds::CircuitKinds(ResultDatabase& database, const std::string& run)
{
    database.Select("SELECT rail, switch_port, server FROM ports WHERE run=" + run,
                    [this](const auto& row) {
                        m_servers[{ToWhole(row[0]), ToWhole(row[1])}] = ToWhole(row[2]);
                    });
    database.Select("SELECT rail, server, cp, ep, shard, replica, pp FROM ranks WHERE run=" + run,
                    [this](const auto& row) {
                        std::vector<int64_t> place;
                        for (std::size_t c = 2; c < row.size(); ++c)
                        {
                            place.push_back(ToWhole(row[c]));
                        }
                        m_places[{ToWhole(row[0]), ToWhole(row[1])}] = place;
                    });
}

int64_t
CircuitKinds::GetServer(int64_t rail, int64_t port) const
{
    const auto found = m_servers.find({rail, port});
    return found == m_servers.end() ? -1 : found->second;
}

std::vector<int64_t>
CircuitKinds::ListPorts(int64_t rail) const
{
    std::vector<int64_t> ports;
    for (const auto& [port, server] : m_servers)
    {
        if (port.first == rail)
        {
            ports.push_back(port.second);
        }
    }
    return ports;
}

std::string
CircuitKinds::Find(int64_t rail, int64_t one, int64_t other) const
{
    static const std::vector<std::string> names{"cp", "ep", "dp", "dp", "pp"};
    const auto from = m_places.find({rail, GetServer(rail, one)});
    const auto to = m_places.find({rail, GetServer(rail, other)});
    std::set<std::string> found;
    for (std::size_t c = 0; from != m_places.end() && to != m_places.end() && c < names.size(); ++c)
    {
        if (from->second[c] != to->second[c])
        {
            found.insert(names[c]);
        }
    }
    if (found == std::set<std::string>{"dp", "ep"})
    {
        return "dp"; // experts are spread over it
    }
    return found.size() == 1 ? *found.begin() : "";
}

} // namespace ns3
