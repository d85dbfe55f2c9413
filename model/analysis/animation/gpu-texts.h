/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GPU_TEXTS_H
#define PHOTONIC_RAILS_GPU_TEXTS_H

#include "animation-scene.h"
#include "rail-panel.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The names of GPUs in an animation, and what they do. GPUs are those of ns-3's nodes, by
 * number; one that has no place in the animation is left out.
 */
class GpuTexts
{
  public:
    explicit GpuTexts(std::shared_ptr<AnimationScene> scene);

    /** The picture has several rails. */
    void SetBrief();
    /** Adds the place of a GPU. @param name unless Rename() gives it another one */
    void Add(Time when, uint32_t gpu, const RailPanel::Gpu& place, const std::string& name);
    /** A GPU has another name, and a counter of operations. */
    void Rename(Time when, uint32_t gpu, const std::string& name);
    /**
     * A GPU does something over its rail.
     * @param what in words; empty: nothing
     * @param brief the same for pictures of several rails, which have less room
     */
    void Show(Time when, uint32_t gpu, const std::string& what, const std::string& brief);
    /** @param operations that a GPU has ended over its rail */
    void Count(Time when, uint32_t gpu, uint64_t operations);

  private:
    /** A GPU. */
    struct Gpu
    {
        std::vector<RailPanel::Gpu> places;
        std::string name;
    };

    std::shared_ptr<AnimationScene> m_scene;
    std::map<uint32_t, Gpu> m_gpus;
    uint32_t m_counter{0}; //!< of operations
    bool m_isBrief{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GPU_TEXTS_H */
