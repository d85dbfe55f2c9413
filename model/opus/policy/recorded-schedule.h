/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECORDED_SCHEDULE_H
#define PHOTONIC_RAILS_RECORDED_SCHEDULE_H

#include "ns3/opus-contents.h"

#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A record of the circuits of each phase. A controller writes it as it grants them, or a
 * tool or a user prepares it. The policy `recorded` reads it.
 *
 * As a file it is text, a phase a line, in any order:
 * @code
 * # circuits are rank.port-rank.port; ports of a rank are counted from 0
 * start : 0.1-4.1 8.1-12.1
 * job 0 group 2 operation 17 stage 0 : 0.0-4.1 0.1-8.0
 * job 0 send 0 4 group 3 operation 5 stage 0 : 0.0-4.0
 * @endcode
 * `start` has the circuits that stand from the beginning. `send 0 4` are the sends from rank 0 to
 * rank 4. A line holds for later operations of the same group (or of the same sends) too, until
 * there is another line with the same stage: a group that always has the same circuits needs one
 * line. Spaces or tabs separate words, and a # begins a comment. No phase occurs twice, and no port
 * twice in a line.
 *
 * Circuits are kept in order, the lower rank of each first: so two schedules with the same content
 * are equal.
 * @code
 * RecordedSchedule plan;
 * plan.Add(phase, circuits); // whenever circuits are granted
 * plan.Write(file);
 * @endcode
 */
class RecordedSchedule
{
  public:
    /** Adds circuits that stand from the beginning. */
    void AddStart(const std::vector<RankCircuit>& circuits);
    /**
     * Adds circuits to a phase. Where a port of a new circuit has one already, the new circuit
     * replaces it. So a phase that is granted piece by piece is complete, and one that is granted
     * again, with other circuits, has the new ones.
     * @param circuits of which no two have a port in common
     */
    void Add(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);

    /** @return circuits that stand from the beginning */
    const std::vector<RankCircuit>& GetStart() const;
    /** @return the circuits of all phases */
    const std::map<OpusPhase, std::vector<RankCircuit>>& GetPhases() const;
    /**
     * @return the circuits of a phase, from its own line or an earlier one; null if there is none
     */
    const std::vector<RankCircuit>* Find(const OpusPhase& phase) const;

    /** Writes the schedule as text. */
    void Write(std::ostream& out) const;
    /**
     * Reads text in the format of Write().
     * @param name of the file, for errors
     * @param plan is set to the schedule; it is not changed if there is an error
     * @return the error: "plan.txt:3: expected ..., found ..."; empty if there is none
     */
    static std::string Read(std::istream& in, const std::string& name, RecordedSchedule& plan);
    /**
     * Reads a file in this format.
     * @param plan is set to the schedule
     * @return the error; empty if there is none
     */
    static std::string ReadFile(const std::string& path, RecordedSchedule& plan);

    /** @return whether both schedules have the same content */
    bool operator==(const RecordedSchedule& other) const;

  private:
    std::vector<RankCircuit> m_start;
    std::map<OpusPhase, std::vector<RankCircuit>> m_phases;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECORDED_SCHEDULE_H */
