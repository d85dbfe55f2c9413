/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAILS_EXTENSION_H
#define PHOTONIC_RAILS_RAILS_EXTENSION_H

#include "ns3/circuit-policy.h"
#include "ns3/collective-algorithm.h"
#include "ns3/congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <array>
#include <cstdint>
#include <string>

/**
 * @file
 * An extension is a shared object of a user: a policy, a congestion control or an algorithm in a
 * file of its own, which programs load with `--load=FILE.so` (doc/extending.rst). Its source
 * includes this header, or photonic-rails-module.h. Both put a mark into the file that says what it
 * was built against, and which is read before any of its code runs.
 */

namespace ns3
{

/** The release of this module, as in CITATION.cff. */
#define PHOTONIC_RAILS_RELEASE "1.0.0"

/** What an extension was built against. */
struct ExtensionMark
{
    /** The beginning of every mark. */
    static constexpr char BEGIN[] = "photonic-rails extension of ";

    char words[64]; //!< the beginning, and the release of this module
    std::array<uint64_t, 8>
        layouts; //!< sizes that differ between releases of ns-3 or of this module
};

namespace
{

/** The mark, in each source that includes this header. */
[[gnu::used]] const ExtensionMark g_extensionMark{
    "photonic-rails extension of " PHOTONIC_RAILS_RELEASE,
    {sizeof(Object),
     sizeof(TypeId::AttributeInformation),
     sizeof(ObjectFactory),
     sizeof(Time),
     sizeof(CircuitPolicy),
     sizeof(CircuitTarget),
     sizeof(CollectiveAlgorithm),
     sizeof(CongestionControl)}};

} // namespace

/**
 * Loads an extension: what it registers can be chosen by name from then on.
 * @param file a shared object
 * @return the reason why it cannot be loaded, with the remedy; empty if it is loaded
 */
std::string LoadExtension(const std::string& file);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAILS_EXTENSION_H */
