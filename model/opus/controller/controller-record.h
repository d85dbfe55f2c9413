/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_RECORD_H
#define PHOTONIC_RAILS_CONTROLLER_RECORD_H

#include "controller-note.h"

#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** What a controller has done so far. */
struct ControllerCounters
{
    uint64_t requests{0};         //!< that it took
    uint64_t grants{0};           //!< of phases
    uint64_t refusals{0};         //!< of phases, or of a server's request or registration
    uint64_t expiredGuesses{0};   //!< phases that were only asked for in advance, and not by all
    uint64_t reconfigurations{0}; //!< phases, and jobs that start, for which circuits changed
    uint64_t programs{0};         //!< plans sent to agents
    uint64_t noOpGrants{0};       //!< for which all circuits stood
    uint64_t conflicts{0};        //!< phases that had to wait for ports
    uint64_t recalls{0};          //!< grants that were called back, wholly or for later operations
    uint64_t notReleased{0};      //!< grants that were in use beyond the limit
    uint64_t alarms{0};           //!< of agents
    uint64_t foreign{0};          //!< requests for ports of other jobs
    uint64_t duplicates{0};       //!< messages that said nothing new
    uint64_t stale{0};            //!< messages of another term
    uint64_t unknown{0};          //!< messages that make no sense here
    uint64_t cacheHits{0};        //!< plans that were remembered
};

/** @return counters in words, the same for equal ones */
std::string ToWords(const ControllerCounters& counters);

/**
 * @ingroup photonic-rails
 * @brief The time of the instant that a controller decides at, and the counters and notes of its
 * decisions.
 *
 * Every note carries the time of the instant at which it was taken.
 */
class ControllerRecord
{
  public:
    /** An instant begins. */
    void SetTime(Picoseconds now);
    /** @return the time of the instant, in picoseconds */
    Picoseconds GetTime() const;

    /** Adds a note. @return the note, whose other fields may be filled in until the next one */
    ControllerNote& Note(ControllerNote::Kind kind,
                         const OpusPhase& phase,
                         const std::string& words = "");
    /** @return the notes since the last call, in order */
    std::vector<ControllerNote> TakeNotes();

    ControllerCounters counters;

  private:
    Picoseconds m_now{0};
    std::vector<ControllerNote> m_notes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_RECORD_H */
