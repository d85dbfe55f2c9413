/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROTOR_SCHEDULE_H
#define PHOTONIC_RAILS_ROTOR_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** A circuit between ports of two GPUs of a rail, by their places on it. */
struct RotorCircuit
{
    uint32_t one{0};
    uint32_t onePort{0};
    uint32_t other{0};
    uint32_t otherPort{0};
};

/**
 * @ingroup photonic-rails
 * @brief The pairs of GPUs that are joined in each slot, on a rail whose circuits rotate
 * independent of requests: each two GPUs are joined in exactly one slot of a cycle.
 *
 * With one port for each GPU, slots are the matchings of a round robin tournament. With more, they
 * are circulants: offset o joins each place i with i + o and i - o, modulo the places, and takes
 * two ports of each GPU; so all rings of that stride are complete in one slot. Half the places as
 * an offset joins opposite places and takes one port. An odd port serves that offset only: any
 * other use of it would divide a ring between slots. Remaining ports of a slot join its pairs
 * again.
 *
 * | ports | slots of n places, n even | n odd              |
 * |-------|---------------------------|--------------------|
 * | 1     | n - 1                     | n                  |
 * | 2     | n / 2                     | (n - 1) / 2        |
 * | 4     | n / 4, rounded up         | (n - 1) / 4, up    |
 *
 * It keeps two numbers only, so its memory does not grow with the number of GPUs.
 */
class RotorSchedule
{
  public:
    /**
     * @param places number of GPUs of the rail, 1 or more
     * @param ports of each GPU, 1 or more
     */
    RotorSchedule(uint32_t places, uint32_t ports);

    /** @return the number of slots of a cycle, 1 or more */
    uint32_t GetSlots() const;
    /** @return the slot in which two different places meet */
    uint32_t GetSlot(uint32_t one, uint32_t other) const;
    /**
     * @param slot below GetSlots()
     * @return the circuits of the slot
     */
    std::vector<RotorCircuit> GetCircuits(uint32_t slot) const;

  private:
    /** @return the slot of an offset */
    uint32_t GetSlotOf(uint32_t offset) const;
    /** @return the number of ports of each GPU that an offset takes */
    uint32_t CountPorts(uint32_t offset) const;
    /** @return the offsets of a slot */
    std::vector<uint32_t> GetOffsets(uint32_t slot) const;
    /** Joins all places that are an offset apart. */
    void AddOffset(std::vector<RotorCircuit>& circuits, uint32_t offset, uint32_t port) const;

    /** @return the matching of a round of the tournament */
    std::vector<RotorCircuit> GetMatching(uint32_t round) const;

    uint32_t m_places;
    uint32_t m_ports;
    uint32_t m_wide; //!< number of offsets that take two ports: all below half the places
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROTOR_SCHEDULE_H */
