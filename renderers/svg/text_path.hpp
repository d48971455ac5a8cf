#pragma once

#include <optional>
#include <vector>

#include <weir/paths/geometry.hpp>

namespace weir::svg {

/// A path along which text is drawn.
class TextPath {
public:
    /// Measures a path. `offset` is the position of the text's start on it.
    explicit TextPath(const weir::paths::Path& path);

    [[nodiscard]] float length() const { return ends_.empty() ? 0 : ends_.back(); } ///< sum of all lines and curves

    /// A position with the direction of the path there.
    struct Place {
        weir::paths::Point at;
        float angle = 0; ///< radians
    };
    /// Returns the place at a distance from the start; nullopt beyond the ends.
    [[nodiscard]] std::optional<Place> at(float distance) const;

    float offset = 0; ///< position of the text's start

private:
    void add_line(weir::paths::Point from, weir::paths::Point to);

    std::vector<weir::paths::Point> points_; ///< start and end of each line
    std::vector<float> ends_;                ///< distance of each line's end
};

} // namespace weir::svg
