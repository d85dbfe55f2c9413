/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_LINK_H
#define PHOTONIC_RAILS_RANK_LINK_H

#include "opus-broker.h"
#include "shim-codec.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/process-links.h"
#include "ns3/ptr.h"
#include "ns3/remote-calls.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The calls of a shim to those of its ranks that are on other processes of a distributed
 * simulation. Each process has such a link of each shim; that of a rank makes its calls.
 */
class RankLink : public SimpleRefCount<RankLink>
{
  public:
    /**
     * @param latency from the shim to a rank, 1 ps or more
     * @param cabling of the fibers
     */
    RankLink(Time latency, std::shared_ptr<const Cabling> cabling);

    /** Adds a rank. */
    void Add(Ptr<OpusBroker> broker);

    /** Removes the ranks: later calls have no effect. */
    void Clear();

    /** Calls a method of a rank's broker. @param delay from now */
    template <auto Method, typename... Arguments>
    void Call(const Ptr<OpusBroker>& broker, Time delay, const Arguments&... arguments)
    {
        ByteWriter bytes;
        bytes.Put(broker->GetRank());
        Methods::Put<Method>(m_codec, bytes, arguments...);
        m_links->Send(broker->GetNode()->GetSystemId(), delay, m_listener, bytes);
    }

  private:
    using Methods = RemoteCalls<ShimCodec,
                                &OpusBroker::HandleAnswer,
                                &OpusBroker::HandleHintAnswer,
                                &OpusBroker::HandleSample,
                                &OpusBroker::Watch>;

    /** Makes a call of another process. */
    void Take(ByteReader& bytes);

    ShimCodec m_codec;
    Ptr<ProcessLinks> m_links;
    uint32_t m_listener;
    std::map<RankId, Ptr<OpusBroker>> m_brokers;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_LINK_H */
