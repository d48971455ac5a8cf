#pragma once

#include <weir/splats/cloud.hpp>

namespace weir::splats {

/// Reverses the axes whose sign is -1.
inline void flip_axes(const Vec3& signs, Splat& splat) {
    const auto [x, y, z] = signs;
    const Vec3 turns = {y * z, x * z, x * y};
    // Parities of the basis functions of degree 1 to 3, in the order of the training.
    const std::array<float, 15> parities = {y, z, x, x * y, y * z, 1, x * z, 1, y, x * y * z, y, z, x, z, x};
    for (std::size_t i = 0; i < 3; ++i) {
        splat.mean[i] *= signs[i];
        splat.rotation[i + 1] *= turns[i];
    }
    for (std::size_t i = 0; i < parities.size(); ++i) {
        splat.harmonics[i] = parities[i] * splat.harmonics[i];
    }
}

} // namespace weir::splats
