/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INSTANT_CIRCUITS_H
#define PHOTONIC_RAILS_INSTANT_CIRCUITS_H

#include "circuit-broker.h"
#include "rail-links.h"

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A control plane that knows everything at once: what reconfiguring circuits costs at least.
 *
 * When all ranks that take part in a stage have asked, it reprograms the switch for the stage's
 * pairs, with no latency and no messages, and answers when the new circuits are up. Each pair gets
 * as many ports of both ranks as there are, divided over the ranks' pairs; circuits that are there
 * already stay. Stages that need nothing new go at once; others wait until none of their ranks is
 * in a stage that goes on, in the order in which they were complete.
 *
 * What it cannot do is be late or wrong, so a real control plane is held against it.
 */
class InstantCircuits : public CircuitBroker
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    InstantCircuits() = default;

    /** @param links where the ranks are; their rails are optical */
    explicit InstantCircuits(std::shared_ptr<const RailLinks> links);

    /** @return plans that it has programmed */
    uint64_t GetReconfigurations() const;

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>& ranks,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override;
    void Request(const CircuitRequest& ask, AnswerCallback callback) override;
    void Finished(const CircuitRequest& ask) override;
    bool CanChange() const override;

  protected:
    void DoDispose() override;

  private:
    /** A stage of an operation. */
    struct Stage
    {
        CircuitRequest ask;                    //!< of the first rank
        std::vector<AnswerCallback> callbacks; //!< of all that have asked
        std::set<uint32_t> ranks;              //!< that take part
        uint32_t plans{0};                     //!< that are not done
        std::size_t open{0};                   //!< ranks that have not finished
        std::string why;                       //!< a switch refused
    };

    using Stages = std::list<Stage>;

    /** @return whether an ask is of a stage */
    static bool IsOf(const CircuitRequest& ask, const Stage& stage);
    /** @return the links that each pair of a stage is to have */
    std::size_t LinksOf(const Stage& stage, const std::pair<RankId, RankId>& pair) const;
    /** @return whether the circuits of a stage are there */
    bool IsJoined(const Stage& stage) const;
    /** @return why a circuit of a stage that is set can carry no light, or nothing */
    std::string GetFaultOf(const Stage& stage) const;
    /** Starts what can be started. */
    void Proceed();
    /**
     * @param waiting a stage
     * @param joined whether its circuits are there
     * @return whether it shares a rank with one that goes on, or, with its circuits there, with one
     *         whose circuits are still being reconfigured
     */
    bool IsInTheWay(const Stage& waiting, bool joined) const;
    /** Programs the switches for a stage. */
    void Program(Stage& stage, uint64_t number);
    /** A switch has done, or refused, its part. */
    void Programmed(uint64_t number, const CircuitPlanReport& report);
    /** Tells all ranks that a stage's circuits are there. */
    void Answer(Stage& stage);

    std::shared_ptr<const RailLinks> m_links;
    Stages m_asking;                     //!< not all of their ranks have asked
    Stages m_waiting;                    //!< all have, in that order
    std::map<uint64_t, Stage> m_running; //!< by a number of their own
    uint64_t m_numbers{0};
    bool m_proceeding{false};
    uint64_t m_reconfigurations{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INSTANT_CIRCUITS_H */
