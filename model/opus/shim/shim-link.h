/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_LINK_H
#define PHOTONIC_RAILS_SHIM_LINK_H

#include "local-shim.h"
#include "shim-codec.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/nstime.h"
#include "ns3/process-links.h"
#include "ns3/ptr.h"
#include "ns3/remote-calls.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The calls of ranks to a shim on another process of a distributed simulation. Each process
 * has such a link of each shim; that of the shim makes the calls.
 */
class ShimLink : public SimpleRefCount<ShimLink>
{
  public:
    /**
     * @param shim whose process has its events
     * @param process of the shim
     * @param latency from a rank to the shim, 2 ps or more
     * @param cabling of the fibers
     */
    ShimLink(LocalShim& shim,
             uint32_t process,
             Time latency,
             std::shared_ptr<const Cabling> cabling);

    /** Removes the shim: later calls have no effect. */
    void Clear();

    /** Calls a method of the shim. @param delay from now */
    template <auto Method, typename... Arguments>
    void Call(Time delay, const Arguments&... arguments)
    {
        ByteWriter bytes;
        Methods::Put<Method>(m_codec, bytes, arguments...);
        m_links->Send(m_process, delay, m_listener, bytes);
    }

  private:
    using Methods = RemoteCalls<ShimCodec,
                                &LocalShim::Join,
                                &LocalShim::BeginIteration,
                                &LocalShim::Request,
                                &LocalShim::Finish,
                                &LocalShim::Called,
                                &LocalShim::Hint,
                                &LocalShim::LinkUp,
                                &LocalShim::PortIsUp,
                                &LocalShim::LinkFailed,
                                &LocalShim::Leave>;

    uint32_t m_process;
    ShimCodec m_codec;
    Ptr<ProcessLinks> m_links;
    uint32_t m_listener;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_LINK_H */
