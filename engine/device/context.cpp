#include <weir/engine/context.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "engine/base/log.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/descriptors/descriptor_buffers.hpp"
#include "engine/device/device.hpp"
#include "engine/device/device_choice.hpp"
#include "engine/device/device_probe.hpp"
#include "engine/device/features.hpp"
#include "engine/device/physical_device.hpp"
#include "engine/memory/deferred_destroy.hpp"
#include "engine/shader/shader_cache.hpp"

namespace weir {

namespace {

std::vector<PhysicalDevice> inspect_all(const Instance& instance, const std::vector<VkPhysicalDevice>& handles) {
    std::vector<PhysicalDevice> out;
    for (const VkPhysicalDevice handle : handles) {
        out.push_back(inspect(instance.vk(), handle, instance.api_version()));
    }
    return out;
}

std::vector<DeviceInfo> describe(const std::vector<PhysicalDevice>& devices) {
    std::vector<DeviceInfo> out;
    for (const PhysicalDevice& device : devices) {
        const Capabilities& capabilities = device.capabilities;
        out.push_back({static_cast<std::uint32_t>(out.size()), capabilities.device_name, capabilities.driver,
                       capabilities.kind, device.unusable ? device.unusable->message : ""});
    }
    return out;
}

std::string wanted_device(const ContextOptions& options) {
    if (!options.device.empty()) {
        return options.device;
    }
    const char* variable = std::getenv("WEIR_DEVICE");
    return variable != nullptr ? variable : "";
}

std::vector<VkDeviceQueueCreateInfo> queue_infos(const QueuePlaces& places) {
    std::map<std::uint32_t, std::uint32_t> counts; // by family
    for (const QueuePlace& place : places) {
        if (place.family != Capabilities::no_queue) {
            counts[place.family] = std::max(counts[place.family], place.index + 1);
        }
    }
    static constexpr std::array<float, queue_kinds> priorities{1.0F, 1.0F, 1.0F};
    std::vector<VkDeviceQueueCreateInfo> infos;
    for (const auto& [family, count] : counts) {
        VkDeviceQueueCreateInfo& info = infos.emplace_back();
        info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
        info.queueFamilyIndex = family;
        info.queueCount = count;
        info.pQueuePriorities = priorities.data();
    }
    return infos;
}

/// Creates a device with its queues and with all recommended features and extensions that are supported, except
/// `options.without_features`. Stores the result in `setup`.
Result<> create_device(const PhysicalDevice& physical, const ContextOptions& options, DeviceSetup& setup) {
    const InstanceTable& vk = setup.handle.functions;
    const auto& without = options.without_features;
    for (const std::string& name : without) {
        if (std::ranges::find(features(), name, &Feature::name) == features().end()) {
            return tl::unexpected(Error{ErrorCode::invalid_argument,
                                        concat("without_features: '", name, "' is not a feature that Weir uses")});
        }
    }
    FeatureChain supported(physical.extensions, physical.api_version);
    vk.vkGetPhysicalDeviceFeatures2(physical.handle, &supported.head());
    FeatureChain enabled(physical.extensions, physical.api_version);
    for (const Feature& feature : features()) {
        if (VkBool32* value = find_feature(feature, enabled.head()); value != nullptr) {
            const bool is_wanted = std::ranges::find(without, feature.name) == without.end();
            *value = is_wanted && is_on(feature, supported.head(), physical.extensions) ? VK_TRUE : VK_FALSE;
        }
    }
    const std::vector<const char*> extensions = recommended_extensions(physical.extensions, physical.api_version);
    setup.handle.physical_device = physical.handle;
    setup.handle.capabilities = physical.capabilities;
    setup.handle.api_version = physical.api_version;
    apply_features(setup.handle.capabilities, enabled.head(), ExtensionSet(extensions), setup.handle.api_version);

    const std::uint32_t main = choose_queue_family(physical.queue_families).value();
    setup.handle.capabilities.timestamp_bits = physical.queue_families[main].timestampValidBits;
    QueuePlaces places{QueuePlace{main, 0}};
    if (setup.handle.capabilities.timeline_semaphores) {
        places = choose_queues(physical.queue_families, main);
        for (QueuePlace& place : places) {
            place = options.emulate_queues && place.family == Capabilities::no_queue ? places[0] : place;
        }
    }
    const std::vector<VkDeviceQueueCreateInfo> queues = queue_infos(places);
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &enabled.head();
    info.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (const VkResult status = vk.vkCreateDevice(
            physical.handle, &info, setup.handle.callbacks ? &*setup.handle.callbacks : nullptr, &setup.handle.device);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating a device on " + setup.handle.capabilities.device_name));
    }
    setup.own_device = true;
    const auto get_queue =
        reinterpret_cast<PFN_vkGetDeviceQueue>(vk.vkGetDeviceProcAddr(setup.handle.device, "vkGetDeviceQueue"));
    for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
        if (const auto [family, index] = places[kind]; family != Capabilities::no_queue) {
            setup.queues[kind].family = family;
            get_queue(setup.handle.device, family, index, &setup.queues[kind].handle);
        }
    }
    return {};
}

} // namespace

Result<std::vector<DeviceInfo>> Context::list_devices() {
    const auto instance = Instance::create({});
    WEIR_PROPAGATE(instance);
    const auto handles = (*instance)->physical_devices();
    WEIR_PROPAGATE(handles);
    return describe(inspect_all(**instance, *handles));
}

Result<Context> Context::create(const ContextOptions& options) {
    DeviceSetup setup;
    setup.handle.log = std::make_shared<const Log>(options.log, options.log_level);
    if (options.allocation_callbacks != nullptr) {
        setup.handle.callbacks = *options.allocation_callbacks;
    }
    auto instance =
        Instance::create({options.validation, options.on_validation, setup.handle.log, setup.handle.callbacks});
    WEIR_PROPAGATE(instance);
    setup.own_instance = std::move(*instance);
    setup.handle.functions = setup.own_instance->vk();
    setup.handle.instance = setup.own_instance->handle();
    const auto handles = setup.own_instance->physical_devices();
    WEIR_PROPAGATE(handles);
    const std::vector<PhysicalDevice> devices = inspect_all(*setup.own_instance, *handles);
    const auto chosen = choose_device(describe(devices), wanted_device(options));
    WEIR_PROPAGATE(chosen);
    const PhysicalDevice& physical = devices[*chosen];
    WEIR_PROPAGATE(create_device(physical, options, setup));
    setup.descriptors = options.descriptors;
    setup.descriptor_buffer_bytes = options.descriptor_buffer_bytes;
    setup.memory_limit = options.memory_limit;
    setup.compiler = options.compiler;

    VkPhysicalDeviceProperties properties{};
    setup.handle.functions.vkGetPhysicalDeviceProperties(physical.handle, &properties);
    setup.pipeline_cache_file = pipeline_cache_file(options.pipeline_cache_directory, properties);
    setup.shader_cache_file = shader_cache_file(options.pipeline_cache_directory);
    setup.behavior_file = behavior_file(options.pipeline_cache_directory, properties);
    auto device = Device::create(std::move(setup));
    WEIR_PROPAGATE(device);
    return Context(std::move(*device));
}

Context::Context(std::shared_ptr<Device> device)
    : device_(std::move(device)), retired_(std::make_shared<DeferredDestroy>(device_)) {}

const Capabilities& Context::capabilities() const {
    return device_->capabilities();
}

Result<Buffer> Context::create_buffer(VkDeviceSize size, MemoryKind kind) const {
    return device_->memory().create_buffer(size, kind, "");
}

Result<Buffer> Context::create_buffer(VkDeviceSize size, const BufferOptions& options) const {
    std::vector<std::uint32_t> families = options.queue_families;
    std::sort(families.begin(), families.end());
    families.erase(std::unique(families.begin(), families.end()), families.end());
    std::uint32_t there = 0;
    device_->instance_functions().vkGetPhysicalDeviceQueueFamilyProperties(physical_device(), &there, nullptr);
    if (!families.empty() && families.back() >= there) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("the buffer '", options.name, "' names queue family ",
                                                      families.back(), "; the device has ", there, " queue families")});
    }
    return device_->memory().create_buffer(size, options.kind, options.name, options.usage, families);
}

std::uint64_t Context::memory_in_use() const {
    return device_->memory().in_use();
}

MemoryBudget Context::memory_budget() const {
    return device_->memory().budget();
}

Result<> Context::upload(BufferView destination, std::span<const std::byte> bytes) const {
    return device_->transfers().upload(destination, bytes);
}

Result<> Context::download(std::span<std::byte> bytes, BufferView source) const {
    return device_->transfers().download(bytes, source);
}

Result<> Context::submit(const std::function<Result<>(VkCommandBuffer)>& record) const {
    return device_->submissions().run(record);
}

Result<> Context::retire(Buffer&& buffer, std::vector<TimelinePoint> until) const {
    WEIR_PROPAGATE(retired_->check(until));
    retired_->add(std::make_shared<Buffer>(std::move(buffer)), std::move(until));
    return {};
}

Result<std::size_t> Context::collect() const {
    return retired_->collect();
}

Result<DescriptorBuffer> Context::descriptor_buffer() const {
    if (device_->descriptor_buffers() == nullptr) {
        return tl::unexpected(Error{ErrorCode::unsupported,
                                    "a descriptor buffer requires VK_EXT_descriptor_buffer and "
                                    "bufferDeviceAddress, which are not enabled on the device"});
    }
    return device_->descriptor_buffers()->first();
}

VkDevice Context::device() const {
    return device_->handle();
}

VkPhysicalDevice Context::physical_device() const {
    return device_->physical_device();
}

VkInstance Context::instance() const {
    return device_->instance();
}

VkQueue Context::queue(QueueKind kind) const {
    return device_->queue(kind).handle;
}

std::uint32_t Context::queue_family(QueueKind kind) const {
    return device_->queue(kind).family;
}

PFN_vkGetInstanceProcAddr Context::get_instance_proc_addr() const {
    return device_->instance_functions().vkGetInstanceProcAddr;
}

} // namespace weir
