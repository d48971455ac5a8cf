#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/base/instance_table.hpp"
#include "engine/base/log.hpp"
#include "engine/base/volk.hpp"

namespace weir {

constexpr std::uint32_t oldest_api_version = VK_API_VERSION_1_2; ///< minimum for loaders, instances and devices

/// Loads the functions of `instance`. Errors: `invalid_argument` names a core function that `get_instance_proc_addr`
/// does not know.
Result<InstanceTable> load_instance_table(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance);

/// A Vulkan instance that Weir owns, destroyed with the object.
class Instance {
public:
    struct Options {
        bool validation = false;
        std::function<void(const char* message)> on_validation; ///< empty: messages go to the log
        std::shared_ptr<const Log> log;
        std::optional<VkAllocationCallbacks> callbacks = {};
        PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr; ///< null: that of the system's loader
        std::uint32_t api_version = VK_API_VERSION_1_3;             ///< maximum
    };
    static Result<std::unique_ptr<Instance>> create(Options options);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    [[nodiscard]] VkInstance handle() const { return instance_; }
    [[nodiscard]] const InstanceTable& vk() const { return vk_; }
    [[nodiscard]] std::uint32_t api_version() const { return options_.api_version; } ///< version it was created for
    [[nodiscard]] Result<std::vector<VkPhysicalDevice>> physical_devices() const;

private:
    explicit Instance(Options options) : options_(std::move(options)) {}
    static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                         VkDebugUtilsMessageTypeFlagsEXT types,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* self);
    VkDebugUtilsMessengerCreateInfoEXT messenger_info();
    [[nodiscard]] const VkAllocationCallbacks* callbacks() const {
        return options_.callbacks ? &*options_.callbacks : nullptr;
    }

    Options options_;
    InstanceTable vk_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

} // namespace weir
