/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulation-processes.h"

#include "ns3/abort.h"
#include "ns3/application.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdlib>
#include <initializer_list>
#include <utility>

#ifdef NS3_MPI
// without MPI's old bindings for C++, which are no part of it any more
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"

#include <mpi.h>
#endif

namespace ns3
{

namespace
{

/** The processes, as Begin() found them. */
struct Known
{
    uint32_t number{1};
    uint32_t here{0};
    SimulationProcesses::Engine engine{SimulationProcesses::Engine::WINDOWS};
};

/** @return the processes */
Known&
GetKnown()
{
    static Known known;
    return known;
}

/** @return the value of the first variable that a launcher has set; none: another value */
uint32_t
GetOfLauncher(std::initializer_list<const char*> names, uint32_t otherwise)
{
    for (const char* name : names)
    {
        if (const char* value = std::getenv(name))
        {
            return std::strtoul(value, nullptr, 10);
        }
    }
    return otherwise;
}

} // namespace

bool
SimulationProcesses::AreLaunched()
{
    return CountLaunched() > 1;
}

uint32_t
SimulationProcesses::GetLaunched()
{
    return GetOfLauncher({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0);
}

uint32_t
SimulationProcesses::CountLaunched()
{
    return GetOfLauncher({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); // Open MPI; MPICH and Slurm
}

uint32_t
SimulationProcesses::GetNumber()
{
    return GetKnown().number;
}

uint32_t
SimulationProcesses::GetHere()
{
    return GetKnown().here;
}

void
SimulationProcesses::RequireOne(const std::string& what)
{
    NS_ABORT_MSG_IF(GetNumber() > 1,
                    "SimulationProcesses: " << GetNumber() << " processes simulate this, and "
                                            << what
                                            << " are of one; start the program without mpirun");
}

bool
SimulationProcesses::FindEnd()
{
    return GetKnown().number == 1 || GetKnown().engine == Engine::WINDOWS;
}

bool
SimulationProcesses::IsHere(const Ptr<const Node>& node)
{
    return GetKnown().number == 1 || node->GetSystemId() == GetKnown().here;
}

void
SimulationProcesses::AddApplication(const Ptr<Node>& node, const Ptr<Application>& application)
{
    if (IsHere(node))
    {
        node->AddApplication(application);
    }
    else
    {
        application->SetNode(node);
    }
}

#ifdef NS3_MPI

namespace
{

/** An event of this instant. */
void
DoNothing()
{
}

/** The number of calls of IsFirst(), at process 0, which others count up by themselves. */
struct FirstCount
{
    MPI_Win window{MPI_WIN_NULL};

    /** All processes make it. */
    void Begin()
    {
        int* calls = nullptr;
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &calls, &window);
        MPI_Win_lock_all(0, window);
        *calls = 0;
        MPI_Win_sync(window);
        MPI_Barrier(MPI_COMM_WORLD);
    }

    /** @return the number of calls before this one */
    int Add() const
    {
        const int one = 1;
        int before = 0;
        MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_flush(0, window);
        return before;
    }

    /** All processes end it. */
    void End()
    {
        if (window != MPI_WIN_NULL)
        {
            MPI_Win_unlock_all(window);
            MPI_Win_free(&window);
        }
    }
};

/** @return the count of this process */
FirstCount&
GetFirstCount()
{
    static FirstCount count;
    return count;
}

/** @return whether MPI has begun, and is not over */
bool
IsConnected()
{
    int hasBegun = 0;
    int isOver = 0;
    MPI_Initialized(&hasBegun);
    MPI_Finalized(&isOver);
    return hasBegun != 0 && isOver == 0;
}

/** Begins MPI, once. */
void
Connect(int* argc, char*** argv)
{
    int hasBegun = 0;
    MPI_Initialized(&hasBegun);
    if (hasBegun == 0)
    {
        MPI_Init(argc, argv);
    }
}

} // namespace

std::string
SimulationProcesses::FindWhyNot()
{
    return "";
}

void
SimulationProcesses::Begin(int argc, char* argv[], Engine engine)
{
    if (!AreLaunched())
    {
        return;
    }
    Connect(&argc, &argv);
    int number = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    if (number == 1)
    {
        return;
    }
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(engine == Engine::WINDOWS ? "ns3::DistributedSimulatorImpl"
                                                            : "ns3::NullMessageSimulatorImpl"));
    MpiInterface::Enable(MPI_COMM_WORLD);
    GetFirstCount().Begin();
    GetKnown() = {MpiInterface::GetSize(), MpiInterface::GetSystemId(), engine};
}

void
SimulationProcesses::End()
{
    if (GetKnown().number > 1)
    {
        GetFirstCount().End();
        MpiInterface::Disable();
        GetKnown() = {};
    }
    if (IsConnected())
    {
        MPI_Finalize();
    }
}

std::vector<int>
SimulationProcesses::Exchange(int number)
{
    if (!AreLaunched())
    {
        return {number};
    }
    Connect(nullptr, nullptr);
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> all(size);
    MPI_Allgather(&number, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return all;
}

bool
SimulationProcesses::IsFirst()
{
    return !IsConnected() || GetFirstCount().window == MPI_WIN_NULL || GetFirstCount().Add() == 0;
}

void
SimulationProcesses::EndTogether()
{
    if (IsConnected())
    {
        MPI_Barrier(MPI_COMM_WORLD);
        GetFirstCount().End();
        MPI_Finalize();
    }
}

void
SimulationProcesses::Abort(int code)
{
    if (IsConnected())
    {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
}

std::vector<std::string>
SimulationProcesses::Gather(const std::string& bytes)
{
    if (GetKnown().number == 1)
    {
        return {bytes};
    }
    const MPI_Comm all = MpiInterface::GetCommunicator();
    constexpr int MARK = 1; // ns-3's own messages have 0
    if (GetKnown().here != 0)
    {
        MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MARK, all);
        return {};
    }
    std::vector<std::string> gathered{bytes};
    for (uint32_t process = 1; process < GetKnown().number; ++process)
    {
        MPI_Status status;
        MPI_Probe(static_cast<int>(process), MARK, all, &status);
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        std::string its(size, '\0');
        MPI_Recv(its.data(), size, MPI_BYTE, status.MPI_SOURCE, MARK, all, MPI_STATUS_IGNORE);
        gathered.push_back(std::move(its));
    }
    return gathered;
}

void
SimulationProcesses::Send(const Ptr<Packet>& packet, Time at, const Ptr<NetDevice>& device)
{
    if (GetKnown().engine == Engine::NULL_MESSAGES)
    {
        // The engine promises the receiver that nothing comes before its next event and a
        // lookahead. That must not be later than what this event may send after this packet.
        Simulator::ScheduleNow(&DoNothing);
    }
    MpiInterface::SendPacket(packet, at, device->GetNode()->GetId(), device->GetIfIndex());
}

void
SimulationProcesses::SetReceiver(const Ptr<NetDevice>& device, Callback<void, Ptr<Packet>> receive)
{
    Ptr<MpiReceiver> receiver = device->GetObject<MpiReceiver>();
    if (!receiver)
    {
        receiver = CreateObject<MpiReceiver>();
        device->AggregateObject(receiver);
    }
    receiver->SetReceiveCallback(receive);
}

#else

std::string
SimulationProcesses::FindWhyNot()
{
    return "this ns-3 has no MPI; configure a tree with --enable-mpi: ./rails in-tree --mpi";
}

void
SimulationProcesses::Begin(int, char*[], Engine)
{
}

void
SimulationProcesses::End()
{
}

std::vector<int>
SimulationProcesses::Exchange(int number)
{
    return {number};
}

bool
SimulationProcesses::IsFirst()
{
    return true;
}

void
SimulationProcesses::EndTogether()
{
}

void
SimulationProcesses::Abort(int)
{
}

std::vector<std::string>
SimulationProcesses::Gather(const std::string& bytes)
{
    return {bytes};
}

void
SimulationProcesses::Send(const Ptr<Packet>&, Time, const Ptr<NetDevice>&)
{
    NS_ABORT_MSG("SimulationProcesses: " << FindWhyNot());
}

void
SimulationProcesses::SetReceiver(const Ptr<NetDevice>&, Callback<void, Ptr<Packet>>)
{
    NS_ABORT_MSG("SimulationProcesses: " << FindWhyNot());
}

#endif

} // namespace ns3
