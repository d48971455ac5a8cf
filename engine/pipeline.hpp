#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/descriptor_mode.hpp>
#include <weir/engine/error.hpp>

namespace weir {

class CompiledShader;
class Device;

/// Everything that makes one compute pipeline; two equal ones (names apart) share the pipeline.
struct PipelineInfo {
    std::shared_ptr<const CompiledShader> shader;
    std::vector<std::uint32_t> constants;              ///< value of specialization constant i; 32-bit scalars only
    std::vector<VkDescriptorType> bindings;            ///< of set 0, in order
    DescriptorMode descriptors = DescriptorMode::sets; ///< not `automatic`
    /// The application's, of set 1 and above: not with DescriptorMode::buffer. Pipelines with them are not shared.
    std::vector<VkDescriptorSetLayout> sets = {};
    std::uint32_t push_bytes = 0;    ///< push constants from offset 0; a multiple of 4
    std::uint32_t subgroup_size = 0; ///< required size; 0: the driver's choice
    bool full_subgroups = true;      ///< the workgroup's x size must be a multiple of the largest subgroup size
    std::string name;
};

/// A PipelineInfo by its contents, to find pipelines again.
struct PipelineKey {
    PipelineKey(const PipelineInfo& info, const Capabilities& capabilities);
    bool operator==(const PipelineKey& other) const;

    std::shared_ptr<const CompiledShader> shader; ///< another one with the same words is as good
    std::vector<std::uint32_t> constants;
    std::vector<VkDescriptorType> bindings;
    DescriptorMode descriptors;
    std::uint32_t push_bytes;
    std::uint32_t subgroup_size;
    bool full_subgroups;
};
struct PipelineKeyHash {
    std::size_t operator()(const PipelineKey& key) const;
};

class Pipeline {
public:
    /// Made through Device::pipeline, which keeps it.
    /// Errors: `limit_exceeded` for bindings or push constants past the device's limits, `unsupported` for a subgroup
    /// size that cannot be required, `vulkan` where the driver refuses.
    static Result<std::unique_ptr<Pipeline>> create(Device& device, const PipelineInfo& info);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    [[nodiscard]] VkPipeline handle() const { return pipeline_; }
    [[nodiscard]] VkPipelineLayout layout() const { return layout_; }
    [[nodiscard]] VkDescriptorSetLayout set_layout() const { return set_layout_; }
    /// What the driver says of it; empty unless the device captures that.
    [[nodiscard]] const std::string& statistics() const { return statistics_; }

private:
    explicit Pipeline(Device& device) : device_(device) {}
    Result<> create_layouts(const PipelineInfo& info);
    Result<> create_pipeline(const PipelineInfo& info);

    Device& device_; ///< pipelines are kept by their device and cannot outlive it
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    std::string statistics_;
};

} // namespace weir
