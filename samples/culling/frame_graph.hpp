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

/// Instances and draw commands of a frame, on the GPU.
struct FrameList {
    weir::BufferRef<std::uint32_t> ids;
    weir::BufferRef<DrawList::Command> commands;
    weir::BufferRef<std::uint32_t> count; ///< one word: number of commands
};

/// Sizes that determine the graph.
struct FrameShape {
    std::uint32_t width = 0, height = 0;     ///< pixels
    std::uint32_t instances = 0;             ///< number of instances in the scene
    std::uint32_t transparent = 0;           ///< number of transparent instances among them
    std::uint32_t vertices = 0, indices = 0; ///< totals of all meshes
    bool is_inspected = false;               ///< export pyramid and lists, for tests
    std::optional<weir::Access> image;       ///< picture is an image with this access before and after; empty: a buffer
};

/// Format of pictures that are images.
inline constexpr VkFormat picture_format = VK_FORMAT_R8G8B8A8_UNORM;

/// Graph of a frame, with its inputs and outputs.
struct FrameGraph {
    weir::Graph graph;
    weir::HostData view;    ///< a View
    weir::Switch occlusion; ///< enables the second half of culling
    weir::BufferRef<Instance> instances;
    weir::BufferRef<Mesh> meshes;
    weir::BufferRef<Vertex> vertices;
    weir::BufferRef<std::uint32_t> indices;
    /// One word per pixel, row by row, red in the lowest byte. Used if FrameShape::image is empty.
    weir::BufferRef<std::uint32_t> picture;
    weir::ImageId image; ///< picture in picture_format; used if FrameShape::image is set
    weir::BufferRef<Report> report;
    std::array<FrameList, 3> lists;              ///< first, late, transparent; exported if is_inspected
    std::vector<weir::BufferRef<float>> pyramid; ///< texels of each mip of `pyramid_image`; exported if is_inspected

    explicit FrameGraph(const weir::Context& gpu) : graph(gpu) {}
};

/// Builds the graph: culling, draws, exposure and tone mapping. Errors: those of Draws::create.
weir::Result<std::unique_ptr<FrameGraph>>
make_frame_graph(const weir::Context& gpu, const std::shared_ptr<const Pipelines>& pipelines, const FrameShape& shape);

/// Stages of a frame.
inline constexpr std::array<const char*, 8> stage_names = {"cull",      "draw first",       "pyramid",  "cull again",
                                                           "draw late", "draw transparent", "exposure", "tone"};

/// Returns the stage of each pass of a graph, as an index into `stage_names`.
std::vector<std::size_t> stages_of_passes(const weir::GraphDescription& graph);

/// Returns the time of each stage in milliseconds.
std::array<double, stage_names.size()> stage_times(const weir::Profile& profile);

} // namespace samples::culling
