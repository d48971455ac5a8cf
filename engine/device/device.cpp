#include "engine/device/device.hpp"

#include <algorithm>
#include <utility>

#include "engine/device/device_probe.hpp"
#include "engine/descriptors/descriptor_buffers.hpp"
#include "engine/base/files.hpp"
#include "engine/device/live_devices.hpp"
#include "engine/base/log.hpp"
#include "engine/memory/memory.hpp"
#include "engine/memory/memory_use.hpp"
#include "engine/base/parallel.hpp"
#include "engine/pipeline/pipelines.hpp"
#include "engine/shader/shader_cache.hpp"
#include "engine/base/strings.hpp"
#include "engine/submit/waiting.hpp"

namespace weir {

namespace {

const char* name_of(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::upload: return "upload";
    case MemoryKind::download: return "download";
    case MemoryKind::device: break;
    }
    return "device";
}

std::string describe(const std::string& name, VkDeviceSize size) {
    return name.empty() ? concat("a buffer of ", size, " bytes")
                        : concat("the buffer '", name, "' of ", size, " bytes");
}

} // namespace

Device::Device(DeviceSetup setup) : setup_(std::move(setup)) {}

Result<std::shared_ptr<Device>> Device::create(DeviceSetup setup) {
    std::shared_ptr<Device> device(new Device(std::move(setup)));
    if (auto done = device->initialize(); !done) {
        return tl::unexpected(done.error());
    }
    device->set_behavior();
    LiveDevices::add(*device);
    return device;
}

Result<> Device::load_functions() {
    weir_volk_load_device_table(&vk_, setup_.device, setup_.functions.vkGetDeviceProcAddr);
    // A driver may provide these functions although the feature is not enabled. They must not be called then.
    if (!setup_.capabilities.synchronization2) {
        vk_.vkCmdPipelineBarrier2 = nullptr;
        vk_.vkCmdWriteTimestamp2 = nullptr;
        vk_.vkQueueSubmit2 = nullptr;
    }
    if (!setup_.capabilities.maintenance4) {
        vk_.vkGetDeviceBufferMemoryRequirements = nullptr;
    }
    const bool has_older = !setup_.capabilities.synchronization2;
    const std::pair<bool, const char*> needed[] = {
        {vk_.vkDestroyDevice != nullptr, "vkDestroyDevice"},
        {vk_.vkCreateBuffer != nullptr, "vkCreateBuffer"},
        {vk_.vkCreateComputePipelines != nullptr, "vkCreateComputePipelines"},
        {has_older || vk_.vkCmdPipelineBarrier2 != nullptr, "vkCmdPipelineBarrier2"},
        {has_older || vk_.vkCmdWriteTimestamp2 != nullptr, "vkCmdWriteTimestamp2"},
        {has_older || vk_.vkQueueSubmit2 != nullptr, "vkQueueSubmit2"},
    };
    for (const auto& [there, name] : needed) {
        if (!there) {
            const std::string what = concat("the device has no function ", name);
            if (setup_.own_device) {
                return tl::unexpected(Error{ErrorCode::unsupported, what});
            }
            return tl::unexpected(Error{ErrorCode::invalid_argument,
                                        concat("adopt: ", what,
                                               ", of Vulkan 1.3: AdoptedDevice::api_version must be what the instance "
                                               "was made for, VkApplicationInfo::apiVersion")});
        }
    }
    return {};
}

Result<> Device::initialize() {
    if (auto loaded = load_functions(); !loaded) {
        return loaded;
    }
    memory_use_ = std::make_unique<MemoryUse>(setup_.functions, setup_.physical_device);
    if (!setup_.memory.create_buffer) {
        auto memory = make_own_memory(setup_.functions, {setup_.instance, setup_.physical_device, setup_.device,
                                                         setup_.capabilities.buffer_address,
                                                         setup_.capabilities.maintenance4, callbacks(), this});
        if (!memory) {
            return tl::unexpected(memory.error());
        }
        const MemoryHooks of_host = std::exchange(setup_.memory, std::move(*memory));
        if (of_host.allocate) {
            setup_.memory.allocate = of_host.allocate;
            setup_.memory.free = of_host.free;
        }
    }
    if (auto made = make_compiler(); !made) {
        return made;
    }
    if (setup_.host_pipeline_cache == VK_NULL_HANDLE) {
        auto cache = PipelineCache::create(*this, setup_.pipeline_cache_file, setup_.compiler.pipeline_file);
        if (!cache) {
            return tl::unexpected(cache.error());
        }
        pipeline_cache_ = std::move(*cache);
    }
    make_queues();
    if (auto made = make_descriptor_buffers(); !made) {
        return made;
    }
    submissions_ = std::make_unique<Submissions>(*this, locked(QueueKind::main));
    transfers_ = std::make_unique<Transfers>(*this);
    if (setup_.own_device) {
        set_name(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<std::uint64_t>(setup_.device), "device");
    }
    return {};
}

Result<> Device::make_compiler() {
    ShaderCache::Options options{.file = setup_.shader_cache_file,
                                 .warn = [this](const std::string& what) { log().tell(LogLevel::warning, what); }};
    if (!setup_.compiler.compiles_glsl) {
        options.load = []() -> Result<const ShadercLibrary*> {
            return tl::unexpected(
                Error{ErrorCode::unsupported, "the context compiles none (CompilerOptions::compiles_glsl)"});
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
    pipelines_ = std::make_unique<Pipelines>(*this, setup_.compiler.kept_pipelines);
    if (!setup_.compiler.parallel_for) {
        setup_.compiler.parallel_for = weir::parallel_for(setup_.compiler.threads);
    }
    return {};
}

Result<> Device::make_descriptor_buffers() {
    if (capabilities().descriptor_buffer) {
        descriptor_buffers_ =
            std::make_unique<DescriptorBuffers>(*this, setup_.descriptor_buffer_bytes, setup_.descriptor_buffer);
        return descriptor_buffers_->check_hosts();
    }
    if (setup_.descriptor_buffer.address != 0) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    "adopt: descriptor_buffer is given, but VK_EXT_descriptor_buffer and "
                                    "bufferDeviceAddress are not enabled"});
    }
    return {};
}

void Device::make_queues() {
    constexpr const char* names[queue_kinds] = {"main queue", "compute queue", "transfer queue"};
    std::uint32_t count = 0;
    setup_.functions.vkGetPhysicalDeviceQueueFamilyProperties(setup_.physical_device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    setup_.functions.vkGetPhysicalDeviceQueueFamilyProperties(setup_.physical_device, &count, families.data());
    for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
        Queue& queue = setup_.queues[kind];
        setup_.capabilities.queue_families[kind] = queue.family;
        setup_.capabilities.queue_flags[kind] = queue.family < count ? families[queue.family].queueFlags : 0;
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
        queues_[kind] = std::make_shared<LockedQueue>(vk_, std::move(queue));
    }
}

/// Skipped on CPU drivers: compiling the probe would take longer than most programs run, and the variants it selects
/// are not faster there.
void Device::set_behavior() {
    if (!setup_.probes_behavior || setup_.capabilities.kind == DeviceKind::cpu || queue().handle == VK_NULL_HANDLE) {
        return;
    }
    const Behavior behavior = Behaviors::of_process().of(shared_from_this(), setup_.behavior_file);
    setup_.capabilities.workgroups_start_in_order = behavior.workgroups_start_in_order;
    setup_.capabilities.atomics_in_lane_order = behavior.atomics_in_lane_order;
}

Device::~Device() {
    LiveDevices::remove(*this);
    if (setup_.own_device || is_abandoned()) {
        wait_in_destructor([&](std::chrono::nanoseconds) {
            const VkResult status = wait_for_queues();
            if (status == VK_TIMEOUT) {
                static_cast<void>(waited(status, [] { return "waiting for the queues of a device"; }));
            } else if (status == VK_SUCCESS) {
                vk_in_use_ = &vk_;
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
    if (is_abandoned()) { // leaked: the allocator would free its memory, and the instance would destroy the device
        static_cast<void>(std::make_unique<MemoryHooks>(std::move(setup_.memory)).release());
        static_cast<void>(setup_.own_instance.release());
    }
    setup_.memory = {};
    if (setup_.own_device && vk_.vkDestroyDevice != nullptr && !is_abandoned()) {
        vk_.vkDestroyDevice(setup_.device, callbacks());
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
    VkFence fence = VK_NULL_HANDLE;
    VkResult status = vk_.vkCreateFence(setup_.device, &info, callbacks(), &fence);
    if (status == VK_SUCCESS) {
        status = queue.submit({}, fence);
    }
    if (status == VK_SUCCESS) {
        status = wait_or_ask(
            [&](std::uint64_t most) { return vk_.vkWaitForFences(setup_.device, 1, &fence, VK_TRUE, most); },
            [&] { return vk_.vkGetFenceStatus(setup_.device, fence); }, longest_wait_);
    }
    if (status != VK_SUCCESS && status != VK_ERROR_DEVICE_LOST && status != VK_TIMEOUT) {
        status = queue.wait();
    }
    if (status == VK_SUCCESS || status == VK_ERROR_DEVICE_LOST) {
        vk_.vkDestroyFence(setup_.device, fence, callbacks());
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
    has_left_ = true;
    ends_with_process_ = true;
    abandon();
}

void Device::abandon() {
    const std::lock_guard lock(abandon_mutex_);
    if (is_abandoned()) {
        return;
    }
    auto table = std::make_unique<VolkDeviceTable>(vk_);
    const auto replace = []<class Object>(void(VKAPI_PTR * &function)(VkDevice, Object, const VkAllocationCallbacks*)) {
        function = [](VkDevice, Object, const VkAllocationCallbacks*) {};
    };
    replace(table->vkDestroyBuffer);
    replace(table->vkDestroyCommandPool);
    replace(table->vkDestroyDescriptorPool);
    replace(table->vkDestroyDescriptorSetLayout);
    replace(table->vkDestroyFence);
    replace(table->vkDestroyImage);
    replace(table->vkDestroyImageView);
    replace(table->vkDestroyPipeline);
    replace(table->vkDestroyPipelineLayout);
    replace(table->vkDestroyQueryPool);
    replace(table->vkDestroySemaphore);
    replace(table->vkFreeMemory);
    vk_abandoned_ = std::move(table);
    vk_in_use_.store(vk_abandoned_.get(), std::memory_order_release);
}

VkPipelineCache Device::pipeline_cache() const {
    return pipeline_cache_ ? pipeline_cache_->handle() : setup_.host_pipeline_cache;
}

VkBufferCreateInfo Device::buffer_info(VkDeviceSize size, VkBufferUsageFlags further_usage,
                                       std::span<const std::uint32_t> families) const {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = size;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | further_usage;
    if (capabilities().buffer_address) {
        info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    }
    share(info, families);
    return info;
}

VkResult Device::allocate(const VkMemoryRequirements& needs, const std::string& name, MemoryHooks::Memory& out) {
    if (setup_.memory.allocate) {
        return setup_.memory.allocate(needs, out);
    }
    const VkPhysicalDeviceMemoryProperties& properties = memory_use_->properties();
    std::uint32_t type = 0;
    bool is_local = false;
    for (std::uint32_t i = properties.memoryTypeCount; i-- > 0;) { // the first device-local type is the best
        const bool local = (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
        if ((needs.memoryTypeBits >> i & 1U) != 0 && (local || !is_local)) {
            type = i;
            is_local = local;
        }
    }
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = capabilities().buffer_address ? &flags : nullptr;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = type;
    const VkResult status = vk_.vkAllocateMemory(setup_.device, &info, callbacks(), &out.memory);
    if (status == VK_SUCCESS) {
        memory_allocated(out.memory, type, needs.size);
        set_name(VK_OBJECT_TYPE_DEVICE_MEMORY, reinterpret_cast<std::uint64_t>(out.memory), name);
        const std::lock_guard lock(own_memory_mutex_);
        own_memory_.emplace(out.memory, std::pair(type, needs.size));
    }
    return status;
}

void Device::free(const MemoryHooks::Memory& memory) {
    if (setup_.memory.free && !is_abandoned()) {
        setup_.memory.free(memory);
    } else {
        {
            const std::lock_guard lock(own_memory_mutex_);
            if (const auto found = own_memory_.find(memory.memory); found != own_memory_.end()) {
                memory_freed(found->second.first, found->second.second);
                own_memory_.erase(found);
            }
        }
        vk().vkFreeMemory(setup_.device, memory.memory, callbacks());
    }
}

void Device::memory_allocated(VkDeviceMemory memory, std::uint32_t type, VkDeviceSize bytes) {
    memory_use_->add(type, bytes);
    if (has_names()) {
        set_name(VK_OBJECT_TYPE_DEVICE_MEMORY, reinterpret_cast<std::uint64_t>(memory),
                 concat("memory of type ", type));
    }
}

Result<MemoryHooks::Allocation> Device::allocate_memory(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                                        VkBufferUsageFlags further_usage,
                                                        std::span<const std::uint32_t> families) {
    if (size == 0) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, describe(name, size) + " cannot be made: the size must be at least 1"});
    }
    if (size > capabilities().max_allocation) {
        return tl::unexpected(
            Error{ErrorCode::limit_exceeded, concat(describe(name, size), " is past the device's limit of ",
                                                    capabilities().max_allocation, " bytes for one allocation")});
    }
    const VkBufferCreateInfo info = buffer_info(size, further_usage, families);
    MemoryHooks::Allocation out;
    if (const VkResult status = setup_.memory.create_buffer(info, kind, out); status != VK_SUCCESS) {
        Error error =
            vulkan_error(status, concat("allocating ", describe(name, size), " in ", name_of(kind), " memory"));
        // The Vulkan Memory Allocator returns this for a usage that it was not created for.
        if (status == VK_ERROR_INITIALIZATION_FAILED && (info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) {
            error = {ErrorCode::invalid_argument,
                     error.message + "; its usage has VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, since the device was "
                                     "made with bufferDeviceAddress: an allocator of the host's must be made with "
                                     "VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT"};
        }
        return tl::unexpected(std::move(error));
    }
    if (kind != MemoryKind::device && out.mapped == nullptr) {
        free_memory(out);
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    concat("the host's memory functions did not map ", describe(name, size))});
    }
    if (has_names()) {
        set_name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(out.buffer),
                 name.empty() ? concat("a buffer in ", name_of(kind), " memory") : name);
    }
    return out;
}

void Device::free_memory(const MemoryHooks::Allocation& allocation) {
    if (!is_abandoned()) {
        setup_.memory.destroy_buffer(allocation);
    }
}

Result<> Device::reserve_memory(VkDeviceSize size, const std::string& name) {
    const std::uint64_t before = memory_in_use_.fetch_add(size);
    if (setup_.memory_limit == 0 || before + size <= setup_.memory_limit) {
        return {};
    }
    release_memory(size);
    return tl::unexpected(
        Error{ErrorCode::out_of_memory, concat(describe(name, size), " is past the context's limit: ", before, " of ",
                                               setup_.memory_limit, " bytes are in use (memory_limit)")});
}

Result<Buffer> Device::create_buffer(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                     VkBufferUsageFlags further_usage, std::span<const std::uint32_t> families) {
    const bool counts = kind == MemoryKind::device;
    if (auto reserved = counts ? reserve_memory(size, name) : Result<>(); !reserved) {
        return tl::unexpected(reserved.error());
    }
    auto memory = allocate_memory(size, kind, name, further_usage, families);
    if (!memory) {
        if (counts) {
            release_memory(size);
        }
        return tl::unexpected(memory.error());
    }
    Buffer buffer;
    buffer.device_ = shared_from_this();
    buffer.buffer_ = memory->buffer;
    buffer.allocation_ = memory->allocation;
    buffer.mapped_ = kind == MemoryKind::device ? nullptr : static_cast<std::byte*>(memory->mapped);
    buffer.size_ = size;
    return buffer;
}

VkDeviceAddress Device::address(VkBuffer buffer) const {
    VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    info.buffer = buffer;
    return vk_.vkGetBufferDeviceAddress(setup_.device, &info);
}

Result<std::shared_ptr<const CompiledShader>> Device::shader(const ShaderSource& source) {
    return shaders_->get(source);
}

Result<std::shared_ptr<const Pipeline>> Device::pipeline(const PipelineInfo& info) {
    return pipelines_->get(info);
}

Result<> Device::submit(const std::function<Result<>(VkCommandBuffer)>& record, bool* submitted) {
    return submissions_->run(record, submitted);
}

Result<> Device::upload(BufferView destination, std::span<const std::byte> bytes) {
    return transfers_->upload(destination, bytes);
}

Result<> Device::download(std::span<std::byte> bytes, BufferView source) {
    return transfers_->download(bytes, source);
}

void Device::set_name(VkObjectType type, std::uint64_t object, std::string_view name) const {
    if (!has_names()) {
        return;
    }
    const std::string text = name.empty() ? "weir" : concat("weir: ", name);
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = text.c_str();
    setup_.functions.vkSetDebugUtilsObjectNameEXT(setup_.device, &info);
}

void Device::begin_label(VkCommandBuffer commands, const char* name) const {
    if (setup_.functions.vkCmdBeginDebugUtilsLabelEXT != nullptr) {
        VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
        label.pLabelName = name;
        setup_.functions.vkCmdBeginDebugUtilsLabelEXT(commands, &label);
    }
}

void Device::end_label(VkCommandBuffer commands) const {
    if (setup_.functions.vkCmdEndDebugUtilsLabelEXT != nullptr) {
        setup_.functions.vkCmdEndDebugUtilsLabelEXT(commands);
    }
}

} // namespace weir
