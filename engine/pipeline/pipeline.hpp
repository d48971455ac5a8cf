#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/descriptor_mode.hpp>
#include <weir/engine/error.hpp>

namespace weir {

class CompiledShader;
class DeviceHandle;

/// Parameters of a compute pipeline. Pipelines with equal parameters, except names, are shared.
struct PipelineInfo {
    std::shared_ptr<const CompiledShader> shader;
    std::vector<std::uint32_t> constants;              ///< value of specialization constant i; 32-bit scalars only
    std::vector<VkDescriptorType> bindings;            ///< types of the bindings of set 0, in order
    DescriptorMode descriptors = DescriptorMode::sets; ///< must not be `automatic`
    /// Layouts of the application's sets, from set 1 on. Not with DescriptorMode::buffer. Pipelines with such sets are
    /// not shared.
    std::vector<VkDescriptorSetLayout> sets = {};
    std::uint32_t push_bytes = 0;    ///< push constants from offset 0; a multiple of 4
    std::uint32_t subgroup_size = 0; ///< required size; 0: the driver's choice
    bool full_subgroups = true;      ///< the workgroup's x size must be a multiple of the maximum subgroup size
    std::string name;
};

/// Key to find a pipeline again: the contents of a PipelineInfo, without its name and sets.
struct PipelineKey {
    PipelineKey(const PipelineInfo& info, const Capabilities& capabilities);
    bool operator==(const PipelineKey& other) const;

    std::shared_ptr<const CompiledShader> shader; ///< compared by its words
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

/// The shader stage of a pipeline, adapted to a device.
struct ShaderStage {
    /// A specialization constant.
    struct Constant {
        std::uint32_t id = 0;
        std::uint32_t value = 0;
    };
    /// Returns the stage of a pipeline with these parameters. Errors: `unsupported` for a shader that cannot be adapted
    /// to the device.
    static Result<ShaderStage> create(const DeviceHandle& device, const PipelineInfo& info);
    /// Returns the SPIR-V. It points to the shader or to this object.
    [[nodiscard]] std::span<const std::uint32_t> words() const;

    std::shared_ptr<const CompiledShader> shader;
    std::vector<std::uint32_t> changed; ///< SPIR-V that replaces that of the shader; empty: the shader's is used
    std::vector<Constant> constants;
    std::uint32_t subgroup_size = 0; ///< size to require; 0: none
    bool full_subgroups = false;     ///< VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
};

/// Parameters that all pipelines of a device share.
struct PipelineOptions {
    VkPipelineCache cache = VK_NULL_HANDLE;
    bool statistics = false; ///< keep the driver's statistics; needs Capabilities::pipeline_statistics
};

class Pipeline {
public:
    /// Creates a pipeline. Device::pipeline calls this and keeps the result. Errors: `limit_exceeded` for bindings or
    /// push constants beyond the device's limits, `invalid_argument` if `push_bytes` is not a multiple of 4,
    /// `unsupported` for a subgroup size that cannot be required or a shader that cannot be adapted to the device,
    /// `vulkan` if the driver fails.
    static Result<std::unique_ptr<Pipeline>> create(DeviceHandle& device, const PipelineOptions& options,
                                                    const PipelineInfo& info);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    [[nodiscard]] VkPipeline handle() const { return pipeline_; }
    [[nodiscard]] VkPipelineLayout layout() const { return layout_; }
    [[nodiscard]] VkDescriptorSetLayout set_layout() const { return set_layout_; }
    /// Returns the driver's statistics; empty without PipelineOptions::statistics.
    [[nodiscard]] const std::string& statistics() const { return statistics_; }

private:
    explicit Pipeline(DeviceHandle& device) : device_(device) {}
    Result<> create_layouts(const PipelineInfo& info);
    Result<> create_pipeline(const PipelineOptions& options, const PipelineInfo& info);

    DeviceHandle& device_; ///< a reference: the device keeps its pipelines and outlives them
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    std::string statistics_;
};

} // namespace weir
