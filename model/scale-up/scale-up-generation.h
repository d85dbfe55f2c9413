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
 * The known ones are in one array, ScaleUpGeneration::GetAll(), with their sources in
 * scale-up-generation.cc. A script adds one in a line:
 * @code
 * ScaleUpGeneration::GetAll().push_back({"mine", "My GPU", 8'000'000'000'000, 16});
 * @endcode
 *
 * Not included: latency. No maker publishes it by generation; it is an attribute of ScaleUpDomain.
 */
struct ScaleUpGeneration
{
    std::string name;       //!< for scripts
    std::string gpus;       //!< the GPUs with this generation
    uint64_t bitsPerSecond; //!< of a GPU's port in one direction; the other direction has the same
    uint32_t largestDomain; //!< the most GPUs that one fabric joins

    /** @return the known generations; add to it before domains are created */
    static std::vector<ScaleUpGeneration>& GetAll();

    /** @return the generation of a name, or null */
    static const ScaleUpGeneration* Find(const std::string& name);

    /** @return the generation of a name; an unknown one aborts and lists the known ones */
    static const ScaleUpGeneration& Get(const std::string& name);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_GENERATION_H */
