// A translation unit of its own, so that programs that write no such file do not contain this code.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <weir/engine/context.hpp>

#include "engine/base/files.hpp"
#include "engine/base/strings.hpp"
#include "engine/base/vulkan_error.hpp"
#include "engine/device/device.hpp"
#include "engine/pipeline/pipeline_file.hpp"

namespace weir {

Result<> Context::write_pipelines(const std::string& file) const {
    const Device& device = *device_;
    const auto refuse = [&](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::io, concat("the pipelines are not written to ", file, ": ", why)});
    };
    std::vector<PipelineData> parts;
    std::optional<std::vector<std::byte>> before;
    if (is_there(path_of(file))) {
        before = read_file(path_of(file), largest_pipeline_file);
        if (!before) {
            return refuse("the existing file cannot be read");
        }
        auto others = parts_of(*before);
        if (!others) {
            return refuse(concat("the file exists, and ", others.error()));
        }
        parts = std::move(*others);
        std::erase_if(parts, [&](PipelineData data) { return is_of(device, data); });
    }
    std::vector<std::byte> data;
    if (const VkResult status = data_of(device, device.pipeline_cache(), data); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "reading the pipeline cache data"));
    }
    parts.emplace_back(data);
    std::vector<PipelineFileHeader> headers;
    headers.reserve(parts.size()); // spans point to the headers
    std::vector<PipelineData> all;
    for (const PipelineData part : parts) {
        headers.push_back(header_of(part));
        all.push_back(std::as_bytes(std::span(&headers.back(), 1)));
        all.push_back(part);
    }
    const std::string why = write_file(path_of(file), all);
    return why.empty() ? Result<>() : refuse(why);
}

} // namespace weir
