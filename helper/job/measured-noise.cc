/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "measured-noise.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/random-variable-stream.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

/** The streams of GPUs and servers, beyond those of ranks, rails and management networks. */
constexpr int64_t FIRST_GPU_STREAM = int64_t{1} << 40;
constexpr int64_t FIRST_SERVER_STREAM = int64_t{1} << 41;

/** @return a value from 0 to 1 of a stream of its own */
double
DrawShare(int64_t stream)
{
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(stream);
    return variable->GetValue(0, 1);
}

/** @return the text of a normal variable */
std::string
MakeNormal(double mean, double deviation)
{
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << "ns3::NormalRandomVariable[Mean=" << mean << "|Variance=" << deviation * deviation
         << "|Bound=" << MeasuredNoise::BOUND * deviation << "]";
    return text.str();
}

} // namespace

double
MeasuredNoise::DrawGpuFactor(uint32_t rank, uint32_t gpusPerServer)
{
    const bool isStraggler =
        DrawShare(FIRST_SERVER_STREAM + rank / gpusPerServer) < STRAGGLING_SERVERS;
    const double ofGpu = 1 + GPU_RANGE * (DrawShare(FIRST_GPU_STREAM + rank) - 0.5);
    return ofGpu * (isStraggler ? STRAGGLER_FACTOR : 1);
}

std::string
MeasuredNoise::MakeComputeFactor(double mean)
{
    return MakeNormal(mean, mean * COMPUTING_DEVIATION);
}

std::string
MeasuredNoise::MakeReconfigurationTime(Time mean)
{
    const double seconds = mean.GetTimeStep() / 1e12;
    if (seconds == 0)
    {
        return "ns3::ConstantRandomVariable[Constant=0]";
    }
    return MakeNormal(seconds, seconds * RECONFIGURATION_DEVIATION);
}

Time
MeasuredNoise::GetLongestReconfiguration(Time mean)
{
    return ToTime(std::llround(mean.GetTimeStep() * (1 + BOUND * RECONFIGURATION_DEVIATION)) + 1);
}

} // namespace ns3
