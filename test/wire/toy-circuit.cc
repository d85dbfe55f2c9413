/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toy-circuit.h"

#include <cstddef>
#include <gtest/gtest.h>

namespace ns3
{

void
CountingRdmaPort::CommitRun(const FrameRun& taken,
                            Picoseconds seen,
                            const RunClock& times,
                            WireFrame& head,
                            RoceFrame* tail)
{
    ++calls;
    RdmaPort::CommitRun(taken, seen, times, head, tail);
}

bool
CountingRdmaPort::ReceiveRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    ++calls;
    return RdmaPort::ReceiveRun(head, tail, times);
}

ToyCircuitEnd::ToyCircuitEnd(ToyCircuit& circuit, uint32_t end)
    : port(*this, ToyEnd::AddressOf(end + 1), end + 1),
      m_circuit(circuit),
      m_end(end)
{
}

ToyCircuit::ToyCircuit(uint64_t seed,
                       uint64_t rate,
                       const std::array<Stages, 2>& stages,
                       const std::array<TrainSender::Sinks, 2>& sinks)
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

void
ToyCircuit::At(Picoseconds when, std::function<void()> what)
{
    time.At(when, [this, what = std::move(what)] {
        what();
        GoToHorizon();
    });
}

void
ToyCircuit::Post(uint32_t end, uint32_t queuePair, const RdmaMessage& message)
{
    m_engine->Advance(time.Now());
    GetEnd(end).port.Post(queuePair, message);
    m_engine->Kick(end, time.Now());
}

void
ToyCircuit::HandOverToAnother()
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
                WireFrame frame = MakeFrame(segment, i);
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

void
ToyCircuit::Run()
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

void
ToyCircuit::MakeEngine(const std::array<TransmitterState, 2>& states)
{
    std::array<CircuitEnd, 2> ends;
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

void
ToyCircuit::GoToHorizon()
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

Picoseconds
ToyCircuitEnd::GetNow() const
{
    return m_circuit.time.Now();
}

void
ToyCircuitEnd::NotifyReady()
{
    m_circuit.GetEngine().Kick(m_end, GetNow());
}

void
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

void
ToyCircuitEnd::NotifySettled(uint32_t, const RdmaMessage& message)
{
    EXPECT_FALSE(m_circuit.GetEngine().IsInThePast()) << "found out at " << GetNow() << " ps";
    settled.emplace_back(message.id, GetNow());
}

void
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

void
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
