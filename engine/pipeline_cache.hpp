#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/volk.hpp"

namespace weir {

class Device;

/// A VkPipelineCache that is read from files, one of which is written back when it is destroyed, if it has changed. A
/// file that is missing, damaged or of another driver is ignored (the last two with a warning), and so is a folder that
/// cannot be written.
class PipelineCache {
public:
    /// `file` empty: in memory alone. `shipped`: a file of Context::write_pipelines, which is read too; empty: none.
    static Result<std::unique_ptr<PipelineCache>> create(Device& device, std::string file, const std::string& shipped);
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    [[nodiscard]] VkPipelineCache handle() const { return cache_; }

    /// Writes the file, if there is one and the pipelines have changed. Returns why it is not written, or nothing.
    [[nodiscard]] std::string save() const;

private:
    PipelineCache(Device& device, std::string file) : device_(device), file_(std::move(file)) {}

    Device& device_;
    std::string file_;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    std::uint64_t loaded_hash_ = 0;
};

/// Of a kind of device and its driver, of which there may be several in a machine: another driver has another one.
std::string device_identity(const VkPhysicalDeviceProperties& properties);

/// The file for that in `directory` (empty: the user's cache folder; "none": no file), whose name begins with `what`.
/// Empty if there is to be none.
std::string device_file(const std::string& directory, const char* what, const VkPhysicalDeviceProperties& properties,
                        const char* extension);

/// That of the pipeline cache.
std::string pipeline_cache_file(const std::string& directory, const VkPhysicalDeviceProperties& properties);

} // namespace weir
