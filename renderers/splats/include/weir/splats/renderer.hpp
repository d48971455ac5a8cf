#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <weir/splats/camera.hpp>
#include <weir/splats/cloud.hpp>
#include <weir/splats/graph.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

/// Counts of a picture.
struct SplatCounts {
    std::uint32_t visible = 0; ///< number of visible splats
    std::uint32_t pairs = 0;   ///< number of pairs of a tile and a splat that touches it; saturates at 2^32 - 1
};

/// Buffers of a cloud on the device.
struct CloudOnDevice {
    std::uint32_t splats = 0, degree = 0;
    Buffer places, shapes;
    std::optional<Buffer> harmonics; ///< empty for a cloud of degree 0
};

/// Uploads a cloud and waits. Errors: `out_of_memory`; `invalid_argument` for a cloud without splats.
Result<CloudOnDevice> upload(const Context& gpu, const Cloud& cloud);

/// Binds the buffers of a cloud to its imports.
Result<> bind(Program& program, const CloudBuffers& imports, const CloudOnDevice& cloud);

/// Checks the size of a view. Errors: `invalid_argument` for a size of 0 or above most_splat_pixels.
Result<> check_size(const SplatView& view);

/// Returns the initial capacity for pairs, while their number is unknown.
std::uint32_t first_pair_capacity(std::uint32_t splats);
/// Returns a capacity for `pairs` pairs with a reserve. Errors: `limit_exceeded` for more pairs than a sort supports.
Result<std::uint32_t> pair_capacity_for(std::uint32_t pairs);

/// Draws single pictures of a cloud into an image of its own.
class SplatRenderer {
public:
    /// Uploads the cloud. `pair_capacity`: initial capacity for pairs; 0: chosen by the number of splats. Errors: those
    /// of `upload`.
    static Result<SplatRenderer> create(const Context& gpu, const Cloud& cloud, std::uint32_t pair_capacity = 0);

    /// Draws a picture and waits. If the capacity is too small, the farthest pairs are missing, and the next picture
    /// gets a sufficient capacity. Errors: those of `check_size` and `pair_capacity_for`; `out_of_memory`.
    Result<SplatCounts> draw(const SplatView& view, const Camera& camera);

    /// Returns true if pairs are missing in the latest picture.
    [[nodiscard]] bool is_short() const { return counts_.pairs > drawn_capacity_; }
    /// Returns the capacity for pairs of the latest picture.
    [[nodiscard]] std::uint32_t pair_capacity() const { return drawn_capacity_; }
    /// Returns the graph of the latest picture, which must exist. It exports the buffers of `buffers`.
    [[nodiscard]] Program& program() { return *program_; }
    [[nodiscard]] const SplatBuffers& buffers() const { return buffers_; }
    /// Returns the pixels of the latest picture, row by row, with red in the lowest byte.
    [[nodiscard]] Result<std::vector<std::uint32_t>> pixels() const;

private:
    SplatRenderer(Context gpu, CloudOnDevice cloud, std::uint32_t pair_capacity)
        : gpu_(std::move(gpu)), cloud_(std::move(cloud)), pair_capacity_(pair_capacity) {}
    Result<> build(const SplatView& view);

    Context gpu_;
    CloudOnDevice cloud_;
    std::uint32_t pair_capacity_;      ///< capacity of the next picture
    std::uint32_t drawn_capacity_ = 0; ///< capacity of the latest picture
    SplatView view_;
    SplatBuffers buffers_;
    HostData camera_;
    BufferRef<std::uint32_t> pixels_;
    std::optional<Program> program_;
    SplatCounts counts_; ///< counts of the latest picture
};

} // namespace weir::splats
