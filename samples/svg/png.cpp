#include "svg/png.hpp"

#include <vector>

#include <png.h>

namespace samples {

weir::Result<std::string> to_png(std::span<const std::uint32_t> pixels, std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint8_t> bytes(pixels.size() * 4);
    std::uint8_t* byte = bytes.data();
    for (const std::uint32_t pixel : pixels) {
        const std::uint32_t alpha = pixel >> 24;
        for (std::uint32_t shift = 0; shift < 24; shift += 8) {
            const std::uint32_t value = pixel >> shift & 0xFF;
            *byte++ = static_cast<std::uint8_t>(alpha == 255 ? value
                                                : alpha == 0 ? 0
                                                             : std::min(255U, (value * 255 + alpha / 2) / alpha));
        }
        *byte++ = static_cast<std::uint8_t>(alpha);
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    image.flags = PNG_IMAGE_FLAG_FAST; // compressing took longer than drawing
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(size, '\0');
    if (png_image_write_to_memory(&image, file.data(), &size, 0, bytes.data(), 0, nullptr) == 0) {
        return tl::unexpected(
            weir::Error{weir::ErrorCode::io, std::string("cannot encode the picture as PNG: ") + image.message});
    }
    file.resize(size);
    return file;
}

} // namespace samples
