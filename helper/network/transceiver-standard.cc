/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transceiver-standard.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>

namespace ns3
{

const std::vector<TransceiverStandard>&
TransceiverStandard::GetAll()
{
    // IEEE Std 802.3bs, 400GBASE-DR4: 500 m; IEEE Std 802.3cu, 400GBASE-FR4: 2 km; 100G Lambda MSA,
    // 400G-LR4-10: 10 km. Average power of a lane, the least at the transmitter and at the
    // receiver.
    static const std::vector<TransceiverStandard> all{
        {"dr4", -2.9, -5.9},
        {"fr4", -3.3, -7.3},
        {"lr4", -2.7, -9.0},
    };
    return all;
}

const TransceiverStandard&
TransceiverStandard::Get(const std::string& name)
{
    const KnownName known = FindKnownName(name, GetNamesOf(GetAll()), "transceiver");
    NS_ABORT_MSG_UNLESS(known.why.empty(), "TransceiverStandard: " << name << ": " << known.why);
    return *std::find_if(GetAll().begin(), GetAll().end(), [&](const TransceiverStandard& one) {
        return one.name == known.name;
    });
}

} // namespace ns3
