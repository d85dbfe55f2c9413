/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ECN_PROFILE_H
#define PHOTONIC_RAILS_ECN_PROFILE_H

#include "ecn-marking.h"

#include "ns3/egress-turns.h"

#include <array>
#include <cstdint>
#include <map>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The settings of a packet switch for marks of Congestion Experienced: which classes mark,
 * and from which length of a queue on.
 *
 * A class marks by thresholds of its own, by the common ones, or not at all. A common threshold of
 * 0 stands for the default at the rate of a port (EcnMarking::GetDefaults()).
 *
 * Plain C++: no simulator.
 */
class EcnProfile
{
  public:
    static constexpr uint32_t CLASSES = EgressTurns::CLASSES; //!< traffic classes

    /**
     * Sets the thresholds of the classes that have none of their own.
     * @param classes a bit for each class that marks
     * @param kmin bytes up to which no frame is marked; 0: by rate
     * @param kmax bytes beyond which every frame is marked; 0: by rate
     * @param pmax marked share at kmax, 0 to 1
     */
    void SetCommon(uint8_t classes, uint64_t kmin, uint64_t kmax, double pmax);

    /** Sets thresholds of a class of its own. Aborts if they are invalid. */
    void SetOwn(uint32_t trafficClass, uint64_t kmin, uint64_t kmax, double pmax);

    /**
     * @param bitsPerSecond rate of a port
     * @param largestFrame in bytes, without preamble and gap
     * @return the marking of each class at that port
     */
    std::array<EcnMarking, CLASSES> GetMarking(uint64_t bitsPerSecond, uint32_t largestFrame) const;

  private:
    uint8_t m_classes{0};
    uint64_t m_kmin{0};
    uint64_t m_kmax{0};
    double m_pmax{0};
    std::map<uint32_t, EcnMarking> m_own; //!< of classes that have their own
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ECN_PROFILE_H */
