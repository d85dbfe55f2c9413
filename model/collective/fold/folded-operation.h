/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FOLDED_OPERATION_H
#define PHOTONIC_RAILS_FOLDED_OPERATION_H

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/collective-transport.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A NIC port of a rank. */
struct FoldedPort
{
    RankId rank;
    uint32_t port{0};
};

/** What determines the messages of a rank in a stage of an operation, beside instants. */
struct FoldedPath
{
    std::vector<RailLink> links; //!< to the ranks that it exchanges messages with
    std::vector<RankId> peers;   //!< by link: the rank at its far end
    bool isPlain{true}; //!< circuits or a packet switch lead there, without GPUs that forward
    std::shared_ptr<const CollectiveSchedule> schedule;
    CollectiveProtocol protocol{CollectiveProtocol::SIMPLE};
    uint64_t messageSize{0};

    /** @return whether both determine the same messages, from place to place */
    bool IsSame(const FoldedPath& other) const;
};

/**
 * @ingroup photonic-rails
 * @brief One operation on all rails that do the same, and the rules by which it follows on a rail
 * what it does on the first one, the leader.
 *
 * The *inputs* of an operation are the instants at which a rank may send in a stage: it has called
 * the operation, its start-up is over, and circuits are granted. Its *outputs* are the instants at
 * which a rank has ended a stage or the operation. Between both there is nothing but clocks,
 * fibers and queue pairs without work, whose times don't depend on the instant at which they begin.
 * So if all inputs on a rail are those of the leader and later by the same shift, its outputs are
 * those of the leader and later by this shift. Then the operation needs no messages on that rail.
 *
 * A rail decides when it has its first input. It follows if the leader had this input before, as
 * its own first one. Else the operation has messages of its own on that rail. Each further input is
 * compared with the leader's, and no output is due before all inputs up to it have been compared.
 * So a difference is found before it has an effect, and is reported as a mistake: as nothing was
 * sent, what the rail would have done till then is not known.
 * An input that the leader has not had by the end of its instant is a mistake at once: the leader
 * may wait for circuits that this rail holds, and would have no output.
 *
 * Operations that overlap at a port follow by the same shift, or all have messages of their own.
 * Where rails are in step an operation follows by a shift of 0 from the start, and its inputs come
 * at the instants of the leader's, before or behind them.
 *
 * Plain C++: the caller gives the times. Rail 0 is the leader.
 */
class FoldedOperation
{
  public:
    /** How the operation is run on a rail. */
    enum class Mode : uint8_t
    {
        UNDECIDED,
        OWN,     //!< it has messages of its own
        FOLLOWS, //!< it has none, and its outputs are those of the leader
    };

    /** The end of a stage, or of the operation, at a rank of the leader. */
    struct Output
    {
        Picoseconds at{0};
        uint32_t stage{0}; //!< by its place among the rank's; none if it is the end
        bool isEnd{false};
        MessageTotals counts{}; //!< of the end
    };

    /**
     * @param name in reports
     * @param rails number of rails, the leader included
     * @param places number of ranks on each rail
     * @param mode on the other rails: decided at their first input, or known before, where rails
     * are in step (it follows by a shift of 0) or where it can't follow
     */
    FoldedOperation(std::string name, uint32_t rails, uint32_t places, Mode mode);

    // Each of the following functions that returns text returns a mistake; empty: none.

    /** Adds the next input of a rank. @param isSteady whether its ports have carrier */
    std::string AddInput(uint32_t rail,
                         uint32_t place,
                         Picoseconds now,
                         const FoldedPath& path,
                         bool isSteady);

    /** Adds an output of the leader, behind those of the rank before it. */
    void AddOutput(uint32_t place, const Output& output);

    /** Notes that the leader is disturbed, so that no rail may follow it. @param why reason */
    void Disturb(const std::string& why);

    /** Notes that another operation overlaps with it at a port of the leader. */
    void Couple(const std::shared_ptr<FoldedOperation>& other, Picoseconds now);

    /** @return whether Couple() has been called for another operation */
    bool IsCoupled(const FoldedOperation& other) const;

    /**
     * Decides how it runs on a rail.
     * @param overlapping operations at its ports on that rail
     * @param isLast whether the leader has no more inputs at this instant
     * @return a mistake
     */
    std::string Decide(uint32_t rail,
                       Picoseconds now,
                       const std::vector<FoldedOperation*>& overlapping,
                       bool isLast);

    /** @return a mistake if it overlaps on a rail with one that it is not alike */
    std::string FindConflict(uint32_t rail, const std::vector<FoldedOperation*>& overlapping) const;

    /**
     * Finds what an output of the leader has had that it has not on a rail that follows. Inputs and
     * overlaps at the instant of the output itself don't count: light takes longer.
     * @param at instant of the output
     * @return it in words; empty: the rail has its output, later by the shift
     */
    std::string FindMissing(uint32_t rail, Picoseconds at) const;

    /** @return whether a rail that follows has had an input that the leader has not */
    bool IsAhead(uint32_t rail) const
    {
        const OnRail& its = m_rails[rail];
        return its.mode == Mode::FOLLOWS && its.count > its.matched;
    }

    /** @return a mistake if a rail that follows has had an input before now and before the leader
     */
    std::string FindAhead(uint32_t rail, Picoseconds now) const;

    /** @return how it is run on a rail */
    Mode GetMode(uint32_t rail) const
    {
        return m_rails[rail].mode;
    }

    /** @return the time by which a rail follows later */
    Picoseconds GetShift(uint32_t rail) const
    {
        return m_rails[rail].shift;
    }

    /** @return whether a rail has had an input */
    bool HasBegun(uint32_t rail) const
    {
        return m_rails[rail].count > 0;
    }

    /** @return the outputs of a rank of the leader so far */
    const std::vector<Output>& GetOutputs(uint32_t place) const
    {
        return m_outputs[place];
    }

    /** @return the number of ranks on each rail */
    uint32_t GetPlaces() const
    {
        return m_outputs.size();
    }

    /** Notes that a rank has ended it. @return whether all ranks of the rail have */
    bool End(uint32_t rail);

    /** @return whether all ranks of all rails have ended it */
    bool IsOver() const
    {
        return m_open == 0;
    }

    /** Drops what refers to other operations. */
    void Forget();

  private:
    /** An input of a rank in a stage. */
    struct Input
    {
        Picoseconds at{0};
        FoldedPath path;
    };

    /** The operation on a rail. */
    struct OnRail
    {
        Mode mode{Mode::UNDECIDED};
        bool mustOwn{false}; //!< an input can't follow
        Picoseconds shift{0};
        std::vector<std::vector<Input>> inputs; //!< by rank and stage
        uint64_t count{0};                      //!< number of inputs
        uint64_t matched{0};                    //!< inputs that are compared with the leader's
        uint32_t ended{0};                      //!< number of ranks
    };

    /** An operation that overlaps at a rank of the leader. */
    struct Coupled
    {
        std::shared_ptr<FoldedOperation> other;
        Picoseconds since;
    };

    /** @return whether both run alike on a rail */
    bool IsAlike(uint32_t rail, const FoldedOperation& other) const;
    /** Compares an input of a rail that follows with that of the leader, if both are there. */
    std::string Match(uint32_t rail, uint32_t place, std::size_t stage, Picoseconds now);
    /** @return what an output of the leader has had that it has not on a rail; empty: nothing */
    std::string FindDifference(uint32_t rail, Picoseconds at) const;
    /** @return the first stage that began on the leader before an instant, and has not on a rail */
    std::string FindLate(uint32_t rail, Picoseconds at) const;
    /** @return how it would best run on a rail */
    Mode Choose(uint32_t rail, Picoseconds now, bool isLast, Picoseconds& shift) const;
    /** @return a mistake: a rail has had an input, and the leader has not */
    std::string DescribeAhead(uint32_t rail, uint32_t place, Picoseconds at) const;
    /** @return the name with the rail and the place */
    std::string Describe(uint32_t rail, uint32_t place) const;
    /** @return the name, and how it runs on a rail */
    std::string DescribeMode(uint32_t rail) const;

    std::string m_name;
    std::string m_disturbed;    //!< reason why no rail may follow
    Picoseconds m_first{NEVER}; //!< the first input of the leader
    std::vector<OnRail> m_rails;
    std::vector<std::vector<Output>> m_outputs; //!< of the leader, by rank
    std::vector<Coupled> m_coupled;
    uint64_t m_open; //!< ranks of all rails that have not ended it
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FOLDED_OPERATION_H */
