/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reaction-names.h"

#include "detour-reaction.h"
#include "giant-ring-reaction.h"
#include "move-reaction.h"
#include "other-rail-reaction.h"
#include "shrink-reaction.h"
#include "splice-reaction.h"
#include "stop-reaction.h"

namespace ns3
{

const TypeAliases&
GetReactionAliases()
{
    static const TypeAliases aliases("reaction",
                                     FailureReaction::GetTypeId(),
                                     {{"splice", &SpliceReaction::GetTypeId},
                                      {"move", &MoveReaction::GetTypeId},
                                      {"detour", &DetourReaction::GetTypeId},
                                      {"shrink", &ShrinkReaction::GetTypeId},
                                      {"giant-ring", &GiantRingReaction::GetTypeId},
                                      {"other-rail", &OtherRailReaction::GetTypeId},
                                      {"stop", &StopReaction::GetTypeId}});
    return aliases;
}

} // namespace ns3
