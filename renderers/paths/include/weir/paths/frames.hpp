#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/strips.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

namespace weir::paths {

class StoredScene;

/// Report of a frame, read after the GPU has completed it.
struct FrameReport {
    std::uint64_t frame = 0;  ///< number of the frame, from 0
    bool is_complete = false; ///< true if every stage had enough capacity; otherwise the picture did not change
    Sizes needed;             ///< elements of each stage; lower bounds for the stages after one that overflowed
    /// GPU times of the passes. Empty if FrameOptions::times is false or the queue has no timestamps.
    std::optional<Profile> times;
};

/// Options of FrameRenderer::create.
struct FrameOptions {
    std::uint32_t frames_in_flight = 2; ///< maximum number of pending frames; at least 1
    Sizes capacities = {};              ///< initial capacities; see estimated_sizes
    /// Last access of the application to the picture before a frame. Also determines the layout before the frame.
    Access arrives = Access::fragment_shader_read;
    /// Next access of the application after a frame. Also determines the layout after the frame.
    Access leaves = Access::fragment_shader_read;
    Target target = Target::rgba8; ///< format and encoding of the picture
    bool times = false;            ///< measure the GPU time of each pass for FrameReport::times
};

/// Records a scene's drawing into the application's command buffers. All frames draw into an image that the application
/// keeps.
///
/// The number of elements of a frame is known only after the frame has run. If a capacity is too small, the frame does
/// not change the picture, which keeps the contents of an earlier frame. `record` reads the counts of the frame
/// `frames_in_flight` before it. It enlarges buffers before they are full, if memory allows. The picture may therefore
/// be out of date, but is never incomplete. Not thread-safe.
class FrameRenderer {
public:
    /// Uploads a scene and waits for the upload. Errors: `out_of_memory`, `limit_exceeded`; `invalid_argument` for 0
    /// frames in flight.
    [[nodiscard]] static Result<FrameRenderer> create(const Context& gpu, const Scene& scene,
                                                      const FrameOptions& options = {});

    /// Replaces the contents of the scene for the following frames. Pending frames keep the old ones. Does not wait for
    /// the GPU. Of the scene of the latest call, writes only the blocks of 64 draws that changed, and new records, to
    /// mapped memory; a copy of that scene is another scene. If the scene exceeds the capacities of the buffers or has
    /// the first stroke, gradient, image or layer, the next `record` compiles the graph again. Errors: `out_of_memory`.
    [[nodiscard]] Result<> update(const Scene& scene);

    /// Records a frame. Call it outside of a render pass. The frame `frames_in_flight` before it must be complete: the
    /// application has waited for its fence. The picture must be a storage image of FrameOptions::target, of the
    /// size of the view, in the layout of FrameOptions::arrives. If the size has changed or a frame needed more
    /// capacity, the graph is compiled again, but no shaders; this waits for pending work of the queue. `images` holds
    /// the external images of the scene, in the order of Scene::external_images. Each frame may have others; the GPU
    /// reads them during the frame. After an error no frame has been added. Errors: `invalid_argument` for a size of 0
    /// or above `max_pixels` in samples, and for another number of images; `out_of_memory` and `limit_exceeded` with
    /// the number of bytes or elements that a stage needs; those of `Program::record`.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const View& view, ImageView picture,
                                  std::span<const BoundExternal> images = {});

    /// Undoes the latest `record`. Its frame must not have been submitted. Errors: `invalid_argument` if no frame is
    /// pending.
    [[nodiscard]] Result<> discard();

    /// Submits a frame to the context's queue and waits for it, and repeats this with larger buffers until every stage
    /// has enough capacity. Use it for the first frame in an image, which has no earlier picture to keep. No frame may
    /// be pending. If memory is short, releases the old buffers before it allocates larger ones. Errors: those of
    /// `record` and `Context::submit`.
    [[nodiscard]] Result<> settle(const View& view, ImageView picture, std::span<const BoundExternal> images = {});

    /// Returns the latest report that `record` or `settle` has read; empty before the first one.
    [[nodiscard]] const std::optional<FrameReport>& report() const { return report_; }

    /// Returns the compiled graph of the latest frame. Precondition: `record` or `settle` has succeeded.
    [[nodiscard]] Program& program() { return *compiled_->program; }

private:
    /// A compiled graph and handles of its resources.
    struct Compiled {
        std::uint32_t width = 0, height = 0, margin = 0; ///< pixels
        Coverage coverage = Coverage::area;
        Sizes capacities;
        SceneShape scene;
        SceneBuffers imports;
        HostData data;
        ImageId picture;
        std::vector<ImageId> images;  ///< external images
        std::vector<Access> accesses; ///< accesses of external images
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
    [[nodiscard]] Result<> prepare(const View& view, std::span<const BoundExternal> images);
    [[nodiscard]] Result<> build(const View& view, std::span<const BoundExternal> images);
    /// Releases all compiled graphs. No frame may be pending.
    void release();
    [[nodiscard]] Result<> record_into(Slot& slot, VkCommandBuffer commands, const View& view, ImageView picture,
                                       std::span<const BoundExternal> images);

    Context gpu_;
    FrameOptions options_; ///< `capacities`: the current capacities
    std::shared_ptr<StoredScene> scene_;
    std::shared_ptr<Compiled> compiled_;
    std::vector<Slot> slots_;
    std::uint64_t frame_ = 0; ///< number of the next frame
    std::optional<FrameReport> report_;
    bool is_short_ = false; ///< an allocation ahead of need failed; buffers now grow only to what a frame has needed
};

} // namespace weir::paths
