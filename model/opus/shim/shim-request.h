/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_REQUEST_H
#define PHOTONIC_RAILS_SHIM_REQUEST_H

#include "call-profile.h"
#include "granted-circuits.h"
#include "shim-call.h"

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
 *       +-- wrong prediction: released          +-- calls that the grant covers are answered at
 * once
 *
 * A request serves the operations of its flow up to GetUntil(), if they have its pairs and one
 * stage: first as far as the rank foresees, then as far as the GRANT says. It is over when the last
 * of them is, or when its circuits are to be given back and none of its calls is under way. Then
 * IsOver() says so, and the rank releases it.
 *
 * It decides nothing about other requests, answers no call and sends no message.
 */
class ShimRequest
{
  public:
    using Place = ShimCall::Place;

    /** Of GetUntil(): the circuits stand, and are not given back. */
    static constexpr uint64_t FOR_GOOD = UINT64_MAX;

    /** @param phase that it is for */
    explicit ShimRequest(const OpusPhase& phase);

    /**
     * Says what is requested.
     * @param call that it is for
     * @param links between each two ranks, at most; 0: no limit
     * @param number of the request, among those for the phase
     */
    void Open(const ShimCall& call, uint32_t links, uint64_t number);

    // What it is for

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

    // What the rank does

    /** Nothing of it has been called yet, or something has. */
    void SetAhead(bool ahead);
    /** @return whether nothing of it has been called */
    bool IsAhead() const;
    /** The rank's program sees to it. */
    void SetHinted();
    /** @return whether the rank's program sees to it */
    bool IsHinted() const;
    /** @return whether a call needs no more than this @param wanted the call's phase */
    bool Covers(const ShimCall& call, const OpusPhase& wanted) const;
    /** A call that it covers is made; it reaches as far as this call does, if it was ahead. */
    void Reach(const ShimCall& call);
    /** @return the call, which it has from now */
    ShimCall& Add(const ShimCall& call);
    /** An ACQUIRE waits for the grant. */
    void SetAcquire(const ShimCall& call);
    /** A call waits until all that is under way has been given back. */
    void Park(const ShimCall& call);
    /** @return whether it has a call that is not over */
    bool Has(const Place& place) const;
    /** The rank gives a call back. @return false if it is not withdrawn: then nothing changes */
    bool GiveBack(const Place& place);
    /** @return a call that has been given back, which it does not have any more; or nothing */
    std::optional<ShimCall> TakeReturned(const Place& place, Picoseconds now);
    /** The rank is through with a call, or with a stage that had none. */
    void Finish(const Place& place, Picoseconds now);
    /** As soon as nothing of it is under way, it is over. */
    void EndWhenIdle();
    /** The rank's program is over: so is this as soon as it is idle, unless it is held for good. */
    void EndProgram();

    // What the controller says

    /** The first operation's call is refused. @return it, which it does not have any more */
    std::optional<ShimCall> TakeFirst();
    /** @return the ACQUIRE that waits, which does not wait any more */
    std::optional<ShimCall> TakeAcquire();
    /** Circuits are granted. @param grant it; it is for this request */
    void Grant(const OpusGrant& grant, Picoseconds now);
    /** @return calls that wait for operations beyond the grant, which it does not have any more */
    std::vector<ShimCall> TakeBeyond();
    /** It ends with an earlier operation. @return whether that is earlier than before */
    bool Shorten(uint64_t until);
    /** It was refused for now, and is requested again under the next number. */
    void CountUp();

    // What the controller is told

    /** A REQUEST is to leave. @return false if one was to leave already */
    bool SetDue();
    /** @return whether a REQUEST is to leave; from now on, none is */
    bool TakeDue();
    /** A REQUEST leaves. @param [in,out] request it; gets all but the pairs @param term in which */
    void Send(OpusRequest& request, uint32_t term, Picoseconds now);
    /** @return whether a REQUEST has left */
    bool IsSent() const;
    /** @return whether one has left, the last of them in another term */
    bool IsSentBefore(uint32_t term) const;

    // How it stands

    bool IsGranted() const;
    /** @return the circuits; null if none are granted */
    const std::shared_ptr<const GrantedCircuits>& GetCircuits() const;
    /** @return whether it is over as soon as nothing of it is under way */
    bool IsEnding() const;
    /** @return whether a call, or an ACQUIRE, is waiting for the grant */
    bool IsWaiting() const;
    /** @return when the first of those that wait called; NEVER if none does */
    Picoseconds GetWaitingSince() const;
    /** @return whether it holds circuits that no call uses, and may give them back */
    bool IsSpare() const;
    /** @return whether it is to be released */
    bool IsOver() const;
    /** @return since when it has been idle, if it is */
    Picoseconds GetIdleSince() const;
    /** @return the last operation that the rank is through with */
    const std::optional<uint64_t>& GetThrough() const;
    /** @return the calls that are not over */
    std::map<Place, ShimCall>& GetCalls();
    /** @return the calls that are not over */
    const std::map<Place, ShimCall>& GetCalls() const;
    /** @return the ACQUIRE that waits for the grant */
    std::optional<ShimCall>& GetAcquire();
    /** @return calls that wait until all that is under way has been given back */
    const std::vector<ShimCall>& GetParked() const;
    /** @return calls without an answer, which need another request if this one is released */
    std::vector<ShimCall> GetUnanswered() const;

    // Times of the grant

    /** @return how much of a span the controller spent on waiting for other ranks' calls */
    Picoseconds GetOthers(Picoseconds from, Picoseconds to) const;
    /** @return how long the circuits took to reconfigure, the first time; then 0 */
    Picoseconds TakeReconfiguration();

    /** @return all of it in words */
    std::string Describe() const;

  private:
    /** @return whether something of it has been answered and is not over */
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
    bool m_isEnding{false};
    bool m_isDue{false};
    bool m_isSent{false};
    uint32_t m_sentIn{0}; //!< in this term, the last REQUEST
    bool m_isGranted{false};
    std::shared_ptr<const GrantedCircuits> m_circuits;
    Picoseconds m_foretold{NEVER};  //!< a REQUEST has left before the call
    Picoseconds m_requested{NEVER}; //!< one after it has
    Picoseconds m_othersFrom{0};    //!< granted: other ranks were waited for, from then
    Picoseconds m_othersUntil{0};   //!< until then
    Picoseconds m_reconfiguration{0};
    Picoseconds m_idleSince{0};
    std::optional<uint64_t> m_through;
    std::map<Place, ShimCall> m_calls;
    std::optional<ShimCall> m_acquire;
    std::vector<ShimCall> m_parked;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_REQUEST_H */
