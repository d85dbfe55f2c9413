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

using Counts = std::array<uint64_t, 5>;

static_assert(std::is_trivially_copyable_v<TrainingFigures> &&
                  std::is_trivially_copyable_v<IterationFigures>,
              "they are sent as bytes");

/** Appends things to bytes. */
template <typename Thing>
void
PutThings(std::string& bytes, const Thing* things, std::size_t number)
{
    bytes.append(reinterpret_cast<const char*>(things), number * sizeof(Thing));
}

/** Reads things of PutThings(). @param at their position, which is advanced */
template <typename Thing>
void
TakeThings(const std::string& bytes, std::size_t& at, Thing* things, std::size_t number)
{
    std::memcpy(things, bytes.data() + at, number * sizeof(Thing));
    at += number * sizeof(Thing);
}

} // namespace

TrainingOutcome
TrainingOutcome::Of(const TrainingRun& run, const TrainingVariant& variant)
{
    TrainingOutcome outcome;
    outcome.figures = GetFigures(run);
    outcome.iterations = GetIterationFigures(run);
    outcome.trains = GetTrainsOf(run.ListCounted());
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
    const Counts counts{trains.frames,
                        trains.entered,
                        trains.left,
                        trains.refused,
                        iterations.size()};
    std::string bytes;
    PutThings(bytes, &figures, 1);
    PutThings(bytes, &counts, 1);
    PutThings(bytes, iterations.data(), iterations.size());
    return bytes + json;
}

TrainingOutcome
TrainingOutcome::Unpack(const std::string& bytes)
{
    TrainingOutcome outcome;
    Counts counts{};
    std::size_t at = 0;
    TakeThings(bytes, at, &outcome.figures, 1);
    TakeThings(bytes, at, &counts, 1);
    outcome.iterations.resize(counts[4]);
    TakeThings(bytes, at, outcome.iterations.data(), outcome.iterations.size());
    outcome.trains.frames = counts[0];
    outcome.trains.entered = counts[1];
    outcome.trains.left = counts[2];
    outcome.trains.refused = counts[3];
    outcome.json = bytes.substr(at);
    return outcome;
}

} // namespace ns3
