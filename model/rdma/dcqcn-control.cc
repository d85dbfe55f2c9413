/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dcqcn-control.h"

#include "dcqcn.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/**
 * Stops the run if a timer of DCQCN takes no time. An attribute's checker cannot: it is made before
 * the resolution is a picosecond, and its limit of 1 ps is then 0.
 * @return the span
 */
Picoseconds
CheckTimer(const char* name, Time span)
{
    NS_ABORT_MSG_UNLESS(span.IsStrictlyPositive(),
                        "DcqcnControl: " << name << " of " << span.GetTimeStep()
                                         << " ps never lets time go on; give at least 1 ps");
    return span.GetTimeStep();
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DcqcnControl);

TypeId
DcqcnControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcqcnControl")
            .SetParent<CongestionControl>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<DcqcnControl>()
            .AddAttribute("MinimumRate",
                          "A rate never falls below.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&DcqcnControl::m_minimumRate),
                          MakeDataRateChecker())
            .AddAttribute("AdditiveStep",
                          "Step of additive increase, R_AI.",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&DcqcnControl::m_additiveStep),
                          MakeDataRateChecker())
            .AddAttribute("HyperStep",
                          "Step of hyper increase, R_HAI.",
                          DataRateValue(DataRate("400Mbps")),
                          MakeDataRateAccessor(&DcqcnControl::m_hyperStep),
                          MakeDataRateChecker())
            .AddAttribute("AlphaTimer",
                          "K: without a notification for so long alpha falls; at least 1 ps.",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcqcnControl::m_alphaTimer),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RateTimer",
                          "T: time between two increases of the rate; at least 1 ps.",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcqcnControl::m_rateTimer),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ByteCounter",
                          "B: bytes between two increases of the rate.",
                          UintegerValue(10'000'000),
                          MakeUintegerAccessor(&DcqcnControl::m_byteCounter),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("GainShift",
                          "g is 2 to the minus this.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&DcqcnControl::m_gainShift),
                          MakeUintegerChecker<uint32_t>(1, 31))
            .AddAttribute("FastRecovery",
                          "F: rounds of fast recovery.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&DcqcnControl::m_fastRecovery),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::unique_ptr<CongestionState>
DcqcnControl::MakeState(DataRate lineRate) const
{
    DcqcnSettings settings;
    settings.lineRate = lineRate.GetBitRate();
    settings.minimumRate = m_minimumRate.GetBitRate();
    settings.additiveStep = m_additiveStep.GetBitRate();
    settings.hyperStep = m_hyperStep.GetBitRate();
    settings.alphaTimer = CheckTimer("AlphaTimer", m_alphaTimer);
    settings.rateTimer = CheckTimer("RateTimer", m_rateTimer);
    settings.byteCounter = m_byteCounter;
    settings.gainShift = m_gainShift;
    settings.fastRecovery = m_fastRecovery;
    return std::make_unique<Dcqcn>(settings);
}

} // namespace ns3
