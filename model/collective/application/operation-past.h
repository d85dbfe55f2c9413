/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_PAST_H
#define PHOTONIC_RAILS_OPERATION_PAST_H

#include "collective-run.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-transport.h"
#include "ns3/identifier.h"
#include "ns3/memoized-call.h"
#include "ns3/ptr.h"
#include "ns3/rank-schedule.h"

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
    };

    /**
     * @param out the ways of its messages, as those of the schedule's part
     * @param rail sends them
     */
    OperationPast(Operation operation, std::vector<TransportMessage> out, Ptr<Transport> rail);

    // MemoizedPast
    bool Concerns(const TransportMessage& message) const override;
    std::map<uint64_t, uint64_t> ListSizes(uint32_t way) const override;
    void Begin() override;
    MemoizedMessage Arrived(const TransportMessage& message) override;
    MemoizedMessage Settled(const TransportMessage& message) override;

    /** @return a message in an operation's terms @param place of the rank at its other end */
    static MemoizedMessage Make(const TransportMessage& message, uint32_t place);

  private:
    // CollectiveRun::Owner
    void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override;

    /** The start-up is over, if that is not known: it takes messages. */
    void BecomeActive();
    /** @return the place of a rank */
    uint32_t GetPlace(RankId rank) const;

    Operation m_operation;
    std::vector<TransportMessage> m_out;
    Ptr<Transport> m_rail;
    std::unique_ptr<CollectiveRun> m_run;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_PAST_H */
