/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_JOURNAL_H
#define PHOTONIC_RAILS_JOB_JOURNAL_H

#include "job-tally.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What the ranks of one process of a distributed simulation do, with its instants, so that
 * the counts of a job at an instant are known when all processes have ended.
 *
 * An iteration ends with its last operation on any process, which no process knows at that instant.
 * So each keeps when its own ranks have ended theirs, and what they do: some 30 bytes an operation.
 */
class JobJournal
{
  public:
    /** Computing of a rank that has ended. */
    struct Computed
    {
        Picoseconds at;
        Picoseconds duration;
        uint32_t iteration;
    };

    /** A background operation that has ended, or a message that was forwarded. */
    struct Exchange
    {
        Picoseconds at;
        uint32_t iteration;
        uint32_t path;      //!< a TrafficPath
        uint64_t messages;  //!< of an operation
        uint64_t bytes;     //!< of an operation
        uint64_t forwarded; //!< bytes that a rank forwarded for others of its server
    };

    /** The counts of the control plane from an instant on; times are sums over ranks. */
    struct Control
    {
        Picoseconds at;
        Picoseconds exposed;
        Picoseconds exposedLinkUp;
        Picoseconds hidden;
        Picoseconds hiddenLinkUp;
        uint64_t reconfigurations;
        uint64_t wrongPredictions;
    };

    /** A message of the control plane that was sent. */
    struct Sent
    {
        Picoseconds at;
        uint64_t messages;
    };

    /** All ranks of the process have ended an iteration, now. @param iteration from 0 */
    void End(uint32_t iteration, Picoseconds now);
    /** Adds computing that ends. */
    void Add(const Computed& computed);
    /** Adds an exchange. */
    void Add(const Exchange& exchange);
    /** The control plane has these counts from an instant on. */
    void Set(const Control& control);
    /** The control plane has sent messages. */
    void Add(const Sent& sent);

    /** Adds the journal of another process. */
    void Add(const JobJournal& other);

    /** @return the instant at which an iteration has ended on all processes @param iteration from 0
     */
    Picoseconds GetEnd(uint32_t iteration) const;

    /**
     * Adds what was counted up to the end of an iteration; of its instant, only what belongs to the
     * iteration and those before it.
     * @param tally gets sums over ranks
     */
    void Count(uint32_t iteration, JobTally& tally) const;

    /** Puts all of it. */
    void Put(ByteWriter& bytes) const;
    /** @return the journal of Put() */
    static JobJournal Take(ByteReader& bytes);

  private:
    std::vector<Picoseconds> m_ends; //!< by iteration
    std::vector<Computed> m_computed;
    std::vector<Exchange> m_exchanges;
    std::vector<Control> m_control;
    std::vector<Sent> m_sent;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_JOURNAL_H */
