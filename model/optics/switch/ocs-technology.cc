/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ocs-technology.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

constexpr Picoseconds NS = 1'000;
constexpr Picoseconds US = 1'000'000;
constexpr Picoseconds MS = 1'000'000'000;
constexpr Picoseconds S = 1'000'000'000'000;

// Reconfiguration times and radices: the table of OCS technologies in "Photonic Rails in ML
// Datacenters" (arXiv 2507.08119). Power and price: the inputs of the cost study published with
// "Opus" (arXiv 2602.12521), 75 W for a switch of 192 ports and 520 dollars a port, which it uses
// for an OCS of any kind; no source gives them, or the loss, technology by technology. An unknown
// loss has no value: set it from a data sheet.
constexpr double WATTS = 75.0 / 192;
constexpr double DOLLARS = 520;
const std::nullopt_t UNKNOWN = std::nullopt;

} // namespace

std::vector<OcsTechnology>&
OcsTechnology::GetAll()
{
    static std::vector<OcsTechnology> all{
        {"plzt", "PLZT waveguides (EpiPhotonics)", 10 * NS, 16, UNKNOWN, WATTS, DOLLARS, false},
        {"sip", "Silicon photonics (Lightmatter)", 7 * US, 32, UNKNOWN, WATTS, DOLLARS, false},
        {"rotornet", "Rotor (RotorNet, InFocus)", 10 * US, 128, UNKNOWN, WATTS, DOLLARS, true},
        {"mems", "3D MEMS mirrors (Calient)", 15 * MS, 320, UNKNOWN, WATTS, DOLLARS, false},
        {"piezo", "Piezo beam steering (Polatis)", 25 * MS, 576, UNKNOWN, WATTS, DOLLARS, false},
        {"liquid-crystal",
         "Liquid crystal (Coherent)",
         100 * MS,
         512,
         UNKNOWN,
         WATTS,
         DOLLARS,
         false},
        {"robotic",
         "Robotic patch panel (Telescent)",
         120 * S,
         1008,
         UNKNOWN,
         WATTS,
         DOLLARS,
         false},
    };
    return all;
}

const OcsTechnology*
OcsTechnology::Find(const std::string& name)
{
    const auto& all = GetAll();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const OcsTechnology& one) {
        return one.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

const OcsTechnology&
OcsTechnology::Get(const std::string& name)
{
    const KnownName known = FindKnownName(name, GetNamesOf(GetAll()), "technology");
    NS_ABORT_MSG_UNLESS(known.why.empty(),
                        "OcsTechnology: " << name << ": " << known.why
                                          << " Or add yours to OcsTechnology::GetAll()");
    return *Find(known.name);
}

} // namespace ns3
