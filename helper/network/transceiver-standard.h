/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRANSCEIVER_STANDARD_H
#define PHOTONIC_RAILS_TRANSCEIVER_STANDARD_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The optical power of a kind of transceiver, of each wavelength, on average.
 *
 * A receiver gets light of the least launch power, less the loss of the circuit: the difference to
 * its sensitivity is the loss that a circuit may have.
 */
struct TransceiverStandard
{
    std::string name;
    double launchDbm;      //!< average launch power, at least
    double sensitivityDbm; //!< average receive power, at least

    /** @return all that are known */
    static const std::vector<TransceiverStandard>& GetAll();

    /** @return the one of a name; aborts and lists the known ones if there is none */
    static const TransceiverStandard& Get(const std::string& name);

    /** @return the loss that a circuit may have, in dB */
    double GetBudget() const
    {
        return launchDbm - sensitivityDbm;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRANSCEIVER_STANDARD_H */
