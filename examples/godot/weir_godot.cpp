// Weir on the Vulkan device of Godot 4, as a GDExtension with one class:
//
//     Weir (Node)
//         adopt(instance, physical_device, device, queue, queue_family) -> bool
//         particles(count, instances, arguments) -> bool     buffers of a MultiMesh with indirect draws
//         step(camera, tan_x, tan_y) -> bool
//         splats(count, picture, picture_view, depth, depth_view) -> bool
//         draw_splats(camera, field_of_view, width, height) -> bool
//         check() -> int    number of instances, if equal to the CPU's, else -1; or of visible splats
//
// Handles are results of RenderingDevice.get_driver_resource. A function that returns false has printed the error.

#include <cstdint>
#include <optional>

#include <vulkan/vulkan.h>

#include "godot_class.hpp"
#include "particles.hpp"
#include "splats.hpp"
#include "submissions.hpp"

namespace {

template <class T>
T handle(std::int64_t value) {
    return reinterpret_cast<T>(value);
}

/// Returns the buffer of a result of get_driver_resource. Up to version 4.6, that is not the VkBuffer, as documented,
/// but the address of Godot's record of the buffer, whose first member is the VkBuffer. Results for images are handles.
VkBuffer buffer_of(std::int64_t resource) {
    return *handle<const VkBuffer*>(resource);
}

/// The features that Godot 4.6 enables and Weir can use. Godot does not report them.
struct GodotFeatures {
    explicit GodotFeatures(VkPhysicalDevice device) {
        // [features]
        vkGetPhysicalDeviceFeatures(device, &all.features); // 64-bit types; Godot enables them if available
        all.features.robustBufferAccess = VK_FALSE;
        VkPhysicalDeviceFeatures2 available{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &memory_model, {}};
        vkGetPhysicalDeviceFeatures2(device, &available);
        memory_model.vulkanMemoryModel = memory_model.vulkanMemoryModelDeviceScope; // both or none
        all.pNext = &memory_model;
        // [/features]
    }
    VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
};

class Weir {
public:
    ~Weir() {
        if (device_ != VK_NULL_HANDLE) {
            vkDeviceWaitIdle(device_); // before programs and textures are destroyed
        }
    }

    bool adopt(std::int64_t instance, std::int64_t physical_device, std::int64_t device, std::int64_t queue,
               std::int64_t family) {
        if (gpu_) {
            return failed("adopt: a device is already adopted");
        }
        const GodotFeatures features(handle<VkPhysicalDevice>(physical_device));
        // [adopt]
        weir::AdoptedDevice adopted;
        adopted.get_instance_proc_addr = vkGetInstanceProcAddr;
        adopted.instance = handle<VkInstance>(instance);
        adopted.api_version = VK_API_VERSION_1_2; // Godot requests this version
        adopted.physical_device = handle<VkPhysicalDevice>(physical_device);
        adopted.device = handle<VkDevice>(device);
        adopted.queue = handle<VkQueue>(queue);
        adopted.queue_family = static_cast<std::uint32_t>(family);
        adopted.enabled_features = &features.all;
        auto gpu = weir::Context::adopt(adopted);
        // [/adopt]
        if (!gpu) {
            return failed(gpu.error());
        }
        gpu_ = std::move(*gpu);
        device_ = adopted.device;
        submissions_.emplace(adopted.device, adopted.queue, adopted.queue_family);
        return true;
    }

    bool particles(std::int64_t count, std::int64_t instances, std::int64_t arguments) {
        if (!gpu_) {
            return failed("particles: adopt must succeed first");
        }
        auto particles =
            Particles::create(*gpu_, static_cast<std::uint32_t>(count), buffer_of(instances), buffer_of(arguments));
        if (!particles) {
            return failed(particles.error());
        }
        particles_ = std::move(*particles);
        return true;
    }
    bool step(godot::Transform camera, double tan_x, double tan_y) {
        if (!particles_) {
            return failed("step: particles must succeed first");
        }
        // [frame]
        const weir::Result<> submitted = submissions_->submit([&](VkCommandBuffer commands) {
            return particles_->record(commands, {camera, tan_x, tan_y});
        });
        // [/frame]
        return succeeded(submitted);
    }

    bool splats(std::int64_t count, std::int64_t picture, std::int64_t picture_view, std::int64_t depth,
                std::int64_t depth_view) {
        if (!gpu_) {
            return failed("splats: adopt must succeed first");
        }
        auto splats = Splats::create(*gpu_, static_cast<std::uint32_t>(count),
                                     {handle<VkImage>(picture), handle<VkImageView>(picture_view)},
                                     {handle<VkImage>(depth), handle<VkImageView>(depth_view)});
        if (!splats) {
            return failed(splats.error());
        }
        splats_ = std::move(*splats);
        return true;
    }
    bool draw_splats(godot::Transform camera, double field_of_view, std::int64_t width, std::int64_t height) {
        if (!splats_) {
            return failed("draw_splats: splats must succeed first");
        }
        return succeeded(submissions_->submit([&](VkCommandBuffer commands) {
            return splats_->record(commands, camera, static_cast<float>(field_of_view),
                                   static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
        }));
    }

    std::int64_t check() {
        if (!particles_) {
            return splats_ ? splats_->visible() : -1;
        }
        const auto checked = particles_->check();
        return checked ? *checked : (failed(checked.error()), -1);
    }

private:
    static bool failed(const char* message) {
        godot::api.get<GDExtensionInterfacePrintError>("print_error")(message, "Weir", "", 0, 1);
        return false;
    }
    static bool failed(const weir::Error& error) { return failed(error.message.c_str()); }
    static bool succeeded(const weir::Result<>& result) { return result.has_value() || failed(result.error()); }

    std::optional<weir::Context> gpu_;
    VkDevice device_ = VK_NULL_HANDLE;
    std::optional<Submissions> submissions_;
    std::optional<Particles> particles_;
    std::optional<Splats> splats_;
};

void initialize(void*, GDExtensionInitializationLevel level) {
    if (level != GDEXTENSION_INITIALIZATION_SCENE) {
        return;
    }
    godot::Name& name = godot::add_class<Weir>("Weir");
    godot::Method<&Weir::adopt>::add(name, "adopt");
    godot::Method<&Weir::particles>::add(name, "particles");
    godot::Method<&Weir::step>::add(name, "step");
    godot::Method<&Weir::splats>::add(name, "splats");
    godot::Method<&Weir::draw_splats>::add(name, "draw_splats");
    godot::Method<&Weir::check>::add(name, "check");
}

} // namespace

extern "C" __attribute__((visibility("default"))) GDExtensionBool
weir_godot_init(GDExtensionInterfaceGetProcAddress find, GDExtensionClassLibraryPtr library,
                GDExtensionInitialization* initialization) {
    godot::api = {find, library};
    initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
    initialization->initialize = initialize;
    initialization->deinitialize = [](void*, GDExtensionInitializationLevel) {};
    return 1;
}
