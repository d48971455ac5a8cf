#include <weir/engine/timestamps.hpp>

#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"
#include "engine/submit/synchronization.hpp"

namespace weir {

struct Timestamps::Impl {
    std::shared_ptr<Device> device;
    std::uint32_t count = 0;
    VkQueryPool pool = VK_NULL_HANDLE;

    Impl(std::shared_ptr<Device> the_device, std::uint32_t the_count)
        : device(std::move(the_device)), count(the_count) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { device->vk().vkDestroyQueryPool(device->handle(), pool, device->callbacks()); }
};

namespace {

/// Returns the signed ticks from `first` to `later`. Only the low `bits` of both are valid, and they may have wrapped.
std::int64_t ticks_between(std::uint64_t first, std::uint64_t later, std::uint32_t bits) {
    const std::uint32_t unused = 64 - bits;
    return static_cast<std::int64_t>((later - first) << unused) >> unused;
}

} // namespace

Result<Timestamps> Timestamps::create(const Context& context, std::uint32_t count) {
    const std::shared_ptr<Device>& device = ContextAccess::device(context);
    if (count == 0) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "timestamps: the count must be at least 1"});
    }
    if (device->capabilities().timestamp_bits == 0) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat("the queue family ", device->queue().family, " of ",
                                                 device->capabilities().device_name, " does not support timestamps")});
    }
    auto impl = std::make_unique<Impl>(device, count);
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = count;
    if (const VkResult status =
            device->vk().vkCreateQueryPool(device->handle(), &info, device->callbacks(), &impl->pool);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("creating ", count, " timestamps")));
    }
    device->set_name(VK_OBJECT_TYPE_QUERY_POOL, reinterpret_cast<std::uint64_t>(impl->pool), "timestamps");
    return Timestamps(std::move(impl));
}

Timestamps::Timestamps(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Timestamps::Timestamps(Timestamps&&) noexcept = default;
Timestamps& Timestamps::operator=(Timestamps&&) noexcept = default;
Timestamps::~Timestamps() = default;

std::uint32_t Timestamps::count() const {
    return impl_->count;
}

void Timestamps::reset(VkCommandBuffer commands) const {
    reset(commands, 0, impl_->count);
}

void Timestamps::reset(VkCommandBuffer commands, std::uint32_t first, std::uint32_t count) const {
    impl_->device->vk().vkCmdResetQueryPool(commands, impl_->pool, first, count);
}

void Timestamps::reset(std::uint32_t first, std::uint32_t count) const {
    impl_->device->vk().vkResetQueryPool(impl_->device->handle(), impl_->pool, first, count);
}

void Timestamps::write(VkCommandBuffer commands, std::uint32_t index) const {
    write_timestamp(impl_->device->vk(), commands, impl_->pool, index);
}

Result<std::vector<double>> Timestamps::read(std::uint32_t count) const {
    if (count > impl_->count) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("timestamps: cannot read ", count, " of ", impl_->count)});
    }
    std::vector<std::uint64_t> ticks(count);
    std::vector<double> out(count);
    if (count == 0) {
        return out;
    }
    const Device& device = *impl_->device;
    if (const VkResult status = device.vk().vkGetQueryPoolResults(
            device.handle(), impl_->pool, 0, count, count * sizeof(std::uint64_t), ticks.data(), sizeof(std::uint64_t),
            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("reading ", count, " timestamps")));
    }
    // Relative to the first one, because doubles would lose the last digits of times since the device started.
    for (std::uint32_t i = 0; i < count; ++i) {
        out[i] = static_cast<double>(ticks_between(ticks[0], ticks[i], device.capabilities().timestamp_bits)) *
                 static_cast<double>(device.capabilities().timestamp_period);
    }
    return out;
}

} // namespace weir
