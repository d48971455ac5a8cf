#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <weir/splats/pair_capacity.hpp>
#include <weir/splats/picture.hpp>
#include <weir/splats/renderer.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

/// Results of a frame, available after it is complete.
struct FrameReport {
    std::uint64_t frame = 0;         ///< number of the frame, from 0
    Counts counts;                   ///< counts of its picture
    std::uint32_t pair_capacity = 0; ///< capacity for pairs; if the picture has more, the farthest ones are missing
    DepthRange depths;               ///< depth range of its picture
    std::optional<Profile> times;    ///< times of the passes; empty if the queue has no timestamps
};

/// Options of FrameRenderer::create.
struct FrameOptions {
    std::uint32_t frames_in_flight = 2; ///< maximum number of pending frames; at least 1
    bool antialias = false;             ///< see Shape
    Target target = Target::rgba8;      ///< format of the picture
    bool depth = false;                 ///< also writes expected depths; see BlendImages
    std::uint32_t pair_capacity = 0;    ///< initial capacity for pairs; 0: 4 per splat
    std::uint32_t max_pairs = 0; ///< maximum capacity; a pair takes at least 16 bytes. 0: the limit of the device
    /// Last access of the application to the picture and the expected depths before a frame. Also determines the
    /// layout.
    Accesses arrives = Access::fragment_shader_read;
    /// Next access of the application after a frame. Also determines the layout after the frame.
    Accesses leaves = Access::fragment_shader_read;
    /// Format of a depth image of the application's meshes; splats behind them are not visible. VK_FORMAT_UNDEFINED:
    /// none.
    VkFormat mesh_format = VK_FORMAT_UNDEFINED;
    Accesses mesh_arrives = Access::depth_read_write; ///< last access to the depth of the meshes before a frame
    Accesses mesh_leaves = Access::depth_read_write;  ///< next access to the depth of the meshes after a frame
};

/// Images of a frame.
struct FrameImages {
    /// A storage image of FrameOptions::target, of the size of the view, in the layout of FrameOptions::arrives.
    ImageView picture;
    ImageView depth = {};      ///< the same with `depth_format`, if FrameOptions::depth is set
    ImageView mesh = {};       ///< a sampled view of the depth of the meshes, of the size of the view, if there is one
    MeshDepth mesh_depth = {}; ///< meaning of `mesh`
};

/// Draws clouds in frames of the application, into its command buffers and images.
///
/// The number of pairs of a frame is known only after the frame has run. If the capacity is too small, the farthest
/// pairs are missing. `record` reads the counts of the frame `frames_in_flight` before it, which is complete by then,
/// and adapts the capacity before it is exhausted. Not thread-safe.
class FrameRenderer {
public:
    /// Uploads a cloud and waits. Errors: those of `DeviceCloud::upload`; `invalid_argument` for 0 frames in flight.
    [[nodiscard]] static Result<FrameRenderer> create(const Context& gpu, const Cloud& cloud,
                                                      const FrameOptions& options = {});
    /// Errors: those of `check`; `invalid_argument` for 0 frames in flight.
    [[nodiscard]] static Result<FrameRenderer> create(const Context& gpu, std::vector<PlacedCloud> clouds,
                                                      const FrameOptions& options = {});

    /// Replaces the clouds for the following frames. Pending frames keep the old ones. If only placements change, the
    /// graph stays. Errors: those of `check`.
    [[nodiscard]] Result<> set_clouds(std::vector<PlacedCloud> clouds);
    /// Replaces FrameOptions::antialias for the following frames. Pending frames keep the old value.
    void set_antialias(bool antialias) { options_.antialias = antialias; }

    /// Records a frame, outside of a render pass. The frame `frames_in_flight` before it must be complete. If the graph
    /// must change, it is compiled again, but no shaders, except for another kind of projection or filter. After an
    /// error no frame has been added, and the renderer can still record. Errors: those of `check` and
    /// `Program::record`; `invalid_argument` for a depth or mesh image that FrameOptions does not declare;
    /// `out_of_memory`.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const View& view, const FrameImages& images);

    /// Returns the report of the latest frame known to be complete; empty before the first one.
    [[nodiscard]] const std::optional<FrameReport>& report() const { return report_; }
    /// Returns the number of frames so far that are known to have missed pairs.
    [[nodiscard]] std::uint64_t short_frames() const { return short_frames_; }
    /// Returns the clouds of the next frame.
    [[nodiscard]] const std::vector<PlacedCloud>& clouds() const { return clouds_; }

private:
    /// A compiled graph with its resources.
    struct Compiled {
        Shape shape;
        std::vector<PlacedCloud> clouds; ///< bound to the program
        std::uint32_t capacity = 0;
        PicturePasses passes;
        BlendImages images;
        BufferRef<std::uint32_t> visible, pairs; ///< copies of the counts for the host
        std::optional<Program> program;
    };
    /// Resources of a pending frame.
    struct Slot {
        std::uint64_t frame = 0;
        bool is_pending = false;
        DepthRange depths;
        Buffer counts; ///< mapped: `visible` at offset 0, `pairs` at `pairs_offset`
        std::shared_ptr<Compiled> compiled;
        std::optional<Timestamps> timestamps;
    };
    static constexpr VkDeviceSize pairs_offset = 256; ///< bytes; an offset that every device supports

    FrameRenderer(Context gpu, std::vector<PlacedCloud> clouds, const FrameOptions& options);
    [[nodiscard]] Result<> check_images(const FrameImages& images) const;
    [[nodiscard]] Result<> read(Slot& slot);
    [[nodiscard]] Result<> prepare(const Shape& shape);
    [[nodiscard]] Result<Compiled> build(const Shape& shape, std::uint32_t capacity) const;
    [[nodiscard]] Result<> record_into(Slot& slot, VkCommandBuffer commands, const View& view,
                                       const FrameImages& images);

    Context gpu_;
    std::vector<PlacedCloud> clouds_;
    FrameOptions options_;
    PairCapacity capacity_;
    std::shared_ptr<Compiled> compiled_;
    std::vector<Slot> slots_;
    std::uint64_t frame_ = 0; ///< number of the next frame
    std::optional<FrameReport> report_;
    std::uint64_t short_frames_ = 0;
};

} // namespace weir::splats
