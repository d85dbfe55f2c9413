/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NIC_OFFLOAD_H
#define PHOTONIC_RAILS_NIC_OFFLOAD_H

#include "frame-run.h"
#include "run-clock.h"
#include "wire-frame.h"

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What stands between a NIC port and a transport that lives in the NIC.
 *
 * The NIC pulls: when its wire is free it asks for the next run of frames of a class, says how
 * many it takes, and reports what arrives as runs with times. The offload never pushes; it calls
 * RailNetDevice::NotifyOffloadReady() when a run has become ready and the wire may be idle.
 *
 * Order. Queue pairs have numbers of 1 or more. The NIC serves the queue pairs of a class in turn,
 * by number, so PeekRun() names the number after which the search begins and wraps around.
 *
 * Time. A question about what is ready is asked for an instant `seen`: only what was ready at that
 * instant or before it counts. So the answer does not depend on the order in which the events of
 * the present instant happen to run.
 *
 * One offload serves one port; a transport over several ports has one for each.
 */
class NicOffload
{
  public:
    virtual ~NicOffload() = default;

    /** @return a bit for each class that may have a run; PeekRun() is not called for others */
    virtual uint32_t GetReadyClasses() const = 0;

    /**
     * The next run of a class.
     * @param trafficClass 0 to 7
     * @param after the queue pair served last: numbers above it come first, then from the lowest
     * @param seen only runs that were ready at this instant count
     * @param [out] run the run, of one frame or more
     * @return false if no run of that class was ready
     */
    virtual bool PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run) = 0;

    /**
     * The NIC puts the first frames of the run that was peeked on the wire.
     * @param taken the frames taken: the head of that run
     * @param seen the instant for which it was peeked
     * @param times when they are on the wire
     * @param [out] head the first frame: its destination and its headers
     * @param [out] tail the headers of the last frame, if there are several; else null
     */
    virtual void CommitRun(const FrameRun& taken,
                           Picoseconds seen,
                           const RunClock& times,
                           WireFrame& head,
                           RoceFrame* tail) = 0;

    /**
     * A frame for this port has arrived whole.
     * @param frame the frame; its times are those at this port
     * @return false if it is of no kind that this offload knows
     */
    virtual bool ReceiveFrame(const WireFrame& frame) = 0;

    /**
     * Frames of a run for this port have arrived whole, and nothing between them.
     * @param head the first frame, with the run
     * @param tail the headers of the last frame
     * @param times when they passed this port
     * @return false if they are of no kind that this offload knows
     */
    virtual bool ReceiveRun(const WireFrame& head,
                            const RoceFrame& tail,
                            const RunClock& times) = 0;

    // ---- for trains: whoever simulates a circuit without an event for every frame asks these

    /** What a port may do that can be seen outside its circuit. */
    struct Outlook
    {
        static constexpr uint64_t NOTHING = ~uint64_t{0};
        static constexpr uint32_t LEAST = 84;  //!< bytes of the shortest frame on the wire
        static constexpr uint32_t ANSWER = 86; //!< bytes of the shortest answer on the wire

        /**
         * Bytes that must go on the wire, at least, until a frame is out that ends a message;
         * preambles and gaps included. NOTHING if there is none.
         */
        uint64_t bytesToEnd{NOTHING};
        bool several{false};      //!< several queue pairs of a class take turns
        bool again{false};        //!< frames are sent again, and any of them may end a message
        bool answers{false};      //!< answers wait to be sent
        bool lossPossible{false}; //!< frames on their way may be lost, so any answer may matter
        Picoseconds timer{NEVER}; //!< a timer that is not set yet is not over for so long
    };

    /**
     * @param peer the port at the other end of the circuit
     * @return why what this offload sends cannot go in trains now; null if it can
     */
    virtual const char* WhyNoTrains(Mac48Address /* peer */) const
    {
        return "the offload does not say what its frames lead to";
    }

    /**
     * Of a run that comes in next, the first frame that may be answered or end a message. Those
     * before it may be taken together with it.
     * @param head the first frame, with the run
     * @return its place in the run, from 0
     */
    virtual uint64_t GetFirstAnswered(const WireFrame& /* head */) const
    {
        return 0;
    }

    /** Trains begin: frames that were sent before may have been lost. */
    virtual void BeginTrains()
    {
    }

    /**
     * @param lossy whether frames may have been lost since trains began
     * @return what this port may do that can be seen outside
     */
    virtual Outlook GetOutlook(bool /* lossy */) const
    {
        return {};
    }

    /**
     * @param answer that is on its way to this port
     * @return whether it may settle a message
     */
    virtual bool MaySettle(const RoceFrame& /* answer */) const
    {
        return true;
    }

    /** Frames of one message that are alike. */
    struct Stream
    {
        uint32_t id{0};          //!< the queue pair
        uint32_t peer{0};        //!< its number at the other end
        uint8_t trafficClass{0}; //!< 0 to 7
        uint64_t next{0};        //!< ordinal of the frame to be sent next
        uint64_t end{0};         //!< frames before it are alike, and end nothing
        uint64_t ask{0};         //!< ordinal of the next that asks for an acknowledgement
        uint32_t askEvery{1};    //!< frames from there to the one that asks after it
        uint32_t wireBytes{0};   //!< size of each, with preamble and gap
    };

    /** What a port has to send. */
    enum class Work
    {
        NONE,   //!< nothing
        STREAM, //!< frames of one message, and nothing holds them up
        OTHER,  //!< anything else
    };

    /**
     * @param [out] stream the frames, if there are some and nothing else
     * @return what this port has to send
     */
    virtual Work GetStream(Stream& /* stream */) const
    {
        return Work::OTHER;
    }

    /**
     * @param queuePair a queue pair of this port
     * @return the frame that is due next to come in there
     */
    virtual uint64_t GetDue(uint32_t /* queuePair */) const
    {
        return 0;
    }

    /**
     * @param queuePair a queue pair of this port
     * @param upTo a frame
     * @param [out] frame an acknowledgement of all before that
     */
    virtual void DescribeAnswer(uint32_t /* queuePair */,
                                uint64_t /* upTo */,
                                WireFrame& /* frame */) const
    {
    }

    /**
     * Acknowledgements came in that settle no message.
     * @param latest of them
     * @param count how many
     */
    virtual void ReceiveAnswers(const WireFrame& /* latest */, uint64_t /* count */)
    {
    }

    /**
     * @param answer that comes in at this port
     * @return whether it may change what this port sends next, or how
     */
    virtual bool ChangesWhatIsSent(const RoceFrame& /* answer */) const
    {
        return true;
    }

    /**
     * The bytes of a frame, for those who look at it: Ethernet header to padding.
     * @param frame a frame of an offload, sent or received
     * @return its bytes
     */
    virtual Ptr<Packet> MakePacket(const WireFrame& frame) const = 0;

    /**
     * The port sees carrier, or lost it.
     * @param carrier whether there is carrier from now on
     */
    virtual void NotifyCarrier(bool carrier) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NIC_OFFLOAD_H */
