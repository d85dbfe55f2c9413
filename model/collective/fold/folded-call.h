/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FOLDED_CALL_H
#define PHOTONIC_RAILS_FOLDED_CALL_H

#include "folded-operation.h"

#include "ns3/event-id.h"
#include "ns3/identifier.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-net-device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class RailFold;

/**
 * @ingroup photonic-rails
 * @brief The part of a rank in an operation on rails that do the same (FoldedOperation).
 *
 * The operation of the rank reports when it is active, and when a stage has circuits. Each report
 * returns whether the operation has to hold its messages. A held operation has later a call of its
 * owner: it sends its own messages after all, or an end of the leader is its own.
 */
class FoldedCall
{
  public:
    /** The operation of the rank. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /** It has messages of its own, from now on. It was held. */
        virtual void UseOwnMessages() = 0;
        /** It has come as far as IsStageOver() and IsOver() say. */
        virtual void FollowLeader() = 0;
    };

    /** The rails that do the same. */
    class Rails
    {
      public:
        virtual ~Rails() = default;
        /** A call has an input. */
        virtual void AddInput(FoldedCall& call, const FoldedPath& path) = 0;
        /** A call with messages of its own has an output. */
        virtual void AddOutput(FoldedCall& call, const FoldedOperation::Output& output) = 0;
        /** A call has ended. */
        virtual void End(FoldedCall& call) = 0;
        /** A call is gone. */
        virtual void Remove(FoldedCall& call) = 0;
        /** The run has diverged, unless the mistake is empty. */
        virtual void Check(const std::string& mistake) = 0;
        /** @return whether observers of a rank's GPU need its frames or messages */
        virtual bool IsObserved(RankId rank) const = 0;
        /** @return a NIC port of a rank */
        virtual Ptr<RailNetDevice> GetNic(RankId rank, uint32_t port) const = 0;
    };

    /**
     * @param rail number of the rail among those that do the same
     * @param place of the rank in its group
     * @param rank of the job
     * @param owner its operation, which outlives this
     */
    FoldedCall(Rails& fold,
               std::shared_ptr<FoldedOperation> operation,
               uint32_t rail,
               uint32_t place,
               RankId rank,
               Owner& owner);
    ~FoldedCall();
    FoldedCall(const FoldedCall&) = delete;
    FoldedCall& operator=(const FoldedCall&) = delete;

    /** The rank neither sends nor receives on the rail: the call has its own end. */
    void HasNoStages();

    /** The start-up is over. @return whether messages are held */
    bool Activated();

    /**
     * The next stage of the rank has circuits.
     * @param path its messages
     * @return whether messages are held
     */
    bool Opened(const FoldedPath& path);

    /** @return whether messages are held */
    bool IsHeld() const;

    /** @return whether a stage of a held operation is over @param stage its place */
    bool IsStageOver(uint32_t stage) const
    {
        return stage < m_stagesOver;
    }

    /** @return whether a held operation is over */
    bool IsOver() const
    {
        return m_isOver;
    }

    /** @return the counts of a held operation that is over */
    const MessageTotals& GetCounts() const
    {
        return m_counts;
    }

    /** A stage of an operation with messages of its own is over. @param stage its place */
    void EndStage(uint32_t stage);

    /** The operation is over, held or not. @param counts of one with messages of its own */
    void End(const MessageTotals& counts);

    /** What the operation does can't be followed. @param why reason, for a report */
    void Disturb(const char* why);

  private:
    friend class RailFold;

    /** Adds the input of an open stage. */
    void AddInput(std::size_t stage);
    /** Schedules the next output that the leader has had. */
    void Arm();
    /** An output is due. */
    void Deliver();
    /** Notes the carrier of the ports of a stage. */
    void Watch(std::size_t stage);
    /** Notes that a stage is over, after which its ports may lose their carrier. */
    void Unwatch(std::size_t stage);
    /** @return whether ports of stages have had carrier since their inputs */
    bool IsSteady() const;

    /** A port of the rank in a stage, and the instant since which it has carrier. */
    struct Port
    {
        std::size_t stage;
        uint32_t number;
        Picoseconds since;
    };

    Rails& m_fold;
    std::shared_ptr<FoldedOperation> m_operation;
    uint32_t m_rail;
    uint32_t m_place;
    RankId m_rank;
    Owner& m_owner;
    bool m_isActive{false};
    bool m_hasStages{true};
    std::vector<FoldedPath> m_paths; //!< by stage that is open
    std::size_t m_inputs{0};         //!< number of inputs
    std::vector<Port> m_ports;
    bool m_hasCarrier{true};
    std::size_t m_next{0}; //!< the next output of the leader
    EventId m_due;
    uint32_t m_stagesOver{0};
    bool m_isOver{false};
    MessageTotals m_counts;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FOLDED_CALL_H */
