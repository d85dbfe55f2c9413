/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_TRAIN_H
#define PHOTONIC_RAILS_CIRCUIT_TRAIN_H

#include "batch-port.h"

#include "ns3/batch-mode.h"
#include "ns3/circuit-engine.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"

#include <array>
#include <memory>
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
 * It stands between a CircuitEngine and the simulation. Enter() takes over what two ports and the
 * fibers between them are doing, at any instant, frames on their way included; Leave() gives it
 * back, at any instant, and packet events go on from there. So whatever the engine does not do is
 * done by leaving first: the ports, fibers and switches on the way call Leave() before anything
 * changes about them. There is one pending event a circuit.
 */
class CircuitTrain final : public BatchMode
{
  public:
    /**
     * Takes a circuit over, if that can be done now.
     * @param one a port that is about to send
     * @param [out] why not, if it cannot be done
     * @return the train, or null
     */
    static Ptr<CircuitTrain> Enter(BatchPort& one, std::string& why);

    ~CircuitTrain() override;

    // BatchMode
    void Leave(const std::string& why) override;
    void Abandon() override;
    void CatchUp() override;
    void Advance() override;
    void CatchUpWholly() override;
    void Kick(uint32_t end) override;

    bool IsInThePast() const override
    {
        return m_engine->IsInThePast();
    }

  private:
    /** A stage of the way: a fiber, and the switch at its end, if it is not the last. */
    struct Hop
    {
        Ptr<OpticalFiber> fiber;
        FiberPort* from;
        CircuitIngress* ingress; //!< null at a NIC
    };

    /** Frames that have been counted where frames are counted. */
    struct Counted
    {
        uint64_t begun{0};
        std::vector<TrainLine::Passed> passed; //!< by stage
    };

    CircuitTrain() = default;

    /** @return the way from a port to another, or none, and why */
    static bool Walk(BatchPort& from, std::vector<Hop>& hops, BatchPort*& to, std::string& why);
    /** @return the stages of a way */
    static std::vector<TrainLine::Stage> StagesOf(const std::vector<Hop>& hops);
    /** @return whether all frames on their way will come through; else why not */
    static bool FramesComeThrough(const std::vector<Hop>& hops,
                                  const BatchPort& to,
                                  std::string& why);
    /** Takes the frames out of the fibers. */
    void Absorb(uint32_t from);
    /** Counts frames where frames are counted. */
    void Count(Picoseconds now);
    /** Gives the frames that are on their way from one end to the fibers. */
    void GiveBack(uint32_t from, Picoseconds now);
    /** The engine does nothing more, and the fibers are free. */
    void LetGo();
    /** Asks for the next event. */
    void Reschedule(Picoseconds now);
    /** The event. */
    static void Wake(Ptr<CircuitTrain> train, uint64_t ticket, uint32_t end);

    std::array<BatchPort*, 2> m_nics{};
    std::array<BatchOffload*, 2> m_offloads{};
    std::array<Mac48Address, 2> m_addresses;
    std::array<std::vector<Hop>, 2> m_hops; //!< by the end they begin at
    std::array<Counted, 2> m_counted;
    std::unique_ptr<CircuitEngine> m_engine;
    Picoseconds m_eventAt{NEVER}; //!< of the event that counts
    uint64_t m_ticket{0};         //!< of that event
    bool m_waking{false};
    std::array<bool, 2> m_kicked{}; //!< ends that have had something new to send
    bool m_over{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_TRAIN_H */
