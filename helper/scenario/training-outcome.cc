/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-outcome.h"

#include "fidelity-option.h"
#include "training-variant.h"

#include "ns3/json-writer.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <type_traits>

namespace ns3
{

namespace
{

using Counts = std::array<uint64_t, 4>;

static_assert(std::is_trivially_copyable_v<TrainingFigures>, "they are sent as bytes");

} // namespace

TrainingOutcome
TrainingOutcome::Of(const TrainingRun& run, const TrainingVariant& variant)
{
    TrainingOutcome outcome;
    outcome.figures = GetFigures(run);
    outcome.trains = GetTrainsOf(run.rails);
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    json.Field("policy", variant.policy);
    json.Field("reconfiguration_s", variant.delay ? variant.delay->GetSeconds() : 0.0);
    WriteTrainingRun(json, run, outcome.figures);
    json.EndObject();
    outcome.json = text.str();
    return outcome;
}

std::string
TrainingOutcome::Pack() const
{
    const Counts counts{trains.frames, trains.entered, trains.left, trains.refused};
    std::string bytes(sizeof(figures) + sizeof(counts), '\0');
    std::memcpy(&bytes[0], &figures, sizeof(figures));
    std::memcpy(&bytes[sizeof(figures)], counts.data(), sizeof(counts));
    return bytes + json;
}

TrainingOutcome
TrainingOutcome::Unpack(const std::string& bytes)
{
    TrainingOutcome outcome;
    Counts counts{};
    std::memcpy(&outcome.figures, bytes.data(), sizeof(figures));
    std::memcpy(counts.data(), bytes.data() + sizeof(figures), sizeof(counts));
    outcome.trains.frames = counts[0];
    outcome.trains.entered = counts[1];
    outcome.trains.left = counts[2];
    outcome.trains.refused = counts[3];
    outcome.json = bytes.substr(sizeof(figures) + sizeof(counts));
    return outcome;
}

} // namespace ns3
