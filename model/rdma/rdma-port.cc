/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "earliest-end.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/mix-bits.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

// DSCP 26 (AF31) for data and 48 (CS6) for answers: the defaults of NVIDIA's and Cisco's guides to
// RoCE, which put data into priority 3 and notifications into priority 6.
constexpr uint8_t DATA_TOS = 26 << 2 | RoceFrame::ECN_CAPABLE;
constexpr uint8_t ANSWER_TOS = 48 << 2;

/** Source ports 0xc000 to 0xffff, as in RoCEv2: from the order, or from both numbers. */
uint16_t
EntropyOf(const QueuePairOrder& order, uint32_t one, uint32_t other)
{
    if (order != QueuePairOrder{})
    {
        return 0xc000 | (MixBits(order[0] ^ MixBits(order[1] ^ MixBits(order[2]))) & 0x3fff);
    }
    // the mix of InfiniBand's flow label recommendation: (src * dst) folded
    const uint64_t product = uint64_t{one} * other;
    const uint64_t folded = product ^ product >> 20 ^ product >> 40;
    return 0xc000 | (folded & 0x3fff);
}

} // namespace

RdmaPort::RdmaPort(RdmaPortOwner& owner, Mac48Address mac, uint32_t ip)
    : m_owner(owner),
      m_mac(mac),
      m_ip(ip)
{
}

uint32_t
RdmaPort::Create(const QueuePairSettings& settings, std::unique_ptr<CongestionState> congestion)
{
    m_pairs.push_back(std::make_unique<QueuePair>(settings, std::move(congestion)));
    m_pairs.back()->sender.SetCarrier(m_carrier, m_owner.GetNow());
    m_summary.Add(settings, m_pairs.back()->sender.GetCongestionState());
    const uint32_t number = FIRST_QUEUE_PAIR + m_pairs.size() - 1;
    m_readyPairs.Create(number, settings.order);
    return number;
}

void
RdmaPort::Connect(uint32_t queuePair, const QueuePairPeer& peer)
{
    At(queuePair).peer = peer;
}

void
RdmaPort::SetName(uint32_t queuePair, uint32_t ip, uint32_t name)
{
    m_named[{ip, name}] = queuePair;
}

uint32_t
RdmaPort::NumberOf(const RoceFrame& frame) const
{
    if (frame.destinationQp < FIRST_NAME)
    {
        return frame.destinationQp;
    }
    const auto named = m_named.find({frame.sourceIp, frame.destinationQp});
    return named == m_named.end() ? frame.destinationQp : named->second;
}

RdmaPort::QueuePair*
RdmaPort::Find(uint32_t queuePair) const
{
    const uint32_t index = queuePair - FIRST_QUEUE_PAIR;
    return index < m_pairs.size() ? m_pairs[index].get() : nullptr;
}

RdmaPort::QueuePair&
RdmaPort::At(uint32_t queuePair) const
{
    QueuePair* pair = Find(queuePair);
    NS_ASSERT_MSG(pair != nullptr, "there is no queue pair " << queuePair);
    return *pair;
}

uint64_t
RdmaPort::Post(uint32_t queuePair, const RdmaMessage& message)
{
    QueuePair& pair = At(queuePair);
    const bool hadWork = pair.active && pair.sender.HasWork();
    const uint64_t id = pair.sender.Post(message, m_owner.GetNow());
    if (!hadWork)
    {
        ManyAhead many = std::exchange(m_many, {});
        Refresh(queuePair, pair);
        QueuePairSender::Ahead ahead;
        if (many.known && many.trafficClass == pair.settings.dataClass && pair.active &&
            !pair.sender.IsGoingBack() && pair.sender.LookAhead(ahead))
        {
            many.bytesToEnd = std::min(many.bytesToEnd, ahead.bytes);
            m_many = many;
        }
    }
    return id; // else it is sent behind the existing frames, and has no earlier effect
}

void
RdmaPort::Refresh(uint32_t id, QueuePair& pair)
{
    m_many.known = false;
    if (pair.closedAt < m_owner.GetNow() || pair.sender.HasFailed())
    {
        return; // Wake() comes
    }
    const bool work = pair.sender.HasWork();
    if (work && !pair.active)
    {
        m_readyPairs.AddData(pair.settings.dataClass, id);
        pair.active = true;
        NoteReady(id);
    }
    if (work)
    {
        m_owner.NotifyReady();
    }
    SetWake(id, pair, m_owner.GetNow());
}

void
RdmaPort::SetWake(uint32_t id, QueuePair& pair, Picoseconds now)
{
    if (pair.closedAt == NEVER) // else it is awake when it has to be
    {
        m_owner.WakeAt(id, pair.sender.GetWake(now));
    }
}

void
RdmaPort::Silence()
{
    m_silentAfter = std::min(m_silentAfter, m_owner.GetNow());
}

void
RdmaPort::EndSilence(const std::string& why)
{
    for (uint32_t p = 0; p < m_pairs.size(); ++p)
    {
        const uint32_t id = FIRST_QUEUE_PAIR + p;
        Fail(id, why);
        Forget(id, At(id)); // another GPU does not send the answers that have waited
    }
    m_silentAfter = NEVER;
}

void
RdmaPort::Wake(uint32_t queuePair)
{
    QueuePair& pair = At(queuePair);
    m_many.known = false;
    if (pair.sender.HasFailed())
    {
        Forget(queuePair, pair); // what was decided in the instant of its failure is decided
        return;
    }
    if (pair.closedAt < m_owner.GetNow())
    {
        Fail(queuePair, m_whyClosed);
        return;
    }
    if (m_owner.GetNow() > m_silentAfter)
    {
        return;
    }
    if (const auto why = pair.sender.OnWake(m_owner.GetNow()))
    {
        Fail(queuePair, *why);
        return;
    }
    Refresh(queuePair, pair);
}

void
RdmaPort::Fail(uint32_t queuePair, const std::string& why)
{
    QueuePair& pair = At(queuePair);
    if (pair.sender.HasFailed())
    {
        return;
    }
    if (pair.closedAt == NEVER)
    {
        m_owner.CompletePast(); // later frames are dropped, and earlier ones are not
    }
    m_many.known = false;
    const std::vector<RdmaMessage> open = pair.sender.Fail(m_owner.GetNow());
    pair.closedAt = std::min(pair.closedAt, m_owner.GetNow());
    m_owner.NotifyReady(); // the open run ends
    m_owner.WakeAt(queuePair, m_owner.GetNow() + 1);
    m_owner.NotifyFailed(queuePair, open, why);
}

void
RdmaPort::Close(uint32_t queuePair, const std::string& why)
{
    QueuePair& pair = At(queuePair);
    if (pair.sender.HasFailed() || pair.closedAt != NEVER)
    {
        return;
    }
    m_owner.CompletePast();
    m_many.known = false;
    m_whyClosed = why;
    pair.closedAt = m_owner.GetNow();
    m_owner.NotifyReady(); // what is computed ahead is computed anew
    m_owner.WakeAt(queuePair, m_owner.GetNow() + 1);
}

void
RdmaPort::Forget(uint32_t queuePair, QueuePair& pair)
{
    pair.active = false;
    pair.acks.Clear();
    pair.cnps.Clear();
    m_readyPairs.RemoveData(pair.settings.dataClass, queuePair);
    m_readyPairs.RemoveAnswers(pair.settings.ackClass, queuePair);
    m_readyPairs.RemoveAnswers(pair.settings.cnpClass, queuePair);
    m_owner.WakeAt(queuePair, NEVER);
}

uint32_t
RdmaPort::GetReadyClasses() const
{
    return m_readyPairs.GetClasses();
}

bool
RdmaPort::PeekPair(uint8_t trafficClass, uint32_t id, Picoseconds seen, FrameRun& run) const
{
    const QueuePair& pair = At(id);
    run.id = id;
    run.alone = m_readyPairs.GetData(trafficClass).size() == 1 &&
                m_readyPairs.GetAnswers(trafficClass).empty();
    for (const auto& [answers, its] : {std::pair{&pair.acks, pair.settings.ackClass},
                                       std::pair{&pair.cnps, pair.settings.cnpClass}})
    {
        if (its == trafficClass && answers->IsReady(seen))
        {
            run.first = ANSWER;
            run.count = 1;
            run.wireBytes = answers->GetWireBytes();
            run.lastWireBytes = run.wireBytes;
            return true;
        }
    }
    return pair.settings.dataClass == trafficClass && pair.sender.Peek(seen, run);
}

bool
RdmaPort::PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run)
{
    // a frame that begins at the last instant was chosen by an earlier state
    return seen < m_silentAfter &&
           m_readyPairs.FindInTurn(trafficClass, after, [&](uint32_t id, bool wrapped) {
               run.wrapped = wrapped;
               return PeekPair(trafficClass, id, seen, run);
           });
}

void
RdmaPort::CommitRun(const FrameRun& taken,
                    Picoseconds seen,
                    const RunClock& times,
                    WireFrame& head,
                    RoceFrame* tail)
{
    QueuePair& pair = At(taken.id);
    m_many.known = false;
    head.destination = pair.peer.mac;
    if (taken.first == ANSWER)
    {
        const bool ack = head.trafficClass == pair.settings.ackClass && pair.acks.IsReady(seen);
        AnswerQueue& answers = ack ? pair.acks : pair.cnps;
        head.roce =
            ack && pair.settings.selectiveRepeat ? answers.TakeReport(seen) : answers.Take(seen);
        if (answers.IsEmpty() && (pair.settings.ackClass != pair.settings.cnpClass ||
                                  (pair.acks.IsEmpty() && pair.cnps.IsEmpty())))
        {
            m_readyPairs.RemoveAnswers(head.trafficClass, taken.id);
        }
        Address(taken.id, pair, head.roce);
        return;
    }
    pair.sender.Commit(taken, seen, times, head.roce, tail);
    Address(taken.id, pair, head.roce);
    if (tail != nullptr)
    {
        Address(taken.id, pair, *tail);
    }
    if (!pair.sender.HasWork())
    {
        m_readyPairs.RemoveData(pair.settings.dataClass, taken.id);
        pair.active = false;
    }
    SetWake(taken.id, pair, seen);
}

void
RdmaPort::Address(uint32_t id, const QueuePair& pair, RoceFrame& frame) const
{
    frame.sourceIp = m_ip;
    frame.destinationIp = pair.peer.ip;
    frame.destinationQp = pair.peer.queuePair;
    frame.sourcePort = EntropyOf(pair.settings.order, id, pair.peer.queuePair);
    frame.tos = frame.IsData() ? DATA_TOS : ANSWER_TOS;
}

void
RdmaPort::QueueAnswer(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at)
{
    const bool cnp = frame.opcode == RoceOpcode::CNP;
    (cnp ? pair.cnps : pair.acks).Push(frame, at);
    m_readyPairs.AddAnswers(cnp ? pair.settings.cnpClass : pair.settings.ackClass, id);
    NoteReady(id);
    m_owner.NotifyReady();
}

void
RdmaPort::Follow(uint32_t id,
                 QueuePair& pair,
                 const QueuePairReceiver::Outcome& outcome,
                 Picoseconds at)
{
    if (outcome.answer)
    {
        QueueAnswer(id, pair, *outcome.answer, at);
    }
    if (outcome.arrived)
    {
        m_owner.NotifyArrived(id, outcome.arrived->message);
    }
}

void
RdmaPort::ReceiveMark(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at)
{
    if ((frame.tos & RoceFrame::ECN_MASK) != RoceFrame::ECN_CONGESTION || at < pair.cnpFrom)
    {
        return;
    }
    pair.cnpFrom = AddSaturating(at, pair.settings.cnpInterval);
    RoceFrame cnp;
    cnp.opcode = RoceOpcode::CNP;
    cnp.becn = true;
    QueueAnswer(id, pair, cnp, at);
}

void
RdmaPort::ReceiveAnswer(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at)
{
    m_many.known = false;
    if (frame.opcode == RoceOpcode::CNP)
    {
        pair.sender.OnCongestion(at);
        return;
    }
    if (pair.sender.IsOverdue(at))
    {
        // a timeout that was due before this arrival comes first, in either order of the events
        Wake(id);
    }
    const bool changes = !pair.active || ChangesWhatIsSent(frame);
    std::vector<RdmaMessage> settled = std::move(m_settled); // only for its memory
    settled.clear();
    if (frame.syndrome == RoceSyndrome::NAK_SEQUENCE)
    {
        pair.sender.Nak(frame.psn, frame.msn, at, settled);
    }
    else
    {
        pair.sender.Acknowledge(frame.psn, at, settled);
    }
    if (changes || pair.sender.GetCongestionState().IsPaced())
    {
        Refresh(id, pair);
    }
    for (const RdmaMessage& message : settled)
    {
        m_owner.NotifySettled(id, message);
    }
    m_settled = std::move(settled);
}

bool
RdmaPort::ReceiveFrame(const WireFrame& frame)
{
    const uint32_t id = NumberOf(frame.roce);
    QueuePair* pair = Find(id);
    if (pair == nullptr || pair->peer.ip != frame.roce.sourceIp || frame.last > m_silentAfter)
    {
        return false;
    }
    if (frame.last > pair->closedAt)
    {
        return true; // a queue pair in error drops what comes, without an answer
    }
    if (!frame.roce.IsData())
    {
        ReceiveAnswer(id, *pair, frame.roce, frame.last);
        return true;
    }
    ReceiveMark(id, *pair, frame.roce, frame.last);
    Follow(id, *pair, pair->receiver.Receive(frame.roce, frame.last), frame.last);
    QueuePairReceiver::Outcome kept;
    while (pair->settings.selectiveRepeat && pair->receiver.TakeKept(frame.last, kept))
    {
        Follow(id, *pair, kept, frame.last);
    }
    return true;
}

bool
RdmaPort::ReceiveRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    const uint64_t count = head.run.count;
    if (count == 1)
    {
        return ReceiveFrame(head);
    }
    const uint32_t id = head.roce.destinationQp;
    QueuePair* pair = Find(id);
    if (pair == nullptr || pair->peer.ip != head.roce.sourceIp)
    {
        return false;
    }
    if (times.Last(0) > pair->closedAt)
    {
        return true;
    }
    const Picoseconds last = times.Last(count - 1);
    Follow(id, *pair, pair->receiver.ReceiveRun(head.roce, tail, count, times), last);
    return true;
}

const char*
RdmaPort::WhyNoTrains(const std::vector<Mac48Address>& peers) const
{
    m_becameReady.clear();
    if (IsSilent())
    {
        return "the transport of a port is silent";
    }
    for (uint32_t ready = m_readyPairs.GetClasses(); ready != 0; ready &= ready - 1)
    {
        const uint32_t c = __builtin_ctz(ready);
        if (!LeadTo(peers, m_readyPairs.GetData(c)) || !LeadTo(peers, m_readyPairs.GetAnswers(c)))
        {
            return "a queue pair sends to another port than the circuit leads to";
        }
    }
    return m_summary.GetWhyNoTrains();
}

const char*
RdmaPort::WhyNoTrainsAnyMore(const std::vector<Mac48Address>& peers) const
{
    const bool all = m_becameReady.size() < MOST_NOTED && LeadTo(peers, m_becameReady);
    m_becameReady.clear();
    return all ? m_summary.GetWhyNoTrains() : WhyNoTrains(peers);
}

bool
RdmaPort::LeadTo(const std::vector<Mac48Address>& peers, const ReadyQueuePairs::List& list) const
{
    return std::all_of(list.begin(), list.end(), [&](uint32_t id) {
        return std::binary_search(peers.begin(), peers.end(), At(id).peer.mac);
    });
}

void
RdmaPort::NoteReady(uint32_t id)
{
    if (m_becameReady.size() < MOST_NOTED)
    {
        m_becameReady.push_back(id);
    }
}

Mac48Address
RdmaPort::GetPeer(uint32_t queuePair) const
{
    return At(queuePair).peer.mac;
}

bool
RdmaPort::TakesTurns(uint8_t trafficClass) const
{
    // an acknowledgement may open a window, and then it changes the runs
    return m_readyPairs.GetAnswers(trafficClass).empty() && !m_summary.IsWindowed();
}

bool
RdmaPort::GetProspect(Prospect& prospect) const
{
    if (m_summary.IsWindowed() || m_lossPossible)
    {
        return false;
    }
    // without windows those with data to send are the ready ones
    for (uint32_t ready = m_readyPairs.GetClasses(); ready != 0; ready &= ready - 1)
    {
        const uint32_t c = __builtin_ctz(ready);
        for (const uint32_t id : m_readyPairs.GetData(c))
        {
            const QueuePair& pair = At(id);
            QueuePairSender::Ahead ahead;
            if (pair.sender.IsGoingBack())
            {
                return false;
            }
            if (pair.sender.LookAhead(ahead))
            {
                const FrameDensity density = pair.sender.GetDensity(ahead.each);
                prospect.frameBytes = prospect.peers.empty()
                                          ? density.frameBytes
                                          : std::min(prospect.frameBytes, density.frameBytes);
                prospect.shortFrames += density.shortFrames;
                prospect.peers.push_back(pair.peer.mac);
            }
        }
        // all that wait in a queue go as one, and a queue pair has two queues
        prospect.answers += 2 * m_readyPairs.GetAnswers(c).size();
    }
    return true;
}

uint64_t
RdmaPort::GetFirstAnswered(const WireFrame& head) const
{
    const QueuePair* pair = Find(head.roce.destinationQp);
    return pair == nullptr ? 0 : pair->receiver.GetFirstAnswered(head.roce.psn, head.run.count);
}

const RdmaPort::ManyAhead&
RdmaPort::LookAtMany(uint8_t trafficClass) const
{
    if (m_many.known && m_many.trafficClass == trafficClass)
    {
        return m_many;
    }
    const ReadyQueuePairs::List& list = m_readyPairs.GetData(trafficClass);
    m_many = {list.size() > EarliestEnd::FEW, trafficClass, Outlook::NOTHING, false};
    QueuePairSender::Ahead ahead;
    EarliestEnd end;
    for (const uint32_t id : list)
    {
        const QueuePairSender& sender = At(id).sender;
        m_many.again |= sender.IsGoingBack();
        if (sender.LookAhead(ahead))
        {
            end.Add(ahead);
        }
    }
    m_many.bytesToEnd = end.GetBytes(m_summary.HasAnswersIn(trafficClass));
    return m_many;
}

void
RdmaPort::BeginTrains()
{
    for (const auto& pair : m_pairs)
    {
        pair->sender.MarkUncertain();
    }
    m_many.known = false;
    m_lossPossible = true;
}

BatchOffload::Outlook
RdmaPort::GetOutlook(bool lossy) const
{
    Outlook outlook;
    for (uint32_t ready = m_readyPairs.GetClasses(); ready != 0; ready &= ready - 1)
    {
        const uint32_t c = __builtin_ctz(ready);
        const ReadyQueuePairs::List& data = m_readyPairs.GetData(c);
        outlook.answers |= !m_readyPairs.GetAnswers(c).empty();
        outlook.several |= data.size() > 1;
        if (!data.empty())
        {
            const ManyAhead& many = LookAtMany(c);
            outlook.again |= many.again;
            outlook.bytesToEnd = m_summary.IsWindowed()
                                     ? outlook.bytesToEnd
                                     : std::min(outlook.bytesToEnd, many.bytesToEnd);
        }
    }
    if (m_summary.IsWindowed() || lossy || m_lossPossible)
    {
        for (const auto& pair : m_pairs)
        {
            QueuePairSender::Ahead ahead;
            if (pair->sender.LookAhead(ahead))
            {
                outlook.bytesToEnd = std::min(outlook.bytesToEnd, ahead.bytes);
            }
            outlook.several |=
                m_summary.IsWindowed(); // a waiting queue pair may continue while another sends
            outlook.lossPossible |= pair->sender.IsLossPossible(lossy);
            outlook.again |= pair->sender.IsGoingBack();
        }
        m_lossPossible = outlook.lossPossible;
    }
    outlook.timer = outlook.bytesToEnd != Outlook::NOTHING || outlook.again
                        ? m_summary.GetLeastTimeout()
                        : NEVER;
    return outlook;
}

bool
RdmaPort::MaySettle(const RoceFrame& answer) const
{
    const QueuePair* pair = Find(answer.destinationQp);
    return pair != nullptr && answer.opcode != RoceOpcode::CNP &&
           pair->sender.WouldSettle(answer.psn);
}

bool
RdmaPort::ChangesWhatIsSent(const RoceFrame& answer) const
{
    const QueuePair* pair = Find(answer.destinationQp);
    return m_summary.IsWindowed() || pair == nullptr || answer.opcode == RoceOpcode::CNP ||
           answer.syndrome != RoceSyndrome::ACK || pair->sender.IsGoingBack();
}

BatchOffload::Work
RdmaPort::GetStream(Stream& stream) const
{
    const uint32_t ready = m_readyPairs.GetClasses();
    if (ready == 0)
    {
        return Work::NONE;
    }
    uint32_t c = 0;
    while ((ready >> c & 1U) == 0)
    {
        ++c;
    }
    const ReadyQueuePairs::List& data = m_readyPairs.GetData(c);
    if (ready >> c != 1 || data.size() != 1 || !m_readyPairs.GetAnswers(c).empty() ||
        m_summary.IsWindowed() || m_lossPossible || m_summary.GetWhyNoTrains() != nullptr)
    {
        return Work::OTHER;
    }
    const uint32_t id = data.front();
    const QueuePair& pair = At(id);
    stream.id = id;
    stream.peer = pair.peer.queuePair;
    stream.trafficClass = c;
    return pair.sender.GetStream(stream) ? Work::STREAM : Work::OTHER;
}

uint64_t
RdmaPort::GetDue(uint32_t queuePair) const
{
    return At(queuePair).receiver.GetDue();
}

void
RdmaPort::DescribeAnswer(uint32_t queuePair, uint64_t upTo, WireFrame& frame) const
{
    const QueuePair& pair = At(queuePair);
    frame.roce = pair.receiver.MakeAcknowledgement(upTo);
    Address(queuePair, pair, frame.roce);
    frame.run.id = queuePair;
    frame.run.first = ANSWER;
    frame.run.count = 1;
    frame.run.wireBytes = frame.roce.GetWireBytes();
    frame.run.lastWireBytes = frame.run.wireBytes;
    frame.source = m_mac;
    frame.destination = pair.peer.mac;
    frame.wireBytes = frame.run.wireBytes;
    frame.trafficClass = pair.settings.ackClass;
}

void
RdmaPort::ReceiveAnswers(const WireFrame& latest, uint64_t count)
{
    const uint32_t id = latest.roce.destinationQp;
    QueuePair& pair = At(id);
    pair.sender.CountAcknowledgements(count - 1);
    std::vector<RdmaMessage> settled;
    pair.sender.Acknowledge(latest.roce.psn, latest.last, settled);
    NS_ABORT_MSG_UNLESS(settled.empty(), "RdmaPort: an acknowledgement was passed over");
    SetWake(id, pair, m_owner.GetNow());
}

void
RdmaPort::NotifyCarrier(bool carrier)
{
    m_carrier = carrier;
    for (uint32_t i = 0; i < m_pairs.size(); ++i)
    {
        if (m_pairs[i]->sender.IsOverdue(m_owner.GetNow()))
        {
            Wake(FIRST_QUEUE_PAIR + i); // the deadline was before, in either order of the events
        }
        m_pairs[i]->sender.SetCarrier(carrier, m_owner.GetNow());
        Refresh(FIRST_QUEUE_PAIR + i, *m_pairs[i]);
    }
}

const QueuePairSender&
RdmaPort::GetSender(uint32_t queuePair) const
{
    return At(queuePair).sender;
}

bool
RdmaPort::MaySkip(uint32_t queuePair) const
{
    const QueuePair& pair = At(queuePair);
    return !pair.active && pair.acks.IsEmpty() && pair.cnps.IsEmpty() && pair.sender.MaySkip() &&
           pair.receiver.MaySkip() && m_summary.GetWhyNoTrains() == nullptr &&
           !m_summary.IsWindowed();
}

void
RdmaPort::SkipSent(uint32_t queuePair, const QueuePairProgress& progress)
{
    m_many.known = false;
    At(queuePair).sender.Skip(progress, m_owner.GetNow());
}

void
RdmaPort::SkipReceived(uint32_t queuePair, const QueuePairProgress& progress)
{
    At(queuePair).receiver.Skip(progress);
}

const QueuePairSettings&
RdmaPort::GetSettings(uint32_t queuePair) const
{
    return At(queuePair).settings;
}

const QueuePairReceiver&
RdmaPort::GetReceiver(uint32_t queuePair) const
{
    return At(queuePair).receiver;
}

uint32_t
RdmaPort::GetQueuePairs() const
{
    return m_pairs.size();
}

Mac48Address
RdmaPort::GetMac() const
{
    return m_mac;
}

uint32_t
RdmaPort::GetIp() const
{
    return m_ip;
}

} // namespace ns3
