/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROL_MESSAGE_ROWS_H
#define PHOTONIC_RAILS_CONTROL_MESSAGE_ROWS_H

#include "result-source.h"

#include "ns3/opus-control-plane.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ns3
{

struct OpusPeer;

/**
 * @ingroup photonic-rails
 * @brief Writes the messages of a control plane, heartbeats included: the table
 * `control_messages`.
 *
 * A message has a row when it arrives, or when the channel gives it up; those on their way have one
 * at the end. Messages of one type about the same ranks and phase arrive in the order in which they
 * were sent.
 */
class ControlMessageRows : public ResultSource
{
  public:
    ControlMessageRows(std::shared_ptr<ResultWriter> writer, uint32_t job);

    /**
     * Records a control plane; one without a controller has no messages.
     * @param job number in the run of its first job
     */
    static Ptr<ControlMessageRows> Record(const OpusControlPlane& plane,
                                          const std::shared_ptr<ResultWriter>& writer,
                                          uint32_t job);

    void Close() override;

  private:
    /** An end of messages, to which its trace sources are connected. */
    class End : public SimpleRefCount<End>
    {
      public:
        /** @param name that lives as long as the rows */
        End(ControlMessageRows& rows, const std::string& name);

        void Sent(const OpusMessage& message, const OpusPeer& peer);
        void Received(const OpusMessage& message, const OpusPeer& peer);
        void Failed(const OpusMessage& message, const OpusPeer& peer, const std::string& why);

      private:
        Ptr<ControlMessageRows> m_rows;
        const std::string& m_name;
    };

    /** What a row says of a message. Messages with equal ones arrive in order. */
    struct Facts
    {
        OpusMessageType type{OpusMessageType::HEARTBEAT};
        ServerId server;
        std::optional<RailId> rail{};
        std::optional<OpusPhase::Tuple> phase{};
        std::size_t ranks{0};
        RankId firstRank; //!< if there are ranks

        /** @return those of a message */
        static Facts Of(const OpusMessage& message);
        bool operator<(const Facts& other) const;
    };

    /** A message that has left. */
    struct Flight
    {
        const std::string* sender; //!< name of the end, which lives as long as this
        Time sent{0};
    };

    /** Listens to the messages of an end. */
    void ListenTo(const Ptr<OpusEndpoint>& endpoint, const std::string& name);
    /** @return the message with these facts that left first, which is not on its way any more */
    std::optional<Flight> TakeFlight(const Facts& facts);
    /** Writes a row. @param receiver empty: it did not arrive */
    void Write(const Facts& facts,
               const Flight& flight,
               const std::string& receiver,
               const std::optional<Time>& there);

    std::multimap<Facts, Flight> m_flights; //!< equal ones in the order in which they left
    std::deque<std::string> m_names;        //!< of ends
    uint32_t m_job;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROL_MESSAGE_ROWS_H */
