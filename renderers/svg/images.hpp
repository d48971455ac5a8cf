#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::svg {

/// An image.
struct Raster {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels; ///< red, green, blue and alpha, not premultiplied, row by row
    [[nodiscard]] bool is_opaque() const;
};

/// Decodes a data URL. Returns nullopt if `url` is not one.
std::optional<std::string> data_of_url(std::string_view url);

/// Reads the file of a relative link, at most 64 MiB. Returns nullopt if no such file exists in `folder` or below it.
std::optional<std::string> data_of_file(std::string_view link, const std::filesystem::path& folder);

/// Decodes a PNG or a JPEG. Returns nullopt for other formats, for damaged data, and for more than 2^26 pixels.
std::optional<Raster> read_raster(std::string_view bytes);

/// Reduces an image to at most `most` pixels in each direction, by averaging.
Raster reduced(const Raster& raster, std::uint32_t most);

/// Gives transparent pixels the color of their neighbors, so that interpolation does not darken these.
void spread_colors(Raster& raster);

} // namespace weir::svg
