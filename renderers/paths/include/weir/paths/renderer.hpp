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

/// Results of `Renderer::draw`.
struct Drawn {
    Sizes needed;                 ///< elements of each stage
    std::uint32_t tries = 1;      ///< number of executions; more than one if buffers had to grow
    std::optional<double> gpu_ms; ///< GPU time of the last execution; empty if the queue has no timestamps
};

/// The image of a Renderer. Its usage includes sampling, copies and storage.
struct Picture {
    VkImage image = VK_NULL_HANDLE;    ///< image with one mip and one layer
    VkImageView view = VK_NULL_HANDLE; ///< view of the whole image
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout after `Renderer::draw`
    std::uint32_t width = 0, height = 0;              ///< pixels
};

/// Draws a scene into an image of its own. Buffers grow to the size that the scene needs: `draw` either draws the
/// complete picture or returns an error. Not thread-safe.
class Renderer {
public:
    /// Uploads a scene. `capacities` holds the initial ones; 0: `estimated_sizes` of the first view. Errors:
    /// `out_of_memory`, `limit_exceeded`.
    [[nodiscard]] static Result<Renderer> create(const Context& gpu, const Scene& scene, const Sizes& capacities = {});

    /// Replaces the contents of the scene. Of the scene of the latest call, writes only the blocks of 64 draws that
    /// changed, and new records, to mapped memory; a copy of that scene is another scene. If the scene exceeds the
    /// capacities of the buffers or has the first stroke, gradient, image or layer, the next `draw` compiles the graph
    /// again. Errors: `out_of_memory`.
    [[nodiscard]] Result<> update(const Scene& scene);

    /// Draws and waits. If the size of the view has changed, the graph is compiled again, but no shaders. `images`
    /// holds the external images of the scene, in the order of Scene::external_images. Errors: `invalid_argument` for a
    /// size of 0 or above `max_pixels` in samples, for another number of images, and for a View::scissor that leaves
    /// out pixels; `out_of_memory` and `limit_exceeded` with the number of bytes or elements that a stage needs;
    /// `device_lost`.
    [[nodiscard]] Result<Drawn> draw(const View& view, std::span<const BoundExternal> images = {});

    /// Downloads the pixels of the picture, row by row, premultiplied: red in the lowest byte, then green, blue and
    /// alpha.
    [[nodiscard]] Result<std::vector<std::uint32_t>> download() const;

    /// Returns the image with the premultiplied pixels of the last `draw`, for sampling and copies on the context's
    /// queue without another barrier. The application must have finished with it before the next `draw`, which may
    /// replace it. Precondition: `draw` has succeeded.
    [[nodiscard]] Picture picture() const;

    /// Returns the compiled graph of the last `draw`, for its plan, profile and memory.
    [[nodiscard]] Program& program() { return *program_; }

private:
    Renderer(Context gpu) : gpu_(std::move(gpu)) {}
    [[nodiscard]] Result<> build(const View& view, std::span<const BoundExternal> images);
    [[nodiscard]] Result<Sizes> read_needed() const;

    Context gpu_;
    std::shared_ptr<StoredScene> scene_;
    std::vector<std::shared_ptr<Buffer>> buffers_; ///< bound to the program
    SceneShape shape_;                             ///< shape of the program
    Sizes capacities_;
    std::optional<Scene> unmeasured_; ///< scene of a first `draw`, for estimates
    /// Sizes of a first `draw` with estimated capacities.
    struct Estimated {
        Sizes given; ///< capacities before the estimate
        Sizes needed;
    };
    std::optional<Estimated> estimated_;
    View view_; ///< view of the program
    SceneBuffers imports_;
    StripBuffers strips_;
    HostData data_;
    ImageId picture_;
    std::vector<ImageId> images_;  ///< external images
    std::vector<Access> accesses_; ///< accesses of external images
    BufferRef<std::uint32_t> pixels_;
    std::optional<Program> program_;
    bool is_built_ = false; ///< the program matches the size of the view and `capacities_`
};

} // namespace weir::paths
