// .splat: 32 bytes per splat. Position and scale as floats, color and opacity as bytes, quaternion as bytes.

#include "propagate.hpp"
#include "source.hpp"

namespace weir::splats {

namespace {

constexpr std::size_t splat_row = 32;

Splat splat_of_row(const std::byte* row) {
    Splat splat;
    for (std::size_t i = 0; i < 3; ++i) {
        splat.mean[i] = load<float>(row + 4 * i);
        splat.scale[i] = load<float>(row + 12 + 4 * i);
        splat.color[i] = coefficient_of(byte_at(row + 24 + i) / 255);
    }
    splat.opacity = byte_at(row + 27) / 255;
    for (std::size_t i = 0; i < 4; ++i) {
        splat.rotation[i] = (byte_at(row + 28 + i) - 128) / 128;
    }
    return splat;
}

} // namespace

Result<SplatSource> open_splat(Bytes bytes) {
    const auto count = checked_count(".splat", bytes.size() / splat_row);
    SPLATS_PROPAGATE(count);
    return SplatSource{.format = CloudFormat::splat,
                       .splats = *count,
                       .decode = [bytes](std::uint32_t first, std::span<Splat> splats) {
                           for (std::size_t i = 0; i < splats.size(); ++i) {
                               splats[i] = splat_of_row(bytes.data() + (first + i) * splat_row);
                           }
                       }};
}

} // namespace weir::splats
