/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-generation.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint64_t GIGABYTE = 8'000'000'000; // in bits, as makers count: powers of ten

// Makers give the bytes a second of both directions together; one direction has half.
constexpr uint64_t
HalfOf(uint64_t gigabytesASecond)
{
    return gigabytesASecond / 2 * GIGABYTE;
}

} // namespace

std::vector<ScaleUpGeneration>&
ScaleUpGeneration::GetAll()
{
    // NVIDIA's NVLink and NVSwitch page and data sheets. NVLink 3: 12 links of 50 GB/s, DGX A100
    // joins 8. NVLink 4: 18 links of 50 GB/s, HGX and DGX H100 and H200 join 8 (an NVLink Switch
    // System of 256 was shown, but is no server). NVLink 5: 18 links of 100 GB/s, GB200 NVL72 joins
    // 72.
    static std::vector<ScaleUpGeneration> all{
        {"nvlink3", "A100", HalfOf(600), 8},
        {"nvlink4", "H100, H200", HalfOf(900), 8},
        {"nvlink5", "B200, GB200", HalfOf(1800), 72},
    };
    return all;
}

const ScaleUpGeneration*
ScaleUpGeneration::Find(const std::string& name)
{
    const auto& all = GetAll();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const ScaleUpGeneration& one) {
        return one.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

const ScaleUpGeneration&
ScaleUpGeneration::Get(const std::string& name)
{
    const KnownName known = FindKnownName(name, GetNamesOf(GetAll()), "generation");
    NS_ABORT_MSG_UNLESS(known.why.empty(), "ScaleUpGeneration: " << name << ": " << known.why);
    return *Find(known.name);
}

} // namespace ns3
