#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weir/weir.hpp>

#include "common/device_features.hpp"
#include "culling/draws.hpp"

namespace samples::culling {

/// Enables the features for indirect draws. Returns the optional features that are enabled. Errors: `unsupported`.
weir::Result<DrawFeatures> enable_draws(const DeviceFeatures& can, DeviceFeatures& enabled);

/// A Vulkan device that the sample creates with the features of indirect draws and that Weir adopts.
class DrawDevice {
public:
    /// `device`: see DeviceOptions. Errors: those of `weir::Context::create` and `weir::Context::adopt`; `unsupported`
    /// if the device does not support indirect draws of instances.
    static weir::Result<std::unique_ptr<DrawDevice>> create(const std::string& device);
    ~DrawDevice();
    DrawDevice(const DrawDevice&) = delete;
    DrawDevice& operator=(const DrawDevice&) = delete;

    /// Returns Weir's context on the device. Copies must not outlive this object.
    [[nodiscard]] const weir::Context& gpu() const { return *gpu_; }
    [[nodiscard]] DrawFeatures features() const { return features_; }

private:
    explicit DrawDevice(weir::Context chosen) : chosen_(std::move(chosen)) {}
    weir::Result<> create_device();

    weir::Context chosen_; ///< owns the instance, and a device that is not used
    VkDevice device_ = VK_NULL_HANDLE;
    DrawFeatures features_;
    std::optional<weir::Context> gpu_;
};

} // namespace samples::culling
