/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_BROKER_H
#define PHOTONIC_RAILS_CIRCUIT_BROKER_H

#include "path-costs.h"

#include "ns3/callback.h"
#include "ns3/collective-kind.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Which ports join which ranks.
 */
class Connectivity
{
  public:
    virtual ~Connectivity() = default;

    /**
     * @param from a rank
     * @param to another
     * @return the links between them, in order of the sender's ports; none if they are not joined
     */
    virtual std::vector<RailLink> GetLinks(RankId from, RankId to) const = 0;

    /** @return whether that may change during a run */
    virtual bool CanChange() const
    {
        return true;
    }
};

/** What a rank asks a broker for: circuits for one stage of an operation. */
struct CircuitRequest
{
    RankId rank;              //!< who asks; each rank that sends or receives in the stage does
    GroupId group;            //!< whose operation it is
    uint64_t operation{0};    //!< its number in that group; all ranks give it the same
    bool pointToPoint{false}; //!< a send or receive: operations are counted by sender and receiver
    RankId from;              //!< of a send or receive
    RankId to;                //!< of a send or receive
    uint32_t stage{0};        //!< of the operation, from 0
    uint32_t stages{1};       //!< that the operation has
    uint32_t place{0};        //!< of the operation in the program of the rank
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0}; //!< that this rank sends in the stage
    std::shared_ptr<const std::vector<std::pair<RankId, RankId>>> pairs; //!< to be joined, of all
};

/** What a broker answers. */
struct CircuitAnswer
{
    /** Where the messages go. */
    enum class Network : uint8_t
    {
        RAIL,
        HOST,
        NONE,      //!< refused
        WITHDRAWN, //!< after RAIL: the circuits are to be given back, see CircuitBroker
    };

    Network network{Network::RAIL};
    std::shared_ptr<const Connectivity> links; //!< on rails
    std::string why;                           //!< refused or withdrawn: why
};

/** What a rank program says of circuits that it will need: for whom it schedules them itself. */
struct CircuitHint
{
    /** What it wants. */
    enum class Kind : uint8_t
    {
        PREFETCH, //!< they are to be set up when the others want it too; no rank waits
        ACQUIRE,  //!< the same, and the rank waits until they are up
        RELEASE,  //!< they are not needed any more
    };

    Kind kind{Kind::PREFETCH};
    CircuitRequest first; //!< what will be asked for first
    uint64_t until{0};    //!< the last operation of that flow that is to have them too
};

/**
 * @ingroup photonic-rails
 * @brief Whom collectives ask for circuits, stage by stage: the wall between what is to be sent and
 * who reprograms switches for it.
 *
 * A control plane implements it; the default, StandingCircuits, says at once what there is. A rank
 * asks for a stage before it sends anything in it, and for the next one as soon as it has an
 * answer: the answer may wait for whatever it has to. When its messages of a stage are settled and
 * those for it have come, it says so.
 *
 * Circuits that were granted may be withdrawn, by a second call of the same callback: the rank then
 * sends nothing more in the stage, says that it has finished when what it sent is settled, and asks
 * for the same stage again if it is not through with it.
 */
class CircuitBroker : public Object
{
  public:
    /** Told the answer. */
    typedef Callback<void, const CircuitAnswer&> AnswerCallback;

    /** @return the type */
    static TypeId GetTypeId();

    /**
     * @param ranks all ranks of a group
     * @param pairs of them that an algorithm needs joined at once
     * @return why they can never be joined; empty if they can
     */
    virtual std::string GetWhyNot(const std::vector<RankId>& ranks,
                                  const std::vector<std::pair<RankId, RankId>>& pairs) const = 0;

    /**
     * What reconfiguring circuits for an operation costs, by which its algorithm and carrier are
     * chosen. By default nothing, and there is no network of the hosts to choose instead.
     * @param question which operation
     * @return the costs, the same for all ranks that take part unless HasOwnCosts()
     */
    virtual PathCosts GetCosts(const CostQuestion& question) const;

    /**
     * @return whether GetCosts() and Stands() tell a rank what it has measured or seen itself, so
     * that other ranks may be told otherwise: then the first rank of an operation chooses how it is
     * done, and the others wait until they are told. The same for all ranks of a job. By default
     * not: then each rank chooses by itself, and all come to the same
     */
    virtual bool HasOwnCosts() const;

    /**
     * @return whether GetWhyNot() and Stands() may come to another answer later in a run. By
     * default they may
     */
    virtual bool CanChange() const;

    /**
     * @param pairs of ranks that a stage of an operation needs joined
     * @return whether they are now, so that nothing is reconfigured for it, as far as this broker
     * knows. By default not; it is not called where reconfiguration costs nothing
     */
    virtual bool Stands(const std::vector<std::pair<RankId, RankId>>& pairs) const;

    /**
     * @param ask for what
     * @param callback is told the answer, now or later, once; and that it is withdrawn
     */
    virtual void Request(const CircuitRequest& ask, AnswerCallback callback) = 0;

    /**
     * A rank needs the circuits of a stage no more, or gives them back.
     * @param ask what it asked
     */
    virtual void Finished(const CircuitRequest& ask) = 0;

    /**
     * A rank will take part in operations of a group. Nothing by default.
     * @param rank which
     * @param group it
     */
    virtual void Join(RankId rank, const CommunicationGroup& group);

    /**
     * A rank begins another iteration of its training loop, much like the one before, as far as it
     * knows. Nothing by default.
     * @param rank which
     */
    virtual void BeginIteration(RankId rank);

    /**
     * A rank is through with its program. Nothing by default.
     * @param rank which
     */
    virtual void Leave(RankId rank);

    /**
     * A rank schedules its circuits itself. By default it need not, and need not wait.
     * @param hint what it says of them
     * @param callback is told when an ACQUIRE has been answered; else not
     */
    virtual void Hint(const CircuitHint& hint, AnswerCallback callback);
};

/**
 * @ingroup photonic-rails
 * @brief The broker where nothing is reconfigured: electrical rails, or circuits that stay.
 *
 * With the attribute HostNetwork, a stage whose pairs are not all joined goes over the network of
 * the hosts, all of it; else it is refused.
 */
class StandingCircuits : public CircuitBroker
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    StandingCircuits() = default;

    /** @param links what there is */
    explicit StandingCircuits(std::shared_ptr<const Connectivity> links);

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>& ranks,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override;
    void Request(const CircuitRequest& ask, AnswerCallback callback) override;
    void Finished(const CircuitRequest& ask) override;
    bool CanChange() const override;

  private:
    /** @return why not all pairs are joined, or nothing */
    std::string FindGap(const std::vector<std::pair<RankId, RankId>>& pairs) const;

    std::shared_ptr<const Connectivity> m_links;
    bool m_hostNetwork{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_BROKER_H */
