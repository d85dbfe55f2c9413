/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "traffic-matrix.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return the place of a receiver in a row, or of the next one */
template <typename Row>
auto
FindReceiver(Row& row, uint32_t to)
{
    return std::lower_bound(row.begin(), row.end(), to, [](const auto& one, uint32_t receiver) {
        return one.first < receiver;
    });
}

} // namespace

void
TrafficMatrix::Set(uint32_t from, uint32_t to, uint64_t bytes)
{
    Row& row = m_rows.at(from);
    const auto place = FindReceiver(row, to);
    if (place != row.end() && place->first == to)
    {
        place->second = bytes;
    }
    else if (bytes > 0)
    {
        row.insert(place, {to, bytes});
    }
}

uint64_t
TrafficMatrix::Get(uint32_t from, uint32_t to) const
{
    const Row& row = m_rows.at(from);
    const auto place = FindReceiver(row, to);
    return place != row.end() && place->first == to ? place->second : 0;
}

} // namespace ns3
