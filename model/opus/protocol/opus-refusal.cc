/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-refusal.h"

namespace ns3
{

const char*
ToString(OpusRefusal refusal)
{
    switch (refusal)
    {
    case OpusRefusal::NONE:
        return "none";
    case OpusRefusal::NOT_OPUS:
        return "not-opus";
    case OpusRefusal::UNKNOWN_VERSION:
        return "unknown-version";
    case OpusRefusal::UNKNOWN_TYPE:
        return "unknown-type";
    case OpusRefusal::UNKNOWN_FLAGS:
        return "unknown-flags";
    case OpusRefusal::TRUNCATED:
        return "truncated";
    case OpusRefusal::TRAILING:
        return "trailing";
    case OpusRefusal::BAD_COUNTS:
        return "bad-counts";
    case OpusRefusal::CONTRADICTION:
        return "contradiction";
    }
    return "unknown";
}

} // namespace ns3
