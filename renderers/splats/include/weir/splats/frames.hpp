#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <weir/splats/renderer.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

/// Results of a frame, available after it is complete.
struct SplatFrameReport {
    std::uint64_t frame = 0;         ///< number of the frame, from 0
    SplatCounts counts;              ///< counts of its picture
    std::uint32_t pair_capacity = 0; ///< capacity for pairs; if the picture has more, the farthest ones are missing
    std::optional<Profile> times;    ///< times of the passes; empty if the queue has no timestamps
};

/// Options of SplatFrames::create.
struct SplatFrameOptions {
    std::uint32_t frames_in_flight = 2; ///< maximum number of pending frames; at least 1
    std::uint32_t pair_capacity = 0;    ///< initial capacity for pairs; 0: chosen by the number of splats
    /// Access of the application to the picture before and after a frame. Also determines the layout.
    Access access = Access::fragment_shader_read;
};

/// Draws a cloud in frames of the application, into its command buffers and images.
///
/// The number of pairs of a frame is known only after the frame has run. If the capacity is too small, the farthest
/// pairs are missing. `record` reads the counts of the frame `frames_in_flight` before it, which is complete by then,
/// and increases the capacity before it is exhausted. Not thread-safe.
class SplatFrames {
public:
    /// Uploads the cloud and waits. Errors: those of `upload`; `invalid_argument` for 0 frames in flight.
    static Result<SplatFrames> create(const Context& gpu, const Cloud& cloud, const SplatFrameOptions& options = {});

    /// Records a frame, outside of a render pass. The frame `frames_in_flight` before it must be complete. The picture
    /// must be a storage image of `splat_format`, of the size of the view, in the layout of SplatFrameOptions::access.
    /// If the size or the capacity has changed, the graph is compiled again, but no shaders. Errors: those of
    /// SplatRenderer::draw and `Program::record`.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const SplatView& view, const Camera& camera,
                                  ImageView picture);

    /// Returns the report of the latest frame known to be complete; empty before the first one.
    [[nodiscard]] const std::optional<SplatFrameReport>& report() const { return report_; }
    /// Returns the number of frames so far that are known to have missed pairs.
    [[nodiscard]] std::uint64_t short_frames() const { return short_frames_; }

private:
    /// A compiled graph with its resources.
    struct Compiled {
        SplatView view;
        std::uint32_t pair_capacity = 0;
        CloudBuffers imports;
        HostData camera;
        ImageId picture;
        BufferRef<std::uint32_t> visible, pairs; ///< copies of the counts for the host
        std::optional<Program> program;
    };
    /// Resources of a pending frame.
    struct Slot {
        std::uint64_t frame = 0;
        bool is_pending = false;
        Buffer counts; ///< mapped: `visible` at offset 0, `pairs` at `pairs_offset`
        std::shared_ptr<Compiled> compiled;
        std::optional<Timestamps> timestamps;
    };
    static constexpr VkDeviceSize pairs_offset = 256; ///< bytes; an offset that every device supports

    SplatFrames(Context gpu, CloudOnDevice cloud, const SplatFrameOptions& options);
    Result<> read(Slot& slot);
    Result<> build(const SplatView& view);
    Result<> record_into(Slot& slot, VkCommandBuffer commands, const Camera& camera, ImageView picture);

    Context gpu_;
    CloudOnDevice cloud_;
    Access access_;
    std::uint32_t pair_capacity_; ///< capacity of the next frame
    std::shared_ptr<Compiled> compiled_;
    std::vector<Slot> slots_;
    std::uint64_t frame_ = 0; ///< number of the next frame
    std::optional<SplatFrameReport> report_;
    std::uint64_t short_frames_ = 0;
};

} // namespace weir::splats
