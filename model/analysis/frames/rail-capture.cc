/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-capture.h"

#include "frame-csv.h"

#include "ns3/trace-helper.h"

#include <sstream>

namespace ns3
{

void
CaptureToPcap(Ptr<RailNetDevice> nic,
              const std::string& prefix,
              bool promiscuous,
              bool explicitFilename,
              uint32_t snapLength)
{
    const std::string name =
        explicitFilename ? prefix : PcapHelper().GetFilenameFromDevice(prefix, nic);
    FramePcap::Filter filter;
    if (!promiscuous)
    {
        // the device owns its sinks, so they must not keep it alive
        const RailNetDevice* self = PeekPointer(nic);
        filter = [self](const Mac48Address& destination) {
            return destination.IsGroup() || destination == self->GetAddress();
        };
    }
    nic->AddSink(std::make_shared<FramePcap>(name, filter, snapLength));
}

void
CaptureToCsv(Ptr<RailNetDevice> nic, const std::string& filename)
{
    nic->AddSink(std::make_shared<FrameCsv>(filename));
}

std::shared_ptr<FrameDigest>
CaptureDigest(Ptr<RailNetDevice> nic)
{
    auto digest = std::make_shared<FrameDigest>();
    nic->AddSink(digest);
    return digest;
}

void
CaptureToAscii(Ptr<RailNetDevice> nic,
               Ptr<OutputStreamWrapper> stream,
               const std::string& prefix,
               bool explicitFilename)
{
    Packet::EnablePrinting(); // for the headers in each line
    AsciiTraceHelper ascii;
    if (!stream)
    {
        stream = ascii.CreateFileStream(
            explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, nic));
    }
    std::ostringstream path;
    path << "/NodeList/" << nic->GetNode()->GetId() << "/DeviceList/" << nic->GetIfIndex()
         << "/$ns3::RailNetDevice/";
    ascii.HookDefaultReceiveSinkWithContext<RailNetDevice>(nic,
                                                           path.str() + "MacRx",
                                                           "MacRx",
                                                           stream);
    ascii.HookDefaultDropSinkWithContext<RailNetDevice>(nic,
                                                        path.str() + "PhyRxDrop",
                                                        "PhyRxDrop",
                                                        stream);
    // drops of a full queue are among these
    ascii.HookDefaultDropSinkWithContext<RailNetDevice>(nic,
                                                        path.str() + "MacTxDrop",
                                                        "MacTxDrop",
                                                        stream);
    for (uint32_t c = 0; c < nic->GetQueues(); ++c)
    {
        std::ostringstream queue;
        queue << path.str() << "QueueList/" << c << "/";
        ascii.HookDefaultEnqueueSinkWithContext<Queue<Packet>>(nic->GetQueue(c),
                                                               queue.str() + "Enqueue",
                                                               "Enqueue",
                                                               stream);
        ascii.HookDefaultDequeueSinkWithContext<Queue<Packet>>(nic->GetQueue(c),
                                                               queue.str() + "Dequeue",
                                                               "Dequeue",
                                                               stream);
    }
}

} // namespace ns3
