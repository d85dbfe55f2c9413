/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-digest.h"

#include "ns3/mac-number.h"
#include "ns3/run-stepper.h"

#include <cstring>

namespace ns3
{

namespace
{

// odd numbers without a pattern, those of SplitMix64 and MurmurHash3 (Appleby 2011)
constexpr uint64_t FIRST_FACTOR = 0xbf58476d1ce4e5b9;
constexpr uint64_t LAST_FACTOR = 0x94d049bb133111eb;
constexpr uint64_t CHAIN_FACTOR = 0xff51afd7ed558ccd;

/**
 * Adds a word to a digest. For a given word the map of digests is a bijection, and for a given
 * digest the map of words. The shift moves the upper bits down, so that the next product spreads
 * them to all bits.
 */
inline uint64_t
Chain(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * CHAIN_FACTOR;
    return digest ^ digest >> 32;
}

/**
 * Adds a frame. Only the chain depends on the frame before; the two products do not.
 * @param common the common part of all frames of a run
 */
inline uint64_t
TakeFrame(uint64_t digest, uint64_t common, Picoseconds first, Picoseconds last, uint32_t psn)
{
    const uint64_t one = (static_cast<uint64_t>(first) ^ common) * FIRST_FACTOR;
    const uint64_t two = (static_cast<uint64_t>(last) + (uint64_t{psn} << 40)) * LAST_FACTOR;
    return Chain(digest, one ^ (two << 32 | two >> 32));
}

/** @return a number for the fields of all frames */
uint64_t
DigestOfEthernet(const WireFrame& frame, uint32_t wireBytes)
{
    constexpr uint32_t FREE = 16; // bits that an address leaves
    const uint64_t digest = Chain(wireBytes, ToNumber(frame.source) << FREE);
    return Chain(digest, ToNumber(frame.destination) << FREE | (frame.packet ? 1 : 0));
}

/**
 * @param digest of the earlier frames
 * @param roce headers
 * @param beyondPsn IPv4's identification, XOR the lower half of the PSN
 * @return a number for the headers, except for the PSN
 */
uint64_t
DigestOfRoce(uint64_t digest, const RoceFrame& roce, uint16_t beyondPsn)
{
    digest = Chain(digest, uint64_t{roce.sourceIp} << 32 | roce.destinationIp);
    digest = Chain(digest,
                   uint64_t{roce.sourcePort} << 48 | uint64_t{beyondPsn} << 32 |
                       uint64_t{roce.tos} << 24 | uint64_t{roce.ttl} << 16 | roce.partition);
    digest =
        Chain(digest,
              uint64_t{roce.payload} << 32 | uint64_t{static_cast<uint8_t>(roce.opcode)} << 24 |
                  (roce.solicited ? 1 : 0) | (roce.ackRequest ? 2 : 0) | (roce.becn ? 4 : 0) |
                  (roce.continued ? 8 : 0));
    digest = Chain(digest, roce.destinationQp);
    if (roce.HasReth())
    {
        digest = Chain(digest, roce.address);
        digest = Chain(digest, uint64_t{roce.key} << 32 | roce.length);
    }
    if (roce.HasImmediate())
    {
        digest = Chain(digest, roce.immediate);
    }
    if (roce.HasAeth())
    {
        digest = Chain(digest, uint64_t{roce.msn} << 8 | roce.syndrome);
    }
    return digest;
}

} // namespace

const FrameDigest::Stream&
FrameDigest::GetSent() const
{
    return m_sent;
}

const FrameDigest::Stream&
FrameDigest::GetReceived() const
{
    return m_received;
}

void
FrameDigest::TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    Take(m_sent, head, tail, times);
}

void
FrameDigest::TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    Take(m_received, head, tail, times);
}

void
FrameDigest::Settle(Picoseconds)
{
    // each direction has a digest of its own, independent of the other
}

void
FrameDigest::Take(Stream& stream,
                  const WireFrame& head,
                  const RoceFrame& tail,
                  const RunClock& times)
{
    RunStepper step(times);
    const uint64_t frames = step.GetLeft();
    stream.frames += frames;
    if (head.packet)
    {
        stream.wireBytes += head.wireBytes;
        const uint64_t common =
            Chain(DigestOfEthernet(head, head.wireBytes), DigestOfPacket(*head.packet));
        stream.value = TakeFrame(stream.value, common, step.GetFirst(), step.GetLast(), 0);
        return;
    }
    stream.wireBytes += (frames - 1) * head.run.wireBytes + head.run.lastWireBytes;
    if (frames > 1)
    {
        const uint64_t common =
            DigestOfRoce(DigestOfEthernet(head, head.run.wireBytes), head.roce, 0);
        uint64_t value = stream.value;
        uint32_t psn = head.roce.psn;
        for (uint64_t left = frames - 1; left > 0; --left, ++psn, step.Next())
        {
            value = TakeFrame(value,
                              common,
                              step.GetFirst(),
                              step.GetLast(),
                              psn & RoceFrame::PSN_MASK);
        }
        stream.value = value;
    }
    const uint64_t common =
        DigestOfRoce(DigestOfEthernet(head, head.run.lastWireBytes),
                     tail,
                     static_cast<uint16_t>(tail.identification ^ (tail.psn & 0xffff)));
    stream.value = TakeFrame(stream.value, common, step.GetFirst(), step.GetLast(), tail.psn);
}

uint64_t
FrameDigest::DigestOfPacket(const Packet& packet)
{
    const uint32_t size = packet.GetSize();
    m_bytes.assign((size + 7) / 8 * 8, 0);
    packet.CopyData(m_bytes.data(), size);
    uint64_t digest = size;
    for (std::size_t at = 0; at < m_bytes.size(); at += 8)
    {
        uint64_t word = 0; // the same on every machine
        for (std::size_t i = 0; i < 8; ++i)
        {
            word |= uint64_t{m_bytes[at + i]} << (8 * i);
        }
        digest = Chain(digest, word);
    }
    return digest;
}

} // namespace ns3
