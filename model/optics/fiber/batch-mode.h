/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BATCH_MODE_H
#define PHOTONIC_RAILS_BATCH_MODE_H

#include "ns3/picoseconds.h"
#include "ns3/simple-ref-count.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

class BatchMode;

/**
 * @ingroup photonic-rails
 * @brief One who knows what circuits in batch mode carry for a while, so that they need no frames:
 * it adds to counts when that is over.
 */
class BatchAhead
{
  public:
    virtual ~BatchAhead() = default;

    /**
     * Something else is about to happen to one of the circuits, or a count is read: releases all
     * circuits that it has reserved, and brings them into the state that they would have now.
     */
    virtual void Disturb() = 0;

    /**
     * Another one asks for a circuit that this one has reserved. It may have it if this one sends
     * nothing more on it; then the state of both is one, and who disturbs one disturbs the other.
     * @param from when the other one may send, by end
     * @return whether this one has passed it on
     */
    virtual bool HandOver(const BatchMode& circuit,
                          const std::array<Picoseconds, 2>& from,
                          BatchAhead& to)
    {
        (void)circuit;
        (void)from;
        (void)to;
        return false;
    }
};

/**
 * @ingroup photonic-rails
 * @brief One who relies on it that circuits in batch mode carry nothing but its own for a while.
 */
class BatchWatch
{
  public:
    virtual ~BatchWatch() = default;

    /** Something else happens to one of the circuits, now. No result may change meanwhile. */
    virtual void Interfere() = 0;
};

/** What the times of frames on a quiet circuit depend on, by end. */
struct BatchShape
{
    std::array<uint64_t, 2> rates{};   //!< of the ports, in bit/s
    std::array<Picoseconds, 2> ways{}; //!< from the port to the other
};

/**
 * @ingroup photonic-rails
 * @brief The batch mode of a circuit, as the fibers and NIC ports of the circuit see it.
 *
 * While a circuit is in batch mode, its frames have no events of their own. So a fiber or a port
 * calls Leave() before anything changes that batch mode does not do, and CatchUpWholly() before a
 * count is read.
 */
class BatchMode : public SimpleRefCount<BatchMode>
{
  public:
    virtual ~BatchMode() = default;

    /** Returns to packet events, now. @param why the reason, for the log */
    virtual void Leave(const std::string& why) = 0;

    /** The simulation is over: drops all state. */
    virtual void Abandon() = 0;

    /** Computes everything before now, so that an offload may be called. */
    virtual void CatchUp() = 0;

    /** The same, for a call that only adds frames to send: open runs stay whole. */
    virtual void Advance() = 0;

    /** Computes and counts everything before now. */
    virtual void CatchUpWholly() = 0;

    /** An offload has frames to send, now. @param end the number of its end */
    virtual void Kick(uint32_t end) = 0;

    /** @return whether the present calls to an offload belong to a past instant */
    virtual bool IsInThePast() const = 0;

    /**
     * Reserves the circuit for one who knows what it carries from now on.
     * @param ahead gets a call before any other call here has an effect
     * @return whether the circuit is reserved: it is quiet, and loses no frames
     */
    virtual bool Reserve(BatchAhead& ahead)
    {
        (void)ahead;
        return false;
    }

    /** @return for whom it is reserved, and so quiet; null: for nobody */
    virtual BatchAhead* GetAhead() const
    {
        return nullptr;
    }

    /** @return whether it is reserved, and so quiet */
    bool IsReserved() const
    {
        return GetAhead() != nullptr;
    }

    /**
     * A circuit that is reserved is so for another one from now on. What it carries may still be
     * made up for, from the instant on at which it was reserved first.
     */
    virtual void PassOn(BatchAhead& ahead)
    {
        (void)ahead;
    }

    /** @param watch is notified when batch mode is left, instead of the one before; null: nobody
     * does */
    virtual void SetWatch(BatchWatch* watch)
    {
        (void)watch;
    }

    /** @return who is notified when batch mode is left; null: nobody */
    virtual BatchWatch* GetWatch() const
    {
        return nullptr;
    }

    /** Ends the reservation. */
    virtual void Release()
    {
    }

    /** Brings the circuit into its present state, if it is reserved. */
    virtual void MakeUp()
    {
    }

    /**
     * Counts frames that were neither computed nor had events, and that have all arrived.
     * @param end that has sent them
     */
    virtual void CountAhead(uint32_t end, uint64_t frames)
    {
        (void)end;
        (void)frames;
    }

    /** @return what the times of frames depend on; of a circuit that may be reserved */
    virtual BatchShape GetShape() const
    {
        return {};
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BATCH_MODE_H */
