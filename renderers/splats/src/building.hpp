#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <weir/splats/pair_capacity.hpp>
#include <weir/splats/picture.hpp>

#include "propagate.hpp"

namespace weir::splats {

/// Returns the number of splats of these clouds.
inline std::uint32_t splats_of(std::span<const PlacedCloud> clouds) {
    std::uint64_t splats = 0;
    for (const PlacedCloud& placed : clouds) {
        splats += placed.cloud.splats();
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(splats, max_splats));
}

/// Returns the shape of a view. Keeps the bits of depth of the `last` one, so that a camera does not switch back and
/// forth between two graphs.
inline Shape shape_of(const View& view, std::span<const PlacedCloud> clouds, bool antialias, const Shape* last) {
    Shape shape{view.width, view.height, view.camera.projection, antialias, depth_bits_of(depths_of(view, clouds))};
    if (last != nullptr) {
        shape.depth_bits = std::max(shape.depth_bits, last->depth_bits);
    }
    return shape;
}

/// Returns `build(capacity)` for the next capacity, or for a smaller one if memory is short. If `fitting` is not 0, it
/// is the capacity of a program that can draw the picture: instead of a smaller program, returns nothing.
template <class Build>
auto build_in_memory(PairCapacity& capacity, std::uint32_t fitting, Build build)
    -> Result<std::optional<typename decltype(build(0U))::value_type>> {
    constexpr std::uint32_t min_capacity = 1024;
    for (;;) {
        auto made = build(capacity.next());
        if (made) {
            return std::optional(std::move(*made));
        }
        const bool is_short =
            made.error().code == ErrorCode::out_of_memory || made.error().code == ErrorCode::limit_exceeded;
        if (!is_short || (fitting == 0 && capacity.next() <= min_capacity)) {
            return tl::unexpected(std::move(made).error());
        }
        if (fitting != 0) {
            capacity.limit(fitting);
            return std::nullopt;
        }
        capacity.limit(std::max(min_capacity, capacity.next() / 2));
    }
}

/// Returns the result of `build_in_memory` if `compiled`, which may be null, cannot draw the picture or has another
/// capacity than the next one. Returns nothing if `compiled` stays in use.
template <class Pointer, class Build>
auto build_unless_fits(const Pointer& compiled, const Shape& shape, std::span<const PlacedCloud> clouds,
                       PairCapacity& capacity, Build build) -> decltype(build_in_memory(capacity, 0, build)) {
    const bool fits = compiled && compiled->shape == shape && share_graph(compiled->clouds, clouds);
    if (fits && compiled->capacity == capacity.next()) {
        return std::nullopt;
    }
    if (!fits) {
        capacity.lift();
    }
    return build_in_memory(capacity, fits ? compiled->capacity : 0, build);
}

} // namespace weir::splats
