#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "culling/scene.hpp"

namespace samples::culling {

/// Returns the levels of the depth pyramid of a picture. Level l of the list has a texel per square of 2^(l + 1)
/// pixels.
std::vector<PyramidLevel> pyramid_levels_of(std::uint32_t width, std::uint32_t height);

/// Instances in drawing order, with their draw commands.
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

/// Lists of a frame.
struct Lists {
    DrawList first, late, transparent;
};

/// Computes the culling of shaders/classify.comp and shaders/test.comp on the CPU, and the lists of the graph. Results
/// are bit-identical to the device. `visible` has a word per instance: the state of the previous frame, replaced by
/// that of this frame. `pyramid` must be this frame's, read from the device.
Lists cull_on_cpu(const Scene& scene, const View& view, std::span<const float> pyramid,
                  std::vector<std::uint32_t>& visible);

} // namespace samples::culling
