/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CALL_PROFILE_H
#define PHOTONIC_RAILS_CALL_PROFILE_H

#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** Pairs of ranks that are to be joined, as a CircuitRequest has them. */
using CallPairs = std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>;

/** @return whether both name the same pairs in the same order @param one any @param other any */
bool IsSamePairs(const CallPairs& one, const CallPairs& other);

/** A stage of an operation that a rank calls. */
struct ProfiledCall
{
    OpusPhase phase;
    uint32_t stages{1}; //!< of the operation
    CallPairs pairs;
    std::string parallelism; //!< the parallelism that it belongs to
    uint64_t bytes{0};       //!< that the rank sends
};

/** What a profile makes of a call. */
struct CallForecast
{
    bool hit{false};           //!< it was foreseen
    bool misprediction{false}; //!< it was not, although something was: a wrong prediction
    uint64_t until{0};         //!< the last operation of the flow in a row, itself at least
    uint64_t run{0};           //!< a number that calls of a run share; 0: none
};

/** A call that is to come. */
struct ForeseenCall
{
    ProfiledCall call;
    uint64_t until{0}; //!< as in CallForecast
    uint64_t run{0};   //!< as in CallForecast
};

/**
 * @ingroup photonic-rails
 * @brief What one rank calls in an iteration of its training loop, and so what it will call next.
 *
 * The rank says where an iteration begins. After some whole ones, the last is the profile: calls in
 * order, each with its flow, the number of its operation among those of the flow in
 * the iteration, stage, pairs and parallelism. A maximal stretch of calls of one parallelism is a
 * run; at its end the rank turns to another.
 *
 * - A call that is among those of the current run or the next which have not been called yet is
 *   foreseen: streams that run side by side may overtake each other. The iteration in which that
 *   happened is the profile from then on: it may be the order from now on.
 * - Any other is a surprise, and so is an iteration that ends before all has been called. Nothing
 *   is foreseen for the rest of the iteration, and then that iteration is the profile.
 * - A call is foreseen to share its circuits with the operations of its flow that follow in
 *   the run with the same pairs, as long as all have one stage, and nothing comes between that
 *   does not fit beside it: ports are given to all pairs of a collective, but sends of a group
 *   share them if there is a port for each partner.
 * - After the last iteration that is known comes another like it: if it ends with the parallelism
 *   that it begins with, that is one run, and circuits are shared beyond the end of the iteration,
 *   but not beyond the end of the next.
 *
 * A rank that never says where an iteration begins has no profile.
 * @code
 * CallProfile profile(rank, 1, 2); // profile one iteration, two ports
 * profile.BeginIteration();
 * const CallForecast forecast = profile.Called(call);
 * for (const ForeseenCall& next : profile.Finish(call.phase)) {} // when a run is over
 * @endcode
 */
class CallProfile
{
  public:
    /**
     * @param rank whose calls
     * @param iterations to be recorded first, 1 or more
     * @param ports of the rank's NIC, 1 or more
     */
    CallProfile(RankId rank, uint32_t iterations, uint32_t ports);

    /** An iteration begins. @return whether the one before lacked calls that were foreseen */
    bool BeginIteration();
    /** Nothing is foreseen any more, and nothing recorded. @return whether the iteration that was
     * under way lacks calls that were foreseen; one without any call has not begun */
    bool End();

    /** @return what is to be made of it @param call the rank's */
    CallForecast Called(const ProfiledCall& call);
    /**
     * The rank is through with a call.
     * @param phase of it
     * @return if that was the last of a run: the first call of each flow of the next run,
     * as far as they fit beside each other
     */
    std::vector<ForeseenCall> Finish(const OpusPhase& phase);
    /** @return the same for the first run of an iteration that has just begun */
    std::vector<ForeseenCall> ForeseeFirst() const;

    /** @return whether calls are foreseen at the moment */
    bool IsPredicting() const;
    /** @return links that each send of a group is to have at most @param group it */
    uint32_t GetLinks(GroupId group) const;
    /** @return the profile in words */
    std::string Describe() const;

  private:
    /** A call within an iteration. */
    struct Entry
    {
        ProfiledCall call;
        uint64_t index{0}; //!< of the operation in its flow and iteration
        std::size_t run{0};
        uint64_t last{0}; //!< index of the last operation that shares its circuits, counted on
                          //!< in the next iteration
    };

    /** A run of the profile. */
    struct Run
    {
        std::size_t begin{0}; //!< its first entry
        std::size_t end{0};   //!< that after its last
        std::size_t finished{0};
        std::set<OpusPhase> begun; //!< flows
    };

    /** @return whether a recorded call is this one, as the iteration stands */
    bool IsEntry(const Entry& entry, const ProfiledCall& call) const;
    /** @return the number of the first operation of a flow in this iteration */
    uint64_t GetBase(const OpusPhase& phase) const;
    /** @return whether both can have their circuits at once */
    bool Fits(const Entry& one, const Entry& other) const;
    /** What has been recorded is the profile from now. */
    void Adopt();
    /** Finds out how far circuits are shared within the profile. */
    void ShareWithin();
    /** Goes on beyond its end, to the beginning of the next iteration. */
    void ShareBeyond();
    /** @return whether one operation can go on with the circuits of another of its flow,
     * if what comes between fits beside them */
    static bool CanFollow(const Entry& entry, const Entry& follower);
    /** @return whether entries from one number to before another fit beside one */
    bool Fit(const Entry& entry, std::size_t begin, std::size_t end) const;
    /** Everything in the profile is to be called. */
    void Rewind();
    /** @return the first calls of a run; that after the last is the first of the next iteration */
    std::vector<ForeseenCall> Foresee(std::size_t run) const;
    /** Remembers whom the rank sends to and receives from. */
    void NotePartners(const ProfiledCall& call);

    RankId m_rank;
    uint32_t m_iterations;
    uint32_t m_ports;
    bool m_inIteration{false};
    bool m_hasProfile{false};
    bool m_mispredicted{false};
    bool m_overtaken{false}; //!< a call came before all of the run before its own had
    bool m_isCycle{false};   //!< the last run goes on as the first of the next iteration
    uint64_t m_complete{0};  //!< iterations
    uint64_t m_runBase{0};   //!< runs of iterations that are over, but one that goes on
    std::vector<Entry> m_recording;
    std::vector<Entry> m_profile;
    std::vector<Run> m_runs;
    std::map<OpusPhase, uint64_t> m_counts;    //!< operations by flow, in the profile
    std::vector<bool> m_called;                //!< by entry
    std::size_t m_next{0};                     //!< the first entry that has not been called
    std::map<OpusPhase, std::size_t> m_open;   //!< calls that are not over: their runs
    std::map<OpusPhase, uint64_t> m_following; //!< by flow, after the last one called
    std::map<OpusPhase, uint64_t> m_bases;     //!< the same when the iteration began
    std::map<GroupId, std::set<RankId>> m_partners;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CALL_PROFILE_H */
