/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_BENCH_H
#define PHOTONIC_RAILS_OPUS_BENCH_H

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/enum.h"
#include "ns3/global-value.h"
#include "ns3/host-network-helper.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/opus-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Servers on optical rails with a control plane, for tests: what is set up, and what came of it.
 */

namespace ns3
{

/** What is set up. */
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

/** It, as it was built, and what happened. */
class OpusBench
{
  public:
    explicit OpusBench(const OpusCase& one)
    {
        UsePicoseconds();
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue(one.fidelity));
        PhotonicRailHelper photonic;
        ElectricalRailHelper electrical;
        RailHelper& helper = one.electrical ? static_cast<RailHelper&>(electrical)
                                            : static_cast<RailHelper&>(photonic);
        helper.SetPorts(one.ports, DataRate(OpusCase::RATE));
        electrical.SetRadix(0);
        photonic.SetSwitchAttribute("Radix", UintegerValue(one.servers * one.ports));
        photonic.SetReconfigurationTime(one.reconfiguration);
        photonic.SetSwitchAttribute("Granularity",
                                    StringValue(one.wholeSwitch ? "WholeSwitch" : "PerPort"));
        gpus.Create(one.servers * one.rails);
        rails = helper.InstallRails(gpus, one.rails);
        RdmaHelper().Install(gpus);
        OpusHelper opus;
        opus.SetPolicy(one.policy);
        opus.SetStandby(one.standby);
        opus.SetControllerAttribute("Granularity", StringValue(one.granularity));
        opus.SetShimAttribute("HostLatency", TimeValue(one.hostLatency));
        ManagementNetworkHelper network;
        network.SetLatency(one.latency);
        network.SetLoss(one.loss);
        opus.SetManagementNetwork(network);
        for (const std::vector<uint32_t>& ranks : one.jobs)
        {
            opus.AddJob(ranks);
        }
        if (one.adjust)
        {
            one.adjust(opus);
        }
        plane = opus.Install(rails);
        plane.AssignStreams(1);
        collectives.SetBrokers(plane.brokers);
        collectives.SetAttribute("MessageSize", UintegerValue(one.messageSize));
        collectives.SetAttribute("PointToPointMessageSize", UintegerValue(one.messageSize));
        collectives.SetAttribute("AbortOnFailure", BooleanValue(one.abort));
        if (one.hosts)
        {
            collectives.SetHostNetwork(HostNetworkHelper().Install(plane.servers));
        }
        applications = collectives.Install(rails);
        for (uint32_t a = 0; a < applications.GetN(); ++a)
        {
            const Ptr<Application> application = applications.Get(a);
            application->TraceConnectWithoutContext("OperationEnded",
                                                    MakeCallback(&OpusBench::Ended, this));
            application->TraceConnectWithoutContext("OperationFailed",
                                                    MakeCallback(&OpusBench::FailedOne, this));
            application->TraceConnectWithoutContext("Stalled",
                                                    MakeCallback(&OpusBench::Stalled, this));
        }
        for (const Ptr<OpusShimApp>& shim : plane.shims)
        {
            shim->TraceConnectWithoutContext("Answered", MakeCallback(&OpusBench::Answered, this));
            shim->TraceConnectWithoutContext("MessageSent", MakeCallback(&OpusBench::Sent, this));
        }
        if (plane.controller)
        {
            plane.controller->TraceConnectWithoutContext("MessageSent",
                                                         MakeCallback(&OpusBench::Sent, this));
            plane.controller->TraceConnectWithoutContext("Decision",
                                                         MakeCallback(&OpusBench::Decided, this));
        }
        if (plane.standby)
        {
            plane.standby->TraceConnectWithoutContext("Decision",
                                                      MakeCallback(&OpusBench::Decided, this));
        }
        for (const Rail& rail : rails)
        {
            audit.Add(rail);
            if (rail.GetOpticalSwitch())
            {
                rail.GetOpticalSwitch()->TraceConnectWithoutContext(
                    "PlanEnded",
                    MakeCallback(&OpusBench::PlanEnded, this));
                const uint64_t id = rail.GetId().Get();
                rail.GetOpticalSwitch()->TraceConnectWithoutContext(
                    "CircuitUp",
                    MakeCallback(&OpusBench::Up, this).Bind(id));
                rail.GetOpticalSwitch()->TraceConnectWithoutContext(
                    "CircuitDown",
                    MakeCallback(&OpusBench::Down, this).Bind(id));
            }
        }
        audit.Add(applications);
    }

    ~OpusBench()
    {
        Simulator::Destroy();
    }

    std::shared_ptr<const CommunicationGroup> MakeGroup(const std::string& name,
                                                        const std::vector<uint32_t>& ranks)
    {
        return collectives.MakeGroup(name, ranks);
    }

    void SetProgram(uint32_t rank,
                    std::shared_ptr<const RankProgram> program,
                    const CollectiveApplication::Groups& groups)
    {
        collectives.SetProgram(rank, program, groups);
        m_programs.push_back(rank);
    }

    /** @return what the audit found */
    std::string Run(Time stop = Time(0))
    {
        if (stop.IsStrictlyPositive())
        {
            Simulator::Stop(stop);
        }
        Simulator::Run();
        std::string findings;
        for (const std::string& line : audit.Check())
        {
            findings += line + "\n";
        }
        return findings;
    }

    /** @return whether all programs are over */
    bool IsOver() const
    {
        bool isOver = true;
        for (const uint32_t rank : m_programs)
        {
            isOver = isOver && collectives.Get(rank)->IsOver();
        }
        return isOver;
    }

    /** @return decisions of a kind */
    uint64_t Count(ControllerNote::Kind kind) const
    {
        uint64_t count = 0;
        for (const ControllerNote& note : decisions)
        {
            count += note.kind == kind ? 1 : 0;
        }
        return count;
    }

    /** @return the first note of an answer to a rank @param rank it @param parallelism the
     * parallelism
     */
    const ShimNote* FindAnswer(uint32_t rank,
                               const std::string& parallelism,
                               uint32_t which = 0) const
    {
        for (const ShimNote& note : answers)
        {
            if (note.rank == RankId(rank) && note.parallelism == parallelism && which-- == 0)
            {
                return &note;
            }
        }
        return nullptr;
    }

    /** @return the last decision of a kind; aborts if there is none */
    const ControllerNote& FindLast(ControllerNote::Kind kind) const
    {
        const auto note = std::find_if(decisions.rbegin(),
                                       decisions.rend(),
                                       [kind](const auto& one) { return one.kind == kind; });
        NS_ABORT_MSG_IF(note == decisions.rend(), "no decision of that kind");
        return *note;
    }

    /** @return the record of an operation of a rank that is over; null: it is not */
    const OperationRecord* Find(uint32_t rank, uint32_t operation) const
    {
        for (const OperationRecord& record : ended)
        {
            if (record.rank == RankId(rank) && record.operation == operation)
            {
                return &record;
            }
        }
        return nullptr;
    }

    /** @return when an operation of a rank was over; -1: it was not */
    Picoseconds EndOf(uint32_t rank, uint32_t operation) const
    {
        const OperationRecord* record = Find(rank, operation);
        return record ? record->end : -1;
    }

    /** @return when all operations of a rank's program before one were over */
    Picoseconds BeginOf(uint32_t rank, uint32_t operation) const
    {
        Picoseconds begin = 0;
        for (const OperationRecord& record : ended)
        {
            if (record.rank == RankId(rank) && record.operation < operation)
            {
                begin = std::max(begin, record.end);
            }
        }
        return begin;
    }

    /** @return messages of a type that a server's shims have sent, from an instant to another */
    uint32_t CountSent(OpusMessage::Type type,
                       uint32_t server,
                       Picoseconds from,
                       Picoseconds to) const
    {
        return std::count_if(sent.begin(), sent.end(), [&](const SentMessage& one) {
            return one.message.type == type && one.message.server == ServerId(server) &&
                   one.when >= from && one.when < to;
        });
    }

    /** @return the last instant at which any circuit of a switch port changed; -1: never */
    Picoseconds LastChange(const std::vector<PortId>& ports) const
    {
        Picoseconds last = -1;
        for (const LightChange& change : changes)
        {
            const bool isOurs = ports.empty() ||
                                std::count(ports.begin(), ports.end(), change.low) ||
                                std::count(ports.begin(), ports.end(), change.high);
            last = isOurs ? std::max(last, change.when) : last;
        }
        return last;
    }

    /** @return bytes that operations of a rank sent, and that came */
    std::pair<uint64_t, uint64_t> GetBytes(uint32_t rank) const
    {
        const CollectiveApplication::Counters& counters = collectives.Get(rank)->GetCounters();
        return {counters.bytesSent, counters.bytesReceived};
    }

    /** @return what a message takes on a link of the management network, at 1 Gb/s: 8 ns a byte;
     * UDP, IP and PPP add 30 */
    static Picoseconds BitsOf(const OpusMessage& message)
    {
        return (OpusEncoding::Encode(message).size() + OpusHeader::SIZE + 30) * 8'000;
    }

    NodeContainer gpus;
    std::vector<Rail> rails;
    OpusControlPlane plane;
    CollectiveHelper collectives;
    ApplicationContainer applications;
    RailAudit audit;
    std::vector<OperationRecord> ended;
    std::vector<OperationRecord> failed;
    std::vector<std::string> stalled; //!< reports of who waits for whom
    std::vector<ShimNote> answers;
    std::vector<ControllerNote> decisions;
    std::vector<LightChange> changes;
    std::vector<SentMessage> sent; //!< by shims and the first controller
    uint64_t plans{0};             //!< that switches have carried out
    Picoseconds end{0};

  private:
    void Ended(const OperationRecord& record)
    {
        ended.push_back(record);
        end = std::max(end, record.end);
    }

    void Stalled(const std::string& report)
    {
        stalled.push_back(report);
    }

    void FailedOne(const OperationRecord& record)
    {
        failed.push_back(record);
    }

    void Answered(const ShimNote& note)
    {
        answers.push_back(note);
    }

    void Decided(const ControllerNote& note)
    {
        decisions.push_back(note);
    }

    void Up(uint64_t rail, PortId low, PortId high, uint64_t)
    {
        changes.push_back({rail, NowPicoseconds(), true, low, high});
    }

    void Down(uint64_t rail, PortId low, PortId high, uint64_t)
    {
        changes.push_back({rail, NowPicoseconds(), false, low, high});
    }

    void Sent(const OpusMessage& message, const OpusPeer& to)
    {
        sent.push_back({NowPicoseconds(), message, to});
    }

    void PlanEnded(const CircuitPlanReport& report)
    {
        plans += report.status == CircuitPlanStatus::DONE ? 1 : 0;
    }

    std::vector<uint32_t> m_programs;
};

/** @return a program of one collective, once */
inline std::shared_ptr<RankProgram>
OneCollective(CollectiveKind kind, uint64_t bytes)
{
    auto program = std::make_shared<RankProgram>();
    program->Collective(0, 0, kind, bytes, "ring");
    return program;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_BENCH_H */
