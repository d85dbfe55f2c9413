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
#include <optional>
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

/** The forecast of a profile for a call. */
struct CallForecast
{
    bool hit{false};           //!< it was foreseen
    bool misprediction{false}; //!< it was not, although the profile predicts
    uint64_t until{0}; //!< the last operation of the flow in a row, at least that of the call
    uint64_t run{0};   //!< a number that calls of a run share; 0: none
};

/** A call that is foreseen. */
struct ForeseenCall
{
    ProfiledCall call;
    uint64_t until{0}; //!< as in CallForecast
    uint64_t run{0};   //!< as in CallForecast
};

/**
 * @ingroup photonic-rails
 * @brief The calls of one rank in an iteration of its training loop, which predict its next calls.
 *
 * BeginIteration() marks the begin of an iteration. After some whole ones, the last is the profile:
 * calls in order, each with its flow, the number of its operation among those of the flow in
 * the iteration, stage, pairs and parallelism. A maximal sequence of calls of one parallelism is a
 * run; the next run is of another parallelism.
 *
 * - A call that is among those of the current run or the next which have not been called yet is
 *   foreseen: concurrent streams may overtake each other. If a call overtakes those of the run
 *   before its own, this iteration is the next profile: its order may be the order from now on.
 * - Any other call is a misprediction, and so is an iteration that ends before all calls of the
 *   profile. Nothing is foreseen for the rest of the iteration, which is the next profile.
 * - A call is foreseen to share its circuits with the operations of its flow that follow in
 *   the run with the same pairs, as long as all have one stage, and each call between them fits
 *   beside it: the pairs of a collective take all ports, but sends of a group share them if there
 *   is a port for each partner.
 * - The next iteration is expected to be like the profile: if the profile ends with the parallelism
 *   that it begins with, that is one run, and circuits are shared beyond the end of the iteration,
 *   but not beyond the end of the next.
 *
 * A rank without BeginIteration() has no profile.
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
     * @param rank that calls
     * @param iterations to record before the first prediction, 1 or more
     * @param ports of the rank's NIC, 1 or more
     */
    CallProfile(RankId rank, uint32_t iterations, uint32_t ports);

    /** An iteration begins. @return whether the one before lacked calls that were foreseen */
    bool BeginIteration();
    /**
     * Ends the recording and all predictions.
     * @return whether the present iteration lacks calls that were foreseen; one without any call
     * has not begun
     */
    bool End();

    /** The rank calls. @param call of the rank @return the forecast for it */
    CallForecast Called(const ProfiledCall& call);
    /**
     * The rank is through with a call.
     * @param phase of the call
     * @return if that was the last of a run: the first call of each flow of the next run,
     * as far as they fit beside each other
     */
    std::vector<ForeseenCall> Finish(const OpusPhase& phase);
    /** @return the first call of each flow of the first run, at the begin of an iteration */
    std::vector<ForeseenCall> ForeseeFirst() const;

    /** @return whether calls are foreseen at present */
    bool IsPredicting() const;
    /** @return the maximum number of links of each send of a group @param group of the sends */
    uint32_t GetLinks(GroupId group) const;
    /** @return the profile as text */
    std::string Describe() const;

  private:
    /** A call within an iteration. */
    struct Entry
    {
        ProfiledCall call;
        uint64_t index{0}; //!< of the operation in its flow and iteration
        std::size_t run{0};
        uint64_t last{0}; //!< index of the last operation that shares its circuits; indices of the
                          //!< next iteration follow those of this one
    };

    /** A run of the profile. */
    struct Run
    {
        std::size_t begin{0};      //!< its first entry
        std::size_t end{0};        //!< the entry after its last
        std::size_t finished{0};   //!< calls that are over
        std::set<OpusPhase> begun; //!< flows with a call in the present iteration
    };

    /** @return whether a call of the profile is this one, in the present iteration */
    bool IsEntry(const Entry& entry, const ProfiledCall& call) const;
    /** @return the number of the first operation of a flow in this iteration */
    uint64_t GetBase(const OpusPhase& phase) const;
    /** @return whether both can have their circuits at once */
    bool Fits(const Entry& one, const Entry& other) const;
    /** Records a call. @param entry of the profile that it is; none: it is no entry */
    void Record(const Entry& call, std::optional<std::size_t> entry);
    /** @return the number of calls in the present iteration */
    std::size_t CountRecorded() const;
    /** Records the calls that were those of the profile, in its order, one by one. */
    void RecordAll();
    /** Drops the calls of the present iteration. */
    void ForgetRecording();
    /** Makes the recorded calls the profile. */
    void Adopt();
    /** Computes how far circuits are shared within the profile. */
    void ShareWithin();
    /** Computes how far circuits are shared beyond its end, into the next iteration. */
    void ShareBeyond();
    /** @return whether one operation can share the circuits of an earlier one of its flow, if the
     * calls between them fit beside them */
    static bool CanFollow(const Entry& entry, const Entry& follower);
    /** @return whether all entries in [begin, end) fit beside an entry */
    bool Fit(const Entry& entry, std::size_t begin, std::size_t end) const;
    /** Marks all entries of the profile as not called. */
    void Rewind();
    /** @return the first calls of a run; that after the last is the first of the next iteration */
    std::vector<ForeseenCall> Foresee(std::size_t run) const;
    /** Adds the partner of a send or receive. */
    void NotePartners(const ProfiledCall& call);

    RankId m_rank;
    uint32_t m_iterations;
    uint32_t m_ports;
    bool m_inIteration{false};
    bool m_hasProfile{false};
    bool m_mispredicted{false};
    bool m_overtaken{false};        //!< a call came before the last call of the run before its own
    bool m_isCycle{false};          //!< the last run and the first of the next iteration are one
    uint64_t m_complete{0};         //!< iterations
    uint64_t m_runBase{0};          //!< runs of earlier iterations, without one that continues
    std::size_t m_alike{0};         //!< first calls of the iteration that are those of the profile
    std::vector<Entry> m_recording; //!< empty as long as all are
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
