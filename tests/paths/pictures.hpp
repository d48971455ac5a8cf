#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <weir/paths/cpu.hpp>
#include <weir/paths/view.hpp>

namespace weir::tests {

inline paths::Sizes sizes_of(const paths::CpuStrips& strips) {
    paths::Sizes sizes = {strips.centers, static_cast<std::uint32_t>(strips.lines.size()),
                          static_cast<std::uint32_t>(strips.cuts.size()),
                          static_cast<std::uint32_t>(strips.strips.size() - 1)};
    for (const auto& [first, end] : strips.rows) {
        sizes.row_cuts = std::max(sizes.row_cuts, strips.strips[end].first_cut - strips.strips[first].first_cut);
    }
    return sizes;
}

/// Returns a scene as the CPU draws it.
inline std::vector<std::array<float, 4>> picture_of(const paths::Scene& scene, const paths::View& view) {
    return paths::cpu_fine(scene, view, paths::cpu_strips(scene, view));
}

/// Returns the maximum difference of a component, in 1/255. If the sizes differ, it is at least 255.
inline double difference(const std::vector<std::uint32_t>& pixels, const std::vector<std::array<float, 4>>& expected) {
    double greatest = pixels.size() == expected.size() ? 0 : 255;
    for (std::size_t i = 0; i < std::min(pixels.size(), expected.size()); ++i) {
        for (int c = 0; c < 4; ++c) {
            greatest = std::max(greatest, std::abs((pixels[i] >> 8 * c & 0xFF) - 255.0 * expected[i][c]));
        }
    }
    return greatest;
}

/// Returns the maximum difference inside the scissor of a view.
inline double difference(std::vector<std::uint32_t> pixels, std::vector<std::array<float, 4>> expected,
                         const paths::View& view) {
    const paths::PixelRect inside = view.visible();
    for (std::uint32_t i = 0; i < pixels.size(); ++i) {
        const std::uint32_t x = i % view.width, y = i / view.width;
        if (x < inside.left || x >= inside.right || y < inside.top || y >= inside.bottom) {
            pixels[i] = 0;
            expected.at(i) = {};
        }
    }
    return difference(pixels, expected);
}

} // namespace weir::tests
