#include "engine/timeline.hpp"

#include "engine/device.hpp"
#include "engine/text.hpp"
#include "engine/waiting.hpp"

namespace weir {

Result<std::unique_ptr<Timeline>> Timeline::create(std::shared_ptr<Device> device, const std::string& name) {
    std::unique_ptr<Timeline> made(new Timeline(std::move(device), name));
    const Device& on = *made->device_;
    if (!on.capabilities().timeline_semaphores) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  concat("the timeline '", name, "' needs timelineSemaphore, which is not enabled on the device")});
    }
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    if (const VkResult status = on.vk().vkCreateSemaphore(on.handle(), &info, nullptr, &made->semaphore_);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("creating the timeline '", name, "'")));
    }
    on.set_name(VK_OBJECT_TYPE_SEMAPHORE, reinterpret_cast<std::uint64_t>(made->semaphore_), name.c_str());
    return made;
}

Timeline::~Timeline() {
    device_->vk().vkDestroySemaphore(device_->handle(), semaphore_, nullptr);
}

Result<> Timeline::wait(std::uint64_t value) const {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    const auto& vk = device_->vk();
    const auto ask = [&] {
        std::uint64_t reached = 0;
        const VkResult status = vk.vkGetSemaphoreCounterValue(device_->handle(), semaphore_, &reached);
        return status == VK_SUCCESS && reached < value ? VK_NOT_READY : status;
    };
    const VkResult status = wait_or_ask([&] { return vk.vkWaitSemaphores(device_->handle(), &info, UINT64_MAX); }, ask);
    return device_->waited(status, [&] { return concat("waiting until the timeline '", name_, "' is at ", value); });
}

Result<std::uint64_t> Timeline::value() const {
    std::uint64_t value = 0;
    if (const VkResult status = device_->vk().vkGetSemaphoreCounterValue(device_->handle(), semaphore_, &value);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("asking where the timeline '", name_, "' is")));
    }
    return value;
}

} // namespace weir
