#include <weir/paths/cpu.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "flatten.hpp"
#include "keys.hpp"
#include "lines.hpp"
#include "stroke.hpp"

namespace weir::paths {

namespace {

/// Winding numbers of the rows of pixels of a tile.
using Windings = std::array<std::int16_t, tile_height>;

std::array<std::uint32_t, 2> packed(const Windings& w) {
    return std::bit_cast<std::array<std::uint32_t, 2>>(w);
}

Windings windings(const CutRecord& cut) {
    auto y0 = static_cast<std::int32_t>(cut.top >> 13 & 0x7FF), y1 = static_cast<std::int32_t>(cut.bottom >> 13);
    if ((cut.top & cut_is_aliased) != 0) { // rows whose centers are between the ends
        y0 = (y0 + subpixels / 2 - 1) & -subpixels;
        y1 = (y1 + subpixels / 2 - 1) & -subpixels;
    }
    Windings w;
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(tile_height); ++row) {
        const std::int32_t height =
            std::clamp(y1 - row * subpixels, 0, subpixels) - std::clamp(y0 - row * subpixels, 0, subpixels);
        w[row] = static_cast<std::int16_t>(cut.top >> 31 != 0 ? -height : height);
    }
    return w;
}

bool is_filled(const Windings& w, bool is_even_odd) {
    return std::any_of(w.begin(), w.end(), [&](std::int16_t row) { return (is_even_odd ? row & 511 : row) != 0; });
}

/// Returns true if every row is completely inside.
bool is_full(const Windings& w, bool is_even_odd) {
    return std::all_of(w.begin(), w.end(), [&](std::int16_t row) {
        return is_even_odd ? (row & 511) == subpixels : std::abs(row) >= subpixels;
    });
}

/// std::stable_sort without its allocation for the short ranges that are usual here.
template <class Iterator, class Less>
void sort_stably(Iterator first, Iterator end, const Less& is_less) {
    if (end - first > 32) {
        std::stable_sort(first, end, is_less);
        return;
    }
    for (Iterator i = first; i != end; ++i) {
        std::rotate(std::upper_bound(first, i, *i, is_less), i, std::next(i));
    }
}

} // namespace

void add_lines(const Scene& scene, const SampleView& view, std::uint32_t first, std::uint32_t end,
               std::vector<Parts>& parts, CpuStrips& out) {
    for (std::uint32_t i = first; i < end; ++i) {
        parts[i] = parts_of(scene, view, i);
        out.centers += parts[i].count;
    }
    std::vector<OutlineLine> outline;
    std::uint32_t length = 0; // length of the subpath so far, in units of the dash pattern
    for (std::uint32_t i = first; i < end; ++i) {
        const DrawRecord& draw = scene.draws()[scene.instances()[i]];
        const Transform m = transform_of(view, draw);
        const auto add = [&](Point a, Point b) {
            out.lines.push_back(line_of(view, a, b));
            out.line_draws.push_back(scene.instances()[i]);
        };
        const SegmentRecord& segment = segment_of(scene, draw, i);
        const std::uint32_t n = parts[i].count;
        if (draw.stroke == 0) {
            const Curve curve = transformed(m, outline_curve(scene, segment));
            for (std::uint32_t k = 0; k < n; ++k) {
                const Part part = part_of(parts[i], k);
                add(point_at(curve, part.first, parts[i].n), point_at(curve, part.end, parts[i].n));
            }
            continue;
        }
        StrokeRecord stroke = scene.strokes()[draw.stroke - 1];
        const Transform stroke_to_samples = stroke_transform(scene, view, draw);
        if (stroke.dashes != 0) {
            stroke = with_visible_dashes(stroke, draw, to_pixels(view, m));
        }
        for (std::uint32_t k = 0; k < n; ++k) {
            const Center center = center_of(scene, view, draw, parts, i, k);
            DashedLine dashed;
            if (stroke.dashes != 0) {
                dashed.is_first = k == 0 && (segment.flags & segment_first) != 0;
                dashed.is_last = k + 1 == n && (segment.flags & segment_last) != 0;
                length = dashed.is_first ? 0 : length;
                dashed.start = length;
                const DashLength size = length_of(stroke, center);
                length += size.patterns * (1U << 16) + size.units;
            }
            outline.clear();
            add_outline(scene, view, stroke, stroke_to_samples, center, stroke.dashes != 0 ? &dashed : nullptr,
                        outline);
            for (const OutlineLine& line : outline) {
                add(transformed(stroke_to_samples, line.a), transformed(stroke_to_samples, line.b));
            }
        }
    }
}

namespace {

/// A cut before sorting. Cuts are made in the order of draws.
struct UnsortedCut : Cut {
    std::uint32_t draw = 0;
};

void make_cuts(const Scene& scene, const SampleView& view, CpuStrips& out) {
    const KeyLayout layout = key_layout(view, scene.draws().size());
    std::vector<Cut> of_line;
    std::vector<UnsortedCut> cuts;
    std::vector<std::size_t> ends(view.rows() + 1); // first the number of cuts of each row, then the ends of the rows
    for (std::size_t i = 0; i < out.lines.size(); ++i) {
        const bool is_aliased = view.across != 1 || (scene.draws()[out.line_draws[i]].flags & draw_is_aliased) != 0;
        const std::uint32_t kind = is_aliased ? cut_is_aliased : 0;
        of_line.clear();
        add_cuts(view, out.lines[i], of_line);
        for (Cut& cut : of_line) {
            cut.record.top |= kind;
            cuts.push_back({cut, out.line_draws[i]});
            ++ends[static_cast<std::size_t>(cut.row) + 1];
        }
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> order(cuts.size());
    for (std::uint32_t i = 0; i < cuts.size(); ++i) {
        order[ends[static_cast<std::size_t>(cuts[i].row)]++] = i;
    }
    const auto is_left = [&](std::uint32_t a, std::uint32_t b) { return cuts[a].column < cuts[b].column; };
    const auto is_other_draw = [&](std::uint32_t a, std::uint32_t b) {
        return cuts[a].draw != cuts[b].draw || cuts[a].row != cuts[b].row;
    };
    out.keys.reserve(cuts.size());
    out.cuts.reserve(cuts.size());
    for (auto first = order.begin(); first != order.end();) {
        const auto end = std::find_if(first, order.end(), [&](std::uint32_t i) { return is_other_draw(*first, i); });
        sort_stably(first, end, is_left);
        for (; first != end; ++first) {
            const UnsortedCut& cut = cuts[*first];
            const std::uint64_t row_of_draw = static_cast<std::uint64_t>(cut.row) * scene.draws().size() + cut.draw;
            out.keys.push_back(row_of_draw * layout.places_in_row + static_cast<std::uint32_t>(cut.column + 1));
            out.cuts.push_back(cut.record);
        }
    }
}

void make_strips(const Scene& scene, const View& view, CpuStrips& out) {
    const KeyLayout layout = key_layout(view, scene.draws().size());
    const auto column_of = [&](std::uint64_t key) { return static_cast<std::int32_t>(key % layout.places_in_row) - 1; };
    const auto is_same_row = [&](std::uint64_t a, std::uint64_t b) {
        return a / layout.places_in_row == b / layout.places_in_row;
    };
    const auto columns = static_cast<std::int32_t>(view.columns());
    Windings sum{};
    for (std::size_t i = 0; i < out.cuts.size(); ++i) {
        const std::uint64_t key = out.keys[i];
        const std::int32_t column = column_of(key);
        const auto draw = static_cast<std::uint32_t>(key / layout.places_in_row % scene.draws().size());
        if (i == 0 || !is_same_row(out.keys[i - 1], key)) {
            sum = {};
        }
        if (i == 0 || out.keys[i - 1] != key) {
            out.strips.push_back({.draw = draw, .first_cut = static_cast<std::uint32_t>(i), .before = packed(sum)});
            out.spans.push_back(static_cast<std::uint32_t>(column + 1));
        }
        const Windings more = windings(out.cuts[i]);
        for (std::uint32_t r = 0; r < tile_height; ++r) {
            sum[r] = static_cast<std::int16_t>(sum[r] + more[r]);
        }
        if (i + 1 == out.cuts.size() || out.keys[i + 1] != key) {
            const bool is_last = i + 1 == out.cuts.size() || !is_same_row(out.keys[i + 1], key);
            const std::int32_t next = is_last ? columns : std::min(columns, column_of(out.keys[i + 1]));
            StripRecord& strip = out.strips.back();
            strip.after = packed(sum);
            const std::uint32_t flags = scene.draws()[draw].flags;
            const bool is_even_odd = (flags & draw_is_even_odd) != 0;
            const auto gap =
                is_filled(sum, is_even_odd) ? static_cast<std::uint32_t>(std::max(0, next - column - 1)) : 0;
            const bool is_opaque = gap != 0 && (flags & draw_is_opaque) != 0 && is_full(sum, is_even_odd);
            out.spans.back() |= gap << span_gap_shift | (is_opaque ? span_is_opaque : 0) | (flags & draw_effect_depth) |
                                ((flags & draw_is_clip) != 0 ? span_of_clip : 0);
        }
    }
    out.strips.push_back({.first_cut = static_cast<std::uint32_t>(out.cuts.size())});
}

void find_rows(const Scene& scene, const View& view, CpuStrips& out) {
    const std::uint64_t keys_in_row = scene.draws().size() * key_layout(view, scene.draws().size()).places_in_row;
    out.rows.resize(view.rows());
    for (std::uint32_t strip = 0; strip + 1 < out.strips.size(); ++strip) {
        RowRecord& row = out.rows[out.keys[out.strips[strip].first_cut] / keys_in_row];
        row.first = row.end == 0 ? strip : row.first;
        row.end = strip + 1;
    }
}

} // namespace

CpuStrips cpu_strips(const Scene& scene, const View& part, const CpuOptions& /*options*/) {
    SampleView view = samples_of(part);
    if (!scene.effects().empty()) { // they need pixels outside of the scissor
        view.scissor = View().scissor;
    }
    CpuStrips strips;
    std::vector<Parts> parts(scene.instances().size());
    add_lines(scene, view, 0, static_cast<std::uint32_t>(parts.size()), parts, strips);
    make_cuts(scene, view, strips);
    make_strips(scene, view, strips);
    find_rows(scene, view, strips);
    return strips;
}

} // namespace weir::paths
