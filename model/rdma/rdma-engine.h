/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_ENGINE_H
#define PHOTONIC_RAILS_RDMA_ENGINE_H

#include "congestion-control.h"
#include "rdma-port.h"
#include "rdma-queue-pair.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/rail-net-device.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief RDMA in the NIC ports of a node: reliable connections that carry messages of any size.
 *
 * Aggregate it to a node and give it the node's RailNetDevices, in order: they become its ports 0,
 * 1, and so on (RdmaHelper does both). Connect() makes queue pairs.
 *
 * On the wire it is RoCEv2 (RoceFrame), with the rules of a reliable connection (QueuePairSender,
 * QueuePairReceiver). A queue pair takes the attributes at its creation.
 *
 * Not modelled: the exchange of queue pair numbers (Connect() has both ends, as if out of band),
 * RDMA READ and atomics, receiver-not-ready (receives are always posted, see RdmaQueuePair), the
 * processing time of an adapter for a message.
 */
class RdmaEngine : public Object, private RdmaQueuePairOwner
{
  public:
    /** Both ends of a queue pair. */
    typedef std::pair<Ptr<RdmaQueuePair>, Ptr<RdmaQueuePair>> Ends;
    /** Connected ports of two engines: here, there. */
    typedef std::pair<uint32_t, uint32_t> PortPair;

    /** @return the type */
    static TypeId GetTypeId();

    RdmaEngine();
    ~RdmaEngine() override;

    /**
     * Adds the next port.
     * @param device a NIC port of the engine's node
     * @return the port's number in this engine
     */
    uint32_t AddPort(Ptr<RailNetDevice> device);

    /** @return the number of ports */
    uint32_t GetPorts() const;

    /**
     * @param port a port's number
     * @return the transport behind it
     */
    const RdmaPort& GetPort(uint32_t port) const override;

    /**
     * @param port a port's number
     * @return its device
     */
    Ptr<RailNetDevice> GetDevice(uint32_t port) const;

    /** @return the same, without a look at what has happened there; @param port a port's number */
    const Ptr<RailNetDevice>& PeekDevice(uint32_t port) const;

    /**
     * @param port a port's number
     * @param watch is notified when a queue pair of another has a message to send at the port, or
     * fails; who was before is notified of the change; null: nobody
     */
    void SetWatch(uint32_t port, BatchWatch* watch);

    /** One does not watch a port any more. @param port a port's number */
    void EndWatch(uint32_t port, const BatchWatch& watch);

    /**
     * @param port a port's number
     * @return the destination of its fiber, as a hint for an error message: "port 0, to optical
     *         switch port 3, which no circuit joins to another"
     */
    std::string DescribePort(uint32_t port) const;

    /**
     * Makes a queue pair between two nodes.
     * @param here a node with an engine
     * @param ports the ports it runs over, one pair for each piece of a message; circuits must
     *        connect the pairs when there are frames to send
     * @param order its turn among the queue pairs of a port, at both ends
     * @return both ends, the one at `here` first
     */
    static Ends Connect(Ptr<Node> here,
                        Ptr<Node> there,
                        const std::vector<PortPair>& ports = {{0, 0}},
                        const QueuePairOrder& order = {});

    /**
     * Makes this process' end of a queue pair to a node of another one, whose end Accept() makes
     * there, before the first frame.
     * @param here a node of this process, with an engine
     * @param there a node of another process, with an engine
     * @param ports of both
     * @param order as for Connect(), and the same there
     * @return the end at `here`
     */
    static Ptr<RdmaQueuePair> Open(Ptr<Node> here,
                                   Ptr<Node> there,
                                   const PortPair& ports,
                                   const QueuePairOrder& order);

    /**
     * Makes the other end of a queue pair that Open() has made on another process.
     * @param number of its port there (RdmaQueuePair::GetSubQueuePairs())
     * @return the end at `here`
     */
    static Ptr<RdmaQueuePair> Accept(Ptr<Node> here,
                                     Ptr<Node> there,
                                     const PortPair& ports,
                                     const QueuePairOrder& order,
                                     uint32_t number);

    /**
     * Makes a queue pair to an address.
     * @param here a node with an engine
     * @param there the MAC address of a NIC port that belongs to an engine
     * @return both ends, the one at `here` first
     */
    static Ends Connect(Ptr<Node> here, Mac48Address there);

    /**
     * Puts all queue pairs that have been made into error when this instant is over, as when the
     * process ends that made them: a picosecond later each open message has failed, and what has
     * not left the NIC is not sent. Frames that arrive later are dropped. Their peers find out by
     * their retry limits. New queue pairs can be made.
     * @param why the reason, for the messages that fail
     */
    void Reset(const std::string& why);

    /**
     * The node's GPU is dead, now: its queue pairs send and answer nothing any more, for good. A
     * frame that has begun is sent whole. Peers notice it by their retry limits.
     */
    void Silence();

    /**
     * Closes a queue pair of this node, now: frames for it that arrive later are dropped, and its
     * open messages fail a picosecond later.
     * @param why the reason, for the messages that fail
     */
    void Close(Ptr<RdmaQueuePair> queuePair, const std::string& why);

    /**
     * The node has another GPU after Silence(), now: its queue pairs fail, with the messages that
     * are open, and new ones can be made.
     */
    void EndSilence();

    /** @return whether it is silent */
    bool IsSilent() const
    {
        return m_isSilent;
    }

    /** @return the queue pairs made so far */
    const std::vector<Ptr<RdmaQueuePair>>& GetQueuePairs() const;

    /** @return whether a trace of its messages has been connected */
    bool IsObserved() const
    {
        return m_isObserved;
    }

    /** @return largest payload of a frame, in bytes */
    uint32_t GetMtu() const override;

    /** Signature of MessageSettled and MessageArrived. */
    typedef void (*MessageTracedCallback)(const RdmaQueuePair& queuePair,
                                          const RdmaMessage& message);
    /** Signature of MessageFailed. */
    typedef void (*FailureTracedCallback)(const RdmaQueuePair& queuePair,
                                          const RdmaMessage& message,
                                          const std::string& why);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    class Port;

    // RdmaQueuePairOwner
    RdmaPort& PeekPort(uint32_t port) override;
    void MakeUp(uint32_t port) override;
    void PostPiece(uint32_t port,
                   uint32_t queuePair,
                   const RdmaMessage& piece,
                   const BatchWatch* watch) override;
    void FailSubQueuePair(uint32_t port, uint32_t queuePair, const std::string& why) override;
    void NotifyMessageSettled(const RdmaQueuePair& queuePair, const RdmaMessage& message) override;
    void NotifyMessageArrived(const RdmaQueuePair& queuePair, const RdmaMessage& message) override;
    void NotifyMessageFailed(const RdmaQueuePair& queuePair,
                             const RdmaMessage& message,
                             const std::string& why) override;

    /** A callback for messages was connected or disconnected. */
    void NotifyObservers();
    /** Aborts if there is no such port. */
    void RequirePort(uint32_t port) const;
    /** Makes this engine's half of a sub queue pair. */
    RdmaQueuePair::SubQueuePair MakeSubQueuePair(uint32_t port, const QueuePairOrder& order);
    /** @return the settings of a queue pair that is made now */
    QueuePairSettings MakeSettings() const;
    /** @param factory makes the congestion control of queue pairs that are made later */
    void SetCongestionControl(ObjectFactory factory);
    /** @return the factory of the congestion control */
    ObjectFactory GetCongestionControl() const;
    /** Adds a queue pair that consists of sub queue pairs. */
    Ptr<RdmaQueuePair> AddQueuePair(const std::vector<RdmaQueuePair::SubQueuePair>& subPairs);
    /** Aborts if two engines can't have a queue pair. */
    static void RequireMatch(const RdmaEngine& a, const RdmaEngine& b);
    /** @return the engine of a node; aborts if it has none */
    static Ptr<RdmaEngine> EngineOf(Ptr<Node> node);

    std::vector<std::unique_ptr<Port>> m_ports;
    std::vector<Ptr<RdmaQueuePair>> m_queuePairs;
    bool m_isObserved{false};
    bool m_isSilent{false};

    uint32_t m_mtu;
    uint32_t m_ackEvery;
    uint32_t m_timeoutExponent;
    uint32_t m_retryLimit;
    bool m_selectiveRepeat;
    uint32_t m_dataClass;
    uint32_t m_ackClass;
    uint32_t m_cnpClass;
    uint32_t m_initialPsn;
    Time m_darkLimit;
    Time m_cnpInterval;
    ObjectFactory m_congestionFactory;
    Ptr<CongestionControl> m_congestion;

    TracedCallback<const RdmaQueuePair&, const RdmaMessage&> m_messageSettled;
    TracedCallback<const RdmaQueuePair&, const RdmaMessage&> m_messageArrived;
    TracedCallback<const RdmaQueuePair&, const RdmaMessage&, const std::string&> m_messageFailed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_ENGINE_H */
