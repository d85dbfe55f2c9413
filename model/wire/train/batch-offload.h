/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BATCH_OFFLOAD_H
#define PHOTONIC_RAILS_BATCH_OFFLOAD_H

#include "ns3/mac48-address.h"
#include "ns3/nic-offload.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A transport in a NIC whose circuit can be simulated without an event for every frame: it
 * reports the effects of the frames that it sends and receives.
 *
 * CircuitEngine uses this interface. Bytes are those on the wire, with preamble and gap; instants
 * are in picoseconds. A transport that is only a NicOffload uses packet events.
 */
class BatchOffload : public NicOffload
{
  public:
    /** The possible actions of a port that are visible outside its circuit. */
    struct Outlook
    {
        static constexpr uint64_t NOTHING = ~uint64_t{0};
        static constexpr uint32_t LEAST = 84;  //!< bytes of the shortest frame on the wire
        static constexpr uint32_t ANSWER = 86; //!< bytes of the shortest answer on the wire

        /**
         * Bytes that must go on the wire, at least, before a frame ends a message; preambles and
         * gaps included. NOTHING if no message is pending.
         */
        uint64_t bytesToEnd{NOTHING};
        bool several{false};      //!< several queue pairs of a class take turns
        bool again{false};        //!< frames are sent again, and any of them may end a message
        bool answers{false};      //!< answers wait to be sent
        bool lossPossible{false}; //!< frames on their way may be lost, so any answer may matter
        Picoseconds timer{NEVER}; //!< the least time until a timer that is not set yet expires
    };

    /**
     * @param peers the ports that frames reach in trains, in order of addresses
     * @return the reason why this offload's frames cannot form trains now; null if they can
     */
    virtual const char* WhyNoTrains(const std::vector<Mac48Address>& peers) const = 0;

    /**
     * The same, if the latest call of either function had the same ports and found no reason: only
     * what has become ready since is looked at.
     */
    virtual const char* WhyNoTrainsAnyMore(const std::vector<Mac48Address>& peers) const
    {
        return WhyNoTrains(peers);
    }

    /**
     * @param queuePair a queue pair of this port
     * @return the port at its other end
     */
    virtual Mac48Address GetPeer(uint32_t queuePair) const = 0;

    /**
     * @return whether a class sends nothing but the data that PeekRun() returns for one queue pair
     *         after the other, in turn, until the port is notified
     */
    virtual bool TakesTurns(uint8_t trafficClass) const = 0;

    /**
     * What a port sends at most until messages are posted to it. Any of its bytes on the wire in a
     * row are at most bytes / frameBytes + shortFrames frames of data.
     */
    struct Prospect
    {
        std::vector<Mac48Address> peers; //!< that its data goes to
        uint32_t frameBytes{0};          //!< see above
        uint64_t shortFrames{0};         //!< see above
        uint64_t answers{0};             //!< number of answers to frames that came in by now
    };

    /**
     * @param [out] prospect what the port sends, beside answers to frames that come in from now on
     * @return whether that is known: no window opens, and no frame was lost
     */
    virtual bool GetProspect(Prospect& prospect) const = 0;

    /**
     * Finds the first frame of the next incoming run that may cause an answer or end a message. The
     * frames before it may be delivered together with it.
     * @param head the first frame, with the run
     * @return its place in the run, from 0
     */
    virtual uint64_t GetFirstAnswered(const WireFrame& head) const = 0;

    /** Trains begin: frames that were sent before may have been lost. */
    virtual void BeginTrains() = 0;

    /**
     * @param lossy whether frames may have been lost since trains began
     * @return the possible actions of this port that are visible outside
     */
    virtual Outlook GetOutlook(bool lossy) const = 0;

    /**
     * @param answer on its way to this port
     * @return whether it may settle a message
     */
    virtual bool MaySettle(const RoceFrame& answer) const = 0;

    /** Uniform frames of one message. */
    struct Stream
    {
        uint32_t id{0};              //!< the queue pair
        uint32_t peer{0};            //!< its number at the other end
        uint8_t trafficClass{0};     //!< 0 to 7
        uint64_t next{0};            //!< ordinal of the frame to be sent next
        uint64_t end{0};             //!< frames before it are uniform, and end no message
        uint64_t ackRequest{0};      //!< ordinal of the next frame that requests an acknowledgement
        uint32_t ackRequestEvery{1}; //!< frames from there to the next such frame
        uint32_t wireBytes{0};       //!< size of each, with preamble and gap
    };

    /** The pending work of a port. */
    enum class Work
    {
        NONE,   //!< nothing
        STREAM, //!< frames of one message, and nothing holds them up
        OTHER,  //!< anything else
    };

    /**
     * @param [out] stream the frames, if the work is a stream
     * @return the work of this port
     */
    virtual Work GetStream(Stream& stream) const = 0;

    /**
     * @param queuePair a queue pair of this port
     * @return the ordinal of the frame that the queue pair expects next
     */
    virtual uint64_t GetDue(uint32_t queuePair) const = 0;

    /**
     * @param queuePair a queue pair of this port
     * @param [out] frame an acknowledgement of all frames before `upTo`
     */
    virtual void DescribeAnswer(uint32_t queuePair, uint64_t upTo, WireFrame& frame) const = 0;

    /** Receives acknowledgements that settle no message. */
    virtual void ReceiveAnswers(const WireFrame& latest, uint64_t count) = 0;

    /**
     * @param answer arrives at this port
     * @return whether it may change this port's next frames or their rate
     */
    virtual bool ChangesWhatIsSent(const RoceFrame& answer) const = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BATCH_OFFLOAD_H */
