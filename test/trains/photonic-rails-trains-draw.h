/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_DRAW_H
#define PHOTONIC_RAILS_TRAINS_DRAW_H

#include "photonic-rails-trains-dice.h"
#include "photonic-rails-trains-scenario.h"

#include <cstdint>

namespace ns3
{

/** Draws random scenarios: wide, with many values that are multiples of one another. */
class TrainsDraw
{
  public:
    /** The kind of scenario. */
    enum Kind
    {
        SHORT,    //!< about 1,500 frames on average
        LONG,     //!< some with many more
        ORACLE,   //!< of the class that an oracle outside this module covers
        STREAMS,  //!< long messages each way over one circuit, which are computed as streams
        SWITCHED, //!< around a packet switch
        TURNS,    //!< several queue pairs of a port take turns
        FABRICS,  //!< as SHORT, but the fabric of the switch has routes of different lengths
    };

    /**
     * @param kind of scenario
     * @param seed that it is drawn from
     */
    TrainsDraw(Kind kind, uint64_t seed);

    /** @return the scenario */
    TrainsScenario Draw();

    /** Traces that can be attached. */
    static constexpr uint32_t WATCHED = 12;

  private:
    using Action = TrainsScenario::Action;

    void DrawRail();

    uint64_t DrawRate();

    Picoseconds DrawDelay();

    void DrawCircuits();

    TrainsScenario::Settings DrawSettings();

    void DrawQueuePairs();

    /** Queue pairs that take turns: most of one port, with like settings. */
    void DrawQueuePairsInTurn();

    /** Sometimes an acknowledgement takes as long as the timer, or a picosecond more or less. */
    void TieTimers();

    void DrawEnds(TrainsScenario::QueuePair& pair);

    uint64_t DrawBytes(uint64_t mostFrames);

    /** @return an instant at which a message or a packet may be given away */
    Picoseconds DrawInstant(Picoseconds latest, Picoseconds span);

    /** One queue pair a direction, or one for both, and long messages. */
    void DrawStreams();

    /** Makes the rail one around a packet switch. */
    void DrawPacketSwitch();
    /** Removes what only an optical switch does. */
    void ForgetCircuits();
    /** Leaves GPUs without queue pairs bare, some of them for a while. */
    void DrawBareGpus();

    void DrawMessages();

    /** A message of each queue pair, at nearly the same time. @return the latest instant */
    Picoseconds DrawMessagesInTurn(uint64_t& budget);

    /** Sometimes queue pairs have many messages to send at once around a packet switch. */
    void DrawManyMessages();

    void DrawPackets();

    /** @return an instant of a fault */
    void Place(Action& action);

    void DrawPerturbations();

    void DrawObservers();

    /**
     * With selective repeat: the last frames of a message are lost, which no later frame shows.
     * With light, or in the dark of a fiber that is cut.
     */
    void DrawLostTail();

    /**
     * Reactions post on queue pairs of the port where the completion was noticed, so that their
     * posts have an order: frames come to a port one by one. For the same reason such a queue pair
     * is given messages otherwise only before the first completion.
     */
    void DrawReactions();

    /** Two plans that a switch gets at one instant would have no order. */
    void UntieCircuits();

    uint32_t GpuOf(const TrainsScenario::Reaction& reaction) const;

    /** @return a queue pair that ends at the very same port as the one that reacts */
    uint32_t DrawTarget(const TrainsScenario::Reaction& reaction);

    Kind m_kind;
    Dice m_dice;
    TrainsScenario m_scenario;
    Picoseconds m_span{0}; //!< about how long it is busy
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_DRAW_H */
