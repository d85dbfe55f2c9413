/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-endpoint.h"

#include "ns3/attribute-limits.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/read-once-accessor.h"
#include "ns3/uinteger.h"

#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusEndpoint");

NS_OBJECT_ENSURE_REGISTERED(OpusEndpoint);

namespace
{

/** The sort key of what follows all inputs of an instant. */
constexpr InstantQueue::Key LAST{std::numeric_limits<uint64_t>::max(), 0, 0};

} // namespace

TypeId
OpusEndpoint::GetTypeId()
{
    const OpusChannelSettings defaults;
    static TypeId tid =
        TypeId("ns3::OpusEndpoint")
            .SetParent<Application>()
            .SetGroupName("PhotonicRails")
            .AddAttribute("Port",
                          "The UDP port that it listens to.",
                          UintegerValue(OPUS_PORT),
                          MakeReadOnceAccessor("OpusEndpoint::Port",
                                               &OpusEndpoint::IsPortKnown,
                                               MakeUintegerAccessor(&OpusEndpoint::m_port)),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RetransmitAfter",
                          "Before a datagram is sent again, while no round trip is measured and "
                          "at least, 1 ps to 1 h; then it adapts (RFC 6298).",
                          TimeValue(defaults.retransmitAfter),
                          MakeReadOnceAccessor("OpusEndpoint::RetransmitAfter",
                                               &OpusEndpoint::HasStarted,
                                               MakeTimeAccessor(&OpusEndpoint::m_retransmitAfter)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MostAttempts",
                          "Transmissions of a datagram. Its message, and all behind it, are "
                          "given up after the timeout (2^MostAttempts - 1).",
                          UintegerValue(defaults.mostAttempts),
                          MakeReadOnceAccessor("OpusEndpoint::MostAttempts",
                                               &OpusEndpoint::HasStarted,
                                               MakeUintegerAccessor(&OpusEndpoint::m_mostAttempts)),
                          MakeUintegerChecker<uint32_t>(1, 20))
            .AddAttribute("RetryFor",
                          "How long a peer may be silent before messages to it are given up for "
                          "good; what the channel gives up is sent again until then.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&OpusEndpoint::m_retryFor),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ProcessingTime",
                "Random variable, in seconds, drawn for each message, and for each call of a rank: "
                "one is processed after another. Null: no time.",
                PointerValue(),
                MakeReadOnceAccessor("OpusEndpoint::ProcessingTime",
                                     &OpusEndpoint::HasStarted,
                                     MakePointerAccessor(&OpusEndpoint::SetProcessingTime,
                                                         &OpusEndpoint::GetProcessingTime)),
                MakePointerChecker<RandomVariableStream>())
            .AddTraceSource("MessageSent",
                            "A message leaves for another.",
                            MakeTraceSourceAccessor(&OpusEndpoint::m_sent),
                            "ns3::OpusEndpoint::MessageCallback")
            .AddTraceSource("MessageReceived",
                            "A message of another is here.",
                            MakeTraceSourceAccessor(&OpusEndpoint::m_received),
                            "ns3::OpusEndpoint::MessageCallback")
            .AddTraceSource("MessageFailed",
                            "A message did not get through in MostAttempts.",
                            MakeTraceSourceAccessor(&OpusEndpoint::m_failed),
                            "ns3::OpusEndpoint::FailedCallback")
            .AddTraceSource("MessageRefused",
                            "Something that came is no message, or of another version.",
                            MakeTraceSourceAccessor(&OpusEndpoint::m_refused),
                            "ns3::OpusEndpoint::RefusedCallback")
            .AddTraceSource("InputProcessed",
                            "A message, or a call of a rank, has been processed, if there is a "
                            "ProcessingTime: its arrival, and begin and end of processing.",
                            MakeTraceSourceAccessor(&OpusEndpoint::m_processed),
                            "ns3::OpusEndpoint::ProcessedCallback")
            .AddTraceSource("QueueLength",
                            "Messages and calls in the queue, with the one in processing, if there "
                            "is a ProcessingTime.",
                            MakeTraceSourceAccessor(&OpusEndpoint::m_queueLength),
                            "ns3::TracedValueCallback::Uint32");
    return tid;
}

OpusEndpoint::OpusEndpoint()
    : m_processor(m_channel.GetInstant(),
                  OpusChannel::KEY_PROCESSED,
                  [this](const ProcessingQueue::Times& times) { Processed(times); })
{
    NS_LOG_FUNCTION(this);
}

OpusEndpoint::~OpusEndpoint()
{
    NS_LOG_FUNCTION(this);
}

void
OpusEndpoint::DoInitialize()
{
    RequirePicoseconds("OpusEndpoint");
    Application::DoInitialize();
}

void
OpusEndpoint::DoDispose()
{
    StopApplication();
    m_channel.Close(); // of a process that has ended, too
    m_channel.SetReceivedCallback(OpusChannel::MessageCallback());
    m_channel.SetAcknowledgedCallback(OpusChannel::MessageCallback());
    m_channel.SetFailedCallback(OpusChannel::FailedCallback());
    m_channel.SetRefusedCallback(OpusChannel::RefusedCallback());
    m_channel.SetInstantOverCallback(Callback<void>());
    SetCountCallbacks(Callback<void>(), Callback<void>());
    Application::DoDispose();
}

void
OpusEndpoint::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_crashed || m_running || m_isDown)
    {
        return;
    }
    m_channel.SetReceivedCallback(MakeCallback(&OpusEndpoint::HandleReceived, this));
    m_channel.SetAcknowledgedCallback(MakeCallback(&OpusEndpoint::HandleAcknowledged, this));
    m_channel.SetFailedCallback(MakeCallback(&OpusEndpoint::HandleFailed, this));
    m_channel.SetRefusedCallback(MakeCallback(&OpusEndpoint::HandleRefused, this));
    m_channel.SetInstantOverCallback(MakeCallback(&OpusEndpoint::HandleInstantOver, this));
    m_started = true;
    RequireAtLeast(m_retransmitAfter, 1, "OpusEndpoint::RetransmitAfter");
    RequireAtMost(m_retransmitAfter, Hours(1).GetTimeStep(), "OpusEndpoint::RetransmitAfter");
    OpusChannelSettings settings;
    settings.retransmitAfter = m_retransmitAfter;
    settings.mostAttempts = m_mostAttempts;
    m_channel.Open(GetNode(), m_port + m_crashes, settings);
    m_running = true;
    Begin();
}

void
OpusEndpoint::StopApplication()
{
    m_isDown = false; // for good
    if (m_running)
    {
        m_running = false;
        End();
        m_processor.Clear();
        m_queueLength = 0;
        m_channel.Close();
    }
}

void
OpusEndpoint::Crash()
{
    NS_LOG_FUNCTION(this);
    m_crashed = true;
    if (!m_running)
    {
        StopApplication();
        return;
    }
    // after the inputs of this instant, in whatever order their events are
    m_channel.GetInstant().Add(LAST, [this]() {
        if (m_crashed)
        {
            StopApplication();
        }
    });
}

void
OpusEndpoint::EndProcess()
{
    NS_LOG_FUNCTION(this);
    if (m_crashed || m_isDown)
    {
        return;
    }
    if (!m_running)
    {
        m_isDown = true;
        return;
    }
    // after the inputs of this instant, in whatever order their events are
    m_channel.GetInstant().Add(LAST, [this]() {
        if (m_running)
        {
            m_isDown = true;
            m_running = false;
            End();
            m_processor.Clear();
            m_queueLength = 0;
            m_channel.Suspend();
        }
    });
}

void
OpusEndpoint::BeginProcess()
{
    NS_LOG_FUNCTION(this);
    if (!m_isDown)
    {
        return;
    }
    if (!m_started)
    {
        m_isDown = false;
        StartApplication(); // its first start was due meanwhile, or is due later
        return;
    }
    // datagrams of this instant are lost, in whatever order their events are
    m_channel.GetInstant().Add(LAST, [this]() {
        if (m_isDown)
        {
            m_isDown = false;
            m_running = true;
            m_channel.Resume();
            Restarted();
        }
    });
}

bool
OpusEndpoint::IsProcessDown() const
{
    return m_isDown;
}

bool
OpusEndpoint::HasStarted() const
{
    return m_started;
}

uint16_t
OpusEndpoint::GetPort()
{
    m_portSet = true;
    return m_port;
}

bool
OpusEndpoint::IsPortKnown() const
{
    return m_portSet || m_started;
}

bool
OpusEndpoint::HasCrashed() const
{
    return m_crashed;
}

void
OpusEndpoint::BeginAnew()
{
    NS_LOG_FUNCTION(this);
    if (m_crashed)
    {
        m_crashed = false;
        ++m_crashes;
        m_silent.clear();
        StartApplication();
    }
}

bool
OpusEndpoint::IsRunning() const
{
    return m_running;
}

Time
OpusEndpoint::GetRetransmitAfter() const
{
    return m_retransmitAfter;
}

Time
OpusEndpoint::GetRetryFor() const
{
    return m_retryFor;
}

void
OpusEndpoint::SetCountCallbacks(Callback<void> sent, Callback<void> over)
{
    m_channel.SetSentCallback(sent);
    m_instantOver = over;
}

uint64_t
OpusEndpoint::GetSentBefore() const
{
    return m_channel.GetSentBefore();
}

const OpusChannelCounters&
OpusEndpoint::GetChannelCounters() const
{
    return m_channel.GetCounters();
}

const ProcessingLoad&
OpusEndpoint::GetLoad() const
{
    return m_processor.GetLoad();
}

bool
OpusEndpoint::HasProcessingTime() const
{
    return m_processor.IsOn();
}

int64_t
OpusEndpoint::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    return m_processor.AssignStreams(stream);
}

void
OpusEndpoint::SetProcessingTime(Ptr<RandomVariableStream> seconds)
{
    m_processor.SetTime(seconds);
}

Ptr<RandomVariableStream>
OpusEndpoint::GetProcessingTime() const
{
    return m_processor.GetTime();
}

void
OpusEndpoint::Send(const OpusMessage& message, const OpusPeer& peer)
{
    if (m_running)
    {
        NS_LOG_LOGIC("to " << peer << ": " << ToString(message.GetType()));
        m_sent(message, peer);
        m_channel.Send(message, peer);
    }
}

void
OpusEndpoint::HandleReceived(const OpusMessage& message, const OpusPeer& peer)
{
    NS_LOG_LOGIC("from " << peer << ": " << ToString(message.GetType()));
    m_silent.erase(peer);
    m_received(message, peer);
    if (m_processor.IsOn())
    {
        m_processor.Add(GetTurn(message, peer), [this, message, peer]() { Take(message, peer); });
    }
    else
    {
        Take(message, peer);
    }
}

void
OpusEndpoint::HandleAcknowledged(const OpusMessage& message, const OpusPeer& peer)
{
    m_silent.erase(peer);
    Acknowledged(message, peer);
}

void
OpusEndpoint::HandleFailed(const OpusMessage& message, const OpusPeer& peer, const std::string& why)
{
    m_failed(message, peer, why);
    const Picoseconds now = NowPicoseconds();
    const Picoseconds since = m_silent.try_emplace(peer, now).first->second;
    if (IsWorthRepeating(message) && now - since < m_retryFor.GetTimeStep())
    {
        Send(message, Redirect(message, peer));
    }
    else
    {
        Failed(message, peer);
    }
}

void
OpusEndpoint::HandleRefused(OpusRefusal why, const OpusPeer& peer)
{
    m_refused(why, peer);
}

void
OpusEndpoint::HandleInstantOver()
{
    if (!m_running)
    {
        return;
    }
    if (m_processor.IsOn())
    {
        m_processor.InstantOver(ProcessesGroups(), [this]() { InstantOver(); });
        m_queueLength = m_processor.GetLength();
    }
    else
    {
        InstantOver();
    }
    if (!m_instantOver.IsNull())
    {
        m_instantOver();
    }
}

void
OpusEndpoint::Process(std::function<void()> action)
{
    if (m_processor.IsOn())
    {
        constexpr uint64_t AFTER_MESSAGES = std::numeric_limits<uint64_t>::max();
        m_processor.Add({AFTER_MESSAGES, 0, 0}, std::move(action));
    }
    else
    {
        action();
    }
}

void
OpusEndpoint::Processed(const ProcessingQueue::Times& times)
{
    NS_LOG_LOGIC("has processed an input in " << times.ended - times.begun
                                              << " ps, after a wait of "
                                              << times.begun - times.arrived << " ps");
    m_processed(ToTime(times.arrived), ToTime(times.begun), ToTime(times.ended));
}

InputProcessor::Turn
OpusEndpoint::GetTurn(const OpusMessage&, const OpusPeer& peer) const
{
    return {peer.address.Get(), peer.port, 0};
}

bool
OpusEndpoint::ProcessesGroups() const
{
    return false;
}

void
OpusEndpoint::WhenOver(const std::array<uint64_t, 2>& key, std::function<void()> action)
{
    m_channel.GetInstant().Add({OpusChannel::KEY_OWNER, key[0], key[1]}, std::move(action));
}

void
OpusEndpoint::InstantOver()
{
}

void
OpusEndpoint::Acknowledged(const OpusMessage&, const OpusPeer&)
{
}

bool
OpusEndpoint::IsWorthRepeating(const OpusMessage&) const
{
    return true;
}

OpusPeer
OpusEndpoint::Redirect(const OpusMessage&, const OpusPeer& peer)
{
    return peer;
}

void
OpusEndpoint::Failed(const OpusMessage&, const OpusPeer&)
{
}

void
OpusEndpoint::Begin()
{
}

void
OpusEndpoint::End()
{
}

void
OpusEndpoint::Restarted()
{
    Begin();
}

} // namespace ns3
