/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_TAG_H
#define PHOTONIC_RAILS_MESSAGE_TAG_H

#include "ns3/collective-run.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The tag of a message: 14 bits of its operation's number, and 18 bits of its ordinal in the
 * operation.
 *
 * The operation's number serves only to find mistakes: messages of a rank on a channel come in the
 * order of its operations.
 */
class MessageTag
{
  public:
    /**
     * @param number of the operation in its flow
     * @param ordinal of the message, below CollectiveRun::MOST_MESSAGES
     * @return the tag
     */
    static uint32_t Make(uint64_t number, uint32_t ordinal)
    {
        return static_cast<uint32_t>(number & NUMBER_MASK) << ORDINAL_BITS | ordinal;
    }

    /**
     * @param number of an operation in its flow
     * @return whether a message with the tag can belong to the operation
     */
    static bool IsOf(uint32_t tag, uint64_t number)
    {
        return tag >> ORDINAL_BITS == (number & NUMBER_MASK);
    }

    /** @return the ordinal in a tag */
    static uint32_t GetOrdinal(uint32_t tag)
    {
        return tag & (CollectiveRun::MOST_MESSAGES - 1);
    }

  private:
    static constexpr uint32_t ORDINAL_BITS = 18;
    static constexpr uint32_t NUMBER_MASK = (1U << (32 - ORDINAL_BITS)) - 1;
    static_assert(CollectiveRun::MOST_MESSAGES == uint64_t{1} << ORDINAL_BITS, "each has a tag");
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_TAG_H */
