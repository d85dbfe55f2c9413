/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_TRANSPORT_H
#define PHOTONIC_RAILS_SCALE_UP_TRANSPORT_H

#include "collective-transport.h"

#include "ns3/scale-up-domain.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/** A message between two GPUs of a server, and its purpose. */
struct ScaleUpParcel
{
    /** The handling of the parcel at its receiver. */
    enum Purpose
    {
        PLAIN,      //!< deliver: the message is for this rank, from a rank of this server
        TO_FORWARD, //!< forward it over the rail
        FROM_RAIL,  //!< deliver: another rank of this server has it from the rail
        FORWARDED,  //!< a forwarded message of the receiver is settled
        FAILED,     //!< a forwarded message of the receiver has failed
    };

    Purpose purpose{PLAIN};
    TransportMessage message;
    std::string why; //!< of FAILED
};

/**
 * @ingroup photonic-rails
 * @brief Carries the messages of a rank to ranks of the same server, over its scale-up fabric.
 *
 * A message has arrived when the ScaleUpDomain delivers it, and is settled one latency of the
 * domain later. It never fails. All messages between two ranks keep their order, whatever their
 * group and channel. Those that are sent at one instant leave as the operation has them in its
 * schedule, then by group, channel and ends. So the order of events does not matter, and ranks that
 * do the same do it at the same instants.
 *
 * @code
 * Ptr<ScaleUpTransport> transport = CreateObject<ScaleUpTransport>();
 * transport->Join(domain, memberOfRank4, RankId(4));
 * transport->AddPeer(RankId(5), memberOfRank5);
 * @endcode
 */
class ScaleUpTransport : public Transport
{
  public:
    /** Called with a parcel that is not plain. */
    typedef Callback<void, const ScaleUpParcel&> ParcelCallback;

    /**
     * @return the order of a message's parcel among those that a rank sends at the same instant: by
     * purpose, by its place in the operation (TransportMessage::place), then by group, channel and
     * ends
     */
    static ScaleUpOrder GetOrder(ScaleUpParcel::Purpose purpose,
                                 RankId from,
                                 RankId to,
                                 GroupId group,
                                 uint16_t channel,
                                 uint32_t place);

    /** @return the type */
    static TypeId GetTypeId();

    ScaleUpTransport();
    ~ScaleUpTransport() override;

    /**
     * Joins the rank to its server's fabric.
     * @param domain the fabric
     * @param member the rank's GPU in it
     * @param rank that owns this transport
     */
    void Join(Ptr<ScaleUpDomain> domain, MemberId member, RankId rank);

    /**
     * Adds another rank of this server.
     * @param member the rank's GPU
     */
    void AddPeer(RankId rank, MemberId member);

    /** @return the rank that owns this transport */
    RankId GetRank() const;

    /** @return whether a rank can be reached */
    bool Reaches(RankId rank) const;

    void Send(const TransportMessage& message) override;
    ScaleUpPort FindPort(RankId rank) const override;
    std::string Describe(const TransportMessage& message) const override;

    /**
     * Sends a parcel that is not plain, in order with the messages.
     * @param to a rank of this server
     * @param bytes of load on the fabric
     */
    void SendParcel(RankId to, const ScaleUpParcel& parcel, uint64_t bytes);

    /** @param callback is called when a parcel that is not plain has arrived */
    void SetParcelCallback(ParcelCallback callback);

  protected:
    void DoDispose() override;

  private:
    /** Releases the fabric. */
    void Leave();
    /** @return the GPU of a rank; aborts if the rank is not in this server */
    MemberId MemberOf(RankId rank) const;
    /** Handles a delivery at this rank. */
    void Delivered(const ScaleUpMessage& message);
    /** Handles the delivery of a message of this rank. */
    void Settled(const ScaleUpMessage& message);

    Ptr<ScaleUpDomain> m_domain;
    MemberId m_member;
    RankId m_rank;
    std::map<RankId, MemberId> m_peers;
    ParcelCallback m_parcel;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_TRANSPORT_H */
