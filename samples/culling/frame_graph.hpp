#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <weir/weir.hpp>

#include "culling/draws.hpp"
#include "culling/visibility.hpp"

namespace samples::culling {

/// What a frame draws, on the GPU.
struct FrameList {
    weir::BufferRef<std::uint32_t> ids;
    weir::BufferRef<DrawList::Command> commands;
    weir::BufferRef<std::uint32_t> count; ///< a word: how many commands
};

/// Numbers that decide what a graph looks like.
struct FrameShape {
    std::uint32_t width = 0, height = 0;     ///< pixels
    std::uint32_t instances = 0;             ///< of the scene
    std::uint32_t transparent = 0;           ///< of these
    std::uint32_t vertices = 0, indices = 0; ///< of all meshes
    bool is_inspected = false;               ///< exports pyramid and lists, for tests
    std::optional<weir::Access> image; ///< the picture is an image, with this access before and after; not a buffer
};

/// Of pictures that are images.
inline constexpr VkFormat picture_format = VK_FORMAT_R8G8B8A8_UNORM;

/// The graph of a frame, with what the application sets and binds.
struct FrameGraph {
    weir::Graph graph;
    weir::HostData view;    ///< a View
    weir::Switch occlusion; ///< whether there is a second half
    weir::BufferRef<Instance> instances;
    weir::BufferRef<Mesh> meshes;
    weir::BufferRef<Vertex> vertices;
    weir::BufferRef<std::uint32_t> indices;
    weir::BufferRef<std::uint32_t> picture; ///< rows of pixels, red in the lowest byte; or
    weir::ImageId image;                    ///< the same, of picture_format
    weir::BufferRef<Report> report;
    std::array<FrameList, 3> lists;              ///< first, late, transparent; exported if it is inspected
    std::vector<weir::BufferRef<float>> pyramid; ///< likewise: the texels of each mip of `pyramid_image`

    explicit FrameGraph(const weir::Context& gpu) : graph(gpu) {}
};

/// Builds the graph: culling, draws, exposure and tone mapping. Errors: those of Draws::create.
weir::Result<std::unique_ptr<FrameGraph>>
make_frame_graph(const weir::Context& gpu, const std::shared_ptr<const Pipelines>& pipelines, const FrameShape& shape);

/// Stages of a frame.
inline constexpr std::array<const char*, 8> stage_names = {"cull",      "draw first",       "pyramid",  "cull again",
                                                           "draw late", "draw transparent", "exposure", "tone"};

/// The stage of each pass of a graph, an index into `stage_names`.
std::vector<std::size_t> stages_of_passes(const weir::GraphDescription& graph);

/// Milliseconds of each stage.
std::array<double, stage_names.size()> stage_times(const weir::Profile& profile);

} // namespace samples::culling
