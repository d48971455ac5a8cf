#include <weir/paths/hit.hpp>

#include <utility>
#include <vector>

#include "bounds.hpp"
#include "lines.hpp"

namespace weir::paths {

namespace {

/// Returns the winding number at a point in 1/256 pixels.
int winding_at(const std::vector<LineRecord>& lines, double x, double y) {
    int winding = 0;
    for (const LineRecord& line : lines) {
        const bool starts_above = line.y0 <= y, ends_above = line.y1 <= y;
        if (starts_above != ends_above) {
            const double to_point = (x - line.x0) * static_cast<double>(line.y1 - line.y0);
            const double to_line = static_cast<double>(line.x1 - line.x0) * (y - line.y0);
            if (starts_above ? to_line < to_point : to_line > to_point) { // the line is left of the point
                winding += starts_above ? 1 : -1;
            }
        }
    }
    return winding;
}

} // namespace

/// Bounds and lines of draws.
class HitTester::Lines {
public:
    Lines(const Scene& scene, const View& view) : scene_(scene), view_{view} { view_.scissor = View().scissor; }

    std::optional<std::uint32_t> hit(Point pixel) {
        if (!(pixel.x >= 0 && pixel.y >= 0 && pixel.x < static_cast<float>(view_.width) &&
              pixel.y < static_cast<float>(view_.height))) {
            return {};
        }
        refresh();
        for (auto draw = static_cast<std::uint32_t>(draws_.size()); draw-- > 0;) {
            constexpr std::uint32_t not_drawn_by_application = draw_is_clip | draw_is_effect | draw_is_everywhere;
            if (is_in_bounds(draw, pixel) && (scene_.draws()[draw].flags & not_drawn_by_application) == 0 &&
                is_covered(draw, pixel) && is_visible(scene_.draws()[draw].layer, pixel)) {
                return draw;
            }
        }
        return {};
    }

private:
    struct Drawn {
        Rect bounds; ///< pixels
        std::optional<std::vector<LineRecord>> lines;
    };

    void refresh() {
        const SceneState state = std::exchange(state_, scene_.state());
        if (!scene_.is_later_than(state)) {
            draws_.clear();
        }
        const std::vector<DrawRange> changed =
            draws_.empty() ? std::vector{DrawRange{0, static_cast<std::uint32_t>(scene_.draws().size())}}
                           : scene_.changed_draws(state);
        draws_.resize(scene_.draws().size());
        parts_.resize(scene_.instances().size());
        for (const DrawRange& draws : changed) {
            for (std::uint32_t draw = draws.first; draw != draws.end; ++draw) {
                draws_[draw] = {float_bounds_of(scene_, view_, draw), {}};
            }
        }
    }

    [[nodiscard]] bool is_in_bounds(std::uint32_t draw, Point p) const {
        const auto [left, top, right, bottom] = draws_[draw].bounds;
        return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
    }

    bool is_covered(std::uint32_t index, Point pixel) {
        const DrawRecord& draw = scene_.draws()[index];
        if (!draws_[index].lines) {
            const bool is_last = index + 1 == scene_.draws().size();
            const std::size_t end = is_last ? scene_.instances().size() : scene_.draws()[index + 1].first_instance;
            CpuStrips strips;
            add_lines(scene_, view_, draw.first_instance, static_cast<std::uint32_t>(end), parts_, strips);
            draws_[index].lines = std::move(strips.lines);
        }
        const int winding = winding_at(*draws_[index].lines, double{pixel.x} * subpixels, double{pixel.y} * subpixels);
        return (draw.flags & draw_is_even_odd) != 0 ? winding % 2 != 0 : winding != 0;
    }

    /// Returns false in a mask, and outside of the clips of a layer and of those that enclose it.
    bool is_visible(std::uint32_t index, Point pixel) {
        for (; index != 0; index = scene_.layers()[index].parent) {
            const LayerRecord& layer = scene_.layers()[index];
            bool is_inside = layer.first_clip == layer.end_clip;
            for (std::uint32_t draw = layer.first_clip; draw != layer.end_clip && !is_inside; ++draw) {
                is_inside = is_in_bounds(draw, pixel) && is_covered(draw, pixel);
            }
            if (layer.kind != 0 || !is_inside) {
                return false;
            }
        }
        return true;
    }

    const Scene& scene_;
    SampleView view_; ///< pixels, not samples
    SceneState state_;
    std::vector<Drawn> draws_;
    std::vector<Parts> parts_; ///< per instance
};

HitTester::HitTester(const Scene& scene, const View& view) : lines_(std::make_unique<Lines>(scene, view)) {}
HitTester::HitTester(HitTester&& other) noexcept = default;
HitTester& HitTester::operator=(HitTester&& other) noexcept = default;
HitTester::~HitTester() = default;

std::optional<std::uint32_t> HitTester::hit(Point pixel) {
    return lines_->hit(pixel);
}

std::optional<std::uint32_t> hit_test(const Scene& scene, const View& view, Point pixel) {
    return HitTester(scene, view).hit(pixel);
}

} // namespace weir::paths
