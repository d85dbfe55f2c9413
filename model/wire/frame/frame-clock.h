/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_CLOCK_H
#define PHOTONIC_RAILS_FRAME_CLOCK_H

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/** When one frame is on the wire. */
struct FrameTimes
{
    Picoseconds first; //!< its first bit, which is the first of its preamble
    Picoseconds last;  //!< its last bit, which is the last of its frame check sequence
    Picoseconds next;  //!< the earliest first bit of the frame after it, one gap later
};

/**
 * @ingroup photonic-rails
 * @brief The exact instants of frame boundaries on one wire, in picoseconds.
 *
 * A wire becomes busy at its anchor A. With C bytes put on it since A (preambles and gaps included)
 * the next frame may start at A + ceil(8 C 10^12 / rate), and a frame's last bit leaves at A +
 * ceil(8 (C - 12) 10^12 / rate), where C includes that frame and its gap of 12 bytes. Rounding
 * errors do not accumulate: at 425 Gb/s a frame of 4178 bytes lasts 78,644.7 ps, and a million of
 * them back to back end within one picosecond of where they should.
 *
 * Plain C++: no simulator, no floating point.
 *
 * @code
 * FrameClock clock(425'000'000'000);
 * clock.Start(1000);
 * const FrameTimes one = clock.Append(4178); // first 1000
 * const FrameTimes two = clock.Append(4178); // first == one.next
 * @endcode
 */
class FrameClock
{
  public:
    static constexpr uint32_t PREAMBLE = 8; //!< bytes before a frame, start delimiter included
    static constexpr uint32_t GAP = 12;     //!< bytes of silence after a frame
    static constexpr uint32_t CHECK = 4;    //!< bytes of frame check sequence

    /** A clock of 1 b/s, until another is assigned. */
    FrameClock() = default;

    /** @param bitsPerSecond the rate of the wire, 1 or more */
    explicit FrameClock(uint64_t bitsPerSecond);

    /** @return the rate of the wire, in bits a second */
    uint64_t GetRate() const;

    /** The wire becomes busy. @param anchor its first bit */
    void Start(Picoseconds anchor);

    /**
     * Puts one frame on the wire, right after those since the anchor.
     * @param wireBytes its size with preamble and gap, at least 20
     * @return the instants of the frame
     */
    FrameTimes Append(uint64_t wireBytes);

    /**
     * Puts frames on the wire, right after those since the anchor.
     * @param bytes their size, preambles and gaps included
     */
    void Skip(uint64_t bytes)
    {
        m_bytes += bytes;
    }

    /** @return the earliest first bit of the next frame */
    Picoseconds GetNext() const;

    /** @return the last bit of the frame that was put on the wire last */
    Picoseconds GetLast() const
    {
        return m_anchor + Span(m_bytes - GAP);
    }

    /** @return the instant by which the wire has carried this number of bytes more, back to back */
    Picoseconds After(uint64_t bytes) const;

    /** @return the time that bytes take, rounded up to a picosecond */
    Picoseconds Span(uint64_t bytes) const;

    /**
     * @return the number of bytes, beyond those since the anchor, that the wire would have carried
     *         by the end of an instant, back to back; negative if the instant is earlier
     */
    int64_t BytesBy(Picoseconds instant) const;

    /** @return the instant at which the wire became busy */
    Picoseconds GetAnchor() const;

    /** @return the bytes put on the wire since the anchor */
    uint64_t GetBytes() const;

    /** @return the numerator of the picoseconds of a byte, as a reduced fraction */
    uint64_t GetNumerator() const
    {
        return m_numerator;
    }

    /** @return the denominator of the picoseconds of a byte, as a reduced fraction */
    uint64_t GetDenominator() const
    {
        return m_denominator;
    }

  private:
    uint64_t m_rate{1};                      //!< bits a second
    uint64_t m_numerator{8'000'000'000'000}; //!< picoseconds a byte, as a reduced fraction
    uint64_t m_denominator{1};               //!< see m_numerator
    Picoseconds m_anchor{0};
    uint64_t m_bytes{0}; //!< C
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_CLOCK_H */
