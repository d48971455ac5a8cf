#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/weir.hpp>

namespace samples {

/// What an SVG file draws, in pixels of its own size.
struct Drawing {
    weir::paths::Scene scene;
    float width = 0, height = 0;       ///< pixels
    std::vector<std::string> warnings; ///< what is not drawn, each as part of a sentence
};

/// Reads a document: static SVG 1.1, and of SVG 2 what browsers have in common. Text and filters are not drawn. `bytes`
/// may be compressed by gzip. `path` is the file's, for messages and for images in its folder and below. Errors: `io`
/// for what is no SVG, with the place of the mistake; `limit_exceeded` for a document that draws too much.
weir::Result<Drawing> read_svg(std::string_view bytes, const std::string& path);

} // namespace samples
