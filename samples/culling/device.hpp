#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weir/weir.hpp>

#include "common/device_features.hpp"
#include "culling/draws.hpp"

namespace samples::culling {

/// Enables what draws from buffers need, and says which of the features that they may use are enabled. Errors:
/// `unsupported`.
weir::Result<DrawFeatures> enable_draws(const DeviceFeatures& can, DeviceFeatures& enabled);

/// A device of the program's own with the features of draws, adopted by Weir.
class DrawDevice {
public:
    /// `device`: as DeviceOptions has it. Errors: those of `weir::Context::create` and `weir::Context::adopt`;
    /// `unsupported` for a device that cannot draw from a buffer.
    static weir::Result<std::unique_ptr<DrawDevice>> create(const std::string& device);
    ~DrawDevice();
    DrawDevice(const DrawDevice&) = delete;
    DrawDevice& operator=(const DrawDevice&) = delete;

    /// Weir on the device. Copies of it must not outlive this object.
    [[nodiscard]] const weir::Context& gpu() const { return *gpu_; }
    [[nodiscard]] DrawFeatures features() const { return features_; }

private:
    explicit DrawDevice(weir::Context chosen) : chosen_(std::move(chosen)) {}
    weir::Result<> create_device();

    weir::Context chosen_; ///< has the instance, and a device that is not used
    VkDevice device_ = VK_NULL_HANDLE;
    DrawFeatures features_;
    std::optional<weir::Context> gpu_;
};

} // namespace samples::culling
