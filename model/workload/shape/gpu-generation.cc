/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpu-generation.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

// Data sheets count in powers of ten. Memories are a little larger than that (an A100 of "80 GB"
// has 80 x 2^30 bytes): drivers and libraries use the difference.
constexpr uint64_t GB = 1'000'000'000;
constexpr uint64_t GBIT = 1'000'000'000;
constexpr double TERA = 1e12;

} // namespace

const std::vector<GpuGeneration>&
GetGpuGenerations()
{
    // Data sheets give tensor-core figures with sparsity from Hopper on: dense ones are half. They
    // give the scale-up bandwidth of both directions together: one direction has half.
    static const std::vector<GpuGeneration> all{
        {"A100",
         "NVIDIA A100 data sheet, A100 80GB SXM; DGX A100 data sheet: 8 GPUs, HDR 200 Gb/s each",
         312 * TERA,
         80 * GB,
         2.039 * TERA,
         600 / 2 * GB,
         200 * GBIT,
         8},
        {"H100",
         "NVIDIA H100 data sheet, H100 SXM; DGX H100 data sheet: 8 GPUs, 400 Gb/s each",
         989.4 * TERA,
         80 * GB,
         3.35 * TERA,
         900 / 2 * GB,
         400 * GBIT,
         8},
        {"H200",
         "NVIDIA H200 data sheet, H200 SXM; DGX H200 data sheet: 8 GPUs, 400 Gb/s each",
         989.4 * TERA,
         141 * GB,
         4.8 * TERA,
         900 / 2 * GB,
         400 * GBIT,
         8},
        {"B200",
         "NVIDIA Blackwell architecture brief, HGX B200; DGX B200 data sheet: 8 GPUs, 1,440 GB and "
         "64 TB/s together, 400 Gb/s each",
         2250 * TERA,
         180 * GB,
         8 * TERA,
         1800 / 2 * GB,
         400 * GBIT,
         8},
        {"GB200",
         "NVIDIA GB200 NVL72 page: 72 GPUs, 360 PFLOPS with sparsity, 13.4 TB and 576 TB/s "
         "together; DGX GB200 data sheet: 400 Gb/s each (800 with ConnectX-8)",
         2500 * TERA,
         186 * GB,
         8 * TERA,
         1800 / 2 * GB,
         400 * GBIT,
         72},
    };
    return all;
}

std::optional<GpuGeneration>
FindGpuGeneration(const std::string& name)
{
    const auto same = [](unsigned char one, unsigned char other) {
        return std::tolower(one) == std::tolower(other);
    };
    for (const GpuGeneration& gpu : GetGpuGenerations())
    {
        if (std::equal(gpu.name.begin(), gpu.name.end(), name.begin(), name.end(), same))
        {
            return gpu;
        }
    }
    return std::nullopt;
}

} // namespace ns3
