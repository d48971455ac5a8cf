#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/paths/scene.hpp>

namespace weir::svg {

/// A kind of content that is not drawn: an element ("foreignObject"), a value of a property ("clip-path: circle()"), a
/// function of CSS ("calc()"), or a rule of a style sheet ("@import").
struct NotDrawn {
    std::string what;
    std::size_t count = 0; ///< at least 1
};

/// An SVG document as a scene. Units are pixels of CSS (96 per inch) of the document's own size, with y downwards. The
/// document is the rectangle from 0, 0 to `width`, `height`; content outside of it is not clipped.
struct Drawing {
    paths::Scene scene;
    float width = 0, height = 0;
    std::vector<NotDrawn> not_drawn; ///< each kind once, sorted by `what`
};

struct ReadOptions {
    /// Name of the document. Error messages begin with it.
    std::string name = "SVG";
    /// Folder of images and fonts in files: a link is relative to it, and the file must be in it or below it. If it is
    /// empty, images in files are not drawn and fonts in files are not used.
    std::filesystem::path folder = {};
    /// Returns the pixels of the picture per pixel of the document, from the size of the document. Tiles of patterns
    /// become bitmaps with this resolution. If it is empty, 1.
    std::function<float(float width, float height)> scale_of = {};
    /// Id of an element. If it is not empty, only this element is drawn, without the transforms of its parents and
    /// without text, and the document needs no size: for glyphs of a font with the table SVG. The origin is that of
    /// `viewBox`.
    std::string element = {};
    /// Value of `currentColor` of the root, and of `context-fill` and `context-stroke` in `element`.
    paths::Color color = {};
};

/// Parses a document: static SVG 1.1, and the parts of SVG 2 that browsers share. Animations and scripts are ignored;
/// everything else that is ignored is listed in Drawing::not_drawn.
///
/// `bytes` is XML in UTF-8, UTF-16, UTF-32 or Latin-1, and may be compressed by gzip. Other encodings that browsers
/// support, such as windows-1251, need iconv, which Linux has in its C library. Nothing is loaded from a network.
/// May be called from several threads.
///
/// Errors: `io` for a document that is not well-formed, with the line of the mistake, for one whose root element is not
/// `svg`, for an encoding that is not supported, for a size that is not positive, and without `ReadOptions::element`;
/// `limit_exceeded` for a document that draws too much.
[[nodiscard]] Result<Drawing> read(std::string_view bytes, const ReadOptions& options = {});

} // namespace weir::svg
