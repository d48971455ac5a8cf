#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "culling/camera.hpp"
#include "culling/frame_graph.hpp"

namespace samples::culling {

struct FrameOptions {
    std::uint32_t width = 960, height = 540; ///< pixels
    bool times = false;                      ///< measure GPU times of the stages, if the device has timestamps
    bool is_inspected = false;               ///< make pyramid and lists readable, for tests
    /// If set, `record` records frames into the application's command buffers. The picture is then an image with this
    /// access before and after the frame.
    std::optional<weir::Access> image;
};

/// Returns a line that describes what a frame drew.
std::string to_text(const Report& counts);

/// Results of a complete frame.
struct FrameDone {
    std::uint64_t frame = 0; ///< number of the frame, from 0
    Report counts{};
    std::optional<weir::Profile> times;
};

/// Draws frames of a scene, with up to three frames in flight.
class Frames {
public:
    static constexpr std::uint32_t in_flight = 3;
    static weir::Result<std::unique_ptr<Frames>> create(const weir::Context& gpu, DrawFeatures features, Scene scene,
                                                        const FrameOptions& options);
    /// Waits for all frames.
    ~Frames();
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    /// Draws a frame: waits for the frame `in_flight` before it, then records and submits. Afterwards, `done` returns
    /// the frame that it waited for.
    weir::Result<> draw(const Camera& camera, const Switches& switches);
    /// Records a frame into the application's command buffer. The frame `in_flight` before it must be complete;
    /// afterwards, `done` returns that frame. The picture is a storage image of `picture_format`, of the size in the
    /// options, in the layout of FrameOptions::image.
    weir::Result<> record(VkCommandBuffer commands, const Camera& camera, const Switches& switches,
                          weir::ImageView picture);
    /// Waits for all frames. Afterwards, `done` returns the last frame.
    weir::Result<> wait();
    /// Changes the size of the pictures from the next frame on. Waits for all frames drawn by `draw`; frames recorded
    /// by `record` must be complete. Forgets which instances were visible.
    weir::Result<> resize(std::uint32_t width, std::uint32_t height);

    /// Returns the latest frame known to be complete.
    [[nodiscard]] const std::optional<FrameDone>& done() const { return done_; }
    /// Returns the CPU time of the last frame in milliseconds: recording and submitting for `draw`, recording for
    /// `record`.
    [[nodiscard]] double cpu_ms() const { return cpu_ms_; }
    /// Returns the picture of the last frame. Must be called after `wait`.
    [[nodiscard]] weir::Result<std::vector<std::uint32_t>> picture() const;
    /// Returns the view of the last frame.
    [[nodiscard]] const View& view() const { return view_; }
    [[nodiscard]] weir::Program& program() { return *program_; }
    [[nodiscard]] const FrameGraph& graph() const { return *graph_; }
    [[nodiscard]] const Scene& scene() const { return scene_; }

private:
    /// Resources of a frame in flight.
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkFence fence = VK_NULL_HANDLE;
        weir::Buffer picture, report;
        std::optional<weir::Timestamps> timestamps;
        std::optional<std::uint64_t> pending; ///< number of the pending frame
    };
    Frames(const weir::Context& gpu, Scene scene, const FrameOptions& options)
        : gpu_(gpu), vk_(gpu), scene_(std::move(scene)), options_(options) {}
    weir::Result<> upload_scene();
    weir::Result<> create_slots();
    weir::Result<> build();
    void look(const Camera& camera, const Switches& switches);
    weir::Result<> finish(Slot& slot);
    weir::Result<> read(Slot& slot);
    weir::Result<> bind(const Slot& slot, weir::ImageView picture = {});
    weir::Result<> record_into(VkCommandBuffer commands, const Slot& slot);
    weir::Result<> record_alone(const Slot& slot);

    weir::Context gpu_;
    Functions vk_;
    Scene scene_;
    FrameOptions options_;
    std::shared_ptr<const Pipelines> pipelines_;
    weir::Buffer instances_, meshes_, vertices_, indices_;
    std::unique_ptr<FrameGraph> graph_;
    std::optional<weir::Program> program_;
    std::array<Slot, in_flight> slots_;
    std::uint64_t frame_ = 0; ///< number of the next frame
    View view_{};
    std::optional<FrameDone> done_;
    double cpu_ms_ = 0;
};

} // namespace samples::culling
