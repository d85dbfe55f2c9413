/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-note.h"

#include <cstddef>

namespace ns3
{

const char*
ToString(ControllerNote::Kind kind)
{
    static constexpr const char* NAMES[] = {"votes-complete",
                                            "conflict",
                                            "program",
                                            "programmed",
                                            "failed",
                                            "reconfigured",
                                            "prepared",
                                            "granted",
                                            "recalled",
                                            "refused",
                                            "foreign",
                                            "not-released",
                                            "over",
                                            "takeover",
                                            "returned",
                                            "fallback"};
    return NAMES[static_cast<std::size_t>(kind)];
}

} // namespace ns3
