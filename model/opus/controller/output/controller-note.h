/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_NOTE_H
#define PHOTONIC_RAILS_CONTROLLER_NOTE_H

#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** An action or an observation of a controller, for traces and logs. */
struct ControllerNote
{
    enum class Kind : uint8_t
    {
        VOTES_COMPLETE,
        CONFLICT,     //!< it has to wait, because of `words`
        PROGRAM,      //!< `plan` is sent to the agent of `rail`
        PROGRAMMED,   //!< the plan is done
        FAILED,       //!< the plan failed, because of `words`
        RECONFIGURED, //!< all plans for the phase are done: `dark` time, of which `exposed`
        PREPARED,     //!< circuits are up for a guess
        GRANTED,      //!< circuits are up
        RECALLED,     //!< circuits are recalled, because of `words`
        REFUSED,      //!< because of `words`
        FOREIGN,      //!< a job requested ports of another job, `words`
        NOT_RELEASED, //!< in use beyond the limit, by the ranks in `words`
        OVER,         //!< all ranks have released it
        TAKEOVER,     //!< a new term begins
        RETURNED,     //!< all ranks have left, and no circuit stands
        FALLBACK,     //!< rails fall back on their giant rings, because of `words`
        OUTAGE,       //!< a circuit of `rail` is dark, because of `words`
    };

    Kind kind{Kind::GRANTED};
    Time when{0};
    OpusPhase phase;
    RailId rail;
    uint64_t plan{0};
    Time dark{0};    //!< of RECONFIGURED: from the first PROGRAM to the last DONE
    Time linkUp{0};  //!< of that, after the last switch was done
    Time exposed{0}; //!< of dark, after all ranks had called the operation; else hidden
    std::string words;

    /** @return the part of `dark` before all ranks had called the operation */
    Time GetHidden() const
    {
        return dark - exposed;
    }
};

/** @return the name of a kind in lower case with dashes */
const char* ToString(ControllerNote::Kind kind);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_NOTE_H */
