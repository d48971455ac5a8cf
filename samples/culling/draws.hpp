#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include <weir/graph/command_pass.hpp>
#include <weir/weir.hpp>

#include "culling/functions.hpp"

namespace samples::culling {

inline constexpr VkFormat color_format = VK_FORMAT_R16G16B16A16_SFLOAT, depth_format = VK_FORMAT_D32_SFLOAT;

/// Optional device features of draws that are enabled.
struct DrawFeatures {
    bool indirect_count = false; ///< drawIndirectCount; without it, every possible command is drawn
    bool multi_draw = false;     ///< multiDrawIndirect; without it, draws are recorded one by one
};

/// Draw commands and their instances, on the GPU.
struct DrawBuffers {
    weir::BufferId ids;      ///< instance indices
    weir::BufferId commands; ///< VkDrawIndexedIndirectCommand
    weir::BufferId count;    ///< number of commands
    std::uint32_t most = 0;  ///< maximum number of commands
};

/// Pipelines for opaque meshes, blended meshes and the sky.
class Pipelines {
public:
    static weir::Result<std::shared_ptr<const Pipelines>> create(const weir::Context& gpu, DrawFeatures features);
    ~Pipelines();
    [[nodiscard]] DrawFeatures features() const { return features_; }
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

private:
    friend class Draws;
    enum Kind : std::uint32_t { opaque, blended, sky, kinds };
    Pipelines(const weir::Context& gpu, DrawFeatures features) : gpu_(gpu), vk_(gpu), features_(features) {}
    weir::Result<> create_layout();
    weir::Result<> create_pipeline(Kind kind);

    weir::Context gpu_;
    Functions vk_;
    DrawFeatures features_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    std::array<VkPipeline, kinds> pipelines_{};
};

/// Resources of a draw pass, except the draws.
struct DrawScene {
    weir::BufferId view, instances, vertices, indices;
    weir::ImageId color, depth;
    VkExtent2D size{};
};

/// Records one draw pass of a program, with its own descriptor set. Its buffers must not change.
class Draws {
public:
    enum class Kind : std::uint8_t { first, late, transparent };
    static weir::Result<std::shared_ptr<Draws>> create(std::shared_ptr<const Pipelines> pipelines, Kind kind);
    ~Draws();
    Draws(const Draws&) = delete;
    Draws& operator=(const Draws&) = delete;

    /// Adds the pass, which keeps `draws` alive.
    static void add_to(weir::Graph& graph, const std::shared_ptr<Draws>& draws, const char* name,
                       const DrawScene& scene, const DrawBuffers& buffers);

private:
    Draws(std::shared_ptr<const Pipelines> pipelines, Kind kind) : pipelines_(std::move(pipelines)), kind_(kind) {}
    void record(VkCommandBuffer commands, const weir::CommandPassContext& pass, const DrawScene& scene,
                const DrawBuffers& buffers);
    void write_set(const weir::CommandPassContext& pass, const DrawScene& scene, const DrawBuffers& buffers);
    void draw(VkCommandBuffer commands, const weir::CommandPassContext& pass, const DrawBuffers& buffers) const;

    std::shared_ptr<const Pipelines> pipelines_;
    Kind kind_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    bool is_written_ = false;
};

} // namespace samples::culling
