/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TOY_CIRCUIT_H
#define PHOTONIC_RAILS_TOY_CIRCUIT_H

#include "../support/toy-wire.h"

#include "ns3/circuit-end.h"
#include "ns3/circuit-engine.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** An RdmaPort that counts how often it is called. */
class CountingRdmaPort : public RdmaPort
{
  public:
    using RdmaPort::RdmaPort;

    void CommitRun(const FrameRun& taken,
                   Picoseconds seen,
                   const RunClock& times,
                   WireFrame& head,
                   RoceFrame* tail) override;
    bool ReceiveRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;

    uint64_t calls{0}; //!< runs sent and runs received
};

class ToyCircuit;

/** One end of a ToyCircuit. It must receive every call in time. */
class ToyCircuitEnd : public RdmaPortOwner
{
  public:
    ToyCircuitEnd(ToyCircuit& circuit, uint32_t end);

    // RdmaPortOwner
    Picoseconds GetNow() const override;
    void NotifyReady() override;
    void WakeAt(uint32_t queuePair, Picoseconds when) override;
    void NotifySettled(uint32_t, const RdmaMessage& message) override;
    void NotifyArrived(uint32_t queuePair, const RdmaMessage& message) override;
    void NotifyFailed(uint32_t,
                      const std::vector<RdmaMessage>& open,
                      const std::string& why) override;

    CountingRdmaPort port;
    std::function<void(uint32_t)> onArrived; //!< called with a message's queue pair, in its instant
    std::vector<std::pair<uint64_t, Picoseconds>> settled;
    std::vector<RdmaMessage> arrived;
    std::vector<Picoseconds> arrivedAt;
    std::vector<uint64_t> failed;
    std::string reason;

  private:
    ToyCircuit& m_circuit;
    uint32_t m_end;
    std::set<std::pair<uint32_t, Picoseconds>> m_wakes;
};

/**
 * Two ports on a CircuitEngine, in toy time. It goes to each horizon, and otherwise only to posts,
 * ends of timers, and checks.
 */
class ToyCircuit
{
  public:
    using Stages = std::vector<TrainLine::Stage>;

    /**
     * @param seed of the order of equal events
     * @param rate of both ports
     * @param stages of the way from each end
     * @param sinks of each end
     */
    ToyCircuit(uint64_t seed,
               uint64_t rate,
               const std::array<Stages, 2>& stages,
               const std::array<TrainSender::Sinks, 2>& sinks = {});

    /** Adds a queue pair. @return its number at both ends */
    uint32_t Join(const QueuePairSettings& settings, const ToyEnd::Congestion& congestion = nullptr)
    {
        return ToyEnd::Join(a.port, b.port, settings, congestion);
    }

    ToyCircuitEnd& GetEnd(uint32_t end)
    {
        return end == 0 ? a : b;
    }

    CircuitEngine& GetEngine()
    {
        return *m_engine;
    }

    /** An event happens at an instant; then the horizon is computed anew. */
    void At(Picoseconds when, std::function<void()> what);
    /** A message is posted, now. */
    void Post(uint32_t end, uint32_t queuePair, const RdmaMessage& message);

    /** A check requires everything before now to be computed. */
    void Look()
    {
        m_engine->CatchUpWholly(time.Now());
    }

    /** The engine is given up, now, and another goes on from where it was. */
    void HandOverToAnother();
    /** Runs until nothing is left to come. */
    void Run();

    ToyTime time;
    ToyCircuitEnd a;
    ToyCircuitEnd b;
    uint64_t visits{0}; //!< how often it went to a horizon

  private:
    void MakeEngine(const std::array<TransmitterState, 2>& states);
    void GoToHorizon();

    uint64_t m_rate;
    std::array<Stages, 2> m_stages;
    std::array<TrainSender::Sinks, 2> m_sinks;
    std::unique_ptr<CircuitEngine> m_engine;
    uint64_t m_ticket{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TOY_CIRCUIT_H */
