/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_RUNNER_H
#define PHOTONIC_RAILS_PROGRAM_RUNNER_H

#include "flow-key.h"
#include "numbered-program.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Runs the program of one rank: begins each operation when its stream, its dependencies and
 * its flow allow.
 *
 * An operation begins when the one before it on its stream is over, the operations that it comes
 * after are over, and the one before it in its flow is over. Of several that can begin at one
 * instant, the first in the program begins first.
 *
 * Plain C++: no simulator. The runner calls a function for each operation that begins. It is told
 * by End() that an operation is over.
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
     * @param begin called with the number of an operation that begins; it may call End() and
     * Proceed()
     */
    ProgramRunner(const NumberedProgram& program, std::function<void(uint32_t)> begin);

    /** Puts the program's operations on their streams. */
    void Load();

    /** The rank has started; Proceed() begins its first operations. */
    void Start()
    {
        m_started = true;
    }

    /** No operation begins any more. */
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

    /** An operation that has begun is over. */
    void End(uint32_t operation);

    /** @return whether an operation is over */
    bool IsDone(uint32_t operation) const
    {
        return m_done[operation];
    }

    /** @return the streams that wait, in words; empty if none does */
    std::string Describe() const;

  private:
    /** The operations of a stream. */
    struct Stream
    {
        std::vector<uint32_t> operations; //!< in order
        uint32_t next{0};                 //!< index of the first one that is not over
        bool busy{false};                 //!< that one has begun
    };

    /** @return the first operation of the program that can begin now, if there is any */
    std::optional<uint32_t> FindNext() const;
    /** @return whether dependencies and flow let an operation begin now */
    bool CanBegin(uint32_t operation) const;

    const NumberedProgram& m_program;
    std::function<void(uint32_t)> m_begin;
    std::vector<Stream> m_streams;
    std::vector<bool> m_done;           //!< by operation
    std::map<FlowKey, uint64_t> m_over; //!< by flow: operations that are over
    bool m_started{false};
    bool m_stopped{false};
    bool m_proceeding{false}; //!< Proceed() is under way
    bool m_again{false};      //!< it was called again meanwhile
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_RUNNER_H */
