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

/// What `Renderer::draw` did.
struct Drawn {
    Sizes needed;                 ///< elements of each stage
    std::uint32_t tries = 1;      ///< executions: more than one where buffers had to grow
    std::optional<double> gpu_ms; ///< of the last one; empty where the queue has no timestamps
};

/// Draws a scene into an image of its own. Its buffers grow to what the scene needs: a picture is drawn completely, or
/// there is an error. Used by one thread at a time.
class Renderer {
public:
    /// Uploads a scene, at most once for each change of it. `room` is what buffers have room for at first.
    /// Errors: `out_of_memory`, `limit_exceeded`.
    static Result<Renderer> create(const Context& gpu, const Scene& scene, const Sizes& room = {});

    /// Uploads the scene's draws again, with other transforms or paints; the outlines and the number of draws are as
    /// before. Waits. Errors: `invalid_argument`, `device_lost`.
    [[nodiscard]] Result<> update(const Scene& scene);

    /// Draws, and waits. A view of another size compiles a graph, but no shader, again. Errors: `invalid_argument` for
    /// a size of 0 or past `most_pixels`; `out_of_memory` and `limit_exceeded` with the number of bytes or elements
    /// that a stage needs; `device_lost`.
    Result<Drawn> draw(const View& view);

    /// The picture: rows of pixels, red in the lowest byte, then green, blue and alpha, premultiplied.
    [[nodiscard]] Result<std::vector<std::uint32_t>> download() const;

    /// The compiled graph of the last `draw`, for its plan, its profile and its memory.
    [[nodiscard]] Program& program() { return *program_; }

private:
    Renderer(Context gpu) : gpu_(std::move(gpu)) {}
    Result<> upload(const Scene& scene);
    Result<> build(const View& view);
    Result<Sizes> read_needed() const;

    Context gpu_;
    Scene scene_; ///< sizes of its records
    Sizes room_;
    View view_;                   ///< of the program
    std::vector<Buffer> buffers_; ///< points, segments, draws, instances, paints
    SceneBuffers imports_;
    StripBuffers strips_;
    HostData data_;
    BufferRef<std::uint32_t> pixels_;
    std::optional<Program> program_;
    bool is_built_ = false; ///< the program is of the view's size, and has the room
};

} // namespace weir::paths
