/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CARRIER_RECORD_H
#define PHOTONIC_RAILS_CARRIER_RECORD_H

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

class RailNetDevice;

/**
 * @ingroup photonic-rails
 * @brief The times in which a NIC port has carrier, from now on.
 */
class CarrierRecord : public SimpleRefCount<CarrierRecord>
{
  public:
    /** Records a port. */
    static Ptr<CarrierRecord> Record(const Ptr<RailNetDevice>& nic);

    /** @return the time without carrier from the begin of the record to an instant */
    Time GetDark(Time end) const;

  private:
    void Changed(bool carrier);
    /** The begin of the simulation: circuits that were set up before it have light. */
    void Look(const RailNetDevice* nic);

    Time m_begin{0};
    std::optional<Time> m_since;              //!< carrier came, and is there
    std::vector<std::pair<Time, Time>> m_lit; //!< from, to
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CARRIER_RECORD_H */
