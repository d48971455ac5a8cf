#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/weir.hpp>

namespace samples {

/// Contents of an SVG file, in pixels of its own size.
struct Drawing {
    weir::paths::Scene scene;
    float width = 0, height = 0;       ///< pixels
    std::vector<std::string> warnings; ///< features that are not drawn, as parts of a sentence
};

/// Parses a document: static SVG 1.1, and the parts of SVG 2 that browsers share. Text and filters are not drawn.
/// `bytes` may be compressed by gzip. `path` is the path of the file, for messages and for images in its folder and
/// below. Errors: `io` for an invalid document, with the position of the mistake; `limit_exceeded` for a document that
/// draws too much.
weir::Result<Drawing> read_svg(std::string_view bytes, const std::string& path);

} // namespace samples
