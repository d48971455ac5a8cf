#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace samples {

/// A picture of pixels.
struct Raster {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels; ///< red, green, blue, straight alpha, row by row
    [[nodiscard]] bool is_opaque() const;
};

/// The contents of a data URL; none if it is none.
std::optional<std::string> data_of_url(std::string_view url);

/// The contents of a file that a relative link names, of at most 64 MiB; none if there is none in `folder` or below it.
std::optional<std::string> data_of_file(std::string_view link, const std::filesystem::path& folder);

/// Reads a PNG or a JPEG; none if it is neither, is damaged, or has more than 2^26 pixels.
std::optional<Raster> read_raster(std::string_view bytes);

/// At most `most` pixels in each direction, by averages of pixels.
Raster reduced(const Raster& raster, std::uint32_t most);

/// Pixels without alpha get the color of those beside them, so that mixing with their neighbors does not darken these.
void spread_colors(Raster& raster);

} // namespace samples
