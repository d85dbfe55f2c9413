/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_PCAP_H
#define PHOTONIC_RAILS_FRAME_PCAP_H

#include "frame-batch.h"
#include "frame-file.h"
#include "frame-merge.h"
#include "roce-run-bytes.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the frames of a NIC port into a capture file: classic pcap, Ethernet, timestamps in
 * nanoseconds, truncated from picoseconds.
 *
 * The timestamp of a sent frame is its first bit at the port; that of a received frame is its last.
 * A frame is captured from its Ethernet header to its padding. Records are in the order of
 * FrameMerge: by instant to the picosecond, received before sent. An offload's frames count as RoCE
 * frames, with a payload of zeros.
 *
 * The file is complete when the port is disposed of, in Simulator::Destroy(), or when the sink is
 * destroyed.
 */
class FramePcap : public FrameSink
{
  public:
    static constexpr uint32_t WHOLE = 65535; //!< largest size of a frame, in bytes

    /** Returns, for the destination of a received frame, whether the frame is captured. */
    using Filter = std::function<bool(const Mac48Address& destination)>;

    /**
     * @param name of the file; an existing file is replaced
     * @param filter of received frames; null: all
     * @param snapLength largest number of captured bytes of a frame
     */
    explicit FramePcap(const std::string& name,
                       Filter filter = nullptr,
                       uint32_t snapLength = WHOLE);
    ~FramePcap() override;

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;

  private:
    /** Frames that have the same bytes except for the fields that count. */
    class Batch : public FrameBatch
    {
      public:
        Batch(bool sent,
              const WireFrame& head,
              const RoceFrame& tail,
              const RunClock& times,
              RoceRunBytes::Tables& tables);
        /** Goes to the next frame. @return false if there is none */
        bool Next();

        RoceRunBytes bytes; //!< of the next frame, if it has no packet

      private:
        /** Makes the bytes of a frame from scratch. */
        void Prepare();
    };

    /** Writes the file header. */
    void WriteFileHeader();
    /** Writes one record. */
    void Write(const Batch& batch);

    FrameFile m_file;
    Filter m_filter;
    uint32_t m_snapLength;
    RoceRunBytes::Tables m_tables;
    FrameMerge<Batch> m_merge;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_PCAP_H */
