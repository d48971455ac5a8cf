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

/// What is drawn, and how.
struct Drawing {
    std::string name;
    paths::Scene scene;
    paths::View view;
};

/// An SVG file, fitted into a picture: FILE@WIDTHxHEIGHT. Without a size, as large as the file says. Errors: `io`,
/// `invalid_argument` for a size that is none, `limit_exceeded`.
Result<Drawing> drawing_of(const std::string& file);

/// The middle of a drawing, so many times as large.
Drawing zoomed(const Drawing& drawing, float zoom);

/// A page of text with so many glyphs that are seen.
Drawing text_page(const Font& font, std::uint32_t glyphs);

/// Rectangles that move.
class MovingRectangles {
public:
    explicit MovingRectangles(std::uint32_t count);
    [[nodiscard]] const Drawing& drawing() const { return drawing_; }
    /// Moves all of them.
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
