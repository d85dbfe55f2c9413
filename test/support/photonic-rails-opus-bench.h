/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_BENCH_H
#define PHOTONIC_RAILS_OPUS_BENCH_H

#include "ns3/application-container.h"
#include "ns3/collective-application.h"
#include "ns3/collective-job.h"
#include "ns3/collective-kind.h"
#include "ns3/communication-group.h"
#include "ns3/controller-note.h"
#include "ns3/identifier.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-audit.h"
#include "ns3/rail.h"
#include "ns3/rank-program.h"
#include "ns3/shim-statistics.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * Servers on optical rails with a control plane, for tests: their setup, and their results.
 */

namespace ns3
{

class OpusHelper;
struct CircuitPlanReport;

/** The setup. */
struct OpusCase
{
    uint32_t servers{2};
    uint32_t rails{1}; //!< as many GPUs in each server
    uint32_t ports{2}; //!< of each GPU
    bool electrical{false};
    std::string policy{"on-demand"};
    std::string fidelity{"PacketTrains"};
    Time reconfiguration{MicroSeconds(100)};
    Time latency{MicroSeconds(10)};    //!< of the management network, one way
    Time hostLatency{MicroSeconds(1)}; //!< from a rank to its shim
    double loss{0};                    //!< on each link of the management network
    bool standby{false};
    std::string granularity{"Group"};
    uint64_t messageSize{1 << 16};
    bool abort{true};        //!< whatever fails
    bool hosts{false};       //!< servers have a network of their own, too
    bool wholeSwitch{false}; //!< every change darkens all of a switch
    std::vector<std::vector<uint32_t>> jobs{};
    std::function<void(OpusHelper&)> adjust{}; //!< anything else

    static constexpr uint64_t RATE = 200'000'000'000; //!< of a port, bits a second
};

/** A circuit that light passes through from now on, or no more. */
struct LightChange
{
    uint64_t rail{0};
    Picoseconds when{0};
    bool up{false};
    PortId low;
    PortId high;
};

/** A message of the control plane, as it left. */
struct SentMessage
{
    Picoseconds when{0};
    OpusMessage message;
    OpusPeer to;
};

/** The cluster as it was built, and its events. */
class OpusBench
{
  public:
    explicit OpusBench(const OpusCase& one);

    ~OpusBench();

    std::shared_ptr<const CommunicationGroup> MakeGroup(const std::string& name,
                                                        const std::vector<uint32_t>& ranks);

    void SetProgram(uint32_t rank,
                    std::shared_ptr<const RankProgram> program,
                    const CollectiveApplication::Groups& groups);

    /** @return the findings of the audit */
    std::string Run(Time stop = Time(0));

    /** @return whether all programs are over */
    bool IsOver() const;

    /** @return decisions of a kind */
    uint64_t Count(ControllerNote::Kind kind) const;

    /** @return the first note of an answer to a rank @param rank it @param parallelism the
     * parallelism
     */
    const ShimNote* FindAnswer(uint32_t rank,
                               const std::string& parallelism,
                               uint32_t which = 0) const;

    /** @return the last decision of a kind; aborts if there is none */
    const ControllerNote& FindLast(ControllerNote::Kind kind) const;

    /** @return the record of an operation of a rank that is over; null: it is not */
    const OperationRecord* Find(uint32_t rank, uint32_t operation) const;

    /** @return when an operation of a rank was over; -1: it was not */
    Picoseconds EndOf(uint32_t rank, uint32_t operation) const;

    /** @return when all operations of a rank's program before one were over */
    Picoseconds BeginOf(uint32_t rank, uint32_t operation) const;

    /** @return messages of a type that a server's shims have sent, from an instant to another */
    uint32_t CountSent(OpusMessage::Type type,
                       uint32_t server,
                       Picoseconds from,
                       Picoseconds to) const;

    /** @return the last instant at which any circuit of a switch port changed; -1: never */
    Picoseconds LastChange(const std::vector<PortId>& ports) const;

    /** @return bytes that operations of a rank sent, and that came */
    std::pair<uint64_t, uint64_t> GetBytes(uint32_t rank) const;

    /**
     * @return the time of a message on a link of the management network, at 1 Gb/s: 8 ns a byte;
     * UDP, IP and PPP add 30
     */
    static Picoseconds BitsOf(const OpusMessage& message);

    NodeContainer gpus;
    std::vector<Rail> rails;
    OpusControlPlane plane;
    Ptr<CollectiveJob> collectives;
    ApplicationContainer applications;
    RailAudit audit;
    std::vector<OperationRecord> ended;
    std::vector<OperationRecord> failed;
    std::vector<std::string> stalled; //!< reports on waiting ranks
    std::vector<ShimNote> answers;
    std::vector<ControllerNote> decisions;
    std::vector<LightChange> changes;
    std::vector<SentMessage> sent; //!< by shims and the first controller
    uint64_t plans{0};             //!< that switches have carried out
    bool isTwice{false};           //!< a plan was begun twice
    Picoseconds end{0};

  private:
    /** Connects the GPUs of all servers, with RDMA on them. */
    void InstallRails(const OpusCase& one);
    void InstallControlPlane(const OpusCase& one);
    void InstallCollectives(const OpusCase& one);

    void ListenToApplications();
    void ListenToControlPlane();
    void ListenToSwitch(const Rail& rail);

    void Ended(const OperationRecord& record);

    void Stalled(const std::string& report);

    void FailedOne(const OperationRecord& record);

    void Answered(const ShimNote& note);

    void Decided(const ControllerNote& note);

    void Up(uint64_t rail, PortId low, PortId high, uint64_t);

    void Down(uint64_t rail, PortId low, PortId high, uint64_t);

    void Sent(const OpusMessage& message, const OpusPeer& to);

    void PlanEnded(const CircuitPlanReport& report);

    void PlanBegun(uint32_t rail, const OpusMessage& program);

    std::vector<uint32_t> m_programs;
    std::set<std::pair<uint32_t, uint64_t>> m_begun; //!< plans, by rail and number
};

/** @return a program of one collective, once */
std::shared_ptr<RankProgram> OneCollective(CollectiveKind kind, uint64_t bytes);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_BENCH_H */
