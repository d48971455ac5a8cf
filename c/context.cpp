#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "c/border.hpp"
#include "engine/base/propagate.hpp"

using namespace weir::c;

namespace {

weir::LogLevel level_of(weir_log_level level) {
    switch (level) {
    case WEIR_LOG_DEBUG: return weir::LogLevel::debug;
    case WEIR_LOG_DEFAULT:
    case WEIR_LOG_WARNING: return weir::LogLevel::warning;
    case WEIR_LOG_ERROR: return weir::LogLevel::error;
    default: refuse("log level " + std::to_string(static_cast<unsigned>(level)) + " does not exist");
    }
}

weir::LogFunction log_of(weir_log_function log, void* user) {
    if (log == nullptr) {
        return {};
    }
    return [=](weir::LogLevel level, const char* message) {
        log(static_cast<weir_log_level>(static_cast<int>(level) + 1), message, user);
    };
}
static_assert(static_cast<int>(weir::LogLevel::debug) + 1 == WEIR_LOG_DEBUG);
static_assert(static_cast<int>(weir::LogLevel::error) + 1 == WEIR_LOG_ERROR);

std::function<void()> queue_function(weir_queue_function function, void* user) {
    if (function == nullptr) {
        return {};
    }
    return [=] { function(user); };
}

template <class Options>
weir::CompilerOptions compiler_of(const Options& options) {
    weir::CompilerOptions out;
    out.threads = options.compiler_threads;
    out.shader_file = text(options.shader_file);
    out.pipeline_file = text(options.pipeline_file);
    out.compiles_glsl = options.no_glsl == VK_FALSE;
    return out;
}

weir::MemoryKind kind_of(weir_memory_kind kind) {
    static_assert(static_cast<int>(weir::MemoryKind::download) == WEIR_MEMORY_DOWNLOAD);
    if (static_cast<unsigned>(kind) > WEIR_MEMORY_DOWNLOAD) {
        refuse("memory kind " + std::to_string(static_cast<unsigned>(kind)) + " does not exist");
    }
    return static_cast<weir::MemoryKind>(kind);
}

/// Moves a successful result into a new C object.
template <class Handle, class Made>
weir::Result<> give(Handle** out, Made made) {
    WEIR_PROPAGATE(made);
    *out = new Handle{std::move(*made)};
    return {};
}

/// Implements Vulkan's enumeration idiom. If `items` is null, sets `count` to the number of items. Otherwise writes at
/// most `count` items and sets `count` to the number written.
template <class Item, class From, class Convert>
weir::Result<> list(Item* items, std::uint32_t& count, const From& from, const Convert& convert) {
    const auto all = static_cast<std::uint32_t>(from.size());
    if (items == nullptr) {
        count = all;
        return {};
    }
    count = std::min(count, all);
    std::transform(from.begin(), from.begin() + count, items, convert);
    return {};
}

/// Returns the version; 1.3 for 0.
std::uint32_t version_or_usual(std::uint32_t api_version) {
    return api_version != 0 ? api_version : VK_API_VERSION_1_3;
}

weir::DeviceRequirements requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                      std::uint32_t api_version, VkPhysicalDevice physical_device) {
    needed(get_instance_proc_addr, "get_instance_proc_addr");
    needed(instance, "the instance");
    needed(physical_device, "the physical device");
    return weir::device_requirements(get_instance_proc_addr, instance, physical_device, version_or_usual(api_version));
}

weir::BufferView view_of(const weir_buffer_view& range) {
    return {range.buffer, range.offset, range.size};
}

} // namespace

weir_result weir_list_devices(weir_device_info* infos, std::uint32_t* count, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        std::uint32_t& out = needed(count, "the count");
        const auto devices = weir::Context::list_devices();
        WEIR_PROPAGATE(devices);
        return list(infos, out, *devices, [](const weir::DeviceInfo& device) {
            weir_device_info info{};
            info.index = device.index;
            copy_text(info.name, device.name);
            copy_text(info.driver, device.driver);
            copy_text(info.unusable, device.unusable);
            return info;
        });
    });
}

weir_result weir_context_create(const weir_context_options* options, weir_context** context, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(context, "the output pointer for the context");
        const auto given = options_or_zeros(options, offsetof(weir_context_options, pipeline_file));
        weir::ContextOptions out;
        out.device = text(given.device);
        out.validation = given.validation != VK_FALSE;
        if (given.on_validation != nullptr) {
            out.on_validation = [function = given.on_validation, user = given.user](const char* message) {
                function(message, user);
            };
        }
        out.pipeline_cache_directory = text(given.cache_directory);
        out.compiler = compiler_of(given);
        out.log = log_of(given.log, given.user);
        out.log_level = level_of(given.log_level);
        out.memory_limit = given.memory_limit;
        out.allocation_callbacks = given.allocation_callbacks;
        return give(context, weir::Context::create(out));
    });
}

weir_result weir_context_adopt(const weir_adopted_device* device, weir_context** context, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(context, "the output pointer for the context");
        const auto given = needed_struct(device, "the device", offsetof(weir_adopted_device, pipeline_file));
        items(given.enabled_extensions, given.enabled_extension_count, "the list of enabled extensions");
        weir::AdoptedDevice out;
        out.get_instance_proc_addr = given.get_instance_proc_addr;
        out.instance = given.instance;
        out.physical_device = given.physical_device;
        out.device = given.device;
        out.queue = given.queue;
        out.queue_family = given.queue_family;
        out.api_version = version_or_usual(given.api_version);
        out.lock_queue = queue_function(given.lock_queue, given.user);
        out.unlock_queue = queue_function(given.unlock_queue, given.user);
        out.probe_behavior = given.no_probe == VK_FALSE;
        out.enabled_features = given.enabled_features;
        out.enabled_extensions = {given.enabled_extensions, given.enabled_extension_count};
        for (const char* extension : out.enabled_extensions) {
            needed(extension, "an enabled extension");
        }
        out.pipeline_cache = given.pipeline_cache;
        out.shader_cache_directory = text(given.cache_directory);
        out.compiler = compiler_of(given);
        out.log = log_of(given.log, given.user);
        out.log_level = level_of(given.log_level);
        out.memory_limit = given.memory_limit;
        out.allocation_callbacks = given.allocation_callbacks;
        return give(context, weir::Context::adopt(out));
    });
}

weir_result weir_enable_features(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                 std::uint32_t api_version, VkPhysicalDevice physical_device,
                                 VkPhysicalDeviceFeatures2* chain, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        VkPhysicalDeviceFeatures2& features = needed(chain, "the chain of features");
        const auto needs = requirements(get_instance_proc_addr, instance, api_version, physical_device);
        if (!needs.unusable.empty()) {
            return tl::unexpected(weir::Error{weir::ErrorCode::unsupported, needs.unusable});
        }
        return weir::enable_features(needs, features);
    });
}

weir_result weir_recommended_extensions(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                        std::uint32_t api_version, VkPhysicalDevice physical_device, const char** names,
                                        std::uint32_t* count, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        std::uint32_t& out = needed(count, "the count");
        const auto needs = requirements(get_instance_proc_addr, instance, api_version, physical_device);
        return list(names, out, needs.recommended_extensions, [](const char* name) { return name; });
    });
}

void weir_context_destroy(weir_context* context) {
    delete context;
}

weir_result weir_context_properties(const weir_context* context, weir_device_properties* properties,
                                    weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        const weir::Context& of = needed(context, "the context").context;
        const auto given = needed_struct(properties, "the output pointer for the properties");
        const weir::Capabilities& device = of.capabilities();
        weir_device_properties out{};
        out.size = given.size;
        out.instance = of.instance();
        out.physical_device = of.physical_device();
        out.device = of.device();
        out.queue = of.queue();
        out.queue_family = of.queue_family();
        out.subgroup_size = device.subgroup_size;
        out.get_instance_proc_addr = of.get_instance_proc_addr();
        copy_text(out.name, device.device_name);
        copy_text(out.driver, device.driver);
        out.int64 = device.int64 ? VK_TRUE : VK_FALSE;
        out.float64 = device.float64 ? VK_TRUE : VK_FALSE;
        out.storage_offset_alignment = device.storage_offset_alignment;
        out.max_storage_range = device.max_storage_range;
        std::memcpy(properties, &out, given.size); // an older application's struct may be smaller
        return {};
    });
}

weir_result weir_memory_budget(const weir_context* context, weir_memory_heap* heaps, std::uint32_t* count,
                               weir_error* error) {
    return guarded(error, __func__, [&] {
        const weir::MemoryBudget budget = needed(context, "the context").context.memory_budget();
        return list(heaps, needed(count, "the count"), budget.heaps, [&](const weir::MemoryHeap& heap) {
            return weir_memory_heap{heap.size,
                                    heap.budget,
                                    heap.usage,
                                    heap.weir,
                                    heap.device_local ? VK_TRUE : VK_FALSE,
                                    budget.is_measured ? VK_TRUE : VK_FALSE};
        });
    });
}

weir_result weir_context_write_pipelines(const weir_context* context, const char* file, weir_error* error) {
    return guarded(error, __func__, [&] {
        return needed(context, "the context").context.write_pipelines(std::string(&needed(file, "the file")));
    });
}

std::uint64_t weir_context_memory(const weir_context* context) {
    return context == nullptr ? 0 : context->context.memory_in_use();
}

weir_result weir_buffer_create(weir_context* context, std::uint64_t bytes, weir_memory_kind kind, weir_buffer** buffer,
                               weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(buffer, "the output pointer for the buffer");
        const weir::Context& of = needed(context, "the context").context;
        if (bytes == 0) {
            refuse("the size of a buffer must be at least 1 byte");
        }
        return give(buffer, of.create_buffer(bytes, kind_of(kind)));
    });
}

void weir_buffer_destroy(weir_buffer* buffer) {
    delete buffer;
}

void* weir_buffer_mapped(const weir_buffer* buffer) {
    return buffer == nullptr ? nullptr : buffer->buffer.mapped();
}

weir_buffer_view weir_buffer_range(const weir_buffer* buffer) {
    return buffer == nullptr ? weir_buffer_view{} : weir_buffer_view{buffer->buffer.handle(), 0, buffer->buffer.size()};
}

weir_result weir_upload(weir_context* context, weir_buffer_view destination, const void* data, std::size_t bytes,
                        weir_error* error) {
    return guarded(error, __func__, [&] {
        const weir::Context& of = needed(context, "the context").context;
        const auto* from = items(static_cast<const std::byte*>(data), bytes, "the data");
        return of.upload(view_of(destination), std::span(from, bytes));
    });
}

weir_result weir_download(weir_context* context, void* data, std::size_t bytes, weir_buffer_view source,
                          weir_error* error) {
    return guarded(error, __func__, [&] {
        const weir::Context& of = needed(context, "the context").context;
        items(data, bytes, "the output pointer for the data");
        return of.download(std::span(static_cast<std::byte*>(data), bytes), view_of(source));
    });
}
