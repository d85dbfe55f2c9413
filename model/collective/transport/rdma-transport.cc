/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-transport.h"

#include "message-bytes.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/process-links.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaTransport");

NS_OBJECT_ENSURE_REGISTERED(RdmaTransport);

RankDirectory::RankDirectory() = default;
RankDirectory::~RankDirectory() = default;

void
RankDirectory::Add(Ptr<RdmaTransport> transport)
{
    m_transports.push_back(transport);
}

Ptr<RdmaTransport>
RankDirectory::Get(RankId rank) const
{
    NS_ABORT_MSG_UNLESS(rank.Get() < m_transports.size(),
                        "RankDirectory: there is no rank " << rank << "; the job has "
                                                           << m_transports.size()
                                                           << " ranks, counted from 0");
    return m_transports[rank.Get()];
}

uint32_t
RankDirectory::GetRanks() const
{
    return m_transports.size();
}

void
RankDirectory::Split()
{
    m_links = ProcessLinks::Get();
    m_listener = m_links->Listen(m_links->GetLeast(), [this](ByteReader& bytes) {
        const auto sender = bytes.Take<RankId>();
        const auto number = bytes.Take<uint32_t>();
        const TransportMessage message = TakeMessage(bytes);
        Get(message.GetNext())->Accept(sender, message, number);
    });
}

void
RankDirectory::OpenThere(RankId sender, const TransportMessage& message, uint32_t number) const
{
    NS_ABORT_MSG_UNLESS(m_links,
                        "RankDirectory: rank " << sender << " sends to rank " << message.GetNext()
                                               << " of another process; call Split()");
    ByteWriter bytes;
    bytes.Put(sender);
    bytes.Put(number);
    PutMessage(bytes, message);
    m_links->Send(Get(message.GetNext())->GetNode()->GetSystemId(),
                  m_links->GetLeast(),
                  m_listener,
                  bytes);
}

void
RankDirectory::Clear()
{
    if (m_links)
    {
        m_links->StopListening(m_listener);
        m_links = nullptr;
    }
    m_transports.clear();
}

TypeId
RdmaTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaTransport")
            .SetParent<Transport>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RdmaTransport>()
            .AddAttribute("ReceiptLatency",
                          "From a rank to another over the network of the hosts, for the "
                          "messages of a queue pair that has failed: the sender learns "
                          "which of them have arrived. 0: it does not, and each may have.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaTransport::m_receiptLatency),
                          MakeTimeChecker(Time(0)));
    return tid;
}

RdmaTransport::RdmaTransport(RankId rank, Ptr<Node> node, Ptr<RankDirectory> directory)
    : m_rank(rank),
      m_node(node),
      m_directory(directory)
{
    NS_LOG_FUNCTION(this << rank << node);
}

void
RdmaTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_sending.clear();
    m_receiving.clear();
    m_ways.clear();
    m_node = nullptr;
    if (m_directory)
    {
        m_directory->Clear(); // it refers to all transports, and they refer to it
    }
    m_directory = nullptr;
    Transport::DoDispose();
}

bool
RdmaTransport::PathKey::operator<(const PathKey& other) const
{
    if (isNotice != other.isNotice)
    {
        return other.isNotice;
    }
    if (path == other.path || !path || !other.path)
    {
        return !path && other.path;
    }
    return *path < *other.path;
}

RdmaTransport::Key
RdmaTransport::KeyOf(const TransportMessage& message)
{
    return {message.from,
            message.to,
            message.GetNext(),
            message.group,
            message.channel,
            message.link.here,
            message.link.there,
            {message.path, message.isNotice}};
}

QueuePairOrder
RdmaTransport::OrderOf(const TransportMessage& message)
{
    // the next rank first, as algorithms send, so that not all begin with the same receiver
    const uint32_t distance = message.GetNext().Get() - message.from.Get();
    return {uint64_t{message.group.Get()} << 32 | distance,
            uint64_t{message.from.Get()} << 32 | message.to.Get(),
            uint64_t{message.channel} << 48 | uint64_t{message.isNotice} << 47 |
                uint64_t{message.link.here} << 24 | message.link.there};
}

RdmaTransport::Way&
RdmaTransport::WayOf(const TransportMessage& message)
{
    const auto [place, isNew] = m_ways.try_emplace(KeyOf(message), m_sending.size());
    if (isNew)
    {
        NS_LOG_INFO("a queue pair from rank " << m_rank << " to rank " << message.GetNext());
        const Ptr<RdmaTransport> peer = m_directory->Get(message.GetNext());
        const RdmaEngine::Ends ends = Connect(*peer, message);
        auto sending = std::make_unique<Way>(Way{this, message, ends.first, ends.second});
        sending->label.tag = 0;
        sending->label.bytes = 0;
        sending->place = place->second;
        ends.first->SetSettledCallback(MakeCallback(&Way::Settled, sending.get()));
        ends.first->SetFailedCallback(MakeCallback(&Way::Failed, sending.get()));
        if (ends.second)
        {
            peer->Receive(ends.second, sending->label);
        }
        else
        {
            m_directory->OpenThere(m_rank,
                                   sending->label,
                                   ends.first->GetSubQueuePairs().front().queuePair);
        }
        m_sending.push_back(std::move(sending));
    }
    return *m_sending[place->second];
}

RdmaEngine::Ends
RdmaTransport::Connect(const RdmaTransport& peer, const TransportMessage& message) const
{
    const RdmaEngine::PortPair ports{message.link.here, message.link.there};
    return SimulationProcesses::IsHere(peer.m_node)
               ? RdmaEngine::Connect(m_node, peer.m_node, {ports}, OrderOf(message))
               : RdmaEngine::Ends{RdmaEngine::Open(m_node, peer.m_node, ports, OrderOf(message)),
                                  nullptr};
}

void
RdmaTransport::Receive(const Ptr<RdmaQueuePair>& end, const TransportMessage& label)
{
    m_receiving.push_back(std::make_unique<Way>(Way{this, label, nullptr, nullptr}));
    end->SetArrivedCallback(MakeCallback(&Way::Arrived, m_receiving.back().get()));
}

void
RdmaTransport::Accept(RankId sender, const TransportMessage& message, uint32_t number)
{
    NS_LOG_FUNCTION(this << sender << message.to << number);
    Receive(RdmaEngine::Accept(m_node,
                               m_directory->Get(sender)->m_node,
                               {message.link.there, message.link.here},
                               OrderOf(message),
                               number),
            message);
}

void
RdmaTransport::Send(const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << message.from << message.to << message.bytes);
    Way& way = WayOf(message);
    const RdmaQueuePair::Posted posted =
        way.sending->Post(RdmaVerb::WRITE_WITH_IMMEDIATE, message.bytes, message.tag);
    if (!posted.accepted)
    {
        MarkUncertain(way, message, posted.why);
    }
}

void
RdmaTransport::MarkUncertain(Way& way, const TransportMessage& message, const std::string& why)
{
    if (m_receiptLatency.IsZero())
    {
        NotifyFailed(message, why);
        return;
    }
    way.uncertain.push_back({message, why});
    if (way.uncertain.size() == 1) // else a receipt is due
    {
        const Ptr<RdmaTransport> peer = m_directory->Get(message.GetNext());
        Simulator::ScheduleWithContext(peer->m_node->GetId(),
                                       m_receiptLatency,
                                       &RdmaTransport::CloseEnd,
                                       peer,
                                       Ptr<RdmaTransport>(this),
                                       way.place);
    }
}

void
RdmaTransport::CloseEnd(Ptr<RdmaTransport> sender, uint32_t place)
{
    NS_LOG_FUNCTION(this << sender << place);
    if (!m_node || place >= sender->m_sending.size())
    {
        return; // the job is over
    }
    const Ptr<RdmaEngine> engine = m_node->GetObject<RdmaEngine>();
    if (!engine->IsSilent())
    {
        engine->Close(sender->m_sending[place]->receiving, "the sender has closed the queue pair");
        // frames of this instant are taken
        Simulator::Schedule(ToTime(1), &RdmaTransport::SendReceipt, this, sender, place);
    }
}

void
RdmaTransport::SendReceipt(Ptr<RdmaTransport> sender, uint32_t place) const
{
    if (m_node && place < sender->m_sending.size())
    {
        Simulator::ScheduleWithContext(sender->m_node->GetId(),
                                       m_receiptLatency - ToTime(1),
                                       &RdmaTransport::TakeReceipt,
                                       sender,
                                       place,
                                       sender->m_sending[place]->receiving->GetTotals().arrived);
    }
}

void
RdmaTransport::TakeReceipt(uint32_t place, uint64_t arrived)
{
    NS_LOG_FUNCTION(this << place << arrived);
    if (place >= m_sending.size())
    {
        return;
    }
    Way& way = *m_sending[place];
    const uint64_t settled = way.sending->GetTotals().settled;
    NS_LOG_INFO("rank " << m_rank << " has a receipt: " << arrived << " messages of queue pair "
                        << way.sending->GetNumber() << " have arrived, and " << settled
                        << " were settled");
    const auto open = m_ways.find(KeyOf(way.label));
    if (open != m_ways.end() && open->second == place)
    {
        m_ways.erase(open); // the next message takes another queue pair
    }
    const std::vector<Uncertain> uncertain = std::exchange(way.uncertain, {});
    for (std::size_t i = 0; i < uncertain.size(); ++i)
    {
        if (settled + i < arrived)
        {
            NotifySettled(uncertain[i].message);
        }
        else
        {
            NotifyFailed(uncertain[i].message, uncertain[i].why);
        }
    }
}

void
RdmaTransport::Prepare(const TransportMessage& message)
{
    WayOf(message);
}

std::string
RdmaTransport::Describe(const TransportMessage& message) const
{
    std::ostringstream what;
    const auto place = m_ways.find(KeyOf(message));
    what << m_node->GetObject<RdmaEngine>()->DescribePort(message.link.here);
    if (place == m_ways.end())
    {
        what << ", no queue pair yet";
        return what.str();
    }
    const Ptr<RdmaQueuePair> pair = m_sending[place->second]->sending;
    what << "; queue pair " << pair->GetSubQueuePairs().front().queuePair << " to port "
         << message.link.there << " of rank " << message.GetNext() << ", "
         << pair->GetOpenMessages() << " messages open";
    return what.str();
}

RdmaEngine::Ends
RdmaTransport::GetEnds(const TransportMessage& message)
{
    const Way& way = WayOf(message);
    return {way.sending, way.receiving};
}

std::size_t
RdmaTransport::GetWays() const
{
    return m_sending.size();
}

TransportMessage
RdmaTransport::Way::Make(const RdmaMessage& message) const
{
    TransportMessage made = label;
    made.tag = message.immediate;
    made.bytes = message.bytes;
    return made;
}

void
RdmaTransport::Way::Settled(Ptr<RdmaQueuePair>, const RdmaMessage& message)
{
    NS_LOG_FUNCTION(this << message.bytes);
    transport->NotifySettled(Make(message));
}

void
RdmaTransport::Way::Arrived(Ptr<RdmaQueuePair>, const RdmaMessage& message)
{
    NS_LOG_FUNCTION(this << message.bytes);
    transport->NotifyArrived(Make(message));
}

void
RdmaTransport::Way::Failed(Ptr<RdmaQueuePair>, const RdmaMessage& message, const std::string& why)
{
    NS_LOG_FUNCTION(this << message.bytes << why);
    transport->MarkUncertain(*this, Make(message), why);
}

} // namespace ns3
