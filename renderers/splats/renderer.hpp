#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <weir/weir.hpp>

#include "splats/camera.hpp"
#include "splats/cloud.hpp"
#include "splats/graph.hpp"

namespace samples::splats {

/// What a picture took.
struct SplatCounts {
    std::uint32_t visible = 0; ///< splats
    std::uint32_t pairs = 0;   ///< of a tile and a splat that touches it; 2^32 - 1: so many or more
};

/// A cloud on the device.
struct CloudOnDevice {
    std::uint32_t splats = 0, degree = 0;
    weir::Buffer places, shapes;
    std::optional<weir::Buffer> harmonics; ///< of a cloud with a degree above 0
};

/// Uploads a cloud, and waits for that. Errors: `out_of_memory`; `invalid_argument` for a cloud without splats.
weir::Result<CloudOnDevice> upload(const weir::Context& gpu, const Cloud& cloud);

/// Binds it to its imports.
weir::Result<> bind(weir::Program& program, const CloudBuffers& imports, const CloudOnDevice& cloud);

/// Errors: `invalid_argument` for a size of 0 or past most_splat_pixels.
weir::Result<> check_size(const SplatView& view);

/// Pairs that there is room for when nobody knows yet how many there are.
std::uint32_t first_pair_capacity(std::uint32_t splats);
/// Room for so many pairs and some more. Errors: `limit_exceeded` for more than a sort can have.
weir::Result<std::uint32_t> pair_capacity_for(std::uint32_t pairs);

/// Draws pictures of a cloud one by one, into an image of its own.
class SplatRenderer {
public:
    /// Uploads the cloud. `pair_capacity`: of the first picture; 0: a guess. Errors: those of `upload`.
    static weir::Result<SplatRenderer> create(const weir::Context& gpu, const Cloud& cloud,
                                              std::uint32_t pair_capacity = 0);

    /// Draws a picture, and waits. Where there is too little room, the picture lacks the farthest pairs, and the next
    /// one has room for so many. Errors: those of `check_size` and `pair_capacity_for`; `out_of_memory`.
    weir::Result<SplatCounts> draw(const SplatView& view, const Camera& camera);

    /// Whether the latest picture lacks pairs.
    [[nodiscard]] bool is_short() const { return counts_.pairs > drawn_capacity_; }
    /// Pairs that the latest picture had room for.
    [[nodiscard]] std::uint32_t pair_capacity() const { return drawn_capacity_; }
    /// The graph of the latest picture, and its buffers, which it exports. There has to be one.
    [[nodiscard]] weir::Program& program() { return *program_; }
    [[nodiscard]] const SplatBuffers& buffers() const { return buffers_; }
    /// The pixels of the latest picture, row after row, red in the lowest byte.
    [[nodiscard]] weir::Result<std::vector<std::uint32_t>> pixels() const;

private:
    SplatRenderer(weir::Context gpu, CloudOnDevice cloud, std::uint32_t pair_capacity)
        : gpu_(std::move(gpu)), cloud_(std::move(cloud)), pair_capacity_(pair_capacity) {}
    weir::Result<> build(const SplatView& view);

    weir::Context gpu_;
    CloudOnDevice cloud_;
    std::uint32_t pair_capacity_;      ///< of the next picture
    std::uint32_t drawn_capacity_ = 0; ///< of the latest one
    SplatView view_;
    SplatBuffers buffers_;
    weir::HostData camera_;
    weir::BufferRef<std::uint32_t> pixels_;
    std::optional<weir::Program> program_;
    SplatCounts counts_; ///< of the latest picture
};

} // namespace samples::splats
