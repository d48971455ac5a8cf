#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "culling/scene.hpp"

namespace samples::culling {

/// The levels of a pyramid for a picture: level l of the list has a texel for each square of 2^(l + 1) pixels.
std::vector<PyramidLevel> pyramid_levels_of(std::uint32_t width, std::uint32_t height);

/// Instances in the order in which they are drawn, by draw commands.
struct DrawList {
    struct Command { ///< VkDrawIndexedIndirectCommand
        std::uint32_t index_count, instance_count, first_index;
        std::int32_t vertex_offset;
        std::uint32_t first_instance;
        friend bool operator==(const Command&, const Command&) = default;
    };
    std::vector<std::uint32_t> ids;
    std::vector<Command> commands;
};

/// What a frame draws.
struct Lists {
    DrawList first, late, transparent;
};

/// The culling of shaders/classify.comp and shaders/test.comp on the CPU, and the lists that the graph makes: the same
/// to the last bit. `visible` is that of the frame before, a word for each instance, and becomes this frame's. The
/// pyramid is the device's, of this frame.
Lists cull_on_cpu(const Scene& scene, const View& view, std::span<const float> pyramid,
                  std::vector<std::uint32_t>& visible);

} // namespace samples::culling
