/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INSTANT_CIRCUITS_H
#define PHOTONIC_RAILS_INSTANT_CIRCUITS_H

#include "circuit-broker.h"
#include "pair-ports.h"
#include "rail-links.h"
#include "server-calls.h"

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An ideal control plane, which has all requests at once. Its run gives the least cost of
 * reconfiguration.
 *
 * When all ranks that take part in a stage have requested it, it reconfigures the switch for the
 * stage's pairs, with no latency and no messages, and answers when the new circuits are up. The
 * ports of each rank are divided over its pairs; existing circuits that fit stay. A stage that
 * needs no new circuits goes at once. Others wait until none of their ranks is in a stage in
 * progress, and until the fabric of their switch has routes beside those of such stages, in the
 * order in which their requests became complete. Ranks of different rails are
 * joined over relays, if the links forward (ChooseRoutes()).
 *
 * It is never late and never wrong, so it is the reference for a real control plane.
 */
class InstantCircuits : public CircuitBroker
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    InstantCircuits() = default;

    /** @param links the places of the ranks; their rails are optical */
    explicit InstantCircuits(std::shared_ptr<const RailLinks> links);

    /** @return the number of circuit plans that it has programmed */
    uint64_t GetReconfigurations() const;

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>& ranks,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override;
    void Request(const CircuitRequest& request, AnswerCallback callback) override;
    void Finished(const CircuitRequest& request) override;
    bool CanChange() const override;
    bool AreIntraNode(RankId one, RankId other) const override;

  protected:
    void DoDispose() override;

  private:
    /** A rank's call for circuits. */
    struct Call
    {
        CircuitRequest request;
        AnswerCallback callback;
    };

    /** A stage of an operation. */
    struct Stage
    {
        std::vector<Call> calls;         //!< of the ranks that have requested circuits
        std::set<RankId> ranks;          //!< that need circuits
        std::vector<JoinedRanks> routes; //!< that circuits join for it
        std::set<RankId> ends;           //!< of the routes
        uint32_t plans{0};               //!< circuit plans that are not done
        std::size_t open{0};             //!< ranks that have not finished
        std::string why;                 //!< the reason of a switch's refusal
    };

    using Stages = std::list<Stage>;

    /** @return whether two requests are for the same stage */
    static bool IsSameStage(const CircuitRequest& one, const CircuitRequest& other);
    /** @return whether a request is for a stage that has requests */
    static bool IsOf(const CircuitRequest& request, const Stage& stage);
    /** Adds a request to its stage: those that the fabric joins with its rank have called too. */
    void Add(const CircuitRequest& request);
    /** @return what routes depend on, apart from the circuits that stand */
    RouteInputs GetPorts() const;
    /** @return the routes for pairs, or the reason why they cannot be joined */
    RoutedPairs ChooseRoutes(const std::vector<JoinedRanks>& pairs) const;
    /** @return the ports of a stage's ranks, divided over its routes; none of them is taken */
    PairPorts DividePorts(const std::vector<JoinedRanks>& routes) const;
    /** @return whether the circuits of a stage exist */
    bool IsJoined(const Stage& stage) const;
    /** @return the fault that keeps light from a circuit of the stage; empty if there is none */
    std::string GetFaultOf(const Stage& stage) const;
    /** @return the circuits of routes by rail, and those that exist already if there are any */
    std::map<const Rail*, std::vector<Circuit>> MakeCircuits(const std::vector<JoinedRanks>& routes,
                                                             PairPorts& ports) const;
    /** @return whether the fabric of a rail's switch cannot set all circuits together */
    static bool MayBlock(const Rail& rail);
    /**
     * @param stage that is to have circuits
     * @return ports of a rail whose circuits neither it nor a stage in progress needs, if the
     * fabric can't have them beside others; else none
     */
    std::vector<PortId> GetPortsToClear(const Rail& rail, const Stage& stage) const;
    /** @return the changes of circuits for a stage, by rail */
    std::map<const Rail*, CircuitPlan> MakePlans(const Stage& stage) const;
    /** Starts the stages that can start. */
    void Proceed();
    /**
     * @param waiting a stage that is complete
     * @param joined whether its circuits exist
     * @return whether it shares the ports of a rank with a stage in progress, or, if its circuits
     * exist, with a stage whose circuits are being reconfigured; or whether a fabric has no routes
     * for it beside those of stages in progress
     */
    bool IsInTheWay(const Stage& waiting, bool joined) const;
    /** @return whether a fabric has no routes for a stage beside those of stages in progress */
    bool IsBlocked(const Stage& waiting) const;
    /** Programs the switches for a stage. */
    void Program(Stage& stage, uint64_t number);
    /** Handles the report of a switch that has done or refused its plan. */
    void Programmed(uint64_t number, const CircuitPlanReport& report);
    /** Answers all ranks of a stage whose circuits exist. */
    void Answer(Stage& stage);

    std::shared_ptr<const RailLinks> m_links;
    ServerCalls m_serverCalls;
    std::list<Call> m_held; //!< by m_serverCalls
    Stages m_incomplete;    //!< some of their ranks have not requested
    Stages m_waiting; //!< all of their ranks have requested, in the order in which they became
                      //!< complete
    std::map<uint64_t, Stage> m_running; //!< by the stages' own numbers
    uint64_t m_numbers{0};
    bool m_proceeding{false};
    uint64_t m_reconfigurations{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INSTANT_CIRCUITS_H */
