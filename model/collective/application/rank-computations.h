/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_COMPUTATIONS_H
#define PHOTONIC_RAILS_RANK_COMPUTATIONS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The computations of a rank that are in progress, one on each of some streams.
 *
 * A computation takes its time, whatever else the rank does. Computations of several streams don't
 * slow each other down. A GPU that is slow takes a multiple of the time for what is left of them.
 */
class RankComputations
{
  public:
    /** Called at the end of a computation, with its operation's number and the begin. */
    using EndCallback = std::function<void(uint32_t operation, Time start)>;

    /** @param ended called for each computation, after it is no longer in progress */
    explicit RankComputations(EndCallback ended);

    /** Begins a computation now. @param operation that is not in progress */
    void Begin(uint32_t operation, Time duration);

    /**
     * Goes on with a computation that began earlier.
     * @param operation that is not in progress
     * @param start not later than now, and its end not earlier
     */
    void Resume(uint32_t operation, Picoseconds start, Picoseconds duration);

    /** @return a duration that is longer by a factor */
    static Time Lengthen(Time duration, double factor);

    /** @return the factor of SetFactor() */
    double GetFactor() const
    {
        return m_factor;
    }

    /** @return whether a computation is in progress */
    bool IsAny() const
    {
        return !m_running.empty();
    }

    /** @param factor of the time of all that is computed from now on: above 1 is slower */
    void SetFactor(double factor);

    /** Stops all computations: none of them ends. */
    void Stop();

  private:
    /** A computation that is in progress. */
    struct Computation
    {
        uint32_t operation;
        Time start;
        Picoseconds since; //!< the latest change of the factor, or the start
        Picoseconds left;  //!< work then, in the time that it takes with factor 1
        EventId end;       //!< fires at its end
    };

    /** Schedules the end of a computation that has some work left, now. */
    void Schedule(Computation& computation);

    /** Ends a computation. */
    void End(uint32_t operation);

    EndCallback m_ended;
    std::vector<Computation> m_running; //!< at most one a stream
    double m_factor{1};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_COMPUTATIONS_H */
