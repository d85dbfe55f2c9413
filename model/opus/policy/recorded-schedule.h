/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECORDED_SCHEDULE_H
#define PHOTONIC_RAILS_RECORDED_SCHEDULE_H

#include "ns3/opus-message.h"

#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Which circuits each phase has, written down: by a controller as it grants them, by a tool
 * that works them out beforehand, or by hand; to be read again by the policy `recorded`.
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
 * line. Words are parted by spaces or tabs, and a # begins a comment. No phase is there twice, and
 * no port twice in a line.
 *
 * Circuits are kept the lower rank first, and in order: so two plans that say the same are equal.
 * @code
 * RecordedSchedule plan;
 * plan.Add(phase, circuits); // whenever circuits are granted
 * plan.Write(file);
 * @endcode
 */
class RecordedSchedule
{
  public:
    /** Circuits that stand from the beginning. */
    void AddStart(const std::vector<RankCircuit>& circuits);
    /**
     * A phase has circuits, beside those that it has already; but where a port is in both, the
     * later ones take their place: so a phase that is granted piece by piece is whole, and one that
     * is granted again, with others, has those.
     * @param phase which
     * @param circuits of which no two have a port in common
     */
    void Add(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);

    /** @return circuits that stand from the beginning */
    const std::vector<RankCircuit>& GetStart() const;
    /** @return the circuits of all phases */
    const std::map<OpusPhase, std::vector<RankCircuit>>& GetPhases() const;
    /** @return the circuits of a phase, as its own line or an earlier one says; or null
     * @param phase any */
    const std::vector<RankCircuit>* Find(const OpusPhase& phase) const;

    /** Writes it as a file. @param out where to */
    void Write(std::ostream& out) const;
    /**
     * Reads what Write() writes, and what is like it.
     * @param in where from
     * @param name of the file, for errors
     * @param plan is set to what was read; stays as it is if there is an error
     * @return empty, or what is wrong: "plan.txt:3: expected ..., found ..."
     */
    static std::string Read(std::istream& in, const std::string& name, RecordedSchedule& plan);
    /** The same. @param path of a file @param plan is set @return empty, or what is wrong */
    static std::string ReadFile(const std::string& path, RecordedSchedule& plan);

    /** @return whether both say the same @param other one */
    bool operator==(const RecordedSchedule& other) const;

  private:
    std::vector<RankCircuit> m_start;
    std::map<OpusPhase, std::vector<RankCircuit>> m_phases;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECORDED_SCHEDULE_H */
