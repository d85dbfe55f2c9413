/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_BROKER_H
#define PHOTONIC_RAILS_CIRCUIT_BROKER_H

#include "call-comparison.h"
#include "path-costs.h"

#include "ns3/callback.h"
#include "ns3/collective-kind.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The links between ranks: which ports join which ranks.
 */
class Connectivity
{
  public:
    virtual ~Connectivity() = default;

    /**
     * @return the links from a rank to another, in the order of the sender's ports; empty if they
     * are not joined
     */
    virtual std::vector<RailLink> GetLinks(RankId from, RankId to) const = 0;

    /**
     * @return the relays of messages from a rank to another, between whose NICs these links are;
     * none by default
     */
    virtual Relays GetRelays(RankId from, RankId to) const;

    /**
     * @return the paths of messages from a rank to another that begin with these links, in their
     * order, null for a link that leads to the receiving NIC; none by default: all links do
     */
    virtual std::vector<SharedRailPath> GetPaths(RankId from, RankId to) const;

    /** @return whether a fabric inside their server joins two ranks; false by default */
    virtual bool AreIntraNode(RankId one, RankId other) const;

    /** @return whether the links may change during a run */
    virtual bool CanChange() const
    {
        return true;
    }
};

/** A rank's request to a broker: circuits for one stage of an operation. */
struct CircuitRequest
{
    RankId rank;              //!< that requests; each rank that sends or receives in the stage does
    GroupId group;            //!< of the operation
    uint64_t operation{0};    //!< its number in that group, equal at all ranks
    bool pointToPoint{false}; //!< a send or receive: numbered by sender and receiver
    RankId from;              //!< of a send or receive: the sender
    RankId to;                //!< of a send or receive: the receiver
    uint32_t stage{0};        //!< of the operation, from 0
    uint32_t stages{1};       //!< of the operation, in all
    uint32_t place{0};        //!< of the operation in the program of the rank
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0}; //!< that this rank sends in the stage
    std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>
        pairs; //!< that must be joined, of all
    /** That the fabric of a server joins, of all; null: none. */
    std::shared_ptr<const std::vector<std::pair<RankId, RankId>>> intraNode;

    /** @return whether any of the pairs is this rank's */
    bool NeedsCircuits() const;
};

/** A broker's answer to a request. */
struct CircuitAnswer
{
    /** The network that the messages take. */
    enum class Network : uint8_t
    {
        RAIL,
        HOST,
        NONE,      //!< refused
        WITHDRAWN, //!< after RAIL: the rank must release the circuits, see CircuitBroker
    };

    Network network{Network::RAIL};
    std::shared_ptr<const Connectivity> links; //!< on rails
    std::string why;                           //!< of a refusal or a withdrawal: the reason
};

/**
 * A circuit hint: a rank program announces circuits that it will need, where it schedules them
 * itself.
 */
struct CircuitHint
{
    /** The kind of hint. */
    enum class Kind : uint8_t
    {
        PREFETCH, //!< set up the circuits when the other ranks want them too; no rank waits
        ACQUIRE,  //!< the same, and the rank waits until they are up
        RELEASE,  //!< the circuits are not needed any more
    };

    Kind kind{Kind::PREFETCH};
    /** The first request that the circuits are for. A RELEASE may be without its pairs. */
    CircuitRequest first;
    uint64_t until{0}; //!< the last operation of that flow that uses them
    Time due{0};       //!< PREFETCH: the expected time from now to their first use
};

/** A call of which a rank informs its broker, so that it is compared with those of the others. */
struct CallNotice
{
    RankCall call;
    GroupId group;          //!< of the operation
    uint32_t place{0};      //!< of the operation in the program of the rank
    bool isInServer{false}; //!< all ranks of the group are in one server
    bool chooses{false};    //!< the rank chooses the algorithm, and wants the sample
};

/**
 * @ingroup photonic-rails
 * @brief The interface by which collectives request circuits, stage by stage. It separates
 * communication from the control of switches.
 *
 * A control plane implements it; the default, StandingCircuits, answers at once from the links that
 * exist. A rank requests a stage before it sends anything in it, and the next one as soon as it has
 * an answer. The answer may take any time. When the rank's messages of a stage are settled and
 * those for it have come, the rank calls Finished().
 *
 * Circuits that were granted may be withdrawn, by a second call of the same callback: the rank then
 * sends nothing more in the stage, calls Finished() when its sent messages are settled, and
 * requests the same stage again if the stage is not over.
 */
class CircuitBroker : public Object
{
  public:
    /** Called with the answer. */
    typedef Callback<void, const CircuitAnswer&> AnswerCallback;

    /** @return the type */
    static TypeId GetTypeId();

    /**
     * @param ranks all ranks of a group
     * @param pairs of them that an algorithm needs joined at once
     * @return the reason why they can never be joined; empty if they can
     */
    virtual std::string GetWhyNot(const std::vector<RankId>& ranks,
                                  const std::vector<std::pair<RankId, RankId>>& pairs) const = 0;

    /**
     * The costs of reconfiguration for an operation, by which its algorithm and path are chosen. By
     * default reconfiguration costs nothing, and there is no network of the hosts to choose
     * instead.
     * @param question names the operation
     * @return the costs, equal at all ranks that take part unless HasOwnCosts()
     */
    virtual PathCosts GetCosts(const CostQuestion& question) const;

    /**
     * @return whether GetCosts() and Stands() answer from a rank's own measurements and
     * observations, so that answers differ by rank. Then the first rank of an operation chooses,
     * and the others wait for its choice. It is the same for all ranks of a job. False by default:
     * then each rank chooses by itself, and all make the same choice
     */
    virtual bool HasOwnCosts() const;

    /**
     * @return whether the answers of GetWhyNot() and Stands() may change during a run. True by
     * default
     */
    virtual bool CanChange() const;

    /**
     * @param pairs of ranks that a stage of an operation needs joined
     * @return whether circuits join them now, so that the stage needs no reconfiguration, as far as
     * this broker has the state. False by default; it is not called where reconfiguration costs
     * nothing
     */
    virtual bool Stands(const std::vector<std::pair<RankId, RankId>>& pairs) const;

    /**
     * @return the number of links that a message between two ranks takes on rails, one after
     * another, as far as it is known; 1 by default
     */
    virtual std::size_t CountHops(RankId one, RankId other) const;

    /**
     * @return whether two ranks need no circuit, because a fabric inside their server joins them
     * and their transports use it for messages that an algorithm sends on the rail. False by
     * default
     */
    virtual bool AreIntraNode(RankId one, RankId other) const;

    /**
     * Requests the circuits of a stage.
     * @param callback gets the answer once, now or later; after a grant it may get the withdrawal
     */
    virtual void Request(const CircuitRequest& request, AnswerCallback callback) = 0;

    /**
     * Releases the circuits of a stage: the rank does not need them any more, or they are
     * withdrawn.
     * @param request that was granted
     */
    virtual void Finished(const CircuitRequest& request) = 0;

    /**
     * Reports that a message of a granted stage has failed, and has not arrived.
     * @param request of the stage
     * @param message with the link that it took
     * @return whether the circuits will be withdrawn, so that the rank sends the message again on
     * those that it is granted then. False by default: the operation fails
     */
    virtual bool LinkFailed(const CircuitRequest& request, const TransportMessage& message);

    /** Registers a rank that will take part in operations of a group. Does nothing by default. */
    virtual void Join(RankId rank, const CommunicationGroup& group);

    /**
     * Notes that a rank begins another iteration of its training loop. It is expected to be much
     * like the previous one. Does nothing by default.
     */
    virtual void BeginIteration(RankId rank);

    /** Called with the number of the slot of an operation, and its sample. */
    typedef Callback<void, uint32_t, const LatenessSample&> SampleCallback;

    /**
     * @return whether this broker compares the calls of ranks. It is the same for all ranks of a
     * job. False by default: then the first rank of a group gets the calls of the others over the
     * BootstrapNetwork
     */
    virtual bool ComparesCalls() const;

    /**
     * Notes that a rank calls an operation for which it matters whether a rank is late. Does
     * nothing by default.
     * @param callback gets the sample of the operation, at most once, if the rank chooses
     */
    virtual void Called(const CallNotice& notice, SampleCallback callback);

    /** Notes that a rank has ended its program. Does nothing by default. */
    virtual void Leave(RankId rank);

    /**
     * Takes a circuit hint of a rank that schedules its circuits itself. By default the broker
     * ignores hints and answers an ACQUIRE at once.
     * @param callback gets the answer to an ACQUIRE; it is not called for other hints
     */
    virtual void Hint(const CircuitHint& hint, AnswerCallback callback);
};

/**
 * @ingroup photonic-rails
 * @brief The broker where nothing is reconfigured: electrical rails, or circuits that stay.
 *
 * A stage whose pairs are not all joined goes entirely over the network of the hosts if the
 * attribute HostNetwork is set; else it is refused.
 */
class StandingCircuits : public CircuitBroker
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    StandingCircuits() = default;

    /** @param links that exist */
    explicit StandingCircuits(std::shared_ptr<const Connectivity> links);

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>& ranks,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override;
    void Request(const CircuitRequest& request, AnswerCallback callback) override;
    void Finished(const CircuitRequest& request) override;
    bool CanChange() const override;
    std::size_t CountHops(RankId one, RankId other) const override;
    bool AreIntraNode(RankId one, RankId other) const override;

  private:
    /** @return the reason why not all pairs are joined; empty if they are */
    std::string FindGap(const std::vector<std::pair<RankId, RankId>>& pairs) const;

    std::shared_ptr<const Connectivity> m_links;
    bool m_hostNetwork{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_BROKER_H */
