#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/shader.hpp>

#include "engine/descriptors/descriptors.hpp"
#include "engine/device/device.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// One dispatch of a compute shader, without a graph.
struct Kernel {
    ShaderSource source;
    std::vector<std::uint32_t> constants;
    std::vector<std::uint32_t> push;
    std::uint32_t subgroup_size = 0;
    bool full_subgroups = false;
};

/// Compiles the kernel, runs `groups` workgroups of it on `buffers` (set 0, in order), and waits.
inline void run_kernel(const Kernel& kernel, std::span<const BufferView> buffers, std::array<std::uint32_t, 3> groups,
                       const Context& context = test_context()) {
    const std::shared_ptr<Device>& device = ContextAccess::device(context);
    PipelineInfo info;
    info.shader = ok(device->shader(kernel.source));
    info.constants = kernel.constants;
    info.bindings.assign(buffers.size(), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    info.push_bytes = static_cast<std::uint32_t>(kernel.push.size() * sizeof(std::uint32_t));
    info.subgroup_size = kernel.subgroup_size;
    info.full_subgroups = kernel.full_subgroups;
    info.name = kernel.source.name();
    const DescriptorPass pass{ok(device->pipeline(info)), info.bindings};
    const auto descriptors = ok(make_pooled_sets(device, {&pass, 1}, 1));
    std::vector<DescriptorView> views;
    for (const BufferView& buffer : buffers) {
        views.push_back({buffer});
    }
    descriptors->write(0, 0, views);
    ok(context.submit([&](VkCommandBuffer commands) -> Result<> {
        device->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass.pipeline->handle());
        DescriptorBinding bound;
        descriptors->bind(commands, bound, 0, 0);
        if (info.push_bytes != 0) {
            device->vk().vkCmdPushConstants(commands, pass.pipeline->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                            info.push_bytes, kernel.push.data());
        }
        device->vk().vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
        return {};
    }));
}

} // namespace weir::tests
