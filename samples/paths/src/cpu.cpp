#include <weir/paths/cpu.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "flatten.hpp"
#include "keys.hpp"
#include "stroke.hpp"

namespace weir::paths {

namespace {

/// Winding numbers of the four rows of pixels of a tile.
using Windings = std::array<std::int16_t, tile_height>;

std::array<std::uint32_t, 2> packed(const Windings& w) {
    return std::bit_cast<std::array<std::uint32_t, 2>>(w);
}

Windings windings(const CutRecord& cut) {
    const auto y0 = static_cast<std::int32_t>(cut.top >> 13 & 0x7FF), y1 = static_cast<std::int32_t>(cut.bottom >> 13);
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

void make_lines(const Scene& scene, const View& view, CpuStrips& out) {
    const auto instances = static_cast<std::uint32_t>(scene.instances().size());
    std::vector<std::uint32_t> counts(instances);
    for (std::uint32_t i = 0; i < instances; ++i) {
        counts[i] = lines_of(scene, view, i);
        out.centers += counts[i];
    }
    for (std::uint32_t i = 0; i < instances; ++i) {
        const DrawRecord& draw = scene.draws()[scene.instances()[i]];
        const Transform m = transform_of(view, draw);
        const auto add = [&](Point a, Point b) {
            out.lines.push_back(line_of(view, a, b));
            out.line_draws.push_back(scene.instances()[i]);
        };
        const Curve curve = transformed(m, outline_curve(scene, segment_of(scene, draw, i)));
        for (std::uint32_t k = 0; k < counts[i]; ++k) {
            if (draw.stroke == 0) {
                add(point_at(curve, k, counts[i]), point_at(curve, k + 1, counts[i]));
                continue;
            }
            const StrokeRecord& stroke = scene.strokes()[draw.stroke - 1];
            const float radius = stroke.half_width * scale_of(m);
            const Center center = center_of(scene, view, draw, counts, i, k, radius);
            const std::uint32_t parts = outline_lines(view, stroke, center, radius);
            for (std::uint32_t part = 0; part < parts; ++part) {
                const OutlineLine line = outline_line(view, stroke, center, part, radius);
                add(transformed(m, line.a), transformed(m, line.b));
            }
        }
    }
}

void make_cuts(const Scene& scene, const View& view, CpuStrips& out) {
    const KeyBits bits = key_bits(view, scene.draws().size());
    std::vector<std::pair<std::uint64_t, CutRecord>> cuts;
    for (std::size_t i = 0; i < out.lines.size(); ++i) {
        const std::uint32_t n = cuts_of(view, out.lines[i]);
        for (std::uint32_t rank = 0; rank < n; ++rank) {
            const Cut cut = cut_of(view, out.lines[i], rank);
            const std::uint64_t key =
                (std::uint64_t{out.line_draws[i]} << bits.row | static_cast<std::uint32_t>(cut.row)) << bits.column |
                static_cast<std::uint32_t>(cut.column + 1);
            cuts.emplace_back(key, cut.record);
        }
    }
    std::stable_sort(cuts.begin(), cuts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [key, cut] : cuts) {
        out.keys.push_back(key);
        out.cuts.push_back(cut);
    }
}

void make_strips(const Scene& scene, const View& view, CpuStrips& out) {
    const KeyBits bits = key_bits(view, scene.draws().size());
    const auto columns = static_cast<std::int32_t>(view.columns());
    Windings sum{};
    for (std::size_t i = 0; i < out.cuts.size(); ++i) {
        const std::uint64_t key = out.keys[i];
        const auto column = static_cast<std::int32_t>(key & ((1U << bits.column) - 1)) - 1;
        const auto row = static_cast<std::uint32_t>(key >> bits.column & ((1U << bits.row) - 1));
        const auto draw = static_cast<std::uint32_t>(key >> (bits.column + bits.row));
        if (i == 0 || out.keys[i - 1] >> bits.column != key >> bits.column) {
            sum = {};
        }
        if (i == 0 || out.keys[i - 1] != key) {
            out.strips.push_back({.draw = draw,
                                  .place = row << 16 | static_cast<std::uint32_t>(column + 1),
                                  .first_cut = static_cast<std::uint32_t>(i),
                                  .before = packed(sum)});
        }
        const Windings more = windings(out.cuts[i]);
        for (std::uint32_t r = 0; r < tile_height; ++r) {
            sum[r] = static_cast<std::int16_t>(sum[r] + more[r]);
        }
        if (i + 1 == out.cuts.size() || out.keys[i + 1] != key) {
            const bool is_last = i + 1 == out.cuts.size() || out.keys[i + 1] >> bits.column != key >> bits.column;
            const std::int32_t next =
                is_last ? columns
                        : std::min(columns, static_cast<std::int32_t>(out.keys[i + 1] & ((1U << bits.column) - 1)) - 1);
            StripRecord& strip = out.strips.back();
            strip.after = packed(sum);
            if (is_filled(sum, (scene.draws()[draw].flags & draw_is_even_odd) != 0)) {
                strip.gap = static_cast<std::uint32_t>(std::max(0, next - column - 1));
            }
        }
    }
    out.strips.push_back({.first_cut = static_cast<std::uint32_t>(out.cuts.size())});
}

void make_commands(const View& view, CpuStrips& out) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> commands;
    for (std::uint32_t s = 0; s + 1 < out.strips.size(); ++s) {
        const StripRecord& strip = out.strips[s];
        const std::uint32_t row = strip.place >> 16, past = strip.place & 0xFFFF; // the column behind
        const std::uint32_t tile = row * view.columns() + past - 1;
        if (past != 0 && past <= view.columns()) {
            commands.emplace_back(tile, s * 2);
        }
        for (std::uint32_t i = 1; i <= strip.gap; ++i) {
            commands.emplace_back(tile + i, s * 2 + 1);
        }
    }
    std::stable_sort(commands.begin(), commands.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [tile, command] : commands) {
        out.tiles.push_back(tile);
        out.commands.push_back(command);
    }
}

/// What a cut adds to the winding number of a pixel of its tile: the part of the pixel right of it, signed.
double area(const CutRecord& cut, std::uint32_t column, std::uint32_t row) {
    const auto x = [&](std::uint32_t end) { return (end & 0x1FFF) / 256.0 - column; };
    const auto y = [&](std::uint32_t end) { return (end >> 13 & 0x7FF) / 256.0 - row; };
    const double top_x = x(cut.top), top_y = y(cut.top), bottom_x = x(cut.bottom), bottom_y = y(cut.bottom);
    const double y0 = std::clamp(top_y, 0.0, 1.0), y1 = std::clamp(bottom_y, 0.0, 1.0);
    if (y0 >= y1) {
        return 0;
    }
    const double slope = (bottom_x - top_x) / (bottom_y - top_y);
    const double xa = top_x + (y0 - top_y) * slope, xb = top_x + (y1 - top_y) * slope;
    const double low = std::min(xa, xb), high = std::max(xa, xb);
    const double l = std::clamp(low, 0.0, 1.0), h = std::clamp(high, 0.0, 1.0);
    // The mean of 1 - x along the cut, with x held between 0 and 1.
    const double covered = high - low > 1e-9
                               ? (std::max(0.0, std::min(high, 0.0) - low) + (h - l) * (1 - (l + h) / 2)) / (high - low)
                               : 1 - (l + h) / 2;
    return (cut.top >> 31 != 0 ? -covered : covered) * (y1 - y0);
}

double coverage(double sum, bool is_even_odd) {
    return is_even_odd ? std::abs(sum - 2 * std::round(sum / 2)) : std::min(1.0, std::abs(sum));
}

} // namespace

CpuStrips cpu_strips(const Scene& scene, const View& view) {
    CpuStrips strips;
    make_lines(scene, view, strips);
    make_cuts(scene, view, strips);
    make_strips(scene, view, strips);
    make_commands(view, strips);
    return strips;
}

std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips) {
    const Color& back = view.background;
    const std::array<float, 4> background = {back.red * back.alpha, back.green * back.alpha, back.blue * back.alpha,
                                             back.alpha};
    std::vector<std::array<float, 4>> picture(std::size_t{view.width} * view.height, background);
    for (std::size_t i = 0; i < strips.commands.size(); ++i) {
        const std::uint32_t s = strips.commands[i] / 2;
        const StripRecord& strip = strips.strips[s];
        const bool is_gap = strips.commands[i] % 2 != 0;
        const DrawRecord& draw = scene.draws()[strip.draw];
        const auto edge = std::bit_cast<Windings>(is_gap ? strip.after : strip.before);
        const std::uint32_t left = strips.tiles[i] % view.columns() * tile_width;
        const std::uint32_t top = strips.tiles[i] / view.columns() * tile_height;
        for (std::uint32_t row = 0; row < tile_height && top + row < view.height; ++row) {
            for (std::uint32_t column = 0; column < tile_width && left + column < view.width; ++column) {
                double sum = edge[row] / 256.0;
                for (std::uint32_t cut = strip.first_cut; !is_gap && cut < strips.strips[s + 1].first_cut; ++cut) {
                    sum += area(strips.cuts[cut], column, row);
                }
                const auto covered = static_cast<float>(coverage(sum, (draw.flags & draw_is_even_odd) != 0));
                auto& pixel = picture[std::size_t{top + row} * view.width + left + column];
                const auto& paint = scene.paints()[draw.paint].color;
                for (int c = 0; c < 4; ++c) {
                    pixel[c] = pixel[c] * (1 - paint[3] * covered) + paint[c] * covered;
                }
            }
        }
    }
    return picture;
}

} // namespace weir::paths
