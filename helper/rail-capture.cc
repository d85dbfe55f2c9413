/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-capture.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/trace-helper.h"

#include <sstream>

namespace ns3
{

namespace
{

void
WriteSent(Ptr<PcapFileWrapper> file, const RailNetDevice* nic, const WireFrame& frame)
{
    file->Write(ToTime(frame.first), nic->BytesOf(frame));
}

void
WriteReceived(Ptr<PcapFileWrapper> file,
              const RailNetDevice* nic,
              bool promiscuous,
              const WireFrame& frame)
{
    if (promiscuous || frame.destination.IsGroup() || frame.destination == nic->GetAddress())
    {
        file->Write(ToTime(frame.last), nic->BytesOf(frame));
    }
}

} // namespace

void
CaptureToPcap(Ptr<RailNetDevice> nic,
              const std::string& prefix,
              bool promiscuous,
              bool explicitFilename)
{
    const std::string name =
        explicitFilename ? prefix : PcapHelper().GetFilenameFromDevice(prefix, nic);
    Ptr<PcapFileWrapper> file =
        CreateObjectWithAttributes<PcapFileWrapper>("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    NS_ABORT_MSG_IF(file->Fail(),
                    "cannot write the capture " << name
                                                << "; does its folder exist, and may you "
                                                   "write to it?");
    file->Init(PcapHelper::DLT_EN10MB);
    // the device owns its trace sources, so they must not keep it alive
    const RailNetDevice* self = PeekPointer(nic);
    nic->TraceConnectWithoutContext("FrameSent", MakeBoundCallback(&WriteSent, file, self));
    nic->TraceConnectWithoutContext("FrameReceived",
                                    MakeBoundCallback(&WriteReceived, file, self, promiscuous));
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
    // what a full queue drops is among these
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
