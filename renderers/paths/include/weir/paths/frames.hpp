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

/// What a frame did, known when it is done.
struct FrameReport {
    std::uint64_t frame = 0;  ///< its number, from 0 on
    bool is_complete = false; ///< whether every stage had room; else the frame left the picture as it was
    Sizes needed;             ///< elements of each stage. Where one had no room, those behind it may need more
    /// GPU times of its passes. Empty without FrameOptions::times, or where the queue has no timestamps.
    std::optional<Profile> times;
};

/// Options of FrameRenderer::create.
struct FrameOptions {
    std::uint32_t frames_in_flight = 2; ///< frames that may be pending at once; at least 1
    Sizes room = {};                    ///< what buffers have room for at first
    /// The application's last access to the picture before a frame; also says the layout in which it arrives.
    Access arrives = Access::fragment_shader_read;
    /// The application's next access after a frame; also says the layout in which the picture leaves.
    Access leaves = Access::fragment_shader_read;
    bool times = false; ///< whether reports have GPU times
};

/// Draws a scene in frames of the application: into its command buffers and an image that it keeps from frame to frame.
///
/// Nobody knows how many elements a frame needs before it has run. A frame for which there is too little room does not
/// touch the picture, which is then that of an earlier frame, as a whole. The application gives a frame's word back
/// with the fence that it waits for anyway: `record` reads what the frame `frames_in_flight` before it needed, and
/// makes buffers larger, before they are full where there is memory. So the picture is late then, and never wrong. Used
/// by one thread at a time.
class FrameRenderer {
public:
    /// Uploads a scene, and waits for that. Errors: `out_of_memory`, `limit_exceeded`, `invalid_argument` for 0 frames
    /// in flight.
    static Result<FrameRenderer> create(const Context& gpu, const Scene& scene, const FrameOptions& options = {});

    /// The scene of the following frames: as many points, draws, paints and so on as before, with other contents. What
    /// changed is copied to new memory that the host writes and the device reads; pending frames keep theirs. Waits for
    /// nothing. Errors: `invalid_argument`, `out_of_memory`.
    [[nodiscard]] Result<> update(const Scene& scene);

    /// Records a frame, outside of a render pass. The frame `frames_in_flight` before it has to be done: the
    /// application waited for its fence. The picture is a storage image of VK_FORMAT_R8G8B8A8_UNORM and of the size of
    /// the view, in the layout of FrameOptions::arrives. Where the size is another one than before, or a frame needed
    /// more room, a graph is compiled again, but no shader; that waits for what the queue has to do. After an error
    /// everything is as before it. Errors: `invalid_argument` for a size of 0 or past `most_pixels`; `out_of_memory`
    /// and `limit_exceeded` with the number of bytes or elements that a stage needs; those of `Program::record`.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const View& view, ImageView picture);

    /// Undoes the latest `record`, of a frame that is not submitted. Errors: `invalid_argument` if there is none.
    [[nodiscard]] Result<> discard();

    /// Submits frames to the queue of the context, and waits, until one is complete. Before the first frame and for a
    /// new image, where there is no picture yet that could be kept. No frame may be pending. If memory is short,
    /// `settle` releases the old room before it makes the new room. Errors: those of `record`, and of
    /// `Context::submit`.
    [[nodiscard]] Result<> settle(const View& view, ImageView picture);

    /// What the latest frame that is known to be done did; empty before that.
    [[nodiscard]] const std::optional<FrameReport>& report() const { return report_; }

    /// The compiled graph of the latest frame. There has to be one.
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
    /// What a pending frame uses.
    struct Slot {
        std::uint64_t frame = 0;
        bool is_pending = false;
        Buffer report; ///< mapped: a state, then a word for each stage
        std::shared_ptr<Compiled> compiled;
        std::vector<std::shared_ptr<Buffer>> scene;
        std::optional<Timestamps> timestamps;
    };

    FrameRenderer(Context gpu, const FrameOptions& options) : gpu_(std::move(gpu)), options_(options) {}
    Slot& slot_of(std::uint64_t frame) { return slots_[frame % slots_.size()]; }
    Result<> read(Slot& slot);
    Result<> prepare(const View& view);
    Result<> build(const View& view);
    /// Releases all compiled graphs. No frame may be pending.
    void release();
    Result<> record_into(Slot& slot, VkCommandBuffer commands, const View& view, ImageView picture);

    Context gpu_;
    FrameOptions options_; ///< its room grows
    Scene scene_;
    std::vector<std::shared_ptr<Buffer>> buffers_; ///< of the scene
    std::shared_ptr<Compiled> compiled_;
    std::vector<Slot> slots_;
    std::uint64_t frame_ = 0; ///< the next one
    std::optional<FrameReport> report_;
    bool is_short_ = false; ///< there was no memory to make room ahead
};

} // namespace weir::paths
