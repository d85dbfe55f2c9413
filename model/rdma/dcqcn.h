/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DCQCN_H
#define PHOTONIC_RAILS_DCQCN_H

#include "congestion-state.h"

#include "ns3/frame-clock.h"
#include "ns3/ring-queue.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The parameters of DCQCN.
 *
 * Defaults: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015
 * (section 5, parameters of the deployment). The paper takes the step of hyper increase from QCN
 * (IEEE 802.1Qau), where it is ten times that of additive increase.
 */
struct DcqcnSettings
{
    uint64_t lineRate{400'000'000'000}; //!< bits a second
    uint64_t minimumRate{100'000'000};  //!< bits a second; the lower limit of the rate
    uint32_t gainShift{8};              //!< g = 2^-gainShift: 1/256
    Picoseconds alphaTimer{55'000'000}; //!< K: after this time without a notification, alpha falls
    Picoseconds rateTimer{55'000'000};  //!< T: time between two increases by time
    uint64_t byteCounter{10'000'000};   //!< B: bytes between two increases by volume
    uint32_t fastRecovery{5};           //!< F: rounds of fast recovery
    uint64_t additiveStep{40'000'000};  //!< R_AI, bits a second
    uint64_t hyperStep{400'000'000};    //!< R_HAI, bits a second
};

/**
 * @ingroup photonic-rails
 * @brief The reaction point of DCQCN: a rate that falls at congestion notifications and recovers by
 * time and volume.
 *
 * At a notification: target = rate, rate *= 1 - alpha / 2, alpha = (1 - g) alpha + g. Without one
 * for K, alpha *= 1 - g. Every T and every B bytes an increase: F rounds of fast recovery (rate
 * goes half way to the target); then, when one of the two has passed F, additive increase of the
 * target by R_AI; when both have, hyper increase by i R_HAI. At line rate the rate's timer does not
 * run.
 *
 * The timers have no events: each frame first computes the changes that were due before it.
 *
 * The distance between frames follows from the rate, to the picosecond. Rates are whole bits a
 * second and alpha is a fixed-point number of 32 bits, so that runs repeat on any machine.
 */
class Dcqcn : public CongestionState
{
  public:
    explicit Dcqcn(const DcqcnSettings& settings);

    /** @return the present rate, bits a second */
    uint64_t GetRate() const;

    /** @return the target rate, bits a second */
    uint64_t GetTarget() const;

    /** @return alpha, as a share of 2^32 */
    uint64_t GetAlpha() const;

    /**
     * Computes the changes before an instant; OnSent() does that by itself.
     * @param instant changes at this instant or later are not included
     */
    void Advance(Picoseconds instant);

    bool IsPaced() const override;
    Picoseconds OnSent(Picoseconds first, uint64_t wireBytes) override;
    void OnCongestion(Picoseconds now) override;

  private:
    /** Lowers the rate after a notification. */
    void Decrease(Picoseconds now);
    /** One step of recovery. */
    void Increase();

    DcqcnSettings m_settings;
    uint64_t m_rate;
    uint64_t m_target;
    uint64_t m_alpha;
    Picoseconds m_alphaDue{NEVER};          //!< next decrease of alpha
    Picoseconds m_rateDue{NEVER};           //!< next increase of the rate
    uint64_t m_bytes{0};                    //!< sent since the last increase by volume
    uint32_t m_timeRounds{0};               //!< increases by time since the last notification
    uint32_t m_byteRounds{0};               //!< increases by volume since then
    RingQueue<Picoseconds> m_notifications; //!< that are not applied yet
    FrameClock m_clock;                     //!< of departures, at the present rate
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DCQCN_H */
