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
            {"tiles of effects", &Sizes::effects, strips.effects.needed}};
}

bool grow(Sizes& capacities, const Sizes& needed) {
    bool has_grown = false;
    for (const Stage& stage : stages_of({})) {
        if (needed.*stage.size > capacity_of(capacities.*stage.size)) {
            capacities.*stage.size = sum_of(needed.*stage.size, needed.*stage.size / 8 + 64);
            has_grown = true;
        }
    }
    return has_grown;
}

void reserve_effects(Sizes& capacities, const Scene& scene, const View& view) {
    if (const std::uint32_t needed = effect_tiles(scene, view); needed > capacities.effects) {
        capacities.effects = capacities.effects == 0 ? needed : sum_of(needed, needed / 4);
    }
}

void grow_ahead(Sizes& capacities, const Sizes& needed) {
    for (const Stage& stage : stages_of({})) {
        const std::uint32_t capacity = capacity_of(capacities.*stage.size);
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
    if (view.width == 0 || view.height == 0 || view.width > max_pixels || view.height > max_pixels) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "a picture of " + std::to_string(view.width) + " x " +
                                                                     std::to_string(view.height) +
                                                                     " pixels; width and height of 1 to " +
                                                                     std::to_string(max_pixels) + " are supported"});
    }
    return {};
}

Result<> check_update(const Scene& before, const Scene& after) {
    if (after.color_slots() > before.color_slots() || after.mask_slots() > before.mask_slots()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "the new scene nests layers more deeply"});
    }
    if (before.effect_passes() != after.effect_passes()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "the effects of the new scene have other steps"});
    }
    if ((after.features() & ~before.features()) != 0) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    "the new scene uses a feature (Scene::features) that the old one does not use"});
    }
    const std::vector<SceneContents> old_contents = contents_of({}, before), contents = contents_of({}, after);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (contents[i].bytes.size() != old_contents[i].bytes.size()) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument,
                      "the new scene has a different number of draws, points, paints or other records"});
        }
    }
    return {};
}

Result<> upload_scene(const Context& gpu, const Scene& scene, std::vector<Buffer>& buffers) {
    const std::vector<SceneContents> contents = contents_of({}, scene);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const std::span<const std::byte> bytes = contents[i].bytes;
        if (buffers.size() == i) {
            auto buffer = gpu.create_buffer(std::max<std::size_t>(128, bytes.size()));
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            buffers.push_back(std::move(*buffer));
        }
        if (!bytes.empty()) {
            if (auto done = gpu.upload(buffers[i], bytes); !done) {
                return done;
            }
        }
    }
    return {};
}

Result<> bind_scene(Program& program, const SceneBuffers& imports, const Scene& scene,
                    std::span<const BufferView> buffers) {
    const std::vector<SceneContents> contents = contents_of(imports, scene);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (contents[i].import.valid()) {
            if (auto bound = program.bind(contents[i].import, buffers[i]); !bound) {
                return bound;
            }
        }
    }
    return {};
}

} // namespace weir::paths
