/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_RUNNER_H
#define PHOTONIC_RAILS_PROGRAM_RUNNER_H

#include "numbered-program.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Runs the program of one rank: it begins each operation when its stream, its dependencies
 * and its flow allow.
 *
 * An operation begins when the previous one on its stream, its dependencies and the previous one in
 * its flow are over. Of several that can begin at one instant, the first in the program begins
 * first.
 *
 * Plain C++: no simulator. The runner calls a function for each operation that begins. The caller
 * reports the end of an operation by End().
 * @code
 * ProgramRunner runner(program, [&](uint32_t operation) { begun.push_back(operation); });
 * runner.Load();    // the program is set
 * runner.Start();
 * runner.Proceed(); // begins the first operation of each stream
 * runner.End(0);
 * runner.Proceed(); // begins the operations that waited for operation 0
 * @endcode
 */
class ProgramRunner
{
  public:
    /**
     * @param program may be set later, before Load()
     * @param begin is called with the number of an operation that begins; it may call End() and
     * Proceed()
     */
    ProgramRunner(const NumberedProgram& program, std::function<void(uint32_t)> begin);

    /** Puts the program's operations on their streams. */
    void Load();

    /** Starts the rank; Proceed() begins its first operations. */
    void Start()
    {
        m_started = true;
    }

    /** Stops the rank: no operation begins any more. */
    void Stop()
    {
        m_stopped = true;
    }

    /** @return whether Start() was called */
    bool HasStarted() const
    {
        return m_started;
    }

    /** @return whether Stop() was called */
    bool IsStopped() const
    {
        return m_stopped;
    }

    /** Begins all operations that can begin. */
    void Proceed();

    /** Notes that an operation is under way, the next one on its stream. */
    void Resume(uint32_t operation);

    /** @return how many operations of a flow are over */
    uint32_t GetOver(uint32_t flow) const
    {
        return m_over[flow];
    }

    /** Notes that an operation that has begun is over. */
    void End(uint32_t operation);

    /** @return whether an operation is over */
    bool IsDone(uint32_t operation) const;

    /** @return the streams that wait, in words; empty if none waits */
    std::string Describe() const;

  private:
    /** A stream of the program. */
    struct Stream
    {
        uint32_t next{0}; //!< place of the first operation that is not over
        bool busy{false}; //!< whether that one has begun
    };

    /** @return the first operation of the program that can begin now; empty if there is none */
    std::optional<uint32_t> FindNext() const;
    /** @return whether dependencies and flow allow an operation to begin now */
    bool CanBegin(uint32_t operation) const;

    const NumberedProgram& m_program;
    std::function<void(uint32_t)> m_begin;
    std::vector<Stream> m_streams;
    std::vector<uint32_t> m_over; //!< by flow: number of operations that are over
    bool m_started{false};
    bool m_stopped{false};
    bool m_proceeding{false}; //!< Proceed() is under way
    bool m_again{false};      //!< it was called again meanwhile
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_RUNNER_H */
