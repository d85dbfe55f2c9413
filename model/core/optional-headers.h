/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTIONAL_HEADERS_H
#define PHOTONIC_RAILS_OPTIONAL_HEADERS_H

// Features that depend on optional headers. A file that tests these macros includes this header
// first.

#if __has_include(<protozero/pbf_reader.hpp>)
#define PHOTONIC_RAILS_HAS_PROTOZERO 1 //!< Chakra traces can be read
#endif

#if __has_include(<nlohmann/json.hpp>)
#define PHOTONIC_RAILS_HAS_NLOHMANN_JSON 1 //!< JSON files of models and groups can be read
#endif

#endif /* PHOTONIC_RAILS_OPTIONAL_HEADERS_H */
