/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "decision-words.h"

#include "ns3/job-ends.h"
#include "ns3/job-starts.h"
#include "ns3/opus-words.h"
#include "ns3/slot-change.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return the name of a phase, of a start of a job, or of a change of slots */
std::string
NamePhase(const OpusPhase& phase)
{
    if (SlotChange::IsFor(phase))
    {
        return "slot " + std::to_string(phase.operation);
    }
    if (JobEnds::IsFor(phase))
    {
        return "the end";
    }
    return JobStarts::IsFor(phase) ? "the start of job " + std::to_string(phase.job.Get())
                                   : ToWords(phase);
}

/** @return the ranks of a phase, behind a colon; empty if it is not open */
std::string
NameRanks(const OpusPhase& phase, const ControllerCore& core)
{
    const auto open = core.GetPhases().find(phase);
    return open == core.GetPhases().end() ? "" : ": " + ToWords(open->second.votes.GetRanks());
}

/** @return the circuits of a phase, by ranks and NIC ports; empty if it has none */
std::string
NameCircuits(const OpusPhase& phase, const ControllerCore& core)
{
    std::ostringstream words;
    const auto open = core.GetPhases().find(phase);
    if (open != core.GetPhases().end())
    {
        for (const RankCircuit& circuit : open->second.circuits)
        {
            words << (words.str().empty() ? ", circuits " : ", ") << "rank " << circuit.one
                  << " port " << circuit.onePort << " to rank " << circuit.other << " port "
                  << circuit.otherPort;
        }
    }
    return words.str();
}

/** @return a plan and its rail, and its switch ports if it is open */
std::string
NamePlan(const ControllerNote& note, const ControllerCore& core)
{
    std::ostringstream words;
    words << "plan " << note.plan << " of rail " << note.rail;
    if (core.GetLedger().IsOpen(note.plan))
    {
        words << " (" << core.GetLedger().GetPlan(note.plan) << ")";
    }
    return words.str();
}

} // namespace

std::string
ToWords(const ControllerNote& note, const ControllerCore& core)
{
    const std::string phase = NamePhase(note.phase);
    switch (note.kind)
    {
    case ControllerNote::Kind::VOTES_COMPLETE:
        return "request complete for " + phase + NameRanks(note.phase, core);
    case ControllerNote::Kind::CONFLICT:
        return phase + " waits: " + note.words;
    case ControllerNote::Kind::PROGRAM:
        return NamePlan(note, core) + " is sent for " + phase;
    case ControllerNote::Kind::PROGRAMMED:
        return "circuits programmed: " + NamePlan(note, core) + " is done";
    case ControllerNote::Kind::FAILED:
        return NamePlan(note, core) + " has failed: " + note.words;
    case ControllerNote::Kind::RECONFIGURED:
        return "all circuits of " + phase + " are up after " +
               ToMilliseconds(note.dark.GetTimeStep()) + ", " +
               (note.linkUp.IsZero()
                    ? ""
                    : ToMilliseconds(note.linkUp.GetTimeStep()) + " of it link-up, ") +
               ToMilliseconds(note.exposed.GetTimeStep()) + " of it exposed";
    case ControllerNote::Kind::PREPARED:
        return "circuits are prepared for " + phase + NameCircuits(note.phase, core);
    case ControllerNote::Kind::GRANTED:
        return "granted " + phase + NameRanks(note.phase, core) + NameCircuits(note.phase, core);
    case ControllerNote::Kind::RECALLED:
        return "recalled " + phase + ": " + note.words;
    case ControllerNote::Kind::REFUSED:
        return "refused " + phase + ": " + note.words;
    case ControllerNote::Kind::FOREIGN:
        return phase + " names ports of another job: " + note.words;
    case ControllerNote::Kind::NOT_RELEASED:
        return phase + " is in use for too long: " + note.words;
    case ControllerNote::Kind::OVER:
        return "released " + phase + " by all its ranks";
    case ControllerNote::Kind::TAKEOVER:
        return "term " + note.words + " begins";
    case ControllerNote::Kind::RETURNED:
        return "all ranks have left, and no circuit stands";
    case ControllerNote::Kind::FALLBACK:
        return phase + " goes over giant rings: " + note.words;
    case ControllerNote::Kind::OUTAGE:
        return phase + " goes over ports that are left: " + note.words;
    }
    return "";
}

} // namespace ns3
