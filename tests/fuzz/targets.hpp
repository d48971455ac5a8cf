#pragma once

#include <cstdint>
#include <span>

// Fuzz targets: parsers of files and text, and sequences of calls. Each target takes any bytes and must return without
// an error that a sanitizer detects. weir_fuzz runs them, see main.cpp.

namespace weir::fuzz {

using Bytes = std::span<const std::uint8_t>;

void spirv(Bytes bytes);          ///< a module of a pass: reflection, and the forms for other devices
void shader_archive(Bytes bytes); ///< contents of a file of shaders, after the header
void pipelines(Bytes bytes);      ///< a file of pipelines, with any headers and with valid ones
void shapes(Bytes bytes);         ///< the table of kernel shapes, as the tuner reads and changes it
void numbers(Bytes bytes);        ///< text and options of numbers
void series(Bytes bytes);         ///< a CSV file
void cloud(Bytes bytes);          ///< a file of splats
void cameras(Bytes bytes);        ///< a camera path of the sample splats
void svg(Bytes bytes);            ///< a document
void raster(Bytes bytes);         ///< a picture in a document
void options(Bytes bytes);        ///< a command line
void graph(Bytes bytes);          ///< calls of Graph and of primitives, with handles of this graph and of others

struct Target {
    const char* name;
    void (*feed)(Bytes bytes);
};

inline constexpr Target targets[] = {
    {"spirv", spirv},     {"shader_archive", shader_archive},
    {"shapes", shapes},   {"numbers", numbers},
    {"series", series},   {"cloud", cloud},
    {"cameras", cameras}, {"svg", svg},
    {"raster", raster},   {"options", options},
    {"graph", graph},     {"pipelines", pipelines},
};

} // namespace weir::fuzz
