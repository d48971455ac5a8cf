#pragma once

#include <map>
#include <string>

#include <weir/paths/scene.hpp>
#include <weir/weir.hpp>

namespace weir::bench {

/// A glyph of a font, in units of the em, y downwards.
struct FontGlyph {
    paths::Path outline;
    float advance = 0; ///< from its origin to that of the next glyph
};

/// The glyphs of printable ASCII.
using Font = std::map<char, FontGlyph>;

/// Reads a font with FreeType. Errors: `unsupported` for a program that was built without it, `io`.
Result<Font> read_font(const std::string& path);

/// A font of the system, DejaVu Sans where there is one. Empty: none was found.
std::string find_font();

} // namespace weir::bench
