/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MODEL_SHAPE_FILE_H
#define PHOTONIC_RAILS_MODEL_SHAPE_FILE_H

#include "model-shape.h"

#include <optional>
#include <string>

namespace ns3
{

/** The result of reading a shape: the shape, or an error. */
struct ModelShapeFile
{
    std::optional<ModelShape> shape; //!< none: there is a mistake
    std::string error{};             //!< with the file, and the byte or the key
};

/**
 * @ingroup photonic-rails
 * @brief Reads the shape of a model from a JSON file.
 *
 * The file has either the names of ModelShape's members, in lower case with underscores (an unknown
 * one is an error, and a missing one keeps its default):
 * @code
 * {"name": "Tiny", "layers": 12, "hidden": 768, "heads": 12, "key_heads": 12, "head_size": 64,
 *  "feed_forward": 2048, "vocabulary": 32000}
 * @endcode
 * or it is a config.json of the Hugging Face libraries, of the model types llama, mistral, mixtral,
 * deepseek_v2 and deepseek_v3; other types have unsupported parts. A file without a model_type is
 * read as llama or mixtral. Other names are ignored.
 *
 * Needs nlohmann-json (Debian: nlohmann-json3-dev) when the module is built; without it, every call
 * returns an error that names the package.
 * @param file name of the file; at most 1 MiB is read
 * @return the shape, or an error
 */
ModelShapeFile ReadModelShape(const std::string& file);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODEL_SHAPE_FILE_H */
