/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_GENERATION_H
#define PHOTONIC_RAILS_SCALE_UP_GENERATION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A generation of the fabric that joins the GPUs inside a server.
 *
 * The known ones stand in one array, ScaleUpGeneration::GetAll(), with their sources in
 * scale-up-generation.cc. A script adds one in a line:
 * @code
 * ScaleUpGeneration::GetAll().push_back({"mine", "My GPU", 8'000'000'000'000, 16});
 * @endcode
 *
 * Left out: latency. No maker gives it by generation; it is an attribute of ScaleUpDomain.
 */
struct ScaleUpGeneration
{
    std::string name;       //!< what scripts call it
    std::string gpus;       //!< the GPUs that have it
    uint64_t bitsPerSecond; //!< of a GPU's port in one direction; the other has as much
    uint32_t largestDomain; //!< the GPUs that one fabric joins at most

    /** @return the known generations; add to it before domains are created */
    static std::vector<ScaleUpGeneration>& GetAll();

    /**
     * @param name a name
     * @return the generation of that name, or null
     */
    static const ScaleUpGeneration* Find(const std::string& name);

    /**
     * @param name a name; an unknown one aborts and lists the known ones
     * @return the generation of that name
     */
    static const ScaleUpGeneration& Get(const std::string& name);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_GENERATION_H */
