/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_ROWS_H
#define PHOTONIC_RAILS_FAULT_ROWS_H

#include "result-source.h"

#include "ns3/fault-injector.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the faults of a cluster: the table `faults`.
 */
class FaultRows : public ResultSource
{
  public:
    explicit FaultRows(std::shared_ptr<ResultWriter> writer);

    /** Records the faults of an injector, those that hold now too. */
    static Ptr<FaultRows> Record(FaultInjector& injector,
                                 const std::shared_ptr<ResultWriter>& writer);

    void Close() override;

  private:
    /** A fault that holds. */
    struct Holding
    {
        Fault fault;
        Time start{0};
        std::string outcome;
    };

    void Began(const Fault& fault, const std::string& outcome);
    void Ended(const Fault& fault, const std::string& outcome);

    std::vector<Holding> m_holding;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_ROWS_H */
