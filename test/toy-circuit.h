/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TOY_CIRCUIT_H
#define PHOTONIC_RAILS_TOY_CIRCUIT_H

#include "photonic-rails-recording-sink.h"
#include "toy-wire.h"

#include "ns3/circuit-engine.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** An RdmaPort that counts how often it is asked to act. */
class CountingRdmaPort : public RdmaPort
{
  public:
    using RdmaPort::RdmaPort;

    void CommitRun(const FrameRun& taken,
                   Picoseconds seen,
                   const RunClock& times,
                   WireFrame& head,
                   RoceFrame* tail) override
    {
        ++calls;
        RdmaPort::CommitRun(taken, seen, times, head, tail);
    }

    bool ReceiveRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override
    {
        ++calls;
        return RdmaPort::ReceiveRun(head, tail, times);
    }

    uint64_t calls{0}; //!< runs sent and runs received
};

class ToyCircuit;

/** One end of a ToyCircuit. What it is told it must be told in time. */
class ToyCircuitEnd : public RdmaPortOwner
{
  public:
    ToyCircuitEnd(ToyCircuit& circuit, uint32_t end)
        : port(*this, ToyEnd::AddressOf(end + 1), end + 1),
          m_circuit(circuit),
          m_end(end)
    {
    }

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
    std::function<void(uint32_t)> onArrived; //!< told of a message's queue pair, in its instant
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
 * Two ports on a CircuitEngine, in toy time. It goes to each horizon, and nowhere else but where
 * somebody posts, a timer is over, or somebody looks.
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
               const std::array<TrainSender::Sinks, 2>& sinks = {})
        : time(seed),
          a(*this, 0),
          b(*this, 1),
          m_rate(rate),
          m_stages(stages),
          m_sinks(sinks)
    {
        a.port.NotifyCarrier(true);
        b.port.NotifyCarrier(true);
        MakeEngine({});
        m_engine->Start();
    }

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

    /** Something happens at an instant; then the horizon is asked for anew. */
    void At(Picoseconds when, std::function<void()> what)
    {
        time.At(when, [this, what = std::move(what)] {
            what();
            GoToHorizon();
        });
    }

    /** A message is posted, now. */
    void Post(uint32_t end, uint32_t queuePair, const RdmaMessage& message)
    {
        m_engine->Advance(time.Now());
        GetEnd(end).port.Post(queuePair, message);
        m_engine->Kick(end, time.Now());
    }

    /** Somebody wants everything to be worked out that was before now. */
    void Look()
    {
        m_engine->CatchUpWholly(time.Now());
    }

    /** The engine is given up, now, and another goes on from where it was. */
    void HandOverToAnother()
    {
        const Picoseconds now = time.Now();
        m_engine->CatchUpWholly(now);
        m_engine->Retire();
        const std::unique_ptr<CircuitEngine> before = std::move(m_engine);
        MakeEngine({before->GetSender(0).GetState(), before->GetSender(1).GetState()});
        for (const uint32_t from : {0, 1})
        {
            const auto& segments = before->GetLine(from).GetSegments();
            for (std::size_t s = 0; s < segments.size(); ++s)
            {
                const TrainSegment& segment = segments[s];
                for (uint64_t i = 0; i < segment.head.run.count; ++i)
                {
                    WireFrame frame = MakeFrameOfRun(segment.head, segment.tail, segment.times, i);
                    std::size_t stage = 0;
                    while (frame.last + m_stages[from][stage].end < now)
                    {
                        ++stage;
                    }
                    m_engine->Absorb(from, std::move(frame), stage);
                }
            }
        }
        m_engine->Start();
    }

    /** Runs until nothing is left to come. */
    void Run()
    {
        GoToHorizon();
        ASSERT_TRUE(time.Run(5'000'000)) << "it does not come to an end";
        Look();
        for (const uint32_t end : {0, 1})
        {
            EXPECT_TRUE(m_engine->GetLine(end).GetSegments().empty());
            EXPECT_FALSE(m_engine->GetSender(end).IsBusy());
        }
    }

    ToyTime time;
    ToyCircuitEnd a;
    ToyCircuitEnd b;
    uint64_t visits{0}; //!< how often it went to a horizon

  private:
    void MakeEngine(const std::array<TransmitterState, 2>& states)
    {
        std::array<CircuitEngine::End, 2> ends;
        for (const uint32_t end : {0, 1})
        {
            ends[end] = {&GetEnd(end).port,
                         ToyEnd::AddressOf(end + 1),
                         m_rate,
                         states[end],
                         m_stages[end],
                         &m_sinks[end]};
        }
        m_engine = std::make_unique<CircuitEngine>(ends, time.Now());
    }

    void GoToHorizon()
    {
        const CircuitEngine::Horizon horizon = m_engine->GetHorizon();
        const uint64_t ticket = ++m_ticket;
        if (horizon.at == NEVER)
        {
            return;
        }
        ASSERT_GE(horizon.at, time.Now()) << "a horizon lies in the past";
        time.At(horizon.at, [this, ticket, end = horizon.end] {
            if (ticket != m_ticket)
            {
                return; // another one came since
            }
            ++visits;
            m_engine->Advance(time.Now());
            m_engine->Deliver(time.Now(), end);
            GoToHorizon();
        });
    }

    uint64_t m_rate;
    std::array<Stages, 2> m_stages;
    std::array<TrainSender::Sinks, 2> m_sinks;
    std::unique_ptr<CircuitEngine> m_engine;
    uint64_t m_ticket{0};
};

inline Picoseconds
ToyCircuitEnd::GetNow() const
{
    return m_circuit.time.Now();
}

inline void
ToyCircuitEnd::NotifyReady()
{
    m_circuit.GetEngine().Kick(m_end, GetNow());
}

inline void
ToyCircuitEnd::WakeAt(uint32_t queuePair, Picoseconds when)
{
    ASSERT_GE(when, GetNow()) << "a timer is set when it is over";
    if (when != NEVER && m_wakes.insert({queuePair, when}).second)
    {
        m_circuit.At(when, [this, queuePair, when] {
            m_wakes.erase({queuePair, when});
            m_circuit.GetEngine().CatchUp(GetNow());
            port.Wake(queuePair);
        });
    }
}

inline void
ToyCircuitEnd::NotifySettled(uint32_t, const RdmaMessage& message)
{
    EXPECT_FALSE(m_circuit.GetEngine().IsInThePast()) << "found out at " << GetNow() << " ps";
    settled.emplace_back(message.id, GetNow());
}

inline void
ToyCircuitEnd::NotifyArrived(uint32_t queuePair, const RdmaMessage& message)
{
    EXPECT_FALSE(m_circuit.GetEngine().IsInThePast()) << "found out at " << GetNow() << " ps";
    arrived.push_back(message);
    arrivedAt.push_back(GetNow());
    if (onArrived)
    {
        onArrived(queuePair);
    }
}

inline void
ToyCircuitEnd::NotifyFailed(uint32_t, const std::vector<RdmaMessage>& open, const std::string& why)
{
    EXPECT_FALSE(m_circuit.GetEngine().IsInThePast()) << "found out at " << GetNow() << " ps";
    for (const RdmaMessage& message : open)
    {
        failed.push_back(message.id);
    }
    reason = why;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_TOY_CIRCUIT_H */
