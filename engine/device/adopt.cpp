
#include <weir/engine/context.hpp>

#include <array>
#include <tuple>
#include <utility>

#include "engine/base/log.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"
#include "engine/device/device_probe.hpp"
#include "engine/device/physical_device.hpp"
#include "engine/shader/shader_cache.hpp"

namespace weir {

namespace {

tl::unexpected<Error> invalid(std::string message) {
    return tl::unexpected(Error{ErrorCode::invalid_argument, "adopt: " + std::move(message)});
}

Result<> check_arguments(const AdoptedDevice& host) {
    const std::pair<bool, const char*> needed[] = {
        {host.get_instance_proc_addr != nullptr, "get_instance_proc_addr"},
        {host.instance != VK_NULL_HANDLE, "instance"},
        {host.physical_device != VK_NULL_HANDLE, "physical_device"},
        {host.device != VK_NULL_HANDLE, "device"},
        {host.enabled_features != nullptr, "enabled_features"},
    };
    for (const auto& [there, name] : needed) {
        if (!there) {
            return invalid(concat(name, " is null"));
        }
    }
    for (const char* extension : host.enabled_extensions) {
        if (extension == nullptr) {
            return invalid("enabled_extensions has a null entry");
        }
    }
    if (host.enabled_features->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
        return invalid("enabled_features does not begin with VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2");
    }
    const std::tuple<bool, bool, const char*> locks[] = {
        {!host.lock_queue, !host.unlock_queue, "lock_queue and unlock_queue"},
        {!host.compute_queue.lock, !host.compute_queue.unlock, "compute_queue.lock and compute_queue.unlock"},
        {!host.transfer_queue.lock, !host.transfer_queue.unlock, "transfer_queue.lock and transfer_queue.unlock"},
    };
    for (const auto& [no_lock, no_unlock, names] : locks) {
        if (no_lock != no_unlock) {
            return invalid(concat(names, " must be set together"));
        }
    }
    if (!host.memory.create_buffer != !host.memory.destroy_buffer) {
        return invalid("memory.create_buffer and memory.destroy_buffer must be set together");
    }
    if (host.pipeline_cache != VK_NULL_HANDLE && !host.compiler.pipeline_file.empty()) {
        return invalid("pipeline_cache and compiler.pipeline_file must not both be set");
    }
    if (!host.memory.allocate != !host.memory.free) {
        return invalid("memory.allocate and memory.free must be set together");
    }
    return {};
}

/// Returns the queues by QueueKind; those that the application does not provide are empty.
std::array<Queue, queue_kinds> queues_of(const AdoptedDevice& host) {
    const auto other = [](const HostQueue& queue) {
        return queue.queue == VK_NULL_HANDLE ? Queue{} : Queue{queue.queue, queue.family, queue.lock, queue.unlock};
    };
    return {Queue{host.queue, host.queue_family, host.lock_queue, host.unlock_queue}, other(host.compute_queue),
            other(host.transfer_queue)};
}

Result<> check_queues(const std::array<Queue, queue_kinds>& queues, const PhysicalDevice& physical,
                      bool timeline_semaphores) {
    constexpr const char* names[] = {"queue", "compute_queue", "transfer_queue"};
    constexpr const char* families[] = {"queue_family", "compute_queue.family", "transfer_queue.family"};
    constexpr VkQueueFlags compute = VK_QUEUE_COMPUTE_BIT;
    // Families with graphics or compute support copies even if they do not report it.
    constexpr VkQueueFlags needed[] = {compute, compute, compute | VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT};
    for (std::size_t i = 0; i < queue_kinds; ++i) {
        const Queue& queue = queues[i];
        if (i > 0 && queue.handle == VK_NULL_HANDLE) {
            continue;
        }
        if (i > 0 && !timeline_semaphores) {
            return invalid(concat(names[i], " is set, but the feature timelineSemaphore is not enabled"));
        }
        if (queue.family >= physical.queue_families.size()) {
            return invalid(concat(families[i], " is ", queue.family, "; the device has ",
                                  physical.queue_families.size(), " queue families"));
        }
        if ((physical.queue_families[queue.family].queueFlags & needed[i]) == 0) {
            return invalid(concat(families[i], " ", queue.family, " does not support ", i < 2 ? "compute" : "copies"));
        }
        for (std::size_t other = 0; other < i; ++other) {
            const bool differs_in_family = queues[other].family != queue.family;
            if (queues[other].handle == queue.handle && (differs_in_family || !queues[other].lock != !queue.lock)) {
                return invalid(concat(names[i], " and ", names[other], " are the same VkQueue but ",
                                      differs_in_family ? "differ in family" : "only one of them has a lock"));
            }
        }
    }
    return {};
}

Result<> check_device(const PhysicalDevice& physical) {
    if (!physical.unusable) {
        return {};
    }
    Error error = *physical.unusable;
    error.message = concat(physical.capabilities.device_name, " cannot be used: ", error.message);
    return tl::unexpected(std::move(error));
}

} // namespace

Result<Context> Context::adopt(const AdoptedDevice& host) {
    WEIR_PROPAGATE(check_arguments(host));
    auto functions = load_instance_table(host.get_instance_proc_addr, host.instance);
    if (!functions) {
        return invalid(functions.error().message);
    }
    const PhysicalDevice physical = inspect(*functions, host.physical_device, host.api_version);
    const ExtensionSet extensions(host.enabled_extensions);
    WEIR_PROPAGATE(check_device(physical));
    DeviceSetup setup;
    setup.handle.capabilities = physical.capabilities;
    setup.handle.api_version = physical.api_version;
    apply_features(setup.handle.capabilities, *host.enabled_features, extensions, setup.handle.api_version);
    setup.queues = queues_of(host);
    const Capabilities& could = physical.capabilities;
    const Capabilities& can = setup.handle.capabilities;
    setup.handle.log = std::make_shared<const Log>(host.log, host.log_level);
    if (host.allocation_callbacks != nullptr) {
        setup.handle.callbacks = *host.allocation_callbacks;
    }
    if (could.subgroup_size_selectable && !can.subgroup_size_selectable &&
        can.subgroup_size_min != can.subgroup_size_max) {
        setup.handle.log->tell(LogLevel::warning,
                               concat("subgroupSizeControl is not enabled: kernels read the subgroup size (",
                                      can.subgroup_size_min, " to ", can.subgroup_size_max,
                                      ") at run time instead of being specialized for it, which is slower"));
    }
    WEIR_PROPAGATE(check_queues(setup.queues, physical, setup.handle.capabilities.timeline_semaphores));
    setup.handle.capabilities.timestamp_bits = physical.queue_families[host.queue_family].timestampValidBits;
    setup.handle.functions = *functions;
    setup.handle.instance = host.instance;
    setup.handle.physical_device = host.physical_device;
    setup.handle.device = host.device;
    setup.memory = host.memory;
    setup.descriptors = host.descriptors;
    setup.descriptor_buffer_bytes = host.descriptor_buffer_bytes;
    setup.descriptor_buffer = host.descriptor_buffer;
    setup.memory_limit = host.memory_limit;
    setup.compiler = host.compiler;
    setup.host_pipeline_cache = host.pipeline_cache;
    setup.probes_behavior = host.probe_behavior;
    if (!host.shader_cache_directory.empty()) {
        VkPhysicalDeviceProperties properties{};
        setup.handle.functions.vkGetPhysicalDeviceProperties(host.physical_device, &properties);
        setup.shader_cache_file = shader_cache_file(host.shader_cache_directory);
        setup.behavior_file = behavior_file(host.shader_cache_directory, properties);
    }
    auto device = Device::create(std::move(setup));
    WEIR_PROPAGATE(device);
    return Context(std::move(*device));
}

} // namespace weir
