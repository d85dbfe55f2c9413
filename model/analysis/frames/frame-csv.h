/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_CSV_H
#define PHOTONIC_RAILS_FRAME_CSV_H

#include "frame-batch.h"
#include "frame-file.h"
#include "frame-merge.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes one line of comma-separated values for each frame of a NIC port.
 *
 * The first line names the columns:
 *
 * - direction: sent or received (whole, for any destination)
 * - first_ps, last_ps: the instants of its first and its last bit at the port, in picoseconds. The
 *   first bit is that of the preamble, the last that of the frame check sequence.
 * - kind: write-middle, acknowledge, host and so on (FrameKind)
 * - psn: packet sequence number; empty for a frame that is not RoCE
 * - wire_bytes: size with preamble and gap
 * - payload: bytes, without padding; for a packet of the host stack, all bytes after its Ethernet
 *   header, padding included
 * - ack_request: 1 if it requests an acknowledgement, else 0; empty for a frame that is not RoCE
 * - source, destination: MAC addresses
 *
 * The lines are in the order of FrameMerge. The file is complete when the port is disposed of, in
 * Simulator::Destroy(), or when the sink is destroyed.
 */
class FrameCsv : public FrameSink
{
  public:
    /** @param name of the file; an existing file is replaced */
    explicit FrameCsv(const std::string& name);
    ~FrameCsv() override;

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;

  private:
    /** Frames that have the same text except for instants and PSN. */
    class Batch : public FrameBatch
    {
      public:
        Batch(bool sent, const WireFrame& head, const RoceFrame& tail, const RunClock& times);
        /** Goes to the next frame. @return false if there is none */
        bool Next();

        static constexpr std::size_t LARGEST = 80; //!< bytes of either text

        char beforePsn[LARGEST]{}; //!< from the comma before the kind on
        char afterPsn[LARGEST]{};  //!< to the end of the line
        uint32_t beforePsnSize{0};
        uint32_t afterPsnSize{0};

      private:
        /** Makes the text for the next frame. */
        void Prepare();
    };

    /** Writes one line. */
    void Write(const Batch& batch);

    FrameFile m_file;
    FrameMerge<Batch> m_merge;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_CSV_H */
