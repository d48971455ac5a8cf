#pragma once

#include <map>
#include <string>

#include <weir/paths/scene.hpp>
#include <weir/weir.hpp>

namespace weir::bench {

/// A glyph of a font, in units of the em, y downwards.
struct FontGlyph {
    paths::Path outline;
    float advance = 0; ///< distance from its origin to that of the next glyph
};

/// The glyphs of printable ASCII.
using Font = std::map<char, FontGlyph>;

/// Reads a font with FreeType. Errors: `unsupported` if the program was built without FreeType, `io`.
Result<Font> read_font(const std::string& path);

/// Returns the path of a font of the system, preferably DejaVu Sans. Empty if there is none.
std::string find_font();

} // namespace weir::bench
