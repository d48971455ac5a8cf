#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/strips.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

namespace weir::paths {

/// Results of a frame, available after it is complete.
struct FrameReport {
    std::uint64_t frame = 0;  ///< number of the frame, from 0
    bool is_complete = false; ///< every stage had enough capacity; otherwise the frame did not change the picture
    Sizes needed;             ///< elements of each stage; if a stage overflowed, later stages may need more than this
    /// GPU times of the passes. Empty without FrameOptions::times, or if the queue has no timestamps.
    std::optional<Profile> times;
};

/// Options of FrameRenderer::create.
struct FrameOptions {
    std::uint32_t frames_in_flight = 2; ///< maximum number of pending frames; at least 1
    Sizes room = {};                    ///< initial capacities
    /// Last access of the application to the picture before a frame. Also determines the layout before the frame.
    Access arrives = Access::fragment_shader_read;
    /// Next access of the application after a frame. Also determines the layout after the frame.
    Access leaves = Access::fragment_shader_read;
    bool times = false; ///< measure GPU times for reports
};

/// Draws a scene in frames of the application, into its command buffers and into an image that it keeps between frames.
///
/// The number of elements of a frame is known only after the frame has run. If a capacity is too small, the frame does
/// not change the picture, which keeps the complete contents of an earlier frame. `record` reads the counts of the
/// frame `frames_in_flight` before it, which is complete by then. It enlarges buffers before they are full, if memory
/// allows. The picture may therefore be late, but is never wrong. Not thread-safe.
class FrameRenderer {
public:
    /// Uploads a scene and waits. Errors: `out_of_memory`, `limit_exceeded`; `invalid_argument` for 0 frames in flight.
    [[nodiscard]] static Result<FrameRenderer> create(const Context& gpu, const Scene& scene,
                                                      const FrameOptions& options = {});

    /// Replaces the contents of the scene for the following frames. The numbers of points, segments, draws, paints and
    /// other records must not change. Records that changed are copied to new memory that the host writes and the device
    /// reads; pending frames keep theirs. Does not wait. Errors: `invalid_argument`, `out_of_memory`.
    [[nodiscard]] Result<> update(const Scene& scene);

    /// Records a frame, outside of a render pass. The frame `frames_in_flight` before it must be complete: the
    /// application has waited for its fence. The picture must be a storage image of VK_FORMAT_R8G8B8A8_UNORM, of the
    /// size of the view, in the layout of FrameOptions::arrives. If the size has changed or a frame needed more
    /// capacity, the graph is compiled again, but no shaders; this waits for pending work of the queue. An error leaves
    /// everything as it was. Errors: `invalid_argument` for a size of 0 or above `most_pixels`; `out_of_memory` and
    /// `limit_exceeded` with the number of bytes or elements that a stage needs; those of `Program::record`.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const View& view, ImageView picture);

    /// Undoes the latest `record`. Its frame must not have been submitted. Errors: `invalid_argument` if there is no
    /// such frame.
    [[nodiscard]] Result<> discard();

    /// Submits frames to the queue of the context, and waits, until one is complete. Use it before the first frame and
    /// for a new image, when there is no earlier picture to keep. No frame may be pending. If memory is short, `settle`
    /// releases the old buffers before it allocates larger ones. Errors: those of `record` and `Context::submit`.
    [[nodiscard]] Result<> settle(const View& view, ImageView picture);

    /// Returns the report of the latest frame known to be complete; empty before the first one.
    [[nodiscard]] const std::optional<FrameReport>& report() const { return report_; }

    /// Returns the compiled graph of the latest frame, which must exist.
    [[nodiscard]] Program& program() { return *compiled_->program; }

private:
    /// A compiled graph with its resources.
    struct Compiled {
        std::uint32_t width = 0, height = 0; ///< pixels
        Sizes room;
        SceneBuffers imports;
        HostData data;
        ImageId picture;
        BufferRef<std::uint32_t> report;
        std::optional<Program> program;
    };
    /// Resources of a pending frame.
    struct Slot {
        std::uint64_t frame = 0;
        bool is_pending = false;
        Buffer report; ///< mapped: a State, then a word per stage
        std::shared_ptr<Compiled> compiled;
        std::vector<std::shared_ptr<Buffer>> scene;
        std::optional<Timestamps> timestamps;
    };

    FrameRenderer(Context gpu, const FrameOptions& options) : gpu_(std::move(gpu)), options_(options) {}
    Slot& slot_of(std::uint64_t frame) { return slots_[frame % slots_.size()]; }
    [[nodiscard]] Result<> read(Slot& slot);
    [[nodiscard]] Result<> prepare(const View& view);
    [[nodiscard]] Result<> build(const View& view);
    /// Releases all compiled graphs. No frame may be pending.
    void release();
    [[nodiscard]] Result<> record_into(Slot& slot, VkCommandBuffer commands, const View& view, ImageView picture);

    Context gpu_;
    FrameOptions options_; ///< `room` grows
    Scene scene_;
    std::vector<std::shared_ptr<Buffer>> buffers_; ///< buffers of the scene
    std::shared_ptr<Compiled> compiled_;
    std::vector<Slot> slots_;
    std::uint64_t frame_ = 0; ///< number of the next frame
    std::optional<FrameReport> report_;
    bool is_short_ = false; ///< memory was too short to enlarge buffers ahead of need
};

} // namespace weir::paths
