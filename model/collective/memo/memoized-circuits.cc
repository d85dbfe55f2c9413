/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memoized-circuits.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

bool
MemoizedCircuits::Take(const Ptr<RailNetDevice>& one,
                       const Ptr<RailNetDevice>& other,
                       bool sends,
                       BatchAhead& ahead,
                       End& here)
{
    for (std::size_t c = 0; c < m_circuits.size(); ++c)
    {
        const Circuit& circuit = m_circuits[c];
        for (const uint32_t end : {0, 1})
        {
            if (circuit.ports[end] == one)
            {
                here = {c, end};
                return circuit.ports[1 - end] == other;
            }
        }
    }
    const Ptr<BatchMode> mode = one->GoInTrains(*other);
    if (!mode)
    {
        return false;
    }
    if (BatchAhead* const earlier = mode->GetAhead())
    {
        // answers are for data of the other port, which comes now at the earliest, and has its way
        const uint32_t end = one->GetTrainEnd();
        std::array<Picoseconds, 2> from{NowPicoseconds(), NowPicoseconds()};
        from[end] += sends ? 0 : mode->GetShape().ways[1 - end];
        if (!earlier->HandOver(*mode, from, ahead))
        {
            return false;
        }
    }
    else if (!mode->Reserve(ahead))
    {
        return false;
    }
    here = {m_circuits.size(), one->GetTrainEnd()};
    Circuit circuit;
    circuit.mode = mode;
    circuit.ports[here.end] = one;
    circuit.ports[1 - here.end] = other;
    circuit.isReserved = true;
    for (const uint32_t end : {0, 1})
    {
        circuit.sent[end] = circuit.ports[end]->PeekCounters().sent;
    }
    m_circuits.push_back(circuit);
    return true;
}

void
MemoizedCircuits::HandOver(std::size_t circuit, BatchAhead& to)
{
    m_circuits[circuit].mode->PassOn(to);
    m_circuits[circuit].isReserved = false;
}

std::optional<std::size_t>
MemoizedCircuits::Find(const BatchMode& mode) const
{
    for (std::size_t c = 0; c < m_circuits.size(); ++c)
    {
        if (m_circuits[c].isReserved && PeekPointer(m_circuits[c].mode) == &mode)
        {
            return c;
        }
    }
    return std::nullopt;
}

void
MemoizedCircuits::CatchUp() const
{
    for (const Circuit& circuit : m_circuits)
    {
        if (!circuit.mode->IsReserved()) // else it was brought up to that instant
        {
            circuit.ports[0]->CatchUpWholly();
            circuit.ports[1]->CatchUpWholly();
        }
    }
}

void
MemoizedCircuits::Release()
{
    for (Circuit& circuit : m_circuits)
    {
        if (circuit.isReserved)
        {
            circuit.mode->Release();
            circuit.isReserved = false;
        }
    }
}

void
MemoizedCircuits::SetWatch(BatchWatch& watch)
{
    for (const Circuit& circuit : m_circuits)
    {
        circuit.mode->SetWatch(&watch);
    }
}

void
MemoizedCircuits::EndWatch(const BatchWatch& watch)
{
    for (const Circuit& circuit : m_circuits)
    {
        if (circuit.mode->GetWatch() == &watch)
        {
            circuit.mode->SetWatch(nullptr);
        }
    }
}

bool
MemoizedCircuits::HaveSentAdded(BatchAhead& ahead)
{
    for (const Circuit& circuit : m_circuits)
    {
        if (!circuit.mode->IsReserved()) // else it is quiet, and of a later operation
        {
            if (!circuit.mode->Reserve(ahead))
            {
                return false;
            }
            circuit.mode->Release();
        }
        for (const uint32_t end : {0, 1})
        {
            const uint64_t sent = circuit.ports[end]->PeekCounters().sent;
            if (sent - circuit.sent[end] != circuit.frames[end])
            {
                return false;
            }
        }
    }
    return true;
}

void
MemoizedCircuits::ShowToSinks(const End& end, const FrameTotals& frames) const
{
    const Circuit& circuit = m_circuits[end.circuit];
    for (const FrameTotal& total : frames.Get())
    {
        circuit.ports[end.end]->GetSinksOfTotals().AddSent(total);
        circuit.ports[1 - end.end]->GetSinksOfTotals().AddReceived(total);
    }
}

void
MemoizedCircuits::CountAdded()
{
    for (const Circuit& circuit : m_circuits)
    {
        for (const uint32_t end : {0, 1})
        {
            circuit.mode->CountAhead(end, circuit.frames[end]);
        }
    }
}

} // namespace ns3
