/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_REQUEST_H
#define PHOTONIC_RAILS_SHIM_REQUEST_H

#include "call-profile.h"
#include "granted-circuits.h"
#include "shim-call.h"
#include "shim-settings.h"

#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits that one rank requests or holds for one phase, from its first call (or the
 * profile's forecast of it) to their release.
 *
 *     AHEAD --called--> REQUESTED --GRANT--> HELD --over, or RECALL, or in the way--> released
 *       |  \---------------GRANT--------------^ |
 *       +-- misprediction: released             +-- calls that it covers are answered
 *
 * A request serves the operations of its flow up to GetUntil(), if they have its pairs and one
 * stage: first as far as the rank foresees, then up to `until` of the GRANT. It is over when the
 * last of them is, or when its circuits have to be released and none of its calls is under way.
 * Then IsOver() is true, and the rank releases it.
 *
 * It decides nothing about other requests, answers no call and sends no message.
 */
class ShimRequest
{
  public:
    using Place = ShimCall::Place;

    /** Of GetUntil(): the circuits are held for good, and not released. */
    static constexpr uint64_t FOR_GOOD = UINT64_MAX;

    /** @param phase that it is for */
    explicit ShimRequest(const OpusPhase& phase);

    /**
     * Sets the request.
     * @param call that it is for
     * @param links between each two ranks, at most; 0: no limit
     * @param number of the request, among those for the phase
     */
    void Open(const ShimCall& call, uint32_t links, uint64_t number);

    // Identity

    const OpusPhase& GetPhase() const;
    const CallPairs& GetPairs() const;
    /** @return links between each two ranks, at most; 0: no limit */
    uint32_t GetLinks() const;
    /** @return its number among the requests for the phase */
    uint64_t GetNumber() const;
    /** @return the last operation of the flow that it serves, requested, then granted */
    uint64_t GetUntil() const;
    /** @return the run of the profile that it is for; 0: none */
    uint64_t GetRun() const;

    // Calls of the rank

    /** @param ahead whether none of its calls has been made */
    void SetAhead(bool ahead);
    /** @return whether none of its calls has been made */
    bool IsAhead() const;
    /** A circuit hint of the rank's program controls it. */
    void SetHinted();
    /** @return whether a circuit hint of the rank's program controls it */
    bool IsHinted() const;
    /** @return whether it serves a call @param call of the rank @param wanted phase of the call */
    bool Covers(const ShimCall& call, const OpusPhase& wanted) const;
    /** The rank makes a call that it covers: if it is ahead, not granted and not hinted, it reaches
     * as far. */
    void Reach(const ShimCall& call);
    /** Adds a call. @return the added call */
    ShimCall& Add(const ShimCall& call);
    /** An ACQUIRE waits for the grant. */
    void SetAcquire(const ShimCall& call);
    /** A call waits until all calls under way have been given back. */
    void Park(const ShimCall& call);
    /** @return whether it has a call that is not over */
    bool Has(const Place& place) const;
    /** The rank gives a call back. @return false if it is not withdrawn: then nothing changes */
    bool GiveBack(const Place& place);
    /** Removes a call that has been given back. @return the call, or nothing */
    std::optional<ShimCall> TakeReturned(const Place& place, Picoseconds now);
    /** The rank is through with a call, or with a stage that had none. */
    void Finish(const Place& place, Picoseconds now);
    /** Ends it as soon as none of its calls is under way. */
    void EndWhenIdle();
    /** The rank's program is over: ends it as soon as it is idle, unless it is held for good. */
    void EndProgram();

    // Messages of the controller

    /** Removes the call of the first operation, which is refused. @return the call, or nothing */
    std::optional<ShimCall> TakeFirst();
    /** Removes the ACQUIRE that waits. @return it, or nothing */
    std::optional<ShimCall> TakeAcquire();
    /**
     * Circuits are granted.
     * @param grant for this request
     */
    void Grant(const OpusGrant& grant, const ShimSettings& settings, Picoseconds now);
    /** Removes calls that wait for operations beyond the grant. @return the calls */
    std::vector<ShimCall> TakeBeyond();
    /** Ends it at an operation. @return whether that is earlier than before */
    bool Shorten(uint64_t until);
    /** Gives it the next number, after a refusal for now. */
    void CountUp();

    // Messages to the controller

    /** Makes a REQUEST due. @return false if one was due already */
    bool SetDue();
    /** @return whether a REQUEST was due; none is any more */
    bool TakeDue();
    /**
     * A REQUEST leaves.
     * @param [in,out] request gets isAhead, bytes, number, until and links
     * @param term in which it leaves
     */
    void Send(OpusRequest& request, uint32_t term, Picoseconds now);
    /** @return whether a REQUEST has left */
    bool IsSent() const;
    /** @return whether a REQUEST has left, and the last one in another term */
    bool IsSentBefore(uint32_t term) const;

    // State

    bool IsGranted() const;
    /** @return the circuits; null if none are granted */
    const std::shared_ptr<const GrantedCircuits>& GetCircuits() const;
    /** @return whether it is over as soon as none of its calls is under way */
    bool IsEnding() const;
    /** @return whether a call, or an ACQUIRE, is waiting for the grant */
    bool IsWaiting() const;
    /** @return the time of the first call or ACQUIRE that waits; NEVER if none does */
    Picoseconds GetWaitingSince() const;
    /** @return whether it holds circuits that no call uses, and that may be released */
    bool IsSpare() const;
    /** @return whether it has to be released */
    bool IsOver() const;
    /** @return the begin of its idle time, if it is idle */
    Picoseconds GetIdleSince() const;
    /** @return the last operation that the rank is through with */
    const std::optional<uint64_t>& GetThrough() const;
    /** @return the calls that are not over */
    std::map<Place, ShimCall>& GetCalls();
    /** @return the calls that are not over */
    const std::map<Place, ShimCall>& GetCalls() const;
    /** @return the ACQUIRE that waits for the grant */
    std::optional<ShimCall>& GetAcquire();
    /** @return calls that wait until all calls under way have been given back */
    const std::vector<ShimCall>& GetParked() const;
    /** @return calls without an answer, which need another request if this one is released */
    std::vector<ShimCall> GetUnanswered() const;

    // Times of the grant

    /** @return the part of a span in which the controller waited for other ranks' calls */
    Picoseconds GetOthers(Picoseconds from, Picoseconds to) const;
    /** @return the reconfiguration time of the grant at the first call; then 0 */
    Picoseconds TakeReconfiguration();
    /** @return of that, link-up that the agents have awaited, at the first call; then 0 */
    Picoseconds TakeLinkUp();

    /** @return its state as text */
    std::string Describe() const;

  private:
    /** @return whether a call of it has been answered and is not over */
    bool IsUnderWay() const;

    OpusPhase m_phase;
    CallPairs m_pairs;
    uint64_t m_bytes{0};
    uint32_t m_links{0};
    uint64_t m_number{0};
    uint64_t m_until{0};
    uint64_t m_run{0};
    bool m_isAhead{false};
    bool m_isHinted{false};
    Picoseconds m_neededAt{0}; //!< ahead of a call; 0: at once, or not known
    bool m_isEnding{false};
    bool m_isDue{false};
    bool m_isSent{false};
    uint32_t m_sentIn{0}; //!< term of the last REQUEST
    bool m_isGranted{false};
    std::shared_ptr<const GrantedCircuits> m_circuits;
    Picoseconds m_foretold{NEVER};  //!< first REQUEST before the call
    Picoseconds m_requested{NEVER}; //!< first REQUEST after the call
    Picoseconds m_othersFrom{0};    //!< begin of the wait for other ranks, by the GRANT
    Picoseconds m_othersUntil{0};   //!< its end
    Picoseconds m_reconfiguration{0};
    Picoseconds m_linkUp{0};
    Picoseconds m_idleSince{0};
    std::optional<uint64_t> m_through;
    std::map<Place, ShimCall> m_calls;
    std::optional<ShimCall> m_acquire;
    std::vector<ShimCall> m_parked;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_REQUEST_H */
