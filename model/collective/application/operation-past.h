/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_PAST_H
#define PHOTONIC_RAILS_OPERATION_PAST_H

#include "ns3/collective-protocol.h"
#include "ns3/collective-run.h"
#include "ns3/collective-transport.h"
#include "ns3/identifier.h"
#include "ns3/memoized-call.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/rank-schedule.h"
#include "ns3/scale-up-domain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of a rank in an operation that was to need none, as they are made up for: it
 * sends what the operation would have sent, also if that has ended at the rank meanwhile.
 */
class OperationPast : public MemoizedPast, private CollectiveRun::Owner
{
  public:
    /** What the messages of an operation depend on. */
    struct Operation
    {
        std::shared_ptr<const RankSchedule> part;
        uint64_t bytes{0};
        uint64_t messageSize{0};
        CollectiveProtocol protocol{CollectiveProtocol::SIMPLE};
        uint64_t number{0};          //!< in its flow
        uint32_t stage{0};           //!< the only one
        std::vector<RankId> ranks{}; //!< by place
        RankId rank;                 //!< whose messages they are
        GroupId group;
    };

    /**
     * @param rail sends its messages on circuits
     * @param inside sends those inside the server
     */
    OperationPast(Operation operation, Ptr<Transport> rail, Ptr<Transport> inside);

    // MemoizedPast
    bool Concerns(const TransportMessage& message) const override;
    std::map<uint64_t, uint64_t> ListSizes(uint32_t way) const override;
    uint64_t BeginInside() override;
    void SetWays(const std::vector<TransportMessage>& out) override;
    void Begin() override;
    MemoizedMessage Arrived(const TransportMessage& message) override;
    MemoizedMessage Settled(const TransportMessage& message) override;

    /** @return a message in an operation's terms @param place of the rank at its other end */
    static MemoizedMessage Make(const TransportMessage& message, uint32_t place);

    /** @return whether an operation has messages inside servers @param part of a rank in it */
    static bool IsInside(const RankSchedule& part);

    /** @return what a rank sends and gets inside its server, all in all */
    static ScaleUpCount CountInside(const Operation& operation);

  private:
    // CollectiveRun::Owner
    void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override;

    /** A message that came before the rank was active. */
    struct Early
    {
        MemoizedMessage message;
        Picoseconds at;
    };

    /** The start-up is over, if that is not known: it takes messages. */
    void BecomeActive();
    /** Gives a message to the run. */
    void Deliver(const MemoizedMessage& message);
    /** @return the place of a rank */
    uint32_t GetPlace(RankId rank) const;

    Operation m_operation;
    std::vector<uint32_t> m_onRail;      //!< places of the schedule's ways out on circuits
    std::vector<TransportMessage> m_out; //!< by place in that list
    Ptr<Transport> m_rail;
    Ptr<Transport> m_inside;
    bool m_awaitsBegin{false}; //!< there are messages inside servers, and BeginInside() is to come
    std::vector<Early> m_early;
    std::unique_ptr<CollectiveRun> m_run;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_PAST_H */
