#pragma once

#include <cstddef>
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
    std::vector<std::uint32_t> pixels; ///< row by row, not premultiplied: red, green, blue and alpha, as bytes
    [[nodiscard]] std::uint8_t* row(std::uint32_t y) {
        return reinterpret_cast<std::uint8_t*>(pixels.data() + std::size_t{y} * width);
    }
};

/// Decodes a data URL. Returns nullopt if `url` is not one.
std::optional<std::string> data_of_url(std::string_view url);

/// Reads the file of a relative link, at most 64 MiB. Returns nullopt if no such file exists in `folder` or below it.
std::optional<std::string> data_of_file(std::string_view link, const std::filesystem::path& folder);

/// Decodes a PNG, a JPEG, the first picture of a GIF, or a WebP, if its library is available. Returns nullopt for other
/// formats, for damaged data, and for more than 2^26 pixels.
std::optional<Raster> read_raster(std::string_view bytes);

/// Returns the name of the format of an image that `read_raster` does not read; empty if it reads the format, or if the
/// format is not known.
std::string_view unreadable_format(std::string_view bytes);

/// Creates an image without colors. Returns nullopt for a size of 0, and for more than 2^26 pixels.
std::optional<Raster> blank_raster(std::uint64_t width, std::uint64_t height);

} // namespace weir::svg
