#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

#include "paths/font.hpp"

namespace weir::bench {

/// A scene with its name and view.
struct Drawing {
    std::string name;
    paths::Scene scene;
    paths::View view;
};

/// Reads an SVG file and fits it into a picture: FILE@WIDTHxHEIGHT. Without a size, the picture has the size in the
/// file. Errors: `io`, `invalid_argument` for an invalid size, `limit_exceeded`.
Result<Drawing> drawing_of(const std::string& file);

/// Returns the middle of a drawing, enlarged by the factor `zoom`.
Drawing zoomed(const Drawing& drawing, float zoom);

/// Returns a page of text with `glyphs` visible glyphs.
Drawing text_page(const Font& font, std::uint32_t glyphs);

/// Rectangles that move.
class MovingRectangles {
public:
    explicit MovingRectangles(std::uint32_t count);
    [[nodiscard]] const Drawing& drawing() const { return drawing_; }
    /// Moves all rectangles.
    void step();

private:
    struct Rectangle {
        paths::Point place, speed;
        float width, height;
    };
    std::vector<Rectangle> rectangles_;
    Drawing drawing_;
};

} // namespace weir::bench
