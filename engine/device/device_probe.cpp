#include "engine/device/device_probe.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <weir/engine/shader.hpp>

#include "engine/base/files.hpp"
#include "engine/base/strings.hpp"
#include "engine/descriptors/descriptors.hpp"
#include "engine/device/device.hpp"
#include "engine/pipeline/pipelines.hpp"
#include "engine/submit/synchronization.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

/// Counters of the probe, laid out as in shaders/engine/behavior.comp.
struct Seen {
    std::uint32_t started = 0;
    std::uint32_t farthest_start = 0;
    std::uint32_t atomics_out_of_order = 0;
};

constexpr std::uint32_t workgroup = 256;
/// Workgroups of the probe: several times as many as any GPU runs at once, in rows as in other kernels.
constexpr std::uint32_t row_groups = 4096, rows = 4;

/// Exclusive limit of the distance between a workgroup's turn to start and its number. Workgroups that run at once take
/// their tickets in any order, and kernels wait for each other that long anyway. No GPU runs a quarter of all
/// workgroups at once. If the dispatch is cut into parts that start side by side, or starts elsewhere, some workgroup
/// is off by half of all or more.
constexpr std::uint32_t farthest = row_groups * rows / 4;

PipelineInfo probe_pipeline(const Capabilities& device, std::shared_ptr<const CompiledShader> shader) {
    PipelineInfo info;
    info.shader = std::move(shader);
    info.constants = {workgroup, 0};
    info.bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    info.subgroup_size = device.subgroup_size_selectable ? device.subgroup_size : 0; // as for other kernels
    info.name = "behavior of the device";
    return info;
}

/// Returns the whole contents of a file. A damaged file equals none of the possible texts.
std::string text_of(const std::string& identity, const Behavior& behavior) {
    const auto order = [](bool in_order) { return in_order ? "in order\n" : "any\n"; };
    return concat("weir behavior 1\ndevice: ", identity,
                  "\nstart of workgroups: ", order(behavior.workgroups_start_in_order),
                  "atomics of lanes: ", order(behavior.atomics_in_lane_order));
}

} // namespace

std::optional<Behavior> probe_behavior(const std::shared_ptr<Device>& device) {
    const auto shader = device->shader(ShaderSource::packed(shaders::behavior, "behavior"));
    if (!shader) {
        return std::nullopt;
    }
    // Needed once, so it is not created by Device::pipeline, which would keep it.
    const PipelineInfo info = probe_pipeline(device->capabilities(), *shader);
    auto pipeline = Pipeline::create(*device, device->pipelines().options(), info);
    if (!pipeline) {
        return std::nullopt;
    }
    const DescriptorPass pass{.pipeline = std::move(*pipeline), .bindings = info.bindings, .name = info.name};
    const auto descriptors = make_pooled_sets(device, {&pass, 1}, 1);
    const auto counters = device->memory().create_buffer(sizeof(Seen), MemoryKind::device, "behavior");
    const auto result = device->memory().create_buffer(sizeof(Seen), MemoryKind::download, "behavior on the host");
    if (!descriptors || !counters || !result) {
        return std::nullopt;
    }
    const DescriptorView view{*counters};
    (*descriptors)->write(0, 0, {&view, 1});
    const auto record = [&](VkCommandBuffer commands) -> Result<> {
        const VolkDeviceTable& vk = device->vk();
        VkMemoryBarrier2 all{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
        all.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        all.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
        all.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;
        all.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        VkDependencyInfo barrier{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        barrier.memoryBarrierCount = 1;
        barrier.pMemoryBarriers = &all;
        vk.vkCmdFillBuffer(commands, counters->handle(), 0, sizeof(Seen), 0);
        pipeline_barrier(vk, commands, barrier);
        vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass.pipeline->handle());
        DescriptorBinding bound;
        (*descriptors)->bind(commands, bound, 0, 0);
        vk.vkCmdDispatch(commands, row_groups, rows, 1);
        pipeline_barrier(vk, commands, barrier);
        const VkBufferCopy copy{0, 0, sizeof(Seen)};
        vk.vkCmdCopyBuffer(commands, counters->handle(), result->handle(), 1, &copy);
        pipeline_barrier(vk, commands, barrier);
        return {};
    };
    if (!device->submissions().run(record)) {
        return std::nullopt;
    }
    Seen seen;
    std::memcpy(&seen, result->mapped(), sizeof seen);
    return Behavior{.workgroups_start_in_order = seen.farthest_start < farthest,
                    .atomics_in_lane_order = seen.atomics_out_of_order == 0};
}

std::optional<Behavior> read_behavior(const std::string& file, const std::string& identity) {
    const auto bytes = read_file(path_of(file), text_of(identity, {}).size() + 16);
    if (!bytes) {
        return std::nullopt;
    }
    for (unsigned bits = 0; bits < 4; ++bits) {
        const Behavior behavior{(bits & 1U) != 0, (bits & 2U) != 0};
        const std::string text = text_of(identity, behavior);
        if (std::ranges::equal(*bytes, std::as_bytes(std::span(text)))) {
            return behavior;
        }
    }
    return std::nullopt;
}

std::string write_behavior(const std::string& file, const std::string& identity, const Behavior& behavior) {
    const std::string text = text_of(identity, behavior);
    const std::span<const std::byte> parts[] = {std::as_bytes(std::span(text))};
    return write_file(path_of(file), parts);
}

std::string behavior_file(const std::string& directory, const VkPhysicalDeviceProperties& properties) {
    return device_file(directory, "behavior", properties, ".txt");
}

Behaviors& Behaviors::of_process() {
    static Behaviors behaviors;
    return behaviors;
}

Behavior Behaviors::of(const std::shared_ptr<Device>& device, const std::string& file) {
    VkPhysicalDeviceProperties properties{};
    device->instance_functions().vkGetPhysicalDeviceProperties(device->physical_device(), &properties);
    const std::string identity = device_identity(properties);
    const auto keep = [&](const Behavior& behavior) {
        const std::lock_guard lock(mutex_);
        known_.emplace_back(identity, behavior);
        return behavior;
    };
    {
        const std::lock_guard lock(mutex_);
        const auto known = std::ranges::find(known_, identity, &std::pair<std::string, Behavior>::first);
        if (known != known_.end()) {
            return known->second;
        }
    }
    if (const auto written = file.empty() ? std::nullopt : read_behavior(file, identity)) {
        return keep(*written);
    }
    // Probes without the lock, because the probe takes the application's lock of its queue. Two threads that probe at
    // the same time get the same result; the first one that is cached is used.
    const auto probed = probe_behavior(device);
    if (!probed) {
        return {};
    }
    if (!file.empty()) { // errors are not logged: the caches in the same folder warn
        static_cast<void>(write_behavior(file, identity, *probed));
    }
    return keep(*probed);
}

} // namespace weir
