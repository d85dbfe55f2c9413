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
 * nanoseconds, cut off from picoseconds and not rounded.
 *
 * A frame that is sent is stamped with its first bit, one that is received with its last, as the
 * port sees them. A frame is captured from its Ethernet header to its padding. Records are in the
 * order of FrameMerge: by instant to the picosecond, received before sent. An offload's frames are
 * taken to be RoCE frames, with a payload of zeros.
 *
 * The file is complete when the port is disposed of, in Simulator::Destroy(), or the sink is gone.
 */
class FramePcap : public FrameSink
{
  public:
    static constexpr uint32_t WHOLE = 65535; //!< bytes, as many as a frame may have

    /** Says, of the destination of a frame that was received, whether it is captured. */
    using Filter = std::function<bool(const Mac48Address& destination)>;

    /**
     * @param name of the file, which is made anew
     * @param filter of what is received; null: all
     * @param snapLength how many bytes of a frame are captured at most
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
    /** Frames that have the same bytes but for what counts on. */
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
        /** Makes the bytes of a frame anew. */
        void Prepare();
    };

    /** Writes what stands before all records. */
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
