/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMOIZED_CIRCUITS_H
#define PHOTONIC_RAILS_MEMOIZED_CIRCUITS_H

#include "frame-totals.h"

#include "ns3/batch-mode.h"
#include "ns3/ptr.h"
#include "ns3/rail-net-device.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits that an operation uses, each from the first entry of one of its ranks on.
 */
class MemoizedCircuits
{
  public:
    /** One end of a circuit. */
    struct End
    {
        std::size_t circuit{0};
        uint32_t end{0};
    };

    /**
     * Takes the circuit of two ports, unless it is taken already.
     * @param sends whether the first port sends data at once; else it has answers only
     * @param ahead for which it is reserved
     * @param [out] here the end of the first port
     * @return whether it is taken: it was quiet, or is handed over
     */
    bool Take(const Ptr<RailNetDevice>& one,
              const Ptr<RailNetDevice>& other,
              bool sends,
              BatchAhead& ahead,
              End& here);

    /** Gives a circuit to another one. */
    void HandOver(std::size_t circuit, BatchAhead& to);

    /** @return the number of a circuit that is reserved, from 0; none: it is none of them */
    std::optional<std::size_t> Find(const BatchMode& mode) const;

    /** @return what times of frames depend on; by end of the circuit */
    BatchShape GetShape(const End& end) const
    {
        return m_circuits[end.circuit].mode->GetShape();
    }

    /** Ends all reservations. */
    void Release();

    /** Adds frames that an end has sent. */
    void AddFrames(const End& end, uint64_t frames)
    {
        m_circuits[end.circuit].frames[end.end] += frames;
    }

    /** Shows frames that an end has sent to the sinks of both ports. */
    void ShowToSinks(const End& end, const FrameTotals& frames) const;

    /**
     * Brings the counts of ports and queue pairs up to now. Circuits that a later operation has
     * reserved were brought up when it did, and are quiet.
     */
    void CatchUp() const;

    /** Has a watch notified when circuits leave trains. */
    void SetWatch(BatchWatch& watch);

    /** It is not notified of that any more. */
    void EndWatch(const BatchWatch& watch);

    /**
     * @return whether circuits are quiet (a later operation may have reserved them), have never
     * left trains, and their ports have sent the frames that were added and no others, since they
     * were taken
     */
    bool HaveSentAdded(BatchAhead& ahead);

    /** Counts the frames that were added, as sent by now. */
    void CountAdded();

  private:
    /** A circuit. */
    struct Circuit
    {
        Ptr<BatchMode> mode;
        std::array<Ptr<RailNetDevice>, 2> ports; //!< by end
        bool isReserved{false};
        std::array<uint64_t, 2> sent{};   //!< by end, when it was taken
        std::array<uint64_t, 2> frames{}; //!< by end, that were added
    };

    std::vector<Circuit> m_circuits;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMOIZED_CIRCUITS_H */
