/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-draw.h"

#include "ns3/frame-clock.h"
#include "ns3/message-frames.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** @return the end of a queue pair that is at a GPU */
uint32_t
EndAt(const TrainsScenario::QueuePair& pair, uint32_t gpu)
{
    return pair.gpu[0] == gpu ? 0 : 1;
}

/** @return the first port of a GPU at an end of a queue pair */
uint32_t
PortAt(const TrainsScenario::QueuePair& pair, uint32_t gpu)
{
    return pair.gpu[0] == gpu ? pair.ports[0].first : pair.ports[0].second;
}

} // namespace

TrainsDraw::TrainsDraw(Kind kind, uint64_t seed)
    : m_kind(kind),
      m_dice(seed * 0x9e3779b97f4a7c15ULL + (kind == FABRICS ? SHORT : kind))
{
    m_scenario.seed = seed;
    m_scenario.kind = kind == SHORT      ? "short"
                      : kind == LONG     ? "long"
                      : kind == ORACLE   ? "oracle"
                      : kind == SWITCHED ? "switched"
                      : kind == TURNS    ? "turns"
                      : kind == FABRICS  ? "fabrics"
                                         : "streams";
}

TrainsScenario
TrainsDraw::Draw()
{
    if (m_kind == STREAMS)
    {
        DrawStreams();
        if (m_dice.OneIn(3))
        {
            DrawPerturbations();
        }
        m_scenario.SortActions();
        return m_scenario;
    }
    DrawRail();
    if (m_kind == SWITCHED || (m_kind == TURNS && m_dice.OneIn(3)))
    {
        DrawPacketSwitch();
    }
    if (m_kind == TURNS)
    {
        DrawQueuePairsInTurn();
    }
    else
    {
        DrawQueuePairs();
    }
    TieTimers();
    DrawMessages();
    if (m_kind != ORACLE && (m_kind != TURNS || m_dice.OneIn(2)))
    {
        DrawPackets();
        DrawPerturbations();
        DrawObservers();
    }
    if (m_kind != ORACLE)
    {
        DrawReactions();
        DrawLostTail();
    }
    if (m_scenario.packetSwitch)
    {
        ForgetCircuits();
        DrawBareGpus();
        DrawManyMessages();
    }
    m_scenario.SortActions();
    return m_scenario;
}

void
TrainsDraw::DrawPacketSwitch()
{
    TrainsScenario& s = m_scenario;
    s.gpus = m_dice.OneIn(4) ? 2 : m_dice.From(3, 6);
    s.portsPerGpu = 1;
    const Picoseconds delay = s.fibers[0];
    const uint64_t rate = s.rates[0];
    const bool same = !m_dice.OneIn(6);
    const double loss = m_dice.OneIn(5) ? s.losses[0] : 0;
    s.fibers.clear();
    s.rates.clear();
    s.losses.clear();
    s.circuits.clear();
    for (uint32_t p = 0; p < s.gpus; ++p)
    {
        s.fibers.push_back(m_dice.OneIn(3) ? DrawDelay() : delay);
        s.rates.push_back(same ? rate : DrawRate());
        s.losses.push_back(loss);
        // the pairs that exchange
        s.circuits.emplace_back(p, (p + 1) % s.gpus);
        s.circuits.emplace_back(p, 0);
        s.circuits.back().first += p == 0 ? 1 : 0;
    }
    s.linkUpTime = m_dice.OneIn(6) ? s.linkUpTime : "";
    s.traceDrops = m_dice.OneIn(10);
    TrainsScenario::PacketSwitch packetSwitch;
    packetSwitch.cutThrough = m_dice.OneIn(20);
    s.selectiveRepeat = m_dice.OneIn(20);
    packetSwitch.kmin = m_dice.OneIn(2) ? 0 : 20'000 + 10'000 * m_dice.Sized(100);
    packetSwitch.pool = m_dice.OneIn(2) ? 0 : 60'000 + 10'000 * m_dice.Sized(200);
    packetSwitch.lossless = m_dice.Pick<uint32_t>({0x08, 0x08, 0x08, 0x28, 0});
    packetSwitch.quanta = m_dice.Pick<uint32_t>({0xffff, 0xffff, 2000});
    s.packetSwitch = packetSwitch;
}

void
TrainsDraw::DrawBareGpus()
{
    TrainsScenario& s = m_scenario;
    if (m_dice.OneIn(2))
    {
        return;
    }
    for (uint32_t g = 0; g < s.gpus; ++g)
    {
        const bool used = std::any_of(s.queuePairs.begin(), s.queuePairs.end(), [g](const auto& q) {
            return q.gpu[0] == g || q.gpu[1] == g;
        });
        if (used)
        {
            continue;
        }
        s.bareGpus.push_back(g);
        if (m_dice.OneIn(2))
        {
            Action action;
            action.what = TrainsAction::EQUIP;
            action.a = g;
            Place(action);
        }
    }
}

void
TrainsDraw::ForgetCircuits()
{
    TrainsScenario& s = m_scenario;
    const auto ofCircuits = [](const Action& action) {
        return action.what == TrainsAction::DISCONNECT || action.what == TrainsAction::CONNECT ||
               action.what == TrainsAction::JOIN || action.what == TrainsAction::STUCK ||
               action.what == TrainsAction::SLOW || action.what == TrainsAction::MEND;
    };
    s.actions.erase(std::remove_if(s.actions.begin(), s.actions.end(), ofCircuits),
                    s.actions.end());
    s.reactions.erase(std::remove_if(s.reactions.begin(),
                                     s.reactions.end(),
                                     [&](const TrainsScenario::Reaction& reaction) {
                                         return ofCircuits(reaction.action);
                                     }),
                      s.reactions.end());
    for (Action& action : s.actions)
    {
        if (action.what == TrainsAction::RATE)
        {
            action.c = m_dice.Below(2);
        }
        const bool trace =
            action.what == TrainsAction::ATTACH || action.what == TrainsAction::DETACH;
        action.b -= trace && action.b == 10 ? 1 : 0; // drops are found up to a fiber delay late
    }
    s.guarded = true;
}

void
TrainsDraw::DrawRail()
{
    TrainsScenario& s = m_scenario;
    s.gpus = m_kind == ORACLE || m_dice.OneIn(2) ? 2 : m_dice.From(2, 4);
    s.portsPerGpu = m_kind == ORACLE || !m_dice.OneIn(3) ? 1 : 2;
    s.mtu = 256 << m_dice.Pick({0, 1, 2, 2, 3, 4, 4, 4});
    s.rates.assign(s.GetPorts(), DrawRate());
    if (m_kind != ORACLE && m_dice.OneIn(10))
    {
        for (uint64_t& rate : s.rates)
        {
            rate = DrawRate();
        }
    }
    const Picoseconds delay = DrawDelay();
    for (uint32_t p = 0; p < s.GetPorts(); ++p)
    {
        s.fibers.push_back(m_dice.OneIn(3) ? DrawDelay() : delay);
    }
    s.propagation =
        m_dice.OneIn(2)
            ? 0
            : m_dice.Pick<Picoseconds>(
                  {1, 1000, s.FrameTime(), s.Span(86), Picoseconds(m_dice.Below(9999))});
    const bool lossy = m_dice.OneIn(m_kind == ORACLE ? 2 : 4);
    const double loss = m_dice.Pick({0.0001, 0.001, 0.01, 0.01, 0.03, 0.1, 0.3});
    for (uint32_t p = 0; p < s.GetPorts(); ++p)
    {
        s.losses.push_back(lossy && !m_dice.OneIn(3) ? loss : 0);
    }
    s.initialPsn = m_dice.Pick<uint32_t>({0, 0, 1, 0xffffff, 0xfffff0, 0x7fff00, 0xffff});
    DrawCircuits();
    if (m_kind == ORACLE)
    {
        return;
    }
    s.selectiveRepeat = m_dice.OneIn(5);
    s.reconfiguration = m_dice.Pick<Picoseconds>(
        {1, 1000, s.FrameTime(), 10 * s.FrameTime(), 1'000'000, 1'000'000, 20'000'000});
    s.wholeSwitch = m_dice.OneIn(8);
    s.refuseWhenReconfiguring = m_dice.OneIn(8);
    if (m_dice.OneIn(3))
    {
        s.linkUpTime =
            m_dice.Pick<std::string>({"ns3::ConstantRandomVariable[Constant=0.000000000001]",
                                      "ns3::ConstantRandomVariable[Constant=0.000001]",
                                      "ns3::UniformRandomVariable[Min=0|Max=0.000005]",
                                      "ns3::UniformRandomVariable[Min=0|Max=0.00005]"});
    }
    s.traceDrops = m_dice.OneIn(3);
    s.capture = m_dice.OneIn(20);
    s.promiscuous = m_dice.OneIn(2);
}

uint64_t
TrainsDraw::DrawRate()
{
    return m_dice.Pick<uint64_t>({425, 425, 400, 400, 100, 10}) * 1'000'000'000;
}

Picoseconds
TrainsDraw::DrawDelay()
{
    const Picoseconds frame = m_scenario.FrameTime();
    switch (m_dice.Below(10))
    {
    case 0:
    case 1:
        return 0;
    case 2:
        return 98'000;
    case 3:
        return frame;
    case 4:
        return frame * m_dice.From(2, 9);
    case 5:
        return m_scenario.Span(86) * m_dice.From(1, 9);
    case 6:
        return 1'000'000;
    case 7:
        return m_dice.OneIn(2) ? 50'000'000 : 10'000'000;
    case 8:
        return frame - 1 + m_dice.Below(3);
    default:
        return m_dice.Below(500'000);
    }
}

void
TrainsDraw::DrawCircuits()
{
    TrainsScenario& s = m_scenario;
    if (m_kind == ORACLE || (s.gpus == 2 && s.portsPerGpu == 1))
    {
        s.circuits.emplace_back(0, 1);
        return;
    }
    std::vector<uint32_t> ports;
    for (uint32_t p = 0; p < s.GetPorts(); ++p)
    {
        ports.push_back(p);
    }
    for (std::size_t i = ports.size(); i-- > 1;)
    {
        std::swap(ports[i], ports[m_dice.Below(i + 1)]);
    }
    if (s.gpus == 2 && !m_dice.OneIn(6))
    {
        // both ports to the other GPU, straight or crossed
        ports =
            m_dice.OneIn(2) ? std::vector<uint32_t>{0, 2, 1, 3} : std::vector<uint32_t>{0, 3, 1, 2};
    }
    for (std::size_t i = 0; i + 1 < ports.size(); i += 2)
    {
        if (i == 0 || !m_dice.OneIn(10))
        {
            s.circuits.emplace_back(ports[i], ports[i + 1]);
        }
    }
}

TrainsScenario::Settings
TrainsDraw::DrawSettings()
{
    TrainsScenario::Settings settings;
    settings.dataClass = m_dice.OneIn(3) ? m_dice.Below(8) : 3;
    settings.ackClass = m_dice.OneIn(4)   ? settings.dataClass
                        : m_dice.OneIn(4) ? m_dice.Below(8)
                                          : 7;
    settings.cnpClass = m_dice.OneIn(4) ? settings.ackClass : m_dice.Below(8);
    settings.ackEvery = m_dice.Pick<uint32_t>({1, 2, 3, 16, 64, 64, 64, 1000, 1024});
    settings.timeoutExponent = m_dice.OneIn(2) ? m_dice.From(0, 14) : m_dice.From(8, 14);
    settings.retryLimit = m_dice.OneIn(3) ? m_dice.Below(8) : 7;
    if (m_kind != ORACLE && m_dice.OneIn(8))
    {
        settings.darkLimit = 1'000'000 * m_dice.Sized(1000);
    }
    const uint64_t congestion = m_dice.Below(m_kind == SWITCHED ? 64 : 8);
    if (congestion == 0 && m_kind != ORACLE)
    {
        settings.congestion = TrainsScenario::DCQCN;
    }
    else if (congestion <= 2 || (m_kind == SWITCHED && congestion <= 8))
    {
        settings.congestion = TrainsScenario::STATIC_WINDOW;
        settings.window = m_scenario.mtu * m_dice.Sized(300);
        settings.window += m_dice.OneIn(3) ? 1 : 0;
    }
    return settings;
}

void
TrainsDraw::DrawQueuePairs()
{
    TrainsScenario& s = m_scenario;
    const uint64_t count = m_dice.OneIn(3) ? 1 : m_dice.From(1, 5);
    const TrainsScenario::Settings common = DrawSettings();
    for (uint64_t q = 0; q < count; ++q)
    {
        TrainsScenario::QueuePair pair;
        DrawEnds(pair);
        pair.settings[0] = m_dice.OneIn(2) ? common : DrawSettings();
        pair.settings[1] = pair.settings[0];
        if (m_kind != ORACLE && m_dice.OneIn(5))
        {
            pair.settings[1] = DrawSettings();
        }
        s.queuePairs.push_back(pair);
    }
}

void
TrainsDraw::DrawQueuePairsInTurn()
{
    TrainsScenario& s = m_scenario;
    s.selectiveRepeat = s.selectiveRepeat && m_dice.OneIn(8);
    // above 16 a port has one bound for all of them (EarliestEnd::FEW)
    const uint64_t count = !m_dice.OneIn(5)  ? m_dice.From(2, 5)
                           : m_dice.OneIn(3) ? m_dice.From(17, 40)
                                             : m_dice.From(6, 12);
    TrainsScenario::Settings common = DrawSettings();
    while (common.congestion != TrainsScenario::NONE && !m_dice.OneIn(16))
    {
        common = DrawSettings();
    }
    for (uint64_t q = 0; q < count; ++q)
    {
        TrainsScenario::QueuePair pair;
        DrawEnds(pair);
        pair.settings[0] = m_dice.OneIn(12) ? DrawSettings() : common;
        if (m_dice.OneIn(2))
        {
            pair.settings[0].ackEvery = m_dice.Pick<uint32_t>({1, 2, 7, 16, 64, 200});
        }
        pair.settings[1] = pair.settings[0];
        s.queuePairs.push_back(pair);
    }
}

void
TrainsDraw::TieTimers()
{
    TrainsScenario& s = m_scenario;
    if (!m_dice.OneIn(15))
    {
        return;
    }
    const uint32_t exponent = m_dice.Below(4);
    for (TrainsScenario::Settings& settings : s.queuePairs[0].settings)
    {
        settings.timeoutExponent = exponent;
    }
    const auto [a, b] = s.circuits[0];
    const Picoseconds answer = s.Span(86 - 12, b);
    const Picoseconds round = (Picoseconds{4'096'000} << exponent) + m_dice.Below(4) - 1;
    const Picoseconds fiber = (round - answer) / 2 - s.propagation - s.fibers[b];
    s.fibers[a] = std::max<Picoseconds>(fiber, 0);
}

void
TrainsDraw::DrawEnds(TrainsScenario::QueuePair& pair)
{
    TrainsScenario& s = m_scenario;
    const uint32_t n = s.portsPerGpu;
    auto [a, b] = m_dice.OneIn(3) ? m_dice.Pick(s.circuits) : s.circuits[0];
    if (m_kind != ORACLE && (m_dice.OneIn(8) || a / n == b / n))
    {
        // along the circuits
        a = m_dice.Below(s.GetPorts());
        b = (a / n + 1 + m_dice.Below(s.gpus - 1)) % s.gpus * n;
        b += m_dice.Below(n);
    }
    if (m_dice.OneIn(m_kind == TURNS ? 6 : 2))
    {
        std::swap(a, b);
    }
    pair.gpu = {a / n, b / n};
    pair.ports = {{a % n, b % n}};
    if (n == 2 && m_dice.OneIn(2))
    {
        pair.ports.emplace_back(1 - a % n, 1 - b % n);
    }
}

uint64_t
TrainsDraw::DrawBytes(uint64_t mostFrames)
{
    const uint64_t mtu = m_scenario.mtu;
    const uint64_t frames = m_dice.Sized(mostFrames);
    switch (m_dice.Below(12))
    {
    case 0:
        return m_dice.Below(2);
    case 1:
        return m_dice.Pick({mtu - 1, mtu, mtu + 1});
    case 2:
    case 3:
    case 4:
        return mtu * frames;
    case 5:
        return mtu * frames - 1;
    case 6:
        return mtu * (frames - 1) + 1;
    default:
        return mtu * (frames - 1) + 1 + m_dice.Below(mtu);
    }
}

Picoseconds
TrainsDraw::DrawInstant(Picoseconds latest, Picoseconds span)
{
    switch (m_dice.Below(6))
    {
    case 0:
        return 0;
    case 1:
        return 1000;
    case 2:
        return latest;
    case 3:
        return latest + m_scenario.FrameTime() * m_dice.Sized(100);
    case 4:
        return 1000 + m_scenario.Span(16) + m_scenario.FrameTime() * m_dice.Sized(100);
    default:
        return m_dice.Below(span);
    }
}

void
TrainsDraw::DrawStreams()
{
    TrainsScenario& s = m_scenario;
    s.gpus = 2;
    s.portsPerGpu = 1;
    s.mtu = 256 << m_dice.Pick({0, 2, 4, 4});
    s.rates.assign(2, DrawRate());
    if (m_dice.OneIn(3))
    {
        s.rates[1] = DrawRate();
    }
    s.losses = {0, 0};
    s.circuits.emplace_back(0, 1);
    s.propagation = m_dice.OneIn(2) ? 0 : m_dice.Below(9999);
    s.fibers = {DrawDelay(), DrawDelay()};
    if (m_dice.OneIn(3))
    {
        // the last bit of a frame comes out at a frame boundary of the other wire
        s.fibers[0] = m_dice.OneIn(2) ? 0 : s.FrameTime();
        s.propagation = 0;
        s.fibers[1] = s.FrameTime() * m_dice.Below(9) + s.Span(FrameClock::GAP);
    }
    s.initialPsn = m_dice.Pick<uint32_t>({0, 0xfffff0, 0x7fff00});
    s.reconfiguration = 1'000'000;
    TrainsScenario::Settings settings;
    settings.dataClass = m_dice.Pick({0, 3, 3, 5});
    settings.ackClass = m_dice.OneIn(3) ? m_dice.Below(8) : 7;
    settings.cnpClass = settings.ackClass;
    settings.timeoutExponent = m_dice.From(6, 14);
    settings.retryLimit = 7;
    const uint64_t pairs = m_dice.From(1, 2);
    for (uint64_t q = 0; q < pairs; ++q)
    {
        TrainsScenario::QueuePair pair;
        pair.gpu = {0, 1};
        pair.ports = {{0, 0}};
        settings.ackEvery = m_dice.Pick<uint32_t>({2, 2, 3, 3, 5, 16, 64});
        pair.settings[0] = pair.settings[1] = settings;
        s.queuePairs.push_back(pair);
    }
    s.frameBudget = 2000;
    m_span = s.frameBudget * s.FrameTime() + s.fibers[0] * 2 + 1000;
    const uint64_t posts = m_dice.From(1, 4);
    for (uint64_t i = 0; i < posts; ++i)
    {
        Action action;
        action.what = TrainsAction::POST;
        action.a = i % pairs;
        action.b = i % 2;
        action.c = m_dice.Below(3);
        action.number = s.mtu * m_dice.From(50, 900) + m_dice.Below(s.mtu);
        action.at = m_dice.OneIn(2) ? 0 : m_dice.Below(m_span / 8);
        s.actions.push_back(action);
    }
    for (uint64_t reads = m_dice.Below(3); reads > 0; --reads)
    {
        Action action;
        action.what = TrainsAction::READ;
        action.at = m_dice.Below(m_span);
        s.actions.push_back(action);
    }
}

void
TrainsDraw::DrawMessages()
{
    TrainsScenario& s = m_scenario;
    uint64_t budget = m_dice.OneIn(2) ? m_dice.Sized(3000) : m_dice.From(1, 3000);
    if (m_kind == LONG)
    {
        budget = m_dice.OneIn(50) ? m_dice.From(20'000, 200'000) : m_dice.Sized(6000);
    }
    else if (m_kind == ORACLE)
    {
        budget = m_dice.Sized(400);
    }
    // longer than the standard's messages: goes in segments
    const bool huge = m_kind == LONG && s.mtu == 4096 && m_dice.OneIn(500);
    if (huge)
    {
        budget = MessageFrames::SEGMENT / s.mtu + 1000;
    }
    s.frameBudget = budget;
    m_span = budget * s.FrameTime() + s.fibers[0] * 2 + 1000;
    const bool bothWays = m_dice.OneIn(2);
    const uint64_t most = m_dice.OneIn(3) ? 2 : m_dice.From(1, 30);
    Picoseconds latest = m_kind == TURNS ? DrawMessagesInTurn(budget) : 0;
    for (uint64_t i = 0; i < most && budget > 0; ++i)
    {
        Action action;
        action.what = TrainsAction::POST;
        action.a = m_dice.Below(s.queuePairs.size());
        action.b = bothWays ? m_dice.Below(2) : 0;
        action.c = m_dice.Below(3);
        action.number = huge && i == 0  ? MessageFrames::SEGMENT + DrawBytes(500)
                        : i + 1 == most ? DrawBytes(budget)
                                        : DrawBytes(std::max<uint64_t>(budget / 2, 1));
        budget -= std::min<uint64_t>(budget, action.number / s.mtu + 1);
        action.at = DrawInstant(latest, m_span);
        action.tied = m_kind != ORACLE && m_dice.OneIn(12);
        latest = action.at;
        s.actions.push_back(action);
    }
    bool risky = s.selectiveRepeat;
    for (const TrainsScenario::QueuePair& pair : s.queuePairs)
    {
        risky =
            risky || pair.settings[0].timeoutExponent < 6 || pair.settings[1].timeoutExponent < 6;
    }
    for (const double loss : s.losses)
    {
        risky = risky || loss > 0;
    }
    s.guarded = m_kind != ORACLE && risky;
}

Picoseconds
TrainsDraw::DrawMessagesInTurn(uint64_t& budget)
{
    TrainsScenario& s = m_scenario;
    const uint64_t pairs = s.queuePairs.size();
    const bool bothWays = m_dice.OneIn(3);
    const uint64_t frames = std::max<uint64_t>(budget / pairs, 1);
    const bool alike = m_dice.OneIn(3);
    const uint64_t bytes = DrawBytes(2 * frames);
    Picoseconds latest = 0;
    for (uint64_t q = 0; q < pairs; ++q)
    {
        Action action;
        action.what = TrainsAction::POST;
        action.a = q;
        action.b = bothWays ? m_dice.Below(2) : 0;
        action.c = m_dice.Below(3);
        action.number = alike ? bytes : s.mtu * m_dice.From(1, 2 * frames) + m_dice.Below(s.mtu);
        action.at = m_dice.OneIn(2) ? 1000 : DrawInstant(latest, m_span / 4);
        action.tied = m_dice.OneIn(8);
        budget -= std::min<uint64_t>(budget, action.number / s.mtu + 1);
        latest = action.at;
        s.actions.push_back(action);
    }
    return latest;
}

void
TrainsDraw::DrawManyMessages()
{
    TrainsScenario& s = m_scenario;
    if (m_kind != SWITCHED || !m_dice.OneIn(3))
    {
        return;
    }
    const uint64_t pairs = m_dice.OneIn(2) ? 1 : s.queuePairs.size();
    for (uint64_t q = 0; q < pairs; ++q)
    {
        const uint64_t messages = m_dice.From(17, 60); // above FEW of FrameDensity
        const uint64_t frames = m_dice.From(1, 8);
        Action action;
        action.what = TrainsAction::POST;
        action.a = q;
        action.b = m_dice.Below(2);
        action.at = m_dice.OneIn(2) ? 0 : 1000;
        for (uint64_t i = 0; i < messages; ++i)
        {
            action.c = m_dice.Below(3);
            action.number = s.mtu * (frames - 1 + m_dice.Below(2)) + 1 + m_dice.Below(s.mtu);
            s.actions.push_back(action);
        }
        s.frameBudget += messages * (frames + 1);
    }
}

void
TrainsDraw::DrawPackets()
{
    TrainsScenario& s = m_scenario;
    if (!m_dice.OneIn(3))
    {
        return;
    }
    const uint64_t bursts = m_dice.From(1, 8);
    Picoseconds latest = 0;
    for (uint64_t i = 0; i < bursts; ++i)
    {
        Action action;
        action.what = TrainsAction::PACKETS;
        const auto [a, b] = m_dice.Pick(s.circuits);
        action.a = m_dice.OneIn(2) ? a : b;
        // mostly along the circuits; sometimes to another, or to all
        action.b = m_dice.OneIn(6) ? m_dice.Below(s.GetPorts() + 1) : action.a == a ? b : a;
        action.c = m_dice.Below(8);
        action.number = m_dice.Pick({46, 46, 64, 1000, 1500, 9000});
        action.times = m_dice.OneIn(2) ? 1 : m_dice.From(1, 20);
        action.at = DrawInstant(latest, m_span);
        action.tied = m_dice.OneIn(4);
        latest = action.at;
        s.actions.push_back(action);
    }
}

void
TrainsDraw::Place(Action& action)
{
    const Picoseconds frame = m_scenario.FrameTime();
    switch (m_dice.Below(4))
    {
    case 0:
        action.at = 1001 + m_scenario.Span(16) + frame * m_dice.Sized(200);
        action.at += m_dice.OneIn(2) ? m_scenario.fibers[0] : 0;
        break;
    case 1:
        action.tied = true;
        [[fallthrough]];
    default:
        action.at = 1 + m_dice.Below(m_span);
    }
    m_scenario.actions.push_back(action);
}

void
TrainsDraw::DrawPerturbations()
{
    TrainsScenario& s = m_scenario;
    const uint64_t count = m_dice.OneIn(2) ? 0 : m_dice.Sized(6);
    for (uint64_t i = 0; i < count; ++i)
    {
        Action action;
        const auto [a, b] = m_dice.Pick(s.circuits);
        action.a = m_dice.OneIn(2) ? a : b;
        action.b = action.a == a ? b : a;
        switch (m_dice.Below(9))
        {
        case 0:
        case 1:
            action.what = TrainsAction::DISCONNECT;
            Place(action);
            action.what = TrainsAction::CONNECT;
            if (m_dice.OneIn(2))
            {
                action = s.actions.back(); // at once: waits behind it
                action.what = TrainsAction::CONNECT;
                s.actions.push_back(action);
            }
            else
            {
                Place(action);
            }
            break;
        case 2:
            action.what = TrainsAction::JOIN;
            action.b = (action.a + 1 + m_dice.Below(s.GetPorts() - 1)) % s.GetPorts();
            Place(action);
            break;
        case 3:
            action.what = TrainsAction::CUT;
            action.share = m_dice.Pick({0.0, 0.25, 0.5, 1.0, 0.7310});
            Place(action);
            action.what = TrainsAction::SPLICE;
            Place(action);
            break;
        case 4:
            action.what = m_dice.OneIn(2) ? TrainsAction::STUCK : TrainsAction::SLOW;
            action.number = m_dice.Below(5'000'000);
            Place(action);
            action.what = TrainsAction::MEND;
            Place(action);
            break;
        case 5:
            action.what = TrainsAction::RATE;
            action.number = DrawRate();
            Place(action);
            break;
        case 6:
            action.what = TrainsAction::PAUSE;
            action.b = m_dice.Below(8);
            action.number = m_dice.Pick({0, 1, 10, 100, 1000, 65535});
            action.b = m_dice.OneIn(2) ? s.queuePairs[0].settings[0].dataClass : action.b;
            Place(action);
            break;
        case 7:
            action.what = TrainsAction::LOSS;
            action.share = m_dice.Pick({0.001, 0.01, 0.1, 0.3});
            action.at = 1 + m_dice.Below(m_span);
            s.actions.push_back(action);
            s.guarded = true;
            break;
        default:
            action.what = TrainsAction::KICK;
            Place(action);
        }
    }
}

void
TrainsDraw::DrawObservers()
{
    TrainsScenario& s = m_scenario;
    const uint64_t reads = m_dice.OneIn(2) ? 0 : m_dice.Sized(5);
    for (uint64_t i = 0; i < reads; ++i)
    {
        Action action;
        action.what = TrainsAction::READ;
        action.at = 1 + m_dice.Below(m_span);
        s.actions.push_back(action);
    }
    const uint64_t traces = m_dice.OneIn(3) ? m_dice.From(1, 3) : 0;
    for (uint64_t i = 0; i < traces; ++i)
    {
        Action action;
        const bool sink = m_dice.OneIn(4);
        action.what = sink ? TrainsAction::ADD_SINK : TrainsAction::ATTACH;
        action.a = m_dice.Below(s.GetPorts());
        action.b = m_dice.Below(WATCHED);
        action.at = m_dice.OneIn(3) ? 0 : 1 + m_dice.Below(m_span);
        action.number = i; // its name
        s.actions.push_back(action);
        if (!m_dice.OneIn(3))
        {
            action.what = sink ? TrainsAction::REMOVE_SINK : TrainsAction::DETACH;
            action.at += 1 + m_dice.Below(m_span);
            s.actions.push_back(action);
        }
    }
    const uint64_t stops = m_dice.OneIn(4) ? m_dice.From(1, 2) : 0;
    for (uint64_t i = 0; i < stops; ++i)
    {
        s.stops.push_back(1 + m_dice.Below(m_span));
    }
    std::sort(s.stops.begin(), s.stops.end());
}

void
TrainsDraw::DrawLostTail()
{
    TrainsScenario& s = m_scenario;
    std::vector<Action> posts;
    std::copy_if(s.actions.begin(),
                 s.actions.end(),
                 std::back_inserter(posts),
                 [](const Action& action) { return action.what == TrainsAction::POST; });
    if (!s.selectiveRepeat || posts.empty() || m_dice.OneIn(3))
    {
        return;
    }
    const Action& post = m_dice.Pick(posts);
    const TrainsScenario::QueuePair& pair = s.queuePairs[post.a];
    const auto [here, there] = m_dice.Pick(pair.ports);
    const uint64_t frames = post.number / s.mtu / pair.ports.size() + 1;
    Action action;
    action.a = pair.gpu[post.b] * s.portsPerGpu + (post.b == 0 ? here : there);
    action.at = post.at + 1 + (frames - m_dice.Sized(frames)) * s.FrameTime();
    action.share = 1;
    const bool dark = m_dice.OneIn(4);
    action.what = dark ? TrainsAction::CUT : TrainsAction::LOSS;
    s.actions.push_back(action);
    action.at += s.fibers[action.a] + m_dice.From(1, 2 * frames) * s.FrameTime();
    action.share = 0;
    action.what = dark ? TrainsAction::SPLICE : TrainsAction::LOSS;
    s.actions.push_back(action);
}

void
TrainsDraw::DrawReactions()
{
    TrainsScenario& s = m_scenario;
    if (!m_dice.OneIn(3))
    {
        return;
    }
    const uint64_t count = m_dice.From(1, 3);
    std::vector<std::pair<uint32_t, uint32_t>> striped; // that react already
    for (uint64_t i = 0; i < count; ++i)
    {
        TrainsScenario::Reaction reaction;
        reaction.queuePair = m_dice.Below(s.queuePairs.size());
        reaction.end = m_dice.Below(2);
        reaction.settled = m_dice.OneIn(2);
        reaction.every = m_dice.OneIn(2) ? 1 : m_dice.From(1, 3);
        reaction.most = m_dice.Sized(30);
        Action& action = reaction.action;
        action.what = m_dice.OneIn(5) ? m_dice.Pick({TrainsAction::DISCONNECT,
                                                     TrainsAction::CONNECT,
                                                     TrainsAction::SILENT_READ,
                                                     TrainsAction::SILENT_ATTACH,
                                                     TrainsAction::SILENT_DETACH,
                                                     TrainsAction::KICK})
                                      : TrainsAction::POST;
        if (action.what != TrainsAction::POST)
        {
            const auto [a, b] = m_dice.Pick(s.circuits);
            const bool circuit =
                action.what == TrainsAction::DISCONNECT || action.what == TrainsAction::CONNECT;
            action.a = a;
            action.b = circuit ? b : m_dice.Below(WATCHED);
            reaction.most = std::min<uint32_t>(reaction.most, 2);
            if (circuit)
            {
                UntieCircuits();
            }
            s.reactions.push_back(reaction);
            continue;
        }
        action.a = DrawTarget(reaction);
        action.b = EndAt(s.queuePairs[action.a], GpuOf(reaction));
        const std::pair<uint32_t, uint32_t> target(action.a, action.b);
        const bool wide = s.queuePairs[reaction.queuePair].ports.size() > 1;
        if (wide && std::find(striped.begin(), striped.end(), target) != striped.end())
        {
            continue;
        }
        striped.push_back(target);
        action.c = m_dice.Below(3);
        action.number = DrawBytes(std::max<uint64_t>(s.frameBudget / 16, 1));
        s.frameBudget += action.number / s.mtu * reaction.most;
        s.reactions.push_back(reaction);
        for (Action& post : s.actions)
        {
            if (post.what == TrainsAction::POST && post.a == action.a && post.b == action.b)
            {
                post.tied = false;
                post.at = std::min<Picoseconds>(post.at, 1000);
            }
        }
    }
    // reactions cause further reactions
    s.guarded = s.guarded || s.reactions.size() > 1;
}

void
TrainsDraw::UntieCircuits()
{
    for (Action& action : m_scenario.actions)
    {
        if (action.what == TrainsAction::DISCONNECT || action.what == TrainsAction::CONNECT ||
            action.what == TrainsAction::JOIN)
        {
            action.tied = false;
        }
    }
}

uint32_t
TrainsDraw::GpuOf(const TrainsScenario::Reaction& reaction) const
{
    return m_scenario.queuePairs[reaction.queuePair].gpu[reaction.end];
}

uint32_t
TrainsDraw::DrawTarget(const TrainsScenario::Reaction& reaction)
{
    const TrainsScenario& s = m_scenario;
    const TrainsScenario::QueuePair& source = s.queuePairs[reaction.queuePair];
    const uint32_t candidate = m_dice.Below(s.queuePairs.size());
    const TrainsScenario::QueuePair& target = s.queuePairs[candidate];
    const uint32_t gpu = source.gpu[reaction.end];
    if (m_dice.OneIn(2) || source.ports.size() > 1 || target.ports.size() > 1 ||
        (target.gpu[0] != gpu && target.gpu[1] != gpu) ||
        PortAt(source, gpu) != PortAt(target, gpu))
    {
        return reaction.queuePair;
    }
    return candidate;
}

} // namespace ns3
