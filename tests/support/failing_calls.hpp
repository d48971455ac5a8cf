#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/context.hpp>

namespace weir::tests {

/// Calls of Vulkan that fail when a test wants it: on a device that a host hands over, while the object lives. One
/// object at a time.
class FailingCalls {
public:
    /// From now on, the functions of `host` are those that may fail. Its device may be null until set_device.
    explicit FailingCalls(AdoptedDevice& host);
    ~FailingCalls();
    FailingCalls(const FailingCalls&) = delete;
    FailingCalls& operator=(const FailingCalls&) = delete;

    /// After `later` calls of a function that work, it returns `status` `times` times and does nothing else, but for
    /// VK_ERROR_DEVICE_LOST, which comes when it is done. The function is one of functions(); another one throws.
    void fail(std::string_view function, VkResult status, int times = always, int later = 0);
    /// It works again.
    void mend(std::string_view function) { fail(function, VK_SUCCESS, 0); }

    void mend(); ///< all of them; and the device is not lost

    /// The device that is lost, where it was null or another one before.
    void set_device(VkDevice device);

    /// The device is lost in the call after `later` calls of functions that may say so: this call and all later ones
    /// of those functions return VK_ERROR_DEVICE_LOST and do nothing else. Polls of a fence in a row count as one.
    void lose_device(int later);
    [[nodiscard]] int calls_that_may_lose() const; ///< so far
    [[nodiscard]] bool has_failed() const;         ///< whether any call has

    /// The names of those that may fail.
    [[nodiscard]] static std::vector<std::string> functions();

    /// The device's functions do not have this one.
    void remove(std::string_view function);

    [[nodiscard]] int calls(std::string_view function) const; ///< of one of those, so far

    static constexpr int always = 1 << 30;
};

} // namespace weir::tests
