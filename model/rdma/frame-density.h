/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_DENSITY_H
#define PHOTONIC_RAILS_FRAME_DENSITY_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How many frames a number of bytes may be: at most bytes / frameBytes + shortFrames, of
 * frames in a row from wherever.
 *
 * The last frame of a message may be short, and the others are not. So few messages have few short
 * frames. Of many long ones a short frame follows several that are not, which is as if all were a
 * little smaller: with k of them before each short frame, b bytes are at most b / each that are
 * not short, and one short frame for each k of these, and one more.
 *
 * Plain C++: no simulator.
 */
struct FrameDensity
{
    uint32_t frameBytes{0};  //!< on the wire
    uint64_t shortFrames{0}; //!< beside them

    /**
     * @param each bytes on the wire of a frame that ends no message, at least
     * @param messages that are open
     * @param leastFrames the frames of each of them, at least
     * @return the bound
     */
    static FrameDensity Of(uint32_t each, uint64_t messages, uint64_t leastFrames)
    {
        constexpr uint64_t FEW = 16; // a forecast allows for as many answers without being shorter
        const uint64_t before = leastFrames - 1;
        if (messages <= FEW || before == 0)
        {
            return {each, messages};
        }
        return {static_cast<uint32_t>(each * before / (before + 1)), 1};
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_DENSITY_H */
