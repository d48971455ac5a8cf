#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <weir/weir.hpp>

#include "splats/renderer.hpp"

namespace samples::splats {

/// What a frame did, known when it is done.
struct SplatFrameReport {
    std::uint64_t frame = 0;            ///< its number, from 0 on
    SplatCounts counts;                 ///< what its picture took
    std::uint32_t pair_capacity = 0;    ///< pairs that it had room for; of more, it lacks the farthest
    std::optional<weir::Profile> times; ///< of its passes; empty where the queue has no timestamps
};

/// Options of SplatFrames::create.
struct SplatFrameOptions {
    std::uint32_t frames_in_flight = 2; ///< frames that may be pending at once; at least 1
    std::uint32_t pair_capacity = 0;    ///< pairs that the first frame has room for; 0: a guess
    /// The application's access to the picture before and after a frame; also says the layout.
    weir::Access access = weir::Access::fragment_shader_read;
};

/// Draws a cloud in frames of the application: into its command buffers and its images.
///
/// Nobody knows how many pairs a frame needs before it has run. A frame without enough room lacks the farthest ones.
/// The application waits for frames anyway: `record` reads what the frame `frames_in_flight` before it needed, and
/// makes room for more before there is none. Used by one thread at a time.
class SplatFrames {
public:
    /// Uploads the cloud, and waits for that. Errors: those of `upload`; `invalid_argument` for 0 frames in flight.
    static weir::Result<SplatFrames> create(const weir::Context& gpu, const Cloud& cloud,
                                            const SplatFrameOptions& options = {});

    /// Records a frame, outside of a render pass. The frame `frames_in_flight` before it has to be done. The picture is
    /// a storage image of `splat_format` and of the size of the view, in the layout of SplatFrameOptions::access. Where
    /// the size or the room is another one than before, a graph is compiled again, but no shader. Errors: those of
    /// SplatRenderer::draw and `Program::record`.
    [[nodiscard]] weir::Result<> record(VkCommandBuffer commands, const SplatView& view, const Camera& camera,
                                        weir::ImageView picture);

    /// What the latest frame that is known to be done did; empty before that.
    [[nodiscard]] const std::optional<SplatFrameReport>& report() const { return report_; }
    /// Frames so far that lacked pairs, as far as it is known.
    [[nodiscard]] std::uint64_t short_frames() const { return short_frames_; }

private:
    /// A compiled graph with its resources.
    struct Compiled {
        SplatView view;
        std::uint32_t pair_capacity = 0;
        CloudBuffers imports;
        weir::HostData camera;
        weir::ImageId picture;
        weir::BufferRef<std::uint32_t> visible, pairs; ///< copies for the host
        std::optional<weir::Program> program;
    };
    /// What a pending frame uses.
    struct Slot {
        std::uint64_t frame = 0;
        bool is_pending = false;
        weir::Buffer counts; ///< mapped: `visible`, and at `pairs_offset` `pairs`
        std::shared_ptr<Compiled> compiled;
        std::optional<weir::Timestamps> timestamps;
    };
    static constexpr VkDeviceSize pairs_offset = 256; ///< bytes; every device allows such offsets

    SplatFrames(weir::Context gpu, CloudOnDevice cloud, const SplatFrameOptions& options);
    weir::Result<> read(Slot& slot);
    weir::Result<> build(const SplatView& view);
    weir::Result<> record_into(Slot& slot, VkCommandBuffer commands, const Camera& camera, weir::ImageView picture);

    weir::Context gpu_;
    CloudOnDevice cloud_;
    weir::Access access_;
    std::uint32_t pair_capacity_; ///< of the next frame
    std::shared_ptr<Compiled> compiled_;
    std::vector<Slot> slots_;
    std::uint64_t frame_ = 0; ///< the next one
    std::optional<SplatFrameReport> report_;
    std::uint64_t short_frames_ = 0;
};

} // namespace samples::splats
