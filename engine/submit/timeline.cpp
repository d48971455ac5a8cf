#include "engine/submit/timeline.hpp"

#include "engine/base/device_handle.hpp"
#include "engine/base/strings.hpp"

namespace weir {

Result<std::unique_ptr<Timeline>> Timeline::create(std::shared_ptr<DeviceHandle> device, const std::string& name) {
    std::unique_ptr<Timeline> timeline(new Timeline(std::move(device), name));
    const DeviceHandle& owner = *timeline->device_;
    if (!owner.capabilities().timeline_semaphores) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  concat("the timeline '", name, "' requires timelineSemaphore, which is not enabled on the device")});
    }
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    if (const VkResult status =
            owner.vk().vkCreateSemaphore(owner.handle(), &info, owner.callbacks(), &timeline->semaphore_);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("creating the timeline '", name, "'")));
    }
    owner.set_name(VK_OBJECT_TYPE_SEMAPHORE, reinterpret_cast<std::uint64_t>(timeline->semaphore_), name);
    return timeline;
}

Timeline::~Timeline() {
    device_->vk().vkDestroySemaphore(device_->handle(), semaphore_, device_->callbacks());
}

Result<> Timeline::wait(std::uint64_t value, std::chrono::nanoseconds timeout) const {
    return wait(*device_, {semaphore_, value}, concat("'", name_, "'"), timeout);
}

Result<std::uint64_t> Timeline::value() const {
    return value(*device_, semaphore_, concat("'", name_, "'"));
}

Result<> Timeline::wait(DeviceHandle& device, const TimelinePoint& until, const std::string& name,
                        std::chrono::nanoseconds timeout) {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &until.semaphore;
    info.pValues = &until.value;
    const auto& vk = device.vk();
    const auto poll = [&] {
        std::uint64_t reached = 0;
        const VkResult status = vk.vkGetSemaphoreCounterValue(device.handle(), until.semaphore, &reached);
        return status == VK_SUCCESS && reached < until.value ? VK_NOT_READY : status;
    };
    const VkResult status = wait_or_ask(
        [&](std::uint64_t time) { return vk.vkWaitSemaphores(device.handle(), &info, time); }, poll, timeout);
    return device.waited(status, [&] { return concat("waiting until the timeline ", name, " reaches ", until.value); });
}

Result<std::uint64_t> Timeline::value(const DeviceHandle& device, VkSemaphore semaphore, const std::string& name) {
    std::uint64_t value = 0;
    if (const VkResult status = device.vk().vkGetSemaphoreCounterValue(device.handle(), semaphore, &value);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("reading the value of the timeline ", name)));
    }
    return value;
}

} // namespace weir
