/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/saturating-sum.h"

#include <algorithm>

namespace ns3
{

namespace
{

// DSCP 26 (AF31) for data and 48 (CS6) for answers: the defaults of NVIDIA's and Cisco's guides to
// RoCE, which put data into priority 3 and notifications into priority 6.
constexpr uint8_t DATA_TOS = 26 << 2 | RoceFrame::ECN_CAPABLE;
constexpr uint8_t ANSWER_TOS = 48 << 2;

/** Source ports 0xc000 to 0xffff, as in RoCEv2, from both queue pair numbers. */
uint16_t
EntropyOf(uint32_t one, uint32_t other)
{
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
    const QueuePairSender& sender = m_pairs.back()->sender;
    m_windowed |= sender.GetCongestionState().GetWindow() != CongestionState::UNLIMITED ||
                  settings.ackEvery > QueuePairSender::MOST_OUTSTANDING / 2;
    m_answerClasses |= 1U << settings.ackClass | 1U << settings.cnpClass;
    m_leastTimeout = std::min(m_leastTimeout, settings.GetTimeout());
    if (sender.GetCongestionState().IsPaced())
    {
        m_noTrains = "a queue pair paces its frames";
    }
    else if (settings.selectiveRepeat)
    {
        m_noTrains = "a queue pair repeats selectively";
    }
    return FIRST_QUEUE_PAIR + m_pairs.size() - 1;
}

void
RdmaPort::Connect(uint32_t queuePair, const QueuePairPeer& peer)
{
    At(queuePair).peer = peer;
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
        Refresh(queuePair, pair);
    }
    return id; // else it is sent behind the existing frames, and has no earlier effect
}

void
RdmaPort::Insert(Active& list, uint8_t trafficClass, uint32_t id)
{
    const auto place = std::lower_bound(list.begin(), list.end(), id);
    if (place == list.end() || *place != id)
    {
        list.insert(place, id);
        m_ready |= 1U << trafficClass;
    }
}

void
RdmaPort::Remove(Active& list, uint8_t trafficClass, uint32_t id)
{
    const auto place = std::lower_bound(list.begin(), list.end(), id);
    if (place != list.end() && *place == id)
    {
        list.erase(place);
    }
    if (m_data[trafficClass].empty() && m_answers[trafficClass].empty())
    {
        m_ready &= ~(1U << trafficClass);
    }
}

void
RdmaPort::Refresh(uint32_t id, QueuePair& pair)
{
    const bool work = pair.sender.HasWork();
    if (work && !pair.active)
    {
        Insert(m_data[pair.settings.dataClass], pair.settings.dataClass, id);
        pair.active = true;
    }
    if (work)
    {
        m_owner.NotifyReady();
    }
    m_owner.WakeAt(id, pair.sender.GetWake(m_owner.GetNow()));
}

void
RdmaPort::Wake(uint32_t queuePair)
{
    QueuePair& pair = At(queuePair);
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
    const std::vector<RdmaMessage> open = pair.sender.Fail(m_owner.GetNow());
    m_owner.NotifyReady(); // the open run ends
    m_owner.WakeAt(queuePair, NEVER);
    m_owner.NotifyFailed(queuePair, open, why);
}

uint32_t
RdmaPort::GetReadyClasses() const
{
    return m_ready;
}

bool
RdmaPort::PeekPair(uint8_t trafficClass, uint32_t id, Picoseconds seen, FrameRun& run) const
{
    const QueuePair& pair = At(id);
    run.id = id;
    run.alone = m_data[trafficClass].size() == 1 && m_answers[trafficClass].empty();
    for (const auto& [answers, its] : {std::pair{&pair.acks, pair.settings.ackClass},
                                       std::pair{&pair.cnps, pair.settings.cnpClass}})
    {
        if (its == trafficClass && !answers->empty() && answers->front().ready <= seen)
        {
            run.first = ANSWER;
            run.count = 1;
            run.wireBytes = answers->front().frame.GetWireBytes();
            run.lastWireBytes = run.wireBytes;
            return true;
        }
    }
    return pair.settings.dataClass == trafficClass && pair.sender.Peek(seen, run);
}

bool
RdmaPort::PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run)
{
    const Active& data = m_data[trafficClass];
    const Active& answers = m_answers[trafficClass];
    if (data.size() + answers.size() == 1)
    {
        return PeekPair(trafficClass, data.empty() ? answers.front() : data.front(), seen, run);
    }
    // both lists at once, by number, from the entry after `after`, with wrap-around
    for (const bool wrapped : {false, true})
    {
        auto d = wrapped ? data.begin() : std::upper_bound(data.begin(), data.end(), after);
        auto a =
            wrapped ? answers.begin() : std::upper_bound(answers.begin(), answers.end(), after);
        while (d != data.end() || a != answers.end())
        {
            const bool takeAnswer = d == data.end() || (a != answers.end() && *a <= *d);
            const uint32_t id = takeAnswer ? *a : *d;
            if (wrapped && id > after)
            {
                break;
            }
            if (PeekPair(trafficClass, id, seen, run))
            {
                return true;
            }
            d += d != data.end() && *d == id ? 1 : 0;
            a += a != answers.end() && *a == id ? 1 : 0;
        }
    }
    return false;
}

RoceFrame
RdmaPort::TakeAnswer(std::vector<Answer>& answers, Picoseconds seen)
{
    std::size_t newest = 0;
    std::size_t nak = answers.size();
    for (std::size_t i = 0; i < answers.size() && answers[i].ready <= seen; ++i)
    {
        newest = i;
        nak = answers[i].frame.syndrome == RoceSyndrome::NAK_SEQUENCE ? i : nak;
    }
    RoceFrame frame = answers[newest].frame;
    // an acknowledgement covers those before it; a NAK still counts if no frame beyond the missing
    // one has been settled since
    if (nak < newest && answers[nak].frame.psn == ((frame.psn + 1) & RoceFrame::PSN_MASK))
    {
        frame = answers[nak].frame;
    }
    answers.erase(answers.begin(), answers.begin() + newest + 1);
    return frame;
}

RoceFrame
RdmaPort::TakeReport(std::vector<Answer>& answers, Picoseconds seen)
{
    std::size_t newest = 0;
    while (newest + 1 < answers.size() && answers[newest + 1].ready <= seen)
    {
        ++newest;
    }
    // the newest covers those before it: they are sent only if they name a kept frame that is not
    // settled by then
    const RoceFrame& latest = answers[newest].frame;
    const uint32_t settled =
        latest.syndrome == RoceSyndrome::NAK_SEQUENCE ? latest.psn : latest.psn + 1;
    std::size_t first = 0;
    while (first < newest &&
           (answers[first].frame.syndrome != RoceSyndrome::NAK_SEQUENCE ||
            ((answers[first].frame.msn - settled) & RoceFrame::PSN_MASK) > RoceFrame::PSN_MASK / 2))
    {
        ++first;
    }
    const RoceFrame frame = answers[first].frame;
    answers.erase(answers.begin(), answers.begin() + first + 1);
    return frame;
}

void
RdmaPort::CommitRun(const FrameRun& taken,
                    Picoseconds seen,
                    const RunClock& times,
                    WireFrame& head,
                    RoceFrame* tail)
{
    QueuePair& pair = At(taken.id);
    head.destination = pair.peer.mac;
    if (taken.first == ANSWER)
    {
        const bool ack = head.trafficClass == pair.settings.ackClass && !pair.acks.empty() &&
                         pair.acks.front().ready <= seen;
        std::vector<Answer>& answers = ack ? pair.acks : pair.cnps;
        head.roce = ack && pair.settings.selectiveRepeat ? TakeReport(answers, seen)
                                                         : TakeAnswer(answers, seen);
        if (answers.empty() && (pair.settings.ackClass != pair.settings.cnpClass ||
                                (pair.acks.empty() && pair.cnps.empty())))
        {
            Remove(m_answers[head.trafficClass], head.trafficClass, taken.id);
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
        Remove(m_data[pair.settings.dataClass], pair.settings.dataClass, taken.id);
        pair.active = false;
    }
    m_owner.WakeAt(taken.id, pair.sender.GetWake(seen));
}

void
RdmaPort::Address(uint32_t id, const QueuePair& pair, RoceFrame& frame) const
{
    frame.sourceIp = m_ip;
    frame.destinationIp = pair.peer.ip;
    frame.destinationQp = pair.peer.queuePair;
    frame.sourcePort = EntropyOf(id, pair.peer.queuePair);
    frame.tos = frame.IsData() ? DATA_TOS : ANSWER_TOS;
}

void
RdmaPort::QueueAnswer(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at)
{
    const bool cnp = frame.opcode == RoceOpcode::CNP;
    (cnp ? pair.cnps : pair.acks).push_back(Answer{frame, at});
    const uint8_t trafficClass = cnp ? pair.settings.cnpClass : pair.settings.ackClass;
    Insert(m_answers[trafficClass], trafficClass, id);
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
    if (frame.opcode == RoceOpcode::CNP)
    {
        pair.sender.OnCongestion(at);
        return;
    }
    if (pair.sender.IsOverdue(at))
    {
        Wake(id); // arrivals after the deadline do not undo the timeout, in either order of the
                  // events
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
    const uint32_t id = frame.roce.destinationQp;
    QueuePair* pair = Find(id);
    if (pair == nullptr || pair->peer.ip != frame.roce.sourceIp)
    {
        return false;
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
    const Picoseconds last = times.Last(count - 1);
    Follow(id, *pair, pair->receiver.ReceiveRun(head.roce, tail, count, times), last);
    return true;
}

const char*
RdmaPort::WhyNoTrains(Mac48Address peer) const
{
    for (uint32_t ready = m_ready; ready != 0; ready &= ready - 1)
    {
        const uint32_t c = __builtin_ctz(ready);
        for (const Active* list : {&m_data[c], &m_answers[c]})
        {
            for (const uint32_t id : *list)
            {
                if (At(id).peer.mac != peer)
                {
                    return "a queue pair sends to another port than the circuit leads to";
                }
            }
        }
    }
    return m_noTrains;
}

uint64_t
RdmaPort::GetFirstAnswered(const WireFrame& head) const
{
    const QueuePair* pair = Find(head.roce.destinationQp);
    return pair == nullptr ? 0 : pair->receiver.GetFirstAnswered(head.roce.psn, head.run.count);
}

uint64_t
RdmaPort::GetBytesToEnd(uint32_t trafficClass) const
{
    const Active& list = m_data[trafficClass];
    QueuePairSender::Ahead ahead;
    if (list.size() == 1)
    {
        return At(list.front()).sender.LookAhead(ahead) ? ahead.bytes : Outlook::NOTHING;
    }
    // few enough to compare all pairs
    constexpr std::size_t FEW = 16;
    std::array<QueuePairSender::Ahead, FEW> few;
    std::size_t count = 0;
    uint64_t least = Outlook::NOTHING;
    for (const uint32_t id : list)
    {
        if (!At(id).sender.LookAhead(ahead))
        {
            continue;
        }
        least = std::min(least, ahead.bytes);
        if (count < FEW)
        {
            few[count] = ahead;
        }
        ++count;
    }
    if (count < 2 || count > FEW)
    {
        return least;
    }
    // between two frames of one queue pair, each other queue pair with work sends once, at least an
    // answer
    const bool answers = (m_answerClasses >> trafficClass & 1U) != 0;
    uint64_t inTurn = Outlook::NOTHING;
    for (std::size_t i = 0; i < count; ++i)
    {
        uint64_t bytes = few[i].bytes;
        for (std::size_t j = 0; j < count; ++j)
        {
            if (j != i)
            {
                bytes += std::min({few[j].available, few[i].toEnd - 1, few[j].toEnd - 1}) *
                         (answers ? Outlook::LEAST : few[j].each);
            }
        }
        inTurn = std::min(inTurn, bytes);
    }
    return inTurn;
}

void
RdmaPort::BeginTrains()
{
    for (const auto& pair : m_pairs)
    {
        pair->sender.MarkUncertain();
    }
    m_lossPossible = true;
}

BatchOffload::Outlook
RdmaPort::GetOutlook(bool lossy) const
{
    Outlook outlook;
    for (uint32_t ready = m_ready; ready != 0; ready &= ready - 1)
    {
        const uint32_t c = __builtin_ctz(ready);
        outlook.answers |= !m_answers[c].empty();
        outlook.several |= m_data[c].size() > 1;
        for (const uint32_t id : m_data[c])
        {
            outlook.again |= At(id).sender.IsGoingBack();
        }
        if (!m_data[c].empty() && !m_windowed)
        {
            outlook.bytesToEnd = std::min(outlook.bytesToEnd, GetBytesToEnd(c));
        }
    }
    if (m_windowed || lossy || m_lossPossible)
    {
        for (const auto& pair : m_pairs)
        {
            QueuePairSender::Ahead ahead;
            if (pair->sender.LookAhead(ahead))
            {
                outlook.bytesToEnd = std::min(outlook.bytesToEnd, ahead.bytes);
            }
            outlook.several |= m_windowed; // a waiting queue pair may continue while another sends
            outlook.lossPossible |= pair->sender.IsLossPossible(lossy);
            outlook.again |= pair->sender.IsGoingBack();
        }
        m_lossPossible = outlook.lossPossible;
    }
    outlook.timer =
        outlook.bytesToEnd != Outlook::NOTHING || outlook.again ? m_leastTimeout : NEVER;
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
    return m_windowed || pair == nullptr || answer.opcode == RoceOpcode::CNP ||
           answer.syndrome != RoceSyndrome::ACK || pair->sender.IsGoingBack();
}

BatchOffload::Work
RdmaPort::GetStream(Stream& stream) const
{
    if (m_ready == 0)
    {
        return Work::NONE;
    }
    uint32_t c = 0;
    while ((m_ready >> c & 1U) == 0)
    {
        ++c;
    }
    if (m_ready >> c != 1 || m_data[c].size() != 1 || !m_answers[c].empty() || m_windowed ||
        m_lossPossible || m_noTrains != nullptr)
    {
        return Work::OTHER;
    }
    const uint32_t id = m_data[c].front();
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
    m_owner.WakeAt(id, pair.sender.GetWake(m_owner.GetNow()));
}

Ptr<Packet>
RdmaPort::MakePacket(const WireFrame& frame) const
{
    const std::vector<uint8_t> bytes = frame.roce.Serialize(frame.source, frame.destination);
    return ns3::Create<Packet>(bytes.data(), bytes.size());
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
