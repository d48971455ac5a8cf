#include "engine/device/device.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/files.hpp"
#include "engine/base/log.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/descriptors/descriptor_buffers.hpp"
#include "engine/device/device_probe.hpp"
#include "engine/device/live_devices.hpp"
#include "engine/pipeline/pipelines.hpp"
#include "engine/shader/shader_cache.hpp"
#include "engine/submit/waiting.hpp"

namespace weir {

Device::Device(DeviceSetup setup) : DeviceHandle(std::move(setup.handle)), setup_(std::move(setup)) {}

Result<std::shared_ptr<Device>> Device::create(DeviceSetup setup) {
    std::shared_ptr<Device> device(new Device(std::move(setup)));
    WEIR_PROPAGATE(device->initialize());
    device->set_behavior();
    LiveDevices::add(*device);
    return device;
}

Result<> Device::initialize() {
    if (const char* missing = load_functions(); missing != nullptr) {
        const std::string what = concat("the device has no function ", missing);
        if (setup_.own_device) {
            return tl::unexpected(Error{ErrorCode::unsupported, what});
        }
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("adopt: ", what,
                                                      " of Vulkan 1.3; AdoptedDevice::api_version must be the "
                                                      "VkApplicationInfo::apiVersion of the instance")});
    }
    auto memory = DeviceMemory::create(*this, std::move(setup_.memory), setup_.memory_limit);
    WEIR_PROPAGATE(memory);
    memory_ = std::move(*memory);
    WEIR_PROPAGATE(make_compiler());
    if (setup_.host_pipeline_cache == VK_NULL_HANDLE) {
        auto cache = PipelineCache::create(*this, setup_.pipeline_cache_file, setup_.compiler.pipeline_file);
        WEIR_PROPAGATE(cache);
        pipeline_cache_ = std::move(*cache);
    }
    // Statistics are for profiles and for the log.
    const bool statistics =
        capabilities().pipeline_statistics && (setup_.compiler.statistics || log().tells(LogLevel::debug));
    pipelines_ = std::make_unique<Pipelines>(*this, PipelineOptions{pipeline_cache(), statistics},
                                             setup_.compiler.kept_pipelines);
    make_queues();
    WEIR_PROPAGATE(make_descriptor_buffers());
    submissions_ = std::make_unique<Submissions>(*this, locked(QueueKind::main));
    transfers_ = std::make_unique<Transfers>(*memory_, *submissions_);
    if (setup_.own_device) {
        set_name(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<std::uint64_t>(handle()), "device");
    }
    return {};
}

Result<> Device::make_compiler() {
    ShaderCache::Options options{.file = setup_.shader_cache_file,
                                 .warn = [this](const std::string& what) { log().tell(LogLevel::warning, what); }};
    if (!setup_.compiler.compiles_glsl) {
        options.load = []() -> Result<const ShadercLibrary*> {
            return tl::unexpected(Error{ErrorCode::unsupported,
                                        "the context does not compile GLSL (CompilerOptions::compiles_glsl is false)"});
        };
    }
    if (const std::string& file = setup_.compiler.shader_file; !file.empty()) {
        auto shipped = read_archive(path_of(file));
        if (!shipped) {
            return tl::unexpected(Error{ErrorCode::io, concat("the shader file ", file, " ", shipped.error())});
        }
        options.shipped = std::move(*shipped);
    }
    shaders_ = std::make_unique<ShaderCache>(std::move(options));
    if (!setup_.compiler.parallel_for) {
        setup_.compiler.parallel_for = weir::parallel_for(setup_.compiler.threads);
    }
    return {};
}

Result<> Device::make_descriptor_buffers() {
    if (capabilities().descriptor_buffer) {
        descriptor_buffers_ =
            std::make_unique<DescriptorBuffers>(*memory_, setup_.descriptor_buffer_bytes, setup_.descriptor_buffer);
        return descriptor_buffers_->check_hosts();
    }
    if (setup_.descriptor_buffer.address != 0) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    "adopt: descriptor_buffer is set, but VK_EXT_descriptor_buffer and "
                                    "bufferDeviceAddress are not enabled"});
    }
    return {};
}

void Device::make_queues() {
    constexpr const char* names[queue_kinds] = {"main queue", "compute queue", "transfer queue"};
    std::uint32_t count = 0;
    instance_functions().vkGetPhysicalDeviceQueueFamilyProperties(physical_device(), &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    instance_functions().vkGetPhysicalDeviceQueueFamilyProperties(physical_device(), &count, families.data());
    for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
        Queue& queue = setup_.queues[kind];
        capabilities_to_set().queue_families[kind] = queue.family;
        capabilities_to_set().queue_flags[kind] = queue.family < count ? families[queue.family].queueFlags : 0;
        for (std::size_t other = 0; other < kind && queue.handle != VK_NULL_HANDLE; ++other) {
            if (queues_[other]->get().handle == queue.handle) {
                queues_[kind] = queues_[other];
            }
        }
        if (queues_[kind] != nullptr) {
            continue;
        }
        if (setup_.own_device && queue.handle != VK_NULL_HANDLE) {
            set_name(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<std::uint64_t>(queue.handle), names[kind]);
        }
        queues_[kind] = std::make_shared<LockedQueue>(all_functions(), std::move(queue));
    }
}

/// Skipped on CPU drivers: compiling the probe would take longer than most programs run, and the variants it selects
/// are not faster there.
void Device::set_behavior() {
    if (!setup_.probes_behavior || capabilities().kind == DeviceKind::cpu || queue().handle == VK_NULL_HANDLE) {
        return;
    }
    const Behavior behavior =
        Behaviors::of_process().of(std::static_pointer_cast<Device>(shared_from_this()), setup_.behavior_file);
    capabilities_to_set().workgroups_start_in_order = behavior.workgroups_start_in_order;
    capabilities_to_set().atomics_in_lane_order = behavior.atomics_in_lane_order;
}

Device::~Device() {
    LiveDevices::remove(*this);
    if (setup_.own_device || is_abandoned()) {
        wait_in_destructor([&](std::chrono::nanoseconds) {
            const VkResult status = wait_for_queues();
            if (status == VK_TIMEOUT) {
                static_cast<void>(waited(status, [] { return "waiting for the queues of a device"; }));
            } else if (status == VK_SUCCESS) {
                resume();
            }
            return status;
        });
    }
    descriptor_buffers_.reset();
    pipelines_.reset();
    if (ends_with_process_) {
        static_cast<void>(pipeline_cache_.release());
    }
    pipeline_cache_.reset();
    shaders_.reset();
    transfers_.reset();
    submissions_.reset();
    memory_.reset();
    if (is_abandoned()) { // leaked: the instance would destroy the device
        static_cast<void>(setup_.own_instance.release());
    }
    if (setup_.own_device && all_functions().vkDestroyDevice != nullptr && !is_abandoned()) {
        all_functions().vkDestroyDevice(handle(), callbacks());
    }
}

VkResult Device::wait_for_queues() const {
    for (auto queue = queues_.begin(); queue != queues_.end(); ++queue) {
        const bool is_there = *queue != nullptr && (*queue)->get().handle != VK_NULL_HANDLE;
        if (is_there && std::find(queues_.begin(), queue, *queue) == queue) { // kinds may share a queue
            const VkResult status = wait_for(**queue);
            if (status != VK_SUCCESS && status != VK_ERROR_DEVICE_LOST) { // a lost device has no pending work
                return status;
            }
        }
    }
    return VK_SUCCESS;
}

/// Waits for a fence, because vkQueueWaitIdle has no maximum time. If the fence fails, waits with vkQueueWaitIdle
/// instead.
VkResult Device::wait_for(LockedQueue& queue) const {
    const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VolkDeviceTable& all = all_functions();
    VkFence fence = VK_NULL_HANDLE;
    VkResult status = all.vkCreateFence(handle(), &info, callbacks(), &fence);
    if (status == VK_SUCCESS) {
        status = queue.submit({}, fence);
    }
    if (status == VK_SUCCESS) {
        status = wait_or_ask(
            [&](std::uint64_t timeout) { return all.vkWaitForFences(handle(), 1, &fence, VK_TRUE, timeout); },
            [&] { return all.vkGetFenceStatus(handle(), fence); }, longest_wait());
    }
    if (status != VK_SUCCESS && status != VK_ERROR_DEVICE_LOST && status != VK_TIMEOUT) {
        status = queue.wait();
    }
    if (status == VK_SUCCESS || status == VK_ERROR_DEVICE_LOST) {
        all.vkDestroyFence(handle(), fence, callbacks());
    }
    return status;
}

void Device::leave_to_process_end() {
#if !defined(_WIN32) // on Windows, the driver's threads may have been ended while they held locks
    if (setup_.own_device) {
        // The threads of a CPU driver would otherwise use objects that the process destroys next.
        wait_in_destructor([&](std::chrono::nanoseconds) { return wait_for_queues(); });
        if (pipeline_cache_) {
            static_cast<void>(pipeline_cache_->save()); // not logged: the log function may no longer exist
        }
    }
#endif
    stop_waiting();
    ends_with_process_ = true;
    abandon();
}

VkPipelineCache Device::pipeline_cache() const {
    return pipeline_cache_ ? pipeline_cache_->handle() : setup_.host_pipeline_cache;
}

Result<std::shared_ptr<const CompiledShader>> Device::shader(const ShaderSource& source) {
    return shaders_->get(source);
}

Result<std::shared_ptr<const Pipeline>> Device::pipeline(const PipelineInfo& info) {
    return pipelines_->get(info);
}

} // namespace weir
