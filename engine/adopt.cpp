
#include <weir/engine/context.hpp>

#include "engine/device.hpp"
#include "engine/log.hpp"
#include "engine/physical_device.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

tl::unexpected<Error> invalid(std::string message) {
    return tl::unexpected(Error{ErrorCode::invalid_argument, "adopt: " + std::move(message)});
}

tl::unexpected<Error> unsupported(std::string message) {
    return tl::unexpected(Error{ErrorCode::unsupported, "adopt: " + std::move(message)});
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
    if (!host.lock_queue != !host.unlock_queue) {
        return invalid("one of lock_queue and unlock_queue is empty, the other is not");
    }
    if (!host.memory.create_buffer != !host.memory.destroy_buffer) {
        return invalid("one of memory.create_buffer and memory.destroy_buffer is empty, the other is not");
    }
    if (!host.memory.allocate != !host.memory.free) {
        return invalid("one of memory.allocate and memory.free is empty, the other is not");
    }
    return {};
}

Result<> check_device(const AdoptedDevice& host, const PhysicalDevice& physical, const ExtensionSet& extensions) {
    if (!physical.unusable.empty()) {
        return unsupported(concat(physical.capabilities.device_name, " cannot be used: ", physical.unusable));
    }
    if (host.queue_family >= physical.queue_families.size()) {
        return invalid(concat("queue_family is ", host.queue_family, "; the device has ",
                              physical.queue_families.size(), " families"));
    }
    if ((physical.queue_families[host.queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
        return invalid(concat("queue_family ", host.queue_family, " has no compute"));
    }
    if (const std::string missing = missing_features(*host.enabled_features, extensions); !missing.empty()) {
        return unsupported("the device was created without the features " + missing);
    }
    return {};
}

} // namespace

Result<Context> Context::adopt(const AdoptedDevice& host) {
    if (auto checked = check_arguments(host); !checked) {
        return tl::unexpected(checked.error());
    }
    auto functions = load_instance_table(host.get_instance_proc_addr, host.instance);
    if (!functions) {
        return invalid(functions.error().message);
    }
    const PhysicalDevice physical = inspect(*functions, host.physical_device);
    const ExtensionSet extensions(host.enabled_extensions);
    if (auto checked = check_device(host, physical, extensions); !checked) {
        return tl::unexpected(checked.error());
    }
    DeviceSetup setup;
    setup.functions = *functions;
    setup.instance = host.instance;
    setup.physical_device = host.physical_device;
    setup.device = host.device;
    setup.queue = {host.queue, host.queue_family, host.lock_queue, host.unlock_queue};
    setup.capabilities = physical.capabilities;
    setup.capabilities.queue_families[0] = host.queue_family;
    setup.capabilities.timestamp_bits = physical.queue_families[host.queue_family].timestampValidBits;
    apply_features(setup.capabilities, *host.enabled_features, extensions);
    setup.memory = host.memory;
    setup.descriptors = host.descriptors;
    setup.memory_limit = host.memory_limit;
    setup.host_pipeline_cache = host.pipeline_cache;
    setup.log = host.log ? host.log : make_default_log();
    auto device = Device::create(std::move(setup));
    if (!device) {
        return tl::unexpected(device.error());
    }
    return Context(std::move(*device));
}

} // namespace weir
