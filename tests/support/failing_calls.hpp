#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/context.hpp>

namespace weir::tests {

/// Makes Vulkan calls fail on an adopted device while the object lives. Only one object may exist at a time.
class FailingCalls {
public:
    /// Wraps the functions of `host`, which must be adopted afterwards. Its device may be null until set_device.
    explicit FailingCalls(AdoptedDevice& host);
    ~FailingCalls();
    FailingCalls(const FailingCalls&) = delete;
    FailingCalls& operator=(const FailingCalls&) = delete;

    /// Makes a function return `status` `times` times, after `later` calls that work. A failing call does nothing else,
    /// except that with VK_ERROR_DEVICE_LOST the driver's function runs first. Throws std::invalid_argument if the
    /// function is not one of functions().
    void fail(std::string_view function, VkResult status, int times = always, int later = 0);
    /// Makes the function work again.
    void mend(std::string_view function) { fail(function, VK_SUCCESS, 0); }

    /// Makes all functions work again. A lost device works again, too.
    void mend();

    /// Sets the device that lose_device loses.
    void set_device(VkDevice device);

    /// Loses the device after `later` calls of functions that may report the loss. The next call and all later calls of
    /// these functions return VK_ERROR_DEVICE_LOST and do nothing else. Consecutive polls of a fence count as one call.
    void lose_device(int later);
    /// Returns the number of calls so far that lose_device counts.
    [[nodiscard]] int calls_that_may_lose() const;
    /// Returns true if any call has failed.
    [[nodiscard]] bool has_failed() const;

    /// Returns the names of the functions that may fail.
    [[nodiscard]] static std::vector<std::string> functions();

    /// Removes a function from those of the device: looking it up returns null.
    void remove(std::string_view function);

    /// Returns the number of calls so far of one of functions().
    [[nodiscard]] int calls(std::string_view function) const;

    static constexpr int always = 1 << 30;
};

} // namespace weir::tests
