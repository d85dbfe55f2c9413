/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATED_OPERATIONS_H
#define PHOTONIC_RAILS_ANIMATED_OPERATIONS_H

#include "animation-source.h"
#include "gpu-texts.h"

#include "ns3/collective-application.h"
#include "ns3/operation-record.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of a rank in an animation: the text beside its GPU has those that are
 * running. Operations that stay in a server are left out, and so is computing.
 */
class AnimatedOperations : public AnimationSource
{
  public:
    /** @param texts of all GPUs @param gpu number of the rank's node */
    AnimatedOperations(std::shared_ptr<AnimationScene> scene,
                       std::shared_ptr<GpuTexts> texts,
                       uint32_t gpu);

    /** Animates the operations of a rank. */
    static void Animate(const Ptr<CollectiveApplication>& rank,
                        const std::shared_ptr<GpuTexts>& texts,
                        const std::shared_ptr<AnimationScene>& scene);

  private:
    /** An operation that is running. */
    struct Operation
    {
        std::string name;
        std::string brief; //!< its parallelism, or else its kind
    };

    void Started(const OperationRecord& record);
    void Ended(const OperationRecord& record);
    void Failed(const OperationRecord& record);
    /** Draws the operations that are running. */
    void Draw();

    std::shared_ptr<GpuTexts> m_texts;
    uint32_t m_gpu;
    std::map<uint32_t, Operation> m_open; //!< by number
    uint64_t m_ended{0};                  //!< number of operations
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATED_OPERATIONS_H */
