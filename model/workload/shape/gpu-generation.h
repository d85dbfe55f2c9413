/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GPU_GENERATION_H
#define PHOTONIC_RAILS_GPU_GENERATION_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The performance of a kind of GPU, from its data sheet.
 *
 * The figures are peaks. MakeComputeTimes() has the achieved share as an argument. A user-defined
 * GPU is a value like any other:
 * @code
 * GpuGeneration gpu = *FindGpuGeneration("H200");
 * gpu.name = "H200 at 700 GB/s";
 * gpu.nicBitsPerSecond = 5'600'000'000'000;
 * @endcode
 */
struct GpuGeneration
{
    std::string name{};
    std::string source{};              //!< source of the figures
    double flopsPerSecond{0};          //!< bf16 on tensor cores, fp32 sums, without sparsity
    uint64_t memoryBytes{0};           //!< of its own memory
    double memoryBytesPerSecond{0};    //!< memory bandwidth, read or write
    uint64_t scaleUpBytesPerSecond{0}; //!< to the other GPUs of the server, in one direction
    uint64_t nicBitsPerSecond{0};      //!< of its NIC, in one direction
    uint32_t scaleUp{0};               //!< GPUs of a server, in the system of the source
};

/** @return the kinds of the module */
const std::vector<GpuGeneration>& GetGpuGenerations();

/** @return the kind of that name, in any case of letters, or none @param name such as H100 */
std::optional<GpuGeneration> FindGpuGeneration(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GPU_GENERATION_H */
