/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAILURE_REACTION_H
#define PHOTONIC_RAILS_FAILURE_REACTION_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/parallelism-plan.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** A job that has failed, and the servers of its cluster. */
struct FailureCase
{
    ParallelismPlan plan;            //!< of the attempt that failed
    std::vector<uint32_t> servers{}; //!< of it, in order of its ranks
    std::set<uint32_t> lost{};       //!< of these, that can't be used any more
    std::vector<uint32_t> spares{};  //!< that work and have no job, ascending
    uint32_t serversPerRack{0};      //!< consecutive servers of a rack; 0: all are in one

    /** @return the rack of a server */
    uint32_t GetRack(uint32_t server) const
    {
        return serversPerRack == 0 ? 0 : server / serversPerRack;
    }
};

/** How a job goes on after a failure. */
struct Recovery
{
    bool goesOn{false};
    std::string why{};                   //!< why it does not, or what is done, in words
    ParallelismPlan plan;                //!< of the next attempt
    std::vector<uint32_t> servers{};     //!< of it, in order of its ranks
    std::vector<uint32_t> formerPlace{}; //!< by place in `servers`: that in the former attempt
    std::string policy{};                //!< of circuits; empty: as before
};

/**
 * @ingroup photonic-rails
 * @brief Decides how a job goes on after a failure.
 *
 * It is asked once a failure, after the diagnosis, and has nothing but the case. What it decides is
 * carried out by RecoveringJob: ranks are stopped, circuits taken down, state is copied to where it
 * is missing, and ranks start again.
 *
 * A reaction of one's own derives from it and is named by its type:
 * @code
 * class FirstSpare : public FailureReaction
 * {
 *     Recovery Decide(const FailureCase& failure) const override
 *     {
 *         Recovery recovery = Keep(failure);        // all servers as they are
 *         Replace(recovery, failure, failure.spares); // the lost ones by spares, in this order
 *         return recovery;
 *     }
 * };
 * job->SetReaction("ns3::FirstSpare");
 * @endcode
 */
class FailureReaction : public Object
{
  public:
    /** What ranks and control plane do by themselves, without a new attempt. */
    enum class InPlace : uint8_t
    {
        NOTHING,
        RINGS,       //!< without a controller, or where circuits fail, jobs go on over giant rings
        OTHER_RAILS, //!< traffic of dead ports goes over other rails
    };

    /** @return the type */
    static TypeId GetTypeId();

    /** @return how the job goes on */
    virtual Recovery Decide(const FailureCase& failure) const = 0;

    /** @return what is done without a new attempt; nothing, by default */
    virtual InPlace GetInPlace() const;

    /** @return with OTHER_RAILS: from the end of light to the failure of a queue pair; else 0 */
    virtual Time GetDetection() const;
    /** @return with OTHER_RAILS: of receipts for what was under way, see RdmaTransport; else 0 */
    virtual Time GetReceiptLatency() const;

  protected:
    /** @return that the job goes on with the same plan and servers */
    static Recovery Keep(const FailureCase& failure);
    /** @return that the job ends @param why in words */
    static Recovery End(const std::string& why);
    /**
     * Puts spares in the places of lost servers; ends the job if there are too few.
     * @param [in,out] recovery with the servers of the failed attempt
     * @param spares in order of preference
     */
    static void Replace(Recovery& recovery,
                        const FailureCase& failure,
                        const std::vector<uint32_t>& spares);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAILURE_REACTION_H */
