/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animated-control-plane.h"

#include "ns3/opus-controller-app.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <utility>

namespace ns3
{

AnimatedControlPlane::AnimatedControlPlane(std::shared_ptr<AnimationScene> scene,
                                           const std::string& name)
    : AnimationSource(std::move(scene)),
      m_name(name)
{
}

void
AnimatedControlPlane::Animate(const OpusControlPlane& plane,
                              const std::shared_ptr<AnimationScene>& scene)
{
    const auto animate = [&scene](const Ptr<OpusControllerApp>& controller, const char* name) {
        if (controller)
        {
            const auto source = Create<AnimatedControlPlane>(scene, name);
            Listen(*controller, "Decision", MakeCallback(&AnimatedControlPlane::Decided, source));
        }
    };
    animate(plane.controller, "controller");
    animate(plane.standby, "standby");
}

void
AnimatedControlPlane::Decided(const ControllerNote& note)
{
    using Kind = ControllerNote::Kind;
    std::string what = ToString(note.kind);
    std::replace(what.begin(), what.end(), '-', ' ');
    switch (note.kind)
    {
    case Kind::PROGRAM:
        what = "programs rail " + std::to_string(note.rail.Get()) + " for " + ToWords(note.phase);
        break;
    case Kind::TAKEOVER:
        what += ", term " + note.words;
        break;
    case Kind::GRANTED:
        what += " " + ToWords(note.phase);
        break;
    case Kind::CONFLICT:
    case Kind::FAILED:
    case Kind::RECALLED:
    case Kind::REFUSED:
    case Kind::FOREIGN:
    case Kind::NOT_RELEASED:
    case Kind::FALLBACK:
    case Kind::OUTAGE:
        what += ": " + note.words;
        break;
    default: // circuits, or operations, show the others
        return;
    }
    m_scene->Note(note.when, m_name + ": " + what);
}

} // namespace ns3
