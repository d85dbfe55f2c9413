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

/** What goes between two GPUs of a server: a message, and what is to become of it. */
struct ScaleUpParcel
{
    /** What the receiver does with it. */
    enum Purpose
    {
        PLAIN,      //!< has it: the message is for this rank
        TO_FORWARD, //!< sends it on to the message's receiver
        FORWARDED,  //!< knows that its message, which was sent on, is settled
        FAILED,     //!< knows that its message, which was sent on, is given up
    };

    Purpose purpose{PLAIN};
    TransportMessage message;
    std::string why; //!< of FAILED
};

/**
 * @ingroup photonic-rails
 * @brief Carries the messages of a rank to ranks of the same server, over the fabric inside it.
 *
 * A message has arrived when the ScaleUpDomain delivers it, and is settled one latency of the
 * domain later. It never fails. All messages between two ranks keep their order, whatever their
 * group and channel.
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
    /** Told of a parcel that is not plain. */
    typedef Callback<void, const ScaleUpParcel&> ParcelCallback;

    /** @return the type */
    static TypeId GetTypeId();

    ScaleUpTransport();
    ~ScaleUpTransport() override;

    /**
     * Joins the rank to its server's fabric.
     * @param domain the fabric
     * @param member the rank's GPU in it
     * @param rank whose transport this is
     */
    void Join(Ptr<ScaleUpDomain> domain, MemberId member, RankId rank);

    /**
     * @param rank another rank of this server
     * @param member its GPU
     */
    void AddPeer(RankId rank, MemberId member);

    /** @return whose transport this is */
    RankId GetRank() const;

    /**
     * @param rank a rank
     * @return whether this reaches it
     */
    bool Reaches(RankId rank) const;

    void Send(const TransportMessage& message) override;
    std::string Describe(const TransportMessage& message) const override;

    /**
     * Sends a parcel that is not plain, in order with the messages.
     * @param to to whom, of this server
     * @param parcel what
     * @param bytes how much it takes of the fabric
     */
    void SendParcel(RankId to, const ScaleUpParcel& parcel, uint64_t bytes);

    /** @param callback called when a parcel is there that is not plain */
    void SetParcelCallback(ParcelCallback callback);

  protected:
    void DoDispose() override;

  private:
    /** Lets go of the fabric. */
    void Leave();
    /** @return the GPU of a rank; aborts if it is none of this server's */
    MemberId MemberOf(RankId rank) const;
    /** The fabric delivers. */
    void Delivered(const ScaleUpMessage& message);
    /** The fabric has delivered. */
    void Settled(const ScaleUpMessage& message);

    Ptr<ScaleUpDomain> m_domain;
    MemberId m_member;
    RankId m_rank;
    std::map<RankId, MemberId> m_peers;
    ParcelCallback m_parcel;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_TRANSPORT_H */
