/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_RECORD_H
#define PHOTONIC_RAILS_CONTROLLER_RECORD_H

#include "controller-note.h"

#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The numbers of a controller's actions so far. */
struct ControllerCounters
{
    uint64_t requests{0};         //!< that it took
    uint64_t grants{0};           //!< of phases
    uint64_t fallbacks{0};        //!< times that rails fell back on their giant rings
    uint64_t outages{0};          //!< circuits that were found dark
    uint64_t repairs{0};          //!< of these, circuits that had light again
    uint64_t refusals{0};         //!< of phases, or of a server's request or registration
    uint64_t expiredGuesses{0};   //!< phases of guesses only, and not of all ranks
    uint64_t reconfigurations{0}; //!< phases, and starts of jobs, that changed circuits
    uint64_t programs{0};         //!< plans sent to agents
    uint64_t noOpGrants{0};       //!< for which all circuits stood
    uint64_t conflicts{0};        //!< phases that waited for ports
    uint64_t recalls{0};          //!< grants that were recalled, wholly or for later operations
    uint64_t notReleased{0};      //!< grants that were in use beyond the limit
    uint64_t alarms{0};           //!< of agents
    uint64_t foreign{0};          //!< requests for ports of other jobs
    uint64_t duplicates{0};       //!< messages with no new content
    uint64_t stale{0};            //!< messages of another term
    uint64_t unknown{0};          //!< messages with no meaning in the present state
    uint64_t cacheHits{0};        //!< plans found in the cache
};

/** @return counters in words; equal counters have equal words */
std::string ToWords(const ControllerCounters& counters);

/**
 * @ingroup photonic-rails
 * @brief The time of the present instant of a controller, and the counters and notes of its
 * decisions.
 *
 * Every note carries the time of its instant.
 */
class ControllerRecord
{
  public:
    /** Sets the time of an instant that begins. */
    void SetTime(Picoseconds now);
    /** @return the time of the instant, in picoseconds */
    Picoseconds GetTime() const;

    /** Adds a note. @return the note; its other fields may be set until the next note is added */
    ControllerNote& Note(ControllerNote::Kind kind,
                         const OpusPhase& phase,
                         const std::string& words = "");
    /** Removes the notes. @return them, in order */
    std::vector<ControllerNote> TakeNotes();

    ControllerCounters counters;

  private:
    Picoseconds m_now{0};
    std::vector<ControllerNote> m_notes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_RECORD_H */
