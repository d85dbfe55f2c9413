/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_HINTS_H
#define PHOTONIC_RAILS_CIRCUIT_HINTS_H

#include "numbered-program.h"
#include "operation-choices.h"
#include "program-runner.h"
#include "rank-connections.h"

#include "ns3/circuit-broker.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuit hints of a rank's program: they announce to the broker which circuits later
 * operations need.
 *
 * A hint takes no time, except ACQUIRE, which lasts until the broker answers. A hint for an
 * operation whose choice is not known yet waits until it is. One for an operation that is over is
 * too late, and has no effect, but for a RELEASE.
 */
class CircuitHints
{
  public:
    /** @param end called with the number of a hint that is over */
    CircuitHints(const NumberedProgram& program,
                 const RankConnections& connections,
                 const ProgramRunner& runner,
                 OperationChoices& choices,
                 std::function<void(uint32_t)> end);

    /** Gives a hint. @param number of an operation of the kind CIRCUITS */
    void Give(uint32_t number);

    /** Gives the hints that waited for a choice which has become known. */
    void GiveWaiting();

  private:
    /** Aborts if a hint names operations that can't have circuits. */
    void CheckTargets(uint32_t number) const;
    /** Gives a hint whose first operation is over. */
    void GiveLate(uint32_t number);
    /** The broker has answered a hint. */
    void Answered(uint64_t number, const CircuitAnswer& answer);

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    const ProgramRunner& m_runner;
    OperationChoices& m_choices;
    std::function<void(uint32_t)> m_end;
    std::vector<uint32_t> m_waiting; //!< hints that wait for a choice
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_HINTS_H */
