/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_RUN_H
#define PHOTONIC_RAILS_TRACE_RUN_H

#include "collective-helper.h"
#include "opus-helper.h"

#include "ns3/collective-application.h"
#include "ns3/job-programs.h"
#include "ns3/nstime.h"
#include "ns3/opus-control-plane.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** What came of a pass through a trace. */
struct TracePass
{
    Picoseconds length{0};   //!< to the end of the last rank, from that of the pass before
    Picoseconds exposed{0};  //!< ranks waited for circuits, the mean over ranks
    Picoseconds hidden{0};   //!< circuits turned unnoticed, the mean over ranks
    Picoseconds computed{0}; //!< the mean over ranks
};

/**
 * @ingroup photonic-rails
 * @brief Lets ranks be ready to receive from the beginning, in place of from where they call it.
 *
 * A receive is then called at once, behind the one before from the same rank, and what came after
 * it comes after both it and what it came after. That is how traces are meant whose sends never
 * wait for their receiver, such as GOAL and what ASTRA-sim runs. On rails where no circuits are
 * asked for it changes no time: what comes early waits for its receive anyway. With a control plane
 * a pair gets circuits when both ends ask; so ranks that all send first and then receive wait for
 * each other for ever, unless receives are posted. Ranks count as waiting for circuits from then
 * on.
 *
 * @param job as a trace was read
 * @return the same with receives posted
 */
JobPrograms PostReceives(const JobPrograms& job);

/**
 * @ingroup photonic-rails
 * @brief Says by which algorithm collectives are done; traces do not.
 *
 * Without a name each takes what is fastest by arithmetic, in which circuits reconfigure at once:
 * an algorithm of several stages, each with pairs of its own, waits for circuits at each of them. A
 * ring waits once.
 * @param job as a trace was read
 * @param name of an algorithm; kinds of collectives that have none of that name are left alone
 * @param perServer GPUs of a server; groups that are on several rails are left alone
 * @return the same with that algorithm
 */
JobPrograms UseAlgorithm(const JobPrograms& job, const std::string& name, uint32_t perServer);

/**
 * @ingroup photonic-rails
 * @brief A job that was read from a trace, on ranks that CollectiveHelper made, and what came of
 * it.
 *
 * @code
 * JobPrograms job;
 * ReadTraceJob({"run/llama.%d.et"}, job);
 * const Ptr<TraceRun> run = Create<TraceRun>(job, 4);
 * ... rails, opus.Install(rails), collectives.Install(rails) ...
 * run->Install(collectives, plane, 1);
 * Simulator::Run();
 * std::cout << run->GetPass(1).length / 1e12 << " s" << std::endl;
 * @endcode
 *
 * Traces know no iterations. With several passes each rank does all of its trace so many times, a
 * pass begins in a rank when its last one is over, and each counts as an iteration: shims learn in
 * the first. A single pass is run as the trace has it. Figures of a pass are the differences of the
 * counters at its two ends, so what some ranks began early counts in the pass that went on.
 */
class TraceRun : public SimpleRefCount<TraceRun>
{
  public:
    /** @param job what the ranks do @param passes how often, 1 or more */
    TraceRun(const JobPrograms& job, uint32_t passes);

    /**
     * @param perServer GPUs of a server
     * @return why the job can't run on such servers; empty if it can: a send is between two GPUs of
     *         one rail
     */
    std::string FindMisfit(uint32_t perServer) const;

    /** @return what the rank computes that computes most, in one pass */
    Picoseconds GetMostComputing() const;

    /**
     * Sets limits that no healthy run exceeds, before anything is installed: ranks may compute for
     * long before they call each other.
     * @param opus control plane
     * @param collectives of the ranks
     * @param reconfiguration how long circuits take to turn at most
     */
    void SetLimits(OpusHelper& opus, CollectiveHelper& collectives, Time reconfiguration) const;

    /**
     * Gives every rank its program, tells the control plane what the job will send, and listens.
     * @param collectives that made the ranks: as many as the job has
     * @param plane of their rails, if there is one
     * @param perServer GPUs of a server
     */
    void Install(CollectiveHelper& collectives, const OpusControlPlane& plane, uint32_t perServer);

    /** @return how many passes are over */
    uint32_t GetPasses() const;
    /** @return what came of a pass that is over @param pass from 1 */
    TracePass GetPass(uint32_t pass) const;
    /** @return what came of all passes that are over, from the beginning of the run */
    TracePass GetAll() const;

  private:
    void Ended(const OperationRecord& record);

    JobPrograms m_job;
    OpusControlPlane m_plane;
    std::vector<uint64_t> m_left;     //!< operations, by pass
    std::vector<TracePass> m_tallies; //!< by pass: from the beginning of the run to its end
    Picoseconds m_computed{0};        //!< of all ranks
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_RUN_H */
