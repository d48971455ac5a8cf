#pragma once

#include <bit>

#include "primitives/kernel/kernel.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/turns.hpp"

// Runs custom kernels that include <weir/weir_*.glsl>.

namespace weir::tests {

/// Sizes of workgroups and subgroups for a custom kernel. If `known` is false, the kernel is compiled as if only the
/// driver knew the subgroup size.
struct LayerShape {
    std::uint32_t workgroup = 0, subgroup = 0;
    bool known = true;
};

/// Returns shapes for every subgroup size that can be required: workgroups of one subgroup, of three subgroups, and of
/// the maximum size, which is at most `most`. Each occurs with a known and with an unknown subgroup size. A short run
/// has one shape in `of`; the first shape has turn number `first`.
inline std::vector<LayerShape> layer_shapes(std::uint32_t first, std::uint32_t of, std::uint32_t most = ~0U) {
    const Capabilities& device = test_context().capabilities();
    std::vector<LayerShape> shapes;
    const bool chooses = device.subgroup_size_selectable && device.subgroup_size_min != device.subgroup_size_max;
    const std::uint32_t least = chooses ? device.subgroup_size_min : device.subgroup_size;
    const std::uint32_t greatest = chooses ? device.subgroup_size_max : device.subgroup_size;
    for (std::uint32_t size = least; size <= greatest; size *= 2) {
        // The items of all invocations, about 56 bytes each, must fit in workgroup memory.
        const std::uint32_t fit = std::bit_floor(device.max_workgroup_memory / 64);
        const std::uint32_t largest = std::min({most, fit, weir::max_workgroup(device, {size, size, size})});
        for (const std::uint32_t workgroup : {size, 3 * size, largest}) {
            for (const bool known : {false, true}) {
                if (is_turn(first++, of) && workgroup <= largest) {
                    shapes.push_back({workgroup, size, known});
                }
            }
        }
    }
    return shapes;
}

/// Returns the shader of `text`, which is GLSL without #version and without the layout of the workgroup.
inline ShaderSource layer_shader(const std::string& text, bool known) {
    return ShaderSource::glsl(
        "#version 460\nlayout(local_size_x_id = 0) in;\n" +
            std::string(known ? "" : "#define WEIR_SUBGROUP 0\n#define WEIR_SHUFFLE_BARRIERS true\n") + text,
        "layers");
}

/// Runs `groups` workgroups of `shape`, and compares their outputs with `expected`. The inputs are the bindings from 0;
/// the outputs follow, and are poisoned. `constants` are the specialization constants from number 1.
inline void check_layers(const std::string& text, const LayerShape& shape, std::uint32_t groups,
                         const std::vector<Words>& inputs, const std::vector<Words>& expected, Words constants = {}) {
    SCOPED_TRACE("workgroups of " + std::to_string(shape.workgroup) + ", subgroups of " +
                 std::to_string(shape.subgroup) + (shape.known ? ", known" : ", not known"));
    std::vector<Buffer> buffers;
    for (const Words& input : inputs) {
        buffers.push_back(buffer_of(input));
    }
    for (const Words& output : expected) {
        buffers.push_back(poisoned_buffer(output.size()));
    }
    constants.insert(constants.begin(), shape.workgroup);
    run_kernel({.source = layer_shader(text, shape.known),
                .constants = std::move(constants),
                .subgroup_size = test_context().capabilities().subgroup_size_selectable ? shape.subgroup : 0},
               std::vector<BufferView>(buffers.begin(), buffers.end()), {groups, 1, 1});
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Buffer& output = buffers[inputs.size() + i];
        expect_equal(contents(output, expected[i].size()), expected[i], "output " + std::to_string(i));
    }
}

} // namespace weir::tests
