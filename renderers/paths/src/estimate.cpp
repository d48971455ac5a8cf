#include <algorithm>
#include <cmath>
#include <cstdint>

#include <weir/paths/strips.hpp>

#include "flatten.hpp"
#include "parts.hpp"

namespace weir::paths {

namespace {

/// Cuts per pixel along both axes.
constexpr float cuts_across = 1.0F / tile_width, cuts_down = 1.0F / tile_height;

/// Estimated numbers of elements.
struct Numbers {
    explicit Numbers(std::uint32_t rows) : more_in_row(rows + 1) {}

    double centers = 0, lines = 0, cuts = 0;
    std::vector<double> more_in_row; ///< cuts of each row of tiles, minus those of the row above
};

/// A stroke in pixels.
struct StrokeSize {
    float radius = 0;
    float cap = 1, join = 3; ///< lines
    float end_cuts = 0;      ///< cuts of a cap or a join, in addition to one per line
    float dashes_per_pixel = 0;
};

StrokeSize size_of(const View& view, const StrokeRecord& stroke, const Transform& m) {
    const float scale = scale_of(m), most = static_cast<float>(view.width + view.height);
    StrokeSize size{.radius = std::min(stroke.half_width * scale, most)};
    const float half_circle = 2 + 2.2F * std::sqrt(size.radius / view.tolerance);
    const auto round = static_cast<std::uint32_t>(Cap::round);
    size.cap = stroke.start_cap == round || stroke.end_cap == round ? half_circle : 3;
    size.join = stroke.join == static_cast<std::uint32_t>(Join::round) ? half_circle / 2 + 2 : 4;
    size.end_cuts = 3 * size.radius * (cuts_across + cuts_down);
    if (stroke.dashes != 0) {
        const float patterns = stroke.dash_scale / 65536 / scale;
        size.dashes_per_pixel = std::min(patterns, 16.0F) * (0.5F * static_cast<float>(stroke.dashes));
    }
    return size;
}

/// Adds the elements of an instance.
void add(const View& view, const Curve& curve, const SegmentRecord& segment, const Parts& parts,
         const StrokeSize* stroke, Numbers& sum) {
    const auto add_cuts = [&](double cuts, float radius) { // evenly to the rows that the curve reaches
        const auto last = static_cast<float>(view.rows() - 1);
        const auto row_of = [&](float y) { return static_cast<std::size_t>(std::clamp(y * cuts_down, 0.0F, last)); };
        const auto [top, bottom] =
            std::minmax_element(curve.p, curve.p + curve.degree + 1, [](Point a, Point b) { return a.y < b.y; });
        const std::size_t first = row_of(top->y - radius), end = row_of(bottom->y + radius) + 1;
        const double in_row = cuts / static_cast<double>(end - first);
        sum.cuts += cuts;
        sum.more_in_row[first] += in_row;
        sum.more_in_row[end] -= in_row;
    };
    const float margin = 16 + (stroke != nullptr ? stroke->radius : 0);
    const auto x = [&](Point p) { return std::clamp(p.x, -margin, static_cast<float>(view.width) + margin); };
    const auto y = [&](Point p) { return std::clamp(p.y, -margin, static_cast<float>(view.height) + margin); };
    float across = 0, down = 0; // lengths of the control polygon within the picture
    for (std::uint32_t i = 0; i < curve.degree; ++i) {
        across += std::abs(x(curve.p[i + 1]) - x(curve.p[i]));
        down += std::abs(y(curve.p[i + 1]) - y(curve.p[i]));
    }
    const auto count = static_cast<float>(parts.count);
    const float crossed = across * cuts_across + down * cuts_down;
    sum.centers += count;
    if (stroke == nullptr) {
        sum.lines += count;
        add_cuts(count + crossed, 0);
        return;
    }
    const bool begins = (segment.flags & segment_begins) != 0, ends = (segment.flags & segment_ends) != 0;
    const float caps = (begins ? 1.0F : 0.0F) + (ends ? 1.0F : 0.0F);
    float lines = 4 * count + caps * stroke->cap + (ends ? 0 : stroke->join);
    float cuts = 2 * crossed + (caps + 1) * stroke->end_cuts;
    if (stroke->dashes_per_pixel > 0) {
        const float dashes = 2 * count + (across + down) * stroke->dashes_per_pixel;
        lines += dashes * (2 + 2 * stroke->cap);
        cuts += dashes * 2 * stroke->end_cuts;
    }
    sum.lines += lines;
    add_cuts(lines + cuts, stroke->radius);
}

std::uint32_t rounded(double number) {
    constexpr double most = 1 << 22; // larger scenes grow to their need
    return static_cast<std::uint32_t>(std::min(most, number + 64));
}

} // namespace

Sizes estimated_sizes(const Scene& scene, const View& picture) {
    const SampleView view = samples_of(picture);
    Numbers all(view.rows());
    const std::vector<std::uint32_t>& instances = scene.instances();
    for (std::size_t i = 0; i < instances.size();) {
        const std::uint32_t index = instances[i];
        const DrawRecord& draw = scene.draws()[index];
        const Transform m = transform_of(view, draw);
        const StrokeRecord* stroke = draw.stroke != 0 ? &scene.strokes()[draw.stroke - 1] : nullptr;
        const StrokeSize size =
            stroke != nullptr ? size_of(view, *stroke, stroke_transform(scene, view, draw)) : StrokeSize{};
        for (; i < instances.size() && instances[i] == index; ++i) {
            const Parts parts = parts_of(scene, view, static_cast<std::uint32_t>(i));
            if (parts.count != 0) {
                const SegmentRecord& segment = segment_of(scene, draw, static_cast<std::uint32_t>(i));
                add(view, transformed(m, outline_curve(scene, segment)), segment, parts,
                    stroke != nullptr ? &size : nullptr, all);
            }
        }
    }
    double in_row = 0, in_longest_row = 0;
    for (const double more : all.more_in_row) {
        in_row += more;
        in_longest_row = std::max(in_longest_row, in_row);
    }
    return {.centers = rounded(all.centers),
            .lines = rounded(all.lines),
            .cuts = rounded(all.cuts),
            .row_cuts = rounded(1.25 * in_longest_row)};
}

} // namespace weir::paths
