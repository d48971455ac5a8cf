#include "capacities.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <weir/paths/cpu.hpp>

namespace weir::paths {

namespace {

/// Saturating sum.
std::uint32_t sum_of(std::uint32_t needed, std::uint32_t more) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{needed} + more, ~0U));
}

} // namespace

std::vector<Stage> stages_of(const StripBuffers& strips) {
    const auto& words = strips.needed;
    return {{"lines of paths", &Sizes::centers, words.centers},
            {"lines", &Sizes::lines, words.lines},
            {"parts of lines in tiles", &Sizes::cuts, words.cuts},
            {"strips", &Sizes::strips, words.strips},
            {"tiles of effects", &Sizes::effects, strips.effects.needed},
            {"parts of lines in a row of tiles", &Sizes::row_cuts, words.row_cuts}};
}

std::uint32_t room_of(const Stage& stage, const Sizes& capacities) {
    const std::uint32_t size = capacities.*stage.size;
    if (stage.size == &Sizes::strips || (stage.size == &Sizes::row_cuts && size == 0)) {
        return ~0U;
    }
    return std::max(1U, size); // buffers are not empty
}

void estimate(Sizes& capacities, const Scene& scene, const View& view) {
    const Sizes estimated = estimated_sizes(scene, view);
    for (const Stage& stage : stages_of({})) {
        std::uint32_t& capacity = capacities.*stage.size;
        capacity = capacity == 0 ? estimated.*stage.size : capacity;
    }
}

bool grow(Sizes& capacities, const Sizes& needed) {
    bool has_grown = false;
    for (const Stage& stage : stages_of({})) {
        if (needed.*stage.size > room_of(stage, capacities)) {
            capacities.*stage.size = sum_of(needed.*stage.size, needed.*stage.size / 8 + 64);
            has_grown = true;
        }
    }
    return has_grown;
}

bool fit(Sizes& capacities, const Sizes& needed, const Sizes& given) {
    bool has_shrunk = false;
    for (const Stage& stage : stages_of({})) {
        const std::uint32_t enough = sum_of(needed.*stage.size, needed.*stage.size / 8 + 64);
        if (given.*stage.size == 0 && stage.size != &Sizes::effects && stage.size != &Sizes::strips &&
            capacities.*stage.size > sum_of(enough, enough / 8)) {
            capacities.*stage.size = enough;
            has_shrunk = true;
        }
    }
    return has_shrunk;
}

void reserve_effects(Sizes& capacities, std::span<const EffectRecord> effects, const View& view) {
    if (const std::uint32_t needed = effect_tiles(effects, view); needed > capacities.effects) {
        capacities.effects = capacities.effects == 0 ? needed : sum_of(needed, needed / 4);
    }
}

void grow_ahead(Sizes& capacities, const Sizes& needed) {
    for (const Stage& stage : stages_of({})) {
        const std::uint32_t capacity =
            stage.size == &Sizes::row_cuts ? capacities.row_cuts : room_of(stage, capacities);
        if (needed.*stage.size > capacity - capacity / 4) {
            capacities.*stage.size = sum_of(needed.*stage.size, std::max(64U, needed.*stage.size));
        }
    }
}

Result<> check_needed(const Sizes& needed) {
    for (const Stage& stage : stages_of({})) {
        if (needed.*stage.size == ~0U) {
            return tl::unexpected(Error{ErrorCode::limit_exceeded,
                                        std::string("a picture with 4294967295 ") + stage.elements + " or more"});
        }
    }
    return {};
}

Result<> check_size(const View& view) {
    const std::uint32_t across = samples_across(view.coverage), most = max_pixels / across;
    const std::string samples = across != 1 ? " with " + std::to_string(across * across) + " samples each" : "";
    if (view.width == 0 || view.height == 0 || view.width > most || view.height > most) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "a picture of " + std::to_string(view.width) + " x " +
                                                                     std::to_string(view.height) + " pixels" + samples +
                                                                     "; width and height of 1 to " +
                                                                     std::to_string(most) + " are supported"});
    }
    if (view.margin % tile_width != 0 || view.margin > most ||
        std::max(view.width, view.height) + 2 * view.margin > most) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument,
                  "a margin of " + std::to_string(view.margin) +
                      " pixels; it must be a multiple of 16, and the picture with its margin at most " +
                      std::to_string(most) + " pixels wide and high" + (across != 1 ? "," + samples : "")});
    }
    return {};
}

} // namespace weir::paths
