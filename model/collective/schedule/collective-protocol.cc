/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-protocol.h"

#include "ns3/divide-up.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** The layout of a protocol's messages; see CollectiveProtocol for the sources. */
struct Layout
{
    const char* name;
    uint64_t line;    //!< bytes on the wire
    uint64_t data;    //!< bytes of these that are data
    uint64_t message; //!< bytes of data in a message at most; 0: MessageSize
};

constexpr uint64_t LL_LINE = 16;
constexpr uint64_t LL_DATA = 8;
constexpr uint64_t LL_MESSAGE = 8 * 512 * LL_DATA; // lines a thread, threads
constexpr uint64_t LL128_LINE = 128;
constexpr uint64_t LL128_DATA = 120;
constexpr uint64_t LL128_MESSAGE = 120 * 640 * 8 / LL128_LINE * LL128_DATA; // words, threads

const Layout&
GetLayout(CollectiveProtocol protocol)
{
    static const Layout simple{"Simple", 1, 1, 0};
    static const Layout ll128{"LL128", LL128_LINE, LL128_DATA, LL128_MESSAGE};
    static const Layout ll{"LL", LL_LINE, LL_DATA, LL_MESSAGE};
    switch (protocol)
    {
    case CollectiveProtocol::LL128:
        return ll128;
    case CollectiveProtocol::LL:
        return ll;
    default:
        return simple;
    }
}

} // namespace

const std::vector<CollectiveProtocol>&
GetCollectiveProtocols()
{
    static const std::vector<CollectiveProtocol> all{CollectiveProtocol::SIMPLE,
                                                     CollectiveProtocol::LL128,
                                                     CollectiveProtocol::LL};
    return all;
}

const char*
ToString(CollectiveProtocol protocol)
{
    return GetLayout(protocol).name;
}

std::optional<CollectiveProtocol>
FindCollectiveProtocol(const std::string& name)
{
    for (const CollectiveProtocol one : GetCollectiveProtocols())
    {
        if (name == ToString(one))
        {
            return one;
        }
    }
    return std::nullopt;
}

uint64_t
GetWireBytes(CollectiveProtocol protocol, uint64_t bytes)
{
    const Layout& layout = GetLayout(protocol);
    return DivideUp(bytes, layout.data) * layout.line;
}

uint64_t
GetLargestMessage(CollectiveProtocol protocol, uint64_t messageSize)
{
    const uint64_t limit = GetLayout(protocol).message;
    return limit == 0 ? messageSize : std::min(limit, messageSize);
}

} // namespace ns3
