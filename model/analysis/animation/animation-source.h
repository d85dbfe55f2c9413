/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATION_SOURCE_H
#define PHOTONIC_RAILS_ANIMATION_SOURCE_H

#include "animation-scene.h"

#include "ns3/callback.h"
#include "ns3/object-base.h"
#include "ns3/simple-ref-count.h"

#include <memory>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A part of a run that changes an animation at the events of its trace sources.
 */
class AnimationSource : public SimpleRefCount<AnimationSource>
{
  public:
    /** @param scene that it changes */
    explicit AnimationSource(std::shared_ptr<AnimationScene> scene)
        : m_scene(std::move(scene))
    {
    }

    virtual ~AnimationSource() = default;

  protected:
    /** Connects a trace source; aborts if the object has no such source. */
    static void Listen(ObjectBase& object, const char* trace, const CallbackBase& callback);

    std::shared_ptr<AnimationScene> m_scene;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATION_SOURCE_H */
