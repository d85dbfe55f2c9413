/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CODEC_H
#define PHOTONIC_RAILS_SHIM_CODEC_H

#include "link-up-watch.h"
#include "local-shim.h"
#include "shim-settings.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-contents.h"

#include <memory>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The arguments of calls between ranks and their shim as bytes, where these are on several
 * processes of a distributed simulation.
 *
 * Both processes have the cabling, so of granted circuits only the ports travel. Rings (multi-hop
 * policies, WhenGivenUp Ring) do not: an answer over them aborts.
 */
class ShimCodec
{
  public:
    /** @param cabling of the fibers */
    explicit ShimCodec(std::shared_ptr<const Cabling> cabling);

    void Put(ByteWriter& bytes, RankId rank) const;
    void Put(ByteWriter& bytes, Time time) const;
    void Put(ByteWriter& bytes, const CommunicationGroup& group) const;
    void Put(ByteWriter& bytes, const CircuitRequest& request) const;
    void Put(ByteWriter& bytes, const CircuitAnswer& answer) const;
    void Put(ByteWriter& bytes, const CircuitHint& hint) const;
    void Put(ByteWriter& bytes, const CallNotice& notice) const;
    void Put(ByteWriter& bytes, const LinkUpWatch::Outcome& outcome) const;
    void Put(ByteWriter& bytes, const CarrierWatch& watch) const;
    void Put(ByteWriter& bytes, const RankCircuit& circuit) const;
    void Put(ByteWriter& bytes, const ShimSample& sample) const;

    /** @return the next argument, of Put() */
    template <typename Value>
    Value Take(ByteReader& bytes) const
    {
        if constexpr (std::is_same_v<Value, CommunicationGroup>)
        {
            return TakeGroup(bytes);
        }
        else
        {
            Value value{};
            Fill(bytes, value);
            return value;
        }
    }

  private:
    /** @return a group */
    static CommunicationGroup TakeGroup(ByteReader& bytes);
    // take an argument
    void Fill(ByteReader& bytes, RankId& rank) const;
    void Fill(ByteReader& bytes, Time& time) const;
    void Fill(ByteReader& bytes, CircuitRequest& request) const;
    void Fill(ByteReader& bytes, CircuitAnswer& answer) const;
    void Fill(ByteReader& bytes, CircuitHint& hint) const;
    void Fill(ByteReader& bytes, CallNotice& notice) const;
    void Fill(ByteReader& bytes, LinkUpWatch::Outcome& outcome) const;
    void Fill(ByteReader& bytes, CarrierWatch& watch) const;
    void Fill(ByteReader& bytes, RankCircuit& circuit) const;
    void Fill(ByteReader& bytes, ShimSample& sample) const;

    std::shared_ptr<const Cabling> m_cabling;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CODEC_H */
