#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <weir/splats/device_cloud.hpp>
#include <weir/splats/graph.hpp>
#include <weir/splats/pair_capacity.hpp>
#include <weir/splats/picture.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

/// Counts of a picture.
struct Counts {
    std::uint32_t visible = 0; ///< number of visible splats
    std::uint32_t pairs = 0;   ///< number of pairs of a block and a splat that touches it; saturates at 2^32 - 1
};

/// Options of Renderer::create.
struct RendererOptions {
    bool antialias = false;          ///< see Shape
    Target target = Target::rgba8;   ///< format of the picture
    bool depth = false;              ///< also computes expected depths; see BlendImages
    std::uint32_t pair_capacity = 0; ///< initial capacity for pairs; 0: 4 per splat
    std::uint32_t max_pairs = 0;     ///< maximum capacity; a pair takes at least 16 bytes. 0: the limit of the device
};

/// Draws single pictures of clouds into an image of its own. Not thread-safe.
class Renderer {
public:
    /// Uploads a cloud and waits. Errors: those of `DeviceCloud::upload`.
    [[nodiscard]] static Result<Renderer> create(const Context& gpu, const Cloud& cloud,
                                                 const RendererOptions& options = {});
    /// Errors: those of `check`.
    [[nodiscard]] static Result<Renderer> create(const Context& gpu, std::vector<PlacedCloud> clouds,
                                                 const RendererOptions& options = {});

    /// Replaces the clouds. If only placements change, the graph stays. Errors: those of `check`.
    [[nodiscard]] Result<> set_clouds(std::vector<PlacedCloud> clouds);

    /// Draws a picture and waits. If it has more pairs than the capacity, increases the capacity and draws it again. At
    /// the maximum capacity, or without memory for more, the pairs of the farthest splats are missing; see `is_short`.
    /// After an error, the renderer can still draw. Errors: those of `check`; `out_of_memory`; `device_lost`.
    [[nodiscard]] Result<Counts> draw(const View& view);

    /// Returns true if pairs are missing in the latest picture.
    [[nodiscard]] bool is_short() const { return counts_.pairs > pair_capacity(); }
    /// Returns the capacity for pairs of the latest picture.
    [[nodiscard]] std::uint32_t pair_capacity() const { return compiled_ ? compiled_->capacity : 0; }
    /// Returns the number of executions of the latest `draw`.
    [[nodiscard]] std::uint32_t tries() const { return tries_; }
    /// Returns the depth range of the latest picture.
    [[nodiscard]] const DepthRange& depths() const { return depths_; }

    /// Returns the pixels of the latest picture, row by row, with red in the lowest byte; two words per pixel of
    /// Target::rgba16f.
    [[nodiscard]] Result<std::vector<std::uint32_t>> pixels() const;
    /// Returns the expected depths of the latest picture, row by row. Precondition: RendererOptions::depth.
    [[nodiscard]] Result<std::vector<float>> expected_depths() const;

    /// Returns the graph of the latest picture, which must exist. It exports the buffers of `buffers`.
    [[nodiscard]] Program& program() { return *compiled_->program; }
    [[nodiscard]] const SplatBuffers& buffers() const { return compiled_->passes.buffers; }

private:
    /// A compiled graph and handles of its resources.
    struct Compiled {
        Shape shape;
        std::vector<PlacedCloud> clouds; ///< bound to the program
        std::uint32_t capacity = 0;
        PicturePasses passes;
        BufferRef<std::uint32_t> pixels, depth;
        std::optional<Program> program;
    };

    Renderer(Context gpu, std::vector<PlacedCloud> clouds, const RendererOptions& options);
    [[nodiscard]] Result<> prepare(const Shape& shape);
    [[nodiscard]] Result<Compiled> build(const Shape& shape, std::uint32_t capacity) const;
    [[nodiscard]] Result<> run(const View& view);

    Context gpu_;
    std::vector<PlacedCloud> clouds_;
    RendererOptions options_;
    PairCapacity capacity_;
    std::optional<Compiled> compiled_;
    DepthRange depths_;
    std::uint32_t tries_ = 0;
    Counts counts_; ///< counts of the latest picture
};

} // namespace weir::splats
