#include "coverage.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weir::paths {

namespace {

/// Returns the mean of 1 - x from `low` to `high`, with x clamped to 0 to 1.
double mean(double low, double high) {
    const double l = std::clamp(low, 0.0, 1.0), h = std::clamp(high, 0.0, 1.0);
    return high - low > 1e-9 ? (std::max(0.0, std::min(high, 0.0) - low) + (h - l) * (1 - (l + h) / 2)) / (high - low)
                             : 1 - (l + h) / 2;
}

/// Adds a cut's contribution to the winding numbers of the pixels of its tile: the signed area of each pixel to the
/// right of it. `steps` holds the differences of the winding numbers of neighboring pixels.
void add_areas(const CutRecord& cut, std::array<double, tile_pixels>& steps) {
    const auto x = [](std::uint32_t end) { return (end & 0x1FFF) / 256.0; };
    const auto y = [](std::uint32_t end) { return (end >> 13 & 0x7FF) / 256.0; };
    const double left = x(cut.top), top = y(cut.top), bottom = y(cut.bottom);
    if (!(bottom > top)) {
        return;
    }
    const double slope = (x(cut.bottom) - left) / (bottom - top);
    for (auto row = static_cast<std::uint32_t>(top); row < bottom; ++row) {
        const double y0 = std::max(top, static_cast<double>(row)), y1 = std::min(bottom, row + 1.0);
        const double xa = left + (y0 - top) * slope, xb = left + (y1 - top) * slope;
        const double low = std::min(xa, xb), high = std::max(xa, xb);
        const double height = cut.top >> 31 != 0 ? y0 - y1 : y1 - y0;
        double area = 0;
        for (auto column = static_cast<std::uint32_t>(low); column < tile_width && area != height; ++column) {
            const double next = column >= high ? height : height * mean(low - column, high - column);
            steps[row * tile_width + column] += next - area;
            area = next;
        }
    }
}

/// Returns x of the points in a row of pixels at which coverage is tested, relative to the left edge. With samples, the
/// rows of a pixel differ in x: all its samples have different x, for as many levels of coverage by a vertical edge.
std::int32_t test_x(std::uint32_t across, std::uint32_t row) {
    const std::uint32_t order = across == 4 ? 0x2031 : across == 2 ? 0x01 : 0; // 4 bits per row
    const std::uint32_t place = order >> 4 * (row % across) & 15;
    return static_cast<std::int32_t>(2 * place + 1) * subpixels / static_cast<std::int32_t>(2 * across);
}

/// Adds a cut's contribution to the winding numbers at a point of each pixel of its tile, as differences.
void add_crossings(const CutRecord& cut, std::uint32_t across, std::array<double, tile_pixels>& steps) {
    const auto x = [](std::uint32_t end) { return static_cast<std::int32_t>(end & 0x1FFF); };
    const auto y = [](std::uint32_t end) { return static_cast<std::int32_t>(end >> 13 & 0x7FF); };
    const std::int32_t width = x(cut.bottom) - x(cut.top), height = y(cut.bottom) - y(cut.top);
    for (std::uint32_t row = 0; row < tile_height; ++row) {
        const std::int32_t below = static_cast<std::int32_t>(row) * subpixels + subpixels / 2 - y(cut.top);
        if (below < 0 || below >= height) {
            continue;
        }
        const std::int32_t first = test_x(across, row) - x(cut.top);
        for (std::int32_t column = 0; column < static_cast<std::int32_t>(tile_width); ++column) {
            if ((first + column * subpixels) * height >= below * width) { // and all pixels to the right of it
                steps[row * tile_width + static_cast<std::uint32_t>(column)] += cut.top >> 31 != 0 ? -1 : 1;
                break;
            }
        }
    }
}

double coverage(double sum, bool is_even_odd) {
    return is_even_odd ? std::abs(sum - 2 * std::round(sum / 2)) : std::min(1.0, std::abs(sum));
}

} // namespace

Coverages coverages(const CpuStrips& strips, std::size_t index, bool is_gap, bool is_even_odd, std::uint32_t across) {
    const StripRecord& strip = strips.strips[index];
    const auto windings = std::bit_cast<std::array<std::int16_t, tile_height>>(is_gap ? strip.after : strip.before);
    Coverages covered;
    if (is_gap) {
        for (std::uint32_t row = 0; row < tile_height; ++row) {
            std::fill_n(covered.begin() + row * tile_width, tile_width,
                        static_cast<float>(coverage(windings[row] / 256.0, is_even_odd)));
        }
        return covered;
    }
    std::array<double, tile_pixels> steps{};
    for (std::uint32_t i = strip.first_cut; i < strips.strips[index + 1].first_cut; ++i) {
        const CutRecord& cut = strips.cuts[i];
        if ((cut.top & cut_is_aliased) != 0) {
            add_crossings(cut, across, steps);
        } else {
            add_areas(cut, steps);
        }
    }
    for (std::uint32_t row = 0; row < tile_height; ++row) {
        double sum = windings[row] / 256.0;
        for (std::uint32_t i = row * tile_width; i < (row + 1) * tile_width; ++i) {
            sum += steps[i];
            const double covers = coverage(sum, is_even_odd);
            covered[i] = covers > 1e-9 ? static_cast<float>(covers) : 0; // rounding errors are no coverage
        }
    }
    return covered;
}

} // namespace weir::paths
