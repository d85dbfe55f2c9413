/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application-base.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/pointer.h"
#include "ns3/read-once-accessor.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

TypeId
CollectiveApplicationBase::MakeTypeId()
{
    const auto readOnce = [](const std::string& name, Ptr<const AttributeAccessor> accessor) {
        return MakeReadOnceAccessor("CollectiveApplication::" + name,
                                    &CollectiveApplicationBase::HasStarted,
                                    accessor);
    };
    return TypeId("ns3::CollectiveApplication")
        .SetParent<Application>()
        .SetGroupName("PhotonicRails")
        .AddAttribute("MessageSize",
                      "Bytes of a message of a collective operation at most (NCCL's Simple "
                      "protocol: 1 MiB over a network).",
                      UintegerValue(1 << 20),
                      readOnce("MessageSize",
                               MakeUintegerAccessor(&CollectiveApplicationBase::m_messageSize)),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute(
            "PointToPointMessageSize",
            "Bytes of a message of a send at most (NCCL: 128 KiB).",
            UintegerValue(128 << 10),
            readOnce("PointToPointMessageSize",
                     MakeUintegerAccessor(&CollectiveApplicationBase::m_pointToPointSize)),
            MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("IntraNodeMessageSize",
                      "Bytes of a message at most in a group whose ranks are all in one "
                      "server: its fabric takes a message as a whole, so cutting makes "
                      "events and, but for rings, no difference.",
                      UintegerValue(1ULL << 40),
                      readOnce("IntraNodeMessageSize",
                               MakeUintegerAccessor(&CollectiveApplicationBase::m_insideSize)),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("IntraNodeAsOne",
                      "Whether an operation of ranks of one server is worked out as one where "
                      "nothing disturbs it, with the times and counts of messages; else it goes by "
                      "messages.",
                      BooleanValue(true),
                      readOnce("IntraNodeAsOne",
                               MakeBooleanAccessor(&CollectiveApplicationBase::m_intraNodeAsOne)),
                      MakeBooleanChecker())
        .AddAttribute(
            "IntraNodeStretches",
            "Whether stretches of the programs of a server's ranks, in which they compute "
            "and call such operations, are worked out as a whole where nothing observes "
            "their operations one by one (OperationStarted, OperationEnded), with the "
            "times and counts of these.",
            BooleanValue(true),
            readOnce("IntraNodeStretches",
                     MakeBooleanAccessor(&CollectiveApplicationBase::m_intraNodeStretches)),
            MakeBooleanChecker())
        .AddAttribute(
            "MemoizeOperations",
            "Whether a collective operation on circuits that nothing else uses, or a send, takes "
            "its times and counts from an earlier one that began alike, if nothing disturbs it; "
            "else it goes by messages.",
            BooleanValue(true),
            readOnce("MemoizeOperations",
                     MakeBooleanAccessor(&CollectiveApplicationBase::m_memoizeOperations)),
            MakeBooleanChecker())
        .AddAttribute(
            "StragglerAware",
            "Whether ranks report their calls of all-reduces, and one that would go by a ring, or "
            "by the algorithm of the least estimate, goes by StragglAR if a rank is expected to be "
            "so late that it takes less time then. The same for all ranks.",
            BooleanValue(false),
            readOnce("StragglerAware",
                     MakeBooleanAccessor(&CollectiveApplicationBase::m_stragglerAware)),
            MakeBooleanChecker())
        .AddAttribute(
            "LatenessWindow",
            "With StragglerAware: the expected lateness of a rank at an operation is the median of "
            "so many iterations.",
            UintegerValue(3),
            readOnce("LatenessWindow",
                     MakeUintegerAccessor(&CollectiveApplicationBase::m_latenessWindow)),
            MakeUintegerChecker<uint32_t>(1, 1024))
        .AddAttribute(
            "Channels",
            "Equal parts of a buffer that go side by side, each over its own ports: "
            "as many as a GPU has ports, or twice as many if that is an odd number above 1, unless "
            "something else is wanted.",
            UintegerValue(1),
            readOnce("Channels", MakeUintegerAccessor(&CollectiveApplicationBase::m_channels)),
            MakeUintegerChecker<uint32_t>(1, 1024))
        .AddAttribute("Ports",
                      "With how many others an algorithm may have the rank exchange at once, if it "
                      "goes by that: as many as a GPU has ports.",
                      UintegerValue(1),
                      readOnce("Ports", MakeUintegerAccessor(&CollectiveApplicationBase::m_ports)),
                      MakeUintegerChecker<uint32_t>(1, 1024))
        .AddAttribute("Bidirectional",
                      "Whether half of the channels go round a ring the other way, if their number "
                      "is even.",
                      BooleanValue(true),
                      readOnce("Bidirectional",
                               MakeBooleanAccessor(&CollectiveApplicationBase::m_bidirectional)),
                      MakeBooleanChecker())
        .AddAttribute(
            "Fallback",
            "Whether an algorithm that lacks circuits gives way to its fallback; "
            "else it is refused.",
            BooleanValue(true),
            readOnce("Fallback", MakeBooleanAccessor(&CollectiveApplicationBase::m_fallback)),
            MakeBooleanChecker())
        .AddAttribute(
            "MayUseHost",
            "Whether an operation whose algorithm is named may go over the network "
            "of the hosts where that is quicker than reconfiguring circuits for it; one "
            "that is not named may in any case.",
            BooleanValue(false),
            readOnce("MayUseHost", MakeBooleanAccessor(&CollectiveApplicationBase::m_mayUseHost)),
            MakeBooleanChecker())
        .AddAttribute(
            "WeighHost",
            "Whether operations may go over the network of the hosts where that is quicker than "
            "over circuits. If not, those go there that their program has there, and those "
            "whose circuits are refused.",
            BooleanValue(true),
            readOnce("WeighHost", MakeBooleanAccessor(&CollectiveApplicationBase::m_weighHost)),
            MakeBooleanChecker())
        .AddAttribute(
            "EagerLimit",
            "Bytes of a send at most that goes before its receive is called; a "
            "larger one waits for it. The same for all ranks. (NCCL: "
            "NCCL_P2P_LL_THRESHOLD.)",
            UintegerValue(16 << 10),
            readOnce("EagerLimit", MakeUintegerAccessor(&CollectiveApplicationBase::m_eagerBytes)),
            MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "EagerSends",
            "Such sends from a rank to another that are ahead of their receives at "
            "most; the next one waits. The same for all ranks. (NCCL: NCCL_STEPS.)",
            UintegerValue(8),
            readOnce("EagerSends", MakeUintegerAccessor(&CollectiveApplicationBase::m_eagerSends)),
            MakeUintegerChecker<uint32_t>())
        .AddAttribute("BootstrapLatency",
                      "Time until a rank has the choice of the first rank of its group, where "
                      "costs are a rank's own.",
                      TimeValue(MicroSeconds(30)),
                      readOnce("BootstrapLatency",
                               MakeTimeAccessor(&CollectiveApplicationBase::m_bootstrapLatency)),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("BytesPerSecond",
                      "What a rank can send on all its ports, as the choice of algorithms "
                      "sees it.",
                      UintegerValue(50'000'000'000),
                      readOnce("BytesPerSecond",
                               MakeUintegerAccessor(&CollectiveApplicationBase::m_bytesPerSecond)),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute(
            "IntraNodeBytesPerSecond",
            "What a rank can send inside its server, as the choice between a ring and "
            "StragglAR sees it (StragglerAware).",
            UintegerValue(450'000'000'000),
            readOnce("IntraNodeBytesPerSecond",
                     MakeUintegerAccessor(&CollectiveApplicationBase::m_intraNodeBytesPerSecond)),
            MakeUintegerChecker<uint64_t>(1))
        .AddAttribute(
            "HopLatency",
            "From a rank to another, beside the bytes, as the choice of algorithms "
            "sees it.",
            TimeValue(MicroSeconds(1)),
            readOnce("HopLatency", MakeTimeAccessor(&CollectiveApplicationBase::m_hopLatency)),
            MakeTimeChecker(Time(0)))
        .AddAttribute("ComputeFactor",
                      "How much longer each computing takes than the program says: a random "
                      "variable for jitter, a constant above 1 for a straggler.",
                      StringValue("ns3::ConstantRandomVariable[Constant=1]"),
                      MakePointerAccessor(&CollectiveApplicationBase::SetComputeFactor,
                                          &CollectiveApplicationBase::GetComputeFactor),
                      MakePointerChecker<RandomVariableStream>())
        .AddAttribute(
            "StallLimit",
            "With an operation under way and nothing happening in any for so long, 1 "
            "ps or more, something is wrong. The default is longer than the slowest optical "
            "switch reconfigures; give more than a rank computes while others wait for it.",
            TimeValue(Seconds(300)),
            readOnce("StallLimit", MakeTimeAccessor(&CollectiveApplicationBase::m_stallLimit)),
            MakeTimeChecker(Time(0)))
        .AddAttribute("AbortOnFailure",
                      "Whether a stall, a failed message or a refusal stops the simulation; "
                      "else it fires a trace source and ends the rank's program.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&CollectiveApplicationBase::m_abort),
                      MakeBooleanChecker())
        .AddTraceSource("OperationStarted",
                        "The rank calls an operation.",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_operationStarted),
                        "ns3::CollectiveApplication::RecordCallback")
        .AddTraceSource("OperationEnded",
                        "An operation is over: what it was, from when to when, how much it "
                        "moved.",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_operationEnded),
                        "ns3::CollectiveApplication::RecordCallback")
        .AddTraceSource("OperationOver",
                        "The same, in no order of times: operations of a stretch that is worked "
                        "out as a whole (IntraNodeStretches) come at its end.",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_operationOver),
                        "ns3::CollectiveApplication::RecordCallback")
        .AddTraceSource("OperationFailed",
                        "An operation is given up, and why.",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_operationFailed),
                        "ns3::CollectiveApplication::RecordCallback")
        .AddTraceSource("Stalled",
                        "Nothing has happened for StallLimit: who waits for whom.",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_stalled),
                        "ns3::CollectiveApplication::ReportCallback")
        .AddTraceSource("ProgramEnded",
                        "The last operation of the program is over.",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_programEnded),
                        "ns3::CollectiveApplication::RankCallback")
        .AddTraceSource("ProcessEnded",
                        "The process of the rank has ended, by EndProcess() or Halt().",
                        MakeTraceSourceAccessor(&CollectiveApplicationBase::m_processEnded),
                        "ns3::CollectiveApplication::RankCallback");
}

TypeId
CollectiveApplicationBase::AddTimes(TypeId tid)
{
    const auto readOnce = [](const std::string& name, Time CollectiveApplicationBase::*member) {
        return MakeReadOnceAccessor("CollectiveApplication::" + name,
                                    &CollectiveApplicationBase::HasStarted,
                                    MakeTimeAccessor(member));
    };
    return tid
        .AddAttribute("RailStartTime",
                      "From the call of an operation, with its algorithm, until the rank sends or "
                      "takes a message on rails. Of several networks the longest counts.",
                      TimeValue(Time(0)),
                      readOnce("RailStartTime", &CollectiveApplicationBase::m_railStart),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("RailStepTime",
                      "From the arrival of a message on rails until its data can be sent "
                      "on, or end the operation. With LL and LL128 the share of it that NCCL's "
                      "tuning has.",
                      TimeValue(Time(0)),
                      readOnce("RailStepTime", &CollectiveApplicationBase::m_railStep),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("RailMessageTime",
                      "Of posting a message on rails, one after another.",
                      TimeValue(Time(0)),
                      readOnce("RailMessageTime", &CollectiveApplicationBase::m_railMessage),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ScaleUpStartTime",
                      "From the call of an operation, with its algorithm, until the rank sends or "
                      "takes a message in a server. Of several networks the longest counts.",
                      TimeValue(Time(0)),
                      readOnce("ScaleUpStartTime", &CollectiveApplicationBase::m_scaleUpStart),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ScaleUpStepTime",
                      "From the arrival of a message in a server until its data can be sent "
                      "on, or end the operation. With LL and LL128 the share of it that NCCL's "
                      "tuning has.",
                      TimeValue(Time(0)),
                      readOnce("ScaleUpStepTime", &CollectiveApplicationBase::m_scaleUpStep),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ScaleUpMessageTime",
                      "Of posting a message in a server, one after another.",
                      TimeValue(Time(0)),
                      readOnce("ScaleUpMessageTime", &CollectiveApplicationBase::m_scaleUpMessage),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("HostStartTime",
                      "From the call of an operation, with its algorithm, until the rank sends or "
                      "takes a message on the network of the hosts. Of several networks the "
                      "longest counts.",
                      TimeValue(Time(0)),
                      readOnce("HostStartTime", &CollectiveApplicationBase::m_hostStart),
                      MakeTimeChecker(Time(0)))
        .AddAttribute(
            "HostStepTime",
            "From the arrival of a message on the network of the hosts until its data can be sent "
            "on, or end the operation. With LL and LL128 the share of it that NCCL's "
            "tuning has.",
            TimeValue(Time(0)),
            readOnce("HostStepTime", &CollectiveApplicationBase::m_hostStep),
            MakeTimeChecker(Time(0)))
        .AddAttribute("HostMessageTime",
                      "Of posting a message on the network of the hosts, one after another.",
                      TimeValue(Time(0)),
                      readOnce("HostMessageTime", &CollectiveApplicationBase::m_hostMessage),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("Protocol",
                      "How receivers find that data is there, and the bytes that this adds: as "
                      "NCCL's Simple, LL128 and LL, or the one that its tuning chooses for the "
                      "operation. The same for all ranks.",
                      EnumValue(SIMPLE),
                      MakeReadOnceAccessor(
                          "CollectiveApplication::Protocol",
                          &CollectiveApplicationBase::HasStarted,
                          MakeRailsEnumAccessor<Protocol>(&CollectiveApplicationBase::m_protocol)),
                      MakeEnumChecker(SIMPLE, "Simple", LL128, "LL128", LL, "LL", TUNED, "Tuned"));
}

std::optional<CollectiveProtocol>
CollectiveApplicationBase::GetProtocol() const
{
    switch (m_protocol)
    {
    case LL128:
        return CollectiveProtocol::LL128;
    case LL:
        return CollectiveProtocol::LL;
    case TUNED:
        return std::nullopt;
    default:
        return CollectiveProtocol::SIMPLE;
    }
}

CollectiveTimes
CollectiveApplicationBase::MakeTimes() const
{
    CollectiveTimes times;
    times.Edit(TransportKind::RAIL) = {m_railStart, m_railStep, m_railMessage};
    times.Edit(TransportKind::SCALE_UP) = {m_scaleUpStart, m_scaleUpStep, m_scaleUpMessage};
    times.Edit(TransportKind::HOST) = {m_hostStart, m_hostStep, m_hostMessage};
    return times;
}

void
CollectiveApplicationBase::SetComputeFactor(Ptr<RandomVariableStream> factor)
{
    CatchUp(); // it holds for what is computed from now on
    m_computeFactor = factor;
}

Ptr<RandomVariableStream>
CollectiveApplicationBase::GetComputeFactor() const
{
    return m_computeFactor;
}

CollectiveSettings
CollectiveApplicationBase::MakeSettings() const
{
    CollectiveSettings settings;
    settings.messageSize = m_messageSize;
    settings.pointToPointMessageSize = m_pointToPointSize;
    settings.intraNodeMessageSize = m_insideSize;
    settings.channels = m_channels;
    settings.ports = m_ports;
    settings.bidirectional = m_bidirectional;
    settings.fallback = m_fallback;
    settings.mayUseHost = m_mayUseHost;
    settings.weighHost = m_weighHost;
    settings.intraNodeAsOne = m_intraNodeAsOne;
    settings.intraNodeStretches = m_intraNodeStretches;
    settings.memoizeOperations = m_memoizeOperations;
    settings.stragglerAware = m_stragglerAware;
    settings.latenessWindow = m_latenessWindow;
    settings.eager.bytes = m_eagerBytes;
    settings.eager.sends = m_eagerSends;
    settings.bootstrapLatency = m_bootstrapLatency;
    settings.bytesPerSecond = m_bytesPerSecond;
    settings.intraNodeBytesPerSecond = m_intraNodeBytesPerSecond;
    settings.hopLatency = m_hopLatency;
    settings.times = MakeTimes();
    settings.protocol = GetProtocol();
    return settings;
}

} // namespace ns3
