#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/base/volk.hpp"

namespace weir {

class DeviceHandle;

/// A VkPipelineCache that is read from files. If it has changed, the destructor writes one of them. A missing file is
/// ignored. A file that is damaged or of another driver is ignored with a warning, and so is a folder that cannot be
/// written.
class PipelineCache {
public:
    /// Creates a cache. `file`: read and written; empty: in memory only. `shipped`: a file of Context::write_pipelines,
    /// which is read too, with a warning if it is missing; empty: none.
    static Result<std::unique_ptr<PipelineCache>> create(DeviceHandle& device, std::string file,
                                                         const std::string& shipped);
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    [[nodiscard]] VkPipelineCache handle() const { return cache_; }

    /// Writes the file, if one is set and the pipelines have changed. Returns why it failed, or nothing.
    [[nodiscard]] std::string save() const;

private:
    PipelineCache(DeviceHandle& device, std::string file) : device_(device), file_(std::move(file)) {}

    DeviceHandle& device_;
    std::string file_;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    std::uint64_t loaded_hash_ = 0;
};

/// Returns a string that identifies a kind of device and its driver. A machine may have several devices with the same
/// identity. Another driver has another identity.
std::string device_identity(const VkPhysicalDeviceProperties& properties);

/// Returns the file for the `device_identity` of a device in `directory` (empty: the user's cache folder; "none": no
/// file). Its name begins with `what`. Returns an empty string if there is no file or no cache folder.
std::string device_file(const std::string& directory, const char* what, const VkPhysicalDeviceProperties& properties,
                        const char* extension);

/// Returns the `device_file` of the pipeline cache.
std::string pipeline_cache_file(const std::string& directory, const VkPhysicalDeviceProperties& properties);

} // namespace weir
