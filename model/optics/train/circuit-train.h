/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_TRAIN_H
#define PHOTONIC_RAILS_CIRCUIT_TRAIN_H

#include "batch-port.h"
#include "engine-train.h"

#include "ns3/circuit-engine.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{

class CircuitIngress;
class OpticalFiber;

/**
 * @ingroup photonic-rails
 * @brief Two NIC ports whose circuit runs in trains (`PhotonicRailsFidelity` is PacketTrains).
 *
 * It connects a CircuitEngine to the simulation. Enter() takes over the state of two ports and the
 * fibers between them, at any instant, with the frames in flight; Leave() returns the state, at any
 * instant, and packet events continue from there. So a change that the engine does not support
 * leaves trains first: the ports, fibers and switches of the circuit call Leave() before they
 * change. Each circuit has one pending event.
 */
class CircuitTrain final : public EngineTrain<CircuitEngine>
{
  public:
    /**
     * Takes a circuit over, if that is possible now.
     * @param one a port that is about to send
     * @param [out] why the reason if it is not possible
     * @return the train, or null
     */
    static Ptr<CircuitTrain> Enter(BatchPort& one, std::string& why);

    ~CircuitTrain() override;

    // BatchMode
    void Leave(const std::string& why) override;
    void Abandon() override;
    void Kick(uint32_t end) override;
    bool Reserve(BatchAhead& ahead) override;
    void Release() override;
    void CountAhead(uint32_t end, uint64_t frames) override;
    BatchShape GetShape() const override;

  private:
    /** A stage of the circuit: a fiber, and the switch at its end, if the stage is not the last. */
    struct Hop
    {
        Ptr<OpticalFiber> fiber;
        FiberPort* from;
        CircuitIngress* ingress; //!< null at a NIC
    };

    /** Frames that the counters of fibers and switches include already. */
    struct Counted
    {
        uint64_t begun{0};
        std::vector<TrainLine::Passed> passed; //!< by stage
    };

    CircuitTrain() = default;

    /** Follows the circuit from a port. @return whether it leads to another port; else why not */
    static bool Walk(BatchPort& from, std::vector<Hop>& hops, BatchPort*& to, std::string& why);
    /** @return the stages of a circuit */
    static std::vector<TrainLine::Stage> StagesOf(const std::vector<Hop>& hops);
    /** @return whether all frames in flight will arrive; else why not */
    static bool FramesComeThrough(const std::vector<Hop>& hops,
                                  const BatchPort& to,
                                  std::string& why);
    /** Takes the frames in flight out of the fibers. */
    void Absorb(uint32_t from);
    /** Returns the frames in flight from one end to the fibers. */
    void GiveBack(uint32_t from, Picoseconds now);
    /** Adds frames that a stage of the circuit has passed on to counters. */
    void CountPassed(uint32_t end, std::size_t stage, uint64_t whole, uint64_t lost);
    /** Adds frames that an end has sent to counters. */
    void CountSent(uint32_t end, uint64_t frames);
    /** Ends the engine and frees the fibers. */
    void LetGo();
    // EngineTrain
    void Count(Picoseconds now) override;
    void Gather() override;
    void Reschedule(Picoseconds now) override;

    std::array<BatchPort*, 2> m_nics{};
    std::array<BatchOffload*, 2> m_offloads{};
    std::array<Mac48Address, 2> m_addresses;
    std::array<std::vector<Hop>, 2> m_hops; //!< by the end at which they begin
    std::array<Counted, 2> m_counted;
    std::array<bool, 2> m_kicked{}; //!< ends with new frames to send
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_TRAIN_H */
