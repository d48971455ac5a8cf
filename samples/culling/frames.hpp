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
    bool times = false;                      ///< GPU times of stages, where the device has timestamps
    bool is_inspected = false;               ///< pyramid and lists can be read, for tests
    /// Frames are recorded into commands of the application, by `record`, and their picture is an image, with this
    /// access before and after them.
    std::optional<weir::Access> image;
};

/// A line that says what a frame drew.
std::string to_text(const Report& counts);

/// A frame that is complete.
struct FrameDone {
    std::uint64_t frame = 0; ///< frames are counted from 0
    Report counts{};
    std::optional<weir::Profile> times;
};

/// Draws frames of a scene, up to three of them at once.
class Frames {
public:
    static constexpr std::uint32_t in_flight = 3;
    static weir::Result<std::unique_ptr<Frames>> create(const weir::Context& gpu, DrawFeatures features, Scene scene,
                                                        const FrameOptions& options);
    /// Waits for all frames.
    ~Frames();
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    /// Draws a frame: waits for the frame `in_flight` before it, which `done` then has; records and submits.
    weir::Result<> draw(const Camera& camera, const Switches& switches);
    /// Records a frame into commands of the application, which has waited for the frame `in_flight` before it; `done`
    /// then has that one. The picture is a storage image of `picture_format` and of the size of the options, in the
    /// layout of FrameOptions::image.
    weir::Result<> record(VkCommandBuffer commands, const Camera& camera, const Switches& switches,
                          weir::ImageView picture);
    /// Waits for all frames; `done` then has the last one.
    weir::Result<> wait();
    /// Draws pictures of another size from the next frame on. Waits for all frames; where they were recorded, the
    /// application has done so. What was visible is forgotten.
    weir::Result<> resize(std::uint32_t width, std::uint32_t height);

    /// The latest frame that is known to be complete.
    [[nodiscard]] const std::optional<FrameDone>& done() const { return done_; }
    /// Milliseconds that recording and submitting the last frame took on the CPU; recording alone, by `record`.
    [[nodiscard]] double cpu_ms() const { return cpu_ms_; }
    /// The picture of the last frame, after `wait`.
    [[nodiscard]] weir::Result<std::vector<std::uint32_t>> picture() const;
    /// What the last frame saw.
    [[nodiscard]] const View& view() const { return view_; }
    [[nodiscard]] weir::Program& program() { return *program_; }
    [[nodiscard]] const FrameGraph& graph() const { return *graph_; }
    [[nodiscard]] const Scene& scene() const { return scene_; }

private:
    /// What a frame has while it is pending.
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkFence fence = VK_NULL_HANDLE;
        weir::Buffer picture, report;
        std::optional<weir::Timestamps> timestamps;
        std::optional<std::uint64_t> pending; ///< the number of the frame
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
    std::uint64_t frame_ = 0; ///< the next one
    View view_{};
    std::optional<FrameDone> done_;
    double cpu_ms_ = 0;
};

} // namespace samples::culling
