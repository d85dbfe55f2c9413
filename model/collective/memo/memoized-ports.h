/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMOIZED_PORTS_H
#define PHOTONIC_RAILS_MEMOIZED_PORTS_H

#include "memoized-call.h"

#include "ns3/batch-mode.h"
#include "ns3/ptr.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-held.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ports of fabrics inside servers that the messages of an operation take, while the
 * operation is held or recorded. No other traffic uses them meanwhile, or the operation goes on by
 * messages, and is not kept.
 */
class MemoizedPorts
{
  public:
    /** @param ahead the operation: Disturb() is called before something else uses its ports */
    explicit MemoizedPorts(BatchAhead& ahead);
    ~MemoizedPorts();
    MemoizedPorts(const MemoizedPorts&) = delete;
    MemoizedPorts& operator=(const MemoizedPorts&) = delete;

    /** Takes a port. @return whether it is quiet, or taken already */
    bool Take(const ScaleUpPort& port);

    /** The messages of the operation are held from now on: has the fabrics say what disturbs. */
    void Hold();

    /** They are not held any more. */
    void Release();

    /** @param expected of a port: adds to what the operation is to send and get at it */
    void Expect(const ScaleUpPort& port, const ScaleUpCount& expected);

    /** @return whether nothing else has used the ports since they were taken */
    bool HaveSentExpected() const;

    /** The operation was held to its end: adds what is expected to the counts of the fabrics. */
    void CountExpected() const;

  private:
    /** A port that is taken. */
    struct Port
    {
        MemberId member;
        ScaleUpCount before;     //!< when it was taken
        ScaleUpCount expected{}; //!< of the operation
    };

    /** The ports of one fabric. */
    class Fabric : public ScaleUpHeld
    {
      public:
        Fabric(const Ptr<ScaleUpDomain>& domain, BatchAhead& ahead);

        // ScaleUpHeld
        void Disturb(MemberId one, MemberId other) override;
        void DisturbAll() override;

        /** @return a port that is taken; null: it is not */
        Port* Find(MemberId member);

        Ptr<ScaleUpDomain> domain;
        std::vector<Port> ports;

      private:
        BatchAhead& m_ahead;
    };

    /** @return the ports of a fabric */
    Fabric& Get(const Ptr<ScaleUpDomain>& domain);

    BatchAhead& m_ahead;
    std::vector<std::unique_ptr<Fabric>> m_fabrics;
    std::size_t m_held{0}; //!< fabrics that say what disturbs, the first ones
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMOIZED_PORTS_H */
