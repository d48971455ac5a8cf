#include <weir/engine/context.hpp>

#include <cstdlib>

#include "engine/device.hpp"
#include "engine/device_choice.hpp"
#include "engine/log.hpp"
#include "engine/physical_device.hpp"

namespace weir {

namespace {

std::vector<PhysicalDevice> inspect_all(const Instance& instance, const std::vector<VkPhysicalDevice>& handles) {
    std::vector<PhysicalDevice> out;
    for (const VkPhysicalDevice handle : handles) {
        out.push_back(inspect(instance.vk(), handle));
    }
    return out;
}

std::vector<DeviceInfo> describe(const std::vector<PhysicalDevice>& devices) {
    std::vector<DeviceInfo> out;
    for (const PhysicalDevice& device : devices) {
        const Capabilities& capabilities = device.capabilities;
        out.push_back({static_cast<std::uint32_t>(out.size()), capabilities.device_name, capabilities.driver,
                       capabilities.kind, device.unusable});
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

/// A device with one queue and everything recommended that is there. `capabilities` gains what was enabled.
Result<VkDevice> create_device(const InstanceTable& vk, const PhysicalDevice& physical, std::uint32_t family,
                               Capabilities& capabilities) {
    FeatureChain supported(physical.extensions);
    vk.vkGetPhysicalDeviceFeatures2(physical.handle, &supported.head());
    FeatureChain enabled(physical.extensions);
    for (const Feature& feature : features()) {
        if (VkBool32* value = find_feature(feature, enabled.head()); value != nullptr) {
            *value = is_on(feature, supported.head(), physical.extensions) ? VK_TRUE : VK_FALSE;
        }
    }
    std::vector<const char*> extensions;
    for (const char* extension : recommended_extensions()) {
        if (physical.extensions.contains(extension)) {
            extensions.push_back(extension);
        }
    }
    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &enabled.head();
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    VkDevice device = VK_NULL_HANDLE;
    if (const VkResult status = vk.vkCreateDevice(physical.handle, &info, nullptr, &device); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating a device on " + capabilities.device_name));
    }
    apply_features(capabilities, enabled.head(), ExtensionSet(extensions));
    return device;
}

} // namespace

Result<std::vector<DeviceInfo>> Context::list_devices() {
    const auto instance = Instance::create({});
    if (!instance) {
        return tl::unexpected(instance.error());
    }
    const auto handles = (*instance)->physical_devices();
    if (!handles) {
        return tl::unexpected(handles.error());
    }
    return describe(inspect_all(**instance, *handles));
}

Result<Context> Context::create(const ContextOptions& options) {
    DeviceSetup setup;
    setup.log = options.log ? options.log : make_default_log();
    auto instance = Instance::create({options.validation, options.on_validation, setup.log});
    if (!instance) {
        return tl::unexpected(instance.error());
    }
    setup.own_instance = std::move(*instance);
    setup.functions = setup.own_instance->vk();
    setup.instance = setup.own_instance->handle();
    const auto handles = setup.own_instance->physical_devices();
    if (!handles) {
        return tl::unexpected(handles.error());
    }
    const std::vector<PhysicalDevice> devices = inspect_all(*setup.own_instance, *handles);
    const auto chosen = choose_device(describe(devices), wanted_device(options));
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    const PhysicalDevice& physical = devices[*chosen];
    setup.physical_device = physical.handle;
    setup.capabilities = physical.capabilities;
    setup.queue.family = choose_queue_family(physical.queue_families).value();
    setup.capabilities.queue_families[0] = setup.queue.family;
    setup.capabilities.timestamp_bits = physical.queue_families[setup.queue.family].timestampValidBits;
    const auto handle = create_device(setup.functions, physical, setup.queue.family, setup.capabilities);
    if (!handle) {
        return tl::unexpected(handle.error());
    }
    setup.device = *handle;
    setup.own_device = true;
    setup.descriptors = options.descriptors;
    setup.memory_limit = options.memory_limit;

    VkPhysicalDeviceProperties properties{};
    setup.functions.vkGetPhysicalDeviceProperties(physical.handle, &properties);
    setup.pipeline_cache_file = pipeline_cache_file(options.pipeline_cache_directory, properties);
    auto device = Device::create(std::move(setup));
    if (!device) {
        return tl::unexpected(device.error());
    }
    return Context(std::move(*device));
}

Context::Context(std::shared_ptr<Device> device) : device_(std::move(device)) {}

const Capabilities& Context::capabilities() const {
    return device_->capabilities();
}

Result<Buffer> Context::create_buffer(VkDeviceSize size, MemoryKind kind) const {
    return device_->create_buffer(size, kind, "");
}

std::uint64_t Context::memory_in_use() const {
    return device_->memory_in_use();
}

Result<> Context::upload(BufferView destination, std::span<const std::byte> bytes) const {
    return device_->upload(destination, bytes);
}

Result<> Context::download(std::span<std::byte> bytes, BufferView source) const {
    return device_->download(bytes, source);
}

Result<> Context::submit(const std::function<Result<>(VkCommandBuffer)>& record) const {
    return device_->submit(record);
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

VkQueue Context::queue() const {
    return device_->queue().handle;
}

std::uint32_t Context::queue_family() const {
    return device_->queue().family;
}

PFN_vkGetInstanceProcAddr Context::get_instance_proc_addr() const {
    return device_->instance_functions().vkGetInstanceProcAddr;
}

} // namespace weir
