/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_BROKER_H
#define PHOTONIC_RAILS_CIRCUIT_BROKER_H

#include "collective-kind.h"
#include "collective-transport.h"

#include "ns3/callback.h"
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
};

/** What a rank asks a broker for: circuits for one stage of an operation. */
struct CircuitAsk
{
    RankId rank;              //!< who asks; each rank that sends or receives in the stage does
    GroupId group;            //!< whose operation it is
    uint64_t operation{0};    //!< its number in that group; all ranks give it the same
    bool pointToPoint{false}; //!< a send or receive: operations are counted for each pair of ranks
    uint32_t stage{0};        //!< of the operation, from 0
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
        NONE, //!< refused
    };

    Network network{Network::RAIL};
    std::shared_ptr<const Connectivity> links; //!< on rails
    std::string why;                           //!< refused: why
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
     * @param ask for what
     * @param callback is told the answer, now or later, once
     */
    virtual void Request(const CircuitAsk& ask, AnswerCallback callback) = 0;

    /**
     * A rank needs the circuits of a stage no more.
     * @param ask what it asked
     */
    virtual void Finished(const CircuitAsk& ask) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief The broker where nobody reprograms anything: electrical rails, or circuits that stay.
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
    void Request(const CircuitAsk& ask, AnswerCallback callback) override;
    void Finished(const CircuitAsk& ask) override;

  private:
    /** @return why not all pairs are joined, or nothing */
    std::string FindGap(const std::vector<std::pair<RankId, RankId>>& pairs) const;

    std::shared_ptr<const Connectivity> m_links;
    bool m_hostNetwork{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_BROKER_H */
